//! Lengths of time as people write them.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A length of time: `100ms`, `1.5s`, `5m`, `1h`; a number without a unit is seconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Span(pub Duration);

/// A hundred days: nothing longer is meant.
const MOST_SECONDS: f64 = 8_640_000.0;

impl Span {
    /// Whole milliseconds.
    pub const fn millis(ms: u64) -> Self {
        Self(Duration::from_millis(ms))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => f64::NAN,
        };
        let number = digits
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.')
            .then(|| digits.parse::<f64>());
        match number {
            Some(Ok(number)) if number * unit <= MOST_SECONDS => {
                // Via whole microseconds, so that 0.1 s is exactly 100 ms.
                Ok(Self(Duration::from_micros((number * unit * 1e6).round() as u64)))
            }
            _ => Err(format!(
                "'{text}' is not a length of time such as 100ms, 1.5s, 5m or 1h"
            )),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        if self.0.subsec_nanos() == 0 && seconds >= 60 && seconds.is_multiple_of(60) {
            write!(f, "{}m", seconds / 60)
        } else if self.0.subsec_nanos() == 0 || seconds > 0 {
            write!(f, "{}s", self.0.as_micros() as f64 / 1e6)
        } else {
            write!(f, "{}ms", self.0.as_micros() as f64 / 1e3)
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "a length of time: a number of seconds or a text such as \"100ms\""
        )]
        enum Raw {
            Whole(u64),
            Number(f64),
            Text(String),
        }
        let text = match Raw::deserialize(deserializer)? {
            Raw::Whole(seconds) => seconds.to_string(),
            Raw::Number(seconds) => seconds.to_string(),
            Raw::Text(text) => text,
        };
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints() {
        for (text, ms) in [
            ("100ms", 100),
            ("1.5s", 1500),
            ("5m", 300_000),
            ("1h", 3_600_000),
            ("0.1", 100),
            ("7", 7000),
        ] {
            assert_eq!(text.parse::<Span>().unwrap(), Span::millis(ms), "{text}");
        }
        for span in [
            Span::millis(0),
            Span::millis(1),
            Span::millis(1500),
            Span::millis(61_000),
            Span::millis(120_000),
        ] {
            assert_eq!(span.to_string().parse(), Ok(span), "{span}");
        }
        for bad in ["", "s", "-1", "1e9", "1x", "1 s", "inf", "NaN", "99999h", "1.2.3"] {
            assert!(bad.parse::<Span>().is_err(), "{bad}");
        }
    }
}
