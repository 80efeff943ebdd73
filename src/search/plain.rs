//! The slow twin of solving: alpha-beta with nothing that could be wrong, to test against.

use crate::board::{Board, Squares};

/// Below this many empty squares ordering the moves costs more than it saves.
const ORDERED_EMPTIES: u32 = 6;

/// Exact score of a position in discs for its mover, if it lies between `alpha` and `beta`; else a bound on its side of them.
/// No table, no estimate, no stability, no parity: only cut-offs, and moves that leave the opponent few replies first.
pub fn exact(board: Board, mut alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves == 0 {
        return if board.is_over() {
            board.final_score()
        } else {
            -exact(board.pass(), -beta, -alpha)
        };
    }
    let mut children = [(0, board); 64];
    let mut count = 0;
    for square in Squares(moves) {
        let child = board.play(square);
        children[count] = (child.moves().count_ones(), child);
        count += 1;
    }
    let children = &mut children[..count];
    if board.empties() >= ORDERED_EMPTIES {
        children.sort_unstable_by_key(|(replies, _)| *replies);
    }
    let mut best = -65;
    for &mut (_, child) in children {
        best = best.max(-exact(child, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}
