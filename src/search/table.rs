//! The transposition table: shared by all threads without locks.
//!
//! Layout: buckets of 128 bytes (two cache lines, fetched together), each with five entries of three words and one unused
//! word. An entry holds the whole board, so two positions are never mistaken for each other: word 0 is `mover ^ data`, word 1
//! is `opponent ^ scramble(mover) ^ data`, word 2 is `data`. A reader that meets words of two writers finds that they fit no
//! board and sees no entry (R. Hyatt and T. Mann, "A lock-less transposition table implementation for parallel search", 2002).
//!
//! `data`, from the lowest bit: lower bound (16), upper bound (16), depth (8), selectivity (3), generation (5), best move (8),
//! second best move (8). Bounds are centidiscs.

use super::Selectivity;
use crate::board::{Board, Square};
use crate::memory::prefer_large_pages;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The highest bound, in centidiscs.
pub const INFINITE: i32 = 6400;
const WAYS: usize = 5;
const NO_SQUARE: u8 = 64;
const GENERATIONS: u8 = 32;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// Plies of the search behind the bounds; as many as empties for a search to the end.
    pub depth: u8,
    /// Selectivity of that search.
    pub selectivity: Selectivity,
    /// Best and second best move.
    pub moves: [Option<Square>; 2],
}

impl Entry {
    /// True if the bounds are as good as those of a search with these parameters.
    #[inline]
    pub fn satisfies(&self, depth: u8, selectivity: Selectivity) -> bool {
        self.depth >= depth && self.selectivity >= selectivity
    }
}

/// The result of a search of one position, to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Plies; as many as empties for a search to the end.
    pub depth: u8,
    /// Selectivity that the result depends on.
    pub selectivity: Selectivity,
    /// Lower end of the window.
    pub alpha: i32,
    /// Upper end of the window.
    pub beta: i32,
    /// The (fail-soft) result.
    pub score: i32,
    /// The best move, if one stood out.
    pub best: Option<Square>,
}

const WORDS: usize = 16;

#[repr(align(128))]
struct Bucket([AtomicU64; WORDS]);

const _: () = assert!(size_of::<Bucket>() == 128);

/// The table.
pub struct Table {
    /// The memory: the buckets, and room to begin them on a boundary. The allocator has zeroed pages only for what is aligned
    /// like a word; for aligned buckets it would write every page at the start, seconds for a big table.
    words: Box<[AtomicU64]>,
    /// The word with which the first bucket begins.
    first: usize,
    /// How many buckets there are.
    count: usize,
    generation: AtomicU8,
    /// Something was put since it was made or cleared.
    used: AtomicBool,
}

/// A number that a position always has and others hardly ever; its highest bits are the best.
#[inline]
pub fn hash(board: Board) -> u64 {
    let h = board.mover.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ board.opponent.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(31);
    (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// The board as stored. The second word depends on both halves, so that halves of two boards never make up a third.
#[inline]
fn key(board: Board) -> [u64; 2] {
    [
        board.mover,
        board.opponent ^ board.mover.wrapping_mul(0xD6E8_FEB8_6659_FD93),
    ]
}

#[inline]
fn pack_square(square: Option<Square>) -> u64 {
    square.map_or(NO_SQUARE, |s| s.index() as u8).into()
}

#[inline]
fn unpack_square(bits: u64) -> Option<Square> {
    let index = bits as u8;
    (index < NO_SQUARE).then(|| Square::new(index))
}

#[inline]
fn pack(entry: &Entry, generation: u8) -> u64 {
    u64::from(entry.lower as i16 as u16)
        | u64::from(entry.upper as i16 as u16) << 16
        | u64::from(entry.depth) << 32
        | u64::from(entry.selectivity as u8) << 40
        | u64::from(generation) << 43
        | pack_square(entry.moves[0]) << 48
        | pack_square(entry.moves[1]) << 56
}

#[inline]
fn unpack(data: u64) -> Entry {
    Entry {
        lower: i32::from(data as u16 as i16),
        upper: i32::from((data >> 16) as u16 as i16),
        depth: (data >> 32) as u8,
        selectivity: Selectivity::ALL[((data >> 40 & 7) as usize).min(5)],
        moves: [unpack_square(data >> 48), unpack_square(data >> 56)],
    }
}

impl Table {
    /// A table of at most this many MiB (at least one bucket).
    pub fn new(mib: usize) -> Self {
        Self::with_buckets(mib.saturating_mul(1 << 20) / size_of::<Bucket>())
    }

    /// A table with this many buckets (at least one), for tests of collisions.
    pub fn with_buckets(buckets: usize) -> Self {
        let count = buckets.max(1);
        // Zeroed pages come from the system untouched: a big table costs nothing before it is used.
        let words = Box::<[AtomicU64]>::new_zeroed_slice((count + 1).saturating_mul(WORDS));
        // SAFETY: all zeros are a value of an atomic word.
        let words = unsafe { words.assume_init() };
        prefer_large_pages(&words);
        let boundary = size_of::<Bucket>();
        let first = (words.as_ptr().addr().next_multiple_of(boundary) - words.as_ptr().addr())
            / size_of::<AtomicU64>();
        Self {
            words,
            first,
            count,
            generation: AtomicU8::new(0),
            used: AtomicBool::new(false),
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        // A table that was never searched with has no pages of its own yet; to write zeros would make them.
        if !self.used.swap(false, Ordering::Relaxed) {
            return;
        }
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Lets new entries displace those of earlier searches first.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, board: Board) -> &Bucket {
        let index = (u128::from(hash(board)) * self.count as u128) >> 64;
        // SAFETY: `hash < 2^64`, so the product shifted down by 64 is below `count`; the words hold `count` buckets and one more,
        // from a boundary of buckets on that is less than a bucket from their start; words are what a bucket consists of.
        unsafe {
            let start = self.words.as_ptr().add(self.first).cast::<Bucket>();
            &*start.add(index as usize)
        }
    }

    /// Asks the processor to fetch the bucket of a board that will be looked up soon.
    #[inline]
    pub fn prefetch(&self, board: Board) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = std::ptr::from_ref(self.bucket(board)).cast::<i8>();
            // SAFETY: prefetching has no effect on memory, and both addresses lie within the bucket.
            unsafe {
                _mm_prefetch(bucket, _MM_HINT_T0);
                _mm_prefetch(bucket.add(64), _MM_HINT_T0);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// What is known of this board.
    #[inline]
    pub fn get(&self, board: Board) -> Option<Entry> {
        let (words, key) = (&self.bucket(board).0, key(board));
        for way in 0..WAYS {
            let data = words[3 * way + 2].load(Ordering::Relaxed);
            if words[3 * way].load(Ordering::Relaxed) ^ data == key[0]
                && words[3 * way + 1].load(Ordering::Relaxed) ^ data == key[1]
            {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Remembers a result.
    pub fn put(&self, board: Board, found: &Found) {
        if !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
        let generation = self.generation.load(Ordering::Relaxed);
        let (words, key) = (&self.bucket(board).0, key(board));
        let (mut victim, mut victim_worth) = (0, u32::MAX);
        for way in 0..WAYS {
            let data = words[3 * way + 2].load(Ordering::Relaxed);
            if words[3 * way].load(Ordering::Relaxed) ^ data == key[0]
                && words[3 * way + 1].load(Ordering::Relaxed) ^ data == key[1]
            {
                let entry = merge(&unpack(data), found);
                return Self::write(words, way, key, pack(&entry, generation));
            }
            let worth = worth(data, generation);
            if worth < victim_worth {
                (victim, victim_worth) = (way, worth);
            }
        }
        Self::write(words, victim, key, pack(&fresh(found, [None; 2]), generation));
    }

    #[inline]
    fn write(words: &[AtomicU64; 16], way: usize, key: [u64; 2], data: u64) {
        words[3 * way].store(key[0] ^ data, Ordering::Relaxed);
        words[3 * way + 1].store(key[1] ^ data, Ordering::Relaxed);
        words[3 * way + 2].store(data, Ordering::Relaxed);
    }
}

/// How much an entry is worth keeping: those of the present generation, then deep ones, then unselective ones.
#[inline]
fn worth(data: u64, generation: u8) -> u32 {
    if data == 0 {
        return 0;
    }
    let age = (generation + GENERATIONS - (data >> 43 & 31) as u8) % GENERATIONS;
    let depth = (data >> 32) as u8 as u32;
    let selectivity = (data >> 40 & 7) as u32;
    1 + (u32::from(GENERATIONS - age) << 12) + (depth << 3) + selectivity
}

fn fresh(found: &Found, known: [Option<Square>; 2]) -> Entry {
    let moves = match found.best {
        Some(best) if Some(best) == known[0] => known,
        Some(best) => [Some(best), known[0]],
        None => known,
    };
    Entry {
        lower: if found.score > found.alpha {
            found.score
        } else {
            -INFINITE
        },
        upper: if found.score < found.beta {
            found.score
        } else {
            INFINITE
        },
        depth: found.depth,
        selectivity: found.selectivity,
        moves,
    }
}

/// A new result joined with what was known: bounds of equal quality tighten each other, better ones replace worse, and
/// exact ones are never replaced by selective ones.
fn merge(known: &Entry, found: &Found) -> Entry {
    let new = fresh(found, known.moves);
    if known.depth == found.depth && known.selectivity == found.selectivity {
        let (lower, upper) = (new.lower.max(known.lower), new.upper.min(known.upper));
        // Selective searches can contradict each other; then the newer one counts.
        return if lower <= upper {
            Entry { lower, upper, ..new }
        } else {
            new
        };
    }
    let better = (known.depth, known.selectivity) > (found.depth, found.selectivity)
        || known.satisfies(found.depth, Selectivity::Full);
    if better { *known } else { new }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(depth: u8, selectivity: Selectivity, alpha: i32, beta: i32, score: i32, best: u8) -> Found {
        Found {
            depth,
            selectivity,
            alpha,
            beta,
            score,
            best: Some(Square::new(best)),
        }
    }

    #[test]
    fn what_was_put_is_got() {
        let table = Table::with_buckets(16);
        assert_eq!(table.get(Board::START), None);
        table.put(Board::START, &found(7, Selectivity::P95, -100, 100, -30, 19));
        let entry = table.get(Board::START).unwrap();
        assert_eq!((entry.lower, entry.upper, entry.depth), (-30, -30, 7));
        assert_eq!(entry.selectivity, Selectivity::P95);
        assert_eq!(entry.moves, [Some(Square::new(19)), None]);
        assert_eq!(table.get(Board::START.pass()), None);
        table.clear();
        assert_eq!(table.get(Board::START), None);
    }

    #[test]
    fn equal_searches_tighten_and_selective_ones_do_not_displace_exact_ones() {
        let table = Table::with_buckets(1);
        table.put(Board::START, &found(20, Selectivity::Full, 200, 300, 300, 19));
        table.put(Board::START, &found(20, Selectivity::Full, 500, 600, 500, 26));
        let entry = table.get(Board::START).unwrap();
        assert_eq!((entry.lower, entry.upper), (300, 500));
        assert_eq!(entry.moves, [Some(Square::new(26)), Some(Square::new(19))]);
        table.put(Board::START, &found(20, Selectivity::P73, -6400, 6400, 1000, 44));
        assert_eq!(table.get(Board::START), Some(entry));
        assert!(
            !Entry {
                selectivity: Selectivity::P99,
                ..entry
            }
            .satisfies(20, Selectivity::Full)
        );
        assert!(!entry.satisfies(21, Selectivity::P73));
    }

    #[test]
    fn old_and_shallow_entries_are_displaced_first() {
        let table = Table::with_buckets(1);
        let board = |i: u64| Board {
            mover: i,
            opponent: 1 << 63,
        };
        for i in 1..=5 {
            table.put(
                board(i),
                &found(if i == 3 { 4 } else { 9 }, Selectivity::Full, 0, 1, 1, 0),
            );
        }
        table.put(board(6), &found(5, Selectivity::Full, 0, 1, 1, 0));
        assert_eq!(table.get(board(3)), None);
        table.age();
        table.put(board(7), &found(1, Selectivity::P73, 0, 1, 1, 0));
        table.put(board(8), &found(1, Selectivity::P73, 0, 1, 1, 0));
        assert!(table.get(board(7)).is_some() && table.get(board(8)).is_some());
    }
}
