//! Engine-against-engine matches: players, referee, schedule, journal, statistics, rating.
//!
//! A match is a function of its [`config`] and seed; whatever happens goes into the [`journal`], one line a pair of games,
//! and every result is a function of the journal alone.

pub mod balanced;
pub mod comply;
pub mod config;
pub mod export;
pub mod fault;
pub mod journal;
pub mod opening;
pub mod pace;
pub mod player;
pub mod rating;
pub mod record;
pub mod referee;
pub mod report;
pub mod run;
mod seed;
pub mod span;
pub mod stats;
pub mod svg;
