//! What was said between the arena and an engine.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Who said it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// A line to the engine.
    To,
    /// A line from it.
    From,
    /// A line on its standard error.
    Stderr,
    /// A remark of the arena.
    Note,
}

/// The last lines, with the time of each since the process was started. Bounded: a flood pushes out what was before it.
#[derive(Clone, Debug)]
pub struct Log {
    start: Instant,
    lines: Arc<Mutex<VecDeque<(u128, Voice, String)>>>,
}

/// Lines kept.
const LINES: usize = 2000;
/// Characters of a line kept.
const WIDTH: usize = 2000;

impl Default for Log {
    fn default() -> Self {
        Self {
            start: Instant::now(),
            lines: Arc::default(),
        }
    }
}

impl Log {
    fn lines(&self) -> MutexGuard<'_, VecDeque<(u128, Voice, String)>> {
        // A line that was being added when a thread died does no harm.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line.
    pub fn add(&self, voice: Voice, line: &str) {
        let at = self.start.elapsed().as_micros();
        let mut lines = self.lines();
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back((at, voice, line.chars().take(WIDTH).collect()));
    }

    /// The last line on standard error, if there is one.
    pub fn last_stderr(&self) -> Option<String> {
        self.lines()
            .iter()
            .rev()
            .find(|(_, voice, _)| *voice == Voice::Stderr)
            .map(|(.., line)| line.clone())
    }

    /// Everything kept, one line each: seconds, `>` (to the engine), `<` (from it), `!` (its standard error) or `#`, text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (at, voice, line) in self.lines().iter() {
            let mark = match voice {
                Voice::To => '>',
                Voice::From => '<',
                Voice::Stderr => '!',
                Voice::Note => '#',
            };
            let _ = writeln!(text, "{:>12.6} {mark} {line}", *at as f64 / 1e6);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_end() {
        let log = Log::default();
        log.add(Voice::Stderr, "warning");
        assert_eq!(log.last_stderr().as_deref(), Some("warning"));
        (0..5000).for_each(|i| log.add(Voice::From, &format!("line {i}")));
        log.add(Voice::To, &"x".repeat(1_000_000));
        let text = log.text();
        assert_eq!(text.lines().count(), LINES);
        assert!(text.contains(" < line 4999\n") && !text.contains("warning") && text.len() < 200_000);
    }
}
