//! Engines on threads of their own: one for each match that may be played at once.

use super::action::{Token, Verdict};
use crate::clock::{Budget, Stopwatch};
use crate::engine::{Engine, Task};
use crate::rules::{Game, Position};
use crate::search::{Grade, Limits, Report, Stop};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

/// Something that finds moves: the engine, or a quick stand-in for tests.
pub trait Thinker: Send {
    /// Searches a position until the budget is used up (without one: until it is done) or `stop` is given. Blocks.
    fn think(
        &mut self,
        position: &Position,
        budget: Option<Budget>,
        watch: &dyn Stopwatch,
        stop: &Stop,
    ) -> Verdict;

    /// A new match begins.
    fn forget(&mut self);
}

impl Thinker for Engine {
    fn think(
        &mut self,
        position: &Position,
        budget: Option<Budget>,
        watch: &dyn Stopwatch,
        stop: &Stop,
    ) -> Verdict {
        let limits = Limits {
            budget,
            ..Limits::default()
        };
        let game = Game::from_position(*position);
        let answer = self.search(&game, Task::Move, &limits, watch, stop, &mut |_: &Report| {});
        let line = answer.report.lines.first();
        Verdict {
            best: answer.best,
            discs: line.map_or(0.0, |line| line.score.discs()),
            exact: line.is_some_and(|line| line.grade == Grade::Exact),
        }
    }

    fn forget(&mut self) {
        self.new_game();
    }
}

/// Makes the engine of a slot.
pub type Make = Arc<dyn Fn(usize) -> Box<dyn Thinker> + Send + Sync>;

/// What an engine thread is told.
enum Job {
    Think {
        token: Token,
        position: Position,
        budget: Budget,
        since: Instant,
        stop: Stop,
    },
    Ponder {
        position: Position,
        stop: Stop,
    },
    Forget,
}

/// An engine on its thread. Dropping it ends the thread.
pub(super) struct Worker {
    jobs: mpsc::Sender<Job>,
    /// Of the last job.
    stop: Stop,
    /// Searches that have not answered.
    thinking: Arc<AtomicUsize>,
}

impl Worker {
    /// Starts a thread with an engine of `make`, which is made anew should a search panic.
    pub fn start(slot: usize, make: Make, answers: UnboundedSender<(Token, Verdict)>) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let thinking = Arc::new(AtomicUsize::new(0));
        let pending = Arc::clone(&thinking);
        thread::Builder::new()
            .name(format!("engine-{slot}"))
            .spawn(move || work(&receiver, &|| make(slot), &answers, &pending))?;
        Ok(Self {
            jobs: sender,
            stop: Stop::new(),
            thinking,
        })
    }

    /// Ends what runs, which still answers, and searches.
    pub fn think(&mut self, token: Token, position: Position, budget: Budget, since: Instant) {
        self.thinking.fetch_add(1, Ordering::Relaxed);
        let stop = self.fresh_stop();
        self.tell(Job::Think {
            token,
            position,
            budget,
            since,
            stop,
        });
    }

    /// Thinks until told otherwise; not if a search runs.
    pub fn ponder(&mut self, position: Position) {
        if self.thinking.load(Ordering::Relaxed) == 0 {
            let stop = self.fresh_stop();
            self.tell(Job::Ponder { position, stop });
        }
    }

    /// Ends what runs and clears the tables.
    pub fn rest(&mut self) {
        self.fresh_stop();
        self.tell(Job::Forget);
    }

    fn fresh_stop(&mut self) -> Stop {
        self.stop.request();
        self.stop = Stop::new();
        self.stop.clone()
    }

    fn tell(&self, job: Job) {
        if self.jobs.send(job).is_err() {
            log::error!("an engine thread has ended");
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.request();
    }
}

fn work(
    jobs: &mpsc::Receiver<Job>,
    make: &dyn Fn() -> Box<dyn Thinker>,
    answers: &UnboundedSender<(Token, Verdict)>,
    thinking: &AtomicUsize,
) {
    let mut engine = make();
    for job in jobs {
        let (position, budget, since, stop, token) = match job {
            Job::Forget => {
                engine.forget();
                continue;
            }
            Job::Ponder { position, stop } => (position, None, Instant::now(), stop, None),
            Job::Think {
                token,
                position,
                budget,
                since,
                stop,
            } => (position, Some(budget), since, stop, Some(token)),
        };
        let found = catch_unwind(AssertUnwindSafe(|| {
            engine.think(&position, budget, &since, &stop)
        }));
        let verdict = found.unwrap_or_else(|_| {
            log::error!("a search panicked on {position:?}");
            // Its tables may be in any state.
            engine = make();
            Verdict {
                best: None,
                discs: 0.0,
                exact: false,
            }
        });
        if let Some(token) = token {
            thinking.fetch_sub(1, Ordering::Relaxed);
            if answers.send((token, verdict)).is_err() {
                return;
            }
        }
    }
}
