//! A move, and the set of the legal ones.

use std::fmt;

use crate::board::{Square, Squares};

/// A disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A disc is placed.
    Place(Square),
    /// The mover passes.
    Pass,
}

/// Lower case: `f5`, `pa`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => fmt::Display::fmt(square, f),
            Self::Pass => f.write_str("pa"),
        }
    }
}

/// The legal moves of a position. None at all means that the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moves {
    /// The squares on which the mover may place a disc.
    pub squares: u64,
    /// True if the mover may pass. Without squares it is then the only move: a forced pass.
    pub pass: bool,
}

impl Moves {
    /// No move: the game is over.
    pub const NONE: Self = Self {
        squares: 0,
        pass: false,
    };

    /// True if there is no legal move, not even a pass: the game is over.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.squares == 0 && !self.pass
    }

    /// Number of legal moves, a pass included.
    #[inline]
    pub const fn len(self) -> usize {
        self.squares.count_ones() as usize + self.pass as usize
    }

    /// True if the only legal move is a pass.
    #[inline]
    pub const fn must_pass(self) -> bool {
        self.squares == 0 && self.pass
    }

    /// True if `mv` is one of these.
    #[inline]
    pub const fn contains(self, mv: Move) -> bool {
        match mv {
            Move::Place(square) => self.squares & square.bit() != 0,
            Move::Pass => self.pass,
        }
    }

    /// The moves one by one: the squares from a1 to h8, then the pass.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Move> {
        Squares(self.squares)
            .map(Move::Place)
            .chain(self.pass.then_some(Move::Pass))
    }
}
