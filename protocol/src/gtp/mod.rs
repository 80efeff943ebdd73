//! GTP, the Go Text Protocol in its version 2, as it is spoken for Othello.
//!
//! A line from the controller is a [`Line`]: nothing, or a [`Request`] with an optional number and a [`Command`]. The engine
//! answers every request with a [`Reply`]. Squares are a1..h8 with a1 at the top left (not, as in Go, at the bottom).

mod command;
mod reply;
mod request;

pub use crate::line_error::LineError;
pub use command::{Command, TimeSettings};
pub use reply::{Failure, Reply};
pub use request::{Line, Request};

#[cfg(test)]
mod tests;
