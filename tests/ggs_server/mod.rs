//! A GGS server for tests: pure (bytes and times in, bytes out), deterministic, and with faults on demand.
//!
//! It is written from the description of what clients see, in words of its own where the words do not matter. [`tcp`] puts it
//! on a loopback port, [`sim`] plays whole matches with it in no time.

pub mod clock;
pub mod game;
pub mod matches;
pub mod moves;
pub mod noise;
pub mod os;
pub mod puppet;
pub mod rng;
pub mod sim;
pub mod start;
pub mod tcp;

use matches::{Match, Stored};
use os::Pending;
use outflank_protocol::ggs::Event;
use rng::Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// A connection.
pub type Conn = u64;

/// What the server does to a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    Bytes(Vec<u8>),
    Close,
}

/// How the server behaves.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// Rated matches are those of a tournament: they go on without a player who is away.
    pub tournament: bool,
    /// Prompts are `ALERT`.
    pub alert: bool,
    /// Bells, escape sequences and odd line ends.
    pub decorated: bool,
    /// Strangers talk and play, about once in so many seconds; 0: never.
    pub noise: u64,
    /// Help texts after login until `verbose` is turned off.
    pub verbose: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            tournament: false,
            alert: false,
            decorated: true,
            noise: 0,
            verbose: true,
        }
    }
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub started: u32,
    pub resumed: u32,
    pub finished: u32,
    pub aborted: u32,
    pub left: u32,
    /// Refused commands, overrun clocks and false reports of time, by player.
    pub faults: Vec<(String, String)>,
}

/// Small numbers that are handed out first in, first out.
#[derive(Clone, Debug)]
pub struct Pool(VecDeque<u32>);

impl Pool {
    fn new() -> Self {
        Self((1..=15).collect())
    }

    fn take(&mut self) -> u32 {
        self.0.pop_front().expect("too many at once")
    }

    fn give(&mut self, id: u32) {
        self.0.push_back(id);
    }
}

/// A user, with what the services remember of him.
#[derive(Clone, Debug)]
pub struct User {
    pub password: Option<String>,
    pub conn: Option<Conn>,
    pub rating: f64,
    pub open: u32,
    pub trust: bool,
    pub rated: bool,
    pub client: bool,
    pub request: bool,
    pub vt100: bool,
    pub verbose: bool,
    pub dform: String,
    /// Told of the coming and going of these (central).
    pub notify: BTreeSet<String>,
    /// Told of all matches.
    pub notify_all: bool,
    pub watching: BTreeSet<u32>,
}

impl User {
    fn new(password: Option<&str>) -> Self {
        Self {
            password: password.map(str::to_owned),
            conn: None,
            rating: 1720.0,
            open: 0,
            trust: false,
            rated: false,
            client: false,
            request: true,
            vt100: true,
            verbose: true,
            dform: String::new(),
            notify: BTreeSet::new(),
            notify_all: false,
            watching: BTreeSet::new(),
        }
    }
}

#[derive(Clone, Debug)]
enum Stage {
    Name,
    Password(String),
    In(String),
}

#[derive(Clone, Debug)]
struct Connection {
    stage: Stage,
    pending: Vec<u8>,
}

pub struct Server {
    pub behaviour: Behaviour,
    pub now: Duration,
    pub rng: Rng,
    pub users: BTreeMap<String, User>,
    pub service: bool,
    pub requests: BTreeMap<u32, Pending>,
    pub matches: BTreeMap<u32, Match>,
    pub stored: BTreeMap<u32, Stored>,
    pub ledger: Ledger,
    /// The next so many legal moves of these users are refused as corrupt.
    pub refuse: BTreeMap<String, u32>,
    /// Every line that came in, by user.
    pub received: Vec<(String, String)>,
    connections: BTreeMap<Conn, Connection>,
    next_conn: Conn,
    request_ids: Pool,
    match_ids: Pool,
    counter: u32,
    next_noise: Duration,
    output: Vec<(Conn, Output)>,
}

impl Server {
    pub fn new(behaviour: Behaviour, seed: u64) -> Self {
        Self {
            behaviour,
            now: Duration::ZERO,
            rng: Rng(seed),
            users: BTreeMap::new(),
            service: true,
            requests: BTreeMap::new(),
            matches: BTreeMap::new(),
            stored: BTreeMap::new(),
            ledger: Ledger::default(),
            refuse: BTreeMap::new(),
            received: Vec::new(),
            connections: BTreeMap::new(),
            next_conn: 1,
            request_ids: Pool::new(),
            match_ids: Pool::new(),
            counter: 100,
            next_noise: Duration::ZERO,
            output: Vec::new(),
        }
    }

    /// Makes a user known, so that he has to show his password and can play rated matches.
    pub fn register(&mut self, name: &str, password: &str) {
        self.users.insert(name.to_owned(), User::new(Some(password)));
    }

    pub fn connect(&mut self) -> Conn {
        let conn = self.next_conn;
        self.next_conn += 1;
        self.connections.insert(
            conn,
            Connection {
                stage: Stage::Name,
                pending: Vec::new(),
            },
        );
        self.print(
            conn,
            "\r\n   A small server for tests.\r\nBe welcome, whoever you are: READY or not.\r\n\r\n",
        );
        self.ask_login(conn);
        conn
    }

    fn ask_login(&mut self, conn: Conn) {
        let text = format!("{}\r\n", Event::AskLogin);
        self.print(conn, &text);
    }

    /// The client is gone.
    pub fn disconnect(&mut self, conn: Conn) {
        if let Some(Connection {
            stage: Stage::In(name),
            ..
        }) = self.connections.remove(&conn)
        {
            self.gone(&name);
        }
    }

    /// Closes a connection from this side.
    pub fn close(&mut self, conn: Conn) {
        self.output.push((conn, Output::Close));
        self.disconnect(conn);
    }

    fn gone(&mut self, name: &str) {
        let user = self.user(name);
        user.conn = None;
        user.notify.clear();
        user.notify_all = false;
        user.watching.clear();
        if user.password.is_none() {
            self.users.insert(name.to_owned(), User::new(None));
        }
        self.drop_requests_of(name);
        self.player_gone(name);
        self.presence(name, false, Some(0));
    }

    pub fn user(&mut self, name: &str) -> &mut User {
        self.users
            .entry(name.to_owned())
            .or_insert_with(|| User::new(None))
    }

    pub fn is_online(&self, name: &str) -> bool {
        self.users.get(name).is_some_and(|user| user.conn.is_some())
    }

    pub fn take_output(&mut self) -> Vec<(Conn, Output)> {
        std::mem::take(&mut self.output)
    }

    fn print(&mut self, conn: Conn, text: &str) {
        self.output.push((conn, Output::Bytes(text.as_bytes().to_vec())));
    }

    fn prompt(&self) -> &'static str {
        if self.behaviour.alert {
            "ALERT\r\n"
        } else {
            "READY\r\n"
        }
    }

    /// The answer of the central server to a command.
    fn reply(&mut self, conn: Conn, text: &str) {
        let prompt = self.prompt();
        let text = if text.is_empty() {
            prompt.to_owned()
        } else {
            format!("{text}\r\n{prompt}")
        };
        self.print(conn, &text);
    }

    /// A message that nobody asked for: an interrupt, the text, a prompt.
    pub fn message(&mut self, name: &str, text: &str) {
        let Some(user) = self.users.get(name) else { return };
        let Some(conn) = user.conn else { return };
        let vt100 = user.vt100;
        let mut text = text.replace('\n', "\r\n");
        if self.behaviour.decorated {
            if text.starts_with("/os: ") && self.rng.one_in(4) {
                text = text.replacen("/os: ", "/os: \x07", 1);
            }
            if text.contains(" A ") && self.rng.one_in(2) {
                text = text.replace("\r\n|", "\r\r\n|");
            }
        }
        let interrupt = if vt100 && self.behaviour.decorated {
            "\x1b[2K\r"
        } else {
            "\r\n"
        };
        let end = if self.behaviour.decorated && self.rng.one_in(8) {
            "\n"
        } else {
            "\r\n"
        };
        let prompt = self.prompt();
        self.print(conn, &format!("{interrupt}{text}{end}{prompt}"));
    }

    /// Bytes of a client.
    pub fn receive(&mut self, conn: Conn, bytes: &[u8]) {
        for &byte in bytes {
            let Some(connection) = self.connections.get_mut(&conn) else {
                return;
            };
            match byte {
                b'\n' => {
                    let line = String::from_utf8_lossy(&std::mem::take(&mut connection.pending)).into_owned();
                    self.line(conn, line.trim_end_matches('\r'));
                }
                byte => connection.pending.push(byte),
            }
        }
    }

    fn line(&mut self, conn: Conn, line: &str) {
        let Some(connection) = self.connections.get(&conn) else {
            return;
        };
        match connection.stage.clone() {
            Stage::Name => {
                let fits = (2..=8).contains(&line.len())
                    && line.bytes().all(|b| b.is_ascii_graphic() && b != b',')
                    && !line.starts_with(['.', '_']);
                if fits {
                    self.stage(conn, Stage::Password(line.to_owned()));
                    self.print(conn, &format!("{}\r\n", Event::AskPassword));
                } else {
                    self.print(conn, ": ERR Login (2-8 chars) needed\r\n");
                    self.ask_login(conn);
                }
            }
            Stage::Password(name) => {
                let wrong = self
                    .users
                    .get(&name)
                    .is_some_and(|user| user.password.as_ref().is_some_and(|password| password != line));
                if wrong {
                    self.print(conn, ": ERR Password is incorrect.\r\n");
                    self.stage(conn, Stage::Name);
                    self.ask_login(conn);
                } else {
                    self.log_in(conn, name);
                }
            }
            Stage::In(name) => {
                self.received.push((name.clone(), line.to_owned()));
                self.command(conn, &name, line);
            }
        }
    }

    fn stage(&mut self, conn: Conn, stage: Stage) {
        if let Some(connection) = self.connections.get_mut(&conn) {
            connection.stage = stage;
        }
    }

    fn log_in(&mut self, conn: Conn, name: String) {
        // The older session of this name is closed without a word.
        if let Some(old) = self.users.get(&name).and_then(|user| user.conn) {
            self.close(old);
        }
        self.stage(conn, Stage::In(name.clone()));
        let user = self.user(&name);
        user.conn = Some(conn);
        user.vt100 = true;
        let verbose = user.verbose && self.behaviour.verbose;
        self.reply(conn, "");
        if verbose {
            self.reply(conn, ": news\r\n|Nothing happened.\r\n|READY to play, everybody?");
            self.reply(conn, ": help\r\n|Type something.");
        }
        self.presence(&name, true, Some(0));
        self.back_at_the_board(&name);
    }

    /// Tells those who want to know that somebody came or went.
    fn presence(&mut self, name: &str, here: bool, level: Option<u32>) {
        let event = Event::Central(outflank_protocol::ggs::Central::Presence {
            here,
            name: name.to_owned(),
            level,
        });
        for watcher in self.names(|user| user.notify.contains(name)) {
            self.message(&watcher, &event.to_string());
        }
    }

    /// Names of the users who are there and fit.
    pub fn names(&self, fits: impl Fn(&User) -> bool) -> Vec<String> {
        let here = self
            .users
            .iter()
            .filter(|(_, user)| user.conn.is_some() && fits(user));
        here.map(|(name, _)| name.clone()).collect()
    }

    fn command(&mut self, conn: Conn, name: &str, line: &str) {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        match (first, rest.as_slice()) {
            ("", _) => self.reply(conn, ""),
            ("vt100", ["-"]) => {
                self.user(name).vt100 = false;
                self.reply(conn, "");
            }
            ("bell" | "chann", _) => self.reply(conn, ""),
            ("verbose", _) => {
                self.user(name).verbose = false;
                self.reply(conn, "");
            }
            ("notify", ["+", who]) => {
                self.user(name).notify.insert((*who).to_owned());
                let here = (*who == "/os" && self.service) || self.is_online(who);
                // Here the line end is a bare line feed.
                let text = if here {
                    format!(": + {who}\n")
                } else {
                    String::new()
                };
                let prompt = self.prompt();
                self.print(conn, &format!("{text}{prompt}"));
            }
            ("quit", []) => self.close(conn),
            ("tell", ["/os", ..]) => {
                if self.service {
                    self.reply(conn, "");
                    let command = line.split_once("/os").map_or("", |(_, command)| command.trim());
                    self.os(name, command);
                } else {
                    self.reply(conn, ": ERR user '/os' not found.");
                }
            }
            ("tell", [to, words @ ..]) => {
                self.reply(conn, "");
                let text = words.join(" ").replace('\\', "\n|");
                for to in to.split(',') {
                    self.message(to, &format!("{name}: {text}"));
                }
            }
            _ => {
                self.fault(name, &format!("unknown: {line}"));
                self.reply(conn, &format!(": ERR command '{first}' not recognized."));
            }
        }
    }

    /// The service dies, and takes every match with it; rated ones are stored.
    pub fn service_dies(&mut self) {
        if !self.service {
            return;
        }
        self.service = false;
        for id in self.matches.keys().copied().collect::<Vec<_>>() {
            self.store_silently(id);
        }
        self.requests.clear();
        self.request_ids = Pool::new();
        self.match_ids = Pool::new();
        for user in self.users.values_mut() {
            if user.password.is_none() {
                *user = User {
                    conn: user.conn,
                    notify: user.notify.clone(),
                    vt100: user.vt100,
                    ..User::new(None)
                };
            }
            user.notify_all = false;
            user.watching.clear();
        }
        self.presence("/os", false, Some(1));
    }

    pub fn service_returns(&mut self) {
        if !self.service {
            self.service = true;
            self.presence("/os", true, Some(1));
        }
    }

    fn fault(&mut self, name: &str, what: &str) {
        self.ledger.faults.push((name.to_owned(), what.to_owned()));
    }

    /// The faults of one player.
    pub fn faults_of(&self, name: &str) -> Vec<&str> {
        let faults = self.ledger.faults.iter().filter(|(who, _)| who == name);
        faults.map(|(_, what)| what.as_str()).collect()
    }

    /// Lets time pass. Never goes back.
    pub fn advance(&mut self, now: Duration) {
        self.now = self.now.max(now);
        self.flag_silent_players();
        if self.behaviour.noise > 0 && self.now >= self.next_noise {
            let wait = 200 + self.rng.below(self.behaviour.noise * 2000);
            self.next_noise = self.now + Duration::from_millis(wait);
            self.make_noise();
        }
    }

    /// When [`Server::advance`] has something to do.
    pub fn deadline(&self) -> Option<Duration> {
        let games = self
            .matches
            .values()
            .flat_map(|found| found.games.iter().filter_map(|game| game.deadline()));
        let noise = (self.behaviour.noise > 0).then_some(self.next_noise);
        games.chain(noise).min()
    }
}
