//! Recorded games and positions, played through the rules.

use outflank_protocol::ggf::{self, Unplayable};
use outflank_protocol::obf::Problem;
use outflank_protocol::sgf;
use outflank_protocol::transcript::Transcript;

use super::words;
use crate::rules::{Color, Game, IllegalMove, Move, Position, Rules};

/// Why a record is no game under the rules.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// A record of a game that is not played on this board.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// A move of the game.
    #[error("move {number}: {reason}")]
    Move {
        /// From 1, counting the moves as they are written.
        number: usize,
        /// What is wrong with it.
        reason: IllegalMove,
    },
}

/// Plays a record from its start position. A pass that is not written is put in where the side to move must pass and the
/// record goes on with the other one.
///
/// # Errors
/// If the game is not an 8x8 game, or a move is illegal or by the wrong side.
pub fn game(rules: Rules, record: &ggf::Game) -> Result<Game, ReplayError> {
    let playable = record.playable()?;
    let moves = playable
        .moves
        .iter()
        .map(|turn| (Some(turn.color.into()), turn.played.mv.into()));
    replay(words::position(rules, &playable.start), moves)
}

/// Plays the main line of an SGF record, as [`game`] does.
///
/// # Errors
/// If a move is illegal or by the wrong side.
pub fn sgf(rules: Rules, record: &sgf::Game) -> Result<Game, ReplayError> {
    let moves = record
        .moves
        .iter()
        .map(|&(color, mv)| (Some(color.into()), mv.into()));
    replay(words::position(rules, &record.start), moves)
}

/// Plays a list of moves from `start`. Forced passes may be written or left out.
///
/// # Errors
/// If a move is illegal.
pub fn line(start: Position, transcript: &Transcript) -> Result<Game, ReplayError> {
    replay(start, transcript.moves.iter().map(|&mv| (None, mv.into())))
}

fn replay(start: Position, moves: impl Iterator<Item = (Option<Color>, Move)>) -> Result<Game, ReplayError> {
    let mut game = Game::from_position(start);
    for (number, (color, mv)) in (1..).zip(moves) {
        play(&mut game, color, mv).map_err(|reason| ReplayError::Move { number, reason })?;
    }
    Ok(game)
}

/// The position of an OBF line.
///
/// # Errors
/// If one of the moves that it lists is illegal.
pub fn problem(rules: Rules, problem: &Problem) -> Result<Position, ReplayError> {
    let position = words::position(rules, &problem.position);
    for (number, listed) in (1..).zip(&problem.scores) {
        let mut game = Game::from_position(position);
        game.play(listed.mv.into())
            .map_err(|reason| ReplayError::Move { number, reason })?;
    }
    Ok(position)
}

/// Plays a move of `color`, or of whoever can play it, with the forced pass before it if that is missing.
fn play(game: &mut Game, color: Option<Color>, mv: Move) -> Result<(), IllegalMove> {
    let mover = game.position().mover;
    let other_side = color.map_or(mv != Move::Pass, |color| color != mover);
    let missing_pass = other_side && game.moves().must_pass();
    if missing_pass {
        game.play(Move::Pass)?;
    }
    let played = match color {
        Some(color) => game.play_as(color, mv),
        None => game.play(mv),
    };
    if played.is_err() && missing_pass {
        game.undo();
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    /// White can play c1, Black nothing.
    const BLACK_MUST_PASS: &str = "O*-------------------------------------------------------------- *";

    fn ggf(text: &str) -> Result<Game, ReplayError> {
        game(Rules::Othello, &text.parse().unwrap())
    }

    #[test]
    fn a_record_is_played() {
        let game = ggf("(;TY[8]B[f5]W[d6//1.2]B[C3];)").unwrap();
        assert_eq!(game.history().len(), 3);
        assert_eq!(game.position().mover, Color::White);
        let error = ggf("(;TY[8]B[f5]W[d6]B[f5];)").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 3: illegal move f5: the square is occupied"
        );
        let error = ggf("(;TY[8]W[f5];)").unwrap_err();
        assert_eq!(error.to_string(), "move 1: illegal move f5: Black is to move");
        let error = ggf("(;TY[8]B[pa];)").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 1: illegal move pa: Black has a square to play on and may not pass"
        );
        let error = ggf("(;TY[8r14]B[f5];)").unwrap_err();
        assert!(error.to_string().starts_with("BO is missing"));
    }

    #[test]
    fn a_forced_pass_may_be_left_out() {
        for moves in ["B[pa]W[c1]", "W[c1]"] {
            let game = ggf(&format!("(;TY[8]BO[8 {BLACK_MUST_PASS}]{moves};)")).unwrap();
            assert_eq!(game.history().len(), 2, "{moves}");
            assert_eq!(game.start().mover, Color::Black);
        }
        let start = words::position(Rules::Othello, &BLACK_MUST_PASS.parse().unwrap());
        for moves in ["pa c1", "c1"] {
            assert_eq!(
                line(start, &moves.parse().unwrap()).unwrap().history().len(),
                2,
                "{moves}"
            );
        }
        let error = line(start, &"c2".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "move 1: illegal move c2: it outflanks nothing");
    }

    #[test]
    fn the_moves_of_a_problem_must_be_legal() {
        let check = |text: &str| problem(Rules::Othello, &text.parse().unwrap());
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(
            check(&format!("{start}; f5:0; c4:0")).unwrap().board,
            Board::START
        );
        let error = check(&format!("{start}; f5:0; e6:0; a1:0")).unwrap_err();
        assert_eq!(error.to_string(), "move 3: illegal move a1: it outflanks nothing");
    }
}
