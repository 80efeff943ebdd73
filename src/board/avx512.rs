//! The kernels for processors with AVX-512, which has more than wider registers to offer: leading zeros and masks, for registers of
//! 256 bits. What takes three operands in one step the compiler finds by itself.

use std::arch::x86_64::*;

use super::avx2::{self, union};
use super::rays::RAYS;
use super::{Board, Kernel, Square};

/// The kernels of AVX-512. They belong into functions that are compiled for the same processors, with
/// `#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx512bw,avx512dq")]`, or each step of them is a call.
#[derive(Clone, Copy, Debug)]
pub struct Wide(());

impl Wide {
    /// The kernels, if the processor has what they need.
    pub fn detect() -> Option<Self> {
        let there = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        there.then_some(Self(()))
    }
}

impl Kernel for Wide {
    #[inline(always)]
    fn moves(self, board: Board) -> u64 {
        avx2::moves(board.mover, board.opponent)
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> u64 {
        // SAFETY: a value of this type is made only where the processor has AVX-512.
        unsafe { flips(board.mover, board.opponent, square) }
    }
}

/// As [`super::scalar::flips`].
///
/// # Safety
/// The processor must have AVX-512 (F, VL and CD).
#[inline(always)]
unsafe fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: the caller promises AVX-512; both arrays are 4 x 64 bits, and `Rays` is aligned to 64 bytes with `down` 32 bytes after `up`.
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
