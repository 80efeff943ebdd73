//! Score of a position without search.
//!
//! Every evaluation answers in centidiscs (1 disc = 100) from the mover's view, within ±[`LIMIT`], with whole numbers only:
//! the same position gets the same score on every machine.

mod handmade;

use crate::board::Board;

/// The largest score an evaluation gives: 64 discs in centidiscs.
pub const LIMIT: i32 = 6400;

/// One of the evaluations that the engine can play with.
#[derive(Clone, Debug, Default)]
pub enum Evaluator {
    /// Rules of thumb, no weights: the yardstick, and what there was before the first training.
    #[default]
    HandMade,
}

impl Evaluator {
    /// The evaluation that is part of the program.
    pub fn embedded() -> Self {
        Self::HandMade
    }

    /// Score of a standard position that is not over, in centidiscs for the mover, within ±[`LIMIT`].
    #[inline]
    pub fn evaluate(&self, board: Board) -> i32 {
        match self {
            Self::HandMade => handmade::evaluate(board),
        }
    }

    /// Short name for `--version` and reports.
    pub fn name(&self) -> String {
        match self {
            Self::HandMade => "hand-made".to_owned(),
        }
    }
}
