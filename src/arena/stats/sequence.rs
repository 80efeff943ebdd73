//! Scheduled order out of the order of finishing.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// One part of a run that is spread over several processes: part `index` of `count` plays the pairs whose number leaves
/// `index` − 1 when divided by `count`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The whole run.
    pub const ALL: Self = Self { index: 1, count: 1 };

    /// Is the pair with this number, from 0, in this part?
    pub fn has(self, pair: u64) -> bool {
        pair % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("shard '{text}' is not I/N with 1 <= I <= N");
        let (index, count) = text.split_once('/').ok_or_else(bad)?;
        let (index, count) = (
            index.parse().map_err(|_| bad())?,
            count.parse().map_err(|_| bad())?,
        );
        if index < 1 || index > count {
            return Err(bad());
        }
        Ok(Self { index, count })
    }
}

/// Holds back what finished early until everything scheduled before it is in.
#[derive(Clone, Debug)]
pub struct Sequencer<T> {
    shards: Vec<Shard>,
    next: u64,
    held: BTreeMap<u64, T>,
}

impl<T> Sequencer<T> {
    /// For the pairs of these parts of a run, which must not be empty.
    pub fn new(shards: Vec<Shard>) -> Self {
        debug_assert!(!shards.is_empty());
        let mut this = Self {
            shards,
            next: 0,
            held: BTreeMap::new(),
        };
        this.skip();
        this
    }

    fn skip(&mut self) {
        while !self.shards.iter().any(|s| s.has(self.next)) {
            self.next += 1;
        }
    }

    /// Takes pair number `index` in, and gives out what is now in order.
    pub fn push(&mut self, index: u64, item: T) -> Vec<T> {
        self.held.insert(index, item);
        let mut ready = Vec::new();
        while let Some(item) = self.held.remove(&self.next) {
            ready.push(item);
            self.next += 1;
            self.skip();
        }
        ready
    }

    /// What was held back and never came into order.
    pub fn into_rest(self) -> impl Iterator<Item = T> {
        self.held.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_in_order() {
        let mut all = Sequencer::new(vec![Shard::ALL]);
        assert!(all.push(2, 'c').is_empty());
        assert_eq!(all.push(0, 'a'), ['a']);
        assert_eq!(all.push(1, 'b'), ['b', 'c']);
        assert!(all.push(5, 'f').is_empty());
        assert_eq!(all.into_rest().collect::<String>(), "f");
    }

    #[test]
    fn knows_its_shards() {
        let shards = ["2/4", "4/4"].map(|s| s.parse().unwrap()).to_vec();
        let mut some = Sequencer::new(shards);
        assert!(some.push(3, 3).is_empty());
        assert_eq!(some.push(1, 1), [1, 3]);
        assert_eq!(some.push(5, 5), [5]);
        for bad in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
    }
}
