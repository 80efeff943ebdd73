//! How many games a question needs, before playing them.

use super::elo::{score_of_elo, t_of_normalised};
use super::{Model, Sprt, normal};

/// What to expect of a sequential test if the difference really is so and so. Wald's approximations for a random walk
/// with drift between two bounds, overshoot neglected.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// The assumed true difference, in the Elo of the test's model.
    pub elo: f64,
    /// Probability that the test ends with H1.
    pub h1: f64,
    /// Expected number of pairs until it ends.
    pub pairs: f64,
}

impl Plan {
    /// `deviation`: standard deviation of a pair's mean score per game (0..½), about 0.25 to 0.35 in Othello; it matters
    /// only to the logistic model.
    pub fn sequential(sprt: &Sprt, elo: f64, deviation: f64) -> Self {
        // In units of one pair's standard deviation.
        let place = |elo| match sprt.model {
            Model::Logistic => (score_of_elo(elo) - 0.5) / deviation,
            Model::Normalised => t_of_normalised(elo, 2.0),
        };
        let (t0, t1) = (place(sprt.elo0), place(sprt.elo1));
        // Per pair the ratio moves by (t1 - t0)(x - (t0 + t1)/2) with x of variance 1 about the truth.
        let step = t1 - t0;
        let drift = step * (place(elo) - (t0 + t1) / 2.0);
        let variance = step * step;
        let (low, high) = sprt.bounds();
        let k = -2.0 * drift / variance;
        if (k * (high - low)).abs() < 1e-9 {
            let h1 = -low / (high - low);
            return Self {
                elo,
                h1,
                pairs: -low * high / variance,
            };
        }
        let h1 = ((k * low).exp() - 1.0) / ((k * low).exp() - (k * high).exp());
        Self {
            elo,
            h1,
            pairs: (h1 * high + (1.0 - h1) * low) / drift,
        }
    }
}

/// Pairs after which the 95 % interval of Elo near 0 is ± `margin`.
pub fn pairs_for_margin(margin: f64, deviation: f64) -> f64 {
    let score = score_of_elo(margin) - 0.5;
    (normal::Z95 * deviation / score).powi(2)
}

/// Pairs of a match of fixed length that finds a true difference of `elo` with the given power (0..1) when "better" is
/// said at an error probability of `alpha` (one-sided).
pub fn pairs_for_power(elo: f64, deviation: f64, alpha: f64, power: f64) -> f64 {
    let score = score_of_elo(elo) - 0.5;
    ((normal::quantile(1.0 - alpha) + normal::quantile(power)) * deviation / score).powi(2)
}

#[cfg(test)]
mod tests {
    use super::super::{Decision, Outcome, Sample, Trial};
    use super::*;

    #[test]
    fn error_probabilities_come_back() {
        for model in [Model::Logistic, Model::Normalised] {
            let sprt = Sprt {
                elo0: 0.0,
                elo1: 5.0,
                alpha: 0.05,
                beta: 0.1,
                model,
            };
            assert!((Plan::sequential(&sprt, 0.0, 0.3).h1 - 0.05).abs() < 1e-3);
            assert!((Plan::sequential(&sprt, 5.0, 0.3).h1 - 0.9).abs() < 1e-3);
            let middle = [1.0, 2.4999, 2.5, 2.5001, 4.0].map(|e| Plan::sequential(&sprt, e, 0.3));
            assert!(middle.windows(2).all(|w| w[0].h1 < w[1].h1), "{middle:?}");
            assert!((middle[1].pairs / middle[2].pairs - 1.0).abs() < 1e-3);
        }
    }

    /// Against the test itself on seeded random pairs.
    #[test]
    fn predicts_the_length() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 40.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
        };
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        let win = score_of_elo(40.0);
        let (mut total, mut h1) = (0, 0);
        for _ in 0..200 {
            let mut trial = Trial::new(sprt);
            while trial.decision() == Decision::Undecided {
                trial.add([0; 2].map(|_| {
                    if random() < win {
                        Outcome::Win
                    } else {
                        Outcome::Loss
                    }
                }));
            }
            total += trial.stopped().unwrap().pairs;
            h1 += u64::from(trial.decision() == Decision::H1);
        }
        // Two independent decisive games: deviation sqrt(p (1 - p) / 2).
        let plan = Plan::sequential(&sprt, 40.0, (win * (1.0 - win) / 2.0).sqrt());
        let found = total as f64 / 200.0;
        assert!((found / plan.pairs - 1.0).abs() < 0.2, "{found} {}", plan.pairs);
        assert!((180..=199).contains(&h1), "{h1}");
    }

    #[test]
    fn fixed_lengths() {
        // The margin of a sample of that size is the one asked for.
        let pairs = pairs_for_margin(10.0, 0.5f64.sqrt() / 2.0).round() as u64;
        let sample = Sample::pairs([pairs / 4, 0, pairs / 2, 0, pairs / 4]);
        let margin = super::super::Strength::of(&sample).unwrap().elo.margin();
        assert!((margin - 10.0).abs() < 0.05, "{margin}");
        assert!(pairs_for_power(10.0, 0.3, 0.05, 0.9) > pairs_for_power(10.0, 0.3, 0.05, 0.8));
    }
}
