//! SGF records of Othello (`GM[2]`), as Quarry and others write them: the main line of the first game.
//!
//! Squares are read in both ways that occur, `d3` and, as in Go, `dc`; rows count from the top in both. Without `AB` and `AW`
//! the game begins at the standard start.

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take};
use nom::character::complete::{alpha1, char, multispace0};
use nom::combinator::recognize;
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use crate::place::line_and_column;
use crate::vocab::{Color, Diagram, Move, Square};

/// A game as it stands in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// `PB`, empty if it is missing.
    pub black: String,
    /// `PW`, empty if it is missing.
    pub white: String,
    /// The position before the first move.
    pub start: Diagram,
    /// The moves of the main line.
    pub moves: Vec<(Color, Move)>,
}

/// Where an SGF text is wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct SgfError {
    /// From 1.
    pub line: usize,
    /// Characters into the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: SgfFault,
}

/// What can be wrong with an SGF text. Values quoted in it are shortened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfFault {
    /// No `(;`.
    #[error("a game begins with '(;'")]
    NoGame,
    /// The text ends inside a game.
    #[error("the game is not closed by ')'")]
    OpenGame,
    /// Neither a property nor a node nor the end of the game.
    #[error("'{0}' where a property X[...] should stand")]
    NoProperty(String),
    /// A value that is not what the property wants.
    #[error("{property}[{text}] is not {expected}")]
    Value {
        /// The property.
        property: String,
        /// What its brackets hold.
        text: String,
        /// What they should hold, with its article.
        expected: &'static str,
    },
    /// `AB` and the like after the first move.
    #[error("discs are set up after the first move")]
    LateSetup,
    /// More than any game can have.
    #[error("more than {MAX_MOVES} moves")]
    TooLong,
}

/// No game has more, passes included.
const MAX_MOVES: usize = 120;

/// The text of a value: everything up to the first `]` that has no backslash before it.
fn value(input: &str) -> IResult<&str, &str> {
    let text = alt((is_not("\\]"), recognize((char('\\'), take(1usize)))));
    delimited(char('['), recognize(many0_count(text)), char(']')).parse(input)
}

fn game_start(input: &str) -> IResult<&str, &str> {
    delimited(multispace0, tag("("), (multispace0, char(';'))).parse(input)
}

/// The name of a property, before its values.
fn name(input: &str) -> IResult<&str, &str> {
    let (rest, name) = alpha1(input)?;
    let (rest, _) = multispace0(rest)?;
    Ok((rest, name))
}

/// Text without its escapes: a backslash keeps the next character, or joins two lines. Line ends and other control characters
/// are blanks.
fn plain(text: &str) -> String {
    let mut chars = text.chars();
    let mut plain = String::new();
    while let Some(c) = chars.next() {
        let kept = if c == '\\' {
            chars.next().filter(|&c| c != '\n')
        } else {
            Some(c)
        };
        plain.extend(kept.map(|c| if c.is_control() { ' ' } else { c }));
    }
    plain.trim().to_owned()
}

/// `d3`, or `dc` with the row as a letter from the top.
fn square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        &[column, row] if row.is_ascii_alphabetic() => {
            let row = row.to_ascii_lowercase().checked_sub(b'a')?.checked_add(b'1')?;
            format!("{}{}", char::from(column), char::from(row)).parse().ok()
        }
        _ => text.parse().ok(),
    }
}

fn one_move(text: &str) -> Option<Move> {
    match text {
        "" | "tt" => Some(Move::Pass),
        text => square(text).map(Move::Place).or_else(|| text.parse().ok()),
    }
}

/// The rest of the text where a fault was met.
type Failed<'a> = (&'a str, SgfFault);

/// A game in the making.
struct Reader {
    game: Game,
    set_up: bool,
    mover: Option<Color>,
}

impl Reader {
    fn take(&mut self, name: &str, text: &str) -> Result<(), SgfFault> {
        let text = text.trim();
        let wrong = |expected| SgfFault::Value {
            property: name.into(),
            text: text.chars().take(40).collect(),
            expected,
        };
        match name {
            "GM" if text != "2" => return Err(wrong("Othello, which is GM[2]")),
            "SZ" if text != "8" => return Err(wrong("a board size that is played here, which is SZ[8]")),
            "PB" => self.game.black = plain(text),
            "PW" => self.game.white = plain(text),
            "PL" => {
                self.mover = Some(match text.to_ascii_lowercase().as_str() {
                    "b" | "black" => Color::Black,
                    "w" | "white" => Color::White,
                    _ => return Err(wrong("a colour B or W")),
                });
            }
            "AB" => self.place(Some(Color::Black), square(text).ok_or_else(|| wrong("a square"))?)?,
            "AW" => self.place(Some(Color::White), square(text).ok_or_else(|| wrong("a square"))?)?,
            "AE" => self.place(None, square(text).ok_or_else(|| wrong("a square"))?)?,
            "B" | "W" => {
                let color = if name == "B" { Color::Black } else { Color::White };
                let mv = one_move(text).ok_or_else(|| wrong("a square or a pass"))?;
                if self.game.moves.len() == MAX_MOVES {
                    return Err(SgfFault::TooLong);
                }
                self.game.moves.push((color, mv));
            }
            _ => {}
        }
        Ok(())
    }

    fn place(&mut self, disc: Option<Color>, square: Square) -> Result<(), SgfFault> {
        if !self.game.moves.is_empty() {
            return Err(SgfFault::LateSetup);
        }
        if !self.set_up {
            self.set_up = true;
            self.game.start.cells = [None; 64];
        }
        if let Some(cell) = self.game.start.cells.get_mut(usize::from(square.index())) {
            *cell = disc;
        }
        Ok(())
    }

    fn finish(mut self) -> Game {
        let first = self.game.moves.first().map(|(color, _)| *color);
        self.game.start.mover = self.mover.or(first).unwrap_or(Color::Black);
        self.game
    }
}

fn main_line(text: &str) -> Result<Game, Failed<'_>> {
    let (mut rest, _) = game_start(text).map_err(|_| (text, SgfFault::NoGame))?;
    let mut reader = Reader {
        game: Game {
            black: String::new(),
            white: String::new(),
            start: Diagram::standard(),
            moves: Vec::new(),
        },
        set_up: false,
        mover: None,
    };
    loop {
        rest = rest.trim_start();
        match rest.chars().next() {
            // The first variation is the main line; where one ends, the main line does.
            Some(';' | '(') => rest = rest.get(1..).unwrap_or(""),
            Some(')') => return Ok(reader.finish()),
            None => return Err((text, SgfFault::OpenGame)),
            Some(_) => {
                let no_property = (rest, SgfFault::NoProperty(rest.chars().take(12).collect()));
                let (mut values, name) = name(rest).map_err(|_| no_property.clone())?;
                let mut found = false;
                while let Ok((after, text)) = preceded(multispace0, value).parse(values) {
                    reader.take(name, text).map_err(|fault| (rest, fault))?;
                    values = after;
                    found = true;
                }
                if !found {
                    return Err(no_property);
                }
                rest = values;
            }
        }
    }
}

impl FromStr for Game {
    type Err = SgfError;

    /// Reads the main line of the first game; what follows it is not looked at.
    fn from_str(text: &str) -> Result<Self, SgfError> {
        main_line(text).map_err(|(rest, fault)| {
            let (line, column) = line_and_column(text, rest);
            SgfError { line, column, fault }
        })
    }
}

/// A name with what SGF wants escaped.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.0.chars().try_for_each(|c| {
            if matches!(c, '\\' | ']') {
                f.write_char('\\')?;
            }
            f.write_char(if c.is_control() { ' ' } else { c })
        })
    }
}

/// One line; squares as `d3`, a pass as an empty value.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |color| if color == Color::Black { 'B' } else { 'W' };
        write!(
            f,
            "(;FF[4]GM[2]SZ[8]PB[{}]PW[{}]",
            Escaped(&self.black),
            Escaped(&self.white)
        )?;
        let mut empty = true;
        for color in [Color::Black, Color::White] {
            let squares = (0..)
                .zip(&self.start.cells)
                .filter(|(_, cell)| **cell == Some(color));
            for (count, square) in squares.filter_map(|(index, _)| Square::new(index)).enumerate() {
                if count == 0 {
                    write!(f, "A{}", letter(color))?;
                }
                write!(f, "[{square}]")?;
                empty = false;
            }
        }
        if empty {
            // Or the reader would take it for the standard start.
            f.write_str("AE[a1]")?;
        }
        write!(f, "PL[{}]", letter(self.start.mover))?;
        for (color, mv) in &self.moves {
            match mv {
                Move::Place(square) => write!(f, ";{}[{square}]", letter(*color))?,
                Move::Pass => write!(f, ";{}[]", letter(*color))?,
            }
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests::any_diagram;
    use proptest::prelude::*;

    #[test]
    fn the_main_line_in_both_notations() {
        let text =
            "\n(;FF[4]GM[2]SZ[8]\nPB[a\\]b\\\\]C[(;B[a1\\])]\n;B[f5];W[fd](;B[c3];W[])(;B[e3]))(;GM[1])";
        let game: Game = text.parse().unwrap();
        assert_eq!(game.black, "a]b\\");
        assert_eq!(game.start, Diagram::standard());
        let moves: Vec<String> = game
            .moves
            .iter()
            .map(|(color, mv)| format!("{color:?} {mv}"))
            .collect();
        assert_eq!(moves, ["Black f5", "White f4", "Black c3", "White pa"]);
    }

    #[test]
    fn setups() {
        let game: Game = "(;GM[2]AB[e4][d5] [c3] AW[d4]\n[e5];W[d3])".parse().unwrap();
        assert_eq!(game.start.mover, Color::White);
        let discs = game.start.cells.iter().flatten().count();
        assert_eq!(discs, 5);
    }

    #[test]
    fn errors_say_where() {
        let message = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        assert_eq!(message("hello"), "line 1, column 1: a game begins with '(;'");
        assert_eq!(
            message("(;GM[2]"),
            "line 1, column 1: the game is not closed by ')'"
        );
        assert_eq!(
            message("(;GM[1])"),
            "line 1, column 3: GM[1] is not Othello, which is GM[2]"
        );
        assert_eq!(
            message("(;GM[2]\n;B[j1])"),
            "line 2, column 2: B[j1] is not a square or a pass"
        );
        assert_eq!(
            message("(;GM[2]\nB)"),
            "line 2, column 1: 'B)' where a property X[...] should stand"
        );
        assert_eq!(
            message("(;B[d3];AB[a1])"),
            "line 1, column 9: discs are set up after the first move"
        );
        assert_eq!(
            message("(;B[d3"),
            "line 1, column 3: 'B[d3' where a property X[...] should stand"
        );
        assert!(message(&format!("(;{})", "B[d3]".repeat(200))).ends_with("more than 120 moves"));
    }

    proptest! {
        #[test]
        fn prints_what_it_reads(
            black in "[a-z\\]\\[ \\\\;()]{0,8}", white in "[^\\p{C}\\s]{0,8}", start in any_diagram(),
            moves in prop::collection::vec((any::<bool>(), 0u8..66), 0..60),
        ) {
            let moves = moves.into_iter().map(|(black, index)| {
                let color = if black { Color::Black } else { Color::White };
                (color, Square::new(index).map_or(Move::Pass, Move::Place))
            });
            let game = Game { black: black.trim().into(), white, start, moves: moves.collect() };
            prop_assert_eq!(game.to_string().parse::<Game>().unwrap(), game);
        }

        #[test]
        fn any_text_is_answered(text in "\\PC{0,60}", tail in "[];BW()\\[a-h1-8\\\\AE \n]{0,60}") {
            let _ = text.parse::<Game>();
            let _ = format!("(;{tail}").parse::<Game>();
        }
    }
}
