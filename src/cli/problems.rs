//! Reading a file of positions whose moves have known scores, for `solve` and `suite`.

use crate::files;
use crate::rules::{Game, Move, Rules};
use crate::session::{record, words};
use outflank_protocol::obf;
use std::error::Error;
use std::path::Path;

/// A position and what is known of it.
pub struct Known {
    /// The position as OBF, without the scores.
    pub text: String,
    /// The position as a game without history.
    pub game: Game,
    /// Moves with their exact scores in discs; may be empty.
    pub scores: Vec<(Move, i32)>,
}

impl Known {
    /// The score of the best move.
    pub fn best(&self) -> Option<i32> {
        self.scores.iter().map(|(_, score)| *score).max()
    }

    /// The score of a move, if the file tells it.
    pub fn score_of(&self, mv: Move) -> Option<i32> {
        self.scores
            .iter()
            .find(|(known, _)| *known == mv)
            .map(|(_, score)| *score)
    }
}

/// Reads all positions of a file.
///
/// # Errors
/// If it cannot be read, or a line is no OBF or lists an illegal move: the message names file and line.
pub fn read(path: &Path, rules: Rules) -> Result<Vec<Known>, Box<dyn Error>> {
    let bytes = files::data(path).map_err(|error| format!("{}: {error}", path.display()))?;
    // What is no text is no OBF either, and its line is told.
    let text = String::from_utf8_lossy(&bytes);
    let at = |line: usize, error: &dyn std::fmt::Display| format!("{}, line {line}: {error}", path.display());
    let mut known = Vec::new();
    for (line, problem) in obf::problems(&text) {
        let problem = problem.map_err(|error| at(line, &error))?;
        let position = record::problem(rules, &problem).map_err(|error| at(line, &error))?;
        known.push(Known {
            text: words::diagram(&position).to_string(),
            game: Game::from_position(position),
            scores: problem
                .scores
                .iter()
                .map(|item| (item.mv.into(), item.score))
                .collect(),
        });
    }
    Ok(known)
}
