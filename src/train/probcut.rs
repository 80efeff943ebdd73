//! Fitting the errors that ProbCut reckons with to an evaluation: how far apart are shallow and deep scores really?

use super::least_squares::least_squares;
use super::positions::{Still, random_position};
use crate::eval::Evaluator;
use crate::search::{ErrorModel, Goal, Request, Searcher, Selectivity, Stop, shallow_depth};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the samples are taken from.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Positions of which the scores at all depths are compared.
    pub positions: u64,
    /// The deepest midgame search.
    pub depth: u8,
    /// Positions with at most this many empty squares are solved too.
    pub solve: u32,
    /// Of the random numbers.
    pub seed: u64,
    /// Threads at work.
    pub threads: usize,
}

/// The differences between searches of `depth` and `shallow` plies at some number of empty squares, in discs.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    total: f64,
    squares: f64,
}

/// (empty squares, depth, shallow depth); `depth` = empties for solutions.
type Cells = BTreeMap<(u32, u32, u32), Sums>;

/// A fit and how well it does.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The parameters.
    pub model: ErrorModel,
    /// For the pairs of depths that the search uses.
    pub table: Vec<Cell>,
}

/// The differences between searches of two depths, deep less shallow, in discs.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Empty squares.
    pub empties: u32,
    /// Plies of the deep search; as many as empty squares for solutions.
    pub depth: u32,
    /// Plies of the shallow search, 0 for the static score.
    pub shallow: u32,
    /// How many were compared.
    pub samples: u64,
    /// What was found on average. The model reckons with 0.
    pub mean: f64,
    /// The deviation found, from 0.
    pub found: f64,
    /// The deviation of the model.
    pub fitted: f64,
}

/// Why nothing is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "too few positions for {part}: {LEAST_SAMPLES} samples are needed for each of {LEAST_CELLS} combinations of empty \
     squares and depths, and there are so many for {found}; more positions (--positions) help{hint}"
)]
pub struct TooFew {
    part: &'static str,
    found: usize,
    hint: &'static str,
}

/// Combinations of empty squares and depths with fewer samples are left out.
const LEAST_SAMPLES: u32 = 20;
/// As many as there are parameters.
const LEAST_CELLS: usize = 5;

/// Samples positions, searches them, fits. `progress` is told the number of positions done.
///
/// # Errors
/// If the positions are too few for one part of the model.
pub fn fit(
    evaluator: &Arc<Evaluator>,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Fit, TooFew> {
    let done = AtomicU64::new(0);
    let mut cells = Cells::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..settings.threads.max(1))
            .map(|thread| {
                let done = &done;
                scope.spawn(move || sample(evaluator, settings, thread as u64, done, progress))
            })
            .collect();
        for worker in workers {
            // A panic in a worker is a bug and goes on here.
            for (key, sums) in worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            {
                let cell = cells.entry(key).or_default();
                cell.count += sums.count;
                cell.total += sums.total;
                cell.squares += sums.squares;
            }
        }
    });
    regress(&cells)
}

fn sample(
    evaluator: &Arc<Evaluator>,
    settings: &Settings,
    thread: u64,
    done: &AtomicU64,
    progress: &(dyn Fn(u64) + Sync),
) -> Cells {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed.wrapping_add(thread << 32));
    let mut searcher = Searcher::new(16, 1, Arc::clone(evaluator));
    let mut cells = Cells::new();
    while done.load(Ordering::Relaxed) < settings.positions {
        // One position a game, so that the samples are independent.
        let Some(board) = random_position(&mut searcher, &mut random, 10..=54) else {
            continue;
        };
        let empties = board.empties();
        let mut scores = vec![f64::from(evaluator.evaluate(board)) / 100.0];
        let deepest = settings.depth.min(empties.saturating_sub(1) as u8);
        let goal = Goal::Plies(deepest, Selectivity::Full);
        searcher.standard(board, &Request::new(goal), &Still, &Stop::new(), &mut |report| {
            scores.push(report.lines.first().map_or(0.0, |line| line.score.discs()));
        });
        let mut add = |depth: u32, shallow: usize, deep: f64| {
            let cell = cells.entry((empties, depth, shallow as u32)).or_default();
            cell.count += 1.0;
            cell.total += deep - scores[shallow];
            cell.squares += (deep - scores[shallow]).powi(2);
        };
        for (depth, &deep) in scores.iter().enumerate().skip(2) {
            for shallow in (0..depth).filter(|shallow| *shallow == 0 || (depth - shallow) % 2 == 0) {
                add(depth as u32, shallow, deep);
            }
        }
        if empties <= settings.solve {
            let report = searcher.standard(
                board,
                &Request::new(Goal::Solve),
                &Still,
                &Stop::new(),
                &mut |_| (),
            );
            let exact = report.lines.first().map_or(0.0, |line| line.score.discs());
            for shallow in 0..scores.len() {
                add(empties, shallow, exact);
            }
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
    }
    cells
}

fn regress(cells: &Cells) -> Result<Fit, TooFew> {
    let sampled = |sums: &Sums| sums.count >= f64::from(LEAST_SAMPLES);
    let parameters = |to_end: bool, still: bool| {
        let rows = cells.iter().filter(|((empties, depth, shallow), sums)| {
            (depth == empties) == to_end && (*shallow == 0) == still && sampled(sums)
        });
        let found = rows.clone().count();
        if found < LEAST_CELLS {
            let (part, hint) = match to_end {
                true => ("the solved part", ", or solving from further out (--solve)"),
                false => ("the midgame part", ""),
            };
            return Err(TooFew { part, found, hint });
        }
        Ok(least_squares(rows.map(|(&(empties, depth, shallow), sums)| {
            let deviation = (sums.squares / sums.count).sqrt().max(0.05);
            (
                ErrorModel::regressors(empties, depth, shallow).map(f64::from),
                deviation.ln(),
                sums.count,
            )
        })))
    };
    let model = ErrorModel {
        midgame: [parameters(false, false)?, parameters(false, true)?],
        endgame: [parameters(true, false)?, parameters(true, true)?],
    };
    let used =
        |empties: u32, depth: u32, shallow: u32| shallow == 0 || shallow == shallow_depth(empties, depth);
    let table = cells
        .iter()
        .filter(|((empties, depth, shallow), sums)| used(*empties, *depth, *shallow) && sampled(sums))
        .map(|(&(empties, depth, shallow), sums)| Cell {
            empties,
            depth,
            shallow,
            samples: sums.count as u64,
            mean: sums.total / sums.count,
            found: (sums.squares / sums.count).sqrt(),
            fitted: model.deviation(empties, depth, shallow).into(),
        })
        .collect();
    Ok(Fit { model, table })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_fit_is_close_to_what_it_was_fitted_to() {
        let settings = Settings {
            positions: 1500,
            depth: 3,
            solve: 14,
            seed: 1,
            threads: 1,
        };
        let fit = fit(&Arc::new(Evaluator::HandMade), &settings, &|_| ()).unwrap();
        assert!(fit.table.len() > 20);
        for Cell { found, fitted, .. } in fit.table {
            assert!(fitted > 0.4 * found && fitted < 2.5 * found, "{found} {fitted}");
        }
    }

    #[test]
    fn what_is_not_sampled_is_not_fitted() {
        let settings = |positions, solve| Settings {
            positions,
            depth: 3,
            solve,
            seed: 1,
            threads: 1,
        };
        for (settings, part) in [
            (settings(10, 10), "midgame part"),
            (settings(1500, 9), "solved part"),
        ] {
            let error = fit(&Arc::new(Evaluator::HandMade), &settings, &|_| ()).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
