//! GGF, the game record of GGS and NBoard: `(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ... *]B[f5/0.3/1.2]W[f6];)`.
//!
//! Reading is lenient in what cannot hurt (unknown tags, unreadable clocks or results are kept as [`Game::skipped`]) and
//! strict in the board and the moves. Boards of every size of GGS are read; [`Game::playable`] gives the 8x8 view that an
//! engine can play. Whether the moves are legal is not the business of this crate.

mod board;
mod error;
mod parse;
mod point;
mod print;

use crate::clock::ClockSetting;
use crate::match_type::{BoardSize, MatchType, Start};
use crate::played::Played;
use crate::vocab::{Color, Diagram, Move, Square};

pub use board::Board;
pub use error::{Fault, GgfError, Unplayable};
pub use parse::{Matches, matches};
pub use point::{Point, Step};

/// One recorded game. Text fields are empty where the record says nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// `PC`: where it was played.
    pub place: String,
    /// `DT` as written: seconds since 1970, `2026.11.29_20:09:06.UTC`, `2026-11-29 20:07:26 GMT` all occur.
    pub date: String,
    /// The first player.
    pub black: Player,
    /// The second player.
    pub white: Player,
    /// `TY`; where it is missing the plain game on the board of `BO`.
    pub kind: MatchType,
    /// `KM`: discs subtracted from Black's result.
    pub komi: Option<f64>,
    /// `RE`.
    pub result: Outcome,
    /// `BO`: the position before the first move; `None` where the record has none.
    pub start: Option<Board>,
    /// The moves in order, passes included.
    pub moves: Vec<Turn<Step>>,
    /// What was read over: comments, unknown tags and known ones with an unreadable value. Not printed.
    pub skipped: Vec<Tag>,
}

/// What a record says of one player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Player {
    /// `PB` or `PW`.
    pub name: String,
    /// `RB` or `RW`.
    pub rating: Option<f64>,
    /// `TB` or `TW`, or `TI`, which is for both.
    pub clock: Option<ClockSetting>,
    /// `KB` or `KW`: the first move and bid of this player in a komi game.
    pub bid: Option<Played<Step>>,
}

/// One move of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn<M> {
    /// Whose move the record says it is.
    pub color: Color,
    /// The move, with evaluation and time.
    pub played: Played<M>,
}

/// `RE`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Discs of Black minus discs of White, minus the komi; `None` for `?`.
    pub discs: Option<f64>,
    /// How it ended, if not on the board.
    pub ending: Option<Ending>,
}

/// How a game ended before the board did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// `:r`
    Resigned,
    /// `:t`
    Timeout,
    /// `:s`, a score agreed on.
    Agreed,
    /// `:l`
    Adjourned,
}

/// A tag as it stands in the record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Upper-case letters.
    pub name: String,
    /// What the brackets hold.
    pub value: String,
}

/// One line of a GGS archive: a game, or the two games of a synchro match.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Never empty.
    pub games: Vec<Game>,
}

/// The 8x8 game that an engine can play through.
#[derive(Clone, Debug, PartialEq)]
pub struct Playable {
    /// The position before the first move.
    pub start: Diagram,
    /// The moves in order.
    pub moves: Vec<Turn<Move>>,
}

impl Game {
    /// A plain 8x8 game without players, clock or moves.
    pub fn new(start: Diagram) -> Self {
        Self {
            place: String::new(),
            date: String::new(),
            black: Player::default(),
            white: Player::default(),
            kind: MatchType::STANDARD,
            komi: None,
            result: Outcome::default(),
            start: Some(start.into()),
            moves: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// The player of that colour.
    pub const fn player(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Appends a move of the 8x8 game.
    pub fn push(&mut self, color: Color, played: Played<Move>) {
        let Played { mv, eval, seconds } = played;
        self.moves.push(Turn {
            color,
            played: Played {
                mv: mv.into(),
                eval,
                seconds,
            },
        });
    }

    /// The game on the board that is played here. A missing `BO` is the standard start, unless the type says that the start
    /// was random.
    pub fn playable(&self) -> Result<Playable, Unplayable> {
        let start = match &self.start {
            Some(board) => board.diagram().ok_or(Unplayable::Board(board.size()))?,
            None if self.kind.start != Start::Standard => return Err(Unplayable::NoBoard(self.kind)),
            None if self.kind.board != BoardSize::Eight => return Err(Unplayable::Board(self.kind.board)),
            None => Diagram::standard(),
        };
        let turn = |turn: &Turn<Step>| {
            let Played { mv, eval, seconds } = turn.played;
            let mv = match mv {
                Step::Pass => Some(Move::Pass),
                Step::Place(point) => Square::try_from(point).ok().map(Move::Place),
            };
            mv.map(|mv| Turn {
                color: turn.color,
                played: Played { mv, eval, seconds },
            })
            .ok_or(Unplayable::Square(turn.played.mv))
        };
        Ok(Playable {
            start,
            moves: self.moves.iter().map(turn).collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests;
