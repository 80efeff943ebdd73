//! Games of the engine against itself: many cheap ones.
//!
//! A game begins with an opening that search did not choose: its length is spread over the whole game, its moves go from
//! wholly random (ugly positions occur) to what a one-ply look finds best with a little noise (strong-looking positions).
//! The rest is played at a fixed depth, and exactly near the end, so that the final score is right for the last positions
//! and good for the others.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::games::{Error, Record, Writer};
use super::stopgap::Searcher;
use crate::board::{Board, Square, Squares};
use crate::eval::Evaluator;

/// What a run of self-play plays.
#[derive(Clone, Debug)]
pub struct Settings {
    /// File that the games go to.
    pub path: PathBuf,
    /// Games in all shards together.
    pub games: u64,
    /// Depth of search in the middle, plies.
    pub depth: u8,
    /// Empty squares from which play is exact.
    pub exact: u8,
    /// Seed of the openings.
    pub seed: u64,
    /// This run plays the games whose number is `shard.0` modulo `shard.1`.
    pub shard: (u64, u64),
    /// Threads.
    pub threads: usize,
}

impl Settings {
    fn about(&self, evaluator: &Evaluator) -> String {
        format!(
            "evaluation {}; depth {}; exact {}; seed {}; shard {}/{}",
            evaluator.name(),
            self.depth,
            self.exact,
            self.seed,
            self.shard.0,
            self.shard.1
        )
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Games in the file.
    pub done: u64,
    /// Games that were in the file at the start.
    pub found: u64,
    /// Games that will be in the file.
    pub of: u64,
    /// Positions that were added.
    pub positions: u64,
}

/// Plays until all games of the shard are in the file or `stop` is set; `on_progress` is called after every game.
///
/// # Errors
/// If the file can't be read or written or was begun with other settings.
pub fn run(
    settings: &Settings,
    evaluator: &Evaluator,
    stop: &AtomicBool,
    on_progress: &(dyn Fn(Progress) + Sync),
) -> Result<Progress, Error> {
    let (shard, shards) = settings.shard;
    let of = settings.games.saturating_sub(shard).div_ceil(shards);
    let mut played = vec![false; of as usize];
    let mut found = 0;
    let writer = Writer::resume(&settings.path, &settings.about(evaluator), |record| {
        if let Some(played) = played.get_mut((record.number / shards) as usize) {
            *played = true;
            found += 1;
        }
    })?;
    let output = Mutex::new((
        writer,
        Progress {
            done: found,
            found,
            of,
            positions: 0,
        },
    ));
    let next = AtomicU64::new(0);
    let work = || -> Result<(), Error> {
        let mut searcher = Searcher::new(evaluator);
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= of {
                break;
            }
            if played[index as usize] {
                continue;
            }
            let record = play(settings, evaluator, &mut searcher, index * shards + shard);
            let mut output = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let (writer, progress) = &mut *output;
            writer.write(&record)?;
            progress.done += 1;
            progress.positions += record.scores.len() as u64;
            if progress.done % 256 == 0 {
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

/// Temperatures, in centidiscs, at which the moves of openings are drawn by their one-ply score.
const TEMPERATURES: [f32; 5] = [150.0, 300.0, 600.0, 1200.0, f32::INFINITY];

fn play(settings: &Settings, evaluator: &Evaluator, searcher: &mut Searcher, number: u64) -> Record {
    let mut rng =
        Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    loop {
        // Long openings make short games of exact positions, short ones long games of good play: both are wanted.
        let opening = match rng.random_range(0..10) {
            0..4 => rng.random_range(6..=18),
            4..8 => rng.random_range(18..=32),
            _ => rng.random_range(32..=48),
        };
        let temperature = TEMPERATURES[rng.random_range(0..TEMPERATURES.len())];
        if let Some(record) = play_from(
            settings,
            evaluator,
            searcher,
            &mut rng,
            number,
            opening,
            temperature,
        ) {
            return record;
        }
    }
}

fn play_from(
    settings: &Settings,
    evaluator: &Evaluator,
    searcher: &mut Searcher,
    rng: &mut Xoshiro256PlusPlus,
    number: u64,
    opening: u8,
    temperature: f32,
) -> Option<Record> {
    let (mut board, mut black) = (Board::START, true);
    let mut record = Record {
        number,
        opening,
        moves: Vec::with_capacity(60),
        scores: Vec::with_capacity(60),
        score: 0,
    };
    let mut exact = None;
    loop {
        let moves = board.moves();
        if moves == 0 {
            if board.pass().moves() == 0 {
                break;
            }
            (board, black) = (board.pass(), !black);
            exact = exact.map(|score: i32| -score);
            continue;
        }
        let square = if record.moves.len() < usize::from(opening) {
            draw(evaluator, rng, board, temperature)
        } else if board.empties() <= u32::from(settings.exact) {
            let score = match exact {
                Some(score) => score,
                None => searcher.solve(board, -64, 64),
            };
            exact = Some(-score);
            record.scores.push((100 * score) as i16);
            // The move that keeps the score. The last one needs no proof.
            let mut choices = Squares(moves).collect::<Vec<_>>();
            choices.sort_by_key(|&s| board.play(s).moves().count_ones());
            let last = choices[choices.len() - 1];
            choices
                .into_iter()
                .find(|&s| s == last || keeps(searcher, board.play(s), score))
                .unwrap_or(last)
        } else {
            let (square, score) = searcher.best(board, settings.depth);
            record.scores.push(score as i16);
            square
        };
        record.moves.push(square.index() as u8);
        (board, black) = (board.play(square), !black);
    }
    let score = board.final_score();
    record.score = if black { score } else { -score } as i8;
    (!record.scores.is_empty()).then_some(record)
}

/// True if the mover of `child` gets no more than `-score` discs.
fn keeps(searcher: &mut Searcher, child: Board, score: i32) -> bool {
    if child.is_over() {
        return -child.final_score() >= score;
    }
    -searcher.solve(child, -score, -score + 1) >= score
}

/// Draws a move of the opening by its one-ply score.
fn draw(evaluator: &Evaluator, rng: &mut Xoshiro256PlusPlus, board: Board, temperature: f32) -> Square {
    let moves: Vec<Square> = Squares(board.moves()).collect();
    if temperature.is_infinite() {
        return moves[rng.random_range(0..moves.len())];
    }
    let scores: Vec<f32> = moves
        .iter()
        .map(|&square| {
            let child = board.play(square);
            -if child.is_over() {
                100 * child.final_score()
            } else {
                evaluator.evaluate(child)
            } as f32
        })
        .collect();
    let best = scores.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = scores.iter().map(|s| ((s - best) / temperature).exp()).collect();
    let mut point = rng.random_range(0.0..weights.iter().sum::<f32>());
    for (&square, weight) in moves.iter().zip(weights) {
        if point < weight {
            return square;
        }
        point -= weight;
    }
    moves[0]
}
