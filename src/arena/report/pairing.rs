//! Two engines against each other.

use super::super::record::{Ending, PairRecord};
use super::super::stats::{
    Decision, Discs, Interval, Outcome, Sequencer, Shard, Sprt, Strength, Tally, Trial,
};
use crate::rules::Color;
use serde::Serialize;

/// The result of one engine against another, seen by the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingReport {
    /// The engine that has Black in the first game of each pair.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Games won by the first.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the first.
    pub losses: u64,
    /// Pairs by half points of the first: 0 to 4.
    pub pairs: [u64; 5],
    /// Of the pairs with 2 half points those that are two draws.
    pub double_draws: u64,
    /// Wins, draws and losses of the first with Black.
    pub with_black: [u64; 3],
    /// The same with White.
    pub with_white: [u64; 3],
    /// Points of the first per game, 0..1.
    pub score: Option<f64>,
    /// Elo difference with 95 % interval from the pairs.
    pub elo: Option<Range>,
    /// Normalised Elo difference.
    pub normalised_elo: Option<Range>,
    /// Likelihood of superiority, 0..1.
    pub los: Option<f64>,
    /// Mean disc difference a game with 95 % interval from the pairs, forfeits counted as ±64.
    pub discs: Option<Range>,
    /// The sequential test.
    pub sprt: Option<SprtReport>,
    /// Games ended by the solver.
    pub solved: u64,
    /// Games in which the solver and the game as it was played on have different winners.
    pub solved_otherwise: u64,
}

/// A value and its 95 % interval. Infinite values are missing in JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Range {
    /// Estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<Interval> for Range {
    fn from(Interval { value, low, high }: Interval) -> Self {
        Self { value, low, high }
    }
}

/// How a sequential test went.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtReport {
    /// Elo of the hypotheses: `normalised` or `logistic`.
    pub model: String,
    /// H0.
    pub elo0: f64,
    /// H1.
    pub elo1: f64,
    /// Error probability under H0.
    pub alpha: f64,
    /// Error probability under H1.
    pub beta: f64,
    /// Lower and upper bound of the log-likelihood ratio.
    pub bounds: [f64; 2],
    /// `H0`, `H1` or `undecided`; stands once a bound was crossed.
    pub decision: String,
    /// Pairs, in scheduled order, at the first crossing.
    pub stopped_at: Option<u64>,
    /// Log-likelihood ratio there.
    pub stopped_llr: Option<f64>,
    /// Log-likelihood ratio over all pairs, those included that were finished after the crossing or out of order.
    pub final_llr: f64,
    /// Pairs that were played but are not heard yet, because one scheduled before them is missing.
    pub held_back: u64,
}

impl SprtReport {
    fn new(sprt: Sprt, pairs: &[&PairRecord], shards: &[Shard]) -> Self {
        let mut trial = Trial::new(sprt);
        let mut all = Tally::default();
        let mut sequencer = Sequencer::new(shards.to_vec());
        for pair in pairs {
            all.add(pair.outcomes());
            sequencer
                .push(pair.pair, pair.outcomes())
                .into_iter()
                .for_each(|p| trial.add(p));
        }
        let stopped = trial.stopped();
        let (low, high) = sprt.bounds();
        Self {
            model: sprt.model.to_string(),
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            bounds: [low, high],
            decision: trial.decision().to_string(),
            stopped_at: stopped.map(|s| s.pairs),
            stopped_llr: stopped.map(|s| s.llr),
            final_llr: sprt.llr(&all.sample()),
            held_back: sequencer.into_rest().count() as u64,
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Decision {
        match self.decision.as_str() {
            "H0" => Decision::H0,
            "H1" => Decision::H1,
            _ => Decision::Undecided,
        }
    }
}

impl PairingReport {
    pub(super) fn new(names: [&str; 2], pairs: &[&PairRecord], sprt: Option<Sprt>, shards: &[Shard]) -> Self {
        let mut tally = Tally::default();
        let mut discs = Discs::default();
        let (mut with_black, mut with_white) = (Tally::default(), Tally::default());
        let (mut solved, mut solved_otherwise) = (0, 0);
        for pair in pairs {
            let outcomes = pair.outcomes();
            tally.add(outcomes);
            discs.add(pair.scores().iter().sum());
            for (game, outcome) in pair.games.iter().zip(outcomes) {
                let side = if game.side_of(names[0]) == Color::Black {
                    &mut with_black
                } else {
                    &mut with_white
                };
                match outcome {
                    Outcome::Win => side.wins += 1,
                    Outcome::Draw => side.draws += 1,
                    Outcome::Loss => side.losses += 1,
                }
                solved += u64::from(game.ending == Ending::Solved);
                let otherwise = |s: super::super::record::Solved| {
                    game.us.len() > s.ply && s.score.signum() != game.discs.signum()
                };
                solved_otherwise += u64::from(game.solved.is_some_and(otherwise));
            }
        }
        let strength = Strength::of(&tally.sample());
        let three = |t: Tally| [t.wins, t.draws, t.losses];
        Self {
            first: names[0].into(),
            second: names[1].into(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pairs: tally.pairs,
            double_draws: tally.double_draws,
            with_black: three(with_black),
            with_white: three(with_white),
            score: (tally.games() > 0).then(|| tally.points() / tally.games() as f64),
            elo: strength.map(|s| s.elo.into()),
            normalised_elo: strength.map(|s| s.normalised.into()),
            los: strength.map(|s| s.superiority),
            discs: discs.mean().map(Into::into),
            sprt: sprt.map(|sprt| SprtReport::new(sprt, pairs, shards)),
            solved,
            solved_otherwise,
        }
    }

    /// The counts.
    pub fn tally(&self) -> Tally {
        Tally {
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            pairs: self.pairs,
            double_draws: self.double_draws,
        }
    }
}
