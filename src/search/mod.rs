//! Finding the best move: limits in, reports out. Nothing here prints or reads a clock of its own.

mod limits;
mod report;
mod score;

pub use limits::{Limits, Stop};
pub use report::{Grade, Line, Report, Selectivity};
pub use score::Score;
