//! The AVX2 kernels: four directions in one register, each lane with its own shift.

use std::arch::x86_64::*;

use super::Square;
use super::rays::RAYS;

/// The steps of the four lines: along the row, the file and the two diagonals, in the order of [`RAYS`].
const STEPS: [i64; 4] = [1, 8, 7, 9];

/// `factor` times [`STEPS`].
#[inline(always)]
fn shift(factor: i64) -> __m256i {
    // SAFETY: this file is compiled only if AVX2 is there for the whole program.
    unsafe {
        _mm256_setr_epi64x(
            factor * STEPS[0],
            factor * STEPS[1],
            factor * STEPS[2],
            factor * STEPS[3],
        )
    }
}

/// Union of the four lanes.
#[inline(always)]
pub(super) fn union(lanes: __m256i) -> u64 {
    // SAFETY: this file is compiled only if AVX2 is there for the whole program.
    unsafe {
        let two = _mm_or_si128(
            _mm256_castsi256_si128(lanes),
            _mm256_extracti128_si256::<1>(lanes),
        );
        _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
    }
}

/// As [`super::scalar::moves`].
#[inline(always)]
pub fn moves(mover: u64, opponent: u64) -> u64 {
    const INNER: i64 = 0x7E7E_7E7E_7E7E_7E7E;
    // SAFETY: this file is compiled only if AVX2 is there for the whole program.
    let reached = unsafe {
        let (step, pair) = (shift(1), shift(2));
        let own = _mm256_set1_epi64x(mover as i64);
        let theirs = _mm256_and_si256(
            _mm256_set1_epi64x(opponent as i64),
            _mm256_setr_epi64x(INNER, -1, INNER, INNER),
        );
        // Parallel prefix as in the scalar twin.
        let mut up = _mm256_and_si256(theirs, _mm256_sllv_epi64(own, step));
        let mut down = _mm256_and_si256(theirs, _mm256_srlv_epi64(own, step));
        up = _mm256_or_si256(up, _mm256_and_si256(theirs, _mm256_sllv_epi64(up, step)));
        down = _mm256_or_si256(down, _mm256_and_si256(theirs, _mm256_srlv_epi64(down, step)));
        let pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, step));
        let pairs_down = _mm256_srlv_epi64(pairs_up, step);
        for _ in 0..2 {
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, pair)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, pair)));
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
    // SAFETY: this file is compiled only if AVX2 is there for the whole program; both arrays are 4 x 64 bits, and `Rays` is
    // aligned to 64 bytes with `down` 32 bytes after `up`.
    unsafe {
        let up = _mm256_load_si256(rays.up.as_ptr().cast());
        let down = _mm256_load_si256(rays.down.as_ptr().cast());
        let own = _mm256_set1_epi64x(mover as i64);
        let theirs = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        // Up: `stops` are the squares that are not the opponent's, -stops keeps the lowest of them and clears what is below. The
        // opponent's discs below flip where that lowest square is the mover's.
        let stops = _mm256_andnot_si256(theirs, up);
        let from_stop = _mm256_sub_epi64(zero, stops);
        let end = _mm256_and_si256(from_stop, _mm256_and_si256(up, own));
        let row = _mm256_andnot_si256(from_stop, _mm256_and_si256(up, theirs));
        let flips_up = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), row);

        // Down: smear the squares that are not the opponent's away from the played square; what stays free of it is the row.
        // It flips where the square behind it is the mover's.
        let mut rest = _mm256_andnot_si256(theirs, down);
        rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, shift(1)));
        rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, shift(2)));
        rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, shift(4)));
        let row = _mm256_andnot_si256(rest, down);
        let end = _mm256_and_si256(_mm256_srlv_epi64(row, shift(1)), _mm256_and_si256(own, down));
        let flips_down = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), row);

        union(_mm256_or_si256(flips_up, flips_down))
    }
}
