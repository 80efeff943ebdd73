//! Text protocols of the Othello world as typed values, and back.
//!
//! Every format is a pair: a parser (nom) from text to a value, and a printer (`Display`) from the value to text. The crate
//! knows no engine, does no I/O, and never panics, whatever the bytes are.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod cells;
pub mod clock;
pub mod ggf;
pub mod ggs;
pub mod gtp;
pub mod line_error;
pub mod match_type;
pub mod nboard;
pub mod obf;
mod place;
pub mod played;
pub mod position;
mod scan;
pub mod sgf;
pub mod transcript;
pub mod vocab;
pub mod wthor;

pub use match_type::MatchType;
pub use vocab::{Color, Move, Square};
