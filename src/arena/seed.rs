//! Seeded randomness that stays the same on every machine and in every version.

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). A journal records a seed and a
/// later version must play the same openings from it, which the `rand` crate does not promise.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The stream that belongs to a seed and some numbers that tell it from others with the same seed.
    pub fn new(seed: u64, path: &[u64]) -> Self {
        let mut this = Self(seed);
        for &step in path {
            this.0 = this.next().wrapping_add(step);
        }
        this
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0 (multiply-shift; the bias is below n / 2^64).
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Puts a list in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_stream() {
        // First outputs for the seed 1234567 in the author's reference implementation.
        let mut random = SplitMix::new(1_234_567, &[]);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn paths_differ() {
        let first = |path: &[u64]| SplitMix::new(1, path).next();
        assert_ne!(first(&[0, 1]), first(&[1, 0]));
        assert_ne!(first(&[]), first(&[0]));
        let mut list: Vec<_> = (0..20).collect();
        SplitMix::new(3, &[]).shuffle(&mut list);
        assert_ne!(list, (0..20).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..20).collect::<Vec<_>>());
    }
}
