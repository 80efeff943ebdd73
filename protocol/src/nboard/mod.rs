//! The NBoard protocol, versions 1 and 2, as it is really spoken: one command or reply a line.
//!
//! A [`Command`] goes from the board program to the engine, a [`Reply`] back. Both parse with `FromStr` and print with
//! `Display`, without line end. Version 2 added `set contempt`, `analyze` and `nodestats`; what version 1 wrote differently
//! (a move without the word `move`) is read and printed in the form of version 2.

mod command;
mod reply;
mod scan;

pub use command::Command;
pub use reply::{Candidate, Depth, Reply, Value};

/// Why a line is no command or reply. That a move is illegal, say, is known only to whoever has the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The first word (or the word after `set`) means nothing here. Both sides ignore such lines.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// The line ends too early.
    #[error("'{command}' lacks {expected}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What should follow, with its article: "a number".
        expected: &'static str,
    },
    /// An argument is not what it should be.
    #[error("'{command}', column {column}: {problem}")]
    Bad {
        /// The command.
        command: &'static str,
        /// Characters into the line, from 1.
        column: usize,
        /// What is wrong there; quotes are shortened.
        problem: String,
    },
}

#[cfg(test)]
mod tests;
