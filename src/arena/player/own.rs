//! This program's engine, inside the process: as a player, and as the judge of endgames.

use super::super::config::EngineSpec;
use super::super::fault::{Failure, Fault, Kind};
use super::super::pace::Pace;
use super::{Player, Thought, Turn};
use crate::clock::{Budget, allocate};
use crate::engine::{Engine, Options, Task};
use crate::eval::{Evaluator, LoadError};
use crate::rules::Game;
use crate::search::{Limits, Stop};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Weights of files, by name: all engines of the process share them.
static LOADED: Mutex<BTreeMap<PathBuf, Evaluator>> = Mutex::new(BTreeMap::new());

/// What a move costs besides the search.
const OVERHEAD: Duration = Duration::from_millis(2);
/// Size of the solver's table in MiB.
const SOLVER_MIB: usize = 16;

/// The weights of a file, or the built-in ones.
fn evaluator(name: Option<&Path>) -> Result<Evaluator, LoadError> {
    let Some(name) = name else {
        return Ok(Evaluator::embedded());
    };
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = loaded.get(name) {
        return Ok(found.clone());
    }
    let new = Evaluator::named(name)?;
    loaded.insert(name.to_owned(), new.clone());
    Ok(new)
}

/// The engine as a player. Its table is allocated when first needed.
pub struct Own {
    engine: Option<Engine>,
    spec: EngineSpec,
    pace: Pace,
    abort: Stop,
}

impl Own {
    /// As its specification says. One thread and a limit of nodes or depth play the same game again.
    pub fn new(spec: EngineSpec, pace: Pace, abort: Stop) -> Self {
        Self {
            engine: None,
            spec,
            pace,
            abort,
        }
    }
}

impl Player for Own {
    fn begin(&mut self) -> Result<Option<String>, Failure> {
        match &mut self.engine {
            Some(engine) => engine.new_game(),
            none => {
                let evaluator =
                    evaluator(self.spec.eval.as_deref()).map_err(|e| Failure::Setup(e.to_string()))?;
                *none = Some(Engine::new(Options {
                    hash_mib: self.spec.hash,
                    threads: self.spec.threads,
                    evaluator: Arc::new(evaluator),
                }));
            }
        }
        Ok(Some(concat!("Outflank ", env!("CARGO_PKG_VERSION")).into()))
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        let Some(engine) = &mut self.engine else {
            return Err(Failure::Setup("asked for a move before the game".into()));
        };
        let start = Instant::now();
        let own_moves = turn.game.position().board.empties().div_ceil(2);
        let budget = match self.pace.movetime {
            Some(time) => Some(Budget::per_move(time.0.saturating_sub(OVERHEAD))),
            None => turn
                .clock()
                .view()
                .map(|clock| allocate(&clock, own_moves, OVERHEAD)),
        };
        let limits = Limits {
            depth: self.pace.depth,
            nodes: self.pace.nodes,
            budget,
        };
        let answer = engine.search(turn.game, Task::Move, &limits, &start, &self.abort, &mut |_| {});
        let elapsed = start.elapsed();
        if self.abort.is_requested() {
            return Err(Failure::Aborted);
        }
        let mv = answer
            .best
            .ok_or_else(|| Fault::new(Kind::Refused, "the engine says that the game is over"))?;
        let eval = answer.report.lines.first().map(|line| line.score.discs());
        Ok(Thought {
            mv,
            elapsed,
            eval,
            nodes: Some(answer.report.nodes),
        })
    }
}

/// Solves endgames. Its table is allocated when first needed.
#[derive(Default)]
pub struct Solver(Option<Engine>);

impl Solver {
    /// The exact final disc difference for the side to move; none if `abort` came first.
    pub fn solve(&mut self, game: &Game, abort: &Stop) -> Option<i32> {
        let engine = self.0.get_or_insert_with(|| {
            Engine::new(Options {
                hash_mib: SOLVER_MIB,
                threads: 1,
                evaluator: Arc::new(Evaluator::embedded()),
            })
        });
        let answer = engine.search(
            game,
            Task::Solve,
            &Limits::default(),
            &Instant::now(),
            abort,
            &mut |_| {},
        );
        let score = answer.report.lines.first()?.score.round();
        (!abort.is_requested()).then_some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Move, Rules};

    /// Plain minimax, as an independent judge.
    fn minimax(game: &Game) -> i32 {
        if game.is_over() {
            return game.position().score();
        }
        let after = |mv: Move| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            -minimax(&next)
        };
        game.moves().iter().map(after).max().unwrap()
    }

    #[test]
    fn solves_what_minimax_solves() {
        let mut game = Game::new(Rules::Othello);
        while game.position().board.empties() > 7 {
            let mv = game.moves().iter().last().unwrap();
            game.play(mv).unwrap();
        }
        let mut solver = Solver::default();
        assert_eq!(solver.solve(&game, &Stop::new()), Some(minimax(&game)));
        let stopped = Stop::new();
        stopped.request();
        assert_eq!(solver.solve(&game, &stopped), None);
    }
}
