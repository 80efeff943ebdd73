//! Rules of thumb: mobility, frontier, corners and what lies beside them, parity. No weights, no training.

use crate::board::{Board, scalar::neighbours};

use super::LIMIT;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = 0x8080_8080_8080_8080;

/// How many more squares of `set` the mover has, -64..=64.
const fn lead(board: Board, set: u64) -> i32 {
    (board.mover & set).count_ones() as i32 - (board.opponent & set).count_ones() as i32
}

/// Score in centidiscs for the mover, whose moves are `moves`, within ±[`LIMIT`].
pub(super) fn evaluate(board: Board, moves: u64) -> i32 {
    let empties = board.empties() as i32;
    let theirs = board.pass();
    let mobility = moves.count_ones() as i32 - theirs.moves().count_ones() as i32;
    // Empty squares beside an opponent's disc may become moves.
    let potential = (neighbours(board.opponent) & board.empty()).count_ones() as i32
        - (neighbours(board.mover) & board.empty()).count_ones() as i32;
    // X and C squares are bad only while their corner is open.
    let open = board.empty() & CORNERS;
    let beside = (open << 1) & !A_FILE | (open >> 1) & !H_FILE | open << 8 | open >> 8;
    let diagonal = neighbours(open) & !beside;
    let edges = (A_FILE | H_FILE | 0xff | 0xff << 56) & !CORNERS & !beside;
    // The last empty square of a region goes to the side to move when their number is odd.
    let parity = if empties % 2 == 1 { 150 } else { -150 };

    let score = mobility * (90 + empties)
        + potential * 35
        + lead(board, CORNERS) * 900
        - lead(board, diagonal) * 450
        - lead(board, beside) * 200
        + lead(board, edges) * 80
        // Discs count only near the end; before, fewer is better.
        + board.disc_difference() * (40 - 3 * empties).max(-30)
        + parity;
    score.clamp(-LIMIT, LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(board: Board) -> i32 {
        super::evaluate(board, board.moves())
    }
    use crate::board::Square;

    #[test]
    fn a_corner_is_worth_more_than_an_x_square() {
        let corner = Board {
            mover: Board::START.mover | 1,
            ..Board::START
        };
        let x_square = Board {
            mover: Board::START.mover | Square::new(9).bit(),
            ..Board::START
        };
        assert!(evaluate(corner) > evaluate(Board::START));
        assert!(evaluate(x_square) < evaluate(Board::START));
    }

    #[test]
    fn scores_stay_within_the_limit() {
        let board = Board {
            mover: !0x3,
            opponent: 0x2,
        };
        assert_eq!(evaluate(board).abs().max(LIMIT), LIMIT);
    }
}
