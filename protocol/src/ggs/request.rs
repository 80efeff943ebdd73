//! Match requests: `+ .2 1720.0 alice 05:00//02:00 8 U 1720.0 bob`.

use super::ids::{RequestId, StoredId};
use super::matches::Player;
use super::words::{line, parsed, real, word};
use crate::clock::ClockSetting;
use crate::match_type::MatchType;
use nom::combinator::opt;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// What kind of match a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// `R`.
    Rated,
    /// `U`.
    Unrated,
    /// `T`: a tournament match.
    Tournament,
    /// `S`: a stored match is to be resumed.
    Stored,
}

impl FromStr for RequestKind {
    type Err = ();

    fn from_str(s: &str) -> Result<Self, ()> {
        match s {
            "R" => Ok(Self::Rated),
            "U" => Ok(Self::Unrated),
            "T" => Ok(Self::Tournament),
            "S" => Ok(Self::Stored),
            _ => Err(()),
        }
    }
}

impl fmt::Display for RequestKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rated => "R",
            Self::Unrated => "U",
            Self::Tournament => "T",
            Self::Stored => "S",
        })
    }
}

/// A pending request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its number.
    pub id: RequestId,
    /// Who asks.
    pub asker: Player,
    /// The asker's clock, and that of the other one unless [`Request::asked_clock`] says otherwise.
    pub clock: ClockSetting,
    /// The type of match; its colour is the asker's wish.
    pub match_type: MatchType,
    /// Rated, unrated, of a tournament, or to resume.
    pub kind: RequestKind,
    /// Who is asked; `None`: anyone.
    pub asked: Option<Player>,
    /// The clock of the one who is asked, if it differs.
    pub asked_clock: Option<ClockSetting>,
    /// The stored match to resume.
    pub stored: Option<StoredId>,
}

fn star(input: &str) -> IResult<&str, Option<Player>> {
    let (rest, rating) = word(input)?;
    if rating == "*" {
        let (rest, _) = word(rest)?;
        return Ok((rest, None));
    }
    let (rest, (rating, name)) = (real, word).parse(input)?;
    Ok((
        rest,
        Some(Player {
            name: name.to_owned(),
            rating,
        }),
    ))
}

impl Request {
    /// Reads what follows the sign of a request line.
    pub(super) fn read(input: &str) -> Option<Self> {
        let parser = (
            parsed,
            Player::rating_first,
            parsed,
            parsed,
            parsed,
            star,
            opt(parsed::<ClockSetting>),
            opt(parsed::<StoredId>),
        );
        let (id, asker, clock, match_type, kind, asked, asked_clock, stored) = line(parser, input)?;
        Some(Self {
            id,
            asker,
            clock,
            match_type,
            kind,
            asked,
            asked_clock,
            stored,
        })
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>4} {:6.1} {:8} {} {:>8} {} ",
            self.id, self.asker.rating, self.asker.name, self.clock, self.match_type, self.kind
        )?;
        let mut tail = match &self.asked {
            Some(player) => format!("{:6.1} {:8}", player.rating, player.name),
            None => "* *".to_owned(),
        };
        if let Some(clock) = self.asked_clock {
            tail.push_str(&format!(" {clock}"));
        }
        if let Some(stored) = self.stored {
            tail.push_str(&format!(" {stored}"));
        }
        f.write_str(tail.trim_end())
    }
}
