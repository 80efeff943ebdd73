//! The positions that a fit learns from and those that it is judged by.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use flate2::Crc;

use super::games::{Error, Reader, Sample};

/// One game in this many is held out.
const HELD_OUT: u64 = 32;

/// Positions of files of games.
#[derive(Default)]
pub struct Samples {
    /// Learned from.
    pub train: Vec<Sample>,
    /// Only used to measure the loss; from other games.
    pub held_out: Vec<Sample>,
    /// Games read, without those left out.
    pub games: u64,
    /// Games left out because the same moves were read before: short openings repeat.
    pub repeated: u64,
}

impl Samples {
    /// Reads all games of the files; a game that occurs more than once counts as it is in the first file. A game is held out by
    /// its number alone, so it is in every generation of labels.
    ///
    /// # Errors
    /// If a file can't be read or is something else.
    pub fn read(paths: &[PathBuf]) -> Result<Self, Error> {
        let mut samples = Self::default();
        let mut seen = HashSet::new();
        for path in paths {
            let reader = Reader::open(path)?;
            let exact = reader.exact();
            for record in reader {
                let record = record?;
                // 64 bits are enough to take two of some million games for one never, or once.
                let mut hasher = DefaultHasher::new();
                record.moves.hash(&mut hasher);
                if !seen.insert(hasher.finish()) {
                    samples.repeated += 1;
                    continue;
                }
                samples.games += 1;
                let to = if record.number % HELD_OUT == HELD_OUT - 1 {
                    &mut samples.held_out
                } else {
                    &mut samples.train
                };
                to.extend(record.samples().map(|mut sample| {
                    // The games of a relabelled file were not always played out as well as it knows now.
                    if sample.board.empties() <= exact {
                        sample.outcome = (sample.search / 100) as i8;
                    }
                    sample
                }));
            }
        }
        Ok(samples)
    }

    /// A number that tells these positions and labels from others.
    pub fn digest(&self) -> u32 {
        let mut crc = Crc::new();
        for sample in self.train.iter().chain(&self.held_out) {
            crc.update(&sample.board.mover.to_le_bytes());
            crc.update(&sample.board.opponent.to_le_bytes());
            crc.update(&sample.search.to_le_bytes());
            crc.update(&sample.outcome.to_le_bytes());
        }
        crc.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::games::{Record, Writer};

    #[test]
    fn repeated_games_count_once_and_exact_scores_replace_the_result() {
        let path = std::env::temp_dir().join(format!("outflank-samples-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut writer = Writer::resume(&path, "test; exact 59", |_| ()).unwrap();
        for (number, moves) in [(0, vec![19, 18]), (1, vec![19, 18]), (31, vec![19, 20])] {
            let record = Record {
                number,
                opening: 1,
                moves,
                scores: vec![1200],
                score: -4,
            };
            writer.write(&record).unwrap();
        }
        drop(writer);
        let samples = Samples::read(std::slice::from_ref(&path)).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((samples.games, samples.repeated), (2, 1));
        assert_eq!((samples.train.len(), samples.held_out.len()), (1, 1));
        assert_eq!(samples.train[0].outcome, 12);
    }
}
