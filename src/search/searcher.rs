//! A search with its tables: what the engine, self-play and the tools stand on.

use super::endgame::NearTable;
use super::plan::{self, Iteration};
use super::probcut::{ErrorModel, Margins};
use super::report::{Report, Selectivity};
use super::root::{self, Question, Standard, Tree};
use super::split::Pool;
use super::table::Table;
use super::variant::AnyRules;
use super::worker::{OwnTables, Shared, Worker};
use super::{Limits, Stop};
use crate::board::Board;
use crate::clock::Stopwatch;
use crate::eval::Evaluator;
use crate::rules::Position;
use std::sync::Arc;

/// How far a search goes if no limit ends it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// As deep as the limits allow, solving the end from as many empty squares as suit the depth.
    Play,
    /// This many plies at this selectivity, and to the end only if there are no more empty squares than that.
    Plies(u8, Selectivity),
    /// The exact result, however many empty squares there are.
    Solve,
    /// Who wins, however many empty squares there are.
    WinLossDraw,
}

/// What is asked of a search.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// How far it goes.
    pub goal: Goal,
    /// True scores for this many of the best moves; at least 1.
    pub lines: usize,
    /// What ends it.
    pub limits: Limits,
}

impl Request {
    /// One line, no limits.
    pub fn new(goal: Goal) -> Self {
        Self {
            goal,
            lines: 1,
            limits: Limits::default(),
        }
    }
}

/// Tables and evaluation, kept from one search to the next.
pub struct Searcher {
    table: Table,
    /// Of each thread.
    own: Vec<OwnTables>,
    evaluator: Arc<Evaluator>,
    margins: Margins,
}

impl Searcher {
    /// A transposition table of `hash_mib` MiB for `threads` threads (at least one).
    pub fn new(hash_mib: usize, threads: usize, evaluator: Arc<Evaluator>) -> Self {
        Self {
            table: Table::new(hash_mib),
            own: (0..threads.max(1)).map(|_| OwnTables::new()).collect(),
            margins: Margins::new(ErrorModel::of(&evaluator)),
            evaluator,
        }
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        // Static scores are the same in every game.
        self.own.iter_mut().for_each(|own| own.near = NearTable::new());
    }

    /// Searches a position of the standard game that is not over.
    pub fn standard(
        &mut self,
        board: Board,
        request: &Request,
        watch: &dyn Stopwatch,
        stop: &Stop,
        on_report: &mut dyn FnMut(&Report),
    ) -> Report {
        let plan = match request.goal {
            Goal::Play => plan::iterations(board.empties(), request.limits.depth),
            Goal::Solve | Goal::WinLossDraw => plan::iterations(board.empties(), None),
            Goal::Plies(depth, selectivity) => plan::plies(board.empties(), depth.into(), selectivity),
        };
        self.think(&Standard::new(board), &plan, request, watch, stop, on_report)
    }

    /// Searches a position under any rule set that is not over.
    pub fn any_rules(
        &mut self,
        position: &Position,
        request: &Request,
        watch: &dyn Stopwatch,
        stop: &Stop,
        on_report: &mut dyn FnMut(&Report),
    ) -> Report {
        let plies = AnyRules::plies(position);
        let depth = match request.goal {
            Goal::Play => request.limits.depth,
            Goal::Plies(depth, _) => Some(depth),
            Goal::Solve | Goal::WinLossDraw => None,
        };
        let limit = depth.map_or(plies, u32::from).clamp(1, plies);
        let plan: Vec<_> = (1..=limit)
            .map(|depth| Iteration {
                depth,
                selectivity: Selectivity::Full,
                to_end: depth == plies,
            })
            .collect();
        self.think(&AnyRules::new(position), &plan, request, watch, stop, on_report)
    }

    fn think(
        &mut self,
        tree: &dyn Tree,
        plan: &[Iteration],
        request: &Request,
        watch: &dyn Stopwatch,
        stop: &Stop,
        on_report: &mut dyn FnMut(&Report),
    ) -> Report {
        self.table.age();
        let shared = Shared::new(
            &self.table,
            &self.evaluator,
            &self.margins,
            &request.limits,
            watch,
            stop,
        );
        let question = Question {
            lines: request.lines,
            soft: request.limits.budget.map(|budget| budget.soft),
            win_loss_draw: request.goal == Goal::WinLossDraw,
        };
        let Some((own, helpers)) = self.own.split_first_mut() else {
            return Report::default();
        };
        let (pool, threaded) = (Pool::default(), !helpers.is_empty());
        std::thread::scope(|scope| {
            for own in helpers {
                let (shared, pool) = (&shared, &pool);
                scope.spawn(move || pool.help_until_halt(&mut Worker::new(shared, own, Some(pool))));
            }
            let pool = threaded.then_some(&pool);
            let report = root::think(
                &mut Worker::new(&shared, own, pool),
                tree,
                plan,
                question,
                on_report,
            );
            shared.halt();
            report
        })
    }
}
