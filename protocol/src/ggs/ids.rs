//! The three kinds of numbers with a point before them. They look alike and are recycled apart.

use nom::character::complete::{char, u8 as small, u32 as number};
use nom::combinator::{map, opt};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// The text is not an id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not an id such as .7 or .7.0")]
pub struct IdError {
    /// What was found, shortened if it was long.
    pub text: String,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            pub(super) fn read(input: &str) -> IResult<&str, Self> {
                map(preceded(char('.'), number), Self).parse(input)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&format!(".{}", self.0))
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(s: &str) -> Result<Self, IdError> {
                whole(s, Self::read)
            }
        }
    };
}

id! {
    /// A match in progress: `.7`. Recycled within minutes.
    MatchId
}
id! {
    /// A pending request: `.7`. Recycled within minutes, apart from the matches.
    RequestId
}
id! {
    /// A stored match or an archived game: `.7`.
    StoredId
}

/// A game of a match: `.7`, or `.7.0` and `.7.1` in a synchro match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The match.
    pub of: MatchId,
    /// 0 or 1 in a synchro match, else `None`.
    pub half: Option<u8>,
}

impl GameId {
    /// The only game of a match that is not synchro; also the name of a whole match where either form is taken.
    pub const fn single(of: MatchId) -> Self {
        Self { of, half: None }
    }

    pub(super) fn read(input: &str) -> IResult<&str, Self> {
        map((MatchId::read, opt(preceded(char('.'), small))), |(of, half)| {
            Self { of, half }
        })
        .parse(input)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.half {
            None => self.of.fmt(f),
            Some(half) => f.pad(&format!("{}.{half}", self.of)),
        }
    }
}

impl FromStr for GameId {
    type Err = IdError;

    fn from_str(s: &str) -> Result<Self, IdError> {
        whole(s, Self::read)
    }
}

fn whole<T>(text: &str, read: impl Fn(&str) -> IResult<&str, T>) -> Result<T, IdError> {
    match read(text) {
        Ok(("", id)) => Ok(id),
        _ => Err(IdError {
            text: text.chars().take(40).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_what_they_read() {
        assert_eq!(".7".parse(), Ok(MatchId(7)));
        assert_eq!(".7".parse(), Ok(GameId::single(MatchId(7))));
        let half = GameId {
            of: MatchId(12),
            half: Some(1),
        };
        assert_eq!(".12.1".parse(), Ok(half));
        assert_eq!(half.to_string(), ".12.1");
        assert_eq!(format!("{:>4}", RequestId(2)), "  .2");
        for bad in ["7", ".", ".x", ".1.", ".1.2.3", ".99999999999", ""] {
            assert!(bad.parse::<GameId>().is_err(), "{bad}");
        }
    }
}
