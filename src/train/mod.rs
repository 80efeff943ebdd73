//! Self-play, game files, fitting of the evaluation.

pub mod games;
pub mod selfplay;
mod stopgap;
