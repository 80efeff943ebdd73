//! Self-play, game files, fitting of the evaluation.

pub mod games;
pub mod probcut;
pub mod selfplay;
mod stopgap;
