//! What the results of games between two players say: tallies, Elo, the sequential test, disc differences, planning.
//!
//! Pure functions of counts; nothing here knows where the games came from. The unit is the *pair*: the same opening
//! played twice with colours swapped. Games of a pair are not independent of each other, pairs are, so every interval
//! here is computed from pairs where pairs are given.
//!
//! Method: M. Van den Bergh, "Comments on normalized Elo" and "Normalized Elo practical" (2020), and the generalised
//! sequential probability ratio test with maximum-likelihood multinomials from the same author's notes.

pub mod discs;
pub mod elo;
pub mod normal;
pub mod plan;
pub mod sample;
pub mod sequence;
pub mod sprt;
pub mod tally;

pub use discs::Discs;
pub use elo::{Interval, Strength};
pub use plan::Plan;
pub use sample::Sample;
pub use sequence::{Sequencer, Shard};
pub use sprt::{Decision, Model, Sprt, Trial};
pub use tally::{Outcome, Tally};
