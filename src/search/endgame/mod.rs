//! Searches to the end of the game. Scores are whole discs here.
//!
//! Near the end ([`near`], [`few`]) nothing but speed counts; above ([`far`]) moves are ordered by the evaluation, the shared
//! table is asked, and ProbCut may prune.

mod far;
mod few;
mod near;

pub use far::{nws, pvs};
pub use near::{NearTable, weighted_mobility};

use crate::board::Board;

/// A bound from discs that can never be flipped: if the opponent's alone keep the mover at or below `alpha`, that bound.
#[inline]
fn stability_cut(board: Board, alpha: i32, empties: u32) -> Option<i32> {
    let _ = (board, alpha, empties);
    None
}
