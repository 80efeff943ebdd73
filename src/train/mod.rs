//! Self-play, game files, fitting of the evaluation.

pub mod fit;
pub mod games;
mod model;
pub mod probcut;
pub mod relabel;
pub mod samples;
pub mod selfplay;
