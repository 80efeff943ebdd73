//! A search on its own thread, so that the session hears every line at once.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::engine::{Answer, Engine, Task};
use crate::rules::Game;
use crate::search::{Limits, Report, Score, Stop};

/// What a running job says. A job ends with `Done`, or by saying nothing more if its thread died.
#[derive(Debug)]
pub enum Event {
    /// The state of a search after an iteration.
    Report(Report),
    /// The value of a position of the game, for its mover, after that many moves.
    Value(usize, Score),
    /// The job is finished.
    Done(Option<Answer>),
}

/// What a job does.
#[derive(Debug)]
pub enum Work {
    /// One search.
    Search(Box<Game>, Task),
    /// The value of each position, in this order.
    Values(Vec<Game>),
}

/// A running job: the channel that it talks through, and its stop signal.
pub struct Job {
    stop: Stop,
    events: mpsc::UnboundedReceiver<Event>,
}

impl Job {
    /// Asks the search to answer with what it has.
    pub fn hurry(&self) {
        self.stop.request();
    }

    /// The next event. Loses none if the future is dropped.
    pub async fn next(&mut self) -> Event {
        self.events.recv().await.unwrap_or(Event::Done(None))
    }
}

/// How an engine is made. It may take a while.
pub type Maker = Arc<dyn Fn() -> Engine + Send + Sync>;

/// What is lost outside the search with each move: pipes and a busy machine. Less in a hurry, or nothing would be left.
pub fn overhead(remaining: Duration) -> Duration {
    (remaining / 100).clamp(Duration::from_millis(2), Duration::from_millis(50))
}

/// The engine, wherever it is.
pub struct Seat {
    maker: Maker,
    place: Place,
    /// Its memory has been written to at least once: a system gives memory only then, and takes its time.
    warm: bool,
    /// It knows nothing of earlier searches, and is warm.
    clean: bool,
}

enum Place {
    Here(Box<Engine>),
    /// On a thread that makes it or searches with it, and brings it back.
    Away(JoinHandle<Box<Engine>>),
    /// Its thread died.
    Lost,
}

impl Place {
    /// Waits until the engine is here; a lost one is replaced.
    fn engine(self, maker: &Maker) -> Box<Engine> {
        let found = match self {
            Self::Here(engine) => Some(engine),
            Self::Away(thread) => thread.join().ok(),
            Self::Lost => None,
        };
        found.unwrap_or_else(|| Box::new(maker()))
    }
}

impl Seat {
    /// Makes an engine on a thread of its own: the session can greet meanwhile.
    ///
    /// # Errors
    /// If the operating system gives no thread.
    pub fn new(maker: Maker) -> io::Result<Self> {
        let make = Arc::clone(&maker);
        let thread = spawn("engine", move || Box::new(make()))?;
        Ok(Self {
            maker,
            place: Place::Away(thread),
            warm: false,
            clean: false,
        })
    }

    /// Waits until the engine is made and lets it forget earlier searches; no job may be running. Done here, it costs no
    /// move any time.
    pub fn renew(&mut self) {
        if !self.clean {
            let place = std::mem::replace(&mut self.place, Place::Lost);
            let maker = Arc::clone(&self.maker);
            // Should making it fail, then not on the session's own thread.
            let thread = spawn("engine", move || {
                let mut engine = place.engine(&maker);
                engine.new_game();
                engine
            });
            if let Ok(Ok(engine)) = thread.map(JoinHandle::join) {
                self.place = Place::Here(engine);
                (self.warm, self.clean) = (true, true);
            }
        }
    }

    /// Waits until nothing of the engine is left to be made during its first search; no job may be running.
    pub fn ready(&mut self) {
        if !self.warm {
            self.renew();
        }
    }

    /// Starts a job as soon as the engine is free. `at` is when the request arrived.
    ///
    /// # Errors
    /// If the operating system gives no thread.
    pub fn start(&mut self, work: Work, limits: Limits, at: Instant) -> io::Result<Job> {
        let stop = Stop::new();
        let (sender, events) = mpsc::unbounded_channel();
        let place = std::mem::replace(&mut self.place, Place::Lost);
        let (maker, signal) = (Arc::clone(&self.maker), stop.clone());
        let thread = spawn("search", move || {
            let mut engine = place.engine(&maker);
            let answer = work.perform(&mut engine, &limits, at, &signal, &sender);
            // Nobody may be listening any more.
            let _ = sender.send(Event::Done(answer));
            engine
        })?;
        self.place = Place::Away(thread);
        (self.warm, self.clean) = (true, false);
        Ok(Job { stop, events })
    }

    /// Cuts the job short and waits until its thread has ended; what it had found by then.
    pub fn cut_short(&mut self, job: &mut Job) -> Option<Answer> {
        job.hurry();
        if let Place::Away(thread) = std::mem::replace(&mut self.place, Place::Lost) {
            match thread.join() {
                Ok(engine) => self.place = Place::Here(engine),
                Err(_) => log::error!("the search thread died"),
            }
        }
        // Nothing is on its way any more: all that it said is in the channel.
        let mut answer = None;
        while let Ok(event) = job.events.try_recv() {
            if let Event::Done(found) = event {
                answer = found;
            }
        }
        answer
    }
}

fn spawn<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    thread::Builder::new().name(name.into()).spawn(run)
}

impl Work {
    fn perform(
        self,
        engine: &mut Engine,
        limits: &Limits,
        at: Instant,
        stop: &Stop,
        events: &mpsc::UnboundedSender<Event>,
    ) -> Option<Answer> {
        // A failed send means that the session went on without us; the stop signal says the same.
        match self {
            Self::Search(game, task) => {
                let mut on_report = |report: &Report| {
                    let _ = events.send(Event::Report(report.clone()));
                };
                Some(engine.search(&game, task, limits, &at, stop, &mut on_report))
            }
            Self::Values(stages) => {
                for (ply, game) in stages.iter().enumerate() {
                    if stop.is_requested() {
                        break;
                    }
                    let answer = engine.search(game, Task::Move, limits, &Instant::now(), stop, &mut |_| {});
                    let score = match answer.report.lines.first() {
                        Some(line) => line.score,
                        None => Score::from_discs(game.position().score()),
                    };
                    let _ = events.send(Event::Value(ply, score));
                }
                None
            }
        }
    }
}
