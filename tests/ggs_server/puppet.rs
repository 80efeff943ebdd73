//! A simple player for tests: it takes what is offered and plays quickly, at random.

use super::rng::Rng;
use outflank::rules::{Color, Move, Rules};
use outflank::session::words;
use outflank_protocol::ggs::{
    Assembler, Command, Event, GameId, Offer, Os, OsCommand, PlayedMove, RequestKind, RunningClock, Snapshot,
    Switch,
};

#[derive(Debug)]
pub struct Puppet {
    pub name: String,
    password: String,
    rng: Rng,
    assembler: Assembler,
    /// Everything that it was told.
    pub events: Vec<Event>,
    /// Bids of a komi game are this.
    pub bid: f64,
    /// Accepts what it is asked.
    pub accepts: bool,
    /// Asks for rated matches.
    pub rated: bool,
    /// Does not move.
    pub asleep: bool,
    ready: bool,
    log_in: bool,
}

impl Puppet {
    pub fn new(name: &str, password: &str, seed: u64) -> Self {
        Self {
            name: name.to_owned(),
            password: password.to_owned(),
            rng: Rng(seed),
            assembler: Assembler::default(),
            events: Vec::new(),
            bid: 0.0,
            accepts: true,
            rated: false,
            asleep: false,
            ready: false,
            log_in: false,
        }
    }

    /// The connection is new.
    pub fn reset(&mut self) {
        self.assembler = Assembler::default();
        self.ready = false;
        self.log_in = false;
    }

    /// Reads and answers with lines to send.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        self.assembler
            .push(bytes, |message| events.push(Event::parse(message)));
        let mut lines = Vec::new();
        for event in events {
            self.answer(&event, &mut lines);
            self.events.push(event);
        }
        lines
    }

    fn answer(&mut self, event: &Event, lines: &mut Vec<String>) {
        let os = |command: OsCommand| Command::Os(command).to_string();
        match event {
            Event::AskLogin => lines.push(self.name.clone()),
            Event::AskPassword => {
                lines.push(self.password.clone());
                self.log_in = true;
            }
            Event::Prompt { .. } if self.log_in && !self.ready => {
                self.ready = true;
                lines.push(os(OsCommand::Switch(Switch::Trust, true)));
                lines.push(os(OsCommand::Switch(Switch::Rated, self.rated)));
                lines.push(os(OsCommand::Open(5)));
            }
            Event::Os(Os::Requested(request)) if self.accepts && request.asker.name != self.name => {
                let to_me = request.asked.as_ref().is_none_or(|asked| asked.name == self.name);
                if to_me || request.kind == RequestKind::Stored {
                    lines.push(os(OsCommand::Accept(request.id)));
                }
            }
            Event::Os(Os::Join(join)) => {
                let first = join.match_type.komi && join.moves.is_empty();
                self.play(join.game, &join.state, first, lines);
            }
            Event::Os(Os::Update(update)) => self.play(update.game, &update.state, false, lines),
            _ => {}
        }
    }

    fn play(&mut self, game: GameId, state: &Snapshot<RunningClock>, bidding: bool, lines: &mut Vec<String>) {
        let Some(seat) = state.seats.iter().find(|seat| seat.name == self.name) else {
            return;
        };
        let position = words::position(Rules::Othello, &state.board);
        let mine = seat.color.map(Color::from) == Some(position.mover) || (bidding && seat.color.is_none());
        if self.asleep || !mine || position.is_over() {
            return;
        }
        let moves: Vec<Move> = position.moves().iter().collect();
        let mv = self.rng.pick(&moves);
        let played = PlayedMove {
            mv: mv.into(),
            eval: bidding.then_some(self.bid),
            seconds: Some(0.05),
        };
        let play = OsCommand::Play {
            game: Some(game),
            played,
        };
        lines.push(Command::Os(play).to_string());
    }

    /// It is logged in: what it sends is a command, and not taken for a name or a password.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// The line that asks for a match.
    pub fn ask(match_type: &str, clock: &str, opponent: &str) -> String {
        let offer = Offer {
            match_type: match_type.parse().expect("a type"),
            clock: Some(clock.parse().expect("a clock")),
            opponent_clock: None,
            opponent: Some(opponent.to_owned()),
        };
        Command::Os(OsCommand::Ask(offer)).to_string()
    }

    /// What it was told by the service.
    pub fn told(&self) -> impl Iterator<Item = &Os> {
        self.events.iter().filter_map(|event| match event {
            Event::Os(os) => Some(os),
            _ => None,
        })
    }
}
