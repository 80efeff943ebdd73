//! Counting a board, in both ways.

use std::fmt;

use super::Color;

/// The two ways of counting (rule O9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counting {
    /// The discs as they lie.
    Discs,
    /// Empty squares go to the winner and are split in a draw. In `classic` they belong to nobody (rule C6), so that
    /// both ways agree there.
    Tournament,
}

/// Points of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Points of Black, 0..=64.
    pub black: u32,
    /// Points of White, 0..=64.
    pub white: u32,
}

impl Tally {
    /// The player with more points; none in a draw.
    pub fn winner(self) -> Option<Color> {
        match self.black.cmp(&self.white) {
            std::cmp::Ordering::Greater => Some(Color::Black),
            std::cmp::Ordering::Less => Some(Color::White),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Points of `color` less those of the other player, -64..=64.
    pub fn difference(self, color: Color) -> i32 {
        let black = self.black as i32 - self.white as i32;
        match color {
            Color::Black => black,
            Color::White => -black,
        }
    }
}

/// Winner first: `40-24`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.black.max(self.white), self.black.min(self.white))
    }
}
