//! `outflank rate`: many engines on one scale.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;

use super::match_::{PlayArgs, play};
use super::{Global, Outcome, misuse};
use crate::arena::config::Format;
use crate::arena::journal::Journal;
use crate::arena::rating::{Anchor, Table};
use crate::arena::report::Report;
use crate::arena::stats::Shard;
use crate::arena::svg;

/// Play many engines against each other and rate them on one scale
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  outflank rate --engine random --engine greedy --engine 'd1=outflank' --pace-of 'd1=depth 1' --pairs 50
  outflank rate report --anchor random=0 --svg ratings.svg match.jsonl

It is a match: `outflank match resume` goes on with it. Exit codes: 0 finished, 1 failure, 2 wrong usage, 11 broken off."
)]
pub struct Rate {
    #[command(flatten)]
    play: PlayArgs,
    /// The first engine meets all others, instead of everyone everyone
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    table: TableArgs,
    #[command(subcommand)]
    command: Option<RateCommand>,
}

#[derive(Debug, Subcommand)]
enum RateCommand {
    Report(ReportArgs),
}

/// Rate the engines of journals that are there already
#[derive(Debug, Args)]
struct ReportArgs {
    /// Journals of one match
    #[arg(value_name = "JOURNAL", required = true)]
    journals: Vec<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// How the table is made.
#[derive(Clone, Debug, Args)]
struct TableArgs {
    /// An engine of fixed rating; without one the mean of all ratings is 0
    #[arg(long, value_name = "NAME=RATING")]
    anchor: Option<Anchor>,
    /// Write a picture of the table
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Rate {
    /// Whether a match begins here, and no journal tells how it is played.
    pub fn is_new(&self) -> bool {
        self.command.is_none()
    }

    /// Plays or reports.
    pub fn run(self, global: &Global) -> Outcome {
        if let Some(RateCommand::Report(report)) = self.command {
            let (journal, shards) = Journal::read_all(&report.journals)?;
            return report.table.print(&journal, &shards, report.json);
        }
        let mut config = self.play.config(global)?;
        if self.gauntlet {
            config.format = Format::Gauntlet;
        }
        let (json, table) = (self.play.output.json, self.table);
        if let Some(anchor) = &table.anchor
            && !config.engines.iter().any(|e| e.name == anchor.name)
        {
            return Err(misuse(format!("--anchor: there is no engine '{}'", anchor.name)));
        }
        let finish = |journal: &Journal, shards: &[Shard]| table.print(journal, shards, json);
        play::begin(
            config,
            self.play.shard,
            self.play.journal,
            self.play.output,
            &finish,
        )
    }
}

impl TableArgs {
    fn print(&self, journal: &Journal, shards: &[Shard], json: bool) -> Outcome {
        let report = Report::new(journal, shards, None);
        let table = Table::new(journal, self.anchor.clone())?;
        if let Some(path) = &self.svg {
            let named = |e: io::Error| format!("cannot write '{}': {e}", path.display());
            fs::write(path, svg::plot(&table)).map_err(named)?;
        }
        let mut out = io::stdout();
        if json {
            writeln!(
                out,
                "{}",
                json!({ "event": "report", "ratings": table, "report": report })
            )?;
        } else {
            write!(out, "{report}\n{table}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
