//! Date and time of day, UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// `2026-11-29 20:07:26`.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    print(since.as_secs())
}

/// Seconds since 1970 as a date. Days to year, month, day in the proleptic Gregorian calendar, by counting 400-year cycles
/// from 1 March 0000 (H. Hinnant, "chrono-compatible low-level date algorithms").
fn print(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year_of_cycle = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let march_month = (5 * day + 2) / 153;
    let day = day - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = cycle * 400 + year_of_cycle + u64::from(month <= 2);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        assert_eq!(print(0), "1970-01-01 00:00:00");
        assert_eq!(print(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(print(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(print(1_795_982_846), "2026-11-29 20:07:26");
    }
}
