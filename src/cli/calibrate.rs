//! `outflank calibrate`: weights straightened on exact scores.

use super::{Global, Outcome, at_least, misuse, number, weights_file};
use crate::eval::Evaluator;
use crate::train::calibrate::{Settings, calibrate};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Straighten weights: positions near the end are solved, and the heads scaled and shifted so that scores mean what they say.
#[derive(Debug, Args)]
pub struct Calibrate {
    /// The weights
    #[arg(value_name = "WEIGHTS")]
    input: PathBuf,
    /// File that the straightened weights go to
    #[arg(value_name = "OUTPUT")]
    output: PathBuf,
    /// Positions to solve, 100 or more
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = at_least(100u64))]
    positions: u64,
    /// Fewest empty squares
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = number(1..=30u32))]
    from: u32,
    /// Most empty squares; beyond, the line goes on as it is there
    #[arg(long, value_name = "N", default_value_t = 22, value_parser = number(1..=30u32))]
    to: u32,
    /// Seed of the games from which the positions are
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0u64))]
    seed: u64,
    /// Name of the straightened weights (default: that of WEIGHTS)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl Calibrate {
    pub fn run(self, global: &Global) -> Outcome {
        if self.from >= self.to {
            return Err(misuse(format!(
                "--from {} is not below --to {}",
                self.from, self.to
            )));
        }
        weights_file::may_write(&self.output)?;
        let mut weights = weights_file::read(&self.input)?;
        let evaluator = Arc::new(Evaluator::from_bytes(&weights.to_bytes())?);
        let settings = Settings {
            positions: self.positions,
            empties: self.from..=self.to,
            seed: self.seed,
            threads: global.threads.into(),
        };
        let fitted = calibrate(&evaluator, &settings, &|done| {
            if done % 200 == 0 {
                eprintln!("{done} of {} positions", self.positions);
            }
        });
        fitted.apply(&mut weights);
        weights.name = self.name.unwrap_or(weights.name);
        weights_file::write(&self.output, &weights.to_bytes())?;
        let [before, after] = fitted.errors;
        say!(
            "{} positions: mean squared error {before:.2}, straightened {after:.2}",
            fitted.positions
        );
        for empties in [self.from, self.to] {
            let (bias, slope) = fitted.line(empties);
            say!("{empties} empty squares: {bias:+.3} {slope:+.4} times the score");
        }
        Ok(ExitCode::SUCCESS)
    }
}
