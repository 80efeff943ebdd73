//! Score of a position without search.
//!
//! Every evaluation answers in centidiscs (1 disc = 100) from the mover's view, within ±[`LIMIT`], with whole numbers only:
//! the same position gets the same score on every machine.

mod embedding;
pub mod features;
mod handmade;
mod kernel;
mod linear;
pub mod patterns;
pub mod weights;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

pub use embedding::{Embedding, LINEAR_LIMIT, Share};
pub use linear::Linear;

use crate::board::{Board, Square};
use features::States;
use weights::{Kind, Weights};

/// The largest score an evaluation gives: 64 discs in centidiscs.
pub const LIMIT: i32 = 6400;

/// The weights that are part of the program; docs/training.md says how they were made.
const EMBEDDED: &[u8] = include_bytes!("../../weights/outflank.eval");

/// One of the evaluations that the engine can play with. Cheap to clone: copies share the weights.
#[derive(Clone, Default)]
pub enum Evaluator {
    /// Rules of thumb, no weights: the yardstick, and what there was before the first training.
    #[default]
    HandMade,
    /// A sum of one number a feature.
    Linear(Arc<Linear>),
    /// A sum of rows, read out by squares and values.
    Embedding(Arc<Embedding>),
}

/// A file of weights that can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct LoadError {
    path: PathBuf,
    source: weights::Error,
}

impl Evaluator {
    /// The evaluation that is part of the program; unpacked once, at the first call.
    ///
    /// # Panics
    /// If the program was built with damaged weights, which a test rules out.
    pub fn embedded() -> Self {
        static READY: LazyLock<Evaluator> = LazyLock::new(|| match Evaluator::from_bytes(EMBEDDED) {
            Ok(evaluator) => evaluator,
            Err(error) => panic!("the built-in weights: {error}"),
        });
        READY.clone()
    }

    /// The name of the evaluation that is part of the program, without unpacking it.
    ///
    /// # Panics
    /// If the program was built with something else than weights, which a test rules out.
    pub fn embedded_name() -> String {
        match weights::name(EMBEDDED) {
            Ok(name) => name,
            Err(error) => panic!("the built-in weights: {error}"),
        }
    }

    /// The one that a user names: a file of weights, or `hand-made`.
    ///
    /// # Errors
    /// As [`Evaluator::load`].
    pub fn named(name: &Path) -> Result<Self, LoadError> {
        if name.as_os_str() == Self::HandMade.name() {
            return Ok(Self::HandMade);
        }
        Self::load(name)
    }

    /// Loads weights from a file.
    ///
    /// # Errors
    /// If it can't be read, is something else, cut short or damaged.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let bytes = crate::files::data(path).map_err(weights::Error::Io);
        let evaluator = bytes.and_then(|bytes| Self::from_bytes(&bytes));
        evaluator.map_err(|source| LoadError {
            path: path.to_owned(),
            source,
        })
    }

    /// Makes the weights of a file's bytes ready for use.
    ///
    /// # Errors
    /// If they are no weights, of another version, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, weights::Error> {
        let (weights, features) = Weights::from_bytes(bytes)?;
        Ok(match weights.kind {
            Kind::Linear => Self::Linear(Arc::new(Linear::new(weights, features))),
            Kind::Embedding => Self::Embedding(Arc::new(Embedding::new(weights, features))),
        })
    }

    /// Score of a standard position that is not over, in centidiscs for the mover, within ±[`LIMIT`].
    pub fn evaluate(&self, board: Board) -> i32 {
        self.evaluate_with(board, board.moves())
    }

    /// The same for whoever knows the mover's moves already.
    #[inline]
    pub fn evaluate_with(&self, board: Board, moves: u64) -> i32 {
        match self {
            Self::HandMade => handmade::evaluate(board, moves),
            Self::Linear(linear) => linear.evaluate(board, moves),
            Self::Embedding(embedding) => embedding.evaluate(board, moves),
        }
    }

    /// For scores of several positions that are one move apart from `board`: what they have in common is found once.
    #[inline]
    pub fn after(&self, board: Board) -> After<'_> {
        let before = match self {
            Self::HandMade => States::ZERO,
            Self::Linear(linear) => linear.features().states(board.pass()),
            Self::Embedding(embedding) => embedding.features().states(board.pass()),
        };
        After {
            evaluator: self,
            board,
            before,
        }
    }

    /// Short name for `--version` and reports.
    pub fn name(&self) -> &str {
        match self {
            Self::HandMade => "hand-made",
            Self::Linear(linear) => linear.name(),
            Self::Embedding(embedding) => embedding.name(),
        }
    }
}

/// Scores of the positions after the moves of one position: see [`Evaluator::after`].
pub struct After<'a> {
    evaluator: &'a Evaluator,
    board: Board,
    /// Of the features of the position, seen from the side that waits; there are none without weights.
    before: States,
}

impl After<'_> {
    /// As [`Evaluator::evaluate_with`] of `child`, which is the position after a move on `square`; `moves` are its mover's.
    #[inline]
    pub fn evaluate(&self, square: Square, child: Board, moves: u64) -> i32 {
        // The mover's discs that were the opponent's before.
        let flips = child.opponent & self.board.opponent;
        match self.evaluator {
            Evaluator::HandMade => handmade::evaluate(child, moves),
            Evaluator::Linear(linear) => linear.evaluate_after(child, moves, &self.before, square, flips),
            Evaluator::Embedding(embedding) => {
                embedding.evaluate_after(child, moves, &self.before, square, flips)
            }
        }
    }
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Evaluator").field(&self.name()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Squares;

    #[test]
    fn scores_after_a_move_are_those_of_the_position_after_it() {
        let linear = weights::tests::random(Kind::Linear, 8, 3).to_bytes();
        let narrow = weights::tests::random(Kind::Embedding, 8, 3).to_bytes();
        let [linear, narrow] = [linear, narrow].map(|bytes| Evaluator::from_bytes(&bytes).unwrap());
        for evaluator in [Evaluator::HandMade, Evaluator::embedded(), linear, narrow] {
            let mut board = Board::START;
            while !board.is_over() {
                let after = evaluator.after(board);
                for square in Squares(board.moves()) {
                    let child = board.play(square);
                    let score = after.evaluate(square, child, child.moves());
                    assert_eq!(score, evaluator.evaluate(child), "{evaluator:?} {board:?}");
                }
                let last = Squares(board.moves()).last();
                board = last.map_or(board.pass(), |square| board.play(square));
            }
        }
    }

    #[test]
    fn the_built_in_weights_are_sound_and_small() {
        assert!(matches!(Evaluator::embedded(), Evaluator::Embedding(_)));
        assert!(EMBEDDED.len() < 16 << 20);
        assert!(Evaluator::embedded().evaluate(Board::START).abs() < 400);
        assert_eq!(Evaluator::embedded().name(), Evaluator::embedded_name());
    }
}
