//! Self-play, game files, fitting of the evaluation.

pub mod calibrate;
pub mod fit;
pub mod games;
mod least_squares;
mod model;
mod positions;
pub mod probcut;
pub mod relabel;
pub mod samples;
pub mod selfplay;
