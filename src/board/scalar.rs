//! Kernels that run anywhere: the fallback where there is no AVX2, and the twins that the AVX2 kernels are tested against.

use super::Square;
use super::rays::RAYS;

/// The squares from b to g: no row to the side, or slanting, goes through the others.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;
const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// The empty squares on which `mover` outflanks at least one disc of `opponent`.
#[inline]
pub fn moves(mover: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    let reached = ends_of_rows::<1>(mover, inner)
        | ends_of_rows::<7>(mover, inner)
        | ends_of_rows::<8>(mover, opponent)
        | ends_of_rows::<9>(mover, inner);
    reached & !(mover | opponent)
}

/// The squares just behind the rows of `opponent` that start beside a disc of `mover`, both ways along one line.
/// Parallel prefix: rows of 1, 2, 4 and 6 discs, the longest that can be outflanked.
#[inline]
fn ends_of_rows<const STEP: u32>(mover: u64, opponent: u64) -> u64 {
    let mut up = opponent & mover << STEP;
    let mut down = opponent & mover >> STEP;
    up |= opponent & up << STEP;
    down |= opponent & down >> STEP;
    let pairs_up = opponent & opponent << STEP;
    let pairs_down = pairs_up >> STEP;
    for _ in 0..2 {
        up |= pairs_up & up << (2 * STEP);
        down |= pairs_down & down >> (2 * STEP);
    }
    up << STEP | down >> STEP
}

/// The discs of `opponent` outflanked when `mover` plays on the empty `square`.
#[inline]
pub fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let mut flips = 0;
    for ray in rays.up {
        // The lowest square of the ray that is not the opponent's, if it is the mover's.
        let stops = ray & !opponent;
        let end = stops & stops.wrapping_neg() & mover;
        flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in rays.down {
        // The highest square of the ray that is not the opponent's. With none, the shift wraps to h8 and 2 * h8 is 0.
        let end = (1_u64 << 63).wrapping_shr((ray & !opponent).leading_zeros()) & mover;
        flips |= (end << 1).wrapping_neg() & ray;
    }
    flips
}

/// All squares that touch a square of `set`.
#[inline]
pub const fn neighbours(set: u64) -> u64 {
    let beside = (set << 1) & NOT_A | (set >> 1) & NOT_H;
    let row = beside | set;
    beside | row << 8 | row >> 8
}
