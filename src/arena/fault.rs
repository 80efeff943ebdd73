//! What a player can do wrong.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of misbehaviour that lose a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The move came, but after the flag had fallen.
    Time,
    /// No answer at all within the hard limit; the process was killed.
    Stall,
    /// The move is not legal, for either side.
    Illegal,
    /// The move is illegal for the side to move, but legal for the other one.
    WrongColor,
    /// The process died.
    Crash,
    /// The process ended, or closed its output, as if all were well.
    EarlyEnd,
    /// The answer is no move.
    Garbage,
    /// The engine answered that it can't or won't.
    Refused,
    /// Output without end and without an answer in it.
    Flood,
    /// The engine resigned.
    Resigned,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::Stall => "stall",
            Self::Illegal => "illegal move",
            Self::WrongColor => "wrong colour",
            Self::Crash => "crash",
            Self::EarlyEnd => "early end",
            Self::Garbage => "garbage",
            Self::Refused => "refused",
            Self::Flood => "flood",
            Self::Resigned => "resigned",
        })
    }
}

/// What a player did wrong, in words for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind.
    pub kind: Kind,
    /// What was seen.
    pub detail: String,
}

impl Fault {
    /// A fault.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It lost the game by this.
    Fault(Fault),
    /// It is not the player's doing: its program can't be started, or it can't do what the match asks for. The match ends.
    Setup(String),
    /// The match was broken off.
    Aborted,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Setup(why) => f.write_str(why),
            Self::Aborted => f.write_str("broken off"),
        }
    }
}

impl std::error::Error for Failure {}
