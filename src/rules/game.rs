//! A game: a position with its history.

use super::{Color, Counting, Move, Moves, Position, Rules, Tally};
use crate::board::scalar;

/// A start position and the moves played from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    now: Position,
    /// The position before each move of `history`.
    before: Vec<Position>,
    history: Vec<Move>,
}

/// A move that the rules do not allow. The game stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move {mv}: {reason}")]
pub struct IllegalMove {
    /// The refused move.
    pub mv: Move,
    /// Why.
    pub reason: Reason,
}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nobody moves any more.
    #[error("the game is over")]
    GameOver,
    /// The other player moves.
    #[error("{} is to move", .0.opposite())]
    OffTurn(Color),
    /// A disc, but the mover has only a pass.
    #[error("{0} has no square to play on and must pass")]
    MustPass(Color),
    /// `classic`: a disc, but the mover has none left and must pass.
    #[error("{0} has no disc left and must pass")]
    NoDisc(Color),
    /// A pass, but the mover has a square to play on.
    #[error("{0} has a square to play on and may not pass")]
    MayNotPass(Color),
    /// A disc lies there.
    #[error("the square is occupied")]
    Occupied,
    /// `classic`: the first four moves go on the centre squares.
    #[error("the first four moves go on d4, e4, d5 and e5")]
    NotCentre,
    /// `free`: no disc on any of the 8 squares around.
    #[error("it touches no disc")]
    TouchesNothing,
    /// Nothing is outflanked.
    #[error("it outflanks nothing")]
    OutflanksNothing,
}

impl Game {
    /// A new game from the start position of `rules`.
    pub fn new(rules: Rules) -> Self {
        Self::from_position(Position::start(rules))
    }

    /// A game that starts from any position.
    pub fn from_position(start: Position) -> Self {
        Self {
            now: start,
            before: Vec::new(),
            history: Vec::new(),
        }
    }

    /// The rule set.
    pub fn rules(&self) -> Rules {
        self.now.rules
    }

    /// The position that the game started from.
    pub fn start(&self) -> &Position {
        self.before.first().unwrap_or(&self.now)
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.now
    }

    /// Every position from the start to now: one more than moves.
    pub fn positions(&self) -> impl Iterator<Item = &Position> {
        self.before.iter().chain(std::iter::once(&self.now))
    }

    /// The legal moves; none if the game is over.
    pub fn moves(&self) -> Moves {
        self.now.moves()
    }

    /// The moves so far, passes included.
    pub fn history(&self) -> &[Move] {
        &self.history
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// If the move is not legal; the game then stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(reason) = self.refusal(mv) {
            return Err(IllegalMove { mv, reason });
        }
        self.before.push(self.now);
        self.history.push(mv);
        self.now = self.now.play(mv);
        Ok(())
    }

    /// Plays a move of `color`.
    ///
    /// # Errors
    /// As [`Game::play`], and if it is not the turn of `color`.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if color != self.now.mover && !self.is_over() {
            let reason = Reason::OffTurn(color);
            return Err(IllegalMove { mv, reason });
        }
        self.play(mv)
    }

    /// Why `mv` is illegal now; `None` if it is legal.
    fn refusal(&self, mv: Move) -> Option<Reason> {
        let (now, moves) = (&self.now, self.now.moves());
        if moves.contains(mv) {
            return None;
        }
        if moves.is_empty() {
            return Some(Reason::GameOver);
        }
        let Move::Place(square) = mv else {
            return Some(Reason::MayNotPass(now.mover));
        };
        let touches = scalar::neighbours(now.board.occupied()) & square.bit() != 0;
        Some(match now.rules {
            _ if now.board.occupied() & square.bit() != 0 => Reason::Occupied,
            Rules::Classic if moves.must_pass() && now.hands[0] == 0 => Reason::NoDisc(now.mover),
            _ if moves.must_pass() => Reason::MustPass(now.mover),
            Rules::Classic if now.is_opening() => Reason::NotCentre,
            Rules::Free { capture_required, .. } if !capture_required && !touches => Reason::TouchesNothing,
            _ => Reason::OutflanksNothing,
        })
    }

    /// Takes the last move back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        self.now = self.before.pop()?;
        self.history.pop()
    }

    /// True if the game is over.
    pub fn is_over(&self) -> bool {
        self.now.is_over()
    }

    /// The result of a finished game; `None` while it goes on.
    pub fn result(&self, counting: Counting) -> Option<Tally> {
        self.is_over().then(|| self.now.tally(counting))
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
