//! A game as its moves only: `f5d6c3d3c4`.

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take};
use nom::character::complete::{digit1, multispace1, one_of};
use nom::combinator::{map_opt, recognize, value};
use nom::multi::many0_count;
use nom::sequence::terminated;
use nom::{IResult, Parser};

use crate::place::column;
use crate::vocab::Move;

/// The moves of a game in order. Whether passes are written is up to who wrote it; most leave out forced ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transcript {
    /// The moves.
    pub moves: Vec<Move>,
}

/// A text that is no list of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: '{text}' is not a move a1..h8 or a pass")]
pub struct TranscriptError {
    /// In characters, from 1.
    pub column: usize,
    /// What stands there, shortened.
    pub text: String,
}

/// `f5`, or a pass: `pass`, `pa`, `ps` in any case, `--`.
pub(crate) fn one_move(input: &str) -> IResult<&str, Move> {
    let pass = alt((
        tag_no_case("pass"),
        tag_no_case("pa"),
        tag_no_case("ps"),
        tag("--"),
    ));
    let square = map_opt(take(2usize), |text: &str| text.parse().ok().map(Move::Place));
    alt((value(Move::Pass, pass), square)).parse(input)
}

/// What may stand between moves: blanks, `,`, `;`, a single `-`, and move numbers such as `1.`, `1)`, `1:` or `1`.
fn between(input: &str) -> IResult<&str, &str> {
    let number = recognize(terminated(digit1, alt((recognize(one_of(".:)")), multispace1))));
    let dash = recognize((nom::combinator::not(tag("--")), tag("-")));
    recognize(many0_count(alt((
        multispace1,
        recognize(one_of(",;")),
        dash,
        number,
    ))))
    .parse(input)
}

impl FromStr for Transcript {
    type Err = TranscriptError;

    fn from_str(text: &str) -> Result<Self, TranscriptError> {
        let mut moves = Vec::new();
        let mut rest = text;
        loop {
            rest = between(rest).map_or(rest, |(after, _)| after);
            if rest.is_empty() {
                return Ok(Self { moves });
            }
            let (after, mv) = one_move(rest).map_err(|_| TranscriptError {
                column: column(text, rest),
                text: rest
                    .split_whitespace()
                    .next()
                    .unwrap_or("")
                    .chars()
                    .take(12)
                    .collect(),
            })?;
            moves.push(mv);
            rest = after;
        }
    }
}

/// Lower case without blanks, passes as `pa`; the alternate form `{:#}` is upper case.
impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.iter().try_for_each(|mv| fmt::Display::fmt(mv, f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        text.parse::<Transcript>().unwrap().to_string()
    }

    #[test]
    fn the_ways_to_write_a_game() {
        for text in [
            "f5d6c3pad3",
            "F5D6C3PASSD3",
            " f5 d6, c3; pa\td3\r\n",
            "f5-d6-c3--d3",
            "F5-D6-C3-PA-D3",
            "1. f5 2. d6 3. c3 4. ps 5. d3",
            "1.f5 2.d6\n3.c3 4.-- 5.d3",
            "1 f5 2 d6 3 c3 4 pass 5 d3 6",
            "1: f5 d6 2) c3 PA d3 3.",
        ] {
            let tail = text.trim_end_matches(" 6");
            assert_eq!(read(tail), "f5d6c3pad3", "{text}");
        }
        assert_eq!(read(""), "");
        assert_eq!(format!("{:#}", "f5pa".parse::<Transcript>().unwrap()), "F5PA");
    }

    #[test]
    fn errors_say_where() {
        let message = |text: &str| text.parse::<Transcript>().unwrap_err().to_string();
        assert_eq!(message("f5d6i9"), "column 5: 'i9' is not a move a1..h8 or a pass");
        assert_eq!(
            message("f5 é3 d3"),
            "column 4: 'é3' is not a move a1..h8 or a pass"
        );
        assert_eq!(message("f55d6"), "column 3: '5d6' is not a move a1..h8 or a pass");
        assert_eq!(message("f5d"), "column 3: 'd' is not a move a1..h8 or a pass");
    }

    proptest! {
        #[test]
        fn prints_what_it_reads(indices in prop::collection::vec(0u8..66, 0..70)) {
            let moves = indices.into_iter().map(|i| crate::Square::new(i).map_or(Move::Pass, Move::Place)).collect();
            let game = Transcript { moves };
            prop_assert_eq!(&game.to_string().parse::<Transcript>().unwrap(), &game);
            prop_assert_eq!(&format!("{game:#}").parse::<Transcript>().unwrap(), &game);
        }

        #[test]
        fn any_text_is_answered(text in "[a-h1-8pPsS. -]{0,40}|\\PC{0,40}") {
            let _ = text.parse::<Transcript>();
        }
    }
}
