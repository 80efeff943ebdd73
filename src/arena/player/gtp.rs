//! An engine that speaks GTP.

use super::super::config::{Dialect, Passes};
use super::super::fault::{Failure, Fault, Kind};
use super::super::pace::{GameClock, Pace, TimeControl};
use super::super::span::Span;
use super::hired::{Hired, hear};
use super::process::Launch;
use super::{Player, Thought, Turn};
use crate::rules::{Color, Game, Move, Position, Rules};
use crate::search::Stop;
use outflank_protocol::gtp::{Command, Reply, TimeSettings};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// What is asked of the engine besides moves.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How it is told its time.
    pub dialect: Dialect,
    /// Whether forced passes are said.
    pub passes: Passes,
    /// The rules.
    pub rules: Rules,
    /// Its limits.
    pub pace: Pace,
    /// How long it may take to start or to take in a move.
    pub start_limit: Duration,
}

/// The engine.
pub struct Gtp {
    hired: Hired,
    terms: Terms,
    identity: Option<String>,
    commands: HashSet<String>,
    /// It calls itself Outflank: times may have decimals.
    ours: bool,
    /// A `play` for a forced pass is refused, or must not be sent at all.
    implicit_passes: bool,
    /// Moves of the present game that it knows; none before the first request of a game.
    known: Option<Vec<Move>>,
}

impl Gtp {
    /// An engine that is not started yet.
    pub fn new(launch: Launch, terms: Terms, abort: Stop) -> Self {
        Self {
            hired: Hired::new(launch, abort),
            terms,
            identity: None,
            commands: HashSet::new(),
            ours: false,
            implicit_passes: false,
            known: None,
        }
    }

    fn start(&mut self) -> Result<(), Failure> {
        self.hired.start()?;
        let listed = self.ask("list_commands")?.unwrap_or_default();
        self.commands = listed.split_whitespace().map(str::to_owned).collect();
        let name = self.ask("name")?.unwrap_or_default();
        let version = if self.knows("version") {
            self.ask("version")?.unwrap_or_default()
        } else {
            String::new()
        };
        self.identity = Some(format!("{name} {version}").trim().to_owned()).filter(|i| !i.is_empty());
        self.ours = self.terms.dialect == Dialect::Outflank || name.eq_ignore_ascii_case("outflank");
        self.implicit_passes = match self.terms.passes {
            Passes::Auto => name.to_ascii_lowercase().contains("rhino"),
            Passes::Explicit => false,
            Passes::Implicit => true,
        };
        self.check()?;
        if self.knows("set_game") && self.terms.dialect != Dialect::Silent {
            let game = match self.terms.rules {
                Rules::Othello => "Othello".to_owned(),
                rules => rules.to_string(),
            };
            self.must(&Command::SetGame(game).to_string())?;
        }
        if self.knows("boardsize") {
            self.must(&Command::BoardSize(8).to_string())?;
        }
        Ok(())
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Refuses at once what the engine can't be told.
    fn check(&self) -> Result<(), Failure> {
        let Terms {
            dialect, pace, rules, ..
        } = self.terms;
        let refuse = |why: String| {
            let hint = "or set its dialect to silent (--dialect-of) if its own arguments do it";
            Err(Failure::Setup(format!("{why}; change that, {hint}")))
        };
        if dialect == Dialect::Silent {
            return Ok(());
        }
        if rules != Rules::Othello && !self.knows("set_game") {
            return refuse(format!("the engine has no word for the rules '{rules}'"));
        }
        if pace.depth.is_some() || pace.nodes.is_some() {
            return refuse("GTP has no word for a depth or a number of nodes".into());
        }
        if pace.tc.is_none() && pace.movetime.is_none() {
            return Ok(());
        }
        if !self.knows("time_settings") {
            return refuse("the engine does not know time_settings".into());
        }
        if pace.tc.is_some() && !self.knows("time_left") {
            return refuse("the engine does not know time_left".into());
        }
        match settings(pace, dialect == Dialect::Fischer) {
            Err(why) => refuse(why.into()),
            Ok(settings) if !(self.ours || whole(settings.main) && whole(settings.period)) => {
                refuse(format!("GTP times are whole seconds, and '{pace}' is not"))
            }
            Ok(_) => Ok(()),
        }
    }

    /// Sends a command and waits for its answer: the text, or that of the refusal.
    fn ask(&mut self, command: &str) -> Result<Result<String, String>, Failure> {
        let limit = self.terms.start_limit;
        let (_, _, answer) = self.exchange(command, limit)?;
        Ok(answer)
    }

    /// A command that must work.
    fn must(&mut self, command: &str) -> Result<String, Failure> {
        let refused = |text: String| Failure::Setup(format!("'{command}' was refused: {text}"));
        self.ask(command)?.map_err(refused)
    }

    /// When a command was written, when its answer began, and the answer.
    #[allow(clippy::type_complexity)]
    fn exchange(
        &mut self,
        command: &str,
        limit: Duration,
    ) -> Result<(Instant, Instant, Result<String, String>), Failure> {
        let process = self.hired.process()?;
        process.forget();
        let written = process.say(command)?;
        let mut first = None;
        let mut text = String::new();
        loop {
            let (at, line) = hear(process, written, limit, command)?;
            match first {
                // Chatter before the answer is none of it.
                None if !line.starts_with(['=', '?']) => {}
                Some(first) if line.trim().is_empty() => {
                    let reply: Reply = text
                        .parse()
                        .map_err(|_| Fault::new(Kind::Garbage, text.clone()))?;
                    return Ok((written, first, reply.text));
                }
                _ => {
                    first.get_or_insert(at);
                    text += &line;
                    text.push('\n');
                }
            }
        }
    }

    /// Tells the engine the moves that it does not know.
    fn catch_up(&mut self, game: &Game) -> Result<(), Failure> {
        let history = game.history();
        let known = match self.known.take() {
            Some(known) if history.starts_with(&known) => known.len(),
            _ => {
                self.must(&Command::ClearBoard.to_string())?;
                if *game.start() != Position::start(game.rules()) {
                    let why = "GTP has no word for a position: it needs openings that are lines of moves";
                    return Err(Failure::Setup(why.into()));
                }
                self.tell_time()?;
                0
            }
        };
        let mut replay = Game::from_position(*game.start());
        for (ply, &mv) in history.iter().enumerate() {
            let color = replay.position().mover;
            let forced = replay.moves().must_pass();
            // The history is that of a game.
            let _ = replay.play(mv);
            if ply < known || (mv == Move::Pass && forced && self.implicit_passes) {
                continue;
            }
            let command = Command::Play(color.into(), mv.into()).to_string();
            if let Err(refusal) = self.ask(&command)? {
                if mv != Move::Pass || !forced {
                    let detail = format!("'{command}' was refused: {refusal}");
                    return Err(Fault::new(Kind::Refused, detail).into());
                }
                // Some engines take a forced pass as understood.
                self.implicit_passes = true;
            }
        }
        self.known = Some(history.to_vec());
        Ok(())
    }

    fn tell_time(&mut self) -> Result<(), Failure> {
        let Terms { dialect, pace, .. } = self.terms;
        if dialect == Dialect::Silent || (pace.tc.is_none() && pace.movetime.is_none()) {
            return Ok(());
        }
        let settings =
            settings(pace, dialect == Dialect::Fischer).map_err(|why| Failure::Setup(why.into()))?;
        self.must(&Command::TimeSettings(settings).to_string()).map(drop)
    }

    fn tell_clocks(&mut self, clocks: &[GameClock; 2]) -> Result<(), Failure> {
        if self.terms.dialect == Dialect::Silent || self.terms.pace.tc.is_none() {
            return Ok(());
        }
        for (color, clock) in Color::BOTH.into_iter().zip(clocks) {
            if clock.pace().tc.is_none() {
                continue;
            }
            let (time, stones) = clock.period().unwrap_or((clock.main(), 0));
            // Cut off, so that nobody is told of time that is not there.
            let time = if self.ours {
                time
            } else {
                Duration::from_secs(time.as_secs())
            };
            self.must(
                &Command::TimeLeft {
                    color: color.into(),
                    time,
                    stones,
                }
                .to_string(),
            )?;
        }
        Ok(())
    }

    fn genmove(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        self.catch_up(turn.game)?;
        self.tell_clocks(turn.clocks)?;
        let command = Command::Genmove(turn.color().into()).to_string();
        let (written, answered, answer) = self.exchange(&command, turn.hard_limit)?;
        let text = answer.map_err(|text| Fault::new(Kind::Refused, format!("'{command}': {text}")))?;
        if text.eq_ignore_ascii_case("resign") {
            return Err(Fault::new(Kind::Resigned, "by its own word").into());
        }
        let parsed = text.parse::<outflank_protocol::Move>();
        let mv: Move = parsed
            .map_err(|e| Fault::new(Kind::Garbage, e.to_string()))?
            .into();
        if let Some(known) = &mut self.known {
            known.push(mv);
        }
        Ok(Thought {
            mv,
            elapsed: answered.saturating_duration_since(written),
            eval: None,
            nodes: None,
        })
    }
}

/// A pace in the words of `time_settings`; with `fischer`, a period without stones is an increment. The meaning is that of
/// GTP 2: a period of so many stones after the main time, and no period at all with zeros.
fn settings(pace: Pace, fischer: bool) -> Result<TimeSettings, &'static str> {
    if let Some(time) = pace.movetime {
        return Ok(TimeSettings {
            main: Duration::ZERO,
            period: time.0,
            stones: 1,
        });
    }
    let Some(TimeControl {
        main,
        increment,
        extension,
        byoyomi,
    }) = pace.tc
    else {
        return Ok(TimeSettings::default());
    };
    if extension != Span::default() {
        return Err("GTP has no word for an extension");
    }
    match (byoyomi, increment == Span::default()) {
        (Some(_), false) => Err("GTP has no word for an increment besides byo-yomi"),
        (Some((period, stones)), true) => Ok(TimeSettings {
            main: main.0,
            period: period.0,
            stones,
        }),
        (None, true) => Ok(TimeSettings {
            main: main.0,
            period: Duration::ZERO,
            stones: 0,
        }),
        (None, false) if fischer => Ok(TimeSettings {
            main: main.0,
            period: increment.0,
            stones: 0,
        }),
        (None, false) => {
            Err("GTP has no word for an increment (dialect = \"fischer\" writes it as a period of 0 stones)")
        }
    }
}

fn whole(time: Duration) -> bool {
    time.subsec_nanos() == 0
}

impl Player for Gtp {
    fn begin(&mut self) -> Result<Option<String>, Failure> {
        self.known = None;
        if !self.hired.is_running() {
            self.start().map_err(|f| self.hired.fail(f))?;
        }
        Ok(self.identity.clone())
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        self.genmove(turn).map_err(|f| self.hired.fail(f))
    }

    fn log(&self) -> Option<String> {
        self.hired.log()
    }
}

impl Drop for Gtp {
    fn drop(&mut self) {
        self.hired.dismiss("quit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_gtp_words() {
        let words = |pace: &str, fischer| {
            let settings = settings(pace.parse().unwrap(), fischer)?;
            Ok::<_, &str>(Command::TimeSettings(settings).to_string())
        };
        assert_eq!(words("300", false).unwrap(), "time_settings 300 0 0");
        assert_eq!(words("60 byo 30x5", false).unwrap(), "time_settings 60 30 5");
        assert_eq!(words("2/move", false).unwrap(), "time_settings 0 2 1");
        assert_eq!(words("100ms/move", false).unwrap(), "time_settings 0 0.100 1");
        assert_eq!(words("300+5", true).unwrap(), "time_settings 300 5 0");
        assert!(words("300+5", false).is_err());
        assert!(words("300 ext 60", true).is_err());
    }
}
