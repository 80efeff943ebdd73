//! Searches to the end of the game. Scores are whole discs here.
//!
//! Near the end ([`near`], [`few`]) nothing but speed counts; above ([`far`]) moves are ordered by the evaluation, the shared
//! table is asked, and ProbCut may prune.

mod far;
mod fastest;
mod few;
mod levels;
mod near;

pub use far::{nws, pvs};
pub use fastest::{FastestFirst, weighted_mobility};
pub use near::NearTable;

use crate::board::Board;

/// From this `alpha` (discs) on, by empty squares, the opponent may have enough stable discs for [`stability_cut`]: with fewer
/// empty squares more discs are stable.
const STABILITY_ALPHA: [i32; 61] = {
    let mut table = [99; 61];
    let mut empties = 5;
    while empties < 61 {
        let threshold = 2 * empties as i32;
        table[empties] = if threshold < 12 { 12 } else { threshold };
        empties += 1;
    }
    table
};

/// A bound from discs that can never be flipped: if the opponent's alone keep the mover at or below `alpha`, that bound.
#[inline]
fn stability_cut(board: Board, alpha: i32, empties: u32) -> Option<i32> {
    if alpha < STABILITY_ALPHA[empties as usize] {
        return None;
    }
    let bound = 64 - 2 * board.stable_of_opponent().count_ones() as i32;
    (bound <= alpha).then_some(bound)
}
