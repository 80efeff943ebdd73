//! The score of a position.

use std::fmt;
use std::ops::Neg;

/// An expected final disc difference for the side to move, empty squares to the winner, in hundredths of a disc:
/// -6400..=6400.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Hundredths in a disc.
    pub const DISC: i32 = 100;
    /// No score is higher: 64 discs.
    pub const MAX: Self = Self(64 * Self::DISC);

    /// A whole number of discs.
    pub const fn from_discs(discs: i32) -> Self {
        Self(discs * Self::DISC)
    }

    /// In discs, for display and statistics.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / f64::from(Self::DISC)
    }

    /// The nearest whole number of discs (halves away from zero).
    pub const fn round(self) -> i32 {
        (self.0 + self.0.signum() * Self::DISC / 2) / Self::DISC
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// In discs with sign and two decimals: `+1.50`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", self.discs())
    }
}
