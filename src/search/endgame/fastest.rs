//! Fastest first: near the end the best order of moves is that of the smallest trees, and a few bits tell enough about it.

use crate::board::{Board, Square};

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Edge squares that do not touch a corner.
const EDGES: u64 = 0x3C00_8181_8181_003C;
/// Beside a corner along an edge.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
/// Beside a corner on a diagonal.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;

/// The opponent's mobility after a move, corners counted twice: the fewer replies, the smaller the tree.
#[inline]
pub fn weighted_mobility(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// The quadrants with an odd number of empty squares, as a set of squares: whoever begins there also ends there.
#[inline]
pub fn odd_quadrants(empty: u64) -> u64 {
    parities(empty) * 0x0F0F_0F0F
}

/// The same as bits 0, 4, 32 and 36.
#[inline]
const fn parities(empty: u64) -> u64 {
    // Exclusive or over the rows, then the columns, of each quadrant.
    let mut x = empty;
    x ^= x >> 8;
    x ^= x >> 16;
    x ^= x >> 1;
    x ^= x >> 2;
    x & 0x0000_0011_0000_0011
}

/// What a position says about its moves, whatever they turn over.
pub struct FastestFirst {
    /// For each quadrant, in four bits: [`ODD`], [`OWN_CORNER`], [`EMPTY_CORNER`].
    quadrants: u32,
}

/// The quadrant has an odd number of empty squares.
const ODD: usize = 1;
/// Its corner is the mover's.
const OWN_CORNER: usize = 2;
/// Its corner is empty.
const EMPTY_CORNER: usize = 4;

/// What a square is worth before any disc is turned, by what is known of its quadrant.
const PLACES: [[i8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut index = 0;
    while index < 64 {
        let bit = 1_u64 << index;
        let mut quadrant = 0;
        while quadrant < 8 {
            let mut value = 0;
            if quadrant & ODD != 0 {
                value += 24;
            }
            if bit & CORNERS != 0 {
                value += 32;
            }
            if bit & EDGES != 0 {
                value += 8;
            }
            if bit & C_SQUARES != 0 && quadrant & OWN_CORNER != 0 {
                value += 24;
            }
            if bit & C_SQUARES != 0 && quadrant & EMPTY_CORNER != 0 {
                value -= 16;
            }
            if bit & X_SQUARES != 0 && quadrant & EMPTY_CORNER != 0 {
                value -= 32;
            }
            table[index][quadrant] = value;
            quadrant += 1;
        }
        index += 1;
    }
    table
};

impl FastestFirst {
    /// What `board` says.
    #[inline]
    pub fn new(board: Board) -> Self {
        let empty = board.empty();
        Self {
            quadrants: by_quadrant(parities(empty))
                | (by_corner(board.mover) * OWN_CORNER as u32)
                | (by_corner(empty) * EMPTY_CORNER as u32),
        }
    }

    /// The higher, the earlier a move is to be tried that turns over `flips` and leaves the opponent the moves `replies`; a reply
    /// less counts 64. The weights were found by descent along each of them on the nodes of solves from 20 empty squares.
    #[inline]
    pub fn value(&self, square: Square, flips: u64, replies: u64) -> i32 {
        let index = square.index();
        let quadrant = self.quadrants >> (index & 4 | index >> 5 << 3) & 7;
        i32::from(PLACES[index][quadrant as usize])
            - 4 * flips.count_ones() as i32
            - 64 * replies.count_ones() as i32
            - 44 * (replies & CORNERS).count_ones() as i32
    }
}

/// The corners in a set, as the lowest bits of four bits a quadrant.
#[inline]
const fn by_corner(set: u64) -> u32 {
    let corners = set as u32 & 0x81 | (set >> 48) as u32 & 0x8100;
    corners & 0x0101 | (corners & 0x8080) >> 3
}

/// The result of [`parities`] likewise.
#[inline]
const fn by_quadrant(parities: u64) -> u32 {
    (parities | parities >> 24) as u32 & 0x1111
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Squares;
    use proptest::prelude::*;

    fn squares(names: &str) -> u64 {
        names.split(' ').fold(0, |set, name| {
            let [file, rank] = name.as_bytes() else {
                unreachable!()
            };
            set | 1 << (8 * (rank - b'1') + file - b'a')
        })
    }

    #[test]
    fn squares_beside_corners() {
        assert_eq!(C_SQUARES, squares("b1 a2 g1 h2 a7 b8 g8 h7"));
        assert_eq!(X_SQUARES, squares("b2 g2 b7 g7"));
        assert_eq!(EDGES, squares("c1 d1 e1 f1 c8 d8 e8 f8 a3 a4 a5 a6 h3 h4 h5 h6"));
    }

    proptest! {
        #[test]
        fn places_are_worth_what_their_quadrant_says(a: u64, b: u64, flips: u64, replies: u64) {
            let board = Board { mover: a & b, opponent: a & !b };
            let order = FastestFirst::new(board);
            for square in Squares(board.empty()) {
                let (rank, file) = (square.index() / 8, square.index() % 8);
                let quadrant = Squares(!0).filter(|s| s.index() / 32 == rank / 4 && s.index() % 8 / 4 == file / 4);
                let empty = quadrant.clone().filter(|s| board.empty() & s.bit() != 0).count();
                let corner = quadrant.map(Square::bit).find(|bit| bit & CORNERS != 0).unwrap();
                let own = i32::from(board.mover & corner != 0);
                let open = i32::from(board.empty() & corner != 0);
                let mut value = 24 * (empty as i32 % 2);
                value += match square.bit() {
                    bit if bit & CORNERS != 0 => 32,
                    bit if bit & EDGES != 0 => 8,
                    bit if bit & C_SQUARES != 0 => 24 * own - 16 * open,
                    bit if bit & X_SQUARES != 0 => -32 * open,
                    _ => 0,
                };
                value -= 4 * flips.count_ones() as i32 + 64 * replies.count_ones() as i32;
                value -= 44 * (replies & CORNERS).count_ones() as i32;
                prop_assert_eq!(order.value(square, flips, replies), value);
                prop_assert_eq!(odd_quadrants(board.empty()) & square.bit() != 0, empty % 2 == 1);
            }
        }
    }
}
