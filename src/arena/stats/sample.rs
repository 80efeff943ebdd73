//! Observed scores of independent units (games or pairs).

use super::Tally;

/// Scores per game (0..1) of independent units, and how often each was seen.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The possible scores, rising, 0 to 1: thirds of a game or fifths of a pair.
    scores: &'static [f64],
    /// How many units had each score.
    counts: Vec<f64>,
    /// Games in a unit: 1 or 2.
    games: f64,
}

impl Sample {
    /// Single games: loss, draw, win. Right only where games are independent of each other.
    pub fn games(tally: &Tally) -> Self {
        let counts = [tally.losses, tally.draws, tally.wins].map(|n| n as f64).to_vec();
        Self {
            scores: &[0.0, 0.5, 1.0],
            counts,
            games: 1.0,
        }
    }

    /// Pairs by half points, 0 to 4.
    pub fn pairs(pairs: [u64; 5]) -> Self {
        Self {
            scores: &[0.0, 0.25, 0.5, 0.75, 1.0],
            counts: pairs.map(|n| n as f64).to_vec(),
            games: 2.0,
        }
    }

    /// Number of units.
    pub fn units(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Games in a unit.
    pub fn games_per_unit(&self) -> f64 {
        self.games
    }

    /// The possible scores, rising.
    pub fn scores(&self) -> &'static [f64] {
        self.scores
    }

    /// Mean score per game, 0..1; not a number without units.
    pub fn mean(&self) -> f64 {
        self.scores
            .iter()
            .zip(&self.counts)
            .map(|(a, n)| a * n)
            .sum::<f64>()
            / self.units()
    }

    /// Variance of a unit's score about the mean (maximum likelihood: divided by the number of units).
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.scores
            .iter()
            .zip(&self.counts)
            .map(|(a, n)| (a - mean).powi(2) * n)
            .sum::<f64>()
            / self.units()
    }

    /// Relative frequencies with empty cells counted as 0.001 units, so that a likelihood exists for every hypothesis.
    pub(super) fn frequencies(&self) -> (f64, Vec<f64>) {
        let counts: Vec<f64> = self
            .counts
            .iter()
            .map(|&n| if n == 0.0 { 1e-3 } else { n })
            .collect();
        let units: f64 = counts.iter().sum();
        (units, counts.iter().map(|n| n / units).collect())
    }
}
