//! An engine that speaks the NBoard protocol.

use super::super::config::Dialect;
use super::super::fault::{Failure, Fault, Kind};
use super::super::pace::Pace;
use super::hired::{Hired, hear};
use super::process::Launch;
use super::{Player, Thought, Turn};
use crate::rules::Rules;
use crate::search::Stop;
use crate::session::words;
use outflank_protocol::clock::{ClockPart, ClockSetting};
use outflank_protocol::ggf;
use outflank_protocol::nboard::{Command, Reply};
use outflank_protocol::played::Played;
use std::time::Duration;

/// `set depth` for an engine that is to be held by its clock alone: the highest level that NBoard's own list has.
const FULL_DEPTH: u32 = 60;

/// `0`, a game without a clock.
const UNTIMED: ClockSetting = ClockSetting {
    main: Some(ClockPart::seconds(0)),
    increment: None,
    extension: Some(ClockPart::seconds(0)),
};

/// What is asked of the engine besides moves.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// What it is told beyond the protocol.
    pub dialect: Dialect,
    /// The rules.
    pub rules: Rules,
    /// Its limits.
    pub pace: Pace,
    /// How long it may take to start or to take in a position.
    pub start_limit: Duration,
}

/// The engine.
pub struct Nboard {
    hired: Hired,
    terms: Terms,
    name: Option<String>,
    /// It calls itself Outflank: there are words for everything.
    extended: bool,
    ping: i64,
}

impl Nboard {
    /// An engine that is not started yet.
    pub fn new(launch: Launch, terms: Terms, abort: Stop) -> Self {
        Self {
            hired: Hired::new(launch, abort),
            terms,
            name: None,
            extended: false,
            ping: 0,
        }
    }

    fn start(&mut self) -> Result<(), Failure> {
        let Terms {
            dialect,
            rules,
            pace,
            start_limit,
        } = self.terms;
        let depth = pace.depth.map_or(FULL_DEPTH, u32::from);
        self.hired.start()?;
        self.hired
            .process()?
            .say(&lines(&[Command::Nboard(2), Command::SetDepth(depth)]))?;
        self.settle(&[], start_limit)?;
        let named = self
            .name
            .as_deref()
            .is_some_and(|n| n.eq_ignore_ascii_case("outflank"));
        self.extended = match dialect {
            Dialect::Silent => return Ok(()),
            Dialect::Outflank => true,
            Dialect::Auto => named,
            Dialect::Fischer => return Err(Failure::Setup("the dialect 'fischer' is one of GTP".into())),
        };
        let missing = if pace.tc.is_some_and(|tc| tc.byoyomi.is_some()) {
            "byo-yomi"
        } else if self.extended {
            return if rules == Rules::Othello {
                Ok(())
            } else {
                self.settle(&[Command::SetRules(rules.to_string())], start_limit)
            };
        } else if pace.movetime.is_some() {
            "a time for each move"
        } else if pace.nodes.is_some() {
            "a number of nodes"
        } else if rules != Rules::Othello {
            "other rules"
        } else {
            return Ok(());
        };
        Err(Failure::Setup(format!(
            "the NBoard protocol has no word for {missing}; give the engine a clock or a depth, or set dialect = \
             \"silent\" if its own arguments do it"
        )))
    }

    /// Sends state lines and waits until the engine has taken them in. Everything it says before is about older states.
    fn settle(&mut self, state: &[Command], limit: Duration) -> Result<(), Failure> {
        self.ping += 1;
        let process = self.hired.process()?;
        process.forget();
        let ping = Command::Ping(self.ping);
        let written = process.say(&[lines(state), ping.to_string()].concat())?;
        loop {
            let (_, line) = hear(process, written, limit, "a ping")?;
            match line.parse() {
                Ok(Reply::Pong(number)) if number == self.ping => return Ok(()),
                Ok(Reply::MyName(name)) => self.name = Some(name),
                _ => {}
            }
        }
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        let mut state = Vec::new();
        if self.extended {
            let millis = self.terms.pace.movetime.map_or(0, |t| t.0.as_millis());
            state.push(Command::SetMovetime(u32::try_from(millis).unwrap_or(u32::MAX)));
            state.push(Command::SetNodes(self.terms.pace.nodes.unwrap_or(0)));
        }
        state.push(Command::SetGame(Box::new(record(turn))));
        self.settle(&state, self.terms.start_limit)?;
        let process = self.hired.process()?;
        let written = process.say(&Command::Go.to_string())?;
        let mut nodes = None;
        loop {
            let (at, line) = hear(process, written, turn.hard_limit, "'go'")?;
            match line.parse() {
                Ok(Reply::NodeStats { nodes: said, .. }) => nodes = Some(said),
                Ok(Reply::Move(Played { mv, eval, .. })) => {
                    let elapsed = at.saturating_duration_since(written);
                    return Ok(Thought {
                        mv: mv.into(),
                        elapsed,
                        eval,
                        nodes,
                    });
                }
                // Whatever else it says is its own business, but an answer must be one.
                Err(error) if line.trim_start().starts_with("=== ") => {
                    return Err(Fault::new(Kind::Garbage, error.to_string()).into());
                }
                _ => {}
            }
        }
    }
}

/// Each with its line end.
fn lines(commands: &[Command]) -> String {
    commands.iter().map(|command| format!("{command}\n")).collect()
}

impl Player for Nboard {
    fn begin(&mut self) -> Result<Option<String>, Failure> {
        if !self.hired.is_running() {
            self.start().map_err(|f| self.hired.fail(f))?;
        }
        Ok(self.name.clone())
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        self.go(turn).map_err(|f| self.hired.fail(f))
    }

    fn log(&self) -> Option<String> {
        self.hired.log()
    }
}

impl Drop for Nboard {
    fn drop(&mut self) {
        self.hired.dismiss("quit");
    }
}

/// The game as a record, the only form in which NBoard engines get it.
fn record(turn: &Turn<'_>) -> ggf::Game {
    let start = turn.game.start();
    let mut record = ggf::Game::new(words::diagram(start));
    record.place = "outflank match".into();
    for (player, at) in [(&mut record.black, 0), (&mut record.white, 1)] {
        player.name = turn.names[at].into();
        // As it was at the start of the game: the engine takes off what its moves cost. Without one, none at all.
        let clock = turn.clocks[at].pace().tc.map_or(UNTIMED, |tc| tc.setting());
        player.clock = Some(clock);
    }
    let mut color = start.mover;
    for (&mv, time) in turn.game.history().iter().zip(turn.times) {
        let seconds = time.map(|t| t.as_millis() as f64 / 1e3);
        record.push(
            color.into(),
            Played {
                mv: mv.into(),
                eval: None,
                seconds,
            },
        );
        color = color.opposite();
    }
    record
}
