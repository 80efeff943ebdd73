//! The driver: a TCP connection, engines, files and a clock for the state machine.

use super::action::{Action, Exit, Input, Moment, Out};
use super::client::{Client, Mode};
use super::config::{Config, Ponder};
use super::game_file::GameFile;
use super::secret::Secret;
use super::worker::{Thinker, Worker};
use outflank_protocol::ggs::{Assembler, Event};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// How often the state machine is told that time passes.
const TICK: Duration = Duration::from_millis(250);
/// Longest time for a line to leave; a server that takes nothing for so long is gone.
const WRITE_LIMIT: Duration = Duration::from_secs(30);
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
    /// Makes an engine.
    pub thinker: Arc<dyn Fn() -> Box<dyn Thinker> + Send + Sync>,
}

/// The connection.
enum Link {
    None,
    Connecting(JoinHandle<io::Result<TcpStream>>),
    Up { stream: TcpStream, assembler: Assembler },
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Self::Connecting(handle) = self {
            handle.abort();
        }
    }
}

/// News of the connection.
enum News {
    Connected(TcpStream),
    Read(usize),
    Lost(Option<String>),
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
    let games = GameFile::open(&config.games, &config.login).map_err(|error| {
        let text = format!(
            "cannot write to the file of games {}: {error}",
            config.games.display()
        );
        io::Error::new(error.kind(), text)
    })?;
    let (answers, mut answered) = mpsc::unbounded_channel();
    let slots = match mode {
        Mode::Play => usize::try_from(config.play.matches).unwrap_or(1).max(1),
        Mode::Observe => 0,
    };
    let workers = (0..slots)
        .map(|slot| Worker::start(slot, Arc::clone(&thinker), answers.clone()))
        .collect::<io::Result<_>>()?;
    let ponder = match config.play.ponder {
        Ponder::Always => true,
        Ponder::Never => false,
        Ponder::Auto => std::thread::available_parallelism().is_ok_and(|cores| cores.get() > threads * slots),
    };
    let mut driver = Driver {
        server: config.server.clone(),
        secret: secret.clone(),
        client: Client::new(config, secret, mode, ponder),
        start: Instant::now(),
        link: Link::None,
        workers,
        games,
        next_flush: Moment::ZERO,
        exit: None,
    };
    let mut buffer = vec![0; CHUNK];
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while driver.exit.is_none() {
        tokio::select! {
            news = driver.link.news(&mut buffer) => driver.news(news, &buffer).await,
            Some((token, verdict)) = answered.recv() => driver.feed(Input::Thought(token, verdict)).await,
            Some(input) = control.recv() => driver.feed(input).await,
            _ = ticks.tick() => {
                driver.feed(Input::Tick).await;
                driver.flush_games(FLUSH_EVERY);
            }
        }
    }
    driver.flush_games(Duration::ZERO);
    Ok(driver.exit.unwrap_or(Exit::Done))
}

impl Link {
    /// The next thing that happens to the connection. May be dropped and asked again.
    async fn news(&mut self, buffer: &mut [u8]) -> News {
        match self {
            Self::None => std::future::pending().await,
            Self::Connecting(handle) => match handle.await {
                Ok(Ok(stream)) => News::Connected(stream),
                Ok(Err(error)) => News::Lost(Some(error.to_string())),
                Err(error) => News::Lost(Some(error.to_string())),
            },
            Self::Up { stream, .. } => match stream.read(buffer).await {
                Ok(0) => News::Lost(None),
                Ok(count) => News::Read(count),
                Err(error) => News::Lost(Some(error.to_string())),
            },
        }
    }
}

struct Driver {
    server: String,
    secret: Secret,
    client: Client,
    start: Instant,
    link: Link,
    workers: Vec<Worker>,
    games: GameFile,
    next_flush: Moment,
    exit: Option<Exit>,
}

impl Driver {
    async fn news(&mut self, news: News, buffer: &[u8]) {
        match news {
            News::Connected(stream) => {
                if let Err(error) = stream.set_nodelay(true) {
                    log::warn!("cannot send small packets at once: {error}");
                }
                self.link = Link::Up {
                    stream,
                    assembler: Assembler::default(),
                };
                self.feed(Input::Connected).await;
            }
            News::Lost(error) => {
                self.link = Link::None;
                self.feed(Input::Lost { error }).await;
            }
            News::Read(count) => {
                let now = self.start.elapsed();
                let mut events = Vec::new();
                let secret = &self.secret;
                if let Link::Up { assembler, .. } = &mut self.link {
                    assembler.push(buffer.get(..count).unwrap_or_default(), |message| {
                        log::debug!(target: "in", "{}", secret.hide(message.text()));
                        events.push(Event::parse(message));
                    });
                }
                for event in events {
                    self.feed_at(now, Input::Event(Box::new(event))).await;
                    // What was read on a connection that has been given up means nothing.
                    if !matches!(self.link, Link::Up { .. }) {
                        return;
                    }
                }
            }
        }
    }

    /// Writes the games that could not be written before, if it is time for it.
    fn flush_games(&mut self, wait: Duration) {
        let now = self.start.elapsed();
        if now >= self.next_flush || wait.is_zero() {
            self.next_flush = now + wait;
            if let Err(error) = self.games.flush() {
                log::error!("still cannot write to the file of games: {error}");
            }
        }
    }

    async fn feed(&mut self, input: Input) {
        self.feed_at(self.start.elapsed(), input).await;
    }

    async fn feed_at(&mut self, now: Moment, input: Input) {
        let mut actions = self.client.handle(now, input);
        // A line that cannot be sent calls for other actions in place of the rest.
        while let Err(error) = self.carry_out(now, actions).await {
            self.link = Link::None;
            let error = Some(format!("sending: {error}"));
            actions = self.client.handle(self.start.elapsed(), Input::Lost { error });
        }
    }

    async fn carry_out(&mut self, now: Moment, actions: Vec<Action>) -> io::Result<()> {
        let since = self.start + now;
        for action in actions {
            match action {
                Action::Connect => {
                    let server = self.server.clone();
                    self.link =
                        Link::Connecting(tokio::spawn(async move { TcpStream::connect(server).await }));
                }
                Action::Disconnect => self.link = Link::None,
                Action::Send(out) => self.send(&out).await?,
                Action::Think {
                    token,
                    slot,
                    position,
                    budget,
                } => match self.workers.get_mut(slot) {
                    Some(worker) => worker.think(token, position, budget, since),
                    None => log::error!("no engine {slot}"),
                },
                Action::Ponder { slot, position } => {
                    if let Some(worker) = self.workers.get_mut(slot) {
                        worker.ponder(position);
                    }
                }
                Action::Rest { slot } => {
                    if let Some(worker) = self.workers.get_mut(slot) {
                        worker.rest();
                    }
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
        Ok(())
    }

    async fn send(&mut self, out: &Out) -> io::Result<()> {
        let Link::Up { stream, .. } = &mut self.link else {
            return Ok(());
        };
        log::debug!(target: "out", "{out:?}");
        // One write for a line: the server is said to like it.
        let line = format!("{}\n", out.line());
        match timeout(WRITE_LIMIT, stream.write_all(line.as_bytes())).await {
            Ok(sent) => sent,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}
