//! Date and time of day, UTC.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment in the Gregorian calendar; prints as `2026-11-29 20:07:26`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    pub year: u64,
    /// From 1.
    pub month: u64,
    /// From 1.
    pub day: u64,
    pub hour: u64,
    pub minute: u64,
    pub second: u64,
}

impl Date {
    /// Now.
    pub fn now() -> Self {
        SystemTime::now().into()
    }
}

impl From<SystemTime> for Date {
    /// A time before 1970 counts as its beginning. Days to year, month, day by counting 400-year cycles from 1 March 0000, so
    /// that leap days come last (H. Hinnant, "chrono-compatible low-level date algorithms").
    fn from(time: SystemTime) -> Self {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
        let (cycle, day) = (days / 146_097, days % 146_097);
        let year_of_cycle = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
        let march_month = (5 * day + 2) / 153;
        let month = if march_month < 10 {
            march_month + 3
        } else {
            march_month - 9
        };
        Self {
            year: cycle * 400 + year_of_cycle + u64::from(month <= 2),
            month,
            day: day - (153 * march_month + 2) / 5 + 1,
            hour: time / 3600,
            minute: time / 60 % 60,
            second: time % 60,
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            year,
            month,
            day,
            hour,
            minute,
            second,
        } = self;
        write!(
            f,
            "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_dates() {
        let at = |seconds| Date::from(UNIX_EPOCH + Duration::from_secs(seconds)).to_string();
        assert_eq!(at(0), "1970-01-01 00:00:00");
        assert_eq!(at(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(at(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(at(951_868_800), "2000-03-01 00:00:00");
        assert_eq!(at(1_071_491_598), "2003-12-15 12:33:18");
        assert_eq!(at(1_795_982_946), "2026-11-29 20:09:06");
    }
}
