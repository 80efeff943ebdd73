//! Sharing a search between threads: young brothers wait (R. Feldmann, 1993). Once the first move of a node has failed to
//! cut, the others most likely all have to be searched, and idle threads may take them.
//!
//! With one thread there is no [`Pool`] and nothing here runs: the search stays deterministic.

use super::ordering::{Child, Children};
use super::worker::Worker;
use super::{Selectivity, endgame, midgame};
use crate::board::Square;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Plies, or empty squares when solving, from which a node may be shared: below, handing it over costs more than it brings.
const MIN_DEPTH: u32 = 5;
const MIN_EMPTIES: u32 = 14;

/// What is searched at a shared node.
#[derive(Clone, Copy, Debug)]
pub enum Job {
    /// The children with this many plies, in centidiscs.
    Midgame(u32),
    /// The children, that have this many empty squares, to the end, in discs.
    Endgame(u32),
}

/// A null-window node that several threads search.
pub struct SplitPoint {
    job: Job,
    alpha: i32,
    selectivity: Selectivity,
    /// The shared node above it on which its owner works.
    parent: Option<Arc<SplitPoint>>,
    /// A move above `alpha` was found: the others are of no interest any more.
    cut: AtomicBool,
    state: Mutex<State>,
}

struct State {
    children: Children,
    best: i32,
    best_square: Option<Square>,
    /// Threads at work here besides the owner.
    helpers: usize,
}

/// The shared nodes that want help, and the threads that could give it.
#[derive(Default)]
pub struct Pool {
    points: Mutex<Vec<Arc<SplitPoint>>>,
    idle: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked takes the whole search down with it; what it held is not looked at again.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SplitPoint {
    /// True if the result of work under this node is of no interest any more.
    pub fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_cut())
    }

    fn is_under(&self, other: &Arc<SplitPoint>) -> bool {
        self.parent
            .as_ref()
            .is_some_and(|parent| Arc::ptr_eq(parent, other) || parent.is_under(other))
    }

    /// Searches children until none is left.
    fn work(&self, worker: &mut Worker) {
        while let Some(child) = self.take() {
            let score = self.search(worker, &child);
            if worker.aborted {
                return;
            }
            let mut state = lock(&self.state);
            if score > state.best {
                (state.best, state.best_square) = (score, Some(child.square));
                if score > self.alpha {
                    self.cut.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    fn take(&self) -> Option<Child> {
        if self.is_cut() {
            None
        } else {
            lock(&self.state).children.next()
        }
    }

    fn search(&self, worker: &mut Worker, child: &Child) -> i32 {
        match self.job {
            Job::Midgame(depth) => -midgame::nws(worker, child.board, !self.alpha, depth, self.selectivity),
            Job::Endgame(_) => -endgame::nws(worker, child.board, !self.alpha, self.selectivity),
        }
    }
}

impl Pool {
    /// A shared node with work left, if any; the caller is counted as its helper.
    fn join(&self, wanted: impl Fn(&SplitPoint) -> bool) -> Option<Arc<SplitPoint>> {
        let points = lock(&self.points);
        points
            .iter()
            .find(|point| {
                if !wanted(point) || point.is_cut() {
                    return false;
                }
                let mut state = lock(&point.state);
                let work_left = !state.children.is_empty();
                state.helpers += usize::from(work_left);
                work_left
            })
            .cloned()
    }

    /// Helps with whatever is shared until the search ends.
    pub fn help_until_halt(&self, worker: &mut Worker) {
        self.idle.fetch_add(1, Ordering::Relaxed);
        let mut waits = 0_u32;
        while !worker.poll() {
            if let Some(point) = self.join(|_| true) {
                self.idle.fetch_sub(1, Ordering::Relaxed);
                help(worker, &point);
                self.idle.fetch_add(1, Ordering::Relaxed);
                waits = 0;
            } else {
                pause(&mut waits);
            }
        }
        worker.tell_nodes();
    }
}

/// Waits a little, and longer the longer there was nothing to do.
fn pause(waits: &mut u32) {
    *waits += 1;
    if *waits < 2000 {
        std::hint::spin_loop();
    } else {
        std::thread::sleep(std::time::Duration::from_micros(50));
    }
}

/// Works on a node shared by another thread, having joined it.
fn help(worker: &mut Worker, point: &Arc<SplitPoint>) {
    let own = worker.split.replace(Arc::clone(point));
    point.work(worker);
    worker.split = own;
    worker.recover();
    worker.tell_nodes();
    lock(&point.state).helpers -= 1;
}

/// Searches the rest of a node's children, together with threads that have nothing else to do if there are any.
/// `children` must not be empty; `best` and `best_square` are what is known of those searched before. `None` if this thread
/// searches on alone.
pub fn share(
    worker: &mut Worker,
    job: Job,
    alpha: i32,
    selectivity: Selectivity,
    children: &mut Children,
    best: i32,
    best_square: Option<Square>,
) -> Option<(i32, Option<Square>)> {
    let pool = worker.pool?;
    let big_enough = match job {
        Job::Midgame(depth) => depth >= MIN_DEPTH,
        Job::Endgame(empties) => empties >= MIN_EMPTIES,
    };
    if !big_enough || children.is_empty() || pool.idle.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let point = Arc::new(SplitPoint {
        job,
        alpha,
        selectivity,
        parent: worker.split.clone(),
        cut: AtomicBool::new(false),
        state: Mutex::new(State {
            children: std::mem::take(children),
            best,
            best_square,
            helpers: 0,
        }),
    });
    lock(&pool.points).push(Arc::clone(&point));
    let above = worker.split.replace(Arc::clone(&point));
    point.work(worker);
    // Nobody joins from here on.
    lock(&pool.points).retain(|other| !Arc::ptr_eq(other, &point));
    worker.split = above;
    worker.recover();
    // The helpers finish; until then this thread helps them.
    pool.idle.fetch_add(1, Ordering::Relaxed);
    let mut waits = 0;
    while lock(&point.state).helpers > 0 {
        if worker.aborted {
            point.cut.store(true, Ordering::Relaxed);
        } else if let Some(below) = pool.join(|other| other.is_under(&point)) {
            pool.idle.fetch_sub(1, Ordering::Relaxed);
            help(worker, &below);
            pool.idle.fetch_add(1, Ordering::Relaxed);
            waits = 0;
        }
        worker.poll();
        pause(&mut waits);
    }
    pool.idle.fetch_sub(1, Ordering::Relaxed);
    let state = lock(&point.state);
    Some((state.best, state.best_square))
}
