//! Playing a match to its journal, and going on with one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use super::progress::Progress;
use super::{EXIT_UNDECIDED, Outcome, Output, progress, verdict};
use crate::arena::config::Config;
use crate::arena::journal::{self, Journal, Writer};
use crate::arena::opening::OpeningList;
use crate::arena::record::PairRecord;
use crate::arena::report::Report;
use crate::arena::run::{self, Event, Job, RunError};
use crate::arena::stats::{Decision, Sequencer, Shard, Trial};
use crate::search::Stop;

/// Begins a match.
pub fn begin(config: Config, shard: Shard, journal: Option<PathBuf>, output: Output) -> Outcome {
    let openings = OpeningList::of(&config)?;
    let abort = abort_on_signal()?;
    let identities = run::try_engines(&config, &abort)?;
    let header = journal::header(&config, shard, openings.digest(), identities);
    let path = journal.unwrap_or_else(|| {
        let time: String = header.started.chars().filter(char::is_ascii_digit).collect();
        PathBuf::from(format!("match-{time}.jsonl"))
    });
    let writer = Writer::create(&path, &header)?;
    let journal = Journal::new(header, shard);
    go_on(writer, journal, &openings, &path, abort, output)
}

/// Goes on with a journal.
pub fn resume(path: &Path, concurrency: Option<usize>, output: Output) -> Outcome {
    let (writer, mut journal) = Writer::resume(path)?;
    let config = &mut journal.header.config;
    config.concurrency = concurrency.unwrap_or(config.concurrency).max(1);
    let openings = OpeningList::of(config)?;
    if format!("{:016x}", openings.digest()) != journal.header.openings {
        return Err("the openings are not those the match was begun with: has a file changed?".into());
    }
    let abort = abort_on_signal()?;
    go_on(writer, journal, &openings, path, abort, output)
}

fn go_on(
    mut writer: Writer,
    mut journal: Journal,
    openings: &OpeningList,
    path: &Path,
    abort: Stop,
    output: Output,
) -> Outcome {
    let config = journal.header.config.clone();
    let shard = journal.shard;
    let total = (0..config.total_pairs()).filter(|&pair| shard.has(pair)).count() as u64;
    let mut progress = Progress::new(output, path, total);
    openings
        .warnings
        .iter()
        .chain(&machine_warnings(&config))
        .for_each(|w| progress.warn(w));
    let mut test = config
        .sprt
        .and_then(|s| s.test().ok())
        .map(|sprt| Test::new(Trial::new(sprt), shard));
    for pair in journal.pairs.values() {
        if let Some(test) = &mut test {
            test.add(pair);
        }
    }
    let done: std::collections::BTreeSet<u64> = journal.pairs.keys().copied().collect();
    let job = Job {
        config: &config,
        openings,
        shard,
        done: &|pair| done.contains(&pair),
        abort,
    };
    let mut failed = None;
    let mut result = Ok(());
    if test.as_ref().is_none_or(Test::open) {
        result = run::run(&job, &mut |event| match event {
            Event::Pair(pair) => {
                if let Err(error) = writer.add(&pair) {
                    failed = Some(error);
                    return false;
                }
                progress.pair(&pair);
                if let Some(test) = &mut test {
                    test.add(&pair);
                }
                journal.pairs.insert(pair.pair, *pair);
                progress.standing(&journal, test.as_ref().map(|t| &t.trial));
                test.as_ref().is_none_or(Test::open)
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
    let report = Report::new(&journal, &[shard], None);
    progress::print(&report, output.json)?;
    match result {
        Ok(()) => Ok(verdict(&report)),
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

/// The sequential test of a match under way.
struct Test {
    trial: Trial,
    sequencer: Sequencer<[crate::arena::stats::Outcome; 2]>,
}

impl Test {
    fn new(trial: Trial, shard: Shard) -> Self {
        Self {
            trial,
            sequencer: Sequencer::new(vec![shard]),
        }
    }

    fn add(&mut self, pair: &PairRecord) {
        self.sequencer
            .push(pair.pair, pair.outcomes())
            .into_iter()
            .for_each(|p| self.trial.add(p));
    }

    fn open(&self) -> bool {
        self.trial.decision() == Decision::Undecided
    }
}

fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    shlex::try_quote(&text).map_or(text.clone(), |t| t.into_owned())
}

fn machine_warnings(config: &Config) -> Vec<String> {
    let cores = thread::available_parallelism().map_or(1, |n| n.get());
    if config.concurrency <= cores {
        return Vec::new();
    }
    vec![format!(
        "{} games at the same time on {cores} cores: the engines will take each other's time",
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
    thread::spawn(move || {
        runtime.block_on(async {
            signal().await;
            shared.request();
            signal().await;
            std::process::exit(1);
        })
    });
    Ok(abort)
}

/// Ctrl-C, or on Unix a request to terminate.
async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
