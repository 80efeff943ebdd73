//! The NBoard protocol, versions 1 and 2, as it is really spoken: one command or reply a line.
//!
//! A [`Command`] goes from the board program to the engine, a [`Reply`] back. Both parse with `FromStr` and print with
//! `Display`, without line end. Version 2 added `set contempt`, `analyze` and `nodestats`; what version 1 wrote differently
//! (a move without the word `move`) is read and printed in the form of version 2.

mod command;
mod reply;

pub use crate::line_error::LineError;
pub use command::Command;
pub use reply::{Candidate, Depth, Reply, Value};

#[cfg(test)]
mod tests;
