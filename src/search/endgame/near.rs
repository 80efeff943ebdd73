//! Five to eleven empty squares: no evaluation and no shared table, only the fastest orderings.
//!
//! Null-window searches in discs, fail-soft, always exact: nothing here is pruned on an estimate.

use super::fastest::{FastestFirst, odd_quadrants};
use super::few;
use crate::board::{Board, Square, Squares};
use crate::search::table::hash;
use crate::search::worker::Worker;
use arrayvec::ArrayVec;

/// The most empty squares that are searched here.
pub const MAX_EMPTIES: u32 = 11;
/// Up to this many, moves are ordered by parity alone.
const PARITY_EMPTIES: u32 = 6;

/// Added for the best move that the table remembers: more than anything else comes to.
const KNOWN_BEST: i32 = 1 << 20;

/// A small table of a thread's own, for positions with a few empty squares. Direct mapped, always replaced.
pub struct NearTable(Box<[NearEntry]>);

#[derive(Clone, Copy)]
struct NearEntry {
    board: Board,
    lower: i8,
    upper: i8,
    /// Index of the best move, 64 if unknown.
    best: u8,
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
        };
        Self(vec![nothing; 1 << Self::BITS].into_boxed_slice())
    }

    #[inline]
    fn index(board: Board) -> usize {
        (hash(board) >> (64 - Self::BITS)) as usize
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
pub fn solve(worker: &mut Worker, board: Board, alpha: i32) -> i32 {
    let empties = board.empties();
    match empties {
        0 => {
            worker.nodes += 1;
            board.final_score()
        }
        // With fewer than four left the written-out searches are entered through their parents only.
        1..=3 => plain(worker, board, alpha),
        4 => last_four(worker, board, alpha),
        5..=PARITY_EMPTIES => by_parity(worker, board, board.moves(), alpha, empties),
        _ => by_mobility(worker, board, board.moves(), alpha, empties),
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

#[inline]
fn last_four(worker: &mut Worker, board: Board, alpha: i32) -> i32 {
    let empty = board.empty();
    let odd = odd_quadrants(empty);
    let mut squares = [Square::new(0); 4];
    let ordered = Squares(empty & odd).chain(Squares(empty & !odd));
    for (slot, square) in squares.iter_mut().zip(ordered) {
        *slot = square;
    }
    few::four(board, alpha, squares, &mut worker.nodes)
}

/// Five and six empty squares; `moves` are the mover's.
fn by_parity(worker: &mut Worker, board: Board, moves: u64, alpha: i32, empties: u32) -> i32 {
    worker.nodes += 1;
    if moves == 0 {
        let passed = board.pass();
        let replies = passed.moves();
        return if replies == 0 {
            board.final_score()
        } else {
            -by_parity(worker, passed, replies, !alpha, empties)
        };
    }
    let odd = odd_quadrants(board.empty());
    let mut best = i32::MIN;
    for part in [moves & odd, moves & !odd] {
        for square in Squares(part) {
            let child = board.play(square);
            let score = if empties == 5 {
                -last_four(worker, child, !alpha)
            } else {
                -by_parity(worker, child, child.moves(), !alpha, empties - 1)
            };
            best = best.max(score);
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// Seven to eleven empty squares; `moves` are the mover's.
pub fn by_mobility(worker: &mut Worker, board: Board, moves: u64, alpha: i32, empties: u32) -> i32 {
    worker.nodes += 1;
    if empties > 8 && worker.poll() {
        return alpha;
    }
    // 1. Nothing to play.
    if moves == 0 {
        let passed = board.pass();
        let replies = passed.moves();
        return if replies == 0 {
            board.final_score()
        } else {
            -by_mobility(worker, passed, replies, !alpha, empties)
        };
    }
    // 2. Known already?
    if let Some(score) = super::stability_cut(board, alpha, empties) {
        return score;
    }
    let slot = NearTable::index(board);
    let known = worker.own.near.0[slot];
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
        let turned = board.flips(square);
        if turned == board.opponent {
            return 64;
        }
        let child = board.after(square, turned);
        let replies = child.moves();
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
    // 4. Search them.
    let (mut best, mut best_square) = (i32::MIN, 64);
    while let Some(place) = take_best(&mut keys) {
        let child = &children[place];
        let (b, m) = (child.board, child.moves);
        let score = if empties - 1 > PARITY_EMPTIES {
            -by_mobility(worker, b, m, !alpha, empties - 1)
        } else {
            -by_parity(worker, b, m, !alpha, empties - 1)
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
    worker.own.near.0[slot] = NearEntry {
        board,
        lower,
        upper,
        best: best_square,
    };
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
