//! Which move to try first: the earlier the best one comes, the smaller the tree.

use super::endgame::{FastestFirst, weighted_mobility};
use super::midgame;
use super::table::INFINITE;
use super::worker::Worker;
use crate::board::{Board, Square, Squares};
use arrayvec::ArrayVec;

/// The most moves that a position can have is below this.
const MAX_MOVES: usize = 34;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Added for the best move that the table remembers; half of it for the second best.
const HINT: i32 = 1 << 24;
/// From this many empty squares a search to the end orders moves by the evaluation.
const EVALUATED_EMPTIES: u32 = 14;
/// Centidiscs that one reply less of the opponent is worth when solving: fewer replies make a smaller tree.
const SOLVING_MOBILITY: i32 = 220;
/// When solving with static scores, moves that leave so many replies more than another are not scored: they come last anyhow.
const UNSCORED_REPLIES: i32 = 3;
/// Centidiscs that one reply less is worth in the midgame.
const MIDGAME_MOBILITY: i32 = 25;

/// A move and the position after it.
#[derive(Clone, Copy)]
pub struct Child {
    pub square: Square,
    /// Seen from the opponent.
    pub board: Board,
    /// The opponent's replies.
    pub moves: u64,
    /// The higher, the earlier.
    pub value: i32,
}

/// The moves of a position, handed out best first.
#[derive(Default)]
pub struct Children(ArrayVec<Child, MAX_MOVES>);

impl Children {
    /// All moves of `board`, in no useful order yet.
    #[inline]
    pub fn new(board: Board, moves: u64) -> Self {
        let mut children = ArrayVec::new();
        for square in Squares(moves) {
            let child = board.play(square);
            children.push(Child {
                square,
                board: child,
                moves: child.moves(),
                value: 0,
            });
        }
        Self(children)
    }

    /// True if a move leaves the opponent without discs: no result is better. Such a move then stands alone.
    #[inline]
    pub fn wipes_out(&self) -> bool {
        self.0.iter().any(|child| child.board.mover == 0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Child> {
        self.0.iter()
    }

    /// The best move not yet handed out.
    #[inline]
    pub fn next(&mut self) -> Option<Child> {
        let mut best = 0;
        for (index, child) in self.0.iter().enumerate() {
            if child.value > self.0[best].value {
                best = index;
            }
        }
        self.0.swap_pop(best)
    }

    /// By the opponent's mobility and the corners: for searches a ply or two above the leaves.
    #[inline]
    pub fn order_by_mobility(&mut self) {
        for child in &mut self.0 {
            child.value = -weighted_mobility(child.moves);
            if child.square.bit() & CORNERS != 0 {
                child.value += 4;
            }
        }
    }

    /// By a shallow search of `depth` plies, with a little mobility, and what the table remembers.
    pub fn order_for_midgame(
        &mut self,
        worker: &mut Worker,
        board: Board,
        depth: u32,
        hints: [Option<Square>; 2],
    ) {
        self.order_by_search(worker, board, depth, MIDGAME_MOBILITY, i32::MAX, hints);
    }

    /// Moves that leave `unscored` replies or more come after the others, those with fewer replies first.
    fn order_by_search(
        &mut self,
        worker: &mut Worker,
        board: Board,
        depth: u32,
        mobility: i32,
        unscored: i32,
        hints: [Option<Square>; 2],
    ) {
        let shared = worker.shared;
        let after = shared.evaluator.after(board);
        for child in &mut self.0 {
            let (replies, hint) = (weighted_mobility(child.moves), hint(child.square, hints));
            let score = if replies >= unscored && hint == 0 {
                -2 * INFINITE
            } else if depth == 0 {
                worker.nodes += 1;
                -midgame::leaf_after(worker, &after, child.square, child.board, child.moves)
            } else {
                -midgame::full_window(worker, child.board, depth)
            };
            child.value = score - mobility * replies + hint;
        }
    }

    /// For searches to the end: moves that leave few replies and, where the tree below is large enough to pay for it, good positions.
    pub fn order_for_solving(&mut self, worker: &mut Worker, board: Board, hints: [Option<Square>; 2]) {
        let empties = board.empties();
        if empties < EVALUATED_EMPTIES {
            let order = FastestFirst::new(board);
            for child in &mut self.0 {
                // The mover's discs that were the opponent's before.
                let flips = child.board.opponent & board.opponent;
                child.value = order.value(child.square, flips, child.moves) + hint(child.square, hints);
            }
            return;
        }
        let (depth, unscored) = match empties {
            0..=17 => {
                let replies = self.0.iter().map(|child| weighted_mobility(child.moves));
                (0, replies.min().unwrap_or(0) + UNSCORED_REPLIES)
            }
            18..=23 => (1, i32::MAX),
            _ => (2, i32::MAX),
        };
        self.order_by_search(worker, board, depth, SOLVING_MOBILITY, unscored, hints);
    }
}

#[inline]
fn hint(square: Square, hints: [Option<Square>; 2]) -> i32 {
    if hints[0] == Some(square) {
        HINT
    } else if hints[1] == Some(square) {
        HINT / 2
    } else {
        0
    }
}
