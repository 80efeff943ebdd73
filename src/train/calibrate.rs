//! Straightening an evaluation: what it learned from games that were not played perfectly lies too close to zero, and labels of an
//! even or odd number of plies lean to one side. Exact scores near the end tell by how much.

use super::least_squares::least_squares;
use super::positions::{Still, random_position};
use crate::eval::Evaluator;
use crate::eval::weights::{DISCS, Weights};
use crate::search::{Goal, Request, Searcher, Stop};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the samples are taken from.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Positions to solve.
    pub positions: u64,
    /// Their empty squares.
    pub empties: RangeInclusive<u32>,
    /// Seed of the games.
    pub seed: u64,
    /// Threads at work.
    pub threads: usize,
}

/// Scores beyond this many discs are left out: near a wipe-out they are bent.
const MOST_DISCS: f64 = 30.0;
/// The middle and the scale of the number of empty squares as a regressor.
const CENTRE: f64 = 20.0;
const SCALE: f64 = 10.0;

/// The straight line, for each number of empty squares, from an evaluation's scores to exact ones.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Bias and slope at [`CENTRE`] empty squares, and what [`SCALE`] more add to each; discs.
    parameters: [f32; 4],
    empties: RangeInclusive<u32>,
    /// Positions in the sample.
    pub positions: usize,
    /// Mean squared error before and after, square discs.
    pub errors: [f64; 2],
}

/// One solved position, in discs.
struct Sample {
    empties: u32,
    score: f64,
    exact: f64,
}

/// Samples positions, solves them, fits. `progress` is told the number of positions done.
pub fn calibrate(
    evaluator: &Arc<Evaluator>,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Calibration {
    let done = AtomicU64::new(0);
    let work = |thread: u64| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed.wrapping_add(thread << 32));
        let mut searcher = Searcher::new(64, 1, Arc::clone(evaluator));
        let mut samples = Vec::new();
        while done.load(Ordering::Relaxed) < settings.positions {
            let Some(board) = random_position(&mut searcher, &mut random, settings.empties.clone()) else {
                continue;
            };
            let score = f64::from(evaluator.evaluate(board)) / 100.0;
            if score.abs() > MOST_DISCS {
                continue;
            }
            let request = Request::new(Goal::Solve);
            let report = searcher.standard(board, &request, &Still, &Stop::new(), &mut |_| ());
            samples.extend(report.lines.first().map(|line| Sample {
                empties: board.empties(),
                score,
                exact: line.score.discs(),
            }));
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        samples
    };
    let mut samples = Vec::new();
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..settings.threads.max(1) as u64)
            .map(|thread| scope.spawn(move || work(thread)))
            .collect();
        for thread in threads {
            samples.extend(
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
    });
    Calibration::fit(&samples, settings.empties.clone())
}

impl Calibration {
    fn fit(samples: &[Sample], empties: RangeInclusive<u32>) -> Self {
        let [bias, slope, more_bias, more_slope, _] = least_squares(samples.iter().map(|sample| {
            let x = (f64::from(sample.empties) - CENTRE) / SCALE;
            ([1.0, sample.score, x, x * sample.score, 0.0], sample.exact, 1.0)
        }));
        let mut fitted = Self {
            parameters: [bias, slope, more_bias, more_slope],
            empties,
            positions: samples.len(),
            errors: [0.0; 2],
        };
        for sample in samples {
            let (bias, slope) = fitted.line(sample.empties);
            let straight = f64::from(bias) + f64::from(slope) * sample.score;
            for (error, score) in fitted.errors.iter_mut().zip([sample.score, straight]) {
                *error += (score - sample.exact).powi(2) / samples.len() as f64;
            }
        }
        fitted
    }

    /// Bias (discs) and slope at a number of empty squares; beyond those that were sampled it stays as it is at the last one.
    pub fn line(&self, empties: u32) -> (f32, f32) {
        let empties = empties.clamp(*self.empties.start(), *self.empties.end());
        let x = (empties as f32 - CENTRE as f32) / SCALE as f32;
        let [bias, slope, more_bias, more_slope] = self.parameters;
        (bias + more_bias * x, slope + more_slope * x)
    }

    /// Straightens weights: their heads alone change.
    pub fn apply(&self, weights: &mut Weights) {
        for (empties, head) in weights.heads.iter_mut().enumerate() {
            let (bias, slope) = self.line(empties as u32);
            head.squared.iter_mut().for_each(|factor| *factor *= slope);
            head.linear.iter_mut().for_each(|factor| *factor *= slope);
            head.bias = head.bias * slope + bias / DISCS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::eval::LIMIT;
    use crate::eval::weights::{Kind, tests::random};

    #[test]
    fn a_line_is_found_and_applied() {
        let truth = |empties: u32, score: f64| {
            let x = (f64::from(empties) - CENTRE) / SCALE;
            (0.5 - x) + (1.1 + 0.2 * x) * score
        };
        let samples: Vec<Sample> = (14..=22)
            .flat_map(|empties| (-20..=20).map(move |score| (empties, f64::from(score))))
            .map(|(empties, score)| Sample {
                empties,
                score,
                exact: truth(empties, score),
            })
            .collect();
        let fitted = Calibration::fit(&samples, 14..=22);
        assert!(fitted.errors[0] > 1.0 && fitted.errors[1] < 1e-4, "{fitted:?}");
        let (bias, slope) = fitted.line(60);
        assert!((bias - 0.3).abs() < 1e-3 && (slope - 1.14).abs() < 1e-3);

        let mut weights = random(Kind::Embedding, 8, 5);
        let ready = |weights: &Weights| Evaluator::from_bytes(&weights.to_bytes()).unwrap();
        let before = ready(&weights).evaluate(Board::START);
        assert!(before.abs() < LIMIT / 2);
        fitted.apply(&mut weights);
        let after = ready(&weights).evaluate(Board::START);
        let expected = 100.0 * (bias + slope * before as f32 / 100.0);
        assert!((after as f32 - expected).abs() < 10.0, "{after} {expected}");
    }

    #[test]
    fn solved_positions_make_a_line() {
        let settings = Settings {
            positions: 200,
            empties: 8..=10,
            seed: 1,
            threads: 1,
        };
        let fitted = calibrate(&Arc::new(Evaluator::embedded()), &settings, &|_| ());
        assert_eq!(fitted.positions, 200);
        assert!(fitted.errors[1] <= fitted.errors[0] && fitted.errors[1] > 0.0);
        let (bias, slope) = fitted.line(9);
        assert!(bias.abs() < 3.0 && (0.8..1.3).contains(&slope), "{bias} {slope}");
    }
}
