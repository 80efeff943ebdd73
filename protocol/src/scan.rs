//! Walking through the words of a line while remembering where they stand.

use std::fmt::Display;
use std::str::FromStr;

use nom::bytes::complete::take_till1;
use nom::character::complete::multispace0;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::line_error::LineError;
use crate::played::Played;
use crate::vocab::{Move, WordError};

/// At most this many characters of the input are quoted in an error.
const QUOTE: usize = 40;

fn word(input: &str) -> IResult<&str, &str> {
    preceded(multispace0, take_till1(char::is_whitespace)).parse(input)
}

/// The start of `text`, for an error message.
pub fn short(text: &str) -> String {
    text.chars().take(QUOTE).collect()
}

/// A line, read up to some point.
pub struct Scan<'a> {
    line: &'a str,
    rest: &'a str,
    command: &'static str,
}

impl<'a> Scan<'a> {
    pub fn new(line: &'a str) -> Self {
        let line = line.trim_end();
        Self {
            line,
            rest: line,
            command: "",
        }
    }

    /// The next word, or the empty string at the end of the line.
    pub fn word(&mut self) -> &'a str {
        match word(self.rest) {
            Ok((rest, word)) => {
                self.rest = rest;
                word
            }
            Err(_) => "",
        }
    }

    /// Errors name this command from now on.
    pub fn command(&mut self, name: &'static str) -> &mut Self {
        self.command = name;
        self
    }

    /// The next word as a value; `expected` says what it should be, with its article.
    pub fn argument<T: FromStr>(&mut self, expected: &'static str) -> Result<T, LineError> {
        self.argument_with(expected, |word| word.parse().ok())
    }

    /// The next word through `read`.
    pub fn argument_with<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, LineError> {
        match self.word() {
            "" => Err(self.missing(expected)),
            word => {
                read(word).ok_or_else(|| self.bad(word, format_args!("'{}' is not {expected}", short(word))))
            }
        }
    }

    /// What is left of the line, which must be something.
    pub fn rest(&mut self, expected: &'static str) -> Result<&'a str, LineError> {
        match self.text() {
            "" => Err(self.missing(expected)),
            text => Ok(text),
        }
    }

    /// What is left of the line, possibly nothing.
    pub fn text(&mut self) -> &'a str {
        std::mem::take(&mut self.rest).trim()
    }

    /// The line must end here.
    pub fn end<T>(&mut self, value: T) -> Result<T, LineError> {
        match self.word() {
            "" => Ok(value),
            word => Err(self.bad(word, format_args!("'{}' where the line should end", short(word)))),
        }
    }

    /// What is left of the line as a move with evaluation and time, between slashes or blanks. More parts are read over.
    pub fn played(&mut self) -> Result<Played<Move>, LineError> {
        let text = self.rest("a move")?;
        let slashed = if text.contains('/') {
            text.to_owned()
        } else {
            text.split_whitespace().take(3).collect::<Vec<_>>().join("/")
        };
        slashed.parse().map_err(|error: WordError| self.bad(text, error))
    }

    /// A bad argument at `place`, which must be part of the line.
    pub fn bad(&self, place: &str, problem: impl Display) -> LineError {
        self.bad_at(self.column(place), problem)
    }

    /// A bad argument at this column.
    pub fn bad_at(&self, column: usize, problem: impl Display) -> LineError {
        LineError::Bad {
            command: self.command,
            column,
            problem: problem.to_string(),
        }
    }

    fn missing(&self, expected: &'static str) -> LineError {
        LineError::Missing {
            command: self.command,
            expected,
        }
    }

    /// Characters from the start of the line to `place`, from 1.
    pub fn column(&self, place: &str) -> usize {
        let bytes = (place.as_ptr() as usize).saturating_sub(self.line.as_ptr() as usize);
        self.line.char_indices().take_while(|&(at, _)| at < bytes).count() + 1
    }
}
