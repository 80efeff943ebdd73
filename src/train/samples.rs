//! The positions that a fit learns from and those that it is judged by.

use std::path::PathBuf;

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
    /// Games read.
    pub games: u64,
}

impl Samples {
    /// Reads all games of the files. A game is held out by its number alone, so it is in every generation of labels.
    ///
    /// # Errors
    /// If a file can't be read or is something else.
    pub fn read(paths: &[PathBuf]) -> Result<Self, Error> {
        let mut samples = Self::default();
        for path in paths {
            let reader = Reader::open(path)?;
            let exact = reader.exact();
            for record in reader {
                let record = record?;
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
}
