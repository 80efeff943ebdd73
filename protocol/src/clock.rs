//! Clock times and clock settings as GGS and GGF write them: `05:00//02:00`.
//!
//! ```text
//! clock := [part] [ "/" [part] [ "/" [part] ] ]        main time, increment, extension
//! part  := time [ "," ["N"] moves ]
//! time  := MM | MM:SS | HH:MM:SS | D.HH:MM:SS          a single number means minutes
//! ```
//!
//! A part that is missing stays `None`: a server that reads a command fills it with its default, in what it prints and in
//! records it means none at all.

use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, u32 as number};
use nom::combinator::{map, opt};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time on a clock in whole seconds; negative once it has run out.
///
/// Prints as `MM:SS`, `HH:MM:SS` from one hour, `D.HH:MM:SS` from one day, with a leading `-` if negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClockTime(pub i64);

impl ClockTime {
    /// The time as a duration; zero if it is negative.
    pub fn duration(self) -> Duration {
        Duration::from_secs(u64::try_from(self.0).unwrap_or(0))
    }
}

/// Whole seconds, the rest cut off as servers do.
impl From<Duration> for ClockTime {
    fn from(time: Duration) -> Self {
        Self(i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
        let (minutes, seconds) = (seconds / 60 % 60, seconds % 60);
        if days > 0 {
            write!(f, "{sign}{days}.{hours:02}:{minutes:02}:{seconds:02}")
        } else if hours > 0 {
            write!(f, "{sign}{hours:02}:{minutes:02}:{seconds:02}")
        } else {
            write!(f, "{sign}{minutes:02}:{seconds:02}")
        }
    }
}

/// Reads a time. Its numbers have 32 bits, so that no sum overflows.
pub(crate) fn time(input: &str) -> IResult<&str, ClockTime> {
    let colon = |input| preceded(char(':'), small).parse(input);
    let (input, minus) = opt(char('-')).parse(input)?;
    let (input, first) = small(input)?;
    if let (rest, Some(hours)) = opt(preceded(char('.'), small)).parse(input)? {
        let (rest, (minutes, seconds)) = (colon, colon).parse(rest)?;
        let seconds = first * 86_400 + hours * 3_600 + minutes * 60 + seconds;
        return Ok((rest, signed(minus.is_some(), seconds)));
    }
    let (input, (second, third)) = (opt(colon), opt(colon)).parse(input)?;
    let seconds = match (second, third) {
        (None, _) => first * 60,
        (Some(second), None) => first * 60 + second,
        (Some(second), Some(third)) => first * 3_600 + second * 60 + third,
    };
    Ok((input, signed(minus.is_some(), seconds)))
}

fn signed(minus: bool, seconds: i64) -> ClockTime {
    ClockTime(if minus { -seconds } else { seconds })
}

fn small(input: &str) -> IResult<&str, i64> {
    map(number, i64::from).parse(input)
}

impl FromStr for ClockTime {
    type Err = ClockError;

    fn from_str(s: &str) -> Result<Self, ClockError> {
        match time(s.trim_start()) {
            Ok(("", found)) => Ok(found),
            _ => Err(ClockError::new(s)),
        }
    }
}

/// One of the three parts of a clock setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockPart {
    /// The time.
    pub time: ClockTime,
    /// The number of moves that it is for; `None` where the text leaves it out (the usual case: main time and extension for
    /// the whole game, increment for every move).
    pub moves: Option<u32>,
    /// `N`. On the main time: running out is no loss. On the increment: no more than the time spent is given back. On the
    /// extension: the clock is set to it instead of gaining it.
    pub neutral: bool,
}

impl ClockPart {
    /// A part with no more than a time.
    pub const fn seconds(seconds: u32) -> Self {
        Self {
            time: ClockTime(seconds as i64),
            moves: None,
            neutral: false,
        }
    }
}

impl fmt::Display for ClockPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.time)?;
        match (self.neutral, self.moves) {
            (false, None) => Ok(()),
            (false, Some(moves)) => write!(f, ",{moves}"),
            (true, moves) => write!(f, ",N{}", moves.unwrap_or(0)),
        }
    }
}

/// The clocks of a match as they are set before it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClockSetting {
    /// The main time (`ini`).
    pub main: Option<ClockPart>,
    /// Added after every move, or after every `moves` moves.
    pub increment: Option<ClockPart>,
    /// Added once when the main time is exceeded, which costs the win unless the main time is marked `N`.
    pub extension: Option<ClockPart>,
}

impl ClockSetting {
    /// What a server takes for the parts that a command leaves out: 15 minutes, no increment, 2 minutes of extension.
    pub const SERVER_DEFAULT: Self = Self {
        main: Some(ClockPart::seconds(900)),
        increment: None,
        extension: Some(ClockPart::seconds(120)),
    };

    /// With the parts that are missing taken from `defaults`.
    pub fn or(self, defaults: Self) -> Self {
        Self {
            main: self.main.or(defaults.main),
            increment: self.increment.or(defaults.increment),
            extension: self.extension.or(defaults.extension),
        }
    }
}

/// The text is not a clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a clock such as 05:00/00:10/02:00 (a number without a colon is minutes)")]
pub struct ClockError {
    /// What was found, shortened if it was long.
    pub text: String,
}

impl ClockError {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.chars().take(40).collect(),
        }
    }
}

/// `[N]moves`.
pub(crate) fn moves(input: &str) -> IResult<&str, (bool, u32)> {
    map((opt(tag_no_case("n")), number), |(n, moves)| (n.is_some(), moves)).parse(input)
}

fn part(input: &str) -> IResult<&str, ClockPart> {
    let (input, time) = time(input)?;
    let (input, extra) = opt(preceded(
        char(','),
        alt((moves, map(tag_no_case("n"), |_| (true, 0)))),
    ))
    .parse(input)?;
    let (neutral, moves) = match extra {
        None => (false, None),
        // "N0" and "0" say no more than the default.
        Some((true, 0)) => (true, None),
        Some((neutral, moves)) => (neutral, Some(moves)),
    };
    Ok((input, ClockPart { time, moves, neutral }))
}

pub(crate) fn setting(input: &str) -> IResult<&str, ClockSetting> {
    let (input, main) = opt(part).parse(input)?;
    let (input, increment) = opt(preceded(char('/'), opt(part))).parse(input)?;
    let (input, extension) = match increment {
        Some(_) => opt(preceded(char('/'), opt(part))).parse(input)?,
        None => (input, None),
    };
    Ok((
        input,
        ClockSetting {
            main,
            increment: increment.flatten(),
            extension: extension.flatten(),
        },
    ))
}

impl FromStr for ClockSetting {
    type Err = ClockError;

    fn from_str(s: &str) -> Result<Self, ClockError> {
        match setting(s) {
            Ok(("", found)) if !s.is_empty() => Ok(found),
            _ => Err(ClockError::new(s)),
        }
    }
}

/// As servers print it: `05:00/00:10/01:00`, without an increment `05:00//02:00`, and no more slashes than needed.
impl fmt::Display for ClockSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.main.map(|part| part.to_string()).unwrap_or_default();
        if self.increment.is_some() || self.extension.is_some() || text.is_empty() {
            text.push('/');
        }
        if let Some(part) = self.increment {
            text.push_str(&part.to_string());
        }
        if let Some(part) = self.extension {
            text.push_str(&format!("/{part}"));
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part() -> impl Strategy<Value = ClockPart> {
        (0i64..400_000, proptest::option::of(0u32..100), any::<bool>()).prop_map(|(time, moves, neutral)| {
            ClockPart {
                time: ClockTime(time),
                moves: if neutral { moves.filter(|&m| m > 0) } else { moves },
                neutral,
            }
        })
    }

    proptest! {
        #[test]
        fn settings_print_what_they_read(
            main in proptest::option::of(part()),
            increment in proptest::option::of(part()),
            extension in proptest::option::of(part()),
        ) {
            let setting = ClockSetting { main, increment, extension };
            prop_assert_eq!(setting.to_string().parse::<ClockSetting>(), Ok(setting));
        }

        #[test]
        fn times_print_what_they_read(seconds in -10_000_000i64..10_000_000) {
            let time = ClockTime(seconds);
            prop_assert_eq!(time.to_string().parse::<ClockTime>(), Ok(time));
        }

        #[test]
        fn any_text_is_answered(text in ".{0,60}", digits in "[-0-9:.,/N]{0,60}") {
            let _ = text.parse::<ClockSetting>();
            let _ = digits.parse::<ClockSetting>();
        }
    }

    #[test]
    fn a_number_without_a_colon_is_minutes() {
        assert_eq!("5".parse(), Ok(ClockTime(300)));
        assert_eq!("0:05".parse(), Ok(ClockTime(5)));
        assert_eq!("1:00:00".parse(), Ok(ClockTime(3600)));
        let clock: ClockSetting = "5/10".parse().unwrap();
        assert_eq!(clock.increment, Some(ClockPart::seconds(600)));
        let full = clock.or(ClockSetting::SERVER_DEFAULT);
        assert_eq!(full.to_string(), "05:00/10:00/02:00");
        assert_eq!(
            "5".parse::<ClockSetting>()
                .unwrap()
                .or(ClockSetting::SERVER_DEFAULT)
                .to_string(),
            "05:00//02:00"
        );
    }

    #[test]
    fn reads_the_usual_forms() {
        for text in [
            "05:00//02:00",
            "05:00/00:10/01:00",
            "01:00:00/00:00/00:00",
            "15:00",
            "05:00,40/00:10,N2/01:00,N5",
            "05:00,N0//02:00",
            "1.00:00:00",
        ] {
            assert_eq!(text.parse::<ClockSetting>().unwrap().to_string(), text);
        }
        assert_eq!("-00:12".parse(), Ok(ClockTime(-12)));
        for bad in ["", "x", "5:", "5//2//", "5,", "99999999999", "1:2:3:4"] {
            assert!(bad.parse::<ClockSetting>().is_err(), "{bad}");
        }
    }
}
