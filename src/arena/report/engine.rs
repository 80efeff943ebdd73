//! One engine in a match: its time, its nodes, its misdeeds.

use super::super::config::EngineSpec;
use super::super::journal::Journal;
use super::super::pace::{GameClock, Pace};
use super::{Forfeits, forfeits_of, pace_text};
use crate::rules::Color;
use serde::Serialize;
use std::time::Duration;

/// One engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineReport {
    /// Its name.
    pub name: String,
    /// What it says of itself.
    pub identity: Option<String>,
    /// Its limits.
    pub pace: String,
    /// Games played.
    pub games: u64,
    /// Games that it forfeited.
    pub forfeits: Vec<Forfeits>,
    /// Time of its moves.
    pub time: Option<Latency>,
    /// The least that was left on its clock after a move, in milliseconds; with a clock only.
    pub least_left_ms: Option<f64>,
    /// Nodes a second, if it says how many it searched.
    pub nps: Option<f64>,
}

/// Milliseconds from the line written to the line received; built-in players: from call to return.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Latency {
    /// Number of moves.
    pub moves: u64,
    /// Mean.
    pub mean_ms: f64,
    /// Half the moves took no longer.
    pub p50_ms: f64,
    /// 95 of 100.
    pub p95_ms: f64,
    /// 99 of 100.
    pub p99_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

impl Latency {
    /// From microseconds, in any order. The percentile is the smallest value that so many are not above (nearest rank).
    fn of(mut us: Vec<u64>) -> Option<Self> {
        us.sort_unstable();
        let last = us.len().checked_sub(1)?;
        let ms = |us: u64| us as f64 / 1e3;
        let rank = |percent: usize| ms(us[(us.len() * percent).div_ceil(100).saturating_sub(1).min(last)]);
        Some(Self {
            moves: us.len() as u64,
            mean_ms: ms(us.iter().sum()) / us.len() as f64,
            p50_ms: rank(50),
            p95_ms: rank(95),
            p99_ms: rank(99),
            max_ms: ms(us[last]),
        })
    }
}

impl EngineReport {
    pub(super) fn new(
        spec: &EngineSpec,
        identity: Option<String>,
        pace: Pace,
        margin: Duration,
        journal: &Journal,
    ) -> Self {
        let mut us = Vec::new();
        let mut games = 0;
        let mut nodes = 0;
        let mut least_left: Option<Duration> = None;
        let played = journal
            .pairs
            .values()
            .flat_map(|p| p.games.iter().map(move |g| (p, g)));
        for (pair, game) in played.filter(|(_, g)| g.black == spec.name || g.white == spec.name) {
            games += 1;
            let color = game.side_of(&spec.name);
            nodes += game.nodes[color.index()];
            let mut clock = GameClock::new(pace);
            let opening = pair.opening.game(journal.header.config.rules);
            let first_mover = opening.map_or(Color::Black, |game| game.position().mover);
            let own = usize::from(first_mover != color);
            for &time in game.us.iter().skip(own).step_by(2).filter(|&&t| t > 0) {
                us.push(time);
                clock.charge(Duration::from_micros(time), margin);
                if let Some(left) = clock.allowance().filter(|_| pace.tc.is_some()) {
                    least_left = Some(least_left.map_or(left, |least| least.min(left)));
                }
            }
        }
        let total: u64 = us.iter().sum();
        Self {
            name: spec.name.clone(),
            identity,
            pace: pace_text(pace),
            games,
            forfeits: forfeits_of(&spec.name, journal),
            time: Latency::of(us),
            least_left_ms: least_left.map(|t| t.as_micros() as f64 / 1e3),
            nps: (nodes > 0 && total > 0).then(|| nodes as f64 / (total as f64 / 1e6)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles() {
        let l = Latency::of((1..=100).rev().map(|n| n * 1000).collect()).unwrap();
        assert_eq!(
            (l.moves, l.p50_ms, l.p95_ms, l.p99_ms, l.max_ms),
            (100, 50.0, 95.0, 99.0, 100.0)
        );
        assert_eq!(l.mean_ms, 50.5);
        assert_eq!(Latency::of(vec![7000]).unwrap().p50_ms, 7.0);
        assert_eq!(Latency::of(Vec::new()), None);
    }
}
