//! What a journal keeps of a pair of games.

use super::fault::Kind;
use super::stats::Outcome;
use super::transcript;
use crate::rules::{Color, Move, Position, Rules};
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
    /// The position that the moves start from, and the moves. Error if it is no legal opening.
    pub fn read(&self, rules: Rules) -> Result<(Position, Vec<Move>), String> {
        let start = match &self.board {
            Some(text) => transcript::position(text, rules).ok_or_else(|| format!("'{text}' is no board"))?,
            None => Position::start(rules),
        };
        Ok((start, transcript::parse(&self.moves)?))
    }
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
