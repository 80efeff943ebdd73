//! Elo and normalised Elo with intervals.

use super::{Sample, normal};
use std::cmp::Ordering;
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// Elo points of one unit of normalised strength, for a single game: 800 / ln 10 (Van den Bergh).
pub const NORMALISED_SCALE: f64 = 800.0 / LN_10;

/// A value and its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// From an estimate and its standard error.
    pub fn from_error(value: f64, error: f64) -> Self {
        let half = normal::Z95 * error;
        Self {
            value,
            low: value - half,
            high: value + half,
        }
    }

    /// Half the width; not a number if an end is infinite.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// `+20.87 ± 25.75`, or as many decimals as asked for; where only one end is known, `above +147.19` or `below -147.19`;
/// where both are known and no value in between, `from -147.19 to +20.87`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        let Self { value, low, high } = self;
        if self.margin().is_finite() && value.is_infinite() {
            return write!(f, "from {low:+.decimals$} to {high:+.decimals$}");
        }
        if self.margin().is_finite() {
            return write!(f, "{value:+.decimals$} ± {:.decimals$}", self.margin());
        }
        match (low.is_finite(), high.is_finite()) {
            (true, _) => write!(f, "above {low:+.decimals$}"),
            (_, true) => write!(f, "below {high:+.decimals$}"),
            _ => write!(f, "{value:+.decimals$}, nothing sure"),
        }
    }
}

/// Elo difference at which the expected score per game is `score` (0..1); infinite at both ends.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Expected score per game (0..1) at an Elo difference: the logistic curve.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// What a sample says about the strength of one side against the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Logistic Elo difference. Its interval is that of the score, carried through the curve.
    pub elo: Interval,
    /// Normalised Elo: (score − ½) / standard deviation of a game's score, × 800 / ln 10. Says how many games it takes to
    /// tell the two apart, whatever the share of draws and the bias of the openings.
    pub normalised: Interval,
    /// Likelihood of superiority, 0..1: probability that the side is the stronger one, by the normal approximation.
    pub superiority: f64,
}

impl Strength {
    /// None without units.
    pub fn of(sample: &Sample) -> Option<Self> {
        let units = sample.units();
        if units == 0.0 {
            return None;
        }
        let (mean, deviation) = (sample.mean(), sample.variance().sqrt());
        if deviation == 0.0 {
            return Some(Self::of_likes(mean, units, sample.games_per_unit()));
        }
        let error = deviation / units.sqrt();
        let score = Interval::from_error(mean, error);
        let elo = Interval {
            value: elo_of_score(score.value),
            low: elo_of_score(score.low),
            high: elo_of_score(score.high),
        };
        // A unit of k games whose mean score has deviation s corresponds to games of deviation s * sqrt(k).
        let scale = NORMALISED_SCALE / sample.games_per_unit().sqrt();
        let t = (mean - 0.5) / deviation;
        let normalised = Interval::from_error(t * scale, scale / units.sqrt());
        let superiority = normal::cdf((mean - 0.5) / error);
        Some(Self {
            elo,
            normalised,
            superiority,
        })
    }

    /// When all units have the same score, their deviation says nothing. What is known instead: units of another score are
    /// rare. With 95 % confidence a share of at least 0.05^(1/units) has the score seen, and the rest may have any.
    fn of_likes(score: f64, units: f64, games: f64) -> Self {
        let alike = 0.05f64.powf(1.0 / units);
        let (low, high) = (score * alike, 1.0 - (1.0 - score) * alike);
        let elo = Interval {
            value: elo_of_score(score),
            low: elo_of_score(low),
            high: elo_of_score(high),
        };
        let scale = NORMALISED_SCALE / games.sqrt();
        // The rest at one end of the scale gives the least, or the most, mean and the greatest deviation at once.
        let normalised = |mean: f64, end: f64| {
            let deviation = (score - end).abs() * (alike * (1.0 - alike)).sqrt();
            (mean - 0.5) / deviation * scale
        };
        let normalised = Interval {
            value: match score == 0.5 {
                true => 0.0,
                false => (score - 0.5) * f64::INFINITY,
            },
            low: if score == 0.0 {
                f64::NEG_INFINITY
            } else {
                normalised(low, 0.0)
            },
            high: if score == 1.0 {
                f64::INFINITY
            } else {
                normalised(high, 1.0)
            },
        };
        // As for a coin of unknown bias (Laplace) that always fell on one side.
        let other_side = 0.5f64.powf(units + 1.0);
        let superiority = match score.total_cmp(&0.5) {
            Ordering::Less => other_side,
            Ordering::Equal => 0.5,
            Ordering::Greater => 1.0 - other_side,
        };
        Self {
            elo,
            normalised,
            superiority,
        }
    }
}

/// Normalised Elo as the mean of a unit of `games` games in its own standard deviations, from the middle.
pub(super) fn t_of_normalised(elo: f64, games: f64) -> f64 {
    debug_assert!(games == 1.0 || (games.sqrt() - SQRT_2).abs() < 1e-12);
    elo / NORMALISED_SCALE * games.sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::Tally;
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.006, "{found} instead of {expected}");
    }

    #[test]
    fn games() {
        let s = Strength::of(&Tally::of_games(136, 111, 96).sample()).unwrap();
        close(s.elo.value, 40.70);
        close(s.elo.margin(), 30.43);
        close(s.normalised.value, 49.77);
        close(s.normalised.margin(), 36.77);
        close(s.superiority * 100.0, 99.60);
    }

    #[test]
    fn pairs() {
        // In the order LL, LD, WL, DD, WD, WW.
        let s = Strength::of(&Sample::pairs([34, 54, 31 + 32, 64, 75])).unwrap();
        close(s.elo.value, 55.58);
        close(s.elo.margin(), 27.65);
        close(s.normalised.value, 57.94);
        close(s.normalised.margin(), 28.28);
        let s = Strength::of(&Sample::pairs([332, 433, 457 + 41, 333, 334])).unwrap();
        close(s.elo.value, -8.64);
        close(s.elo.margin(), 10.33);
        close(s.normalised.value, -9.17);
        close(s.normalised.margin(), 10.96);
        close(s.superiority * 100.0, 5.05);
    }

    #[test]
    fn degenerate() {
        assert!(Strength::of(&Tally::default().sample()).is_none());
        // Five wins leave a probability of 0.05 to a share of wins of 0.05^(1/5) = 0.549.
        let s = Strength::of(&Tally::of_games(5, 0, 0).sample()).unwrap();
        assert_eq!((s.elo.value, s.elo.high), (f64::INFINITY, f64::INFINITY));
        close(score_of_elo(s.elo.low), 0.05f64.powf(0.2));
        close(s.superiority, 1.0 - 1.0 / 64.0);
        assert!(s.elo.to_string().starts_with("above +34."), "{}", s.elo);
        assert!(s.normalised.to_string().starts_with("above +"));
        let s = Strength::of(&Sample::pairs([9, 0, 0, 0, 0])).unwrap();
        assert_eq!((s.elo.value, s.elo.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(s.elo.to_string().starts_with("below -") && s.superiority < 0.001);
        let s = Strength::of(&Sample::pairs([0, 0, 7, 0, 0])).unwrap();
        assert_eq!((s.elo.value, s.normalised.value, s.superiority), (0.0, 0.0, 0.5));
        assert!(
            s.elo.low < -50.0 && s.elo.high > 50.0 && s.normalised.low.is_finite(),
            "{s:?}"
        );
        // Half a point of every pair: no deviation to measure the loss with, but ends.
        let s = Strength::of(&Sample::pairs([0, 2, 0, 0, 0])).unwrap();
        assert!(
            s.elo.value < 0.0 && s.normalised.value == f64::NEG_INFINITY,
            "{s:?}"
        );
        let text = s.normalised.to_string();
        assert!(text.starts_with("from -") && text.contains(" to +"), "{text}");
        let s = Strength::of(&Tally::of_games(1, 0, 0).sample()).unwrap();
        assert!(s.elo.low < 0.0 && s.superiority == 0.75, "{s:?}");
        close(elo_of_score(score_of_elo(123.0)), 123.0);
    }
}
