//! From the engine to the board program.

use std::fmt;
use std::str::FromStr;

use super::LineError;
use crate::played::{Played, number};
use crate::scan::{Scan, short};
use crate::vocab::{Move, WordError};

/// One line from an engine. Evaluations are expected final disc differences for the side to move in the position asked about
/// (for [`Reply::Analysis`]: the side to move at that point of the game).
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `set myname NAME`: what the engine is called, one word.
    MyName(String),
    /// `status TEXT`: for the status line; empty clears it.
    Status(String),
    /// `pong N`: whatever follows is about the state in which `ping N` was sent.
    Pong(i64),
    /// `=== M[/E[/T]]`: the chosen move, its evaluation, the seconds it took.
    Move(Played<Move>),
    /// `search PV EVAL 0 DEPTH [TEXT]`: what the search thinks of a move.
    Search(Candidate),
    /// `book PV EVAL GAMES DEPTH [TEXT]`: what the book says of a move.
    Book {
        /// The move and its evaluation.
        candidate: Candidate,
        /// How many games of the book the evaluation rests on.
        games: i32,
    },
    /// `nodestats NODES SECONDS`: how much was searched since the request, and how long it took.
    NodeStats {
        /// Positions visited.
        nodes: u64,
        /// Seconds, at least 0.
        seconds: f64,
    },
    /// `analysis N EVAL`: the value of the position after N moves (passes count).
    Analysis {
        /// Moves played before the position.
        ply: u32,
        /// Discs, for the side to move there.
        eval: f64,
    },
    /// `learned` (some engines say `learn`): the game was remembered.
    Learned,
}

/// An evaluated move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move and what is expected after it, never empty.
    pub pv: Vec<Move>,
    /// Its value.
    pub value: Value,
    /// How it was found.
    pub depth: Depth,
    /// Free text, mostly empty.
    pub text: String,
}

/// An evaluation in discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// One number.
    Single(f64),
    /// `a,b`: if draws count as wins and as losses of the side to move; `a >= b`.
    Pair(f64, f64),
}

/// The depth of a search as text that begins with a number and has no blanks: `12`, `100%` (exact), `100%W` (win, loss or
/// draw only), `18@73%`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth(String);

/// What is wrong with the value of a `search` line.
const VALUE: &str = "an evaluation";

impl FromStr for Depth {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let good =
            text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_graphic());
        if good && text.len() <= 40 {
            Ok(Self(text.to_owned()))
        } else {
            Err(WordError::new(text, "a depth such as 12 or 100%"))
        }
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Value {
    /// What the pair says of a game without contempt: 0 if it straddles 0, else the value nearer to 0.
    pub fn neutral(self) -> f64 {
        match self {
            Self::Single(value) => value,
            Self::Pair(high, low) => 0f64.clamp(low, high),
        }
    }
}

impl FromStr for Value {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let wrong = || WordError::new(text, VALUE);
        match text.split_once(',') {
            None => number(text).map(Self::Single).ok_or_else(wrong),
            Some((high, low)) => match (number(high), number(low)) {
                (Some(high), Some(low)) if high >= low => Ok(Self::Pair(high, low)),
                _ => Err(WordError::new(
                    text,
                    "a pair of evaluations, the higher one first",
                )),
            },
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(value) => write!(f, "{value}"),
            Self::Pair(high, low) => write!(f, "{high},{low}"),
        }
    }
}

/// A line of play without blanks: two characters a move, dashes between them or not. At most 128 moves.
fn variation(text: &str) -> Option<Vec<Move>> {
    let squares: String = text.chars().filter(|&c| c != '-').collect();
    if !squares.is_ascii() || squares.len() % 2 == 1 || !(2..=256).contains(&squares.len()) {
        return None;
    }
    (0..squares.len())
        .step_by(2)
        .map(|at| squares.get(at..at + 2)?.parse().ok())
        .collect()
}

/// The arguments of `search` and `book`, with the number in the middle.
fn candidate(scan: &mut Scan) -> Result<(Candidate, i32), LineError> {
    let pv = scan.argument_with("a line of play such as F5-D6", variation)?;
    let value = scan.argument(VALUE)?;
    let games = scan.argument("a whole number")?;
    let depth = scan.argument("a depth such as 12 or 100%")?;
    let text = scan.text().to_owned();
    Ok((
        Candidate {
            pv,
            value,
            depth,
            text,
        },
        games,
    ))
}

impl FromStr for Reply {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let mut scan = Scan::new(line);
        match scan.word() {
            "set" => match scan.command("set").word() {
                // What follows the one word is dropped, as NBoard does.
                "myname" => scan.command("set myname").argument("a name").map(Self::MyName),
                "" => Err(LineError::Missing {
                    command: "set",
                    expected: "myname",
                }),
                word => Err(LineError::Unknown(format!("set {}", short(word)))),
            },
            "status" => Ok(Self::Status(scan.text().to_owned())),
            "pong" => scan.command("pong").argument("a whole number").map(Self::Pong),
            "===" => scan.command("===").played().map(Self::Move),
            "search" => candidate(scan.command("search")).map(|(candidate, _)| Self::Search(candidate)),
            "book" => {
                candidate(scan.command("book")).map(|(candidate, games)| Self::Book { candidate, games })
            }
            "nodestats" => {
                let nodes = scan.command("nodestats").argument("a number of nodes")?;
                let seconds = scan.argument_with("a number of seconds", |word| {
                    number(word).filter(|&seconds| seconds >= 0.0)
                })?;
                Ok(Self::NodeStats { nodes, seconds })
            }
            "analysis" => {
                let ply = scan.command("analysis").argument("a number of moves")?;
                let eval = scan.argument_with(VALUE, number)?;
                Ok(Self::Analysis { ply, eval })
            }
            "learned" | "learn" => Ok(Self::Learned),
            word => Err(LineError::Unknown(short(word))),
        }
    }
}

/// Text that can stand on one line: NBoard's reader dies of characters beyond U+00FF, so only ASCII is printed.
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.0
            .chars()
            .try_for_each(|c| f.write_char(if (' '..='~').contains(&c) { c } else { '?' }))
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mv) in self.pv.iter().enumerate() {
            let dash = if index == 0 { "" } else { "-" };
            write!(f, "{dash}{mv:#}")?;
        }
        Ok(())
    }
}

/// ASCII only, in every part.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, word: &str, candidate: &Candidate, games: i32| {
            write!(
                f,
                "{word} {candidate} {} {games} {}",
                candidate.value, candidate.depth
            )?;
            if candidate.text.is_empty() {
                Ok(())
            } else {
                write!(f, " {}", Plain(&candidate.text))
            }
        };
        match self {
            Self::MyName(name) => write!(f, "set myname {}", Plain(name)),
            Self::Status(text) if text.is_empty() => f.write_str("status"),
            Self::Status(text) => write!(f, "status {}", Plain(text)),
            Self::Pong(number) => write!(f, "pong {number}"),
            Self::Move(played) => write!(f, "=== {played:#}"),
            Self::Search(candidate) => line(f, "search", candidate, 0),
            Self::Book { candidate, games } => line(f, "book", candidate, *games),
            Self::NodeStats { nodes, seconds } => write!(f, "nodestats {nodes} {seconds}"),
            Self::Analysis { ply, eval } => write!(f, "analysis {ply} {eval}"),
            Self::Learned => f.write_str("learned"),
        }
    }
}
