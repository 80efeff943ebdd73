//! A line on stderr that tells how far long work with games is.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::train::selfplay::Progress;

/// Shows progress once a second on a terminal, else a line every half minute.
pub struct Meter {
    start: Instant,
    shown: Mutex<Instant>,
    every: Duration,
    end: char,
}

impl Meter {
    /// Starts now.
    pub fn new() -> Self {
        let (seconds, end) = if stderr().is_terminal() {
            (1, '\r')
        } else {
            (30, '\n')
        };
        let now = Instant::now();
        Self {
            start: now,
            shown: Mutex::new(now),
            every: Duration::from_secs(seconds),
            end,
        }
    }

    /// Shows the state if it is time again.
    pub fn show(&self, progress: Progress) {
        if let Ok(mut shown) = self.shown.try_lock()
            && shown.elapsed() >= self.every
        {
            *shown = Instant::now();
            self.print(progress, self.end);
        }
    }

    /// Shows the last state.
    pub fn finish(&self, progress: Progress) {
        self.print(progress, '\n');
    }

    fn print(&self, progress: Progress, end: char) {
        let Progress {
            done,
            found,
            of,
            positions,
        } = progress;
        let rate = (done - found) as f64 / self.start.elapsed().as_secs_f64();
        let left = (of - done) as f64 / rate.max(1e-9) / 60.0;
        eprint!(
            "{done} of {of} games, {positions} new positions, {rate:.0} games/s, {left:.0} min left    {end}"
        );
        // Nothing depends on whether it can be seen.
        let _ = stderr().flush();
    }
}
