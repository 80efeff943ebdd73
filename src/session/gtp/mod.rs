//! The GTP session: commands from a controller, one answer to each, in order.
//!
//! Commands that come while a search runs wait for its end, as the protocol has it; only GoGui's comment `# interrupt` makes
//! the search answer at once.

mod clock;
mod load;
mod table;
mod text;

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use outflank_protocol::gtp::{self, Command, Failure, Reply, Request};
use tokio::time::sleep_until;

use self::clock::Clocks;
use self::table::Table;
use super::io::{Line, MAX_LINE, Sink, Source};
use super::job::{Event, Job, Maker, Seat, Work, overhead};
use crate::clock::{Budget, allocate};
use crate::engine::{Answer, Task};
use crate::rules::{Color, Counting, Game, Move, Rules};
use crate::search::Limits;

/// What a session is made with.
#[derive(Clone)]
pub struct Options {
    /// Makes the engine, on a thread of its own.
    pub engine: Maker,
    /// The rules until `set_game` says otherwise.
    pub rules: Rules,
    /// What limits every search, besides the clock that the controller tells of.
    pub limits: Limits,
}

const NAME: &str = "Outflank";
/// For a search that neither a limit nor a clock would end.
const UNLIMITED: Duration = Duration::from_secs(2);
/// After the end of the input searches are cut short at this, so that everything asked for is answered within ten seconds.
const LAST_ANSWERS: Duration = Duration::from_secs(9);
/// Commands that wait for the end of a search, at most; then nothing is read until it has ended.
const MAX_WAITING: usize = 1000;
/// The same in bytes of their lines.
const MAX_WAITING_BYTES: usize = 4 * MAX_LINE;

/// Speaks GTP until `quit`, or until the input has ended and everything asked for is answered.
///
/// # Errors
/// If the output is closed, or the operating system gives no thread.
pub async fn run(source: impl Source, sink: impl Sink, options: Options) -> io::Result<()> {
    let mut session = Session {
        source,
        sink,
        seat: Seat::new(options.engine)?,
        limits: options.limits,
        table: Table::start(options.rules),
        clocks: Clocks::default(),
        waiting: VecDeque::new(),
        waiting_bytes: 0,
        running: None,
        last_answers: None,
    };
    let ended = session.talk().await;
    if let Some(mut running) = session.running.take() {
        session.seat.cut_short(&mut running.job);
    }
    ended
}

struct Session<I, O> {
    source: I,
    sink: O,
    seat: Seat,
    limits: Limits,
    table: Table,
    clocks: Clocks,
    /// What came while a search ran, in order.
    waiting: VecDeque<Line>,
    waiting_bytes: usize,
    running: Option<Running>,
    /// Set when the input has ended, or with `quit`: when the last answers are due.
    last_answers: Option<Instant>,
}

/// A `genmove` or `reg_genmove` being worked on.
struct Running {
    job: Job,
    id: Option<u32>,
    color: Color,
    /// The position that is searched, with `color` to move.
    game: Game,
    /// `genmove`: the move is played, and its time goes off the clock.
    played: bool,
    /// When the request arrived.
    at: Instant,
}

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
                && let Some(line) = self.waiting.pop_front()
            {
                self.waiting_bytes -= line.text.len();
                // It could not have begun earlier.
                if self.obey(&line, Instant::now())? == Next::Quit {
                    return Ok(());
                }
            }
            // 2. Is there anything to come?
            let full = self.waiting.len() >= MAX_WAITING || self.waiting_bytes >= MAX_WAITING_BYTES;
            let late = self.last_answers.is_some_and(|due| due <= Instant::now());
            match &self.running {
                None if self.last_answers.is_some() => return Ok(()),
                Some(running) if late => running.job.hurry(),
                _ => {}
            }
            // 3. The next thing that happens.
            let due = self.last_answers.filter(|_| !late);
            tokio::select! {
                biased;
                event = next_event(&mut self.running) => self.hear(event)?,
                line = self.source.next(), if self.last_answers.is_none() && !full => match line {
                    Some(line) => {
                        if self.take(line)? == Next::Quit {
                            return Ok(());
                        }
                    }
                    None => self.last_answers = Some(Instant::now() + LAST_ANSWERS),
                },
                () = sleep_until(due.unwrap_or_else(Instant::now).into()), if due.is_some() => {}
            }
        }
    }

    /// One line from the controller: obeyed at once, or kept until the running search has answered.
    fn take(&mut self, line: Line) -> io::Result<Next> {
        log::debug!("< {}", line.text);
        let Some(running) = &self.running else {
            let at = line.at;
            return self.obey(&line, at);
        };
        match gtp::Line::read(&line.text) {
            gtp::Line::Nothing => return Ok(Next::Continue),
            gtp::Line::Interrupt => {
                running.job.hurry();
                return Ok(Next::Continue);
            }
            // Nobody will listen for long. But a script that ends with it wants good answers all the same.
            gtp::Line::Request(Request {
                command: Ok(Command::Quit),
                ..
            }) => self.last_answers = Some(Instant::now() + LAST_ANSWERS),
            gtp::Line::Request(_) => {}
        }
        self.waiting_bytes += line.text.len();
        self.waiting.push_back(line);
        Ok(Next::Continue)
    }

    /// Does what a line says, which arrived at `at`. No search runs.
    fn obey(&mut self, line: &Line, at: Instant) -> io::Result<Next> {
        let gtp::Line::Request(Request { id, command }) = gtp::Line::read(&line.text) else {
            return Ok(Next::Continue);
        };
        if line.is_cut() {
            let bytes = line.bytes;
            let problem = format!("a line of {bytes} bytes is too long, {MAX_LINE} is the limit");
            self.answer(id, Err(Failure::Other(problem)))?;
            return Ok(Next::Continue);
        }
        let command = match command {
            Ok(command) => command,
            Err(error) => {
                log::warn!("{error}");
                self.answer(id, Err(error.into()))?;
                return Ok(Next::Continue);
            }
        };
        match command {
            Command::Genmove(color) => self.think(id, color, true, at)?,
            Command::RegGenmove(color) => self.think(id, color, false, at)?,
            Command::Quit => {
                self.answer(id, Ok(String::new()))?;
                return Ok(Next::Quit);
            }
            command => {
                let text = self.perform(command);
                self.answer(id, text)?;
            }
        }
        Ok(Next::Continue)
    }

    /// Does what needs no search.
    fn perform(&mut self, command: Command) -> Result<String, Failure> {
        let game = self.table.game();
        match command {
            Command::ProtocolVersion => return Ok("2".into()),
            Command::Name => return Ok(NAME.into()),
            Command::Version => return Ok(env!("CARGO_PKG_VERSION").into()),
            Command::KnownCommand(name) => return Ok(Command::NAMES.contains(&name.as_str()).to_string()),
            Command::ListCommands => return Ok(Command::NAMES.join("\n")),
            Command::BoardSize(8) => self.new_game(game.rules()),
            Command::BoardSize(_) => return Err(Failure::UnacceptableSize),
            Command::ClearBoard => self.new_game(game.rules()),
            Command::Komi(_) => log::info!("Othello has no komi"),
            Command::Play(color, mv) => self.table.play(color.into(), mv.into())?,
            Command::Undo => self.table.undo()?,
            Command::TimeSettings(settings) => self.clocks.set(settings),
            Command::TimeLeft { color, time, stones } => self.clocks.report(color.into(), time, stones),
            Command::FinalScore => return self.result().map(text::score),
            Command::ShowBoard => return Ok(text::board(game)),
            Command::LoadSgf { file, before } => {
                let game = load::game(game.rules(), &file, before).map_err(Failure::CannotLoad)?;
                self.new_game(game.rules());
                self.table = Table::new(game);
            }
            Command::SetGame(name) => {
                let rules = name
                    .to_ascii_lowercase()
                    .parse()
                    .map_err(|_| Failure::UnsupportedGame)?;
                self.new_game(rules);
            }
            Command::ListGames => return Ok(Rules::ALL.map(text::game_name).join("\n")),
            Command::RulesGameId => return Ok(text::game_name(game.rules())),
            Command::RulesBoard => return Ok(text::gogui_board(game.position())),
            Command::RulesBoardSize => return Ok("8".into()),
            Command::RulesLegalMoves => return Ok(text::legal_moves(game)),
            Command::RulesSideToMove => return Ok(text::side(game.position().mover).into()),
            Command::RulesFinalResult => return self.result().map(text::result),
            // Answered where they are read, or by doing nothing.
            Command::Genmove(_) | Command::RegGenmove(_) | Command::Quit | Command::Interrupt => {}
        }
        Ok(String::new())
    }

    fn result(&self) -> Result<crate::rules::Tally, Failure> {
        self.table
            .game()
            .result(Counting::Tournament)
            .ok_or(Failure::CannotScore)
    }

    fn new_game(&mut self, rules: Rules) {
        self.table = Table::start(rules);
        // The controller may start a clock after this.
        self.seat.renew();
        self.clocks.restart();
    }

    /// Starts the search for a move of `color`; a pass that is the only move is found without one.
    fn think(
        &mut self,
        id: Option<u32>,
        color: outflank_protocol::Color,
        played: bool,
        at: Instant,
    ) -> io::Result<()> {
        let color = color.into();
        let game = match self.table.turn_of(color) {
            Ok(game) => game,
            Err(failure) => return self.answer(id, Err(failure)),
        };
        if game.is_over() || game.moves().must_pass() {
            let done = if played {
                self.table.play(color, Move::Pass)
            } else {
                Ok(())
            };
            return self.answer(id, done.map(|()| text::vertex(Move::Pass)));
        }
        let limits = self.limits(color, &game, played);
        log::debug!("{color} with {limits:?}");
        let work = Work::Search(Box::new(game.clone()), Task::Move);
        let job = self.seat.start(work, limits, at)?;
        self.running = Some(Running {
            job,
            id,
            color,
            game,
            played,
            at,
        });
        Ok(())
    }

    /// The limits of the session and of the clock together. A regression test has no clock.
    fn limits(&self, color: Color, game: &Game, clock: bool) -> Limits {
        let own_moves = game.position().board.empties().div_ceil(2);
        let clock = self.clocks.clock(color, own_moves).filter(|_| clock);
        let by_clock = clock.map(|clock| allocate(&clock, own_moves, overhead(clock.remaining)));
        let budget = match (self.limits.budget, by_clock) {
            (Some(a), Some(b)) => Some(Budget {
                soft: a.soft.min(b.soft),
                hard: a.hard.min(b.hard),
            }),
            (a, b) => a.or(b),
        };
        let unlimited = self.limits.depth.is_none() && self.limits.nodes.is_none() && budget.is_none();
        Limits {
            budget: budget.or(unlimited.then_some(Budget::per_move(UNLIMITED))),
            ..self.limits
        }
    }

    /// The running job said something.
    fn hear(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Done(answer) => self.finish(answer),
            Event::Report(report) => {
                log::debug!("{report:?}");
                Ok(())
            }
            Event::Value(..) => Ok(()),
        }
    }

    /// The running job is finished.
    fn finish(&mut self, answer: Option<Answer>) -> io::Result<()> {
        let Some(Running {
            id,
            color,
            game,
            played,
            at,
            ..
        }) = self.running.take()
        else {
            return Ok(());
        };
        // Whatever happened to the search: there is a legal move, or none would have been started.
        let best = answer
            .and_then(|answer| answer.best)
            .or_else(|| game.moves().iter().next())
            .unwrap_or(Move::Pass);
        let done = if played {
            self.clocks.spend(color, at.elapsed());
            self.table.play(color, best)
        } else {
            Ok(())
        };
        self.answer(id, done.map(|()| text::vertex(best)))
    }

    fn answer(&mut self, id: Option<u32>, text: Result<String, Failure>) -> io::Result<()> {
        let reply = Reply {
            id,
            text: text.map_err(|failure| failure.to_string()),
        }
        .to_string();
        // Errors quote what came in.
        let reply = reply.replace(|c: char| !c.is_ascii(), "?");
        log::debug!("> {}", reply.trim_end());
        // The line end that the sink adds makes the empty line after the answer.
        self.sink.line(&reply)
    }
}

#[cfg(test)]
mod tests;
