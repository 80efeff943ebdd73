//! The AVX2 kernels with what AVX-512 adds for registers of the same size: three operands in one step, leading zeros, masks.

use std::arch::x86_64::*;

use super::Square;
use super::avx2::{shift, union};
use super::rays::RAYS;

/// `a | b & c` as a truth table.
const OR_AND: i32 = 0xF8;
/// `!a & b & c`.
const NOT_AND_AND: i32 = 0x08;

/// As [`super::scalar::moves`].
#[inline]
pub fn moves(mover: u64, opponent: u64) -> u64 {
    const INNER: i64 = 0x7E7E_7E7E_7E7E_7E7E;
    // SAFETY: this file is compiled only if AVX-512 is there for the whole program.
    let reached = unsafe {
        let (step, pair) = (shift(1), shift(2));
        let own = _mm256_set1_epi64x(mover as i64);
        let theirs = _mm256_and_si256(
            _mm256_set1_epi64x(opponent as i64),
            _mm256_setr_epi64x(INNER, -1, INNER, INNER),
        );
        let mut up = _mm256_and_si256(theirs, _mm256_sllv_epi64(own, step));
        let mut down = _mm256_and_si256(theirs, _mm256_srlv_epi64(own, step));
        up = _mm256_ternarylogic_epi64::<OR_AND>(up, theirs, _mm256_sllv_epi64(up, step));
        down = _mm256_ternarylogic_epi64::<OR_AND>(down, theirs, _mm256_srlv_epi64(down, step));
        let pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, step));
        let pairs_down = _mm256_srlv_epi64(pairs_up, step);
        for _ in 0..2 {
            up = _mm256_ternarylogic_epi64::<OR_AND>(up, pairs_up, _mm256_sllv_epi64(up, pair));
            down = _mm256_ternarylogic_epi64::<OR_AND>(down, pairs_down, _mm256_srlv_epi64(down, pair));
        }
        union(_mm256_or_si256(
            _mm256_sllv_epi64(up, step),
            _mm256_srlv_epi64(down, step),
        ))
    };
    reached & !(mover | opponent)
}

/// As [`super::scalar::flips`].
#[inline]
pub fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: this file is compiled only if AVX-512 is there for the whole program; both arrays are 4 x 64 bits, and `Rays` is
    // aligned to 64 bytes with `down` 32 bytes after `up`.
    unsafe {
        let up = _mm256_load_si256(rays.up.as_ptr().cast());
        let down = _mm256_load_si256(rays.down.as_ptr().cast());
        let own = _mm256_set1_epi64x(mover as i64);
        let theirs = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        // Up, as with AVX2.
        let stops = _mm256_andnot_si256(theirs, up);
        let from_stop = _mm256_sub_epi64(zero, stops);
        let outflanked = _mm256_test_epi64_mask(from_stop, _mm256_and_si256(up, own));
        let flips_up = _mm256_maskz_mov_epi64(
            outflanked,
            _mm256_ternarylogic_epi64::<NOT_AND_AND>(from_stop, up, theirs),
        );

        // Down: the highest square that is not the opponent's, if it is the mover's; all between it and the played square flip.
        let stops = _mm256_andnot_si256(theirs, down);
        let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
        let end = _mm256_and_si256(highest, own);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(end, end));
        union(_mm256_ternarylogic_epi64::<OR_AND>(flips_up, above, down))
    }
}
