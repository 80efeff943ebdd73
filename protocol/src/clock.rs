//! Clock times and clock settings as GGS and GGF write them: `05:00//02:00`.
//!
//! ```text
//! clock := [part] [ "/" [part] [ "/" [part] ] ]        main time, increment, extension
//! part  := time [ "," ["N"] moves ]
//! time  := S | M:S | H:M:S | D.H:M:S                   S may have decimals
//! ```
//!
//! One trap: a number without a colon is seconds in GGF, where NBoard writes `TI[23]`, and minutes on GGS, where
//! `ask 8 5` means five minutes: see [`Bare`]. Printed times always have a colon, so that everybody reads the same.
//!
//! A part that is missing stays `None`: a server that reads a command fills it with its default, in what it prints it means
//! none at all, and NBoard leaves out an extension of 2 minutes.

use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, digit1, u32 as number};
use nom::combinator::{map, opt, peek};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What a number without a colon means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bare {
    /// In GGF.
    Seconds,
    /// In GGS commands.
    Minutes,
}

/// A time on a clock in milliseconds; negative once it has run out.
///
/// Prints as `MM:SS`, `HH:MM:SS` from one hour, `D.HH:MM:SS` from one day, with `.fff` if it is not whole seconds, and with a
/// leading `-` if negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClockTime(i64);

impl ClockTime {
    /// That many seconds.
    pub const fn seconds(seconds: i64) -> Self {
        Self::millis(seconds.saturating_mul(1000))
    }

    /// That many milliseconds.
    pub const fn millis(millis: i64) -> Self {
        Self(millis)
    }

    /// In milliseconds.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The time as a duration; zero if it is negative.
    pub fn duration(self) -> Duration {
        Duration::from_millis(u64::try_from(self.0).unwrap_or(0))
    }
}

/// Whole milliseconds, the rest cut off.
impl From<Duration> for ClockTime {
    fn from(time: Duration) -> Self {
        Self(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        let (seconds, millis) = (total / 1000, total % 1000);
        let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
        let (minutes, seconds) = (seconds / 60 % 60, seconds % 60);
        if days > 0 {
            write!(f, "{sign}{days}.{hours:02}:{minutes:02}:{seconds:02}")?;
        } else if hours > 0 {
            write!(f, "{sign}{hours:02}:{minutes:02}:{seconds:02}")?;
        } else {
            write!(f, "{sign}{minutes:02}:{seconds:02}")?;
        }
        if millis > 0 {
            write!(f, ".{millis:03}")
        } else {
            Ok(())
        }
    }
}

/// Reads a time of GGS. Its numbers have 32 bits, so that no sum overflows.
pub(crate) fn time(input: &str) -> IResult<&str, ClockTime> {
    time_in(input, Bare::Minutes)
}

fn time_in(input: &str, bare: Bare) -> IResult<&str, ClockTime> {
    let colon = |input| preceded(char(':'), small).parse(input);
    let (input, minus) = opt(char('-')).parse(input)?;
    let (input, days) = opt(terminated(small, (char('.'), peek(long_time)))).parse(input)?;
    let (input, first) = small(input)?;
    let (input, (second, third)) = (opt(colon), opt(colon)).parse(input)?;
    let (input, millis) = map(opt(preceded(char('.'), digit1)), |digits| {
        digits.map_or(0, thousandths)
    })
    .parse(input)?;
    let days = days.unwrap_or(0) * 86_400;
    let seconds = match (second, third, bare) {
        (None, _, Bare::Seconds) => first,
        (None, _, Bare::Minutes) => first * 60,
        (Some(second), None, _) => first * 60 + second,
        (Some(second), Some(third), _) => first * 3_600 + second * 60 + third,
    };
    // The decimals of a bare number have its unit.
    let millis = if second.is_none() && bare == Bare::Minutes {
        millis * 60
    } else {
        millis
    };
    let total = (days + seconds) * 1000 + millis;
    Ok((input, ClockTime(if minus.is_some() { -total } else { total })))
}

/// `H:M:S`: only such a time has days before it.
fn long_time(input: &str) -> IResult<&str, (i64, char, i64, char)> {
    (small, char(':'), small, char(':')).parse(input)
}

/// Decimals as thousandths; further ones are dropped.
fn thousandths(decimals: &str) -> i64 {
    let three = decimals.bytes().chain(*b"000").take(3);
    three.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
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
            time: ClockTime::seconds(seconds as i64),
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
#[error("'{text}' is not a clock such as 05:00/00:10/02:00 or 5:00")]
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

fn part(input: &str, bare: Bare) -> IResult<&str, ClockPart> {
    let (input, time) = time_in(input, bare)?;
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

fn setting(input: &str, bare: Bare) -> IResult<&str, ClockSetting> {
    let part = |input| part(input, bare);
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

impl ClockSetting {
    /// Reads a setting, with numbers without a colon as `bare` says.
    ///
    /// # Errors
    /// If the text is anything else, or empty.
    pub fn parse(text: &str, bare: Bare) -> Result<Self, ClockError> {
        match setting(text, bare) {
            Ok(("", found)) if !text.is_empty() => Ok(found),
            _ => Err(ClockError::new(text)),
        }
    }

    /// True for `0`: neither main time nor increment, which in records means a game without clocks, whatever the extension.
    pub fn is_untimed(&self) -> bool {
        let none = |part: Option<ClockPart>| part.is_none_or(|part| part.time.0 == 0);
        none(self.main) && none(self.increment)
    }
}

/// In the language of GGS: see [`ClockSetting::parse`].
impl FromStr for ClockSetting {
    type Err = ClockError;

    fn from_str(s: &str) -> Result<Self, ClockError> {
        Self::parse(s, Bare::Minutes)
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
        let time = prop_oneof![
            0i64..400_000_000,
            (0i64..400_000).prop_map(|seconds| seconds * 1000)
        ];
        (time, proptest::option::of(0u32..100), any::<bool>()).prop_map(|(time, moves, neutral)| ClockPart {
            time: ClockTime(time),
            moves: if neutral { moves.filter(|&m| m > 0) } else { moves },
            neutral,
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
            prop_assert_eq!(ClockSetting::parse(&setting.to_string(), Bare::Seconds), Ok(setting));
        }

        #[test]
        fn times_print_what_they_read(millis in -10_000_000_000i64..10_000_000_000) {
            let time = ClockTime(millis);
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
        assert_eq!("5".parse(), Ok(ClockTime::seconds(300)));
        assert_eq!("0:05".parse(), Ok(ClockTime::seconds(5)));
        assert_eq!("1:00:00".parse(), Ok(ClockTime::seconds(3600)));
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
        assert_eq!("-00:12".parse(), Ok(ClockTime::seconds(-12)));
        for bad in ["", "x", "5:", "5//2//", "5,", "99999999999", "1:2:3:4"] {
            assert!(bad.parse::<ClockSetting>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_forms_of_nboard() {
        let times = |text: &str| {
            let clock = ClockSetting::parse(text, Bare::Seconds).unwrap();
            [clock.main, clock.increment, clock.extension].map(|part| part.map(|part| part.time.as_millis()))
        };
        assert_eq!(times("5:00"), [Some(300_000), None, None]);
        assert_eq!(times("1:00:00"), [Some(3_600_000), None, None]);
        assert_eq!(times("23"), [Some(23_000), None, None]);
        assert_eq!(times("0.005"), [Some(5), None, None]);
        assert_eq!(times("1:00.005"), [Some(60_005), None, None]);
        assert_eq!(times("5:00//0"), [Some(300_000), None, Some(0)]);
        assert_eq!(
            times("1.02:03:04.5/1/2.25"),
            [Some(93_784_500), Some(1000), Some(2250)]
        );
        for text in ["0", "0//0", "0//2:00"] {
            assert!(
                ClockSetting::parse(text, Bare::Seconds).unwrap().is_untimed(),
                "{text}"
            );
        }
        assert!(!ClockSetting::parse("0/1", Bare::Seconds).unwrap().is_untimed());
        assert_eq!("2.5".parse(), Ok(ClockTime::seconds(150)));
        for bad in ["1.5:00", "1.2:00", "1:2.5:3", "5.", ".5"] {
            assert!(ClockSetting::parse(bad, Bare::Seconds).is_err(), "{bad}");
        }
    }
}
