//! The sequential probability ratio test: stop as soon as one of two hypotheses about the strength is clear.

use super::elo::{score_of_elo, t_of_normalised};
use super::{Outcome, Sample, Tally};
use std::fmt;
use std::str::FromStr;

/// In which Elo the two hypotheses are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Logistic Elo: the expected score is fixed.
    Logistic,
    /// Normalised Elo: the expected score in standard deviations is fixed.
    #[default]
    Normalised,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalised => "normalised",
        })
    }
}

impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "logistic" => Ok(Self::Logistic),
            "normalised" | "normalized" => Ok(Self::Normalised),
            _ => Err(format!(
                "unknown Elo model '{text}' (known: logistic, normalised)"
            )),
        }
    }
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The log-likelihood ratio fell to the lower bound: the weaker hypothesis stands.
    H0,
    /// It rose to the upper bound: the stronger hypothesis stands.
    H1,
    /// Neither yet.
    Undecided,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
            Self::Undecided => "undecided",
        })
    }
}

/// A test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// Elo difference of H0.
    pub elo0: f64,
    /// Elo difference of H1, above `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 though H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 though H1 is true.
    pub beta: f64,
    /// The Elo of both hypotheses.
    pub model: Model,
}

impl Sprt {
    /// Error if the hypotheses are not in order or not finite, or an error probability is outside (0, ½).
    pub fn checked(self) -> Result<Self, String> {
        let finite = self.elo0.is_finite() && self.elo1.is_finite();
        if !finite || self.elo0 >= self.elo1 {
            return Err(format!(
                "SPRT needs elo0 < elo1, not {} and {}",
                self.elo0, self.elo1
            ));
        }
        for (name, p) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(p > 0.0 && p < 0.5) {
                return Err(format!("SPRT {name} must lie between 0 and 0.5, not {p}"));
            }
        }
        Ok(self)
    }

    /// Lower and upper bound of the log-likelihood ratio: ln(β/(1−α)), ln((1−β)/α) (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// Log-likelihood ratio of H1 to H0, each at its most likely distribution of scores. 0 without units.
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.units() == 0.0 {
            return 0.0;
        }
        let (units, seen) = sample.frequencies();
        let fit = |elo| match self.model {
            Model::Logistic => with_mean(sample.scores(), &seen, score_of_elo(elo)),
            Model::Normalised => with_t(
                sample.scores(),
                &seen,
                t_of_normalised(elo, sample.games_per_unit()),
            ),
        };
        let (p0, p1) = (fit(self.elo0), fit(self.elo1));
        units
            * seen
                .iter()
                .zip(p0.iter().zip(&p1))
                .map(|(p, (p0, p1))| p * (p1 / p0).ln())
                .sum::<f64>()
    }

    /// What a log-likelihood ratio means.
    pub fn decide(&self, llr: f64) -> Decision {
        let (low, high) = self.bounds();
        if llr >= high {
            Decision::H1
        } else if llr <= low {
            Decision::H0
        } else {
            Decision::Undecided
        }
    }
}

/// The distribution closest to `seen` under which `phi` has mean zero: p_i / (1 + θ φ_i) with the θ that makes it so.
/// None if φ has one sign only: no distribution does it.
fn tilted(seen: &[f64], phi: &[f64]) -> Option<Vec<f64>> {
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let most = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    // The mean falls from +inf to -inf between the two poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let theta = (low + high) / 2.0;
        let mean: f64 = seen.iter().zip(phi).map(|(p, f)| p * f / (1.0 + theta * f)).sum();
        if mean > 0.0 { low = theta } else { high = theta }
    }
    let theta = (low + high) / 2.0;
    Some(seen.iter().zip(phi).map(|(p, f)| p / (1.0 + theta * f)).collect())
}

/// Most likely distribution with the given mean score.
fn with_mean(scores: &[f64], seen: &[f64], mean: f64) -> Vec<f64> {
    let phi: Vec<f64> = scores.iter().map(|a| a - mean).collect();
    tilted(seen, &phi).unwrap_or_else(|| seen.to_vec())
}

/// Most likely distribution whose mean is `t` standard deviations above ½. By repeated linearisation of mean − ½ − t·σ, at
/// most ten times: it converges in a few rounds for any sane hypothesis and must end for the others too.
fn with_t(scores: &[f64], seen: &[f64], t: f64) -> Vec<f64> {
    let mut fit = vec![1.0 / scores.len() as f64; scores.len()];
    for _ in 0..10 {
        let mean: f64 = scores.iter().zip(&fit).map(|(a, p)| a * p).sum();
        let variance: f64 = scores.iter().zip(&fit).map(|(a, p)| (a - mean).powi(2) * p).sum();
        let deviation = variance.sqrt();
        let phi: Vec<f64> = scores
            .iter()
            .map(|a| a - 0.5 - 0.5 * t * deviation * (1.0 + ((a - mean) / deviation).powi(2)))
            .collect();
        let Some(next) = tilted(seen, &phi) else { break };
        let change = fit
            .iter()
            .zip(&next)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        fit = next;
        if change < 1e-9 {
            break;
        }
    }
    fit
}

/// Where a test crossed a bound.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stopped {
    /// After how many pairs, in scheduled order.
    pub pairs: u64,
    /// Log-likelihood ratio there.
    pub llr: f64,
    /// H0 or H1.
    pub decision: Decision,
}

/// A running test. Pairs must be added in the order in which they were scheduled, or short games would be heard first
/// and bias the result. The first crossing of a bound stands, whatever pairs that were already under way add later.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    sprt: Sprt,
    tally: Tally,
    llr: f64,
    stopped: Option<Stopped>,
}

impl Trial {
    /// Without pairs.
    pub fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            tally: Tally::default(),
            llr: 0.0,
            stopped: None,
        }
    }

    /// Adds the next pair of the schedule.
    pub fn add(&mut self, pair: [Outcome; 2]) {
        self.tally.add(pair);
        self.llr = self.sprt.llr(&self.tally.sample());
        let decision = self.sprt.decide(self.llr);
        if self.stopped.is_none() && decision != Decision::Undecided {
            self.stopped = Some(Stopped {
                pairs: self.tally.pairs.iter().sum(),
                llr: self.llr,
                decision,
            });
        }
    }

    /// The first crossing.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    /// Log-likelihood ratio over all pairs added.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The verdict: that of the first crossing.
    pub fn decision(&self) -> Decision {
        self.stopped.map_or(Decision::Undecided, |s| s.decision)
    }

    /// The hypotheses.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Draw, Loss, Win};
    use proptest::prelude::*;

    fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model,
        }
    }

    fn close(found: f64, expected: f64) {
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn games() {
        use Model::{Logistic, Normalised};
        // (wins, losses, draws)
        for (model, (w, l, d), elo0, elo1, llr) in [
            (Normalised, (36433, 36027, 68692), 0.0, 2.0, 0.92),
            (Normalised, (10871, 10650, 20431), -1.75, 0.25, 2.30),
            (Normalised, (4250, 0, 0), 0.0, 10.0, 120.56),
            (Logistic, (21404, 21184, 40708), 0.5, 2.5, -1.57),
            (Logistic, (57433, 57030, 106593), 0.0, 2.0, -2.59),
        ] {
            close(
                sprt(model, elo0, elo1).llr(&Tally::of_games(w, d, l).sample()),
                llr,
            );
        }
    }

    #[test]
    fn pairs() {
        use Model::{Logistic, Normalised};
        // (LL, LD, WL, DD, WD, WW)
        for (model, [ll, ld, wl, dd, wd, ww], elo0, elo1, llr) in [
            (Normalised, [365, 16618, 36029, 200, 16974, 390], 0.0, 2.0, 2.25),
            (Normalised, [127, 4883, 10311, 401, 5150, 104], -1.75, 0.25, 3.01),
            (Normalised, [0, 0, 0, 0, 0, 5550], 0.0, 5.0, 111.82),
            (Logistic, [223, 9863, 20279, 1000, 10037, 246], 0.5, 2.5, -3.07),
            (Logistic, [871, 26175, 55003, 980, 26678, 821], 0.0, 2.0, -4.98),
        ] {
            close(
                sprt(model, elo0, elo1).llr(&Sample::pairs([ll, ld, wl + dd, wd, ww])),
                llr,
            );
        }
    }

    #[test]
    fn bounds() {
        let (low, high) = sprt(Model::Normalised, 0.0, 5.0).bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
        assert!(sprt(Model::Normalised, 5.0, 5.0).checked().is_err());
        assert!(
            Sprt {
                alpha: 0.0,
                ..sprt(Model::Logistic, 0.0, 5.0)
            }
            .checked()
            .is_err()
        );
    }

    #[test]
    fn first_crossing_stands() {
        let mut trial = Trial::new(sprt(Model::Logistic, 0.0, 100.0));
        let mut pairs = 0;
        while trial.decision() == Decision::Undecided {
            trial.add([Win, Draw]);
            pairs += 1;
            assert!(pairs < 1000);
        }
        let stopped = trial.stopped().unwrap();
        assert_eq!((stopped.decision, stopped.pairs), (Decision::H1, pairs));
        (0..1000).for_each(|_| trial.add([Loss, Loss]));
        assert_eq!(trial.stopped(), Some(stopped));
        assert!(trial.llr() < trial.sprt().bounds().0);
        assert_eq!(trial.decision(), Decision::H1);
    }

    proptest! {
        /// Whatever the counts and hypotheses, it ends and the ratio is a number; more wins never lower it.
        #[test]
        fn always_ends(pairs in proptest::array::uniform5(0u64..100_000), elo0 in -5000f64..5000.0, width in 0.01f64..5000.0) {
            for model in [Model::Logistic, Model::Normalised] {
                let llr = sprt(model, elo0, elo0 + width).llr(&Sample::pairs(pairs));
                prop_assert!(llr.is_finite(), "{llr}");
            }
        }

        /// The test of the other side with the hypotheses turned round says the opposite.
        #[test]
        fn symmetric(pairs in proptest::array::uniform5(1u64..1000), elo0 in -30f64..30.0, width in 1f64..30.0) {
            let mut turned = pairs;
            turned.reverse();
            for model in [Model::Logistic, Model::Normalised] {
                let llr = sprt(model, elo0, elo0 + width).llr(&Sample::pairs(pairs));
                let other = sprt(model, -elo0 - width, -elo0).llr(&Sample::pairs(turned));
                prop_assert!((llr + other).abs() < 1e-6 * (1.0 + llr.abs()), "{llr} {other}");
            }
        }
    }
}
