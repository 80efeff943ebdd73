//! The three rule sets, and a game with its history.
//!
//! A [`Position`] is `Copy` and knows everything that decides what is legal next, so a search can play on it. A [`Game`]
//! adds the history: it checks every move, says why one is refused, and takes moves back.

mod color;
mod game;
mod moves;
mod perft;
mod position;
mod ruleset;
mod tally;

pub use color::Color;
pub use game::{Game, IllegalMove, Reason};
pub use moves::{Move, Moves};
pub use perft::{divide, perft};
pub use position::Position;
pub use ruleset::{Rules, RulesError};
pub use tally::{Counting, Tally};
