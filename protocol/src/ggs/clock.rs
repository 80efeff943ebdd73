//! A clock that runs, as boards show it: `04:59,21:0//02:00,21:0`.

use crate::clock::{ClockError, ClockTime, moves, time};
use nom::character::complete::{char, u32 as number};
use nom::combinator::{map, opt};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// One of the three parts of a running clock: `MM:SS,[N]made:per`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunningPart {
    /// What is left; whole seconds, the rest cut off.
    pub time: ClockTime,
    /// `N`, as in [`crate::clock::ClockPart::neutral`].
    pub neutral: bool,
    /// Moves made by this player; it stands still once the clock is in its extension.
    pub made: u32,
    /// The number of moves that the part is for; 0: all.
    pub per: u32,
}

/// The clock of one player in one game. A part that is not shown is zero: `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunningClock {
    /// The time that is left: main time, or extension once that has begun.
    pub main: RunningPart,
    /// Added after every `per` moves.
    pub increment: Option<RunningPart>,
    /// What an overrun of the main time adds.
    pub extension: Option<RunningPart>,
}

fn part(input: &str) -> IResult<&str, RunningPart> {
    map(
        (
            preceded(super::words::blanks, time),
            opt(preceded(char(','), (moves, opt(preceded(char(':'), number))))),
        ),
        |(time, counters)| {
            let ((neutral, made), per) = counters.unwrap_or_default();
            RunningPart {
                time,
                neutral,
                made,
                per: per.unwrap_or(0),
            }
        },
    )
    .parse(input)
}

pub(super) fn running(input: &str) -> IResult<&str, RunningClock> {
    let (input, main) = part(input)?;
    let (input, increment) = opt(preceded(char('/'), opt(part))).parse(input)?;
    let (input, extension) = opt(preceded(char('/'), opt(part))).parse(input)?;
    Ok((
        input,
        RunningClock {
            main,
            increment: increment.flatten(),
            extension: extension.flatten(),
        },
    ))
}

impl FromStr for RunningClock {
    type Err = ClockError;

    fn from_str(s: &str) -> Result<Self, ClockError> {
        match running(s) {
            Ok(("", clock)) => Ok(clock),
            _ => Err(ClockError::new(s)),
        }
    }
}

impl fmt::Display for RunningPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = if self.neutral { "N" } else { "" };
        write!(f, "{},{n}{}:{}", self.time, self.made, self.per)
    }
}

impl fmt::Display for RunningClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/", self.main)?;
        if let Some(part) = self.increment {
            write!(f, "{part}")?;
        }
        write!(f, "/")?;
        match self.extension {
            Some(part) => write!(f, "{part}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_observed_forms() {
        for text in [
            "04:59,21:0//02:00,21:0",
            "00:20,1:0/00:01,1:1/00:20,1:0",
            "00:59,0:0//01:00,0:0",
            "-00:03,N4:40//",
            "01:00:00,0:0//",
        ] {
            assert_eq!(text.parse::<RunningClock>().unwrap().to_string(), text);
        }
        let clock: RunningClock = "00:20,1:0/00:01,1:1/00:20,1:0".parse().unwrap();
        assert_eq!(clock.main.time, ClockTime::seconds(20));
        assert_eq!(clock.increment.unwrap().per, 1);
        assert_eq!(
            "05:00".parse::<RunningClock>().unwrap().main.time,
            ClockTime::seconds(300)
        );
        assert!("".parse::<RunningClock>().is_err());
    }
}
