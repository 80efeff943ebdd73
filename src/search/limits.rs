//! What ends a search.

use crate::clock::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Any of these may apply, and several together; the first one reached ends the search. The default is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the midgame search. The end of the game is solved from as many empties as suit that depth.
    pub depth: Option<u8>,
    /// Visited nodes, all threads together. One thread with this limit is deterministic.
    pub nodes: Option<u64>,
    /// Time on the stopwatch handed to the search.
    pub budget: Option<Budget>,
}

/// Ends a search from another thread, within a millisecond.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A signal that nobody has given yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the search to end. It still answers with the best that it has.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True after [`Stop::request`].
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
