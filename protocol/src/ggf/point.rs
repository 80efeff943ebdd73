//! Squares of boards up to 14x14.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::character::complete::{digit1, satisfy};
use nom::combinator::all_consuming;

use crate::vocab::{Move, Square, WordError};

/// A square of a board of up to 14 columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// 0 is the a-file.
    pub column: u8,
    /// 0 is the top row.
    pub row: u8,
}

/// A move on a board of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A disc is placed.
    Place(Point),
    /// The mover passes.
    Pass,
}

/// Columns and rows of the largest board.
const MAX: u8 = 14;

impl FromStr for Point {
    type Err = WordError;

    /// Column letter `a`..`n` in either case and row number 1..14.
    fn from_str(text: &str) -> Result<Self, WordError> {
        let letter = satisfy::<_, _, nom::error::Error<&str>>(|c| c.is_ascii_alphabetic());
        let square = all_consuming((letter, digit1.map_res(str::parse::<u8>))).parse(text);
        square
            .ok()
            .and_then(|(_, (letter, row))| {
                let column = (u32::from(letter.to_ascii_lowercase()) - u32::from('a')) as u8;
                (column < MAX && (1..=MAX).contains(&row)).then(|| Self { column, row: row - 1 })
            })
            .ok_or_else(|| WordError::new(text, "a square a1..n14"))
    }
}

/// Lower case; the alternate form `{:#}` is upper case.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = if f.alternate() { b'A' } else { b'a' };
        write!(
            f,
            "{}{}",
            char::from(a.saturating_add(self.column)),
            u32::from(self.row) + 1
        )
    }
}

impl From<Square> for Point {
    fn from(square: Square) -> Self {
        Self {
            column: square.index() % 8,
            row: square.index() / 8,
        }
    }
}

/// Fails beyond 8x8.
impl TryFrom<Point> for Square {
    type Error = WordError;

    fn try_from(point: Point) -> Result<Self, WordError> {
        point.to_string().parse()
    }
}

impl From<Move> for Step {
    fn from(mv: Move) -> Self {
        match mv {
            Move::Place(square) => Self::Place(square.into()),
            Move::Pass => Self::Pass,
        }
    }
}

impl FromStr for Step {
    type Err = WordError;

    /// A square, or a pass in any spelling that [`Move`] takes.
    fn from_str(text: &str) -> Result<Self, WordError> {
        match text.parse::<Move>() {
            Ok(mv) => Ok(mv.into()),
            Err(_) => text
                .parse()
                .map(Self::Place)
                .map_err(|_| WordError::new(text, "a square or a pass")),
        }
    }
}

/// Lower case (`f5`, `pa`); the alternate form `{:#}` is upper case.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(point) => fmt::Display::fmt(point, f),
            Self::Pass => fmt::Display::fmt(&Move::Pass, f),
        }
    }
}
