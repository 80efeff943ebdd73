//! `outflank probcut-fit`: the errors of shallow searches, fitted anew to an evaluation.

use super::{Global, Outcome, at_least, number};
use crate::train::probcut::{Settings, fit};
use clap::Args;
use std::process::ExitCode;
use std::sync::Arc;

/// Fit the errors that selective search reckons with to the evaluation, and print them.
///
/// Positions of fast games are searched at all depths up to --depth, and solved where few squares are empty. What is printed
/// goes into src/search/probcut.rs; do it again whenever the evaluation changes.
#[derive(Debug, Args)]
pub struct ProbcutFit {
    /// Positions to search
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = at_least(1u64))]
    positions: u64,
    /// Plies of the deepest search
    #[arg(long, value_name = "D", default_value_t = 9, value_parser = number(3..=20u8))]
    depth: u8,
    /// Solve positions with at most this many empty squares
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = at_least(0u32))]
    solve: u32,
    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0u64))]
    seed: u64,
    /// Print the mean and the deviation found beside the fitted one for every pair of depths
    #[arg(long)]
    table: bool,
}

impl ProbcutFit {
    pub fn run(self, global: &Global) -> Outcome {
        let evaluator = Arc::new(global.evaluator()?);
        let settings = Settings {
            positions: self.positions,
            depth: self.depth,
            solve: self.solve,
            seed: self.seed,
            threads: global.threads.into(),
        };
        let fit = fit(&evaluator, &settings, &|done| {
            if done % 500 == 0 {
                eprintln!("{done} of {} positions", self.positions);
            }
        })?;
        if self.table {
            say!("empties depth shallow samples  mean found fitted (discs)");
            for cell in &fit.table {
                say!(
                    "{:7} {:5} {:7} {:7} {:5.2} {:5.2} {:6.2}",
                    cell.empties,
                    cell.depth,
                    cell.shallow,
                    cell.samples,
                    cell.mean,
                    cell.found,
                    cell.fitted
                );
            }
        }
        say!("{}: {:?}", evaluator.name(), fit.model);
        Ok(ExitCode::SUCCESS)
    }
}
