//! `outflank relabel`: stored games with new scores.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::meter::Meter;
use super::{Global, Outcome, number};
use crate::train::relabel::{self, Settings};

/// Copy games of self-play with new scores from small searches (--eval names the weights); goes on after a kill.
#[derive(Debug, Args)]
pub struct Relabel {
    /// File of games
    #[arg(value_name = "GAMES")]
    input: PathBuf,
    /// File that the games with new scores go to
    #[arg(value_name = "OUTPUT")]
    output: PathBuf,
    /// Depth of search
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = number(1..=30u8))]
    depth: u8,
    /// Empty squares from which scores are exact
    #[arg(long, value_name = "EMPTIES", default_value_t = 12, value_parser = number(1..=24u8))]
    exact: u8,
}

impl Relabel {
    /// Copies all games.
    pub fn run(self, global: &Global) -> Outcome {
        let settings = Settings {
            input: self.input,
            output: self.output,
            depth: self.depth,
            exact: self.exact,
            threads: global.threads.into(),
        };
        let meter = Meter::new();
        let progress = relabel::run(
            &settings,
            &global.evaluator()?,
            &AtomicBool::new(false),
            &|progress| {
                meter.show(progress);
            },
        )?;
        meter.finish(progress);
        Ok(ExitCode::SUCCESS)
    }
}
