//! Engine-against-engine matches: players, referee, schedule, journal, statistics, rating.

pub mod stats;
