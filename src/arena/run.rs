//! Playing a match: which pair is next, several at once, results in the order of finishing.

use super::config::{Config, EngineSpec, Kind};
use super::fault::Failure;
use super::opening::OpeningList;
use super::player::Player;
use super::player::builtin::{Greedy, Random};
use super::player::own::{Own, Solver};
use super::player::process::Launch;
use super::player::{gtp, nboard};
use super::record::{Ending, GameRecord, PairRecord};
use super::referee::{self, Terms};
use super::seed::SplitMix;
use super::stats::Shard;
use crate::rules::Game;
use crate::search::Stop;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The part of a match that one call plays.
pub struct Job<'a> {
    /// The match.
    pub config: &'a Config,
    /// Its openings.
    pub openings: &'a OpeningList,
    /// Which part.
    pub shard: Shard,
    /// Is the pair with this number played already?
    pub done: &'a (dyn Fn(u64) -> bool + Sync),
    /// Breaks the match off: games under way are lost.
    pub abort: Stop,
}

/// News from a match under way.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A pair is finished.
    Pair(Box<PairRecord>),
    /// An engine forfeited a game.
    Forfeit {
        /// Number of the pair.
        pair: u64,
        /// 1 or 2.
        game: usize,
        /// Who lost.
        engine: String,
        /// By what.
        reason: String,
        /// What was said, if the engine is a process.
        log: Option<String>,
    },
}

/// Why a match ended before its last pair.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// An engine can't be used.
    #[error("engine '{engine}': {reason}")]
    Engine {
        /// Its name.
        engine: String,
        /// Why.
        reason: String,
    },
    /// The system gives no thread for another game at the same time.
    #[error("no thread for another game at the same time: {0}")]
    Thread(String),
    /// Broken off by `abort`.
    #[error("broken off")]
    Aborted,
}

/// Makes a player.
pub fn seat(config: &Config, spec: &EngineSpec, abort: &Stop) -> Box<dyn Player> {
    let EngineSpec { dialect, passes, .. } = *spec;
    let (rules, pace, start_limit) = (config.rules, config.pace_of(spec), config.start_limit.0);
    let launch = || Launch {
        command: shlex::split(&spec.command).unwrap_or_default(),
        dir: spec.dir.clone(),
        env: spec.env.clone(),
    };
    match spec.kind {
        Kind::Random => Box::new(Random),
        Kind::Outflank => Box::new(Own::new(spec.clone(), pace, abort.clone())),
        Kind::Greedy => Box::new(Greedy),
        Kind::Nboard => {
            let terms = nboard::Terms {
                dialect,
                rules,
                pace,
                start_limit,
            };
            Box::new(nboard::Nboard::new(launch(), terms, abort.clone()))
        }
        Kind::Gtp => {
            let terms = gtp::Terms {
                dialect,
                passes,
                rules,
                pace,
                start_limit,
            };
            Box::new(gtp::Gtp::new(launch(), terms, abort.clone()))
        }
    }
}

/// Starts every engine once: what can't be played at all is found before the first game. What the engines say of
/// themselves, in order.
pub fn try_engines(config: &Config, abort: &Stop) -> Result<Vec<Option<String>>, RunError> {
    config
        .engines
        .iter()
        .map(|spec| {
            seat(config, spec, abort)
                .begin()
                .map_err(|failure| error(&spec.name, failure))
        })
        .collect()
}

fn error(engine: &str, failure: Failure) -> RunError {
    let reason = match failure {
        Failure::Fault(fault) => fault.to_string(),
        Failure::Setup(reason) => reason,
        Failure::Aborted => return RunError::Aborted,
    };
    RunError::Engine {
        engine: engine.into(),
        reason,
    }
}

/// Plays every pair of the part that is not done, `config.concurrency` at a time, and reports each to `news` on the calling
/// thread. When `news` returns false no new pair is begun; those under way are finished and reported.
pub fn run(job: &Job<'_>, news: &mut dyn FnMut(Event) -> bool) -> Result<(), RunError> {
    let schedule = job.openings.schedule(job.config);
    let next = Mutex::new(0u64);
    let stop = AtomicBool::new(false);
    let take = || {
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        let stopped = || stop.load(Ordering::Relaxed) || job.abort.is_requested();
        while *next < job.config.total_pairs() && !stopped() {
            *next += 1;
            let pair = *next - 1;
            if job.shard.has(pair) && !(job.done)(pair) {
                return Some(pair);
            }
        }
        None
    };
    // No more workers than there are pairs to play.
    let left = (0..job.config.total_pairs()).filter(|&pair| job.shard.has(pair) && !(job.done)(pair));
    let workers = left.take(job.config.concurrency).count();
    // Bounded, or fast games would pile up before a slow disk.
    let (sender, receiver) = sync_channel(workers);
    thread::scope(|scope| {
        let mut result = Ok(());
        for _ in 0..workers {
            let worker = Worker {
                job,
                schedule: &schedule,
                sender: sender.clone(),
                seats: HashMap::new(),
                solver: Solver::default(),
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, || worker.work(&take)) {
                result = Err(RunError::Thread(error.to_string()));
                job.abort.request();
                break;
            }
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(Ok(event)) => {
                    if !news(event) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok(Err(error)) => {
                    // The first error is the cause, those of the other workers its consequence.
                    result = result.and(Err(error));
                    job.abort.request();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if job.abort.is_requested() => {
                    return result.and(Err(RunError::Aborted));
                }
                Err(RecvTimeoutError::Disconnected) => return result,
            }
        }
    })
}

struct Worker<'a> {
    job: &'a Job<'a>,
    schedule: &'a [u32],
    sender: SyncSender<Result<Event, RunError>>,
    seats: HashMap<usize, Box<dyn Player>>,
    solver: Solver,
}

impl Worker<'_> {
    fn work(mut self, take: &(dyn Fn() -> Option<u64> + Sync)) {
        while let Some(pair) = take() {
            let outcome = self.pair(pair).map(|record| Event::Pair(Box::new(record)));
            let failed = outcome.is_err();
            if self.sender.send(outcome).is_err() || failed {
                return;
            }
        }
    }

    fn pair(&mut self, pair: u64) -> Result<PairRecord, RunError> {
        let config = self.job.config;
        let pairings = config.pairings();
        let (first, second) = pairings[(pair % pairings.len() as u64) as usize];
        let round = (pair / pairings.len() as u64) as usize;
        let opening = &self.job.openings.openings[self.schedule[round] as usize];
        let names = [first, second].map(|i| config.engines[i].name.clone());
        // Checked when the list was read.
        let game = opening.game(config.rules).map_err(|reason| RunError::Engine {
            engine: names[0].clone(),
            reason,
        })?;
        let one = self.game(pair, 1, [first, second], &game)?;
        let two = self.game(pair, 2, [second, first], &game)?;
        let [first, second] = names;
        Ok(PairRecord {
            pair,
            first,
            second,
            opening: opening.clone(),
            games: [one, two],
        })
    }

    /// One game; the engines in the order Black, White.
    fn game(
        &mut self,
        pair: u64,
        number: usize,
        engines: [usize; 2],
        opening: &Game,
    ) -> Result<GameRecord, RunError> {
        let config = self.job.config;
        let [black, white] = engines.map(|i| &config.engines[i]);
        let mut players = engines.map(|i| {
            let kept = self.seats.remove(&i).filter(|_| !config.engines[i].restart);
            kept.unwrap_or_else(|| seat(config, &config.engines[i], &self.job.abort))
        });
        let terms = Terms {
            opening: opening.clone(),
            names: [&black.name, &white.name],
            paces: [black, white].map(|e| config.pace_of(e)),
            margin: config.margin.0,
            stall: config.stall.0,
            untimed_stall: config.untimed_stall.0,
            seeds: engines.map(|i| SplitMix::new(config.seed, &[3, pair, number as u64, i as u64]).next()),
            adjudicate: config.adjudicate.map(|a| (a.empties, a.play_on)),
        };
        let played = {
            let [black, white] = &mut players;
            referee::play(&terms, [black.as_mut(), white.as_mut()], &mut |game| {
                self.solver.solve(game, &self.job.abort)
            })
        };
        let record = played.map_err(|(color, failure)| error(terms.names[color.index()], failure))?;
        if let Ending::Forfeit { loser, kind, detail } = &record.ending {
            let side = crate::rules::Color::from(*loser).index();
            let event = Event::Forfeit {
                pair,
                game: number,
                engine: terms.names[side].to_owned(),
                reason: format!("{kind}: {detail}"),
                log: players[side].log(),
            };
            // Nobody listens any more only when the match is over.
            let _ = self.sender.send(Ok(event));
        }
        self.seats.extend(engines.into_iter().zip(players));
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn play(config: &Config, shard: &str, most: usize) -> BTreeMap<u64, PairRecord> {
        let openings = OpeningList::of(config).unwrap();
        let shard = shard.parse().unwrap();
        let job = Job {
            config,
            openings: &openings,
            shard,
            done: &|n| n == 3,
            abort: Stop::new(),
        };
        let mut pairs = BTreeMap::new();
        run(&job, &mut |event| {
            if let Event::Pair(mut pair) = event {
                pair.games.iter_mut().for_each(|g| g.us.clear());
                assert!(pairs.insert(pair.pair, *pair).is_none());
            }
            pairs.len() < most
        })
        .unwrap();
        pairs
    }

    fn config(concurrency: usize) -> Config {
        let engines = ["random", "greedy", "other=random"]
            .map(|e| EngineSpec::parse(e).unwrap())
            .to_vec();
        Config {
            engines,
            pairs: 5,
            concurrency,
            seed: 9,
            ..Config::default()
        }
        .checked()
        .unwrap()
    }

    #[test]
    fn same_games_whatever_runs_at_once() {
        let all = play(&config(1), "1/1", 100);
        assert_eq!(
            all.keys().copied().collect::<Vec<_>>(),
            [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
        );
        assert_eq!(play(&config(3), "1/1", 100), all);
        let mut parts = play(&config(2), "1/2", 100);
        parts.extend(play(&config(1), "2/2", 100));
        assert_eq!(parts, all);
        let meetings: Vec<_> = all
            .values()
            .take(3)
            .map(|p| (p.first.as_str(), p.second.as_str()))
            .collect();
        assert_eq!(
            meetings,
            [("random", "greedy"), ("random", "other"), ("greedy", "other")]
        );
        assert_eq!(all[&0].games[0].black, "random");
        assert_eq!(all[&0].games[1].black, "greedy");
        // Three pairings share an opening; the next round has another.
        assert_eq!(all[&0].opening, all[&2].opening);
        assert_ne!(all[&0].opening, all[&4].opening);
    }

    #[test]
    fn stops_when_told() {
        // One more is on its way, one in the channel, one in the worker's hands.
        assert!((2..=5).contains(&play(&config(1), "1/1", 2).len()));
    }

    #[test]
    fn an_engine_that_is_not_there_ends_it() {
        let mut config = config(2);
        config.engines[1] = EngineSpec::parse("gone=nboard:./no/such/engine").unwrap();
        let abort = Stop::new();
        let found = try_engines(&config, &abort).unwrap_err().to_string();
        assert!(
            found.contains("engine 'gone': cannot start './no/such/engine'"),
            "{found}"
        );
        let openings = OpeningList::of(&config).unwrap();
        let job = Job {
            config: &config,
            openings: &openings,
            shard: Shard::ALL,
            done: &|_| false,
            abort,
        };
        assert!(matches!(run(&job, &mut |_| true), Err(RunError::Engine { .. })));
    }
}
