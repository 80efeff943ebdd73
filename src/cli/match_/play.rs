//! Playing a match to its journal, and going on with one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use super::super::has_memory;
use super::super::signals::Signals;
use super::progress::Progress;
use super::{EXIT_UNDECIDED, Outcome, Output};
use crate::arena::config::{Config, Kind, MOST_AT_ONCE};
use crate::arena::journal::{self, Header, Journal, JournalError, Writer};
use crate::arena::opening::OpeningList;
use crate::arena::record::PairRecord;
use crate::arena::run::{self, Event, Job, RunError};
use crate::arena::stats::{self, Decision, Sequencer, Shard, Tally, Trial};
use crate::search::Stop;

/// What is said at the end of a match, from its journal alone; the exit code if the match was not broken off.
pub type Finish<'a> = &'a dyn Fn(&Journal, &[Shard]) -> Outcome;

/// Begins a match.
pub fn begin(
    config: Config,
    shard: Shard,
    journal: Option<PathBuf>,
    output: Output,
    finish: Finish<'_>,
) -> Outcome {
    check_memory(&config)?;
    let openings = OpeningList::of(&config)?;
    let abort = abort_on_signal()?;
    let identities = run::try_engines(&config, &abort)?;
    let header = journal::header(&config, shard, openings.digest(), identities);
    let (path, writer) = match journal {
        Some(path) => (path.clone(), Writer::create(&path, &header)?),
        None => create_after_time(&header)?,
    };
    let journal = Journal::new(header, shard);
    go_on(writer, journal, &openings, &path, abort, output, finish)
}

/// A journal named after the time in the current folder; of matches that begin in the same second each has a number of its own.
fn create_after_time(header: &Header) -> Result<(PathBuf, Writer), JournalError> {
    let time: String = header.started.chars().filter(char::is_ascii_digit).collect();
    let mut path = PathBuf::from(format!("match-{time}.jsonl"));
    let mut number = 1;
    loop {
        match Writer::create(&path, header) {
            Err(JournalError::Exists(_)) => {
                number += 1;
                path = PathBuf::from(format!("match-{time}-{number}.jsonl"));
            }
            created => return Ok((path, created?)),
        }
    }
}

/// Goes on with a journal.
pub fn resume(path: &Path, concurrency: Option<usize>, output: Output, finish: Finish<'_>) -> Outcome {
    let (writer, mut journal) = Writer::resume(path)?;
    let config = &mut journal.header.config;
    config.concurrency = concurrency.unwrap_or(config.concurrency).clamp(1, MOST_AT_ONCE);
    check_memory(config)?;
    let openings = OpeningList::of(config)?;
    if format!("{:016x}", openings.digest()) != journal.header.openings {
        return Err("the openings are not those the match was begun with: has a file changed?".into());
    }
    let abort = abort_on_signal()?;
    go_on(writer, journal, &openings, path, abort, output, finish)
}

fn go_on(
    mut writer: Writer,
    journal: Journal,
    openings: &OpeningList,
    path: &Path,
    abort: Stop,
    output: Output,
    finish: Finish<'_>,
) -> Outcome {
    let (config, shard) = (journal.header.config, journal.shard);
    let total = (0..config.total_pairs()).filter(|&pair| shard.has(pair)).count() as u64;
    let mut progress = Progress::new(output, path, total, config.engines.len() == 2);
    openings
        .warnings
        .iter()
        .chain(&machine_warnings(&config))
        .for_each(|w| progress.warn(w));
    let mut standing = Standing::new(&config, shard);
    let mut done = BTreeSet::new();
    for pair in journal.pairs.into_values() {
        standing.add(&pair);
        done.insert(pair.pair);
    }
    let job = Job {
        config: &config,
        openings,
        shard,
        done: &|pair| done.contains(&pair),
        abort,
    };
    let mut failed = None;
    let mut result = Ok(());
    if standing.open() {
        result = run::run(&job, &mut |event| match event {
            Event::Pair(pair) => {
                if let Err(error) = writer.add(&pair) {
                    failed = Some(error);
                    return false;
                }
                // On disk, and not kept here: a match may have millions.
                standing.add(&pair);
                progress.pair(&pair, &standing);
                standing.open()
            }
            Event::Forfeit {
                pair,
                game,
                engine,
                reason,
                log,
            } => {
                progress.forfeit(pair, game, &engine, &reason, log);
                true
            }
        });
    }
    progress.finish();
    if let Some(error) = failed {
        return Err(error.into());
    }
    drop(writer);
    let code = finish(&Journal::read(path)?, &[shard])?;
    match result {
        Ok(()) => Ok(code),
        Err(RunError::Aborted) => {
            eprintln!("broken off; go on with: outflank match resume {}", quoted(path));
            Ok(ExitCode::from(EXIT_UNDECIDED))
        }
        Err(error) => {
            eprintln!("go on with: outflank match resume {}", quoted(path));
            Err(error.into())
        }
    }
}

/// The little that must be known of the pairs played so far while a match is under way.
pub struct Standing {
    /// Pairs played.
    pub pairs: u64,
    /// Results of the first engine of each pair.
    pub tally: Tally,
    /// The sequential test.
    pub trial: Option<Trial>,
    /// Holds back the pairs that it may not hear yet.
    sequencer: Sequencer<[stats::Outcome; 2]>,
}

impl Standing {
    fn new(config: &Config, shard: Shard) -> Self {
        Self {
            pairs: 0,
            tally: Tally::default(),
            trial: config.sprt.and_then(|s| s.test().ok()).map(Trial::new),
            sequencer: Sequencer::new(vec![shard]),
        }
    }

    fn add(&mut self, pair: &PairRecord) {
        self.pairs += 1;
        self.tally.add(pair.outcomes());
        if let Some(trial) = &mut self.trial {
            let heard = self.sequencer.push(pair.pair, pair.outcomes());
            heard.into_iter().for_each(|p| trial.add(p));
        }
    }

    /// Are more pairs wanted?
    fn open(&self) -> bool {
        self.trial
            .as_ref()
            .is_none_or(|trial| trial.decision() == Decision::Undecided)
    }
}

fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    shlex::try_quote(&text).map_or(text.clone(), |t| t.into_owned())
}

/// Error if the tables of the built-in engines, of every game that is played at the same time, are more than there is.
fn check_memory(config: &Config) -> Result<(), String> {
    let tables = config.engines.iter().filter(|e| e.kind == Kind::Outflank);
    let one_game = tables.fold(0usize, |sum, engine| sum.saturating_add(engine.hash));
    let all = one_game.saturating_mul(config.concurrency);
    match has_memory(all) {
        true => Ok(()),
        false => Err(format!(
            "the tables of the built-in engines come to {all} MiB in {} games at the same time: the system has not so \
             much memory to give (--hash)",
            config.concurrency
        )),
    }
}

fn machine_warnings(config: &Config) -> Vec<String> {
    let cores = thread::available_parallelism().map_or(1, |n| n.get());
    // One side thinks at a time. What a process does with threads is not known here.
    let built_in = config.engines.iter().filter(|e| e.kind == Kind::Outflank);
    let threads = built_in.map(|e| e.threads).max().unwrap_or(1);
    if config.concurrency.saturating_mul(threads) <= cores {
        return Vec::new();
    }
    let each = match threads {
        1 => String::new(),
        n => format!(", {n} threads each,"),
    };
    vec![format!(
        "{} games at the same time{each} on {cores} cores: the engines will take each other's time",
        config.concurrency
    )]
}

/// The first interrupt breaks the match off in good order, the second ends the program at once.
fn abort_on_signal() -> Result<Stop, std::io::Error> {
    let abort = Stop::new();
    let shared = abort.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    // From here on, not only once the thread has got its turn: an interrupt in between would end the program.
    let guard = runtime.enter();
    let mut signals = Signals::new()?;
    drop(guard);
    thread::spawn(move || {
        runtime.block_on(async {
            signals.next().await;
            shared.request();
            signals.next().await;
            std::process::exit(1);
        })
    });
    Ok(abort)
}
