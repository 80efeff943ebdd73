//! A line from the controller.

use std::fmt;

use nom::Parser;
use nom::character::complete::{multispace1, u32 as integer};
use nom::combinator::{opt, peek};
use nom::sequence::terminated;

use super::Command;
use crate::line_error::LineError;

/// What a line from the controller is.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// Empty, or a comment: there is no answer.
    Nothing,
    /// The comment `# interrupt` of GoGui: the running search is to answer at once.
    Interrupt,
    /// A command, or what is wrong with it.
    Request(Request),
}

/// A command, or what is wrong with it, with the number that the answer repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The number in front.
    pub id: Option<u32>,
    /// The command.
    pub command: Result<Command, LineError>,
}

/// The number of a request; it must not run into the command.
fn id(input: &str) -> nom::IResult<&str, Option<u32>> {
    opt(terminated(integer, peek(multispace1))).parse(input)
}

impl Line {
    /// Reads a line (without its line end). As the protocol says, control characters are removed, except that a tab is a
    /// blank, and `#` begins a comment.
    pub fn read(line: &str) -> Self {
        let clean: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let (text, comment) = clean
            .split_once('#')
            .map_or((clean.as_str(), ""), |(text, comment)| (text, comment));
        let text = text.trim();
        if text.is_empty() {
            return match comment.trim() {
                "interrupt" => Self::Interrupt,
                _ => Self::Nothing,
            };
        }
        let (rest, id) = id(text).unwrap_or((text, None));
        Self::Request(Request {
            id,
            command: rest.trim_start().parse(),
        })
    }
}

/// The line that asks for it; an erroneous command prints as an empty one.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        self.command
            .as_ref()
            .map_or(Ok(()), |command| fmt::Display::fmt(command, f))
    }
}
