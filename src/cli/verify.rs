//! `outflank verify`: exact results compared with a plain alpha-beta, in every way in which a solver could go wrong.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::{Global, Outcome, at_least, misuse, number, wthor};
use crate::board::{Board, Squares};
use crate::engine::{Answer, Engine, Options, Task};
use crate::eval::Evaluator;
use crate::rules::{Color, Game, Move, Position, Rules};
use crate::search::{Limits, Report, Stop, plain};

/// Compare exact results with a plain alpha-beta that has no table, pruning or selectivity.
///
/// Each position is solved with one and with two threads, with a table of one bucket that collides all the time, after being
/// interrupted again and again, and for win, loss or draw; the score of the best move is checked too, and that of every move
/// in one position of sixteen. Standard game only. Exit code 1 if anything differs.
#[derive(Debug, Args)]
pub struct Verify {
    /// Positions
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least(1u64))]
    positions: u64,
    /// Fewest empty squares
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(1..=20u32))]
    from: u32,
    /// Most empty squares
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = number(1..=20u32))]
    to: u32,
    /// Seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0u64))]
    seed: u64,
    /// Folder of WTHOR files (.wtb): two positions of five come from its games
    #[arg(long, value_name = "FOLDER")]
    wthor: Option<PathBuf>,
}

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// A tournament game.
    Wthor,
    /// A game of random moves.
    RandomPlay,
    /// Discs strewn over the board, few of one side: passes and wipe-outs are common here.
    Lopsided,
}

/// What has been seen so far.
#[derive(Default)]
struct Counts {
    wthor: u64,
    random_play: u64,
    lopsided: u64,
    /// Positions in which the mover must pass.
    passes: u64,
    /// Positions that end with 64 discs of one side, or none of the other.
    wipe_outs: u64,
    comparisons: u64,
    differences: u64,
}

/// The engines under test, each kept from position to position, so that old entries can do harm if they can.
struct Engines {
    one: Engine,
    two: Engine,
    colliding: Engine,
    interrupted: Engine,
}

impl Verify {
    pub fn run(self, global: &Global) -> Outcome {
        if self.from > self.to {
            return Err(misuse(format!("--from {} is above --to {}", self.from, self.to)));
        }
        let evaluator = Arc::new(global.evaluator()?);
        let mut engines = Engines::new(&evaluator);
        let games: Vec<_> = match &self.wthor {
            Some(folder) => wthor::read(folder)?
                .into_iter()
                .flat_map(|file| file.games)
                .collect(),
            None => Vec::new(),
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut counts = Counts::default();
        let clock = Instant::now();
        for number in 0..self.positions {
            let empties = rng.random_range(self.from..=self.to);
            let (source, board) = loop {
                let source = match number % 5 {
                    0 | 1 if !games.is_empty() => Source::Wthor,
                    0..=2 => Source::RandomPlay,
                    _ => Source::Lopsided,
                };
                let found = match source {
                    Source::Wthor => games
                        .iter()
                        .choose(&mut rng)
                        .and_then(|game| wthor::position(game, empties))
                        .map(|(board, _)| board),
                    Source::RandomPlay => random_play(&mut rng, empties),
                    Source::Lopsided => lopsided(&mut rng, empties),
                };
                if let Some(board) = found {
                    break (source, board);
                }
            };
            match source {
                Source::Wthor => counts.wthor += 1,
                Source::RandomPlay => counts.random_play += 1,
                Source::Lopsided => counts.lopsided += 1,
            }
            counts.passes += u64::from(board.moves() == 0);
            let every_move = number % 16 == 0;
            engines.check(board, every_move, &mut rng, &mut counts)?;
            if (number + 1) % 1000 == 0 {
                eprintln!("{} positions, {} differences", number + 1, counts.differences);
            }
        }
        say!(
            "{} positions with {} to {} empty squares: {} of tournaments, {} of random play, {} lopsided; {} in which the mover must pass, \
             {} that end in a wipe-out",
            self.positions,
            self.from,
            self.to,
            counts.wthor,
            counts.random_play,
            counts.lopsided,
            counts.passes,
            counts.wipe_outs
        );
        say!(
            "{} comparisons, {} differences; {:.0} s",
            counts.comparisons,
            counts.differences,
            clock.elapsed().as_secs_f64()
        );
        Ok(if counts.differences == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

impl Engines {
    fn new(evaluator: &Arc<Evaluator>) -> Self {
        let engine = |hash_mib, threads| {
            Engine::new(Options {
                hash_mib,
                threads,
                evaluator: Arc::clone(evaluator),
            })
        };
        Self {
            one: engine(16, 1),
            two: engine(16, 2),
            colliding: engine(0, 1),
            interrupted: engine(1, 1),
        }
    }

    /// Compares everything that is asked of a position, and prints what differs.
    fn check(
        &mut self,
        board: Board,
        every_move: bool,
        rng: &mut impl RngExt,
        counts: &mut Counts,
    ) -> std::io::Result<()> {
        let exact = plain::exact(board, -64, 64);
        counts.wipe_outs += u64::from(exact.abs() == 64);
        let game = Game::from_position(Position::new(Rules::Othello, board, Color::Black));
        let ask = |engine: &mut Engine, task| search(engine, &game, task, &Limits::default());
        for _ in 0..rng.random_range(1..=4) {
            let nodes = Some(1 << rng.random_range(4..14));
            search(
                &mut self.interrupted,
                &game,
                Task::Solve,
                &Limits {
                    nodes,
                    ..Limits::default()
                },
            );
        }
        let answers = [
            ("one thread", ask(&mut self.one, Task::Solve)),
            ("two threads", ask(&mut self.two, Task::Solve)),
            ("one bucket", ask(&mut self.colliding, Task::Solve)),
            ("interrupted", ask(&mut self.interrupted, Task::Solve)),
        ];
        let mut compare = |what: &str, found: Option<i32>, wanted: i32| {
            counts.comparisons += 1;
            if found == Some(wanted) {
                return Ok(());
            }
            counts.differences += 1;
            say!("{board:?}: {what}: {found:?}, right: {wanted}");
            std::io::Result::Ok(())
        };
        for (what, answer) in &answers {
            compare(what, centidiscs(&answer.report), 100 * exact)?;
            compare("its move", answer.best.map(|best| behind(board, best)), exact)?;
        }
        // After the exact ones, so that it finds their entries, and in engines that have none.
        for (what, engine) in [
            ("win-loss-draw", &mut self.one),
            ("win-loss-draw, one bucket", &mut self.colliding),
        ] {
            let answer = ask(engine, Task::WinLossDraw);
            compare(what, centidiscs(&answer.report).map(i32::signum), exact.signum())?;
            compare(
                "its move",
                answer.best.map(|best| behind(board, best).signum()),
                exact.signum(),
            )?;
        }
        if every_move {
            for line in ask(&mut self.interrupted, Task::Hint(64)).report.lines {
                if let Some(&mv) = line.pv.first() {
                    compare("hint", Some(line.score.0), 100 * behind(board, mv))?;
                }
            }
        }
        Ok(())
    }
}

fn search(engine: &mut Engine, game: &Game, task: Task, limits: &Limits) -> Answer {
    engine.search(game, task, limits, &Instant::now(), &Stop::new(), &mut |_| ())
}

/// Score of the best line.
fn centidiscs(report: &Report) -> Option<i32> {
    report.lines.first().map(|line| line.score.0)
}

/// What a move is worth to the mover, in discs.
fn behind(board: Board, mv: Move) -> i32 {
    let after = match mv {
        Move::Place(square) => board.play(square),
        Move::Pass => board.pass(),
    };
    -plain::exact(after, -64, 64)
}

/// A position of a game of random moves; `None` if the game ends before.
fn random_play(rng: &mut impl RngExt, empties: u32) -> Option<Board> {
    let mut board = Board::START;
    while board.empties() > empties {
        board = match Squares(board.moves()).choose(rng) {
            Some(square) => board.play(square),
            None if board.is_over() => return None,
            None => board.pass(),
        };
    }
    (!board.is_over()).then_some(board)
}

/// Discs wherever chance puts them, up to six of one side; `None` if that is the end of a game.
fn lopsided(rng: &mut impl RngExt, empties: u32) -> Option<Board> {
    let mut squares: Vec<u32> = (0..64).collect();
    squares.shuffle(rng);
    let set = |squares: &[u32]| squares.iter().fold(0u64, |set, square| set | 1 << square);
    let discs = &squares[empties as usize..];
    let (few, many) = discs.split_at(rng.random_range(1..=6));
    let (mut mover, mut opponent) = (set(few), set(many));
    if rng.random() {
        (mover, opponent) = (opponent, mover);
    }
    let board = Board { mover, opponent };
    (!board.is_over()).then_some(board)
}
