//! What a journal keeps of a pair of games.

use super::fault::Kind;
use super::stats::Outcome;
use crate::rules::{Color, Game, Move, Position, Rules};
use crate::session::{record, words};
use outflank_protocol::transcript::Transcript;
use outflank_protocol::vocab::Diagram;
use serde::{Deserialize, Serialize};

/// A side, as the journal writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Moves first from the start position.
    Black,
    /// The other one.
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// 64 squares and the side to move; the start position of the rules if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Moves from there, two characters each.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
}

impl Opening {
    /// What leads to the last position of a game. A start position of the rules need not be written down.
    pub fn of(game: &Game) -> Self {
        let start = game.start();
        let board = (*start != Position::start(game.rules())).then(|| words::diagram(start).to_string());
        Self {
            board,
            moves: moves_text(game.history()),
        }
    }

    /// The game at its end. Error if a move is not legal or the game is over by then.
    pub fn game(&self, rules: Rules) -> Result<Game, String> {
        let start = match &self.board {
            Some(text) => words::position(rules, &text.parse::<Diagram>().map_err(|e| e.to_string())?),
            None => Position::start(rules),
        };
        let moves: Transcript = self.moves.parse().map_err(|e| format!("{e}"))?;
        let game = record::line(start, &moves).map_err(|e| e.to_string())?;
        if game.is_over() {
            return Err("the game is over after it".into());
        }
        Ok(game)
    }
}

/// Two characters a move, passes as `pa`.
pub fn moves_text(moves: &[Move]) -> String {
    let moves = moves.iter().map(|&mv| mv.into()).collect();
    Transcript { moves }.to_string()
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Ending {
    /// By the rules.
    Board,
    /// By the solver.
    Solved,
    /// By what one side did.
    Forfeit {
        /// Who did it and lost.
        loser: Side,
        /// What.
        kind: Kind,
        /// In words.
        detail: String,
    },
}

/// A solved ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// Plies played from the opening when it was solved.
    pub ply: usize,
    /// Final disc difference with best play, Black's view.
    pub score: i32,
}

/// One game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Name of the engine that had Black.
    pub black: String,
    /// Name of the engine that had White.
    pub white: String,
    /// The moves after the opening, two characters each, forced passes as `pa`.
    pub moves: String,
    /// Microseconds that each of them took; 0 for a forced pass.
    pub us: Vec<u64>,
    /// What the mover said the position was worth, in discs for itself, where it said anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evals: Vec<Option<f64>>,
    /// Nodes that Black and White say they searched in the whole game; 0 if they say nothing.
    #[serde(default)]
    pub nodes: [u64; 2],
    /// The result that counts: disc difference, Black's view; ±64 for a forfeit.
    pub score: i32,
    /// Disc difference on the last board, counted as the rules count, Black's view.
    pub discs: i32,
    /// How it ended.
    pub ending: Ending,
    /// The solver's result, where games are adjudicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<Solved>,
    /// Who was first to run out of main time with an extension: at best a loss by two discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extended: Option<Side>,
}

impl GameRecord {
    /// The side of an engine.
    pub fn side_of(&self, engine: &str) -> Color {
        if self.black == engine {
            Color::Black
        } else {
            Color::White
        }
    }

    /// The result seen by a side.
    pub fn score_for(&self, color: Color) -> i32 {
        match color {
            Color::Black => self.score,
            Color::White => -self.score,
        }
    }
}

/// Two games from one opening with colours swapped: the unit of everything.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRecord {
    /// Its number in the schedule, from 0.
    pub pair: u64,
    /// The engine that has Black in the first game.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Where both games begin.
    pub opening: Opening,
    /// The games.
    pub games: [GameRecord; 2],
}

impl PairRecord {
    /// Final disc differences of the two games, seen by the first engine.
    pub fn scores(&self) -> [i32; 2] {
        [self.games[0].score, -self.games[1].score]
    }

    /// The outcomes of the two games for the first engine.
    pub fn outcomes(&self) -> [Outcome; 2] {
        self.scores().map(Outcome::of_discs)
    }
}
