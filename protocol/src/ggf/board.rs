//! `BO`: a board of any size with the side to move.

use std::fmt;

use super::error::Fault;
use super::point::Point;
use crate::cells::{cell, symbol};
use crate::match_type::BoardSize;
use crate::vocab::{Color, Diagram};

/// A start position: as many cells as the board has squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: BoardSize,
    cells: Vec<Option<Color>>,
    mover: Color,
}

impl Board {
    /// Reads `size cells mover`; blanks between the cells mean nothing, a missing mover is Black.
    pub(super) fn parse(text: &str) -> Result<Self, Fault> {
        let text = text.trim();
        let (size, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let size: BoardSize = size.parse().map_err(Fault::Word)?;
        let wanted = size.squares();
        // A character of its own at the end is the side to move; glued to the cells it is told by their number.
        let (rows, last) = match rest.rsplit_once(char::is_whitespace) {
            Some((rows, last)) if last.chars().nth(1).is_none() => (rows, last.chars().next()),
            _ => (rest, None),
        };
        let mut cells = Vec::with_capacity(wanted + 1);
        for c in rows.chars().filter(|c| !c.is_whitespace()) {
            if cells.len() > wanted {
                return Err(Fault::Squares {
                    found: cells.len(),
                    wanted,
                });
            }
            let row = cells.len() / size.width() + 1;
            cells.push(cell(c).ok_or(Fault::Cell { found: c, row })?);
        }
        let mover = match last {
            Some(c) => cell(c).flatten(),
            None if cells.len() > wanted => cells.pop().flatten(),
            None => Some(Color::Black),
        };
        if cells.len() != wanted {
            return Err(bad_row(rows, size).unwrap_or(Fault::Squares {
                found: cells.len(),
                wanted,
            }));
        }
        let mover = mover.ok_or(Fault::Mover)?;
        Ok(Self { size, cells, mover })
    }

    /// The size of the board.
    pub const fn size(&self) -> BoardSize {
        self.size
    }

    /// The squares row by row from the top left.
    pub fn cells(&self) -> &[Option<Color>] {
        &self.cells
    }

    /// Who moves first.
    pub const fn mover(&self) -> Color {
        self.mover
    }

    /// The same on an 8x8 board, `None` for other sizes.
    pub fn diagram(&self) -> Option<Diagram> {
        let cells = <[Option<Color>; 64]>::try_from(self.cells.as_slice()).ok()?;
        Some(Diagram {
            cells,
            mover: self.mover,
        })
    }

    /// The square is on the board.
    pub fn has(&self, point: Point) -> bool {
        has(self.size, point)
    }
}

/// The square is on a board of that size.
pub(super) fn has(size: BoardSize, point: Point) -> bool {
    let (column, row, width) = (usize::from(point.column), usize::from(point.row), size.width());
    let edge = |at: usize| at.min(width.saturating_sub(1).saturating_sub(at));
    let inside = column < width && row < width;
    inside && (size != BoardSize::Octagon || edge(column) + edge(row) >= 2)
}

/// The first row that is too short or too long, where the rows stand apart.
fn bad_row(rows: &str, size: BoardSize) -> Option<Fault> {
    if size == BoardSize::Octagon {
        return None;
    }
    let wanted = size.width();
    let lengths: Vec<usize> = rows.split_whitespace().map(|row| row.chars().count()).collect();
    let (row, found) = (1..)
        .zip(lengths.iter().copied())
        .find(|&(_, found)| found != wanted)?;
    (lengths.len() == wanted).then_some(Fault::Row { row, found, wanted })
}

impl From<Diagram> for Board {
    fn from(diagram: Diagram) -> Self {
        Self {
            size: BoardSize::Eight,
            cells: diagram.cells.to_vec(),
            mover: diagram.mover,
        }
    }
}

/// `8 --------...-------- *`, the cells unbroken as NBoard writes them.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.cells.iter().map(|&cell| symbol(cell)).collect();
        write!(f, "{} {cells} {}", self.size, symbol(Some(self.mover)))
    }
}
