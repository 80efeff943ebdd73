//! `outflank suite`: how good a midgame search of some depth is, on positions whose moves have known scores.

use super::{Global, Outcome, number, problems};
use crate::engine::{Engine, Task};
use crate::search::{Limits, Selectivity, Stop};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Search the positions of an OBF file to a midgame depth and compare with the scores that the file gives.
#[derive(Debug, Args)]
pub struct Suite {
    /// The file
    file: PathBuf,
    /// Plies of the search
    #[arg(long, value_name = "D", value_parser = number(1..=60u8))]
    depth: u8,
    /// Confidence of selective search: 73, 87, 95, 98, 99 or 100 percent
    #[arg(long, value_name = "P", default_value = "73", value_parser = percent)]
    selectivity: Selectivity,
    /// One JSON object a position, and a last one with the totals
    #[arg(long)]
    json: bool,
}

/// A selectivity by its percentage.
pub fn percent(text: &str) -> Result<Selectivity, String> {
    text.parse()
        .ok()
        .and_then(Selectivity::from_percent)
        .ok_or_else(|| "the levels are 73, 87, 95, 98, 99 and 100".to_owned())
}

#[derive(Serialize)]
struct Tried<'a> {
    position: &'a str,
    best: String,
    /// Discs.
    score: f64,
    /// Exact score of the best move.
    expected: i32,
    /// Exact score of the move chosen, if the file tells it.
    chosen: Option<i32>,
    nodes: u64,
    seconds: f64,
}

#[derive(Default, Serialize)]
struct Totals {
    positions: u64,
    /// Share of positions in which a best move was chosen.
    best_share: f64,
    /// Mean absolute error of the score, discs.
    mae: f64,
    /// Share of scores at most 3 discs off.
    within_3: f64,
    /// Share of scores at most 6 discs off.
    within_6: f64,
    /// Mean discs lost by the moves chosen.
    mean_loss: f64,
    nodes_per_position: f64,
    seconds: f64,
}

impl Suite {
    pub fn run(self, global: &Global) -> Outcome {
        let known = problems::read(&self.file, global.rules)?;
        let mut engine = Engine::new(global.engine()?);
        let task = Task::Plies(self.depth, self.selectivity);
        let (mut totals, mut with_loss) = (Totals::default(), 0.0);
        for problem in &known {
            let Some(expected) = problem.best() else { continue };
            engine.new_game();
            let clock = Instant::now();
            let answer = engine.search(
                &problem.game,
                task,
                &Limits::default(),
                &clock,
                &Stop::new(),
                &mut |_| (),
            );
            let Some((line, best)) = answer.report.lines.first().zip(answer.best) else {
                continue;
            };
            let tried = Tried {
                position: &problem.text,
                best: best.to_string(),
                score: line.score.discs(),
                expected,
                chosen: problem.score_of(best),
                nodes: answer.report.nodes,
                seconds: clock.elapsed().as_secs_f64(),
            };
            let error = (tried.score - f64::from(expected)).abs();
            totals.positions += 1;
            totals.best_share += f64::from(u8::from(tried.chosen == Some(expected)));
            totals.mae += error;
            totals.within_3 += f64::from(u8::from(error <= 3.0));
            totals.within_6 += f64::from(u8::from(error <= 6.0));
            if let Some(chosen) = tried.chosen {
                totals.mean_loss += f64::from(expected - chosen);
                with_loss += 1.0;
            }
            totals.nodes_per_position += tried.nodes as f64;
            totals.seconds += tried.seconds;
            if self.json {
                say!("{}", serde_json::to_string(&tried)?);
            }
        }
        if totals.positions == 0 {
            return Err(format!("{}: no position with a known score", self.file.display()).into());
        }
        let count = totals.positions as f64;
        for sum in [
            &mut totals.best_share,
            &mut totals.mae,
            &mut totals.within_3,
            &mut totals.within_6,
            &mut totals.nodes_per_position,
        ] {
            *sum /= count;
        }
        totals.mean_loss /= f64::max(with_loss, 1.0);
        if self.json {
            say!("{}", serde_json::to_string(&totals)?);
        } else {
            say!(
                "{} positions, depth {}@{}%: best move {:.1} %, error {:.2} discs, within 3 {:.1} %, within 6 {:.1} %, \
                 loss {:.2} discs, {:.0} nodes a position, {:.2} s",
                totals.positions,
                self.depth,
                self.selectivity.percent(),
                100.0 * totals.best_share,
                totals.mae,
                100.0 * totals.within_3,
                100.0 * totals.within_6,
                totals.mean_loss,
                totals.nodes_per_position,
                totals.seconds
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}
