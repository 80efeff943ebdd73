//! `outflank match`: engines against engines.

pub mod play;
mod progress;
mod tools;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{Global, Outcome, at_least, misuse, numbers};
use crate::arena::config::{Adjudicate, Config, Dialect, EngineSpec, SprtConfig};
use crate::arena::journal::Journal;
use crate::arena::pace::{Pace, TimeControl};
use crate::arena::report::Report;
use crate::arena::span::Span;
use crate::arena::stats::{Decision, Model, Shard, Sprt};

/// The sequential test accepted H0.
pub const EXIT_H0: u8 = 10;
/// The match ended without a verdict of its sequential test, or was broken off.
pub const EXIT_UNDECIDED: u8 = 11;

const EXAMPLES: &str = "\
Examples:
  outflank match --engine 'new=nboard:./new nboard' --engine 'old=nboard:./old nboard' \\
      --movetime 100ms --pairs 500 --concurrency 2 --journal new-old.jsonl
  outflank match --config match.toml --sprt 0,10
  outflank match resume new-old.jsonl
  outflank match report part1.jsonl part2.jsonl

Exit codes: 0 finished or H1 accepted, 1 failure, 2 wrong usage, 10 H0 accepted, 11 undecided or broken off.";

/// Play engines against each other, in pairs of games with colours swapped.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub struct Match {
    #[command(flatten)]
    play: PlayArgs,
    #[command(subcommand)]
    command: Option<MatchCommand>,
}

#[derive(Debug, Subcommand)]
enum MatchCommand {
    Resume(Resume),
    Report(ReportArgs),
    Sprt(tools::SprtArgs),
    Plan(tools::PlanArgs),
    Merge(tools::Merge),
    Export(tools::Export),
}

/// A new match.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The match in TOML; the other options change it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// An engine: nboard:COMMAND, gtp:COMMAND, outflank (this one), random or greedy; give two or more
    #[arg(long = "engine", value_name = "[NAME=]KIND[:COMMAND]", value_parser = EngineSpec::parse)]
    engines: Vec<EngineSpec>,
    /// Limits of all engines, e.g. '60+0.5', '100ms/move', 'depth 8', 'nodes 10000', with commas between several
    #[arg(long, value_name = "PACE")]
    pace: Option<Pace>,
    /// Limits of one engine
    #[arg(long, value_name = "NAME=PACE", value_parser = pace_of)]
    pace_of: Vec<(String, Pace)>,
    /// How one engine is told what its protocol has no words for: auto, outflank, fischer or silent
    #[arg(long, value_name = "NAME=DIALECT", value_parser = dialect_of)]
    dialect_of: Vec<(String, Dialect)>,
    /// The same time for every move, e.g. 100ms: short for --pace '100ms/move'
    #[arg(long, value_name = "TIME", conflicts_with_all = ["pace", "tc"])]
    movetime: Option<Span>,
    /// A clock: MAIN[+INCREMENT] [ext TIME] [byo TIMExMOVES], e.g. 60+0.5
    #[arg(long, value_name = "CLOCK", conflicts_with = "pace")]
    tc: Option<TimeControl>,
    /// Pairs of games of each two engines that meet
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    pairs: Option<u64>,
    /// Seed of everything random
    #[arg(long, value_name = "N", value_parser = at_least(0u64))]
    seed: Option<u64>,
    /// Games at the same time
    #[arg(long, value_name = "N", value_parser = at_least(1usize))]
    concurrency: Option<usize>,
    /// Openings from files: one line of moves or OBF each, or games in GGF; else the balanced ones of the program
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// Openings in the order of the files instead of a random one
    #[arg(long)]
    openings_in_order: bool,
    /// Of games and lines of moves take so many plies at most
    #[arg(long, value_name = "N", value_parser = at_least(0usize))]
    opening_plies: Option<usize>,
    /// Random openings of so many plies
    #[arg(long, value_name = "N", value_parser = at_least(0u32))]
    random_plies: Option<u32>,
    /// Every game from the start position
    #[arg(long)]
    no_openings: bool,
    /// Stop as soon as it is clear whether the Elo difference is ELO0 or ELO1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = numbers::<f64, 2>)]
    sprt: Option<[f64; 2]>,
    #[command(flatten)]
    test: TestOptions,
    /// Solve games at so many empties and count the solved result
    #[arg(long, value_name = "EMPTIES", value_parser = at_least(0u32))]
    adjudicate: Option<u32>,
    /// Play solved games on and record both results
    #[arg(long, requires = "adjudicate")]
    play_on: bool,
    /// How late a move may be and still count as in time [default: 50ms]
    #[arg(long, value_name = "TIME")]
    margin: Option<Span>,
    /// How long after its time an engine counts as hanging [default: 10s]
    #[arg(long, value_name = "TIME")]
    stall: Option<Span>,
    /// Play only the pairs of this part, for spreading a match over machines
    #[arg(long, value_name = "I/N", default_value_t = Shard::ALL)]
    pub shard: Shard,
    /// The journal to write; must not exist. Named after the time if not given
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

/// How to tell what is going on.
#[derive(Clone, Copy, Debug, Args)]
pub struct Output {
    /// Every event as one line of JSON on standard output, the report last
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
    /// Nothing but the report
    #[arg(long)]
    quiet: bool,
}

/// Go on with a match that was broken off.
#[derive(Debug, Args)]
struct Resume {
    /// Its journal
    #[arg(value_name = "JOURNAL")]
    journal: PathBuf,
    /// Games at the same time
    #[arg(long, value_name = "N", value_parser = at_least(1usize))]
    concurrency: Option<usize>,
    #[command(flatten)]
    output: Output,
}

/// Say how a match stands, from its journals alone.
#[derive(Debug, Args)]
struct ReportArgs {
    /// Journals of one match
    #[arg(value_name = "JOURNAL", required = true)]
    journals: Vec<PathBuf>,
    /// Hear the pairs with this sequential test instead of the match's own
    #[arg(long, value_name = "ELO0,ELO1", value_parser = numbers::<f64, 2>)]
    sprt: Option<[f64; 2]>,
    #[command(flatten)]
    test: TestOptions,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The rest of a sequential test.
#[derive(Clone, Debug, Args)]
struct TestOptions {
    /// Error probabilities of the sequential test under H0 and H1
    #[arg(long, value_name = "ALPHA,BETA", default_value = "0.05,0.05", value_parser = numbers::<f64, 2>)]
    sprt_errors: [f64; 2],
    /// Elo of the sequential test: normalised or logistic
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalised)]
    sprt_model: Model,
}

/// A sequential test.
#[derive(Clone, Debug, Args)]
struct TestArgs {
    /// The Elo differences between which it decides
    #[arg(value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = numbers::<f64, 2>)]
    elos: [f64; 2],
    #[command(flatten)]
    options: TestOptions,
}

impl TestArgs {
    fn test(&self) -> Result<Sprt, Box<dyn Error>> {
        self.options.with(self.elos).test().map_err(misuse)
    }
}

impl TestOptions {
    fn with(&self, [elo0, elo1]: [f64; 2]) -> SprtConfig {
        let [alpha, beta] = self.sprt_errors;
        SprtConfig {
            elo0,
            elo1,
            alpha,
            beta,
            model: self.sprt_model,
        }
    }
}

impl Match {
    /// Whether a match begins here, and no journal tells how it is played.
    pub fn is_new(&self) -> bool {
        self.command.is_none()
    }

    /// Plays or reports.
    pub fn run(self, global: &Global) -> Outcome {
        let report = |json: bool| {
            move |journal: &Journal, shards: &[Shard]| {
                let report = Report::new(journal, shards, None);
                progress::print(&report, json)?;
                Ok(verdict(&report))
            }
        };
        match self.command {
            None => {
                let PlayArgs {
                    shard,
                    ref journal,
                    output,
                    ..
                } = self.play;
                let config = self.play.config(global)?;
                play::begin(config, shard, journal.clone(), output, &report(output.json))
            }
            Some(MatchCommand::Resume(r)) => {
                play::resume(&r.journal, r.concurrency, r.output, &report(r.output.json))
            }
            Some(MatchCommand::Report(r)) => r.run(),
            Some(MatchCommand::Sprt(s)) => s.run(),
            Some(MatchCommand::Plan(p)) => p.run(),
            Some(MatchCommand::Merge(m)) => m.run(),
            Some(MatchCommand::Export(e)) => e.run(),
        }
    }
}

fn pace_of(text: &str) -> Result<(String, Pace), String> {
    let (name, pace) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is not NAME=PACE"))?;
    Ok((name.into(), pace.parse()?))
}

fn dialect_of(text: &str) -> Result<(String, Dialect), String> {
    let (name, dialect) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is not NAME=DIALECT"))?;
    let read = |word: &str| serde_json::from_value(word.into()).map_err(|e: serde_json::Error| e.to_string());
    Ok((name.into(), read(dialect)?))
}

impl PlayArgs {
    /// The match: the file where one is given, changed by the options.
    ///
    /// # Errors
    /// If the file is not sound, or the options are not.
    pub fn config(&self, global: &Global) -> Result<Config, Box<dyn Error>> {
        let mut config = match &self.config {
            Some(path) => {
                let named = |e: String| format!("configuration '{}': {e}", path.display());
                let text = crate::files::text(path).map_err(|e| named(e.to_string()))?;
                Config::from_toml(&text).map_err(named)?
            }
            None => Config {
                rules: global.rules,
                ..Config::default()
            },
        };
        let (hash, threads) = (global.hash as usize, global.threads.into());
        config
            .engines
            .extend(self.engines.iter().cloned().map(|engine| EngineSpec {
                hash,
                threads,
                eval: global.eval.clone(),
                ..engine
            }));
        let short = match (&self.movetime, &self.tc) {
            (Some(time), _) => Some(
                Pace {
                    movetime: Some(*time),
                    ..Pace::NONE
                }
                .checked()
                .map_err(misuse)?,
            ),
            (_, Some(tc)) => Some(Pace {
                tc: Some(*tc),
                ..Pace::NONE
            }),
            _ => None,
        };
        config.pace = self.pace.or(short).unwrap_or(config.pace);
        for (name, pace) in &self.pace_of {
            let engine = config.engines.iter_mut().find(|e| e.name == *name);
            engine
                .ok_or_else(|| misuse(format!("--pace-of: there is no engine '{name}'")))?
                .pace = Some(*pace);
        }
        for (name, dialect) in &self.dialect_of {
            let engine = config.engines.iter_mut().find(|e| e.name == *name);
            engine
                .ok_or_else(|| misuse(format!("--dialect-of: there is no engine '{name}'")))?
                .dialect = *dialect;
        }
        config.pairs = self.pairs.unwrap_or(config.pairs);
        config.seed = self.seed.unwrap_or(config.seed);
        config.concurrency = self.concurrency.unwrap_or(config.concurrency);
        if !self.openings.is_empty() {
            config.openings.files = self.openings.clone();
        }
        config.openings.in_order |= self.openings_in_order;
        config.openings.none |= self.no_openings;
        config.openings.plies = self.opening_plies.or(config.openings.plies);
        config.openings.random_plies = self.random_plies.or(config.openings.random_plies);
        if let Some(elos) = self.sprt {
            let sprt = self.test.with(elos);
            sprt.test().map_err(misuse)?;
            config.sprt = Some(sprt);
        }
        if let Some(empties) = self.adjudicate {
            config.adjudicate = Some(Adjudicate {
                empties,
                play_on: self.play_on,
            });
        }
        config.margin = self.margin.unwrap_or(config.margin);
        config.stall = self.stall.unwrap_or(config.stall);
        // With a file the options may be sound and the file not.
        match self.config {
            Some(_) => Ok(config.checked()?),
            None => config.checked().map_err(misuse),
        }
    }
}

impl ReportArgs {
    fn run(self) -> Outcome {
        let sprt = self.sprt.map(|elos| self.test.with(elos).test());
        let sprt = sprt.transpose().map_err(misuse)?;
        let (journal, shards) = Journal::read_all(&self.journals)?;
        let report = Report::new(&journal, &shards, sprt);
        progress::print(&report, self.json)?;
        Ok(verdict(&report))
    }
}

/// The exit code that a report stands for.
fn verdict(report: &Report) -> ExitCode {
    report
        .sprt()
        .map_or(ExitCode::SUCCESS, |sprt| exit_of(sprt.verdict()))
}

/// The exit code that a verdict stands for.
fn exit_of(decision: Decision) -> ExitCode {
    match decision {
        Decision::H0 => ExitCode::from(EXIT_H0),
        Decision::Undecided => ExitCode::from(EXIT_UNDECIDED),
        Decision::H1 => ExitCode::SUCCESS,
    }
}
