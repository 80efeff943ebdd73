//! Games of the engine against itself: many cheap ones.
//!
//! A game begins with an opening that search did not choose: its length is spread over the whole game, its moves go from
//! wholly random (ugly positions occur) to what a one-ply look finds best with a little noise (strong-looking positions).
//! The rest is played at a fixed depth, and exactly near the end, so that the final score is right for the last positions
//! and good for the others.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::games::{Error, Record, Writer};
use super::positions::Still;
use crate::board::{Board, Square, Squares};
use crate::eval::Evaluator;
use crate::rules::Move;
use crate::search::{Goal, Request, Searcher, Selectivity, Stop};

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
        let mut player = Player::new(evaluator, settings.depth, settings.exact);
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= of {
                break;
            }
            if played[index as usize] {
                continue;
            }
            let record = play(settings, evaluator, &mut player, index * shards + shard);
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
const TEMPERATURES: [f32; 6] = [100.0, 200.0, 400.0, 800.0, 1600.0, f32::INFINITY];

fn play(settings: &Settings, evaluator: &Evaluator, player: &mut Player, number: u64) -> Record {
    let mut rng =
        Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    loop {
        // Long openings make short games of exact positions, short ones long games of good play: both are wanted. Of the shortest
        // there are few, for such games soon repeat each other.
        let opening = match rng.random_range(0..20) {
            0 => rng.random_range(2..=8),
            1..10 => rng.random_range(8..=20),
            10..16 => rng.random_range(20..=32),
            _ => rng.random_range(32..=48),
        };
        let temperature = TEMPERATURES[rng.random_range(0..TEMPERATURES.len())];
        if let Some(record) = play_from(evaluator, player, &mut rng, number, opening, temperature) {
            return record;
        }
    }
}

fn play_from(
    evaluator: &Evaluator,
    player: &mut Player,
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
    loop {
        let moves = board.moves();
        if moves == 0 {
            if board.pass().moves() == 0 {
                break;
            }
            (board, black) = (board.pass(), !black);
            continue;
        }
        let square = if record.moves.len() < usize::from(opening) {
            draw(evaluator, rng, board, temperature)
        } else {
            let (square, score) = player.best(board);
            record.scores.push(score);
            square
        };
        record.moves.push(square.index() as u8);
        (board, black) = (board.play(square), !black);
    }
    let score = board.final_score();
    record.score = if black { score } else { -score } as i8;
    (!record.scores.is_empty()).then_some(record)
}

/// Searches for one thread.
pub(super) struct Player {
    searcher: Searcher,
    depth: u8,
    exact: u8,
}

impl Player {
    /// Plays at `depth` plies, and exactly from `exact` empty squares on.
    pub(super) fn new(evaluator: &Evaluator, depth: u8, exact: u8) -> Self {
        Self {
            searcher: Searcher::new(TABLE_MIB, 1, Arc::new(evaluator.clone())),
            depth,
            exact,
        }
    }

    /// Best move and score in centidiscs of a position in which the mover can play.
    pub(super) fn best(&mut self, board: Board) -> (Square, i16) {
        let goal = if board.empties() <= u32::from(self.exact) {
            Goal::Solve
        } else {
            Goal::Plies(self.depth, Selectivity::P73)
        };
        let request = Request::new(goal);
        let report = self
            .searcher
            .standard(board, &request, &Still, &Stop::default(), &mut |_| ());
        match report.lines.first().map(|line| (line.pv.first(), line.score)) {
            Some((Some(&Move::Place(square)), score)) => (square, score.0 as i16),
            _ => unreachable!("a search of a position with moves ends with one"),
        }
    }
}

/// Transposition table of one thread: a shallow search needs little, and this much stays near the processor.
const TABLE_MIB: usize = 1;

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
