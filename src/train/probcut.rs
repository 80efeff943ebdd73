//! Fitting the errors that ProbCut reckons with to an evaluation: how far apart are shallow and deep scores really?

use crate::board::{Board, Squares};
use crate::clock::Stopwatch;
use crate::eval::Evaluator;
use crate::rules::Move;
use crate::search::{ErrorModel, Goal, Request, Searcher, Selectivity, Stop, shallow_depth};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};
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
    squares: f64,
}

/// (empty squares, depth, shallow depth); `depth` = empties for solutions.
type Cells = BTreeMap<(u32, u32, u32), Sums>;

/// A fit and how well it does.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The parameters.
    pub model: ErrorModel,
    /// (empty squares, depth, shallow depth, samples, deviation found, deviation of the model), deviations in discs, for the
    /// pairs of depths that the search uses.
    pub table: Vec<(u32, u32, u32, u64, f64, f64)>,
}

/// Samples positions, searches them, fits. `progress` is told the number of positions done.
pub fn fit(evaluator: &Arc<Evaluator>, settings: &Settings, progress: &(dyn Fn(u64) + Sync)) -> Fit {
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
                cell.squares += sums.squares;
            }
        }
    });
    regress(&cells)
}

/// A clock that stands still: fits are limited by depth only.
struct Still;

impl Stopwatch for Still {
    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
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
        let Some(board) = random_position(&mut searcher, &mut random) else {
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

/// A position of a game that begins at random and goes on with moves of a search of two plies and a random one now and then.
fn random_position(searcher: &mut Searcher, random: &mut impl Rng) -> Option<Board> {
    let target = random.random_range(10..=54);
    let opening = random.random_range(4..=16);
    let mut board = Board::START;
    let mut plies = 0;
    while board.empties() > target {
        let moves = board.moves();
        if moves == 0 {
            board = board.pass();
            if board.moves() == 0 {
                return None;
            }
            continue;
        }
        let square = if plies < opening || random.random_ratio(1, 10) {
            Squares(moves).nth(random.random_range(0..moves.count_ones() as usize))?
        } else {
            let request = Request::new(Goal::Plies(2, Selectivity::Full));
            let report = searcher.standard(board, &request, &Still, &Stop::new(), &mut |_| ());
            match report.lines.first()?.pv.first()? {
                Move::Place(square) => *square,
                Move::Pass => return None,
            }
        };
        board = board.play(square);
        plies += 1;
    }
    (board.moves() != 0).then_some(board)
}

fn regress(cells: &Cells) -> Fit {
    let parameters = |to_end: bool, still: bool| {
        let rows = cells.iter().filter(|((empties, depth, shallow), sums)| {
            (depth == empties) == to_end && (*shallow == 0) == still && sums.count >= 20.0
        });
        least_squares(rows.map(|(&(empties, depth, shallow), sums)| {
            let deviation = (sums.squares / sums.count).sqrt().max(0.05);
            (
                ErrorModel::regressors(empties, depth, shallow).map(f64::from),
                deviation.ln(),
                sums.count,
            )
        }))
    };
    let model = ErrorModel {
        midgame: [parameters(false, false), parameters(false, true)],
        endgame: [parameters(true, false), parameters(true, true)],
    };
    let used =
        |empties: u32, depth: u32, shallow: u32| shallow == 0 || shallow == shallow_depth(empties, depth);
    let table = cells
        .iter()
        .filter(|((empties, depth, shallow), sums)| used(*empties, *depth, *shallow) && sums.count >= 20.0)
        .map(|(&(empties, depth, shallow), sums)| {
            let found = (sums.squares / sums.count).sqrt();
            let fitted = f64::from(model.deviation(empties, depth, shallow));
            (empties, depth, shallow, sums.count as u64, found, fitted)
        })
        .collect();
    Fit { model, table }
}

/// Weighted least squares by the normal equations. A little weight on zero keeps them solvable where a regressor is constant,
/// as the logarithm of the shallow depth is for static scores.
fn least_squares(rows: impl Iterator<Item = ([f64; 5], f64, f64)>) -> [f32; 5] {
    let mut matrix = [[0.0; 6]; 5];
    for (regressors, value, weight) in rows {
        for (i, line) in matrix.iter_mut().enumerate() {
            for (cell, regressor) in line.iter_mut().zip(regressors.iter().chain([&value])) {
                *cell += weight * regressors[i] * regressor;
            }
        }
    }
    for (i, line) in matrix.iter_mut().enumerate() {
        line[i] += 1e-3;
    }
    // Gauss and Jordan; the matrix is positive definite, so no pivoting is needed.
    for pivot in 0..5 {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|cell| *cell /= scale);
        let row = matrix[pivot];
        for (i, line) in matrix.iter_mut().enumerate() {
            if i != pivot {
                let factor = line[pivot];
                line.iter_mut()
                    .zip(row)
                    .for_each(|(cell, other)| *cell -= factor * other);
            }
        }
    }
    matrix.map(|line| line[5] as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_finds_the_parameters_of_exact_data() {
        let truth = [0.5, -1.0, 2.0, 0.25, -0.75];
        let rows = (10..50).flat_map(|empties| {
            (2..9).flat_map(move |depth| {
                (1..depth).map(move |shallow| {
                    let r = ErrorModel::regressors(empties, depth, shallow).map(f64::from);
                    (r, r.iter().zip(truth).map(|(a, b)| a * b).sum(), 30.0)
                })
            })
        });
        for (found, expected) in least_squares(rows).into_iter().zip(truth) {
            assert!((f64::from(found) - expected).abs() < 1e-2, "{found} {expected}");
        }
    }

    #[test]
    fn a_small_fit_is_close_to_what_it_was_fitted_to() {
        let settings = Settings {
            positions: 1500,
            depth: 3,
            solve: 10,
            seed: 1,
            threads: 1,
        };
        let fit = fit(&Arc::new(Evaluator::HandMade), &settings, &|_| ());
        assert!(fit.table.len() > 20);
        for (_, _, _, _, found, fitted) in fit.table {
            assert!(fitted > 0.4 * found && fitted < 2.5 * found, "{found} {fitted}");
        }
    }
}
