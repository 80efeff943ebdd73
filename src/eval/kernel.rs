//! The inner loops of the evaluation, each with a plain twin that gives the same numbers.

use super::features::MOST;
use super::weights::Kind;
use crate::board::{Square, Squares};

/// 16-bit lanes that are summed together: one 512-bit register or two of 256 bits.
pub(super) const LANES: usize = 32;

/// The states of one group of features, or what one rank adds to them; as aligned as the widest loads want.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [u16; LANES]);

/// What the discs of one side add to the states of a group of features: by rank and the rank's byte.
pub(super) type Sums = [[Lanes; 256]; 8];

/// Bytes of the rows for which there are loops with registers of 512 bits.
#[cfg(target_arch = "x86_64")]
pub(super) const WIDE_ROW: u32 = 16;

/// Where the rows of all features begin, in bytes.
#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
#[derive(Clone)]
pub(super) struct Offsets(pub(super) [u32; MOST]);

#[cfg(target_arch = "x86_64")]
impl Offsets {
    pub(super) const ZERO: Self = Self([0; MOST]);
}

/// Widest row of an embedding; shorter ones leave the rest of a head 0.
pub(super) const WIDEST: usize = 32;

/// Scale of the sum of an embedding's rows: this stands for 1.0.
pub(super) const ONE: i16 = Kind::Embedding.scale() as i16;

/// The states of a group of features: the discs of the mover once, those of the opponent twice.
#[cfg(target_feature = "avx2")]
#[inline]
pub(super) fn add_ranks(sums: &Sums, mine: [u8; 8], theirs: [u8; 8]) -> [u16; LANES] {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi16, _mm256_load_si256, _mm256_setzero_si256, _mm256_storeu_si256,
    };
    let mut states = [0; LANES];
    // SAFETY: AVX2 is there, for the code is only built with it; `Lanes` are two aligned registers, and so many numbers are
    // written back.
    unsafe {
        let [mut mine_low, mut mine_high, mut theirs_low, mut theirs_high] = [_mm256_setzero_si256(); 4];
        for ((sums, mine), theirs) in sums.iter().zip(mine).zip(theirs) {
            let mine: *const __m256i = (&raw const sums[usize::from(mine)]).cast();
            let theirs: *const __m256i = (&raw const sums[usize::from(theirs)]).cast();
            mine_low = _mm256_add_epi16(mine_low, _mm256_load_si256(mine));
            mine_high = _mm256_add_epi16(mine_high, _mm256_load_si256(mine.add(1)));
            theirs_low = _mm256_add_epi16(theirs_low, _mm256_load_si256(theirs));
            theirs_high = _mm256_add_epi16(theirs_high, _mm256_load_si256(theirs.add(1)));
        }
        let to: *mut __m256i = states.as_mut_ptr().cast();
        let twice = |x| _mm256_add_epi16(x, x);
        _mm256_storeu_si256(to, _mm256_add_epi16(mine_low, twice(theirs_low)));
        _mm256_storeu_si256(to.add(1), _mm256_add_epi16(mine_high, twice(theirs_high)));
    }
    states
}

#[cfg(not(target_feature = "avx2"))]
pub(super) use add_ranks_portably as add_ranks;

/// The same in plain steps.
#[cfg(any(test, not(target_feature = "avx2")))]
pub(super) fn add_ranks_portably(sums: &Sums, mine: [u8; 8], theirs: [u8; 8]) -> [u16; LANES] {
    std::array::from_fn(|lane| {
        let ranks = sums.iter().zip(mine.iter().zip(theirs));
        ranks
            .map(|(sums, (&mine, theirs))| {
                sums[usize::from(mine)].0[lane] + 2 * sums[usize::from(theirs)].0[lane]
            })
            .sum()
    })
}

/// Adds rows to a sum.
#[cfg(target_feature = "avx2")]
#[inline]
pub(super) fn add_rows<'a, const WIDTH: usize>(
    sum: &mut [i16; WIDTH],
    rows: impl Iterator<Item = &'a [i8; WIDTH]>,
) {
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_add_epi16, _mm_cvtepi8_epi16, _mm_loadl_epi64, _mm_loadu_si128,
        _mm_storeu_si128, _mm256_add_epi16, _mm256_cvtepi8_epi16, _mm256_loadu_si256, _mm256_storeu_si256,
    };
    // SAFETY: AVX2 is there, for the code is only built with it. A row is read 8 or 16 bytes at a time and a sum twice as
    // many; WIDTH is 8 or a multiple of 16 (see `Embedding::evaluate`), so no more is read or written than there is.
    unsafe {
        if WIDTH == 8 {
            let to: *mut __m128i = sum.as_mut_ptr().cast();
            let mut total = _mm_loadu_si128(to);
            for row in rows {
                total = _mm_add_epi16(total, _mm_cvtepi8_epi16(_mm_loadl_epi64(row.as_ptr().cast())));
            }
            _mm_storeu_si128(to, total);
        } else if WIDTH == 16 {
            let to: *mut __m256i = sum.as_mut_ptr().cast();
            let mut total = _mm256_loadu_si256(to);
            for row in rows {
                let row = _mm_loadu_si128(row.as_ptr().cast());
                total = _mm256_add_epi16(total, _mm256_cvtepi8_epi16(row));
            }
            _mm256_storeu_si256(to, total);
        } else {
            let to: *mut __m256i = sum.as_mut_ptr().cast();
            let (mut low, mut high) = (_mm256_loadu_si256(to), _mm256_loadu_si256(to.add(1)));
            for row in rows {
                let row: *const __m128i = row.as_ptr().cast();
                low = _mm256_add_epi16(low, _mm256_cvtepi8_epi16(_mm_loadu_si128(row)));
                high = _mm256_add_epi16(high, _mm256_cvtepi8_epi16(_mm_loadu_si128(row.add(1))));
            }
            _mm256_storeu_si256(to, low);
            _mm256_storeu_si256(to.add(1), high);
        }
    }
}

#[cfg(not(target_feature = "avx2"))]
pub(super) use add_rows_portably as add_rows;

/// The same in plain steps.
#[cfg(any(test, not(target_feature = "avx2")))]
pub(super) fn add_rows_portably<'a, const WIDTH: usize>(
    sum: &mut [i16; WIDTH],
    rows: impl Iterator<Item = &'a [i8; WIDTH]>,
) {
    for row in rows {
        for (sum, &number) in sum.iter_mut().zip(row) {
            *sum += i16::from(number);
        }
    }
}

/// Where the rows of all features begin: their states, and where the tables of their patterns begin.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn offsets_wide(states: &[u16; MOST], groups: usize, bases: &Offsets, offsets: &mut Offsets) {
    use std::arch::x86_64::{
        _mm256_loadu_si256, _mm512_add_epi32, _mm512_cvtepu16_epi32, _mm512_load_si512, _mm512_slli_epi32,
        _mm512_store_si512,
    };
    const AT_ONCE: usize = LANES / 2;
    let bases = bases.0.as_chunks::<AT_ONCE>().0;
    let states = states.as_chunks::<AT_ONCE>().0;
    let offsets = offsets.0.as_chunks_mut::<AT_ONCE>().0;
    for ((base, states), offsets) in bases.iter().zip(states).zip(offsets).take(2 * groups) {
        // SAFETY: 16 numbers are a register of 256 or 512 bits; `Offsets` are aligned to 512.
        unsafe {
            let states = _mm512_cvtepu16_epi32(_mm256_loadu_si256(states.as_ptr().cast()));
            let rows = _mm512_slli_epi32::<{ WIDE_ROW.ilog2() }>(states);
            let rows = _mm512_add_epi32(_mm512_load_si512(base.as_ptr().cast()), rows);
            _mm512_store_si512(offsets.as_mut_ptr().cast(), rows);
        }
    }
}

/// The states of a group of features after a move, from those before it. Both are seen by who waits before the move and moves
/// after it: discs that turn over were that side's and become the other's, the played square becomes the other's.
#[cfg(target_feature = "avx2")]
#[inline(always)]
pub(super) fn add_move(
    before: &[u16; LANES],
    squares: &[Lanes; 64],
    square: Square,
    flips: u64,
) -> [u16; LANES] {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi16, _mm256_load_si256, _mm256_loadu_si256, _mm256_storeu_si256,
    };
    let mut states = [0; LANES];
    // SAFETY: AVX2 is there, for the code is only built with it; `Lanes` are two aligned registers, and so many numbers are
    // read and written.
    unsafe {
        let powers = |square: Square| -> [__m256i; 2] {
            let at: *const __m256i = (&raw const squares[square.index()]).cast();
            [_mm256_load_si256(at), _mm256_load_si256(at.add(1))]
        };
        let from: *const __m256i = before.as_ptr().cast();
        let [low, high] = powers(square);
        let mut low = _mm256_add_epi16(_mm256_loadu_si256(from), _mm256_add_epi16(low, low));
        let mut high = _mm256_add_epi16(_mm256_loadu_si256(from.add(1)), _mm256_add_epi16(high, high));
        for square in Squares(flips) {
            let powers = powers(square);
            low = _mm256_add_epi16(low, powers[0]);
            high = _mm256_add_epi16(high, powers[1]);
        }
        let to: *mut __m256i = states.as_mut_ptr().cast();
        _mm256_storeu_si256(to, low);
        _mm256_storeu_si256(to.add(1), high);
    }
    states
}

#[cfg(not(target_feature = "avx2"))]
pub(super) use add_move_portably as add_move;

/// The same in plain steps.
#[cfg(any(test, not(target_feature = "avx2")))]
pub(super) fn add_move_portably(
    before: &[u16; LANES],
    squares: &[Lanes; 64],
    square: Square,
    flips: u64,
) -> [u16; LANES] {
    std::array::from_fn(|lane| {
        let power = |square: Square| squares[square.index()].0[lane];
        before[lane] + 2 * power(square) + Squares(flips).map(power).sum::<u16>()
    })
}

/// Adds rows of [`WIDE_ROW`] to a sum, two in a register of 512 bits.
///
/// # Safety
/// Each of `offsets` must be where a row of the table at `rows` begins.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn add_rows_wide(sum: &mut [i16; 16], rows: *const i8, offsets: &[u32]) {
    use std::arch::x86_64::{
        __m128i, _mm_loadu_si128, _mm256_add_epi16, _mm256_castsi128_si256, _mm256_cvtepi8_epi16,
        _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_add_epi16,
        _mm512_castsi512_si256, _mm512_cvtepi8_epi16, _mm512_extracti64x4_epi64, _mm512_setzero_si512,
    };
    // SAFETY: the caller promises rows of 16 bytes; a sum is one register of 256 bits.
    unsafe {
        let row = |at: u32| -> __m128i { _mm_loadu_si128(rows.add(at as usize).cast()) };
        let mut totals = _mm512_setzero_si512();
        let (pairs, last) = offsets.as_chunks::<2>();
        for &[first, second] in pairs {
            let both = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(first)), row(second));
            totals = _mm512_add_epi16(totals, _mm512_cvtepi8_epi16(both));
        }
        let mut total = _mm256_loadu_si256(sum.as_ptr().cast());
        total = _mm256_add_epi16(total, _mm512_castsi512_si256(totals));
        total = _mm256_add_epi16(total, _mm512_extracti64x4_epi64::<1>(totals));
        if let &[last] = last {
            total = _mm256_add_epi16(total, _mm256_cvtepi8_epi16(row(last)));
        }
        _mm256_storeu_si256(sum.as_mut_ptr().cast(), total);
    }
}

/// Σ squared·(clamp(x, 0, 255)² / 2) + linear·clamp(x, ±[`super::LINEAR_LIMIT`]) over a sum of rows.
#[cfg(target_feature = "avx2")]
#[inline]
pub(super) fn read_out<const WIDTH: usize>(
    sum: &[i16; WIDTH],
    squared: &[i16; WIDEST],
    linear: &[i16; WIDEST],
) -> i32 {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_madd_epi16, _mm_max_epi16, _mm_min_epi16,
        _mm_mullo_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi32, _mm_srli_epi16,
    };
    // SAFETY: SSE2 is part of AVX2, with which alone the code is built; 8 numbers are read at a time, and WIDTH is a multiple
    // of 8 that is at most WIDEST.
    unsafe {
        let [zero, one] = [_mm_setzero_si128(), _mm_set1_epi16(ONE - 1)];
        let [low, high] = [-super::LINEAR_LIMIT, super::LINEAR_LIMIT].map(|limit| _mm_set1_epi16(limit));
        let mut total = zero;
        for block in 0..WIDTH / 8 {
            let load = |numbers: *const i16| _mm_loadu_si128(numbers.add(block * 8).cast());
            let x = load(sum.as_ptr());
            let clamped = _mm_min_epi16(_mm_max_epi16(x, zero), one);
            let square = _mm_srli_epi16::<1>(_mm_mullo_epi16(clamped, clamped));
            let along = _mm_min_epi16(_mm_max_epi16(x, low), high);
            total = _mm_add_epi32(total, _mm_madd_epi16(square, load(squared.as_ptr())));
            total = _mm_add_epi32(total, _mm_madd_epi16(along, load(linear.as_ptr())));
        }
        total = _mm_add_epi32(total, _mm_shuffle_epi32::<0b01_00_11_10>(total));
        total = _mm_add_epi32(total, _mm_shuffle_epi32::<0b10_11_00_01>(total));
        _mm_cvtsi128_si32(total)
    }
}

#[cfg(not(target_feature = "avx2"))]
pub(super) use read_out_portably as read_out;

/// The same in plain steps.
#[cfg(any(test, not(target_feature = "avx2")))]
pub(super) fn read_out_portably<const WIDTH: usize>(
    sum: &[i16; WIDTH],
    squared: &[i16; WIDEST],
    linear: &[i16; WIDEST],
) -> i32 {
    let mut total = 0;
    for (&x, (&squared, &linear)) in sum.iter().zip(squared.iter().zip(linear)) {
        let clamped = i32::from(x.clamp(0, ONE - 1));
        let along = i32::from(x.clamp(-super::LINEAR_LIMIT, super::LINEAR_LIMIT));
        total += ((clamped * clamped) >> 1) * i32::from(squared) + along * i32::from(linear);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_add_up_alike_with_and_without_vectors(rows: [[[i8; 16]; 2]; 9]) {
            let (mut fast, mut plain) = ([5; 16], [5; 16]);
            add_rows(&mut fast, rows.as_flattened().iter());
            add_rows_portably(&mut plain, rows.as_flattened().iter());
            prop_assert_eq!(fast, plain);
            let wide = rows.each_ref().map(|pair| pair.as_flattened().try_into().unwrap());
            let (mut fast, mut plain) = ([-7; 32], [-7; 32]);
            add_rows::<32>(&mut fast, wide.iter());
            add_rows_portably::<32>(&mut plain, wide.iter());
            prop_assert_eq!(fast, plain);
            let short: Vec<[i8; 8]> = wide.iter().map(|row| row[3..11].try_into().unwrap()).collect();
            let (mut fast, mut plain) = ([1; 8], [1; 8]);
            add_rows(&mut fast, short.iter());
            add_rows_portably(&mut plain, short.iter());
            prop_assert_eq!(fast, plain);
        }

        #[test]
        fn moves_add_up_alike_with_and_without_vectors(
            before in proptest::array::uniform32(0u16..30000),
            powers in proptest::collection::vec(proptest::array::uniform32(0u16..400), 64),
            square in 0u8..64,
            flips: u64,
        ) {
            let squares: [Lanes; 64] = std::array::from_fn(|square| Lanes(powers[square]));
            let square = Square::new(square);
            // As many as can turn over at once.
            let flips = Squares(flips).take(18).fold(0, |set, square| set | square.bit());
            prop_assert_eq!(
                add_move(&before, &squares, square, flips),
                add_move_portably(&before, &squares, square, flips)
            );
        }

        #[test]
        fn read_outs_are_alike_with_and_without_vectors(
            sum in proptest::array::uniform32(-3000i16..3000),
            squared in proptest::array::uniform32(-1000i16..1000),
            linear: [i16; 32],
        ) {
            let linear = linear.map(|number| number / 2);
            prop_assert_eq!(read_out(&sum, &squared, &linear), read_out_portably(&sum, &squared, &linear));
            let short: [i16; 8] = sum[..8].try_into().unwrap();
            prop_assert_eq!(read_out(&short, &squared, &linear), read_out_portably(&short, &squared, &linear));
        }
    }
}
