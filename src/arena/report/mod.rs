//! What a journal says: a pure function of it.

mod engine;
mod pairing;
mod text;

pub use engine::{EngineReport, Latency};
pub use pairing::{PairingReport, Range, SprtReport};

use super::journal::Journal;
use super::pace::Pace;
use super::record::Ending;
use super::stats::{Shard, Sprt};
use serde::Serialize;
use std::collections::HashMap;

/// Everything that there is to say about a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Version of the program that began the match.
    pub version: String,
    /// When it began, UTC.
    pub started: String,
    /// Rule set.
    pub rules: String,
    /// Seed.
    pub seed: u64,
    /// Pairs of the whole match.
    pub pairs_planned: u64,
    /// Pairs played.
    pub pairs: u64,
    /// Two engines each, in the order of the schedule.
    pub pairings: Vec<PairingReport>,
    /// Every engine by itself.
    pub engines: Vec<EngineReport>,
    /// What should make one look twice.
    pub warnings: Vec<String>,
}

impl Report {
    /// From a journal that holds these parts of a match. `sprt` replaces the test of the journal.
    pub fn new(journal: &Journal, shards: &[Shard], sprt: Option<Sprt>) -> Self {
        let config = &journal.header.config;
        let sprt = sprt.or_else(|| config.sprt.and_then(|s| s.test().ok()));
        let pairings = config.pairings();
        let reports: Vec<_> = (0..pairings.len())
            .map(|index| {
                let (first, second) = pairings[index];
                let names = [first, second].map(|i| config.engines[i].name.as_str());
                let pairs = journal
                    .pairs
                    .values()
                    .filter(|p| p.pair % pairings.len() as u64 == index as u64)
                    .collect::<Vec<_>>();
                PairingReport::new(names, &pairs, sprt.filter(|_| pairings.len() == 1), shards)
            })
            .collect();
        let engines: Vec<_> = config
            .engines
            .iter()
            .zip(journal.header.identities.iter().chain(std::iter::repeat(&None)))
            .map(|(spec, identity)| {
                EngineReport::new(
                    spec,
                    identity.clone(),
                    config.pace_of(spec),
                    config.margin.0,
                    journal,
                )
            })
            .collect();
        let mut this = Self {
            version: journal.header.version.clone(),
            started: journal.header.started.clone(),
            rules: config.rules.to_string(),
            seed: config.seed,
            pairs_planned: config.total_pairs(),
            pairs: journal.pairs.len() as u64,
            pairings: reports,
            engines,
            warnings: Vec::new(),
        };
        this.warnings = this.find_warnings(journal);
        this
    }

    fn find_warnings(&self, journal: &Journal) -> Vec<String> {
        let mut warnings = Vec::new();
        if journal.repeated > 0 {
            warnings.push(format!(
                "{} pairs were played more than once; the first of each counts",
                journal.repeated
            ));
        }
        if journal.header.config.openings.none {
            warnings.push("no openings".into());
        }
        let mut seen: HashMap<_, u64> = HashMap::new();
        for pair in journal.pairs.values() {
            for game in &pair.games {
                *seen
                    .entry((&game.black, &game.white, &pair.opening, &game.moves))
                    .or_default() += 1;
            }
        }
        let again: u64 = seen.values().map(|n| n - 1).sum();
        if again > 0 {
            warnings.push(format!(
                "{again} games are the same, move by move, as an earlier one between the same engines: they say nothing new"
            ));
        }
        for engine in &self.engines {
            let late = engine
                .forfeits
                .iter()
                .find(|f| f.kind == super::fault::Kind::Time)
                .map_or(0, |f| f.games);
            if late >= 2 && late * 20 >= engine.games {
                warnings.push(format!(
                    "'{}' lost {late} of {} games on time: does it know its clock ({})?",
                    engine.name, engine.games, engine.pace
                ));
            }
        }
        for (engine, spec) in self.engines.iter().zip(&journal.header.config.engines) {
            let each = journal.header.config.pace_of(spec).movetime;
            if let (Some(each), Some(took)) = (each, engine.time)
                && took.p50_ms > each.0.as_secs_f64() * 1e3
            {
                warnings.push(format!(
                    "'{}' took more than its {each} for more than half of its moves: it lives on the margin",
                    engine.name
                ));
            }
        }
        let forfeits: u64 = self
            .engines
            .iter()
            .flat_map(|e| &e.forfeits)
            .map(|f| f.games)
            .sum();
        let games: usize = journal.pairs.len() * 2;
        if forfeits > 0 && forfeits * 20 >= games as u64 {
            warnings.push(format!(
                "{forfeits} of {games} games were forfeited: the result says little about strength"
            ));
        }
        warnings
    }

    /// How the sequential test stands, if there is one.
    pub fn sprt(&self) -> Option<&SprtReport> {
        self.pairings.first().and_then(|p| p.sprt.as_ref())
    }
}

/// Games of an engine that it forfeited, by what it did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Forfeits {
    /// What it did.
    pub kind: super::fault::Kind,
    /// How often.
    pub games: u64,
}

/// The forfeits of one engine.
fn forfeits_of(name: &str, journal: &Journal) -> Vec<Forfeits> {
    let mut list: Vec<Forfeits> = Vec::new();
    for game in journal.pairs.values().flat_map(|p| &p.games) {
        let Ending::Forfeit { loser, kind, .. } = &game.ending else {
            continue;
        };
        let loser = if *loser == super::record::Side::Black {
            &game.black
        } else {
            &game.white
        };
        if loser != name {
            continue;
        }
        match list.iter_mut().find(|f| f.kind == *kind) {
            Some(found) => found.games += 1,
            None => list.push(Forfeits {
                kind: *kind,
                games: 1,
            }),
        }
    }
    list.sort_by_key(|f| f.kind);
    list
}

/// Limits as text.
fn pace_text(pace: Pace) -> String {
    pace.to_string()
}
