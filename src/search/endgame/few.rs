//! The last four empty squares, written out: most of all nodes of a solve are here.
//!
//! All functions are null-window searches: they return a score in discs for the mover that is exact or a bound on the right
//! side of `alpha` (fail-soft). The squares are all that are empty.

use super::levels::Levels;
use crate::board::{Board, Square, count_last_flips};

/// The 8 squares around each square: a move flips nothing if no opposing disc is among them, which is cheaper to ask.
const NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let bit = 1_u64 << index;
        let not_left = bit & !0x0101_0101_0101_0101;
        let not_right = bit & !0x8080_8080_8080_8080;
        let row = bit | not_left >> 1 | not_right << 1;
        table[index] = (row | row << 8 | row >> 8) ^ bit;
        index += 1;
    }
    table
};

/// The quadrant of each square as a bit.
const QUADRANT: [u8; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = 1 << (index / 32 * 2 + index % 8 / 4);
        index += 1;
    }
    table
};

#[inline(always)]
fn flips<K: Levels>(kernel: K, board: Board, square: Square) -> u64 {
    if board.opponent & NEIGHBOURS[square.index()] == 0 {
        0
    } else {
        kernel.flips(board, square)
    }
}

/// One empty square left; `mover` are the mover's discs. What the opponent could still do is of interest only above `alpha`.
#[inline(always)]
fn one(mover: u64, alpha: i32, square: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let discs = 2 * mover.count_ones() as i32 - 64;
    let gain = count_last_flips(mover, square) as i32;
    if gain > 0 {
        return discs + 2 * (gain + 1);
    }
    // If nobody can play there the square goes to the winner: with 63 discs there is one.
    let score = if discs >= 0 { discs + 2 } else { discs };
    if score <= alpha {
        return score;
    }
    let loss = count_last_flips(!(mover | square.bit()), square) as i32;
    if loss > 0 { discs - 2 * loss } else { score }
}

/// Two empty squares.
#[inline(always)]
pub fn two<K: Levels>(kernel: K, board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = i32::MIN;
    for (square, other) in [(a, b), (b, a)] {
        let turned = flips(kernel, board, square);
        if turned != 0 {
            best = best.max(-one(board.opponent ^ turned, !alpha, other, nodes));
            if best > alpha {
                return best;
            }
        }
    }
    if best > i32::MIN {
        return best;
    }
    // The mover passes: the scores below are already the mover's, and the opponent takes the lowest.
    let (board, mut worst) = (board.pass(), i32::MAX);
    for (square, other) in [(a, b), (b, a)] {
        let turned = flips(kernel, board, square);
        if turned != 0 {
            worst = worst.min(one(board.opponent ^ turned, alpha, other, nodes));
            if worst <= alpha {
                return worst;
            }
        }
    }
    if worst < i32::MAX {
        worst
    } else {
        board.pass().final_score()
    }
}

/// Three empty squares.
#[inline(always)]
pub fn three<K: Levels>(kernel: K, board: Board, alpha: i32, squares: [Square; 3], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let [mut a, mut b, mut c] = squares;
    // A square alone in its quadrant first: whoever plays it gets the last move there.
    let quadrant = |s: Square| QUADRANT[s.index()];
    let odd = quadrant(a) ^ quadrant(b) ^ quadrant(c);
    if odd & quadrant(a) == 0 {
        if odd & quadrant(b) != 0 {
            (a, b) = (b, a);
        } else {
            (a, c) = (c, a);
        }
    }
    let orders = [(a, b, c), (b, a, c), (c, a, b)];
    let mut best = i32::MIN;
    for (square, x, y) in orders {
        let turned = flips(kernel, board, square);
        if turned != 0 {
            best = best.max(-kernel.two(board.after(square, turned), !alpha, x, y, nodes));
            if best > alpha {
                return best;
            }
        }
    }
    if best > i32::MIN {
        return best;
    }
    let (board, mut worst) = (board.pass(), i32::MAX);
    for (square, x, y) in orders {
        let turned = flips(kernel, board, square);
        if turned != 0 {
            worst = worst.min(kernel.two(board.after(square, turned), alpha, x, y, nodes));
            if worst <= alpha {
                return worst;
            }
        }
    }
    if worst < i32::MAX {
        worst
    } else {
        board.pass().final_score()
    }
}

/// Four empty squares, in the order in which they are to be tried.
#[inline(always)]
pub fn four<K: Levels>(kernel: K, board: Board, alpha: i32, squares: [Square; 4], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let [a, b, c, d] = squares;
    let orders = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
    let mut best = i32::MIN;
    for (square, rest) in orders {
        let turned = flips(kernel, board, square);
        if turned != 0 {
            best = best.max(-kernel.three(board.after(square, turned), !alpha, rest, nodes));
            if best > alpha {
                return best;
            }
        }
    }
    if best > i32::MIN {
        return best;
    }
    let (board, mut worst) = (board.pass(), i32::MAX);
    for (square, rest) in orders {
        let turned = flips(kernel, board, square);
        if turned != 0 {
            worst = worst.min(kernel.three(board.after(square, turned), alpha, rest, nodes));
            if worst <= alpha {
                return worst;
            }
        }
    }
    if worst < i32::MAX {
        worst
    } else {
        board.pass().final_score()
    }
}
