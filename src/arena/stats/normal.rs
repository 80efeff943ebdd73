//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// Complementary error function, relative error below 1e-13: power series near zero, continued fraction in the tail.
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 2.5 {
        // erf x = 2/sqrt(pi) * exp(-x^2) * sum 2^n x^(2n+1) / (1*3*..*(2n+1)); all terms positive.
        let mut term = x;
        let mut sum = x;
        let mut n = 0.0;
        while term > sum * 1e-17 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum
    } else {
        // Laplace's continued fraction, from the far end back.
        let fraction = (1..=60).rev().fold(x, |tail, k| x + f64::from(k) / 2.0 / tail);
        (-x * x).exp() / (fraction * PI.sqrt())
    }
}

/// Probability that a standard normal variable is below `z`.
pub fn cdf(z: f64) -> f64 {
    erfc(-z / SQRT_2) / 2.0
}

/// The `z` below which a standard normal variable falls with probability `p`; infinite at 0 and 1.
pub fn quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if cdf(middle) < p {
            low = middle
        } else {
            high = middle
        }
    }
    (low + high) / 2.0
}

/// `quantile(0.975)`: half the width of a 95 % interval in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (z, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (2.0, 0.977_249_868_051_821),
            (-3.0, 0.001_349_898_031_630),
            (-5.0, 2.866_515_718_791_94e-7),
        ] {
            assert!((cdf(z) / p - 1.0).abs() < 1e-11, "{z}: {}", cdf(z));
            assert!((quantile(p) - z).abs() < 1e-9, "{p}: {}", quantile(p));
        }
        assert!((quantile(0.975) - Z95).abs() < 1e-12);
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
    }
}
