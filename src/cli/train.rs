//! `outflank train`: fits weights to games of self-play.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::{Global, Outcome, at_least, number, weights_file};
use crate::eval::Evaluator;
use crate::eval::patterns::{self, Pattern};
use crate::eval::weights::Kind;
use crate::train::fit::{self, News, Plan};
use crate::train::samples::Samples;

/// Fit the weights of an evaluation to games of self-play; the same command goes on after a kill.
#[derive(Debug, Args)]
pub struct Train {
    /// File that the weights go to
    #[arg(value_name = "WEIGHTS")]
    output: PathBuf,
    /// Files of games
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Kind of evaluation
    #[arg(long, value_enum, default_value_t = KindName::Embedding)]
    kind: KindName,
    /// Patterns: sets (classic46, blocks54, wide64, wide80) and lists of squares, joined by `+`, such as wide64+d1e1d2e2
    #[arg(long, value_name = "LIST", default_value = "wide64", value_parser = pattern_list)]
    patterns: Patterns,
    /// Numbers a row
    #[arg(long, value_name = "N", default_value = "16", value_parser = ["8", "16", "32"])]
    width: String,
    /// Empty squares from which on down each table serves
    #[arg(long, value_name = "LIST", default_value = "60,43,31,19", value_parser = table_list)]
    tables: Tables,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = number(1..=1000u32))]
    epochs: u32,
    /// First step of the rows
    #[arg(long, value_name = "X", default_value_t = 0.01, value_parser = number(1e-6..=1.0f32))]
    rate: f32,
    /// Pull of each row to zero, in visits
    #[arg(long, value_name = "VISITS", default_value_t = 1000.0, value_parser = number(0.0..=1e9f32))]
    penalty: f32,
    /// Share of the search's score in what is learned; the rest is the final score
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = number(0.0..=1.0f32))]
    mix: f32,
    /// Seed of the order and of the heads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0u64))]
    seed: u64,
    /// Weights to go on from, whose kind, patterns, width and tables are taken over; they change slowly
    #[arg(long, value_name = "START", conflicts_with_all = ["kind", "patterns", "width", "tables"])]
    start: Option<PathBuf>,
    /// Name of the weights (default: the name of the file)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// One value of an option each; clap takes a `Vec` for many.
type Patterns = Vec<Pattern>;
type Tables = Vec<u8>;

fn pattern_list(text: &str) -> Result<Patterns, String> {
    let list = patterns::list(text).map_err(|error| error.to_string())?;
    fit::features(&list).map_err(|error| error.to_string())?;
    Ok(list)
}

fn table_list(text: &str) -> Result<Tables, String> {
    let numbers: Result<Tables, _> = text.split(',').map(|n| n.trim().parse()).collect();
    let tables = numbers.map_err(|_| "numbers of empty squares with commas between them are needed")?;
    fit::check_tables(&tables).map_err(|error| error.to_string())?;
    Ok(tables)
}

/// Kinds of evaluation by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KindName {
    /// One number a feature
    Linear,
    /// Sums of rows, read out by squares and values
    Embedding,
}

impl Train {
    /// Fits and writes the weights.
    pub fn run(self, global: &Global) -> Outcome {
        let start = Instant::now();
        weights_file::may_write(&self.output)?;
        let start_weights = self.start.as_deref().map(weights_file::read).transpose()?;
        let samples = Samples::read(&self.games)?;
        eprintln!(
            "{} games ({} repeated ones left out), {} positions to learn, {} held out; read in {:.0} s",
            samples.games,
            samples.repeated,
            samples.train.len(),
            samples.held_out.len(),
            start.elapsed().as_secs_f32()
        );
        let stem = self.output.file_stem().unwrap_or_default().to_string_lossy();
        let mut plan = Plan {
            name: self.name.unwrap_or_else(|| stem.into_owned()),
            kind: match self.kind {
                KindName::Linear => Kind::Linear,
                KindName::Embedding => Kind::Embedding,
            },
            width: self.width.parse()?,
            patterns: self.patterns,
            tables: self.tables,
            epochs: self.epochs,
            rate: self.rate,
            penalty: self.penalty,
            mix: self.mix,
            seed: self.seed,
            threads: global.threads.into(),
        };
        if let Some(start) = &start_weights {
            plan.kind = start.kind;
            plan.width = start.width;
            plan.patterns.clone_from(&start.patterns);
            plan.tables = start.tables.iter().map(|table| table.from).collect();
        }
        let terminal = std::io::stderr().is_terminal();
        let last = Mutex::new(());
        let mut checkpoint = self.output.clone().into_os_string();
        checkpoint.push(".checkpoint");
        let fitted = fit::fit(
            &plan,
            start_weights.as_ref(),
            &samples,
            checkpoint.as_ref(),
            &|News { table, epoch, losses }| {
                let _one_at_a_time = last.lock();
                let seconds = start.elapsed().as_secs();
                match losses {
                    Some(losses) => eprintln!(
                        "table {table} epoch {epoch:.0} of {}: learned {:.2}, held out {:.2} (absolute {:.3}), {seconds} s",
                        plan.epochs, losses.train, losses.held_out, losses.held_out_absolute
                    ),
                    None if terminal => eprint!("table {table} epoch {epoch:.2}, {seconds} s    \r"),
                    None => (),
                }
            },
        )?;
        let bytes = fitted.to_bytes();
        weights_file::write(&self.output, &bytes)?;
        fit::remove_checkpoints(&plan, checkpoint.as_ref());
        say!("{}: {} bytes", self.output.display(), bytes.len());
        report(&Evaluator::from_bytes(&bytes)?, &samples)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Loss of the whole-number evaluation on the held-out games, by phase.
fn report(evaluator: &Evaluator, samples: &Samples) -> io::Result<()> {
    say!("held-out games, final score: plies, positions, mean squared and mean absolute error in discs");
    let mut phases = [(0u32, 0.0f64, 0.0f64); 15];
    for sample in &samples.held_out {
        let error = f64::from(evaluator.evaluate(sample.board)) / 100.0 - f64::from(sample.outcome);
        let (n, squares, absolute) = &mut phases[(60 - sample.board.empties().min(60) as usize).min(59) / 4];
        *n += 1;
        *squares += error * error;
        *absolute += error.abs();
    }
    for (phase, (n, squares, absolute)) in phases.into_iter().enumerate().filter(|p| p.1.0 > 0) {
        let n_ = f64::from(n);
        say!(
            "{:2}-{:2} {n:9} {:8.2} {:7.3}",
            phase * 4,
            phase * 4 + 3,
            squares / n_,
            absolute / n_
        );
    }
    Ok(())
}
