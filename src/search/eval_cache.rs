//! Static scores of positions seen a moment ago. A midgame search asks for nearly half of them again: for ordering at one depth and
//! at the next, for ProbCut, at the leaves of its shallow searches; and the rows of an evaluation lie far from the processor.

use super::table::hash;
use crate::board::Board;

/// A table of a thread's own. Direct mapped, always replaced; small, so that it stays beside the processor.
pub struct EvalCache(Box<[Slot]>);

#[derive(Clone, Copy)]
struct Slot {
    board: Board,
    /// Centidiscs.
    score: i32,
}

impl EvalCache {
    const BITS: u32 = 13;

    pub fn new() -> Self {
        // No position has a disc of both sides on a square.
        let nothing = Slot {
            board: Board {
                mover: 1,
                opponent: 1,
            },
            score: 0,
        };
        Self(vec![nothing; 1 << Self::BITS].into_boxed_slice())
    }

    /// The score of a position, from `evaluate` if it is not there.
    #[inline]
    pub fn get_or(&mut self, board: Board, evaluate: impl FnOnce() -> i32) -> i32 {
        let slot = &mut self.0[(hash(board) >> (64 - Self::BITS)) as usize];
        if slot.board != board {
            *slot = Slot {
                board,
                score: evaluate(),
            };
        }
        slot.score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Squares;
    use crate::eval::Evaluator;

    #[test]
    fn scores_are_those_of_the_evaluation_however_positions_collide() {
        let evaluator = Evaluator::embedded();
        let (mut cache, mut known, mut asked) = (EvalCache::new(), 0, 0);
        let mut boards = vec![Board::START];
        for _ in 0..8 {
            boards = boards
                .iter()
                .flat_map(|board| Squares(board.moves()).map(|square| board.play(square)))
                .collect();
        }
        // Far more than there are slots, each twice in a row.
        let boards = boards.into_iter().step_by(16);
        assert!(boards.len() > 2 << EvalCache::BITS);
        for board in boards {
            for _ in 0..2 {
                let mut new = false;
                let score = cache.get_or(board, || {
                    new = true;
                    evaluator.evaluate(board)
                });
                assert_eq!(score, evaluator.evaluate(board));
                asked += 1;
                known += usize::from(!new);
            }
        }
        assert!(known >= asked / 2);
    }
}
