//! A position as text: 64 cells and the side to move, `---------------------------OX------XO--------------------------- X`.

use std::fmt;
use std::str::FromStr;

use nom::character::complete::{anychar, multispace0};
use nom::{IResult, Parser};

use crate::cells::cell;
use crate::place::column;
use crate::vocab::{Cells, Color, Diagram};

/// Where a text stops being a position, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct PositionError {
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: PositionFault,
}

/// What can be wrong with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// A character that is no square.
    #[error("'{0}' is no square; use X * x b for black, O o w for white, - . _ for empty")]
    Cell(char),
    /// The text ends inside the board.
    #[error("the board has {0} squares, not 64")]
    Squares(usize),
    /// The side to move is missing or no colour.
    #[error("the side to move (X or O) should stand here")]
    Mover,
    /// Something follows the side to move.
    #[error("text after the side to move")]
    Trailing,
}

/// The rest of the text where a fault was met.
pub(crate) type Failed<'a> = (&'a str, PositionFault);

fn square(input: &str) -> IResult<&str, char> {
    (multispace0, anychar).map(|(_, c)| c).parse(input)
}

/// Reads a position from the beginning of a text. Blanks between the cells mean nothing.
pub(crate) fn diagram(input: &str) -> Result<(&str, Diagram), Failed<'_>> {
    let mut rest = input;
    let mut cells: Cells = [None; 64];
    for (index, slot) in cells.iter_mut().enumerate() {
        let (after, c) = square(rest).map_err(|_| (rest, PositionFault::Squares(index)))?;
        *slot = cell(c).ok_or((rest.trim_start(), PositionFault::Cell(c)))?;
        rest = after;
    }
    let color = square(rest).ok().and_then(|(after, c)| Some((after, cell(c)??)));
    let (rest, mover) = color.ok_or((rest.trim_start(), PositionFault::Mover))?;
    Ok((rest, Diagram { cells, mover }))
}

/// 64 cells row by row from a1, then the side to move. `X` `x` `*` `B` `b` are black, `O` `o` `0` `W` `w` white, `-` `.` `_`
/// empty; blanks may stand anywhere.
impl FromStr for Diagram {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let found = diagram(text).and_then(|(rest, diagram)| match rest.trim_start() {
            "" => Ok(diagram),
            more => Err((more, PositionFault::Trailing)),
        });
        found.map_err(|(rest, fault)| PositionError {
            column: column(text, rest),
            fault,
        })
    }
}

/// `X`, `O` and `-`, unbroken, then a blank and the side to move.
impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |cell: Option<Color>| match cell {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '-',
        };
        let cells: String = self.cells.iter().map(|&cell| letter(cell)).collect();
        write!(f, "{cells} {}", letter(Some(self.mover)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    /// Any board, legal or not.
    pub(crate) fn any_diagram() -> impl Strategy<Value = Diagram> {
        let cell = prop::sample::select(vec![None, Some(Color::Black), Some(Color::White)]);
        let mover = prop::sample::select(vec![Color::Black, Color::White]);
        (prop::collection::vec(cell, 64), mover).prop_map(|(cells, mover)| Diagram {
            cells: cells.try_into().unwrap(),
            mover,
        })
    }

    #[test]
    fn the_start_in_every_spelling() {
        assert_eq!(START.parse(), Ok(Diagram::standard()));
        assert_eq!(Diagram::standard().to_string(), START);
        for (from, to) in [
            ("X", "*"),
            ("X", "x"),
            ("X", "b"),
            ("X", "B"),
            ("O", "o"),
            ("O", "w"),
            ("O", "W"),
            ("-", "."),
            ("-", "_"),
        ] {
            assert_eq!(START.replace(from, to).parse(), Ok(Diagram::standard()), "{to}");
        }
        assert_eq!(START.replace(' ', "").parse(), Ok(Diagram::standard()));
        let rows: String = START
            .chars()
            .enumerate()
            .map(|(i, c)| if i % 8 == 0 { format!(" {c}") } else { c.into() })
            .collect();
        assert_eq!(rows.parse(), Ok(Diagram::standard()));
        assert_eq!(
            START.replace(" X", " O").parse::<Diagram>().unwrap().mover,
            Color::White
        );
    }

    #[test]
    fn errors_say_where() {
        let message = |text: String| text.parse::<Diagram>().unwrap_err().to_string();
        assert_eq!(message("--".into()), "column 3: the board has 2 squares, not 64");
        assert_eq!(
            message(START.replacen("-O", "é?", 1)),
            "column 27: 'é' is no square; use X * x b for black, O o w for white, - . _ for empty"
        );
        assert_eq!(
            message(START.replace(" X", "")),
            "column 65: the side to move (X or O) should stand here"
        );
        assert_eq!(
            message(START.replace(" X", " -")),
            "column 66: the side to move (X or O) should stand here"
        );
        assert_eq!(
            message(format!("{START} ;")),
            "column 68: text after the side to move"
        );
    }

    proptest! {
        #[test]
        fn prints_what_it_reads(diagram in any_diagram()) {
            prop_assert_eq!(diagram.to_string().parse(), Ok(diagram));
        }

        #[test]
        fn any_text_is_answered(text in "[XO*. -]{0,70}|\\PC{0,80}") {
            let _ = text.parse::<Diagram>();
        }
    }
}
