//! The shapes that the evaluation looks at, and the 8 symmetries of the board.
//!
//! A pattern is a list of squares. Its images under the symmetries are the *features* of a position; all of them look up the
//! same table, so that the weights know nothing of left and right.

use std::fmt;
use std::str::FromStr;

use crate::board::Square;

/// The most squares of a pattern: 3^10 states still fit in 16 bits.
pub const MOST_SQUARES: usize = 10;

/// A shape: a list of different squares, the first counting 3^0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<Square>);

/// Why a text or a list is no pattern.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no pattern: 1 to {MOST_SQUARES} different squares, such as a1b2c3")]
pub struct NotAPattern(String);

impl Pattern {
    /// A pattern of these squares.
    ///
    /// # Errors
    /// If there are none, more than [`MOST_SQUARES`], or two that are the same.
    pub fn new(squares: Vec<Square>) -> Result<Self, NotAPattern> {
        let set = squares.iter().fold(0, |set, square| set | square.bit());
        let pattern = Self(squares);
        let n = pattern.0.len();
        if n == 0 || n > MOST_SQUARES || set.count_ones() as usize != n {
            return Err(NotAPattern(pattern.to_string()));
        }
        Ok(pattern)
    }

    /// The squares in the order in which they count.
    pub fn squares(&self) -> &[Square] {
        &self.0
    }

    /// Number of states of its squares: each is empty, the mover's or the opponent's.
    pub fn states(&self) -> usize {
        3usize.pow(self.0.len() as u32)
    }

    /// The same shape after a symmetry, its squares in the same order.
    pub(super) fn image(&self, symmetry: u8) -> Vec<Square> {
        self.0.iter().map(|&square| image(square, symmetry)).collect()
    }
}

/// The squares one after the other: `a1b1c1`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|square| write!(f, "{square}"))
    }
}

impl FromStr for Pattern {
    type Err = NotAPattern;

    fn from_str(text: &str) -> Result<Self, NotAPattern> {
        let squares = text.as_bytes().chunks(2).map(|pair| match *pair {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::new(8 * (rank - b'1') + file - b'a')),
            _ => None,
        });
        let squares: Option<Vec<Square>> = squares.collect();
        Self::new(squares.ok_or_else(|| NotAPattern(text.to_owned()))?)
    }
}

/// Where a square goes under one of the 8 symmetries: bit 0 mirrors the files, bit 1 the ranks, bit 2 then swaps both.
pub fn image(square: Square, symmetry: u8) -> Square {
    let (mut file, mut rank) = (square.index() as u8 % 8, square.index() as u8 / 8);
    if symmetry & 1 != 0 {
        file = 7 - file;
    }
    if symmetry & 2 != 0 {
        rank = 7 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    Square::new(8 * rank + file)
}

/// Corners, edges, lines and the longer diagonals.
const CORE: &[&str] = &[
    "a1b1c1a2b2c2a3b3c3",
    "a1b1c1d1e1b2a2a3a4a5",
    "b2a1b1c1d1e1f1g1h1g2",
    "a1c1d1e1f1h1c2d2e2f2",
    "a2b2c2d2e2f2g2h2",
    "a3b3c3d3e3f3g3h3",
    "a4b4c4d4e4f4g4h4",
    "a1b2c3d4e5f6g7h8",
    "b1c2d3e4f5g6h7",
    "c1d2e3f4g5h6",
];

/// The shorter diagonals.
const SHORT: &[&str] = &["d1e2f3g4h5", "d1c2b3a4"];

/// Blocks that overlap the lines.
const BLOCKS: &[&str] = &["c2d2e2f2c3d3e3f3", "b2c2d2b3c3d3b4c4d4", "b1c1d1e1b2c2d2e2"];

/// Sixteen shapes of up to 10 squares, four images each.
const WIDE: &[&str] = &[
    "a2b2c2d2e2f2g2h2",
    "b1c1d2e3f4g5h6h7g2",
    "a3b3c3d3e3f3g3h3",
    "a1b1c2d3e4f5g6h7h8",
    "a4b4c4d4e4f4g4h4",
    "a1b1c1a2b2c2a3b3c3",
    "d1e2f3g4h5b2g7",
    "a1b2c3d4e5f6g7h8b1h7",
    "b2a1b1c1d1e1f1g1h1g2",
    "a1b1c1d1a2b2c2a3b3a4",
    "a1c1d1e1f1h1c2d2e2f2",
    "a1b2c3d4b1c2d3a2b3c4",
    "c2a1b1c1d1e1f1g1h1f2",
    "e1d1c1b1a1a2a3a4a5b2",
    "a1b1a2b2c2d2b3c3b4d4",
    "c6d6d7d8c8f8e8e7e6f6",
];

/// The pattern sets that can be trained, by name, each made of lists; the number is that of the features.
pub const SETS: [(&str, [&[&str]; 2]); 4] = [
    ("classic46", [CORE, SHORT]),
    ("blocks54", [CORE, BLOCKS]),
    ("wide64", [WIDE, &[]]),
    ("wide80", [WIDE, BLOCKS]),
];

/// The patterns of a list such as `wide64+a1b1c1`: sets of [`SETS`] by name, and single ones.
///
/// # Errors
/// If a part is neither.
pub fn list(text: &str) -> Result<Vec<Pattern>, NotAPattern> {
    let mut patterns = Vec::new();
    for part in text.split('+') {
        match SETS.iter().find(|(name, _)| *name == part) {
            Some((_, lists)) => {
                for pattern in lists.concat() {
                    patterns.push(pattern.parse()?);
                }
            }
            None => patterns.push(part.parse()?),
        }
    }
    Ok(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_and_print() {
        for (name, lists) in SETS {
            let patterns = list(name).unwrap();
            let texts: Vec<String> = patterns.iter().map(ToString::to_string).collect();
            assert_eq!(texts, lists.concat());
        }
    }

    #[test]
    fn sets_and_patterns_join() {
        let joined = list("wide64+d1e1d2e2").unwrap();
        assert_eq!(joined.len(), WIDE.len() + 1);
        assert_eq!(joined.last().unwrap().to_string(), "d1e1d2e2");
        assert_eq!(
            list("wide64+wide").unwrap_err().to_string(),
            "`wide` is no pattern: 1 to 10 different squares, such as a1b2c3"
        );
    }

    #[test]
    fn nonsense_is_no_pattern() {
        for text in ["", "a1a1", "a9", "a1b", "a1b1c1d1e1f1g1h1a2b2c2"] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}
