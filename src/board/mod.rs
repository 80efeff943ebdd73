//! Bitboards seen from the side to move. No I/O, no allocation, no globals.
//!
//! Bit `i` of a set is square `i`: bit 0 is a1, bit 7 is h1, bit 8 is a2, bit 63 is h8.

//!
//! The hot kernels come in two forms, chosen when the program is built: AVX2 where the target has it, [`scalar`] elsewhere. Code that
//! takes a [`Kernel`] may also run with those of AVX-512, if the processor turns out to have it.

pub mod perft;
pub mod scalar;
pub mod stability;
pub mod symmetry;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx512;
mod kernel;
mod last_flips;
#[cfg(test)]
mod plain;
mod rays;
mod square;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2 as built_in;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use scalar as built_in;

pub use kernel::{BuiltIn, Kernel, Wide};
pub use last_flips::count_last_flips;
pub use square::{Square, Squares};

/// The discs of the two sides. The colours are known to [`crate::rules`] only: here one side moves and the other waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub mover: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The standard start: Black (to move) on e4 and d5, White on d4 and e5.
    pub const START: Self = Self {
        mover: 0x0000_0008_1000_0000,
        opponent: 0x0000_0010_0800_0000,
    };

    /// Squares with a disc.
    #[inline]
    pub const fn occupied(self) -> u64 {
        self.mover | self.opponent
    }

    /// Squares without a disc.
    #[inline]
    pub const fn empty(self) -> u64 {
        !self.occupied()
    }

    /// Number of empty squares, 0..=64.
    #[inline]
    pub const fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// The empty squares on which the mover outflanks something (rule O3).
    #[inline]
    pub fn moves(self) -> u64 {
        built_in::moves(self.mover, self.opponent)
    }

    /// The discs that turn over when the mover plays on the empty square `square`; 0 if it outflanks nothing.
    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        built_in::flips(self.mover, self.opponent, square)
    }

    /// The empty squares that touch a disc of the opponent: moves of now or later (potential mobility).
    #[inline]
    pub const fn potential_moves(self) -> u64 {
        scalar::neighbours(self.opponent) & self.empty()
    }

    /// The board after the mover's disc on `square` turned over `flips`, seen from the other side.
    #[inline]
    pub const fn after(self, square: Square, flips: u64) -> Self {
        Self {
            mover: self.opponent ^ flips,
            opponent: self.mover ^ flips ^ square.bit(),
        }
    }

    /// Plays on `square`, which must be one of [`Board::moves`].
    #[inline]
    pub fn play(self, square: Square) -> Self {
        self.after(square, self.flips(square))
    }

    /// The same discs with the other side to move.
    #[inline]
    pub const fn pass(self) -> Self {
        Self {
            mover: self.opponent,
            opponent: self.mover,
        }
    }

    /// True if neither side can outflank anything (rule O7).
    #[inline]
    pub fn is_over(self) -> bool {
        self.moves() == 0 && self.pass().moves() == 0
    }

    /// Discs of the mover that can never be turned over: a lower bound, see [`stability::stable`].
    #[inline]
    pub fn stable_of_mover(self) -> u64 {
        stability::stable(self.mover, self.opponent)
    }

    /// Discs of the opponent that can never be turned over: a lower bound, see [`stability::stable`].
    #[inline]
    pub fn stable_of_opponent(self) -> u64 {
        stability::stable(self.opponent, self.mover)
    }

    /// Disc difference for the mover as the discs lie, -64..=64.
    #[inline]
    pub const fn disc_difference(self) -> i32 {
        self.mover.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// Disc difference of a finished game, empty squares to the winner (rule O9, `tournament`), -64..=64.
    #[inline]
    pub const fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        difference + difference.signum() * self.empties() as i32
    }
}
