//! OBF, positions with the values of their moves: `<64 cells> X; G8:+18; H1:+12;`, one a line.

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, i32 as integer, space0};
use nom::combinator::{eof, opt};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use crate::place::column;
use crate::position::{PositionError, PositionFault, diagram};
use crate::transcript::one_move;
use crate::vocab::{Diagram, Move};

/// A position, and what some or all of its moves are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position.
    pub position: Diagram,
    /// The moves in the order of the line, usually the best first; empty if the line has none.
    pub scores: Vec<MoveScore>,
}

/// What a move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveScore {
    /// The move.
    pub mv: Move,
    /// Final disc difference for the side to move, empty squares to the winner: -64..=64.
    pub score: i32,
}

/// Where a line is no OBF, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObfError {
    /// The board or the side to move.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// After the side to move comes a list of moves.
    #[error("column {column}: '{text}' where MOVE:score; should stand")]
    Item {
        /// In characters, from 1.
        column: usize,
        /// What stands there, shortened.
        text: String,
    },
    /// No board has such a score.
    #[error("column {column}: the score {score} is not between -64 and 64")]
    Score {
        /// In characters, from 1.
        column: usize,
        /// The score.
        score: i32,
    },
}

/// `--:-127`, which some programs write to fill up a list.
const FILLER: i32 = -127;

/// `MOVE:score`, then `;` or the end of the line.
fn item(input: &str) -> IResult<&str, MoveScore> {
    let colon = delimited(space0, char(':'), space0);
    let score = preceded(opt(char('+')), integer);
    let end = (space0, alt((tag(";"), eof)));
    let (rest, (mv, _, score, _)) = (one_move, colon, score, end).parse(input)?;
    Ok((rest, MoveScore { mv, score }))
}

impl FromStr for Problem {
    type Err = ObfError;

    /// Reads one line. Fillers `--:-127` are dropped; the semicolon after the last move may be missing.
    fn from_str(line: &str) -> Result<Self, ObfError> {
        let at = |rest: &str, fault: PositionFault| PositionError {
            column: column(line, rest),
            fault,
        };
        let (rest, position) = diagram(line).map_err(|(rest, fault)| at(rest, fault))?;
        let mut rest = rest.trim_start();
        rest = rest.strip_prefix(';').unwrap_or(rest).trim_start();
        let mut scores = Vec::new();
        while !rest.is_empty() {
            let (after, found) = item(rest).map_err(|_| ObfError::Item {
                column: column(line, rest),
                text: rest.chars().take(12).collect(),
            })?;
            match found.score {
                -64..=64 => scores.push(found),
                FILLER if found.mv == Move::Pass => {}
                score => {
                    return Err(ObfError::Score {
                        column: column(line, rest),
                        score,
                    });
                }
            }
            rest = after.trim_start();
        }
        Ok(Self { position, scores })
    }
}

/// One line: `<64 cells> X; G8:+18; H1:+12;`. A pass is `PA`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position)?;
        self.scores
            .iter()
            .try_for_each(|MoveScore { mv, score }| write!(f, " {mv:#}:{score:+};"))
    }
}

/// The positions of a file with their line numbers, from 1. Empty lines and comments (`#` or `%` first) are left out.
pub fn problems(text: &str) -> impl Iterator<Item = (usize, Result<Problem, ObfError>)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let comment = line.trim_start().starts_with(['#', '%']);
        (!comment && !line.trim().is_empty()).then(|| (number, line.parse()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests::any_diagram;
    use proptest::prelude::*;

    const LINE: &str =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; A2:+0; G2:-24;";

    #[test]
    fn a_line_of_the_collections() {
        let problem: Problem = LINE.parse().unwrap();
        let best = MoveScore {
            mv: "g8".parse().unwrap(),
            score: 18,
        };
        assert_eq!((problem.scores.len(), problem.scores[0]), (4, best));
        assert_eq!(problem.to_string(), LINE);
        let filled: Problem = format!("{LINE} --:-127;").parse().unwrap();
        assert_eq!(filled, problem);
        assert_eq!(
            LINE.replace("; G2:-24;", "")
                .replace(";", " ; ")
                .parse::<Problem>()
                .unwrap()
                .scores
                .len(),
            3
        );
        assert_eq!(LINE[..66].parse::<Problem>().unwrap().scores, []);
        assert_eq!(
            format!("{}; pass:4", &LINE[..66])
                .parse::<Problem>()
                .unwrap()
                .scores[0]
                .mv,
            Move::Pass
        );
    }

    #[test]
    fn errors_say_where() {
        let message = |text: String| text.parse::<Problem>().unwrap_err().to_string();
        assert_eq!(
            message(LINE[..40].into()),
            "column 41: the board has 40 squares, not 64"
        );
        assert_eq!(
            message(LINE.replace("H1:+12", "H9:+12")),
            "column 77: 'H9:+12; A2:+' where MOVE:score; should stand"
        );
        assert_eq!(
            message(LINE.replace("H1:+12;", "H1:+12")),
            "column 77: 'H1:+12 A2:+0' where MOVE:score; should stand"
        );
        assert_eq!(
            message(LINE.replace("-24", "-65")),
            "column 92: the score -65 is not between -64 and 64"
        );
        assert_eq!(
            message(LINE.replace("-24", "-127")),
            "column 92: the score -127 is not between -64 and 64"
        );
        assert_eq!(
            message(LINE.replace("-24", "9999999999")),
            "column 92: 'G2:999999999' where MOVE:score; should stand"
        );
    }

    #[test]
    fn files_have_comments() {
        let text = format!("# hard\n\n{LINE}\n% x\nrubbish\n");
        let found: Vec<_> = problems(&text)
            .map(|(line, found)| (line, found.is_ok()))
            .collect();
        assert_eq!(found, [(3, true), (5, false)]);
    }

    proptest! {
        #[test]
        fn prints_what_it_reads(position in any_diagram(), list in prop::collection::vec((0u8..66, -64..=64), 0..20)) {
            let score = |(index, score)| MoveScore { mv: crate::Square::new(index).map_or(Move::Pass, Move::Place), score };
            let problem = Problem { position, scores: list.into_iter().map(score).collect() };
            prop_assert_eq!(problem.to_string().parse::<Problem>().unwrap(), problem);
        }

        #[test]
        fn any_text_is_answered(text in "\\PC{0,100}", tail in "[;:a-hA-H1-8+ -]{0,30}|\\PC{0,20}") {
            let _ = text.parse::<Problem>();
            let _ = format!("{} {tail}", &LINE[..66]).parse::<Problem>();
        }
    }
}
