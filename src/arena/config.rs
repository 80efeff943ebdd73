//! What a match is: engines, paces, openings, how many pairs. Read from TOML, kept in the journal's first line.

use super::pace::Pace;
use super::span::Span;
use super::stats::{Model, Sprt};
use crate::rules::Rules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Values that have a text form, as that text.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use std::fmt::Display;
    use std::str::FromStr;

    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// Pairs of each two engines at most: the runner counts through those of a match.
const MOST_PAIRS: u64 = 100_000_000;

/// Games at the same time at most.
pub const MOST_AT_ONCE: usize = 1024;

/// A match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Rule set.
    #[serde(with = "text")]
    pub rules: Rules,
    /// Pairs of games of each two engines that meet.
    pub pairs: u64,
    /// Seed of everything random: order of openings, random openings, random players.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Who meets whom.
    pub format: Format,
    /// Limits of every engine that has none of its own.
    pub pace: Pace,
    /// Openings.
    pub openings: Openings,
    /// Decide games by solving them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjudicate: Option<Adjudicate>,
    /// A move that is late by no more than this counts as in time.
    pub margin: Span,
    /// An engine that has not answered so long after its time was up hangs: it is killed and loses.
    pub stall: Span,
    /// The same for an engine without a time limit, from the request.
    pub untimed_stall: Span,
    /// How long an engine may take to start, or to take in a new position.
    pub start_limit: Span,
    /// Stop early by a sequential test; two engines only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// The engines, at least two, with different names.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineSpec>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            rules: Rules::Othello,
            pairs: 100,
            seed: 1,
            concurrency: 1,
            format: Format::RoundRobin,
            pace: Pace::NONE,
            openings: Openings::default(),
            adjudicate: None,
            margin: USUAL_MARGIN,
            stall: Span::millis(10_000),
            untimed_stall: Span::millis(600_000),
            start_limit: Span::millis(60_000),
            sprt: None,
            engines: Vec::new(),
        }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone everyone else.
    #[default]
    RoundRobin,
    /// The first engine all others.
    Gauntlet,
}

/// Where openings come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Openings {
    /// Files of transcripts, OBF or GGF; without any, the list that comes with the program in `othello`, and random
    /// openings in the other rule sets.
    pub files: Vec<PathBuf>,
    /// In the order of the files instead of a random one.
    pub in_order: bool,
    /// Random openings of so many plies instead of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_plies: Option<u32>,
    /// All games from the start position of the rules.
    pub none: bool,
    /// Of games and transcripts take this many plies at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
}

#[allow(clippy::derivable_impls)]
impl Default for Openings {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            in_order: false,
            random_plies: None,
            none: false,
            plies: None,
        }
    }
}

/// Deciding games by solving them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Adjudicate {
    /// At so many empty squares, or fewer.
    pub empties: u32,
    /// Play on all the same and record both results; the solved one counts.
    #[serde(default)]
    pub play_on: bool,
}

/// The hypotheses of the sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtConfig {
    /// Elo difference (first engine less second) of H0.
    pub elo0: f64,
    /// Elo difference of H1.
    pub elo1: f64,
    /// Error probabilities; 0.05 each.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// See `alpha`.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// `normalised` (default) or `logistic`.
    #[serde(with = "text", default)]
    pub model: Model,
}

fn five_percent() -> f64 {
    0.05
}

impl SprtConfig {
    /// The test, if its numbers are sound.
    pub fn test(&self) -> Result<Sprt, String> {
        let Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        } = *self;
        Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        }
        .checked()
    }
}

/// One engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineSpec {
    /// Its name in all results.
    pub name: String,
    /// How it is spoken to, or which built-in player it is.
    pub kind: Kind,
    /// `nboard`, `gtp`: program and arguments, split as a shell would.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Working directory of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Environment variables of the process.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Its own limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// How it is told what its protocol has no words for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dialect: Dialect,
    /// `gtp`: is it told of forced passes?
    #[serde(default, skip_serializing_if = "is_default")]
    pub passes: Passes,
    /// `outflank`: size of its table in MiB.
    #[serde(default = "usual_hash", skip_serializing_if = "is_usual_hash")]
    pub hash: usize,
    /// `outflank`: search threads.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub threads: usize,
    /// `outflank`: file of the weights to evaluate with, or `hand-made`; the built-in weights if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<PathBuf>,
    /// Start a new process for every game.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart: bool,
}

/// What a scheduler that has other things to do takes from an engine at times, through no fault of the engine.
const USUAL_MARGIN: Span = Span::millis(50);

/// MiB of an engine inside the process, of which there are many.
const USUAL_HASH: usize = 16;

fn usual_hash() -> usize {
    USUAL_HASH
}

fn is_usual_hash(hash: &usize) -> bool {
    *hash == USUAL_HASH
}

fn one() -> usize {
    1
}

fn is_one(n: &usize) -> bool {
    *n == 1
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How an engine is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// This program's engine, inside the process.
    Outflank,
    /// A process that speaks NBoard.
    Nboard,
    /// A process that speaks GTP.
    Gtp,
    /// Built in: any legal move.
    Random,
    /// Built in: the most flips.
    Greedy,
}

/// How an engine is told what its protocol has no words for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// With our own extensions if it calls itself Outflank, else not at all: what can't be said is refused.
    #[default]
    Auto,
    /// With our own extensions.
    Outflank,
    /// GTP: an increment is written as a period of 0 stones.
    Fischer,
    /// What can't be said is left out, and no time either: the engine is set up by its own arguments.
    Silent,
}

/// Whether a GTP engine is told of forced passes by `play COLOR pass`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passes {
    /// Until it refuses one; never to GRhino.
    #[default]
    Auto,
    /// Always.
    Explicit,
    /// Never.
    Implicit,
}

impl EngineSpec {
    /// An engine of this kind with nothing else set.
    pub fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.into(),
            kind,
            command: String::new(),
            dir: None,
            env: BTreeMap::new(),
            pace: None,
            dialect: Dialect::Auto,
            passes: Passes::Auto,
            hash: USUAL_HASH,
            threads: 1,
            eval: None,
            restart: false,
        }
    }

    /// Reads `[NAME=]KIND[:COMMAND]`, e.g. `new=nboard:./outflank nboard`. Without a name the kind is the name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (head, command) = text.split_once(':').unwrap_or((text, ""));
        let (name, kind) = head.split_once('=').unwrap_or((head, head));
        let kind = match kind {
            "outflank" => Kind::Outflank,
            "nboard" => Kind::Nboard,
            "gtp" => Kind::Gtp,
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            _ => {
                return Err(format!(
                    "engine '{text}': '{kind}' is not one of nboard, gtp, outflank, random, greedy"
                ));
            }
        };
        Ok(Self {
            command: command.trim().into(),
            ..Self::new(name, kind)
        })
    }
}

impl Config {
    /// Reads TOML.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|e| e.to_string())
    }

    /// Error with everything that no match can be played with.
    pub fn checked(self) -> Result<Self, String> {
        if self.engines.len() < 2 {
            return Err(format!(
                "a match needs at least two engines, not {}",
                self.engines.len()
            ));
        }
        for (i, engine) in self.engines.iter().enumerate() {
            if engine.name.is_empty() || engine.name.chars().any(char::is_control) {
                return Err(format!(
                    "engine {}: its name is empty or has control characters",
                    i + 1
                ));
            }
            if self.engines[..i].iter().any(|other| other.name == engine.name) {
                return Err(format!(
                    "two engines have the name '{0}': call one of them something else, as in 'b={0}'",
                    engine.name
                ));
            }
            let external = matches!(engine.kind, Kind::Nboard | Kind::Gtp);
            if external == engine.command.is_empty() {
                let what = if external { "needs" } else { "has no use for" };
                return Err(format!("engine '{}' {what} a command", engine.name));
            }
            if external && shlex::split(&engine.command).is_none_or(|c| c.is_empty()) {
                return Err(format!(
                    "engine '{}': command with an open quote or empty",
                    engine.name
                ));
            }
        }
        if self.engines.iter().any(|e| e.hash == 0 || e.threads == 0) {
            return Err("hash and threads of an engine must be above 0".into());
        }
        let endless = |e: &&EngineSpec| e.kind == Kind::Outflank && self.pace_of(e) == Pace::NONE;
        if let Some(engine) = self.engines.iter().find(endless) {
            return Err(format!(
                "engine '{}' would think for ever: give it a pace",
                engine.name
            ));
        }
        if self.pairs == 0 || self.concurrency == 0 {
            return Err("pairs and concurrency must be above 0".into());
        }
        if self.pairs > MOST_PAIRS {
            return Err(format!(
                "{} pairs are too many, {MOST_PAIRS} is the limit",
                self.pairs
            ));
        }
        if self.concurrency > MOST_AT_ONCE {
            return Err(format!(
                "{} games at the same time are too many, {MOST_AT_ONCE} is the limit",
                self.concurrency
            ));
        }
        if let Some(sprt) = &self.sprt {
            sprt.test()?;
            if self.engines.len() != 2 {
                return Err("a sequential test is for two engines".into());
            }
        }
        let sources = [
            !self.openings.files.is_empty(),
            self.openings.random_plies.is_some(),
            self.openings.none,
        ];
        if sources.into_iter().filter(|&given| given).count() > 1 {
            return Err("openings: files, random-plies and none exclude each other".into());
        }
        Ok(self)
    }

    /// Which engines meet, by index; every round plays each of these once.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let n = self.engines.len();
        match self.format {
            Format::RoundRobin => (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect(),
            Format::Gauntlet => (1..n).map(|b| (0, b)).collect(),
        }
    }

    /// Number of pairs of the whole match.
    pub fn total_pairs(&self) -> u64 {
        self.pairings().len() as u64 * self.pairs
    }

    /// The limits of an engine.
    pub fn pace_of(&self, engine: &EngineSpec) -> Pace {
        engine.pace.unwrap_or(self.pace)
    }

    /// Are results of the two comparable, pair by pair? How many games ran at once does not matter.
    pub fn same_match(&self, other: &Self) -> bool {
        Self {
            concurrency: 0,
            ..self.clone()
        } == Self {
            concurrency: 0,
            ..other.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = r#"
        pairs = 50
        pace = "60+0.5"
        margin = "10ms"
        [openings]
        random-plies = 8
        [sprt]
        elo0 = 0
        elo1 = 5
        [[engine]]
        name = "new"
        kind = "nboard"
        command = "./new nboard"
        pace = "100ms/move"
        env = { THREADS = "1" }
        [[engine]]
        name = "any"
        kind = "random"
    "#;

    #[test]
    fn toml_and_json() {
        let config = Config::from_toml(EXAMPLE).unwrap().checked().unwrap();
        assert_eq!(config.engines[0].pace.unwrap().to_string(), "100ms/move");
        assert_eq!(config.sprt.unwrap().model, Model::Normalised);
        assert_eq!(config.pairings(), [(0, 1)]);
        let json = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
    }

    #[test]
    fn errors_say_where() {
        let error = |from: &str, to: &str| {
            let text = EXAMPLE.replace(from, to);
            Config::from_toml(&text).and_then(Config::checked).unwrap_err()
        };
        assert!(error("kind = \"random\"", "kind = \"outflank\"\npace = \"none\"").contains("for ever"));
        assert!(error("pairs", "pears").contains("pears"));
        assert!(error("\"any\"", "\"new\"").contains("two engines have the name 'new'"));
        assert!(error("\"./new nboard\"", "\"\"").contains("'new' needs a command"));
        assert!(error("\"./new nboard\"", "\"'\"").contains("open quote"));
        assert!(error("60+0.5", "60+x").contains("60+x"));
        assert!(error("elo1 = 5", "elo1 = -5").contains("elo0 < elo1"));
        assert!(error("random-plies = 8", "random-plies = 8\nnone = true").contains("exclude"));
        assert!(error("pairs = 50", "pairs = 9000000000000000000").contains("100000000 is the limit"));
        assert!(error("pairs = 50", "pairs = 50\nconcurrency = 1025").contains("1024 is the limit"));
    }

    #[test]
    fn engine_words() {
        let engine = EngineSpec::parse("new=nboard:./a b=c:d").unwrap();
        assert_eq!(
            (engine.name.as_str(), engine.command.as_str()),
            ("new", "./a b=c:d")
        );
        assert_eq!(EngineSpec::parse("random").unwrap().name, "random");
        assert!(EngineSpec::parse("x=uci:./a").unwrap_err().contains("uci"));
    }
}
