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

/// Values of the standard deviation that are tried before a root is closed in on.
const STEPS: u32 = 64;

/// Most likely distribution whose mean is `t` standard deviations above ½.
///
/// At the maximum it is tilted by φ = a − ½ − tσ/2·(1 + ((a − μ)/σ)²), the condition linearised there, with μ = ½ + tσ: one
/// unknown, σ, of which the mean of the tilted distribution gives one equation. The usual way, to iterate from the even
/// distribution, finds the same where it converges; where the hypotheses are far from what was seen it need not.
fn with_t(scores: &[f64], seen: &[f64], t: f64) -> Vec<f64> {
    let at = |deviation: f64| {
        let mean = 0.5 + t * deviation;
        let condition = |a: &f64| a - 0.5 - 0.5 * t * deviation * (1.0 + ((a - mean) / deviation).powi(2));
        let phi: Vec<f64> = scores.iter().map(condition).collect();
        let fit = tilted(seen, &phi)?;
        let gap = scores.iter().zip(&fit).map(|(a, p)| a * p).sum::<f64>() - mean;
        Some((gap, fit))
    };
    let likelihood = |fit: &[f64]| seen.iter().zip(fit).map(|(p, q)| p * q.ln()).sum::<f64>();
    // No scores between 0 and 1 deviate by more from a mean that is so far from the middle.
    let most = 0.5 / (1.0 + t * t).sqrt();
    let mut best: Option<Vec<f64>> = None;
    let mut before: Option<(f64, f64)> = None;
    for step in 1..=STEPS {
        let deviation = most * f64::from(step) / f64::from(STEPS);
        let Some((gap, _)) = at(deviation) else {
            before = None;
            continue;
        };
        if let Some((low, gap_there)) = before.filter(|(_, there)| (*there > 0.0) != (gap > 0.0)) {
            let (mut low, mut high) = (low, deviation);
            for _ in 0..50 {
                let middle = (low + high) / 2.0;
                match at(middle) {
                    Some((gap, _)) if (gap > 0.0) == (gap_there > 0.0) => low = middle,
                    _ => high = middle,
                }
            }
            let fit = at(low).map(|(_, fit)| fit);
            best = match (best, fit) {
                (Some(best), Some(fit)) if likelihood(&best) >= likelihood(&fit) => Some(best),
                (best, fit) => fit.or(best),
            };
        }
        before = Some((deviation, gap));
    }
    // With t = 0 there may be nothing to close in on: φ does not depend on σ.
    best.or_else(|| at(most).map(|(_, fit)| fit))
        .unwrap_or_else(|| seen.to_vec())
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

    /// Nothing but wins speaks for the stronger hypothesis, however strong it is, and the other way round.
    #[test]
    fn far_hypotheses() {
        for elo1 in [5.0, 100.0, 400.0, 1500.0] {
            for pairs in [4, 30, 1000] {
                let test = sprt(Model::Normalised, 0.0, elo1);
                assert!(
                    test.llr(&Sample::pairs([0, 0, 0, 0, pairs])) > 0.0,
                    "{elo1} {pairs}"
                );
                assert!(
                    test.llr(&Sample::pairs([pairs, 0, 0, 0, 0])) < 0.0,
                    "{elo1} {pairs}"
                );
            }
        }
        let llr = sprt(Model::Normalised, 0.0, 400.0).llr(&Sample::pairs([0, 0, 0, 0, 30]));
        assert!((llr - 18.49).abs() < 0.01, "{llr}");
    }

    proptest! {
        /// The fitted distribution is one, and is where the hypothesis wants it.
        #[test]
        fn the_condition_is_met(pairs in proptest::array::uniform5(0u64..1000), elo in -1500f64..1500.0) {
            let sample = Sample::pairs(pairs.map(|n| n + 1));
            let (_, seen) = sample.frequencies();
            let t = t_of_normalised(elo, 2.0);
            let fit = with_t(sample.scores(), &seen, t);
            let mean: f64 = sample.scores().iter().zip(&fit).map(|(a, p)| a * p).sum();
            let variance: f64 = sample.scores().iter().zip(&fit).map(|(a, p)| (a - mean).powi(2) * p).sum();
            prop_assert!((fit.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{:?}", fit);
            prop_assert!((mean - 0.5 - t * variance.sqrt()).abs() < 1e-6, "{} {}", mean, variance);
        }

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
