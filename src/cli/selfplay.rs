//! `outflank selfplay`: games to train on.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;

use super::{Global, Outcome};
use crate::train::selfplay::{self, Progress, Settings};

/// Play games of the engine against itself to train on; the same command goes on with a file after a kill.
#[derive(Debug, Args)]
pub struct Selfplay {
    /// File that the games go to
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Games in all shards together
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    games: u64,
    /// Depth of search before the exact end
    #[arg(long, value_name = "PLIES", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=30))]
    depth: u8,
    /// Empty squares from which play is exact
    #[arg(long, value_name = "EMPTIES", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=24))]
    exact: u8,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play shard I (0..N) of N; files of different shards add up
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = shard)]
    shard: (u64, u64),
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if i < n => Ok((i, n)),
        _ => Err("a shard is I/N with I from 0 to N-1, such as 0/2".to_owned()),
    }
}

impl Selfplay {
    /// Plays until the file is full.
    pub fn run(self, global: &Global) -> Outcome {
        let settings = Settings {
            path: self.path,
            games: self.games,
            depth: self.depth,
            exact: self.exact,
            seed: self.seed,
            shard: self.shard,
            threads: usize::from(global.threads),
        };
        let evaluator = global.evaluator()?;
        let (start, shown) = (Instant::now(), Mutex::new(Instant::now()));
        let every = Duration::from_secs(if std::io::stderr().is_terminal() { 1 } else { 30 });
        let end = if std::io::stderr().is_terminal() {
            '\r'
        } else {
            '\n'
        };
        let show = |p: Progress, end: char| {
            let seconds = start.elapsed().as_secs_f64();
            let rate = (p.done - p.found) as f64 / seconds;
            let left = (p.of - p.done) as f64 / rate / 60.0;
            eprint!(
                "{} of {} games, {} new positions, {rate:.0} games/s, {left:.0} min left {end}",
                p.done, p.of, p.positions
            );
            let _ = std::io::stderr().flush();
        };
        let progress = selfplay::run(&settings, &evaluator, &AtomicBool::new(false), &|progress| {
            if let Ok(mut shown) = shown.try_lock()
                && shown.elapsed() >= every
            {
                *shown = Instant::now();
                show(progress, end);
            }
        })?;
        show(progress, '\n');
        Ok(ExitCode::SUCCESS)
    }
}
