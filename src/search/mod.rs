//! Finding the best move: limits in, reports out. Nothing here prints or reads a clock of its own.

mod endgame;
mod eval_cache;
mod limits;
mod line;
mod midgame;
mod ordering;
pub mod plain;
mod plan;
mod probcut;
mod report;
mod root;
mod score;
mod searcher;
mod split;
mod table;
mod variant;
mod worker;

pub use limits::{Limits, Stop};
pub use probcut::{ErrorModel, shallow_depth};
pub use report::{Grade, Line, Report, Selectivity};
pub use score::Score;
pub use searcher::{Goal, Request, Searcher};
