//! Clients and puppets on the server, with a network between them and a clock that jumps from event to event.

use super::puppet::Puppet;
use super::rng::Rng;
use super::{Behaviour, Conn, Output, Server};
use outflank::rules::Move;
use outflank::session::ggs::{Action, Client, Config, Exit, Input, Mode, Secret, Token, Verdict};
use outflank_protocol::ggf;
use outflank_protocol::ggs::{Assembler, Event, MatchId};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(250);

/// A client with all that surrounds it.
pub struct Bot {
    pub client: Client,
    pub saved: Vec<ggf::Match>,
    /// Matches of which one game has ended.
    pub drafts: BTreeMap<MatchId, ggf::Match>,
    pub exit: Option<Exit>,
    /// Everything that it sent after its login.
    pub sent: Vec<String>,
    pub connects: u32,
    pub ponders: u32,
    pub thinks: u32,
    /// Moves take all of their budget, and sometimes a bit more.
    pub slow: bool,
    assembler: Assembler,
    conn: Option<Conn>,
    thinking: Vec<(Duration, Token, Verdict)>,
}

enum Mind {
    Bot(Box<Bot>),
    Puppet(Puppet, Option<Conn>),
}

/// Bytes on their way, or the end of a connection.
struct Packet {
    due: Duration,
    conn: Conn,
    to_server: bool,
    output: Output,
}

pub struct Sim {
    pub server: Server,
    pub now: Duration,
    pub rng: Rng,
    /// The longest delay of the network, in milliseconds.
    pub lag: u64,
    /// Bytes arrive in pieces of any size.
    pub fragments: bool,
    /// The server does not answer to connections.
    pub unreachable: bool,
    minds: Vec<Mind>,
    packets: VecDeque<Packet>,
    next_tick: Duration,
}

impl Sim {
    pub fn new(behaviour: Behaviour, seed: u64) -> Self {
        Self {
            server: Server::new(behaviour, seed),
            now: Duration::ZERO,
            rng: Rng(seed ^ 0x5eed),
            lag: 20,
            fragments: true,
            unreachable: false,
            minds: Vec::new(),
            packets: VecDeque::new(),
            next_tick: Duration::ZERO,
        }
    }

    /// Adds a registered client with this configuration beside `login`.
    pub fn bot(&mut self, name: &str, config: &str) -> usize {
        self.bot_in(name, config, Mode::Play)
    }

    pub fn bot_in(&mut self, name: &str, config: &str, mode: Mode) -> usize {
        let text = format!("server = 'nowhere:1'\nlogin = '{name}'\ngames = 'games.ggf'\n{config}");
        let config = Config::parse("test", &text).expect("a configuration");
        self.server.register(name, "pass word");
        let secret = Secret::new("pass word").expect("a password");
        self.minds.push(Mind::Bot(Box::new(Bot {
            client: Client::new(config, secret, mode, true),
            saved: Vec::new(),
            drafts: BTreeMap::new(),
            exit: None,
            sent: Vec::new(),
            connects: 0,
            ponders: 0,
            thinks: 0,
            slow: false,
            assembler: Assembler::default(),
            conn: None,
            thinking: Vec::new(),
        })));
        self.minds.len() - 1
    }

    /// Adds a puppet and connects it.
    pub fn puppet(&mut self, name: &str) -> usize {
        self.server.register(name, "x");
        let conn = self.server.connect();
        self.minds
            .push(Mind::Puppet(Puppet::new(name, "x", self.rng.next()), Some(conn)));
        self.minds.len() - 1
    }

    pub fn get(&self, bot: usize) -> &Bot {
        match &self.minds[bot] {
            Mind::Bot(bot) => bot,
            Mind::Puppet(..) => panic!("a puppet"),
        }
    }

    pub fn get_mut(&mut self, bot: usize) -> &mut Bot {
        match &mut self.minds[bot] {
            Mind::Bot(bot) => bot,
            Mind::Puppet(..) => panic!("a puppet"),
        }
    }

    pub fn doll(&mut self, puppet: usize) -> &mut Puppet {
        match &mut self.minds[puppet] {
            Mind::Puppet(puppet, _) => puppet,
            Mind::Bot(_) => panic!("a bot"),
        }
    }

    /// A puppet sends a line.
    pub fn say(&mut self, puppet: usize, line: &str) {
        if let Mind::Puppet(_, Some(conn)) = &self.minds[puppet] {
            let conn = *conn;
            self.transmit(conn, true, Output::Bytes(format!("{line}\n").into_bytes()));
        }
    }

    /// Something is told to a client from outside.
    pub fn input(&mut self, bot: usize, input: Input) {
        self.feed(bot, input);
        self.collect();
    }

    /// The connection of a client or puppet breaks; both sides learn of it.
    pub fn cut(&mut self, mind: usize) {
        let conn = match &mut self.minds[mind] {
            Mind::Bot(bot) => bot.conn.take(),
            Mind::Puppet(puppet, conn) => {
                puppet.reset();
                conn.take()
            }
        };
        let Some(conn) = conn else { return };
        self.packets.retain(|packet| packet.conn != conn);
        self.server.disconnect(conn);
        if let Mind::Bot(_) = &self.minds[mind] {
            let error = self.rng.one_in(2).then(|| "reset by peer".to_owned());
            self.feed(mind, Input::Lost { error });
        } else {
            let fresh = self.server.connect();
            if let Mind::Puppet(_, conn) = &mut self.minds[mind] {
                *conn = Some(fresh);
            }
        }
        self.collect();
    }

    fn transmit(&mut self, conn: Conn, to_server: bool, output: Output) {
        let delay = Duration::from_millis(1 + self.rng.below(self.lag.max(1)));
        // Nothing overtakes on a connection.
        let last = self
            .packets
            .iter()
            .rev()
            .find(|packet| packet.conn == conn && packet.to_server == to_server);
        let due = last.map_or(self.now + delay, |last| last.due.max(self.now + delay));
        self.packets.push_back(Packet {
            due,
            conn,
            to_server,
            output,
        });
    }

    /// Takes what the server says onto the wire.
    fn collect(&mut self) {
        for (conn, output) in self.server.take_output() {
            self.transmit(conn, false, output);
        }
    }

    fn owner(&self, conn: Conn) -> Option<usize> {
        self.minds.iter().position(|mind| match mind {
            Mind::Bot(bot) => bot.conn == Some(conn),
            Mind::Puppet(_, its) => *its == Some(conn),
        })
    }

    fn deliver(&mut self, packet: Packet) {
        if packet.to_server {
            match packet.output {
                Output::Bytes(bytes) => self.server.receive(packet.conn, &bytes),
                Output::Close => self.server.disconnect(packet.conn),
            }
            return;
        }
        let Some(mind) = self.owner(packet.conn) else {
            return;
        };
        match packet.output {
            Output::Bytes(bytes) => {
                let mut rest = bytes.as_slice();
                while !rest.is_empty() {
                    let cut = if self.fragments {
                        1 + self.rng.below(rest.len() as u64) as usize
                    } else {
                        rest.len()
                    };
                    let (piece, more) = rest.split_at(cut);
                    rest = more;
                    self.hear(mind, packet.conn, piece);
                }
            }
            Output::Close => match &mut self.minds[mind] {
                Mind::Bot(bot) => {
                    bot.conn = None;
                    self.feed(mind, Input::Lost { error: None });
                }
                Mind::Puppet(puppet, conn) => {
                    puppet.reset();
                    *conn = None;
                }
            },
        }
    }

    fn hear(&mut self, mind: usize, conn: Conn, bytes: &[u8]) {
        match &mut self.minds[mind] {
            Mind::Bot(bot) => {
                if bot.conn != Some(conn) {
                    return;
                }
                let mut events = Vec::new();
                bot.assembler
                    .push(bytes, |message| events.push(Event::parse(message)));
                for event in events {
                    self.feed(mind, Input::Event(Box::new(event)));
                }
            }
            Mind::Puppet(puppet, _) => {
                for line in puppet.read(bytes) {
                    self.transmit(conn, true, Output::Bytes(format!("{line}\n").into_bytes()));
                }
            }
        }
    }

    fn feed(&mut self, mind: usize, input: Input) {
        let now = self.now;
        let Mind::Bot(bot) = &mut self.minds[mind] else {
            return;
        };
        if bot.exit.is_some() {
            return;
        }
        let actions = bot.client.handle(now, input);
        for action in actions {
            self.carry_out(mind, action);
        }
    }

    fn carry_out(&mut self, mind: usize, action: Action) {
        let now = self.now;
        let unreachable = self.unreachable;
        let (spread, choice) = (self.rng.next(), self.rng.next());
        let Mind::Bot(bot) = &mut self.minds[mind] else {
            return;
        };
        match action {
            Action::Connect => {
                bot.connects += 1;
                if unreachable {
                    let error = Some("connection refused".to_owned());
                    return self.feed(mind, Input::Lost { error });
                }
                bot.assembler = Assembler::default();
                bot.conn = Some(self.server.connect());
                self.feed(mind, Input::Connected);
            }
            Action::Disconnect => {
                if let Some(conn) = bot.conn.take() {
                    self.packets
                        .retain(|packet| packet.conn != conn || packet.to_server);
                    self.transmit(conn, true, Output::Close);
                }
            }
            Action::Send(out) => {
                bot.sent.push(format!("{out:?}"));
                if let Some(conn) = bot.conn {
                    self.transmit(
                        conn,
                        true,
                        Output::Bytes(format!("{}\n", out.line()).into_bytes()),
                    );
                }
            }
            Action::Think {
                token,
                position,
                budget,
                ..
            } => {
                bot.thinks += 1;
                let moves: Vec<Move> = position.moves().iter().collect();
                let hard = budget.hard.as_millis() as u64;
                let spent = if bot.slow {
                    hard + spread % 5
                } else {
                    spread % (hard / 4 + 2)
                };
                let verdict = Verdict {
                    best: moves.get(choice as usize % moves.len().max(1)).copied(),
                    discs: f64::from((spread % 129) as i32 - 64),
                    exact: position.board.empties() < 10,
                };
                bot.thinking
                    .push((now + Duration::from_millis(spent), token, verdict));
            }
            Action::Ponder { .. } => bot.ponders += 1,
            Action::Rest { .. } => {}
            Action::Save(found) => bot.saved.push(found),
            Action::Draft(id, found) => match found {
                Some(found) => {
                    bot.drafts.insert(id, found);
                }
                None => {
                    bot.drafts.remove(&id);
                }
            },
            Action::Exit(exit) => {
                bot.exit = Some(exit);
                bot.conn = None;
            }
        }
    }

    /// Goes on to the next thing that happens.
    pub fn step(&mut self) {
        self.collect();
        let thinking = self.minds.iter().filter_map(|mind| match mind {
            Mind::Bot(bot) => bot.thinking.iter().map(|&(due, ..)| due).min(),
            Mind::Puppet(..) => None,
        });
        let packets = self.packets.iter().map(|packet| packet.due);
        let next = thinking
            .chain(packets)
            .chain(self.server.deadline())
            .chain([self.next_tick])
            .min()
            .unwrap_or(self.next_tick);
        self.now = self.now.max(next);
        self.server.advance(self.now);
        if self.now >= self.next_tick {
            self.next_tick = self.now + TICK;
            for mind in 0..self.minds.len() {
                self.feed(mind, Input::Tick);
            }
        }
        for mind in 0..self.minds.len() {
            if let Mind::Bot(bot) = &mut self.minds[mind]
                && let Some(done) = bot.thinking.iter().position(|&(due, ..)| due <= self.now)
            {
                let (_, token, verdict) = bot.thinking.swap_remove(done);
                self.feed(mind, Input::Thought(token, verdict));
            }
        }
        let now = self.now;
        let mut due = Vec::new();
        let mut later = VecDeque::new();
        for packet in std::mem::take(&mut self.packets) {
            if packet.due <= now {
                due.push(packet);
            } else {
                later.push_back(packet);
            }
        }
        self.packets = later;
        for packet in due {
            self.deliver(packet);
        }
        self.collect();
    }

    /// Runs until something is true.
    ///
    /// # Panics
    /// If it does not come true within a time.
    pub fn until(&mut self, what: &str, within: Duration, fits: impl Fn(&Self) -> bool) {
        let end = self.now + within;
        while !fits(self) {
            assert!(
                self.now < end,
                "not within {within:?}: {what}; {:?}",
                self.server.ledger
            );
            self.step();
        }
    }

    /// Runs for a time.
    pub fn run_for(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.step();
        }
    }
}
