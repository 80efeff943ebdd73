//! Fastest first: near the end the best order of moves is that of the smallest trees, and a few bits tell enough about it.

use crate::board::{Board, Square};

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Edge squares that do not touch a corner.
const EDGES: u64 = 0x3C00_8181_8181_003C;

/// The opponent's mobility after a move, corners counted twice: the fewer replies, the smaller the tree.
#[inline]
pub fn weighted_mobility(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// The quadrants with an odd number of empty squares, as a set of squares: whoever begins there also ends there.
#[inline]
pub fn odd_quadrants(empty: u64) -> u64 {
    // Exclusive or over the rows, then the columns, of each quadrant; the results lie in bits 0, 4, 32 and 36.
    let mut x = empty;
    x ^= x >> 8;
    x ^= x >> 16;
    x ^= x >> 1;
    x ^= x >> 2;
    (x & 0x0000_0011_0000_0011) * 0x0F0F_0F0F
}

/// What a position says about its moves, whatever they turn over.
pub struct FastestFirst {
    odd: u64,
    /// Beside a corner of the mover along an edge.
    anchored: u64,
    /// Beside an empty corner, along an edge (C) and slanting (X).
    c_squares: u64,
    x_squares: u64,
}

impl FastestFirst {
    /// What `board` says.
    #[inline]
    pub fn new(board: Board) -> Self {
        let empty = board.empty();
        Self {
            odd: odd_quadrants(empty),
            anchored: along_edges(board.mover & CORNERS),
            c_squares: along_edges(empty & CORNERS),
            x_squares: slanting(empty & CORNERS),
        }
    }

    /// The higher, the earlier a move is to be tried that turns over `flips` and leaves the opponent the moves `replies`; a reply
    /// less counts 64. The weights were found by descent along each of them on the nodes of solves from 20 empty squares.
    #[inline]
    pub fn value(&self, square: Square, flips: u64, replies: u64) -> i32 {
        let within = |set: u64| (set >> square.index() & 1) as i32;
        24 * within(self.odd) + 32 * within(CORNERS) + 24 * within(self.anchored) + 8 * within(EDGES)
            - 32 * within(self.x_squares)
            - 16 * within(self.c_squares)
            - 4 * flips.count_ones() as i32
            - 64 * replies.count_ones() as i32
            - 44 * (replies & CORNERS).count_ones() as i32
    }
}

/// The squares beside corners along the edges.
#[inline]
const fn along_edges(corners: u64) -> u64 {
    const A_TO_B: u64 = 0x0200_0000_0000_0002;
    const H_TO_G: u64 = 0x4000_0000_0000_0040;
    corners << 1 & A_TO_B
        | corners >> 1 & H_TO_G
        | corners << 8 & 0x8100
        | corners >> 8 & 0x0081_0000_0000_0000
}

/// The squares beside corners on the diagonals.
#[inline]
const fn slanting(corners: u64) -> u64 {
    corners << 9 & 0x0200
        | corners << 7 & 0x4000
        | corners >> 7 & 0x0002_0000_0000_0000
        | corners >> 9 & 0x0040_0000_0000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_beside_corners() {
        let squares = |names: &str| {
            names.split(' ').fold(0u64, |set, name| {
                let [file, rank] = name.as_bytes() else {
                    unreachable!()
                };
                set | 1 << (8 * (rank - b'1') + file - b'a')
            })
        };
        assert_eq!(along_edges(CORNERS), squares("b1 a2 g1 h2 a7 b8 g8 h7"));
        assert_eq!(slanting(CORNERS), squares("b2 g2 b7 g7"));
        assert_eq!(along_edges(squares("a1")), squares("b1 a2"));
        assert_eq!(along_edges(squares("h8")), squares("g8 h7"));
        assert_eq!(slanting(squares("h1")), squares("g2"));
        assert_eq!(slanting(squares("a8")), squares("b7"));
        assert_eq!(EDGES, squares("c1 d1 e1 f1 c8 d8 e8 f8 a3 a4 a5 a6 h3 h4 h5 h6"));
    }
}
