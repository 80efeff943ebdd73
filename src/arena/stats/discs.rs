//! Mean disc difference of pairs: a finer signal than wins and losses.

use super::Interval;

/// Running mean and variance (Welford's updating formulas) of the disc differences of pairs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Discs {
    pairs: u64,
    mean: f64,
    squares: f64,
}

impl Discs {
    /// Adds a pair by the sum of its two final disc differences, seen by one side; a result is counted per game.
    pub fn add(&mut self, sum: i32) {
        let value = f64::from(sum) / 2.0;
        self.pairs += 1;
        let from_old = value - self.mean;
        self.mean += from_old / self.pairs as f64;
        self.squares += from_old * (value - self.mean);
    }

    /// Mean difference per game with its 95 % interval (normal approximation over pairs). None below two pairs.
    pub fn mean(&self) -> Option<Interval> {
        if self.pairs < 2 {
            return None;
        }
        let variance = self.squares / (self.pairs - 1) as f64;
        Some(Interval::from_error(
            self.mean,
            (variance / self.pairs as f64).sqrt(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_margin() {
        let mut discs = Discs::default();
        discs.add(4);
        assert_eq!(discs.mean(), None);
        [0, -2, 6].into_iter().for_each(|d| discs.add(d));
        // Per game 2, 0, -1, 3: mean 1, variance 10/3.
        let mean = discs.mean().unwrap();
        assert!((mean.value - 1.0).abs() < 1e-12);
        assert!((mean.margin() - 1.959_964 * (10.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-5);
    }
}
