//! `outflank selfplay`: games to train on.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::meter::Meter;
use super::{Global, Outcome, at_least, number};
use crate::train::selfplay::{self, Settings};

/// Play games of the engine against itself to train on; the same command goes on with a file after a kill.
#[derive(Debug, Args)]
pub struct Selfplay {
    /// File that the games go to
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Games in all shards together
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number(0..=1_000_000_000u64))]
    games: u64,
    /// Depth of search before the exact end
    #[arg(long, value_name = "PLIES", default_value_t = 5, value_parser = number(1..=30u8))]
    depth: u8,
    /// Empty squares from which play is exact
    #[arg(long, value_name = "EMPTIES", default_value_t = 12, value_parser = number(1..=24u8))]
    exact: u8,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0u64))]
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
        let meter = Meter::new();
        let progress = selfplay::run(&settings, &evaluator, &AtomicBool::new(false), &|progress| {
            meter.show(progress);
        })?;
        meter.finish(progress);
        Ok(ExitCode::SUCCESS)
    }
}
