//! The command line: one file a subcommand.
//!
//! A subcommand is a `clap::Args` struct with `run(self, &Global) -> Outcome`. Exit codes: 0 fine, 1 failure, 2 usage.

/// Prints a line to standard output. Where `println!` would panic, because the reader went away or the disk is full, the
/// function returns the error: [`main`] knows what to make of it.
macro_rules! say {
    ($($text:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($text)*)))?
    };
}

mod bench;
mod calibrate;
mod comply;
mod cpu;
mod eval;
mod eval_test;
mod ggs;
mod gtp;
mod logging;
mod match_;
mod meter;
mod nboard;
mod openings;
mod perft;
mod position;
mod probcut_fit;
mod problems;
mod rate;
mod relabel;
mod replay;
mod selfplay;
mod show;
mod signals;
mod solve;
mod stderr;
mod suite;
mod train;
mod verify;
mod weights_file;
mod wthor;

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

use crate::engine::{self, Engine};
use crate::rules::Rules;
use crate::session::job::Maker;

pub use cpu::require as require_cpu;

use crate::eval::{Evaluator, LoadError};

/// What a subcommand ends with: an exit code, or an error whose text goes to stderr (exit code 1).
pub type Outcome = Result<ExitCode, Box<dyn Error>>;

/// Shown at the end of `--help`.
const EXAMPLES: &str = "\
Without a subcommand the program speaks the NBoard protocol on standard input and output.

Examples:
  outflank                                      play under NBoard (its engine command is the path of this file)
  outflank --hash 512 --threads 4               the same with a bigger table and four threads
  outflank --log debug.log                      the same, with everything that happens written to a file
  outflank < tests/transcripts/first-game.nboard
  outflank show f5d6c3                          the board after these moves
  outflank perft 9 --divide                     count the move tree, each first move apart
  outflank gtp --move-time 2                    speak GTP, two seconds a move
  outflank match --engine outflank --engine greedy --pace \"depth 6\" --pairs 3

Exit codes: 0 fine, 1 failure, 2 wrong usage.";

/// Version, commit, the built-in evaluation, and what the build and this machine's processor can do.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("OUTFLANK_COMMIT"));
    let evaluation = Evaluator::embedded_name();
    format!(
        "{version}\ncommit: {commit}\nevaluation: {evaluation}\ncpu: {}",
        cpu::describe()
    )
});

/// A headless Othello/Reversi engine.
#[derive(Debug, Parser)]
#[command(name = "outflank", version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("OUTFLANK_COMMIT"), ")"))]
#[command(long_version = LONG_VERSION.as_str(), after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Options that every subcommand has.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options for every subcommand")]
pub struct Global {
    // Not as a doc comment: the brackets would be links.
    /// Rule set
    #[arg(long, global = true, value_name = "NAME", default_value_t)]
    #[arg(help = "Rule set: othello, free[,pass=allowed][,capture=required] or classic")]
    pub rules: Rules,
    /// Size of the transposition table in MiB
    #[arg(long, global = true, value_name = "MiB", default_value_t = 64, value_parser = number(1..=1u32 << 20))]
    pub hash: u32,
    /// Search threads
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = number(1..=256u16))]
    pub threads: u16,
    /// Log to stderr (off, error, warn, info, debug or trace) or, at level debug, to the end of a file
    #[arg(long, global = true, value_name = "LEVEL|FILE")]
    pub log: Option<String>,
    /// Weights of the evaluation to use in place of the built-in one; `hand-made` for the one without weights
    #[arg(long, global = true, value_name = "FILE")]
    pub eval: Option<PathBuf>,
    /// Folder in which `learn` keeps the games; without it nothing is kept
    #[arg(long, global = true, value_name = "DIR")]
    pub games_folder: Option<PathBuf>,
}

impl Global {
    /// The engine that the options describe.
    ///
    /// # Errors
    /// If the file of `--eval` is no sound file of weights, or there is no memory for the table.
    pub fn engine(&self) -> Result<engine::Options, Box<dyn Error>> {
        Ok(engine::Options {
            hash_mib: table_mib(self.hash as usize)?,
            threads: usize::from(self.threads),
            evaluator: Arc::new(self.evaluator()?),
        })
    }

    /// Makes that engine on the thread that calls it. The built-in weights are unpacked there as well, so that a session
    /// answers at once; a file of `--eval` is read now, because it may be wrong.
    ///
    /// # Errors
    /// If the file of `--eval` is no sound file of weights, or there is no memory for the table.
    pub fn maker(&self) -> Result<Maker, Box<dyn Error>> {
        let (hash_mib, threads) = (table_mib(self.hash as usize)?, usize::from(self.threads));
        let loaded = self.given_evaluator()?.map(Arc::new);
        Ok(Arc::new(move || {
            let evaluator = loaded.clone().unwrap_or_else(|| Arc::new(Evaluator::embedded()));
            Engine::new(engine::Options {
                hash_mib,
                threads,
                evaluator,
            })
        }))
    }

    /// The evaluation to use.
    ///
    /// # Errors
    /// If the file of `--eval` is no sound file of weights.
    pub fn evaluator(&self) -> Result<Evaluator, LoadError> {
        Ok(self.given_evaluator()?.unwrap_or_else(Evaluator::embedded))
    }

    /// The evaluation that `--eval` names; none without it.
    fn given_evaluator(&self) -> Result<Option<Evaluator>, LoadError> {
        self.eval.as_deref().map(Evaluator::named).transpose()
    }
}

/// `mib`, if the system has that much memory. A table that cannot be had would end the program in the middle of its work.
fn table_mib(mib: usize) -> Result<usize, String> {
    match has_memory(mib) {
        true => Ok(mib),
        false => Err(format!(
            "--hash {mib}: the system has no {mib} MiB of memory to give"
        )),
    }
}

/// Does the system give so many MiB?
fn has_memory(mib: usize) -> bool {
    let mut trial = Vec::<u8>::new();
    let granted = trial.try_reserve_exact(mib.saturating_mul(1 << 20));
    // Without a look at it the compiler may leave the memory out.
    std::hint::black_box(&mut trial);
    granted.is_ok()
}

/// Reads a number of an option that must lie in `range`; NaN lies in none.
fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!(
            "a number from {} to {} is needed",
            range.start(),
            range.end()
        )),
    }
}

/// The same without an upper end.
fn at_least<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| match text.parse() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(format!("a number of {least} or more is needed")),
    }
}

/// Reads numbers with commas between them.
fn numbers<T: FromStr, const N: usize>(text: &str) -> Result<[T; N], String> {
    let read: Option<Vec<T>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    read.and_then(|list| list.try_into().ok())
        .ok_or_else(|| format!("{N} numbers with commas between them are needed"))
}

/// Wrong usage that shows only when several options are looked at together, or with what they name.
fn misuse(text: impl Display) -> Box<dyn Error> {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{text}\n")).into()
}

/// The subcommands, one file each.
#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Bench),
    Calibrate(calibrate::Calibrate),
    Comply(comply::Comply),
    Ggs(ggs::Ggs),
    Gtp(gtp::Gtp),
    Match(Box<match_::Match>),
    Nboard(nboard::Nboard),
    Openings(openings::Openings),
    Perft(perft::Perft),
    Rate(Box<rate::Rate>),
    Replay(replay::Replay),
    ProbcutFit(probcut_fit::ProbcutFit),
    Selfplay(selfplay::Selfplay),
    Show(show::Show),
    Solve(solve::Solve),
    Suite(suite::Suite),
    Verify(verify::Verify),
    Train(train::Train),
    Relabel(relabel::Relabel),
    Eval(eval::Eval),
    EvalTest(eval_test::EvalTest),
}

/// Reads the command line and does what it says; returns the exit code of the process.
#[inline(never)]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = logging::start(cli.global.log.as_deref()).and_then(|()| cli.run());
    let code = outcome.unwrap_or_else(|error| {
        // Whoever closed the pipe has read enough: `outflank ... | head`.
        let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
        if error.downcast_ref().is_some_and(closed) {
            return ExitCode::SUCCESS;
        }
        if let Some(usage) = error.downcast_ref::<clap::Error>() {
            usage.exit();
        }
        // Not `eprintln!`, which panics where nothing can be written: the exit code still tells.
        stderr::tell(format!("outflank: {error}\n").into_bytes());
        ExitCode::FAILURE
    });
    stderr::finish();
    code
}

impl Command {
    /// Whether `--rules` means something here. The others know tournament games alone, or take the rules from a journal.
    fn has_rules(&self) -> bool {
        match self {
            Self::Gtp(_) | Self::Nboard(_) | Self::Openings(_) | Self::Perft(_) => true,
            Self::Show(_) | Self::Solve(_) | Self::Suite(_) => true,
            Self::Match(arguments) => arguments.is_new(),
            Self::Rate(arguments) => arguments.is_new(),
            _ => false,
        }
    }
}

impl Cli {
    fn run(self) -> Outcome {
        let command = self.command.unwrap_or(Command::Nboard(nboard::Nboard {}));
        let rules = self.global.rules;
        if rules != Rules::Othello && !command.has_rules() {
            return Err(misuse(format!(
                "--rules {rules}: this command has no choice of rules"
            )));
        }
        match command {
            Command::Bench(arguments) => arguments.run(&self.global),
            Command::Calibrate(arguments) => arguments.run(&self.global),
            Command::Ggs(arguments) => arguments.run(&self.global),
            Command::Gtp(arguments) => arguments.run(&self.global),
            Command::Comply(arguments) => arguments.run(&self.global),
            Command::Rate(arguments) => arguments.run(&self.global),
            Command::Match(arguments) => arguments.run(&self.global),
            Command::Nboard(arguments) => arguments.run(&self.global),
            Command::Openings(arguments) => arguments.run(&self.global),
            Command::Perft(arguments) => arguments.run(&self.global),
            Command::Replay(arguments) => arguments.run(&self.global),
            Command::ProbcutFit(arguments) => arguments.run(&self.global),
            Command::Selfplay(arguments) => arguments.run(&self.global),
            Command::Show(arguments) => arguments.run(&self.global),
            Command::Solve(arguments) => arguments.run(&self.global),
            Command::Suite(arguments) => arguments.run(&self.global),
            Command::Verify(arguments) => arguments.run(&self.global),
            Command::Train(arguments) => arguments.run(&self.global),
            Command::Relabel(arguments) => arguments.run(&self.global),
            Command::Eval(arguments) => arguments.run(&self.global),
            Command::EvalTest(arguments) => arguments.run(&self.global),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_knows_the_hand_made_evaluation() {
        let cli = Cli::try_parse_from(["outflank", "--eval", "hand-made"]).unwrap();
        assert!(matches!(cli.global.evaluator(), Ok(Evaluator::HandMade)));
        assert!(cli.global.maker().is_ok());
    }

    #[test]
    fn a_table_that_cannot_be_had_is_refused() {
        assert_eq!(table_mib(1), Ok(1));
        assert!(table_mib(usize::MAX).unwrap_err().starts_with("--hash "));
    }

    #[test]
    fn numbers_that_make_no_sense_are_wrong_usage() {
        for line in [
            "outflank train w g --rate nan",
            "outflank train w g --rate 0",
            "outflank train w g --penalty inf",
            "outflank train w g --mix 1.5",
            "outflank openings --bound nan",
            "outflank openings --bound=-1",
            "outflank selfplay g --games 18446744073709551615",
            "outflank perft x",
            "outflank gtp --move-time abc",
            "outflank verify --positions 0",
            "outflank calibrate a b --positions 40",
            "outflank train w g --patterns foo",
            "outflank train w g --tables 1,2,3",
            "outflank train w g --tables 60,x",
            "outflank match plan 5",
            "outflank match sprt 0,5 --pairs 1,2,3",
            "outflank match sprt 0,5 --games 1,2,-3",
            "outflank match report j --sprt x",
            "outflank match --tc 0",
        ] {
            let error = Cli::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
            let text = error.to_string();
            for jargon in [
                "invalid digit",
                "invalid float",
                "18446744073709551615 is not",
                "..=",
            ] {
                assert!(!text.contains(jargon), "{line}: {text}");
            }
        }
        assert!(Cli::try_parse_from("outflank train w g --rate 0.01 --mix 1".split(' ')).is_ok());
    }

    /// clap notices only here when a parser makes another type than its option has.
    #[test]
    fn every_number_has_the_type_of_its_option() {
        for line in [
            "--hash 1 --threads 1 nboard",
            "gtp --depth 3 --nodes 5 --move-time 0.5",
            "match --engine greedy --pairs 1 --seed 1 --concurrency 1 --opening-plies 1 --random-plies 1 --adjudicate 9 \
             --sprt 0,5 --sprt-errors 0.1,0.1 --tc 60+1",
            "match resume j --concurrency 2",
            "match report j --sprt 0,5",
            "match sprt 0,5 --pairs 1,2,3,4,5",
            "match sprt -5,5 --games 1,2,3",
            "match plan 0,5 --deviation 0.2",
            "openings",
            "perft 3",
            "probcut-fit",
            "relabel a b",
            "selfplay g",
            "suite f --depth 1",
            "train w g",
            "verify",
            "calibrate a b",
        ] {
            let parsed = Cli::try_parse_from(format!("outflank {line}").split_whitespace());
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }

    #[test]
    fn global_options_may_stand_before_or_after_the_subcommand() {
        for line in [
            "outflank --hash 7 nboard",
            "outflank nboard --hash 7",
            "outflank --hash 7",
        ] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert_eq!(cli.global.hash, 7, "{line}");
        }
        assert_eq!(
            Cli::try_parse_from(["outflank", "--hash", "0"])
                .unwrap_err()
                .exit_code(),
            2
        );
    }
}
