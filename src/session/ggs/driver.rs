//! The driver: a TCP connection, engines, files and a clock for the state machine.

use super::action::{Action, Exit, Input, Moment, Out};
use super::client::{Client, Mode};
use super::config::{Config, Ponder};
use super::game_file::GameFile;
use super::link::{Link, News, Up};
use super::secret::Secret;
use super::worker::{Make, Worker};
use outflank_protocol::ggs::Event;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

/// How often the state machine is told that time passes.
const TICK: Duration = Duration::from_millis(250);
/// How often games are written again that the disk did not take.
const FLUSH_EVERY: Duration = Duration::from_secs(30);
/// Bytes read at once.
const CHUNK: usize = 32 * 1024;

/// What a session needs.
pub struct Options {
    /// The configuration.
    pub config: Config,
    /// The password.
    pub secret: Secret,
    /// Play or observe.
    pub mode: Mode,
    /// Threads that a search uses; with the number of cores this decides about thinking on the opponent's time.
    pub threads: usize,
    /// Makes the engine of a slot. Those from `play.matches` on are made when the service begins more matches than were
    /// agreed to, and should be content with little memory.
    pub thinker: Make,
}

/// Plays until the state machine ends it. `control` brings [`Input::Leave`] and [`Input::LeaveNow`].
///
/// # Errors
/// If the file of games cannot be opened or no engine thread started, before anything is sent.
pub async fn run(options: Options, mut control: mpsc::UnboundedReceiver<Input>) -> io::Result<Exit> {
    let Options {
        config,
        secret,
        mode,
        threads,
        thinker,
    } = options;
    let games = GameFile::open(&config.games, &config.login)?;
    let (answers, mut answered) = mpsc::unbounded_channel();
    let slots = match mode {
        Mode::Play => config.play.slots(),
        Mode::Observe => 0,
    };
    let engine = move |slot| Worker::start(slot, Arc::clone(&thinker), answers.clone());
    let workers = (0..slots).map(&engine).collect::<io::Result<_>>()?;
    let ponder = match config.play.ponder {
        Ponder::Always => true,
        Ponder::Never => false,
        Ponder::Auto => std::thread::available_parallelism().is_ok_and(|cores| cores.get() > threads * slots),
    };
    let mut driver = Driver {
        server: config.server.clone(),
        client: Client::new(config, secret, mode, ponder),
        start: Instant::now(),
        link: Link::None,
        parting: None,
        workers,
        spare: BTreeMap::new(),
        engine: Box::new(engine),
        games,
        next_flush: Moment::ZERO,
        exit: None,
    };
    let mut buffer = vec![0; CHUNK];
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while driver.exit.is_none() {
        tokio::select! {
            news = driver.link.news(&mut buffer) => driver.news(news, &buffer),
            Some((token, verdict)) = answered.recv() => driver.feed(Input::Thought(token, verdict)),
            Some(input) = control.recv() => driver.feed(input),
            _ = ticks.tick() => {
                driver.feed(Input::Tick);
                driver.flush_games();
            }
        }
    }
    if let Some(parting) = driver.parting {
        let _ = parting.await;
    }
    let exit = driver.exit.unwrap_or(Exit::Done);
    let Err(error) = driver.games.flush() else {
        return Ok(exit);
    };
    let loss = driver.games.loss(&error);
    Ok(Exit::Failed(match exit {
        Exit::Done => loss,
        Exit::Failed(why) => format!("{why}; {loss}"),
    }))
}

struct Driver {
    server: String,
    client: Client,
    start: Instant,
    link: Link,
    /// The last words on a connection that has been given up.
    parting: Option<JoinHandle<()>>,
    workers: Vec<Worker>,
    /// Engines of later slots, while there are matches for them.
    spare: BTreeMap<usize, Worker>,
    engine: Box<dyn Fn(usize) -> io::Result<Worker> + Send>,
    games: GameFile,
    next_flush: Moment,
    exit: Option<Exit>,
}

impl Driver {
    fn news(&mut self, news: News, buffer: &[u8]) {
        match news {
            News::Connected(stream) => {
                self.link = Link::up(stream);
                self.feed(Input::Connected);
            }
            News::Lost(error) => {
                self.link.part();
                self.feed(Input::Lost { error });
            }
            News::Read(count) => {
                let now = self.start.elapsed();
                let mut events = Vec::new();
                if let Link::Up(Up { assembler, .. }) = &mut self.link {
                    assembler.push(buffer.get(..count).unwrap_or_default(), |message| {
                        log::debug!(target: "in", "{}", message.text());
                        events.push(Event::parse(message));
                    });
                }
                for event in events {
                    self.feed_at(now, Input::Event(Box::new(event)));
                    // What was read on a connection that has been given up means nothing.
                    if !matches!(self.link, Link::Up(_)) {
                        return;
                    }
                }
            }
        }
    }

    /// Writes the games that could not be written before, if it is time for it.
    fn flush_games(&mut self) {
        let now = self.start.elapsed();
        if now >= self.next_flush {
            self.next_flush = now + FLUSH_EVERY;
            if let Err(error) = self.games.flush() {
                log::error!("still cannot write to the file of games: {error}");
            }
        }
    }

    fn feed(&mut self, input: Input) {
        self.feed_at(self.start.elapsed(), input);
    }

    fn feed_at(&mut self, now: Moment, input: Input) {
        let actions = self.client.handle(now, input);
        if let Err(error) = self.carry_out(now, actions) {
            self.link.part();
            let error = Some(format!("sending: {error}"));
            self.feed(Input::Lost { error });
        }
    }

    /// Does everything, also what comes after a line that cannot be sent: a match to be saved, or the end of the program.
    fn carry_out(&mut self, now: Moment, actions: Vec<Action>) -> io::Result<()> {
        let since = self.start + now;
        let mut sent = Ok(());
        for action in actions {
            match action {
                Action::Connect => self.link = Link::connect(self.server.clone()),
                Action::Disconnect => self.parting = self.link.part().or(self.parting.take()),
                Action::Send(out) => sent = sent.and_then(|()| self.send(&out)),
                Action::Think {
                    token,
                    slot,
                    position,
                    budget,
                } => {
                    if let Some(worker) = self.worker(slot) {
                        worker.think(token, position, budget, since);
                    }
                }
                Action::Ponder { slot, position } => {
                    if let Some(worker) = self.worker(slot) {
                        worker.ponder(position);
                    }
                }
                Action::Rest { slot } => {
                    if let Some(worker) = self.workers.get_mut(slot) {
                        worker.rest();
                    }
                    self.spare.remove(&slot);
                }
                Action::Save(found) => {
                    if let Err(error) = self.games.add(found.clone()) {
                        // It will be tried again; the log has it in any case.
                        log::error!("cannot write to the file of games: {error}; the match was: {found}");
                        self.next_flush = now + FLUSH_EVERY;
                    }
                }
                Action::Draft(id, found) => {
                    if let Err(error) = self.games.draft(id, found) {
                        log::error!("cannot write beside the file of games: {error}");
                    }
                }
                Action::Exit(exit) => self.exit = Some(exit),
            }
        }
        sent
    }

    /// The engine of a slot. In the place of one that cannot be started the first one plays: somebody has to.
    fn worker(&mut self, slot: usize) -> Option<&mut Worker> {
        if slot >= self.workers.len() && !self.spare.contains_key(&slot) {
            match (self.engine)(slot) {
                Ok(worker) => {
                    self.spare.insert(slot, worker);
                }
                Err(error) => log::error!("no engine {slot}: {error}"),
            }
        }
        match self.spare.get_mut(&slot) {
            Some(worker) => Some(worker),
            None if slot < self.workers.len() => self.workers.get_mut(slot),
            None => self.workers.first_mut(),
        }
    }

    fn send(&mut self, out: &Out) -> io::Result<()> {
        if matches!(self.link, Link::Up(_)) {
            log::debug!(target: "out", "{out:?}");
        }
        self.link.send(format!("{}\n", out.line()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ggs::Verdict;
    use outflank_protocol::ggs::Assembler;
    use tokio::net::{TcpListener, TcpStream};

    struct Idle;

    impl super::super::worker::Thinker for Idle {
        fn think(
            &mut self,
            _: &crate::rules::Position,
            _: Option<crate::clock::Budget>,
            _: &dyn crate::clock::Stopwatch,
            _: &crate::search::Stop,
        ) -> Verdict {
            Verdict {
                best: None,
                discs: 0.0,
                exact: false,
            }
        }

        fn forget(&mut self) {}
    }

    /// The order to end comes when no more lines can be queued.
    #[tokio::test]
    async fn the_end_does_not_depend_on_the_last_line() {
        let folder = std::env::temp_dir().join(format!("outflank-driver-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let games = folder.join("games.ggf");
        let text = format!(
            "server = 'nowhere:1'\nlogin = 'outflank'\ngames = '{}'\n",
            games.display()
        );
        let config = Config::parse("test", &text).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (answers, _) = mpsc::unbounded_channel();
        let mut driver = Driver {
            server: config.server.clone(),
            client: Client::new(config, Secret::new("x").unwrap(), Mode::Play, false),
            start: Instant::now(),
            link: Link::None,
            parting: None,
            workers: Vec::new(),
            spare: BTreeMap::new(),
            engine: Box::new(move |slot| Worker::start(slot, Arc::new(|_| Box::new(Idle)), answers.clone())),
            games: GameFile::open(&games, "outflank").unwrap(),
            next_flush: Moment::ZERO,
            exit: None,
        };
        driver.client.handle(Moment::ZERO, Input::Tick);
        driver.news(News::Connected(stream), &[]);
        let mut events = Vec::new();
        Assembler::default().push(b": Enter login\n: Enter your password.\nREADY\n", |message| {
            events.push(Event::parse(message));
        });
        for event in events {
            driver.feed(Input::Event(Box::new(event)));
        }
        assert!(driver.client.is_online());
        // The task that writes gets no turn before the next `await`.
        while driver.link.send("x\n".to_owned()).is_ok() {}
        driver.feed(Input::LeaveNow);
        assert_eq!(driver.exit, Some(Exit::Done));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
