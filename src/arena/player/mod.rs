//! Who plays: programs of this crate and engines in processes of their own.

pub mod builtin;
pub mod gtp;
pub mod hired;
pub mod log;
pub mod nboard;
pub mod own;
pub mod process;

use super::fault::Failure;
use super::pace::GameClock;
use crate::rules::{Color, Game, Move};
use std::time::Duration;

/// What a player gets to know when it is to move.
pub struct Turn<'a> {
    /// The game so far, opening included; the player is the side to move and the game is not over.
    pub game: &'a Game,
    /// What each move took; nothing for opening moves and forced passes.
    pub times: &'a [Option<Duration>],
    /// Both clocks as they stand, Black's first.
    pub clocks: &'a [GameClock; 2],
    /// Names of the two players, Black's first.
    pub names: [&'a str; 2],
    /// No answer after so long means that the player hangs.
    pub hard_limit: Duration,
    /// Tells apart the players and games of a match that are random.
    pub seed: u64,
}

impl Turn<'_> {
    /// The side to move.
    pub fn color(&self) -> Color {
        self.game.position().mover
    }

    /// The clock of the side to move.
    pub fn clock(&self) -> &GameClock {
        &self.clocks[self.color().index()]
    }
}

/// A player's answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thought {
    /// The move, not yet checked.
    pub mv: Move,
    /// From the request to the answer; for a process from the line written to the line received.
    pub elapsed: Duration,
    /// What the player says the position is worth: discs, seen by itself.
    pub eval: Option<f64>,
    /// What the player says it searched.
    pub nodes: Option<u64>,
}

/// A player of one game at a time.
pub trait Player: Send {
    /// Makes ready for a new game, starting what is not running. What it says of itself, if anything: name and version.
    fn begin(&mut self) -> Result<Option<String>, Failure>;

    /// Finds a move. After a [`Failure`] the next [`Player::begin`] starts afresh.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure>;

    /// What was said to an engine and by it, up to now.
    fn log(&self) -> Option<String> {
        None
    }
}
