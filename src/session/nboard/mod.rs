//! The NBoard session: what a board program says, and what it hears.
//!
//! The rule that everything obeys: what stands before `pong N` belongs to the state before `ping N`, what stands after it to the
//! state at `ping N`. So a ping cuts the search short, waits until its thread has ended, prints what it had found, and only then
//! is answered. Every other command waits until a running search has answered, so that scripts can send a whole game at once.

mod library;
mod state;

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use outflank_protocol::nboard::{Candidate, Command, LineError, Reply, Value};
use outflank_protocol::played::Played;
use tokio::time::sleep_until;

use self::library::Library;
use self::state::State;
use super::io::{Line, MAX_LINE, Sink, Source};
use super::job::{Event, Job, Maker, Seat, Work, overhead};
use crate::clock::{Budget, allocate};
use crate::engine::{Answer, Task};
use crate::rules::{Counting, Move, Rules, RulesError};
use crate::search::{self, Limits, Report};

/// What a session is made with.
#[derive(Clone)]
pub struct Options {
    /// Makes the engine, on a thread of its own.
    pub engine: Maker,
    /// The rules until `set rules` says otherwise.
    pub rules: Rules,
    /// Where `learn` keeps the games; `None` keeps nothing.
    pub games_folder: Option<PathBuf>,
}

/// How we are called: one word.
const NAME: &str = "Outflank";
/// No game has more plies than this left, so that a deeper search is the same search.
const MAX_DEPTH: u32 = 60;
/// For a search that neither a depth nor a clock would end: the protocol wants `set depth` before it.
const UNLIMITED: Duration = Duration::from_secs(2);
/// After the end of the input searches are cut short at this, so that everything asked for is answered within ten seconds.
const LAST_ANSWERS: Duration = Duration::from_secs(9);
/// Commands that wait for the end of a search, at most.
const MAX_WAITING: usize = 1000;

/// The same in bytes of their lines.
const MAX_WAITING_BYTES: usize = 4 * MAX_LINE;

/// Speaks NBoard until `quit`, or until the input has ended and everything asked for is answered.
///
/// # Errors
/// If the output is closed, or the operating system gives no thread.
pub async fn run(source: impl Source, sink: impl Sink, options: Options) -> io::Result<()> {
    let mut session = Session {
        source,
        sink,
        seat: Seat::new(options.engine)?,
        library: options.games_folder.map(Library::new),
        state: State::new(options.rules),
        version: 2,
        depth: None,
        movetime: None,
        nodes: None,
        waiting: VecDeque::new(),
        waiting_bytes: 0,
        running: None,
        last_answers: None,
    };
    let ended = session.talk().await;
    if let Some(running) = &mut session.running {
        session.seat.cut_short(&mut running.job);
    }
    ended
}

struct Session<I, O> {
    source: I,
    sink: O,
    seat: Seat,
    library: Option<Library>,
    state: State,
    /// The protocol version that the board program speaks.
    version: u32,
    /// Plies of the midgame search, as last set.
    depth: Option<u8>,
    /// Time of every `go`, in place of the clock.
    movetime: Option<Duration>,
    /// Nodes of every `go`.
    nodes: Option<u64>,
    /// What came while a search ran, in order, with the length of the lines.
    waiting: VecDeque<(Parsed, usize)>,
    waiting_bytes: usize,
    running: Option<Running>,
    /// Set when the input has ended: when the last answers are due.
    last_answers: Option<Instant>,
}

/// A request being worked on.
struct Running {
    job: Job,
    request: Request,
    /// When the request arrived.
    at: Instant,
    /// The last report that was printed.
    printed: Report,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Go,
    Hint,
    Analyze,
}

/// A line as a command, or what is wrong with it.
type Parsed = Result<Command, LineError>;

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

async fn next_event(running: &mut Option<Running>) -> Event {
    match running {
        Some(running) => running.job.next().await,
        None => std::future::pending().await,
    }
}

impl<I: Source, O: Sink> Session<I, O> {
    async fn talk(&mut self) -> io::Result<()> {
        loop {
            // 1. What waited for the end of a search.
            while self.running.is_none()
                && let Some((parsed, bytes)) = self.waiting.pop_front()
            {
                self.waiting_bytes -= bytes;
                // It could not have begun earlier.
                self.obey(parsed, Instant::now())?;
            }
            // 2. Is there anything to come?
            let full = self.waiting.len() >= MAX_WAITING || self.waiting_bytes >= MAX_WAITING_BYTES;
            let late = self.last_answers.is_some_and(|due| due <= Instant::now());
            match &self.running {
                None if self.last_answers.is_some() => return Ok(()),
                // Whoever sends that much does not wait for the search; and after the end of the input nobody waits for long.
                Some(running) if full || late => running.job.hurry(),
                _ => {}
            }
            // 3. The next thing that happens.
            let due = self.last_answers.filter(|_| !late);
            tokio::select! {
                // A ping beats the answer that it makes stale.
                biased;
                line = self.source.next(), if self.last_answers.is_none() && !full => match line {
                    Some(line) => {
                        if self.take(line)? == Next::Quit {
                            return Ok(());
                        }
                    }
                    None => self.last_answers = Some(Instant::now() + LAST_ANSWERS),
                },
                event = next_event(&mut self.running) => self.hear(event)?,
                () = sleep_until(due.unwrap_or_else(Instant::now).into()), if due.is_some() => {}
            }
        }
    }

    /// One line from the board program: obeyed at once, or kept until the running search has answered.
    fn take(&mut self, line: Line) -> io::Result<Next> {
        log::debug!("< {}", line.text);
        if line.is_cut() {
            let bytes = line.bytes;
            self.complain(format!(
                "a line of {bytes} bytes is too long, {MAX_LINE} is the limit"
            ))?;
            return Ok(Next::Continue);
        }
        let parsed = line.text.parse();
        if matches!(parsed, Ok(Command::Ping(_) | Command::Quit)) {
            self.catch_up()?;
        } else if self.running.is_some() {
            self.waiting_bytes += line.text.len();
            self.waiting.push_back((parsed, line.text.len()));
            return Ok(Next::Continue);
        }
        self.obey(parsed, line.at)
    }

    /// Ends the search, with the answer that it has by now, and does what waited for it, except for further requests: their
    /// answers would be stale.
    fn catch_up(&mut self) -> io::Result<()> {
        if let Some(running) = &mut self.running {
            let answer = self.seat.cut_short(&mut running.job);
            self.finish(answer)?;
        }
        self.waiting_bytes = 0;
        for (parsed, _) in std::mem::take(&mut self.waiting) {
            if !matches!(parsed, Ok(Command::Go | Command::Hint(_) | Command::Analyze)) {
                self.obey(parsed, Instant::now())?;
            }
        }
        Ok(())
    }

    /// Does what a line says, which arrived at `at`. No search runs.
    fn obey(&mut self, parsed: Parsed, at: Instant) -> io::Result<Next> {
        let command = match parsed {
            Ok(command) => command,
            Err(error) => {
                // The protocol wants unknown commands ignored without a word.
                match error {
                    LineError::Unknown(_) => log::info!("{error}"),
                    _ => self.complain(error)?,
                }
                return Ok(Next::Continue);
            }
        };
        match command {
            Command::Nboard(version) => {
                self.version = version;
                self.say(Reply::MyName(NAME.into()))?;
            }
            Command::SetGame(record) => match State::from_record(self.state.game().rules(), *record) {
                Ok(state) => self.state = state,
                Err(refusal) => self.complain(refusal)?,
            },
            Command::SetDepth(depth) => self.depth = Some(depth.min(MAX_DEPTH) as u8),
            Command::SetContempt(_) => log::info!("without a book there is no contempt"),
            Command::SetRules(name) => match name.parse() {
                Ok(rules) => {
                    self.state = State::new(rules);
                    self.seat.renew();
                }
                Err(error) => self.complain::<RulesError>(error)?,
            },
            Command::SetMovetime(millis) => {
                // Who counts in milliseconds must not lose them to our start.
                self.seat.ready();
                self.movetime = (millis > 0).then(|| Duration::from_millis(millis.into()));
            }
            Command::SetNodes(nodes) => self.nodes = (nodes > 0).then_some(nodes),
            Command::Move(played) => {
                if let Err(refusal) = self.state.play(played) {
                    self.complain(refusal)?;
                }
            }
            Command::Hint(count) => self.hint(count, at)?,
            Command::Go => self.go(at)?,
            Command::Analyze => self.analyze(at)?,
            Command::Learn => self.learn()?,
            Command::Ping(number) => self.say(Reply::Pong(number))?,
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Continue)
    }

    fn hint(&mut self, count: u32, at: Instant) -> io::Result<()> {
        let game = self.state.game();
        if game.is_over() {
            return self.game_over();
        }
        let count = game.moves().len().min(count as usize);
        let work = Work::Search(Box::new(game.clone()), Task::Hint(count));
        self.start(Request::Hint, work, self.limits(None, None), at)
    }

    fn go(&mut self, at: Instant) -> io::Result<()> {
        let game = self.state.game();
        if game.is_over() {
            // Some drivers wait for a move whatever happens.
            self.say(Reply::Move(Played::bare(Move::Pass.into())))?;
            return self.game_over();
        }
        let own_moves = game.position().board.empties().div_ceil(2);
        let budget = match self.movetime {
            Some(time) => Some(Budget::per_move(time.saturating_sub(overhead(time)))),
            None => self
                .state
                .clock()
                .map(|clock| allocate(&clock, own_moves, overhead(clock.remaining))),
        };
        let work = Work::Search(Box::new(game.clone()), Task::Move);
        self.start(Request::Go, work, self.limits(budget, self.nodes), at)
    }

    fn analyze(&mut self, at: Instant) -> io::Result<()> {
        let stages = self.state.stages();
        let mut limits = self.limits(None, None);
        if let Some(budget) = &mut limits.budget {
            *budget = Budget::per_move(budget.hard / stages.len().max(1) as u32);
        }
        self.start(Request::Analyze, Work::Values(stages), limits, at)
    }

    /// The depth as set, this budget and these nodes; if none is known, a budget all the same.
    fn limits(&self, budget: Option<Budget>, nodes: Option<u64>) -> Limits {
        let limited = self.depth.is_some() || budget.is_some() || nodes.is_some();
        let unlimited = (!limited).then_some(Budget::per_move(UNLIMITED));
        Limits {
            depth: self.depth,
            nodes,
            budget: budget.or(unlimited),
        }
    }

    fn start(&mut self, request: Request, work: Work, limits: Limits, at: Instant) -> io::Result<()> {
        log::debug!("{request:?} with {limits:?}");
        let status = if request == Request::Go {
            "Thinking"
        } else {
            "Analyzing"
        };
        self.say(Reply::Status(status.into()))?;
        let job = self.seat.start(work, limits, at)?;
        self.running = Some(Running {
            job,
            request,
            at,
            printed: Report::default(),
        });
        Ok(())
    }

    /// The running job said something.
    fn hear(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Report(report) => self.show(&report),
            Event::Value(ply, score) => self.say(Reply::Analysis {
                ply: ply as u32,
                eval: score.discs(),
            }),
            Event::Done(answer) => self.finish(answer),
        }
    }

    /// The running job is finished.
    fn finish(&mut self, answer: Option<Answer>) -> io::Result<()> {
        if let Some(answer) = &answer {
            self.show(&answer.report)?;
        }
        let Some(Running { request, at, .. }) = self.running.take() else {
            return Ok(());
        };
        if request != Request::Go {
            return self.say(Reply::Status(String::new()));
        }
        // Whatever happened to the search: there is a legal move, or the game would be over.
        let best = answer.as_ref().and_then(|answer| answer.best);
        let Some(mv) = best.or_else(|| self.state.game().moves().iter().next()) else {
            return Ok(());
        };
        let line = answer.as_ref().and_then(|answer| answer.report.lines.first());
        let eval = line
            .filter(|line| line.pv.first() == Some(&mv))
            .map(|line| line.score.discs());
        let spent = at.elapsed();
        self.state.answer(mv, spent);
        self.say(Reply::Move(Played {
            mv: mv.into(),
            eval,
            seconds: Some(seconds(spent)),
        }))
    }

    /// Prints the lines of a report, if there is something new in it.
    fn show(&mut self, report: &Report) -> io::Result<()> {
        match &mut self.running {
            Some(running) if running.printed.lines != report.lines => running.printed = report.clone(),
            _ => return Ok(()),
        }
        for line in &report.lines {
            match candidate(line) {
                Some(candidate) => self.say(Reply::Search(candidate))?,
                None => log::error!("a line that cannot be shown: {line:?}"),
            }
        }
        if self.version >= 2 {
            self.say(Reply::NodeStats {
                nodes: report.nodes,
                seconds: seconds(report.elapsed),
            })?;
        }
        Ok(())
    }

    fn learn(&mut self) -> io::Result<()> {
        let game = self.state.game();
        let Some(library) = &self.library else {
            self.say(Reply::Learned)?;
            return self.say(Reply::Status(
                "this game was not kept: no --games-folder was given".into(),
            ));
        };
        if !game.rules().plays_as_othello() {
            return self.complain("only games of the standard rules are kept");
        }
        if game.history().is_empty() {
            return self.complain("a game without moves is not kept");
        }
        match library.add(&self.state.record()) {
            Ok(()) => self.say(Reply::Learned),
            Err(error) => {
                let problem = format!("cannot keep the game in {}: {error}", library.file().display());
                self.complain(problem)
            }
        }
    }

    /// Says that nobody moves any more, and how the game ended.
    fn game_over(&mut self) -> io::Result<()> {
        let Some(tally) = self.state.game().result(Counting::Tournament) else {
            return Ok(());
        };
        let winner = tally
            .winner()
            .map_or("a draw".to_owned(), |winner| format!("{winner} won"));
        self.say(Reply::Status(format!("the game is over: {winner} {tally}")))
    }

    /// Something was wrong with a line; the state stays as it was.
    fn complain<E: fmt::Display>(&mut self, problem: E) -> io::Result<()> {
        log::warn!("{problem}");
        self.say(Reply::Status(problem.to_string()))
    }

    fn say(&mut self, reply: Reply) -> io::Result<()> {
        let line = reply.to_string();
        log::debug!("> {line}");
        self.sink.line(&line)
    }
}

/// Seconds to the millisecond.
fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

fn candidate(line: &search::Line) -> Option<Candidate> {
    Some(Candidate {
        pv: line.pv.iter().map(|&mv| mv.into()).collect(),
        value: Value::Single(line.score.discs()),
        depth: line.grade.to_string().parse().ok()?,
        text: String::new(),
    })
    .filter(|candidate| !candidate.pv.is_empty())
}

#[cfg(test)]
mod tests;
