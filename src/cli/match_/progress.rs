//! What a match under way says: a bar on a terminal, lines in a pipe, JSON where asked for.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::Output;
use super::play::Standing;
use crate::arena::record::PairRecord;
use crate::arena::report::Report;
use crate::arena::stats::Strength;

/// Time between two lines of standing in a pipe.
const EVERY: Duration = Duration::from_secs(10);
/// Forfeits that are told one by one.
const FORFEITS_TOLD: u64 = 20;

/// Prints a report on standard output.
pub fn print(report: &Report, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        let value = json!({ "event": "report", "report": report });
        writeln!(out, "{value}")
    } else {
        write!(out, "{report}")
    }
}

pub struct Progress {
    output: Output,
    bar: Option<ProgressBar>,
    last: Instant,
    total: u64,
    /// Only two engines play.
    two: bool,
    forfeits: u64,
    /// Where the logs of failed games go.
    logs: PathBuf,
}

impl Progress {
    pub fn new(output: Output, journal: &Path, total: u64, two: bool) -> Self {
        let on_terminal = io::stderr().is_terminal() && !output.quiet && !output.json;
        let bar = on_terminal.then(|| {
            let bar = ProgressBar::new(total);
            let style =
                ProgressStyle::with_template("{bar:24} {pos}/{len} pairs, {elapsed} (left {eta}) {msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        Self {
            output,
            bar,
            last: Instant::now(),
            total,
            two,
            forfeits: 0,
            logs: journal.with_extension("logs"),
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None if self.output.quiet || self.output.json => {}
            None => eprintln!("{text}"),
        }
    }

    fn event(&self, value: serde_json::Value) {
        if self.output.json {
            // Whoever reads it may be gone; the journal is what counts.
            let _ = writeln!(io::stdout(), "{value}");
        }
    }

    /// Something that the user should know.
    pub fn warn(&self, text: &str) {
        self.event(json!({ "event": "warning", "text": text }));
        self.line(&format!("warning: {text}"));
    }

    /// A pair is in the journal, and so it stands now.
    pub fn pair(&mut self, pair: &PairRecord, standing: &Standing) {
        self.event(json!({ "event": "pair", "pair": pair }));
        let done = standing.pairs;
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
        let every = if self.bar.is_some() {
            Duration::from_secs(1)
        } else {
            EVERY
        };
        if self.output.quiet || self.output.json || (self.last.elapsed() < every && done < self.total) {
            return;
        }
        self.last = Instant::now();
        let mut text = String::new();
        if self.two {
            let tally = &standing.tally;
            text = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
            if let Some(Strength { elo, .. }) = Strength::of(&tally.sample()) {
                text += &format!(", Elo {elo:.1}");
            }
        }
        if let Some(trial) = &standing.trial {
            let (low, high) = trial.sprt().bounds();
            text += &format!(", LLR {:+.2} [{low:.2}, {high:.2}]", trial.llr());
        }
        match &self.bar {
            Some(bar) => bar.set_message(text),
            None => self.line(&format!("{done}/{} pairs {text}", self.total)),
        }
    }

    /// A game was forfeited.
    pub fn forfeit(&mut self, pair: u64, game: usize, engine: &str, reason: &str, log: Option<String>) {
        let kept = log.and_then(|log| self.keep(pair, game, engine, &log));
        self.event(json!({
            "event": "forfeit", "pair": pair, "game": game, "engine": engine, "reason": reason, "log": kept,
        }));
        self.forfeits += 1;
        if self.forfeits > FORFEITS_TOLD {
            return;
        }
        let kept = kept
            .map(|path| format!(" (log: {})", path.display()))
            .unwrap_or_default();
        self.line(&format!(
            "pair {pair} game {game}: '{engine}' loses by {reason}{kept}"
        ));
        if self.forfeits == FORFEITS_TOLD {
            self.line("more forfeits will be counted in the report only");
        }
    }

    fn keep(&self, pair: u64, game: usize, engine: &str, log: &str) -> Option<PathBuf> {
        let name: String = engine
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' })
            .collect();
        let path = self.logs.join(format!("pair-{pair:06}-game-{game}-{name}.log"));
        match fs::create_dir_all(&self.logs).and_then(|()| fs::write(&path, log)) {
            Ok(()) => Some(path),
            Err(error) => {
                self.warn(&format!("cannot keep the log '{}': {error}", path.display()));
                None
            }
        }
    }

    /// No more news.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
