//! Lists of balanced openings: every position of so many plies, up to symmetry, that a search finds even.

use super::opening::canonical;
use crate::board::Square;
use crate::engine::{Engine, Options, Task};
use crate::eval::Evaluator;
use crate::rules::{Game, Move, Rules};
use crate::search::{Limits, Selectivity, Stop};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// What a list is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Rule set.
    pub rules: Rules,
    /// Plies of every opening.
    pub plies: u32,
    /// Discs that the score may be off zero.
    pub bound: f64,
    /// Plies of the search that decides.
    pub depth: u8,
    /// Its selectivity.
    pub selectivity: Selectivity,
    /// Threads; the list does not depend on their number.
    pub threads: usize,
}

/// MiB of each thread's table: shallow searches need no more, and it is cleared for every position.
const TABLE_MIB: usize = 1;
/// Plies of the search that sorts out what is clearly not even.
const FIRST_DEPTH: u8 = 3;
/// Discs by which that search may be wrong.
const FIRST_ERROR: f64 = 8.0;

/// Every position that can be reached in so many plies, once up to symmetry, with the first moves that lead to it. Games
/// that are over before are left out.
pub fn all(rules: Rules, plies: u32) -> Vec<Game> {
    let mut games = vec![Game::new(rules)];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for game in &games {
            for mv in in_custom(game) {
                let mut longer = game.clone();
                if longer.play(mv).is_ok() && !longer.is_over() && seen.insert(canonical(longer.position())) {
                    next.push(longer);
                }
            }
        }
        games = next;
    }
    games
}

/// By custom the first move of every opening, as all first moves are alike.
const F5: Move = Move::Place(Square::new(37));

/// The legal moves, f5 in front.
fn in_custom(game: &Game) -> Vec<Move> {
    let mut moves: Vec<Move> = game.moves().iter().collect();
    moves.sort_by_key(|&mv| mv != F5);
    moves
}

/// The openings that a search finds even. `told` hears how many of how many positions are judged.
pub fn balanced(
    settings: &Settings,
    evaluator: &Arc<Evaluator>,
    told: &(dyn Fn(usize, usize) + Sync),
) -> Vec<Game> {
    let games = all(settings.rules, settings.plies);
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..settings.threads {
            scope.spawn(|| {
                let mut judge = Judge::new(settings, evaluator);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(index) else {
                        return;
                    };
                    if judge.is_even(game) {
                        found.lock().unwrap_or_else(PoisonError::into_inner).push(index);
                    }
                    told(index + 1, games.len());
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    found.into_iter().map(|index| games[index].clone()).collect()
}

struct Judge<'a> {
    settings: &'a Settings,
    engine: Engine,
}

impl<'a> Judge<'a> {
    fn new(settings: &'a Settings, evaluator: &Arc<Evaluator>) -> Self {
        let engine = Engine::new(Options {
            hash_mib: TABLE_MIB,
            threads: 1,
            evaluator: evaluator.clone(),
        });
        Self { settings, engine }
    }

    fn is_even(&mut self, game: &Game) -> bool {
        let Settings {
            bound,
            depth,
            selectivity,
            ..
        } = *self.settings;
        let first = depth.min(FIRST_DEPTH);
        self.score(game, first, Selectivity::Full) <= bound + FIRST_ERROR
            && self.score(game, depth, selectivity) <= bound
    }

    /// Discs that one side is ahead.
    fn score(&mut self, game: &Game, depth: u8, selectivity: Selectivity) -> f64 {
        // What was searched before must not matter, or the list would depend on the order.
        self.engine.new_game();
        let answer = self.engine.search(
            game,
            Task::Plies(depth, selectivity),
            &Limits::default(),
            &Instant::now(),
            &Stop::new(),
            &mut |_| {},
        );
        answer
            .report
            .lines
            .first()
            .map_or(f64::INFINITY, |line| line.score.discs().abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_once() {
        // Counted by themselves: 1, 3, 14, 60, 322 positions with 59 to 55 empty squares.
        let counts = [1, 2, 3, 4, 5].map(|plies| all(Rules::Othello, plies).len());
        assert_eq!(counts, [1, 3, 14, 60, 322]);
        assert!(all(Rules::Othello, 4).iter().all(|game| game.history()[0] == F5));
    }

    #[test]
    fn the_list_does_not_depend_on_threads() {
        let list = |threads| {
            let settings = Settings {
                rules: Rules::Othello,
                plies: 4,
                bound: 2.0,
                depth: 4,
                selectivity: Selectivity::P73,
                threads,
            };
            let games = balanced(&settings, &Arc::new(Evaluator::HandMade), &|_, _| {});
            games
                .iter()
                .map(|game| game.history().to_vec())
                .collect::<Vec<_>>()
        };
        let found = list(1);
        assert!((1..60).contains(&found.len()), "{}", found.len());
        assert_eq!(list(3), found);
    }
}
