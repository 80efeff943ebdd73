//! `outflank perft`: counting the move tree.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::position::PositionArgs;
use super::{Global, Outcome, number};
use crate::board::perft::Count;
use crate::rules::{self, divide};

/// Count the move tree: nodes at exactly DEPTH plies, and games that ended before.
#[derive(Debug, Args)]
pub struct Perft {
    /// Plies; a pass is one
    #[arg(value_name = "DEPTH", value_parser = number(0..=120u32))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Print the count of each move apart
    #[arg(long)]
    divide: bool,
}

impl Perft {
    /// Prints the counts; the time goes to stderr, so that the output is the same on every run.
    pub fn run(self, global: &Global) -> Outcome {
        let position = self.position.read(global.rules)?;
        let mut out = io::stdout().lock();
        let start = Instant::now();
        let mut count = Count::default();
        if self.divide && self.depth > 0 && !position.is_over() {
            for (mv, part) in divide(&position, self.depth) {
                writeln!(out, "{mv}: {} nodes, {} ended", part.nodes, part.ended)?;
                out.flush()?;
                count += part;
            }
        } else {
            count = rules::perft(&position, self.depth);
        }
        let seconds = start.elapsed().as_secs_f64();
        writeln!(out, "rules: {}", position.rules)?;
        writeln!(out, "depth: {}", self.depth)?;
        writeln!(out, "total: {}", count.total())?;
        writeln!(out, "nodes: {} (at exactly this ply)", count.nodes)?;
        writeln!(out, "ended: {} (games over before it)", count.ended)?;
        writeln!(
            out,
            "passes: a pass is one ply, forced or free; ended games are counted apart"
        )?;
        out.flush()?;
        let rate = count.nodes as f64 / seconds.max(1e-9) / 1e6;
        eprintln!("{seconds:.3} s, {rate:.0} million nodes/s, the last ply counted in bulk");
        Ok(ExitCode::SUCCESS)
    }
}
