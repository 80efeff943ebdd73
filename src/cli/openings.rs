//! `outflank openings`: lists of balanced openings for matches.

use super::suite::percent;
use super::{Global, Outcome, number};
use crate::arena::balanced::{Settings, balanced};
use crate::arena::record::moves_text;
use crate::search::Selectivity;
use clap::Args;
use std::process::ExitCode;
use std::sync::Arc;

/// Print all openings of some plies that a search finds even, one a line, each position once up to symmetry.
///
/// Without options it is the list that comes with the program, as its own search and weights make it now. Every position of
/// that many plies is searched: there are 10,649 of 7 plies, 67,245 of 8, 433,993 of 9.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  outflank openings --threads 2 > balanced-8.txt
  outflank match --openings balanced-8.txt ...")]
pub struct Openings {
    /// Plies of every opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(0..=10u32))]
    plies: u32,
    /// Discs that the score may be off zero
    #[arg(long, value_name = "DISCS", default_value_t = 0.5, value_parser = number(0.0..=64.0))]
    bound: f64,
    /// Plies of the search
    #[arg(long, value_name = "D", default_value_t = 10, value_parser = number(1..=30u8))]
    depth: u8,
    /// Confidence of selective search: 73, 87, 95, 98, 99 or 100 percent
    #[arg(long, value_name = "P", default_value = "73", value_parser = percent)]
    selectivity: Selectivity,
}

/// Positions between two lines that tell how far it is.
const EVERY: usize = 5000;

impl Openings {
    pub fn run(self, global: &Global) -> Outcome {
        let evaluator = Arc::new(global.evaluator()?);
        let settings = Settings {
            rules: global.rules,
            plies: self.plies,
            bound: self.bound,
            depth: self.depth,
            selectivity: self.selectivity,
            threads: global.threads.into(),
        };
        let games = balanced(&settings, &evaluator, &|done, of| {
            if done % EVERY == 0 {
                eprintln!("{done} of {of} positions");
            }
        });
        for game in games {
            say!("{}", moves_text(game.history()));
        }
        Ok(ExitCode::SUCCESS)
    }
}
