//! What can be said about results without playing: `sprt`, `plan`, `merge`, `export`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use serde_json::json;

use super::super::numbers;
use super::{Outcome, TestArgs, exit_of};
use crate::arena::export;
use crate::arena::journal::{Journal, Writer};
use crate::arena::report::Range;
use crate::arena::stats::{Plan, Sample, Strength, Tally, plan};

/// The sequential test of results that are counts: what it says, and Elo
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("results").required(true)))]
#[command(after_help = "\
Examples:
  outflank match sprt 0,5 --pairs 34,54,63,64,75
  outflank match sprt 0,2 --games 36433,68692,36027

Exit codes: 0 H1 accepted, 10 H0 accepted, 11 undecided.")]
pub struct SprtArgs {
    #[command(flatten)]
    test: TestArgs,
    /// Pairs by half points of the first engine: 0, 1, 2, 3, 4
    #[arg(long, value_name = "N0,N1,N2,N3,N4", value_parser = numbers::<u64, 5>, group = "results")]
    pairs: Option<[u64; 5]>,
    /// Wins, draws and losses of games that were not played in pairs
    #[arg(long, value_name = "W,D,L", value_parser = numbers::<u64, 3>, group = "results")]
    games: Option<[u64; 3]>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl SprtArgs {
    pub fn run(self) -> Outcome {
        let sprt = self.test.test()?;
        let sample = match (self.pairs, self.games) {
            (Some(pairs), _) => Sample::pairs(pairs),
            (None, games) => {
                let [wins, draws, losses] = games.unwrap_or_default();
                Sample::games(&Tally::of_games(wins, draws, losses))
            }
        };
        let llr = sprt.llr(&sample);
        let (low, high) = sprt.bounds();
        let decision = sprt.decide(llr);
        let strength = Strength::of(&sample).ok_or("there are no results")?;
        let Strength {
            elo,
            normalised,
            superiority,
        } = strength;
        let mut out = io::stdout();
        if self.json {
            let value = json!({
                "llr": llr, "bounds": [low, high], "decision": decision.to_string(),
                "elo": Range::from(elo), "normalised_elo": Range::from(normalised), "los": superiority,
            });
            writeln!(out, "{value}")?;
        } else {
            writeln!(out, "LLR   {llr:+.2} in [{low:.2}, {high:.2}]: {decision}")?;
            writeln!(out, "Elo   {elo}")?;
            writeln!(out, "nElo  {normalised}")?;
            writeln!(out, "LOS   {:.2} %", superiority * 100.0)?;
        }
        Ok(exit_of(decision))
    }
}

/// How many pairs a sequential test needs, and how many a match of fixed length
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  outflank match plan 0,5")]
pub struct PlanArgs {
    #[command(flatten)]
    test: TestArgs,
    /// Standard deviation of a pair's points per game (0 to 0.5); from the journals if there are any
    #[arg(long, value_name = "SD", default_value_t = 0.3, value_parser = deviation)]
    deviation: f64,
    /// Journals of earlier matches between such engines, to take the deviation from
    #[arg(long, value_name = "FILE", conflicts_with = "deviation")]
    journal: Vec<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

fn deviation(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    if value > 0.0 && value <= 0.5 {
        Ok(value)
    } else {
        Err(format!("{text} is not between 0 and 0.5"))
    }
}

impl PlanArgs {
    pub fn run(self) -> Outcome {
        let sprt = self.test.test()?;
        let deviation = match self.journal.is_empty() {
            true => self.deviation,
            false => {
                let (journal, _) = Journal::read_all(&self.journal)?;
                let mut tally = Tally::default();
                journal.pairs.values().for_each(|p| tally.add(p.outcomes()));
                let found = tally.sample().variance().sqrt();
                if found.is_nan() || found == 0.0 {
                    return Err("all pairs of the journals have the same result, or there are none".into());
                }
                found
            }
        };
        let width = sprt.elo1 - sprt.elo0;
        let truths = [-1.0, 0.0, 0.5, 1.0, 2.0].map(|part| sprt.elo0 + part * width);
        let plans = truths.map(|elo| Plan::sequential(&sprt, elo, deviation));
        // A match of fixed length answers "better or not" about a difference as wide as the test's.
        let power = plan::pairs_for_power(width, deviation, sprt.alpha, 1.0 - sprt.beta);
        let margin = plan::pairs_for_margin(width, deviation);
        let mut out = io::stdout();
        if self.json {
            let rows = plans.map(|p| json!({ "elo": p.elo, "h1": p.h1, "pairs": p.pairs }));
            let value = json!({
                "model": sprt.model.to_string(), "deviation": deviation, "sequential": rows,
                "fixed_pairs_for_power": power, "fixed_pairs_for_margin": margin,
            });
            writeln!(out, "{value}")?;
            return Ok(ExitCode::SUCCESS);
        }
        writeln!(
            out,
            "{} Elo {} against {}, alpha {}, beta {}, standard deviation of a pair {deviation:.3}",
            sprt.model, sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
        )?;
        writeln!(out, "if it is   it ends with H1   after about")?;
        for p in plans {
            writeln!(
                out,
                "{:>+8.2}   {:>12.1} %   {:>7.0} pairs ({:.0} games)",
                p.elo,
                p.h1 * 100.0,
                p.pairs,
                p.pairs * 2.0
            )?;
        }
        writeln!(
            out,
            "a match of fixed length needs about {power:.0} pairs to find {width} logistic Elo with the same error \
             probabilities, {margin:.0} pairs for an interval of ± {width}"
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Put the journals of one match together in one, which can be resumed
#[derive(Debug, Args)]
pub struct Merge {
    /// The journal to write; must not exist
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Journals of one match: parts of it, or the same part twice
    #[arg(value_name = "JOURNAL", required = true)]
    journals: Vec<PathBuf>,
}

impl Merge {
    pub fn run(self) -> Outcome {
        let (journal, _) = Journal::read_all(&self.journals)?;
        let header = crate::arena::journal::Header {
            shard: "1/1".into(),
            ..journal.header
        };
        let mut writer = Writer::create(&self.out, &header)?;
        let (pairs, planned) = (journal.pairs.len(), header.config.total_pairs());
        for pair in journal.pairs.values() {
            writer.add(pair)?;
        }
        if journal.repeated > 0 {
            eprintln!(
                "{} pairs were there more than once; the first of each counts",
                journal.repeated
            );
        }
        eprintln!("{pairs} of {planned} pairs");
        Ok(ExitCode::SUCCESS)
    }
}

/// Print the games of journals as GGF, one a line
#[derive(Debug, Args)]
pub struct Export {
    /// Journals of one match
    #[arg(value_name = "JOURNAL", required = true)]
    journals: Vec<PathBuf>,
}

impl Export {
    pub fn run(self) -> Outcome {
        let (journal, _) = Journal::read_all(&self.journals)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        for game in export::ggf(&journal) {
            writeln!(out, "{}", game?)?;
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
