//! New scores for the positions of stored games, by small searches with another evaluation.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::games::{Error, Reader, Record, Writer};
use super::selfplay::{Player, Progress};
use crate::eval::Evaluator;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Settings {
    /// File of games.
    pub input: PathBuf,
    /// File that the same games go to with new scores.
    pub output: PathBuf,
    /// Depth of search, plies.
    pub depth: u8,
    /// Empty squares from which scores are exact.
    pub exact: u8,
    /// Threads.
    pub threads: usize,
}

/// Copies all games with new scores, until `stop` is set; goes on with an output that was begun with the same settings.
/// `on_progress` is called after every game.
///
/// # Errors
/// If a file can't be read or written, or the output was begun with other settings.
pub fn run(
    settings: &Settings,
    evaluator: &Evaluator,
    stop: &AtomicBool,
    on_progress: &(dyn Fn(Progress) + Sync),
) -> Result<Progress, Error> {
    let mut input = Reader::open(&settings.input)?;
    let about = format!(
        "scores by {}; depth {}; exact {}; games of: {}",
        evaluator.name(),
        settings.depth,
        settings.exact,
        input.about
    );
    let games = (&mut input).collect::<Result<Vec<Record>, Error>>()?;
    let mut done = std::collections::HashSet::new();
    let writer = Writer::resume(&settings.output, &about, |record| {
        done.insert(record.number);
    })?;
    let left: Vec<&Record> = games.iter().filter(|game| !done.contains(&game.number)).collect();
    let found = done.len() as u64;
    let progress = Progress {
        done: found,
        found,
        of: found + left.len() as u64,
        positions: 0,
    };
    let output = Mutex::new((writer, progress));
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), Error> {
        let mut player = Player::new(evaluator, settings.depth, settings.exact);
        while !stop.load(Ordering::Relaxed) {
            let Some(game) = left.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let scores: Vec<i16> = game.samples().map(|sample| player.best(sample.board).1).collect();
            if scores.len() != game.scores.len() {
                continue;
            }
            let record = Record {
                scores,
                ..(*game).clone()
            };
            let mut output = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let (writer, progress) = &mut *output;
            writer.write(&record)?;
            progress.done += 1;
            progress.positions += record.scores.len() as u64;
            if progress.done.is_multiple_of(256) {
                writer.flush()?;
            }
            on_progress(*progress);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    let (mut writer, progress) = output
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    writer.flush()?;
    Ok(progress)
}
