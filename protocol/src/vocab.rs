//! The words that all protocols share: square, colour, move, board diagram.

use std::fmt;
use std::str::FromStr;

/// One of the 64 squares. Index 0 is a1 (top left), 1 is b1, 8 is a2, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// The text is not a square, move or colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not {expected}")]
pub struct WordError {
    /// What was found, shortened if it was long.
    pub text: String,
    /// What should have stood there, with its article: "a square a1..h8".
    pub expected: &'static str,
}

impl WordError {
    /// Keeps at most 40 characters of `text`: input lines can be megabytes long.
    pub fn new(text: &str, expected: &'static str) -> Self {
        Self {
            text: text.chars().take(40).collect(),
            expected,
        }
    }
}

impl Square {
    /// The square with this index (0..=63), row by row from a1.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// 0..=63, row by row from a1.
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl FromStr for Square {
    type Err = WordError;

    /// Column letter and row digit in either case: `f5`, `F5`.
    fn from_str(s: &str) -> Result<Self, WordError> {
        match s.as_bytes() {
            [c, r] => {
                let (c, r) = (c.to_ascii_lowercase(), *r);
                if (b'a'..=b'h').contains(&c) && (b'1'..=b'8').contains(&r) {
                    return Ok(Self((r - b'1') * 8 + (c - b'a')));
                }
                Err(WordError::new(s, "a square a1..h8"))
            }
            _ => Err(WordError::new(s, "a square a1..h8")),
        }
    }
}

/// Lower case (`f5`); the alternate form `{:#}` is upper case (`F5`), as NBoard writes it.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = if f.alternate() { b'A' } else { b'a' };
        write!(f, "{}{}", char::from(a + self.0 % 8), self.0 / 8 + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The two players. Black moves first from the standard start; the second player of the 1880s game (Red) is `White`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// `X` or `*` in diagrams.
    Black,
    /// `O` in diagrams.
    White,
}

impl Color {
    /// The other player.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// A disc on a square, or an explicit pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A disc is placed.
    Place(Square),
    /// The mover passes.
    Pass,
}

impl FromStr for Move {
    type Err = WordError;

    /// A square, or a pass in any usual spelling: `PA`, `pass`, `ps`, `--`, in any case.
    fn from_str(s: &str) -> Result<Self, WordError> {
        const PASSES: [&str; 5] = ["pa", "pass", "ps", "p", "--"];
        if PASSES.iter().any(|p| p.eq_ignore_ascii_case(s)) {
            return Ok(Self::Pass);
        }
        s.parse()
            .map(Self::Place)
            .map_err(|_| WordError::new(s, "a move a1..h8 or a pass"))
    }
}

/// Lower case (`f5`, `pa`); the alternate form `{:#}` is upper case (`F5`, `PA`).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => fmt::Display::fmt(square, f),
            Self::Pass if f.alternate() => f.write_str("PA"),
            Self::Pass => f.write_str("pa"),
        }
    }
}

/// What lies on the 64 squares, in square order.
pub type Cells = [Option<Color>; 64];

/// A board diagram with the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The squares, a1 first, row by row.
    pub cells: Cells,
    /// Who moves.
    pub mover: Color,
}

impl Diagram {
    /// White on d4 and e5, Black on e4 and d5, Black to move.
    pub fn standard() -> Self {
        let mut cells = [None; 64];
        for (index, cell) in cells.iter_mut().enumerate() {
            *cell = match index {
                27 | 36 => Some(Color::White),
                28 | 35 => Some(Color::Black),
                _ => None,
            };
        }
        Self {
            cells,
            mover: Color::Black,
        }
    }
}
