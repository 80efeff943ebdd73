//! An engine that speaks the NBoard protocol.

use super::super::config::Extensions;
use super::super::fault::{Failure, Fault, Kind};
use super::super::pace::{GameClock, Pace};
use super::super::transcript::{self, move_of};
use super::process::{Launch, Process};
use super::{Player, Thought, Turn};
use crate::rules::{Color, Move, Rules};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// `set depth` for an engine that is to be held by its clock alone: the highest level that NBoard's own list has.
const FULL_DEPTH: u8 = 60;

/// The engine and its process, started when first needed and after every failure.
pub struct Nboard {
    launch: Launch,
    extensions: Extensions,
    rules: Rules,
    pace: Pace,
    start_limit: Duration,
    abort: Arc<AtomicBool>,
    process: Option<Process>,
    /// The log of a process that failed.
    last_log: Option<String>,
    name: Option<String>,
    extended: bool,
    ping: u32,
}

impl Nboard {
    /// An engine that is not started yet.
    pub fn new(
        launch: Launch,
        extensions: Extensions,
        rules: Rules,
        pace: Pace,
        start_limit: Duration,
        abort: Arc<AtomicBool>,
    ) -> Self {
        Self {
            launch,
            extensions,
            rules,
            pace,
            start_limit,
            abort,
            process: None,
            last_log: None,
            name: None,
            extended: false,
            ping: 0,
        }
    }

    fn start(&mut self) -> Result<(), Failure> {
        let depth = self.pace.depth.unwrap_or(FULL_DEPTH);
        let process = self
            .process
            .insert(Process::start(&self.launch, self.abort.clone())?);
        process.say(&format!("nboard 2\nset depth {depth}"))?;
        self.settle("", self.start_limit)?;
        let named = self
            .name
            .as_deref()
            .is_some_and(|n| n.to_ascii_lowercase().starts_with("outflank"));
        self.extended = match self.extensions {
            Extensions::Auto => named,
            Extensions::Yes => true,
            Extensions::Silent => false,
        };
        if !self.extended && self.extensions == Extensions::Auto {
            let wanted = if self.pace.movetime.is_some() {
                "a time for each move"
            } else if self.pace.nodes.is_some() {
                "a number of nodes"
            } else if self.rules != Rules::Othello {
                "other rules"
            } else if self.pace.tc.is_some_and(|tc| tc.byoyomi.is_some()) {
                "byo-yomi"
            } else {
                return Ok(());
            };
            return Err(Failure::Setup(format!(
                "the NBoard protocol has no word for {wanted}; give the engine a clock or a depth, or set extensions = \
                 \"silent\" if its own arguments do it"
            )));
        }
        Ok(())
    }

    /// Sends state lines and waits until the engine has taken them in. Everything it says before is about older states.
    fn settle(&mut self, state: &str, limit: Duration) -> Result<(), Failure> {
        self.ping += 1;
        let Some(process) = &mut self.process else {
            return Ok(());
        };
        process.forget();
        let pong = format!("pong {}", self.ping);
        let written = process.say(&format!("{state}ping {}", self.ping))?;
        loop {
            let (_, line) = process
                .hear(written + limit)
                .map_err(|f| explain(f, "to a ping", limit))?;
            if line.trim() == pong {
                return Ok(());
            }
            if let Some(name) = line.trim_start().strip_prefix("set myname ") {
                self.name = name.split_whitespace().next().map(str::to_owned);
            }
        }
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        let mut state = String::new();
        if self.extended {
            if let Some(time) = self.pace.movetime {
                let _ = writeln!(state, "set movetime {}", time.0.as_millis());
            }
            if let Some(nodes) = self.pace.nodes {
                let _ = writeln!(state, "set nodes {nodes}");
            }
        }
        let _ = writeln!(state, "set game {}", ggf(turn));
        self.settle(&state, self.start_limit)?;
        let Some(process) = &mut self.process else {
            return Err(Failure::Setup("asked for a move before the game began".into()));
        };
        let written = process.say("go")?;
        let mut nodes = None;
        loop {
            let limit = turn.hard_limit;
            let (at, line) = process
                .hear(written + limit)
                .map_err(|f| explain(f, "to 'go'", limit))?;
            let line = line.trim_start();
            if let Some(rest) = line.strip_prefix("nodestats ") {
                nodes = rest.split_whitespace().next().and_then(|n| n.parse().ok());
            } else if let Some(rest) = line.strip_prefix("=== ") {
                let mut parts = rest.split(['/', ' ', '\t']).map(str::trim);
                let word = parts.next().unwrap_or_default();
                // Anything after the two characters of a square is to be ignored.
                let mv = move_of(word).or_else(|| move_of(word.get(..2)?));
                let mv = mv.ok_or_else(|| Fault::new(Kind::Garbage, format!("'{line}' names no move")))?;
                let eval = parts.find(|p| !p.is_empty()).and_then(|e| e.parse().ok());
                return Ok(Thought {
                    mv,
                    elapsed: at - written,
                    eval,
                    nodes,
                });
            }
        }
    }

    fn fail(&mut self, failure: Failure) -> Failure {
        self.last_log = self.process.take().map(|p| p.log().text());
        failure
    }
}

/// Adds to a stall what was waited for.
fn explain(failure: Failure, what: &str, limit: Duration) -> Failure {
    match failure {
        Failure::Fault(Fault {
            kind: Kind::Stall, ..
        }) => Fault::new(
            Kind::Stall,
            format!("no answer {what} within {:.1} s", limit.as_secs_f64()),
        )
        .into(),
        other => other,
    }
}

impl Player for Nboard {
    fn begin(&mut self) -> Result<Option<String>, Failure> {
        if self.process.is_none() {
            self.start().map_err(|f| self.fail(f))?;
            if self.rules != Rules::Othello && self.extended {
                let line = format!("set rules {}\n", self.rules);
                self.settle(&line, self.start_limit).map_err(|f| self.fail(f))?;
            }
        }
        Ok(self.name.clone())
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        self.go(turn).map_err(|f| self.fail(f))
    }

    fn log(&self) -> Option<String> {
        self.process
            .as_ref()
            .map(|p| p.log().text())
            .or_else(|| self.last_log.clone())
    }
}

impl Drop for Nboard {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.part("quit");
        }
    }
}

/// `M:SS.mmm`.
fn clock_text(time: Duration) -> String {
    let (seconds, ms) = (time.as_secs(), time.subsec_millis());
    let fraction = if ms == 0 {
        String::new()
    } else {
        format!(".{ms:03}")
    };
    format!("{}:{:02}{fraction}", seconds / 60, seconds % 60)
}

/// The clock as it was at the start of the game: the engine takes off what its moves cost. All three parts are written
/// out, because a missing extension means two minutes.
fn clock_setting(clock: &GameClock) -> String {
    match clock.pace().tc {
        Some(tc) => [tc.main, tc.increment, tc.extension]
            .map(|t| clock_text(t.0))
            .join("/"),
        None => "0/0/0".to_owned(),
    }
}

/// The game as one GGF record, the only form in which NBoard engines get it.
fn ggf(turn: &Turn<'_>) -> String {
    let [black, white] = turn.names.map(|n| n.replace([']', '['], ""));
    let [black_clock, white_clock] = [0, 1].map(|i| clock_setting(&turn.clocks[i]));
    let clocks = if black_clock == white_clock {
        format!("TI[{black_clock}]")
    } else {
        format!("TB[{black_clock}]TW[{white_clock}]")
    };
    let start = turn.game.start();
    let mut text = format!(
        "(;GM[Othello]PC[outflank match]PB[{black}]PW[{white}]RE[?]{clocks}TY[8]BO[8 {}]",
        transcript::diagram(start)
    );
    let mut color = start.mover;
    for (mv, time) in turn.game.history().iter().zip(turn.times) {
        let letter = if color == Color::Black { 'B' } else { 'W' };
        let word = match mv {
            Move::Place(_) => mv.to_string().to_uppercase(),
            Move::Pass => "PA".to_owned(),
        };
        let time = time
            .map(|t| format!("//{:.3}", t.as_secs_f64()))
            .unwrap_or_default();
        let _ = write!(text, "{letter}[{word}{time}]");
        color = color.opposite();
    }
    text.push_str(";)");
    text
}
