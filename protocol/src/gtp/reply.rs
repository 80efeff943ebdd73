//! The answer to a request.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, u32 as integer};
use nom::combinator::opt;

use crate::line_error::LineError;
use crate::vocab::WordError;

/// An answer: what was asked for, or why not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reply {
    /// The number of the request.
    pub id: Option<u32>,
    /// The text, possibly empty or of several lines; none of them is empty, since an empty line ends the answer.
    pub text: Result<String, String>,
}

/// Why a request fails. The texts begin as the protocol prescribes, since controllers look for them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// No such command.
    #[error("unknown command")]
    Unknown,
    /// An argument is wrong or missing.
    #[error("syntax error: {0}")]
    Syntax(LineError),
    /// A move that the rules do not allow, with the reason.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// `genmove` for the side that is not to move.
    #[error("wrong color: {0}")]
    WrongColor(String),
    /// No move to take back.
    #[error("cannot undo")]
    CannotUndo,
    /// The game is not over.
    #[error("cannot score")]
    CannotScore,
    /// A board that is not 8x8.
    #[error("unacceptable size")]
    UnacceptableSize,
    /// The file of `loadsgf`.
    #[error("cannot load file: {0}")]
    CannotLoad(String),
    /// The game of `set_game`.
    #[error("unsupported game")]
    UnsupportedGame,
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Self {
        match error {
            LineError::Unknown(_) => Self::Unknown,
            wrong => Self::Syntax(wrong),
        }
    }
}

impl FromStr for Reply {
    type Err = WordError;

    /// Reads a whole answer with or without the empty line at its end. A blank between `=` and a number belongs to the text.
    /// Control characters other than tabs are removed, as the protocol says.
    fn from_str(text: &str) -> Result<Self, WordError> {
        let mut head = (
            alt((char::<_, nom::error::Error<&str>>('='), char('?'))),
            opt(integer),
        );
        let (rest, (sign, id)) = head
            .parse(text)
            .map_err(|_| WordError::new(text, "a reply = or ?"))?;
        let body: String = rest
            .chars()
            .filter(|&c| matches!(c, '\n' | '\t') || !c.is_control())
            .collect();
        let body = body.trim().to_owned();
        Ok(Self {
            id,
            text: if sign == '=' { Ok(body) } else { Err(body) },
        })
    }
}

/// `=7 text` or `?7 text` and a line end; with the line end after it the empty line is there that ends an answer.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.text {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{sign}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        // An empty line in the text would end the answer. At its beginning it only moves the first line below the sign.
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        match lines.next() {
            Some(first) if text.starts_with('\n') => write!(f, "\n{first}\n")?,
            Some(first) => writeln!(f, " {first}")?,
            None => writeln!(f)?,
        }
        lines.try_for_each(|line| writeln!(f, "{line}"))
    }
}
