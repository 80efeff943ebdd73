//! Outflank, a headless Othello/Reversi engine.
//!
//! The rooms, each of which may use only those before it:
//! [`board`] (bitboards), [`rules`] (the three rule sets), [`eval`] (score of a position), [`clock`] (time allocation),
//! [`search`], [`engine`] (the facade), [`session`] (protocols), [`arena`] (matches), [`train`] (self-play, fitting) and
//! [`cli`] (one file a subcommand).

pub mod arena;
pub mod board;
#[deny(clippy::print_stdout)]
pub mod cli;
pub mod clock;
mod date;
pub mod engine;
pub mod eval;
mod files;
pub mod memory;
pub mod rules;
pub mod search;
pub mod session;
pub mod train;
