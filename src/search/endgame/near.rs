//! Up to thirteen empty squares: no evaluation and no shared table, only the fastest orderings.
//!
//! Null-window searches in discs, fail-soft, always exact: nothing here is pruned on an estimate.

use super::fastest::{FastestFirst, odd_quadrants};
use super::levels::Levels;
use crate::board::{Board, BuiltIn, Square, Squares};
use crate::search::table::hash;
use crate::search::worker::Worker;
use arrayvec::ArrayVec;

/// The most empty squares that are searched here.
pub const MAX_EMPTIES: u32 = 13;
/// Up to this many, moves are ordered by parity alone.
const PARITY_EMPTIES: u32 = 5;
/// Up to this many, by the replies that they leave, and neither the table nor stable discs are asked.
const REPLIES_EMPTIES: u32 = 6;
/// From this many on, the children are looked up in the table before any is searched.
const ETC_EMPTIES: u32 = 10;

/// Added for the best move that the table remembers: more than anything else comes to.
const KNOWN_BEST: i32 = 1 << 20;

/// A small table of a thread's own, for positions with a few empty squares.
pub struct NearTable(Box<[Bucket]>);

/// Two entries that are fetched together: the first keeps the position with more empty squares, the second the latest.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([NearEntry; 2]);

#[derive(Clone, Copy)]
struct NearEntry {
    board: Board,
    lower: i8,
    upper: i8,
    /// Index of the best move, 64 if unknown.
    best: u8,
    empties: u8,
}

impl NearTable {
    const BITS: u32 = 12;

    pub fn new() -> Self {
        let nothing = NearEntry {
            board: Board {
                mover: 0,
                opponent: 0,
            },
            lower: -64,
            upper: 64,
            best: 64,
            empties: 0,
        };
        Self(vec![Bucket([nothing; 2]); 1 << Self::BITS].into_boxed_slice())
    }

    #[inline]
    fn index(board: Board) -> usize {
        (hash(board) >> (64 - Self::BITS)) as usize
    }

    /// What is there of a position, or of another one.
    #[inline]
    fn get(&self, index: usize, board: Board) -> NearEntry {
        let [deep, late] = self.0[index].0;
        if deep.board == board { deep } else { late }
    }

    #[inline]
    fn put(&mut self, index: usize, entry: NearEntry) {
        let [deep, late] = &mut self.0[index].0;
        let known = deep.board == entry.board;
        if known || late.board != entry.board && deep.empties <= entry.empties {
            *deep = entry;
        } else {
            *late = entry;
        }
    }
}

struct Child {
    square: Square,
    board: Board,
    /// The opponent's replies.
    moves: u64,
}

/// What the children are worth, with their places in the lowest bits.
type Keys = ArrayVec<i32, { MAX_EMPTIES as usize }>;
const PLACE_BITS: u32 = 4;

/// Any number of empty squares up to [`MAX_EMPTIES`].
#[inline]
pub fn solve(worker: &mut Worker, board: Board, alpha: i32) -> i32 {
    match worker.shared.wide {
        Some(wide) => solve_with(wide, worker, board, alpha),
        None => solve_with(BuiltIn, worker, board, alpha),
    }
}

/// The same for a position with more than [`REPLIES_EMPTIES`] empty squares whose moves are known.
#[inline]
pub fn solve_moves(worker: &mut Worker, board: Board, moves: u64, alpha: i32, empties: u32) -> i32 {
    match worker.shared.wide {
        Some(wide) => wide.by_mobility(worker, board, moves, alpha, empties),
        None => BuiltIn.by_mobility(worker, board, moves, alpha, empties),
    }
}

fn solve_with<K: Levels>(kernel: K, worker: &mut Worker, board: Board, alpha: i32) -> i32 {
    let empties = board.empties();
    match empties {
        0 => {
            worker.nodes += 1;
            board.final_score()
        }
        // With fewer than four left the written-out searches are entered through their parents only.
        1..=3 => plain(worker, board, alpha),
        4 => last_four(kernel, worker, board, alpha),
        PARITY_EMPTIES => kernel.by_parity(worker, board, board.moves(), alpha),
        REPLIES_EMPTIES => kernel.by_replies(worker, board, board.moves(), alpha),
        _ => kernel.by_mobility(worker, board, board.moves(), alpha, empties),
    }
}

/// One to three empty squares at the root of a search.
fn plain(worker: &mut Worker, board: Board, alpha: i32) -> i32 {
    worker.nodes += 1;
    let moves = board.moves();
    if moves == 0 {
        return if board.pass().moves() == 0 {
            board.final_score()
        } else {
            -plain(worker, board.pass(), !alpha)
        };
    }
    let mut best = i32::MIN;
    for square in Squares(moves) {
        best = best.max(-solve(worker, board.play(square), !alpha));
        if best > alpha {
            break;
        }
    }
    best
}

#[inline(always)]
fn last_four<K: Levels>(kernel: K, worker: &mut Worker, board: Board, alpha: i32) -> i32 {
    let empty = board.empty();
    let odd = odd_quadrants(empty);
    let mut squares = [Square::new(0); 4];
    let ordered = Squares(empty & odd).chain(Squares(empty & !odd));
    for (slot, square) in squares.iter_mut().zip(ordered) {
        *slot = square;
    }
    kernel.four(board, alpha, squares, &mut worker.nodes)
}

/// The mover has no move: the result, or that of `search` for the other side, to which its moves are told.
#[inline(always)]
fn pass<K: Levels>(kernel: K, board: Board, search: impl FnOnce(Board, u64) -> i32) -> i32 {
    let passed = board.pass();
    let replies = kernel.moves(passed);
    if replies == 0 {
        board.final_score()
    } else {
        -search(passed, replies)
    }
}

/// Five empty squares; `moves` are the mover's.
#[inline(always)]
pub fn by_parity<K: Levels>(kernel: K, worker: &mut Worker, board: Board, moves: u64, alpha: i32) -> i32 {
    worker.nodes += 1;
    if moves == 0 {
        return pass(kernel, board, |passed, replies| {
            kernel.by_parity(worker, passed, replies, !alpha)
        });
    }
    let odd = odd_quadrants(board.empty());
    let mut best = i32::MIN;
    for part in [moves & odd, moves & !odd] {
        for square in Squares(part) {
            let child = board.after(square, kernel.flips(board, square));
            best = best.max(-last_four(kernel, worker, child, !alpha));
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// Six empty squares; `moves` are the mover's. The fewest replies first; among equals, odd quadrants.
#[inline(always)]
pub fn by_replies<K: Levels>(kernel: K, worker: &mut Worker, board: Board, moves: u64, alpha: i32) -> i32 {
    worker.nodes += 1;
    if moves == 0 {
        return pass(kernel, board, |passed, replies| {
            kernel.by_replies(worker, passed, replies, !alpha)
        });
    }
    let odd = odd_quadrants(board.empty());
    let mut children = ArrayVec::<(Board, u64), { REPLIES_EMPTIES as usize }>::new();
    let mut keys = Keys::new();
    for square in Squares(moves) {
        let child = board.after(square, kernel.flips(board, square));
        let replies = kernel.moves(child);
        let value = (odd >> square.index() & 1) as i32 - 2 * replies.count_ones() as i32;
        keys.push(value << PLACE_BITS | children.len() as i32);
        children.push((child, replies));
    }
    let mut best = i32::MIN;
    while let Some(place) = take_best(&mut keys) {
        let (child, replies) = children[place];
        best = best.max(-kernel.by_parity(worker, child, replies, !alpha));
        if best > alpha {
            break;
        }
    }
    best
}

/// Seven to thirteen empty squares; `moves` are the mover's.
#[inline(always)]
pub fn by_mobility<K: Levels>(
    kernel: K,
    worker: &mut Worker,
    board: Board,
    moves: u64,
    alpha: i32,
    empties: u32,
) -> i32 {
    worker.nodes += 1;
    if empties > 8 && worker.poll() {
        return alpha;
    }
    // 1. Nothing to play.
    if moves == 0 {
        return pass(kernel, board, |passed, replies| {
            kernel.by_mobility(worker, passed, replies, !alpha, empties)
        });
    }
    // 2. Known already?
    if let Some(score) = super::stability_cut(board, alpha, empties) {
        return score;
    }
    let slot = NearTable::index(board);
    let known = worker.own.near.get(slot, board);
    let mut known_best = 64;
    if known.board == board {
        if i32::from(known.lower) > alpha {
            return known.lower.into();
        }
        if i32::from(known.upper) <= alpha {
            return known.upper.into();
        }
        known_best = known.best;
    }
    // 3. Order the moves.
    let order = FastestFirst::new(board);
    let mut children = ArrayVec::<Child, { MAX_EMPTIES as usize }>::new();
    let mut keys = Keys::new();
    for square in Squares(moves) {
        let turned = kernel.flips(board, square);
        if turned == board.opponent {
            return 64;
        }
        let child = board.after(square, turned);
        let replies = kernel.moves(child);
        let mut value = order.value(square, turned, replies);
        if square.index() == known_best as usize {
            value += KNOWN_BEST;
        }
        keys.push(value << PLACE_BITS | children.len() as i32);
        children.push(Child {
            square,
            board: child,
            moves: replies,
        });
    }
    if empties >= ETC_EMPTIES {
        for child in &children {
            let entry = worker.own.near.get(NearTable::index(child.board), child.board);
            if entry.board == child.board && -i32::from(entry.upper) > alpha {
                return -i32::from(entry.upper);
            }
        }
    }
    // 4. Search them.
    let (mut best, mut best_square) = (i32::MIN, 64);
    while let Some(place) = take_best(&mut keys) {
        let child = &children[place];
        let (b, m) = (child.board, child.moves);
        let score = if empties - 1 > REPLIES_EMPTIES {
            -kernel.by_mobility(worker, b, m, !alpha, empties - 1)
        } else {
            -kernel.by_replies(worker, b, m, !alpha)
        };
        if score > best {
            (best, best_square) = (score, child.square.index() as u8);
            if best > alpha {
                break;
            }
        }
    }
    if worker.aborted {
        return alpha;
    }
    // 5. Remember.
    let (mut lower, mut upper) = if best > alpha {
        (best as i8, 64)
    } else {
        (-64, best as i8)
    };
    if known.board == board {
        lower = lower.max(known.lower);
        upper = upper.min(known.upper);
    }
    let entry = NearEntry {
        board,
        lower,
        upper,
        best: best_square,
        empties: empties as u8,
    };
    worker.own.near.put(slot, entry);
    best
}

/// The place of the best child left. Keys are handed around instead of children, whose words would be read back before they are
/// written.
#[inline]
fn take_best(keys: &mut Keys) -> Option<usize> {
    let (place, &key) = keys.iter().enumerate().max_by_key(|&(_, key)| key)?;
    keys.swap_remove(place);
    Some((key & ((1 << PLACE_BITS) - 1)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Wide;
    use crate::eval::Evaluator;
    use crate::search::probcut::{ErrorModel, Margins};
    use crate::search::table::Table;
    use crate::search::worker::{OwnTables, Shared};
    use crate::search::{Limits, Stop, plain};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IteratorRandom;
    use rand::{RngExt, SeedableRng};
    use std::time::Instant;

    /// A position of random play with so many empty squares, if the game got so far.
    fn board(rng: &mut Xoshiro256PlusPlus, empties: u32) -> Option<Board> {
        let mut board = Board::START;
        while board.empties() > empties && !board.is_over() {
            let square = Squares(board.moves()).choose(rng);
            board = square.map_or(board.pass(), |square| board.play(square));
        }
        (board.empties() == empties).then_some(board)
    }

    #[test]
    fn bounds_are_right_with_the_kernels_of_each_processor() {
        let (table, evaluator) = (Table::with_buckets(1), Evaluator::HandMade);
        let (margins, limits, stop) = (
            Margins::new(&ErrorModel::HAND_MADE),
            Limits::default(),
            Stop::new(),
        );
        let watch = Instant::now();
        let shared = Shared::new(&table, &evaluator, &margins, &limits, &watch, &stop);
        let [mut own, mut other] = [OwnTables::new(), OwnTables::new()];
        let [mut worker, mut wide_worker] = [&mut own, &mut other].map(|own| Worker::new(&shared, own, None));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        for count in 0..600 {
            let Some(board) = board(&mut rng, count % 11) else {
                continue;
            };
            let exact = plain::exact(board, -64, 64);
            for alpha in [exact - 1, exact, rng.random_range(-64..64)] {
                let score = solve_with(BuiltIn, &mut worker, board, alpha);
                assert_eq!(score > alpha, exact > alpha, "{board:?} {alpha} {exact}");
                assert!(
                    if score > alpha {
                        score <= exact
                    } else {
                        score >= exact
                    },
                    "{board:?} {alpha} {score} {exact}"
                );
                // The same tree, too.
                if let Some(wide) = Wide::detect() {
                    assert_eq!(
                        solve_with(wide, &mut wide_worker, board, alpha),
                        score,
                        "{board:?} {alpha}"
                    );
                    assert_eq!(wide_worker.nodes, worker.nodes, "{board:?} {alpha}");
                }
            }
        }
        assert!(worker.nodes > 10_000);
    }
}
