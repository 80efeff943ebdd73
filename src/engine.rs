//! The facade: give it a game and limits, get a stream of reports and one answer; cancel it at any time.

use crate::clock::Stopwatch;
use crate::eval::Evaluator;
use crate::rules::{Game, Move, Rules};
use crate::search::{Goal, Limits, Report, Request, Searcher, Selectivity, Stop};
use std::sync::Arc;

/// What an engine is made with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Threads of a search. One thread is deterministic.
    pub threads: usize,
    /// The evaluation of the standard game.
    pub evaluator: Arc<Evaluator>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash_mib: 64,
            threads: 1,
            evaluator: Arc::new(Evaluator::embedded()),
        }
    }
}

/// What is asked of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// One move to play.
    Move,
    /// True scores for the best so many moves.
    Hint(usize),
    /// One move from a midgame search of just so many plies, without solving the end before its time.
    Plies(u8, Selectivity),
    /// The exact result, from any number of empty squares.
    Solve,
    /// Who wins, proven.
    WinLossDraw,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move to play, always a legal one; `None` only if the game is over.
    pub best: Option<Move>,
    /// The last state of the search; without lines if the game is over.
    pub report: Report,
}

/// An engine with its tables. A search blocks the calling thread; nothing else of the engine can be used meanwhile.
pub struct Engine {
    searcher: Searcher,
}

impl Engine {
    /// Allocates the tables.
    pub fn new(options: Options) -> Self {
        Self {
            searcher: Searcher::new(options.hash_mib, options.threads, options.evaluator),
        }
    }

    /// Forgets everything learnt in earlier searches, so that the same search visits the same nodes again.
    pub fn new_game(&mut self) {
        self.searcher.clear();
    }

    /// The evaluation it plays with.
    pub fn evaluator(&self) -> &Evaluator {
        self.searcher.evaluator()
    }

    /// Searches the last position of `game` until a limit is reached, the plan for its depth is done, or `stop` is given
    /// (within a millisecond). Blocks. `on_report` is called after each iteration. `watch` must have been started when the
    /// request arrived.
    pub fn search(
        &mut self,
        game: &Game,
        task: Task,
        limits: &Limits,
        watch: &dyn Stopwatch,
        stop: &Stop,
        on_report: &mut dyn FnMut(&Report),
    ) -> Answer {
        let position = game.position();
        if position.is_over() {
            return Answer {
                best: None,
                report: Report::default(),
            };
        }
        let (goal, lines) = match task {
            Task::Move => (Goal::Play, 1),
            Task::Hint(lines) => (Goal::Play, lines),
            Task::Plies(plies, selectivity) => (Goal::Plies(plies, selectivity), 1),
            Task::Solve => (Goal::Solve, 1),
            Task::WinLossDraw => (Goal::WinLossDraw, 1),
        };
        let request = Request {
            goal,
            lines,
            limits: *limits,
        };
        let report = if standard(position.rules) {
            self.searcher
                .standard(position.board, &request, watch, stop, on_report)
        } else {
            self.searcher
                .any_rules(position, &request, watch, stop, on_report)
        };
        Answer {
            best: report.lines.first().and_then(|line| line.pv.first().copied()),
            report,
        }
    }
}

/// True for the rule sets that are the standard game under one name or another.
fn standard(rules: Rules) -> bool {
    matches!(
        rules,
        Rules::Othello
            | Rules::Free {
                pass_allowed: false,
                capture_required: true
            }
    )
}
