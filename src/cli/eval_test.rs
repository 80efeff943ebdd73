//! `outflank eval-test`: evaluations against the exact scores of tournament positions.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Global, Outcome, wthor};
use crate::board::Board;
use crate::eval::Evaluator;

/// Measure evaluations against the theoretical scores of a folder of WTHOR files, side by side.
///
/// In discs: the mean absolute and the mean squared error, the latter also after the best straight line, the slope of that line,
/// and the mean of score less result; last the nanoseconds for a position.
#[derive(Debug, Args)]
pub struct EvalTest {
    /// Folder of WTHOR files (.wtb)
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Files of weights to measure, besides the hand-made evaluation and the built-in one
    #[arg(value_name = "WEIGHTS")]
    weights: Vec<PathBuf>,
}

impl EvalTest {
    /// Prints a line for each evaluation.
    pub fn run(self, _global: &Global) -> Outcome {
        let mut positions = Vec::new();
        for file in wthor::read(&self.folder)? {
            positions.extend(file.games.iter().filter_map(|game| {
                let (board, black) = wthor::position(game, file.depth.into())?;
                let score = 2 * i32::from(game.best_score) - 64;
                Some((board, if black { score } else { -score }))
            }));
        }
        positions.sort_unstable_by_key(|(board, _)| (board.mover, board.opponent));
        positions.dedup_by_key(|(board, _)| *board);
        say!("{} positions", positions.len());
        say!(
            "{:24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}",
            "evaluation",
            "MAE",
            "MSE",
            "straight",
            "slope",
            "bias",
            "ns"
        );
        let mut evaluators = vec![Evaluator::HandMade, Evaluator::embedded()];
        for path in &self.weights {
            evaluators.push(Evaluator::load(path)?);
        }
        for evaluator in evaluators {
            measure(&evaluator, &positions)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints the line of an evaluation.
fn measure(evaluator: &Evaluator, positions: &[(Board, i32)]) -> io::Result<()> {
    let n = positions.len() as f64;
    let start = std::time::Instant::now();
    let pairs: Vec<(f64, f64)> = positions
        .iter()
        .map(|&(board, exact)| (f64::from(evaluator.evaluate(board)) / 100.0, f64::from(exact)))
        .collect();
    let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / n;
    let mean = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(x, y)| f(x, y)).sum::<f64>() / n;
    let (mx, my) = (mean(&|x, _| x), mean(&|_, y| y));
    let slope = mean(&|x, y| (x - mx) * (y - my)) / mean(&|x, _| (x - mx) * (x - mx));
    say!(
        "{:24} {:8.3} {:8.2} {:8.2} {:8.3} {:8.3} {nanoseconds:6.0}",
        evaluator.name(),
        mean(&|x, y| (x - y).abs()),
        mean(&|x, y| (x - y) * (x - y)),
        mean(&|x, y| (my + slope * (x - mx) - y).powi(2)),
        slope,
        mx - my,
    );
    Ok(())
}
