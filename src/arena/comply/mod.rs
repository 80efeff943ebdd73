//! Does an engine speak its protocol? Named steps, each with a verdict, for anyone's engine.
//!
//! A step that kills the engine does not spoil the next one: a new process is started for it.

mod gtp;
mod nboard;

use super::fault::{Failure, Fault, Kind};
use super::player::process::{Launch, Process};
use crate::rules::{Game, Move, Rules};
use crate::search::Stop;
use serde::Serialize;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// What came of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "verdict", content = "why", rename_all = "kebab-case")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// Against the protocol, or programs that speak it will not cope.
    Fail(String),
    /// Allowed, but good to know.
    Note(String),
}

/// A step with its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// What was tried, in a few words.
    pub name: &'static str,
    /// What came of it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// The protocols that can be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// NBoard, version 2.
    Nboard,
    /// GTP, version 2, as spoken for Othello.
    Gtp,
}

/// How far a check waits for an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// For the first answer of a new process.
    pub start: Duration,
    /// For every other answer that needs no thinking.
    pub answer: Duration,
    /// For a move at the smallest depth.
    pub think: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            answer: Duration::from_secs(5),
            think: Duration::from_secs(30),
        }
    }
}

/// Why a step does not pass.
enum Trouble {
    Fail(String),
    Note(String),
    /// Nothing can be tried.
    Broken(Failure),
}

type Tried = Result<(), Trouble>;

fn fail<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Fail(why.into()))
}

fn note<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Note(why.into()))
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Fault(fault) => Self::Fail(fault.to_string()),
            broken => Self::Broken(broken),
        }
    }
}

/// Tries every step of a protocol, telling each as soon as it is over. At the end the steps and what was said in the last
/// process that failed a step, or in the last one. A first step that the engine lets pass without the
/// answer is the only one: all the others would fail after as long a wait.
///
/// # Errors
/// If the engine can't be started at all, or `abort` was given.
pub fn check(
    protocol: Protocol,
    launch: &Launch,
    limits: Limits,
    abort: &Stop,
    told: &mut dyn FnMut(&Step),
) -> Result<(Vec<Step>, String), Failure> {
    let mut talk = Talk {
        launch,
        limits,
        abort,
        process: None,
        log: String::new(),
        number: 0,
    };
    let mut steps = Vec::new();
    let mut failed_log = None;
    let clock = Instant::now();
    let mut tried = |number, name, talk: &mut Talk<'_>, tried: Tried| {
        let mute = number == 0 && tried.is_err() && clock.elapsed() >= limits.start;
        let verdict = match tried {
            Ok(()) => Verdict::Pass,
            Err(Trouble::Note(why)) => Verdict::Note(why),
            Err(Trouble::Fail(why)) => {
                failed_log = Some(talk.text());
                // Whatever state it is in now, the next step shall not suffer from it.
                talk.drop_process();
                Verdict::Fail(match mute {
                    true => format!("{why}; the other steps are not tried"),
                    false => why,
                })
            }
            Err(Trouble::Broken(failure)) => return Err(failure),
        };
        let step = Step { name, verdict };
        told(&step);
        steps.push(step);
        Ok(!mute)
    };
    match protocol {
        Protocol::Nboard => {
            for (number, (name, step)) in nboard::STEPS.into_iter().enumerate() {
                let outcome = step(&mut talk);
                if !tried(number, name, &mut talk, outcome)? {
                    break;
                }
            }
        }
        Protocol::Gtp => {
            for (number, (name, step)) in gtp::STEPS.into_iter().enumerate() {
                let outcome = step(&mut talk);
                if !tried(number, name, &mut talk, outcome)? {
                    break;
                }
            }
        }
    }
    let log = failed_log.unwrap_or_else(|| talk.text());
    Ok((steps, log))
}

/// A conversation with the engine under test.
struct Talk<'a> {
    launch: &'a Launch,
    limits: Limits,
    abort: &'a Stop,
    process: Option<Process>,
    /// Of the process before.
    log: String,
    /// Of the last ping or request.
    number: u32,
}

impl Talk<'_> {
    /// The process; a new one if there is none. True if it is new.
    fn process(&mut self) -> Result<(&mut Process, bool), Failure> {
        let new = self.process.is_none();
        if new {
            self.process = Some(Process::start(self.launch, self.abort.clone())?);
        }
        match &mut self.process {
            Some(process) => Ok((process, new)),
            None => Err(Failure::Setup("no process".into())),
        }
    }

    fn say(&mut self, lines: &str) -> Result<Instant, Failure> {
        self.process()?.0.say(lines)
    }

    /// The next line before `deadline`; none if there is none by then.
    fn hear(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        match self.process()?.0.hear(deadline) {
            Ok((_, line)) => Ok(Some(line)),
            Err(Failure::Fault(Fault {
                kind: Kind::Stall, ..
            })) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn next_number(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    fn text(&self) -> String {
        self.process
            .as_ref()
            .map_or_else(|| self.log.clone(), |p| p.log().text())
    }

    fn drop_process(&mut self) {
        self.log = self.text();
        self.process = None;
    }

    /// Says farewell, or just closes the input; how the process ended, if it did within two seconds.
    fn part(&mut self, farewell: Option<&str>) -> Result<Option<ExitStatus>, Failure> {
        self.process()?;
        let status = self
            .process
            .as_mut()
            .and_then(|process| process.part(farewell, Duration::from_secs(2)));
        self.drop_process();
        Ok(status)
    }

    /// An end of the process that should be a good one.
    fn must_part(&mut self, farewell: Option<&str>) -> Tried {
        match self.part(farewell)? {
            Some(status) if status.success() => Ok(()),
            Some(status) => fail(format!("it ended with {status}")),
            None => fail("it was still running two seconds later"),
        }
    }
}

/// The game of a line of moves.
fn game(moves: &str) -> Game {
    let mut game = Game::new(Rules::Othello);
    let moves = moves
        .parse::<outflank_protocol::transcript::Transcript>()
        .unwrap_or_default();
    for mv in moves.moves {
        // The lines of the steps are legal; a test plays them.
        let _ = game.play(mv.into());
    }
    game
}

/// Is it a move of the side to move?
fn legal(game: &Game, mv: Move) -> Tried {
    match game.clone().play(mv) {
        Ok(()) => Ok(()),
        Err(illegal) => fail(illegal.to_string()),
    }
}

/// The shortest line after which a side, here Black, must pass.
const BLACK_PASSES: &str = "d3c3b3b2f5a3a1c1";
/// A line that wipes White out.
const GAME_OVER: &str = "e6f4e3f6g5d6e7f5c5";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_what_they_claim() {
        assert!(game(BLACK_PASSES).moves().must_pass());
        assert_eq!(game(BLACK_PASSES).history().len(), 8);
        assert!(game(GAME_OVER).is_over());
        assert_eq!(game(GAME_OVER).history().len(), 9);
    }
}
