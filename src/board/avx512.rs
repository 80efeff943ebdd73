//! The kernels where AVX-512 has more than wider registers to offer: leading zeros and masks, for registers of 256 bits. What
//! takes three operands in one step the compiler finds by itself.

use std::arch::x86_64::*;

use super::Square;
pub use super::avx2::moves;
use super::avx2::union;
use super::rays::RAYS;

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
        let row = _mm256_andnot_si256(from_stop, _mm256_and_si256(up, theirs));
        let flips_up = _mm256_maskz_mov_epi64(outflanked, row);

        // Down: the highest square that is not the opponent's, if it is the mover's; all between it and the played square flip.
        let stops = _mm256_andnot_si256(theirs, down);
        let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
        let end = _mm256_and_si256(highest, own);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(end, end));
        union(_mm256_or_si256(flips_up, _mm256_and_si256(above, down)))
    }
}
