//! From the board program to the engine.

use std::fmt;
use std::str::FromStr;

use super::LineError;
use crate::ggf::{self, GgfError};
use crate::played::Played;
use crate::scan::{Scan, short};
use crate::vocab::{Move, Square};

/// One line from the board program.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `nboard V`: the greeting, with the version that the board program speaks.
    Nboard(u32),
    /// `set game GGF`: replaces everything; the position is the one after the last move of the record.
    SetGame(Box<ggf::Game>),
    /// `set depth D`: plies of the midgame search, at least 1.
    SetDepth(u32),
    /// `set contempt C`: what a draw in the book is worth to Black. Only the sign matters in practice.
    SetContempt(i32),
    /// `set rules NAME`, an extension of ours: the rule set for this and the following games.
    SetRules(String),
    /// `set movetime MS`, an extension of ours: milliseconds for every `go` from now on, whatever the clock says; 0 ends it.
    SetMovetime(u32),
    /// `set nodes N`, an extension of ours: nodes for every `go` from now on; 0 ends it.
    SetNodes(u64),
    /// `move M[/E[/T]]`, in version 1 just `M[/E[/T]]`: a move was played.
    Move(Played<Move>),
    /// `hint K`: evaluate the best K moves, at least 1.
    Hint(u32),
    /// `go`: choose a move, but do not play it.
    Go,
    /// `ping N`: stop whatever runs, then answer `pong N`.
    Ping(i64),
    /// `learn`: remember the game.
    Learn,
    /// `analyze`: evaluate every position of the game.
    Analyze,
    /// `quit`: end the program.
    Quit,
}

/// What `hint` and `set depth` ask for.
const AT_LEAST_ONE: &str = "a number of at least 1";

fn positive(word: &str) -> Option<u32> {
    word.parse().ok().filter(|&n| n >= 1)
}

/// True for the moves that version 1 sends without the word `move`, whatever follows their slash.
fn is_bare_move(word: &str) -> bool {
    let name = word.split('/').next().unwrap_or_default();
    name.parse::<Square>().is_ok() || ["pa", "pass"].iter().any(|pass| pass.eq_ignore_ascii_case(name))
}

impl FromStr for Command {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        let mut scan = Scan::new(line);
        match scan.word() {
            "nboard" => {
                let version = scan
                    .command("nboard")
                    .argument("a version number")
                    .map(Self::Nboard)?;
                scan.end(version)
            }
            "set" => set(scan),
            "move" => scan.command("move").played().map(Self::Move),
            "hint" => {
                let count = scan
                    .command("hint")
                    .argument_with(AT_LEAST_ONE, positive)
                    .map(Self::Hint)?;
                scan.end(count)
            }
            "go" => scan.command("go").end(Self::Go),
            "ping" => {
                let number = scan.command("ping").argument("a whole number").map(Self::Ping)?;
                scan.end(number)
            }
            "learn" => scan.command("learn").end(Self::Learn),
            "analyze" => scan.command("analyze").end(Self::Analyze),
            "quit" => scan.command("quit").end(Self::Quit),
            word if is_bare_move(word) => Scan::new(line).command("move").played().map(Self::Move),
            word => Err(LineError::Unknown(short(word))),
        }
    }
}

/// What follows `set`.
fn set(mut scan: Scan) -> Result<Command, LineError> {
    match scan.command("set").word() {
        "game" => {
            let text = scan.command("set game").rest("a game (;...;)")?;
            text.parse()
                .map(Box::new)
                .map(Command::SetGame)
                .map_err(|error: GgfError| {
                    // The game stands on one line, so that its columns continue those of the command.
                    scan.bad_at(scan.column(text) + error.column - 1, error.fault)
                })
        }
        "depth" => {
            let depth = scan.command("set depth").argument_with(AT_LEAST_ONE, positive)?;
            scan.end(Command::SetDepth(depth))
        }
        "contempt" => {
            let contempt = scan.command("set contempt").argument("a whole number")?;
            scan.end(Command::SetContempt(contempt))
        }
        "rules" => {
            let name = scan.command("set rules").rest("a rule set")?;
            Ok(Command::SetRules(name.to_owned()))
        }
        "movetime" => {
            let millis = scan
                .command("set movetime")
                .argument("a number of milliseconds")?;
            scan.end(Command::SetMovetime(millis))
        }
        "nodes" => {
            let nodes = scan.command("set nodes").argument("a number of nodes")?;
            scan.end(Command::SetNodes(nodes))
        }
        "" => Err(LineError::Missing {
            command: "set",
            expected: "game, depth, contempt, rules, movetime or nodes",
        }),
        word => Err(LineError::Unknown(format!("set {}", short(word)))),
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nboard(version) => write!(f, "nboard {version}"),
            Self::SetGame(game) => write!(f, "set game {game}"),
            Self::SetDepth(depth) => write!(f, "set depth {depth}"),
            Self::SetContempt(contempt) => write!(f, "set contempt {contempt}"),
            Self::SetRules(name) => write!(f, "set rules {name}"),
            Self::SetMovetime(millis) => write!(f, "set movetime {millis}"),
            Self::SetNodes(nodes) => write!(f, "set nodes {nodes}"),
            Self::Move(played) => write!(f, "move {played:#}"),
            Self::Hint(count) => write!(f, "hint {count}"),
            Self::Go => f.write_str("go"),
            Self::Ping(number) => write!(f, "ping {number}"),
            Self::Learn => f.write_str("learn"),
            Self::Analyze => f.write_str("analyze"),
            Self::Quit => f.write_str("quit"),
        }
    }
}
