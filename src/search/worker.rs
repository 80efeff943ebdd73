//! What one thread of a search carries about.

use super::endgame::NearTable;
use super::eval_cache::EvalCache;
use super::probcut::Margins;
use super::split::{Pool, SplitPoint};
use super::table::Table;
use super::{Limits, Stop};
use crate::board::Wide;
use crate::clock::Stopwatch;
use crate::eval::Evaluator;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What all threads of a search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub evaluator: &'a Evaluator,
    pub margins: &'a Margins,
    /// The kernels of AVX-512, if the processor has them.
    pub wide: Option<Wide>,
    stop: &'a Stop,
    watch: &'a dyn Stopwatch,
    hard: Option<Duration>,
    node_limit: Option<u64>,
    /// Raised by the first thread that finds a limit reached, so that all end.
    halt: AtomicBool,
    /// Nodes of all threads, as far as they have told.
    nodes: AtomicU64,
}

impl<'a> Shared<'a> {
    pub fn new(
        table: &'a Table,
        evaluator: &'a Evaluator,
        margins: &'a Margins,
        limits: &Limits,
        watch: &'a dyn Stopwatch,
        stop: &'a Stop,
    ) -> Self {
        Self {
            table,
            evaluator,
            margins,
            wide: Wide::detect(),
            stop,
            watch,
            hard: limits.budget.map(|budget| budget.hard),
            node_limit: limits.nodes,
            halt: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Nodes of all threads that have told theirs.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Ends all threads of this search.
    pub fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }
}

/// Tables that a thread has for itself, from one search to the next.
pub struct OwnTables {
    pub near: NearTable,
    pub scores: EvalCache,
}

impl OwnTables {
    pub fn new() -> Self {
        Self {
            near: NearTable::new(),
            scores: EvalCache::new(),
        }
    }
}

/// One thread of a search.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub own: &'a mut OwnTables,
    /// Visited nodes not yet told to [`Shared`].
    pub nodes: u64,
    /// Set once the search must end. Scores that come back afterwards mean nothing and must not be stored.
    pub aborted: bool,
    /// Other threads of this search, if there are any.
    pub pool: Option<&'a Pool>,
    /// The innermost shared node on which this thread works.
    pub split: Option<Arc<SplitPoint>>,
    polls: u32,
}

impl<'a> Worker<'a> {
    /// Polls between two looks at the clock: a poll happens every few microseconds.
    const POLLS_A_LOOK: u32 = 32;

    pub fn new(shared: &'a Shared<'a>, own: &'a mut OwnTables, pool: Option<&'a Pool>) -> Self {
        Self {
            shared,
            own,
            nodes: 0,
            aborted: false,
            pool,
            split: None,
            polls: 0,
        }
    }

    /// True if the search must end now. Asked at every node but the cheapest.
    #[inline]
    pub fn poll(&mut self) -> bool {
        if self.aborted {
            return true;
        }
        self.polls += 1;
        if self.polls >= Self::POLLS_A_LOOK {
            self.look();
        }
        self.aborted = self.must_end() || self.split.as_ref().is_some_and(|point| point.is_cut());
        self.aborted
    }

    /// True if the whole search must end.
    fn must_end(&self) -> bool {
        self.shared.stop.is_requested() || self.shared.halt.load(Ordering::Relaxed)
    }

    /// After work under a shared node that was cut: the thread goes on if that node alone was of no more interest.
    pub fn recover(&mut self) {
        self.aborted =
            self.aborted && (self.must_end() || self.split.as_ref().is_some_and(|point| point.is_cut()));
    }

    #[cold]
    fn look(&mut self) {
        self.polls = 0;
        self.tell_nodes();
        let shared = self.shared;
        let out_of_nodes = shared.node_limit.is_some_and(|limit| shared.nodes() >= limit);
        let out_of_time = shared.hard.is_some_and(|hard| shared.elapsed() >= hard);
        if out_of_nodes || out_of_time {
            shared.halt();
        }
    }

    /// Adds this thread's nodes to the common count.
    pub fn tell_nodes(&mut self) {
        self.shared
            .nodes
            .fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
    }
}
