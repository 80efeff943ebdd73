//! Time controls and how much of the clock a move may take: pure functions.

mod allocate;

pub use allocate::{Budget, allocate};

use std::time::{Duration, Instant};

/// Something that tells how long the present move has been thought about. The search is handed one and never reads a
/// clock of its own, so that tests can run it on a clock of their making.
pub trait Stopwatch: Sync {
    /// Time since the request for a move arrived.
    fn elapsed(&self) -> Duration;
}

impl Stopwatch for Instant {
    fn elapsed(&self) -> Duration {
        Self::elapsed(self)
    }
}

/// A time control: what each player gets for the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Time for all moves.
    pub main: Duration,
    /// Added after each own move.
    pub increment: Duration,
    /// Used once `main` has run out. On GGS and in NBoard this is a penalty and no second helping: whoever needs it cannot
    /// win any more, only avoid losing by the maximum. The allocator touches it only when nothing else is left.
    pub extension: Duration,
}

impl Control {
    /// The clock at the start of the game.
    pub const fn start(self) -> Clock {
        Clock {
            remaining: self.main,
            increment: self.increment,
            extension: self.extension,
            moves_to_go: None,
        }
    }
}

/// What one player has left in the middle of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Main time left; zero once it has run out.
    pub remaining: Duration,
    /// Added after each own move.
    pub increment: Duration,
    /// Extension left, see [`Control::extension`].
    pub extension: Duration,
    /// Number of own moves, this one included, that `remaining` must last for (Canadian byo-yomi: afterwards a fresh period
    /// begins). `None`: for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The clock after a move that took `spent`: what exceeds the main time comes out of the extension, and the increment
    /// is added. Reaching zero in both means the game is lost on time.
    pub fn after_move(self, spent: Duration) -> Self {
        let over = spent.saturating_sub(self.remaining);
        Self {
            remaining: self.remaining.saturating_sub(spent) + self.increment,
            extension: self.extension.saturating_sub(over),
            moves_to_go: self.moves_to_go.map(|n| n.saturating_sub(1)),
            ..self
        }
    }
}
