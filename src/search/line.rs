//! The line of best play, collected while the search returns.

use crate::rules::Move;
use arrayvec::ArrayVec;

/// The longest line: 60 discs, and a pass at most between any two.
const MAX_PLIES: usize = 120;

/// A line of play, passes explicit.
#[derive(Clone, Debug, Default)]
pub struct Variation(ArrayVec<Move, MAX_PLIES>);

impl Variation {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// This line becomes `first` followed by `rest`.
    pub fn set(&mut self, first: Move, rest: &Self) {
        self.0.clear();
        self.0.push(first);
        // A line cannot be longer than the game; `take` only keeps a wrong one from ending the process.
        self.0.extend(rest.0.iter().copied().take(MAX_PLIES - 1));
    }

    pub fn moves(&self) -> &[Move] {
        &self.0
    }
}
