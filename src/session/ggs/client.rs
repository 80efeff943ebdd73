//! The state machine: connection, login, settings, and where every message goes.

use super::accept::Accept;
use super::action::{Action, Exit, Input, Moment, Out, Token};
use super::config::Config;
use super::offers::Requests;
use super::playing::Match;
use super::secret::Secret;
use outflank_protocol::ggs::{Central, Command, Event, MatchId, Os, OsCommand, Switch};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The name of the Othello service.
const SERVICE: &str = "/os";

/// Sent after each login: no escape sequences, no bells, no help texts, no channels, but a notice when the service goes.
const BELLS: &str = "-t -tc -tg -n -nc -ng -ni -nn";
const VERBOSE: &str = "-news -faq -help -ack";
const SERVICE_BELLS: &str = "-r -p -w -n -ns -nn -nt -ni -nr -nw -ta -to -tp";

/// A session that lasted this long was no failure.
const LONG_SESSION: Duration = Duration::from_secs(1200);
/// A session that broke after this long was no failure; one that was closed without a word may have lost its place to
/// another login with our name, and fighting for it would hurt both.
const FAIR_SESSION: Duration = Duration::from_secs(60);
/// Waiting time before the second try to connect; it doubles from try to try.
const FIRST_RETRY: Duration = Duration::from_secs(2);
/// The longest waiting time before a try to connect.
const LAST_RETRY: Duration = Duration::from_secs(600);
/// How long after a service that was not there is looked for again, if it does not announce itself.
const SERVICE_RETRY: Duration = Duration::from_secs(300);

/// Whether to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Play.
    Play,
    /// Watch the matches of others and keep their records; never play.
    Observe,
}

/// Where we are on the way to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not connected.
    Offline { retry: Moment },
    /// Waiting for the connection.
    Connecting { since: Moment },
    /// In the login dialogue.
    LoggingIn { since: Moment, step: Step },
    /// Logged in.
    Online { since: Moment },
}

/// A step of the login dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing was sent.
    Banner,
    /// The name was sent.
    Name,
    /// The password was sent.
    Password,
}

/// Whether the Othello service is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Service {
    Up,
    Down { retry: Moment },
}

/// The state machine.
#[derive(Debug)]
pub struct Client {
    pub(super) config: Config,
    pub(super) mode: Mode,
    /// Think on the opponent's time.
    pub(super) ponder: bool,
    pub(super) phase: Phase,
    pub(super) service: Service,
    pub(super) matches: BTreeMap<MatchId, Match>,
    /// Matches that ended a moment ago: late messages do not bring them back.
    pub(super) ended: VecDeque<(MatchId, Moment)>,
    pub(super) requests: Requests,
    /// There may be stored matches to go on with.
    pub(super) stored: bool,
    pub(super) next_continue: Moment,
    /// The compact form of boards is not turned off again before.
    pub(super) next_compact: Moment,
    pub(super) sent: Moment,
    pub(super) heard: Moment,
    /// The program is to end after the matches in progress.
    pub(super) leaving: bool,
    pub(super) secret: Secret,
    /// A login has succeeded.
    was_in: bool,
    failures: u32,
    tokens: u64,
    actions: Vec<Action>,
}

impl Client {
    /// A client that has not connected yet; its first tick makes it.
    pub fn new(config: Config, secret: Secret, mode: Mode, ponder: bool) -> Self {
        let requests = Requests::new(config.offers.len());
        Self {
            config,
            mode,
            ponder,
            phase: Phase::Offline { retry: Moment::ZERO },
            service: Service::Up,
            matches: BTreeMap::new(),
            ended: VecDeque::new(),
            requests,
            stored: false,
            next_continue: Moment::ZERO,
            next_compact: Moment::ZERO,
            sent: Moment::ZERO,
            heard: Moment::ZERO,
            leaving: false,
            secret,
            was_in: false,
            failures: 0,
            tokens: 0,
            actions: Vec::new(),
        }
    }

    /// Takes what happens at a time and says what is to be done. Times never go back.
    pub fn handle(&mut self, now: Moment, input: Input) -> Vec<Action> {
        match input {
            Input::Tick => self.tick(now),
            Input::Connected => self.connected(now),
            Input::Lost { error } => self.lost(now, error.as_deref()),
            Input::Event(event) => self.event(now, *event),
            Input::Thought(token, verdict) => self.thought(now, token, verdict),
            Input::Leave if !self.leaving => self.leave(now),
            Input::Leave | Input::LeaveNow => self.leave_now(now),
        }
        std::mem::take(&mut self.actions)
    }

    /// Matches in progress in which we play.
    pub fn playing(&self) -> usize {
        self.matches.values().filter(|found| found.ours).count()
    }

    /// True between login and the loss of the connection.
    pub fn is_online(&self) -> bool {
        matches!(self.phase, Phase::Online { .. })
    }

    /// Everything that is remembered and could grow, but for moves: matches, requests, notes. For tests of weeks.
    pub fn remembered(&self) -> usize {
        self.matches.len() + self.ended.len() + self.requests.len() + self.actions.len()
    }

    /// Moves of the matches in progress. For tests of servers that never stop.
    pub fn moves_remembered(&self) -> usize {
        let tables = self.matches.values().flat_map(|found| &found.tables);
        tables.map(|table| table.moves.len()).sum()
    }

    pub(super) fn act(&mut self, action: Action) {
        self.actions.push(action);
    }

    pub(super) fn token(&mut self) -> Token {
        self.tokens += 1;
        Token(self.tokens)
    }

    fn say(&mut self, now: Moment, out: Out) {
        self.sent = now;
        self.act(Action::Send(out));
    }

    pub(super) fn command(&mut self, now: Moment, command: Command) {
        self.say(now, Out::Command(command));
    }

    /// Sends a command to the service. This is the one way there: in observing nothing passes that could make us play.
    pub(super) fn os(&mut self, now: Moment, command: OsCommand) {
        let plays = match command {
            OsCommand::Open(matches) => matches > 0,
            // Clearing what an earlier session left behind is no play.
            OsCommand::AcceptFormula(ref formula) => !formula.is_empty(),
            OsCommand::Ask(_)
            | OsCommand::AskStored(_)
            | OsCommand::Continue
            | OsCommand::Accept(_)
            | OsCommand::Play { .. }
            | OsCommand::Resign(_)
            | OsCommand::Abort(_)
            | OsCommand::Break(_)
            | OsCommand::Undo(_)
            | OsCommand::Score(..) => true,
            _ => false,
        };
        if plays && self.mode == Mode::Observe {
            log::debug!("not sent in observing: {command}");
            return;
        }
        self.command(now, Command::Os(command));
    }

    fn connected(&mut self, now: Moment) {
        if let Phase::Connecting { .. } = self.phase {
            log::info!("connected to {}", self.config.server);
            self.heard = now;
            self.sent = now;
            self.phase = Phase::LoggingIn {
                since: now,
                step: Step::Banner,
            };
        }
    }

    /// The connection is gone; `error` is `None` if the server closed it.
    pub(super) fn lost(&mut self, now: Moment, error: Option<&str>) {
        let lasted = match self.phase {
            Phase::Offline { .. } => return,
            Phase::Online { since } => now.saturating_sub(since),
            _ => Duration::ZERO,
        };
        let why = error.unwrap_or("closed by the server (perhaps somebody else logged in with our name)");
        if self.leaving {
            log::info!("disconnected: {why}");
        } else {
            log::warn!("connection lost: {why}");
        }
        self.forget_matches(now);
        let fair = if error.is_some() {
            FAIR_SESSION
        } else {
            LONG_SESSION
        };
        if lasted >= fair {
            self.failures = 0;
        }
        let wait = (FIRST_RETRY * 2u32.saturating_pow(self.failures.min(10))).min(LAST_RETRY);
        self.failures += 1;
        self.phase = Phase::Offline { retry: now + wait };
        if self.leaving {
            self.act(Action::Exit(Exit::Done));
        } else {
            log::info!("next try in {} s", wait.as_secs());
        }
    }

    /// Gives the connection up.
    pub(super) fn hang_up(&mut self, now: Moment, why: &str) {
        self.act(Action::Disconnect);
        self.lost(now, Some(why));
    }

    fn event(&mut self, now: Moment, event: Event) {
        self.heard = now;
        match self.phase {
            Phase::LoggingIn { since, step } => self.login(now, since, step, event),
            Phase::Online { .. } => self.online(now, event),
            Phase::Offline { .. } | Phase::Connecting { .. } => {}
        }
    }

    fn login(&mut self, now: Moment, since: Moment, step: Step, event: Event) {
        let next = match (event, step) {
            (Event::AskLogin, Step::Banner) => {
                self.say(now, Out::Login(self.config.login.clone()));
                Step::Name
            }
            (Event::AskPassword, Step::Name) => {
                self.say(now, Out::Password(self.secret.clone()));
                Step::Password
            }
            (Event::Prompt { .. }, Step::Password) => return self.logged_in(now),
            (Event::Central(Central::Refused(text)), Step::Name | Step::Password) => {
                return self.login_refused(now, &format!(": {text}"));
            }
            (Event::AskLogin, _) => return self.login_refused(now, ""),
            (event, step) => {
                log::debug!("before login: {event}");
                step
            }
        };
        self.phase = Phase::LoggingIn { since, step: next };
    }

    /// Whatever was wrong will still be wrong next time, and guessing is not wanted there. But a login that was right before
    /// is right: then the trouble is on the other side, and will pass.
    fn login_refused(&mut self, now: Moment, why: &str) {
        let why = format!("login as {} refused{why}", self.config.login);
        if self.was_in {
            self.hang_up(now, &why);
        } else {
            self.act(Action::Disconnect);
            self.act(Action::Exit(Exit::Failed(why)));
        }
    }

    fn logged_in(&mut self, now: Moment) {
        log::info!("logged in as {}", self.config.login);
        self.was_in = true;
        self.phase = Phase::Online { since: now };
        for command in [
            Command::NoVt100,
            Command::Bell(BELLS.to_owned()),
            Command::Verbose(VERBOSE.to_owned()),
            Command::LeaveChannels,
            Command::Notify(SERVICE.to_owned()),
        ] {
            self.command(now, command);
        }
        self.service_up(now);
    }

    /// Settings of the service. It keeps them for registered users only, and not all of them.
    pub(super) fn service_up(&mut self, now: Moment) {
        self.service = Service::Up;
        self.requests.clear();
        let playing = self.mode == Mode::Play && !self.leaving;
        let on_request = playing && self.config.accept.global;
        if !playing {
            // First of all: the service may remember a session that played.
            self.os(now, OsCommand::Open(0));
        }
        for command in [
            OsCommand::Switch(Switch::Vt100, false),
            OsCommand::Bell(SERVICE_BELLS.to_owned()),
            OsCommand::Switch(Switch::Client, false),
            OsCommand::Switch(Switch::Trust, true),
            OsCommand::Switch(Switch::Rated, self.config.play.rated),
            OsCommand::Switch(Switch::Request, on_request),
            OsCommand::AcceptFormula(String::new()),
            OsCommand::DeclineFormula(Accept::DECLINE_FORMULA.to_owned()),
        ] {
            self.os(now, command);
        }
        if self.mode == Mode::Observe {
            self.os(now, OsCommand::Notify(true, "*".to_owned()));
        } else if playing {
            self.os(now, OsCommand::Open(self.config.play.matches));
            self.os(now, OsCommand::Stored);
            self.os(now, OsCommand::Continue);
            self.next_continue = now + super::upkeep::CONTINUE_EVERY;
        }
    }

    /// The service died, and every match with it.
    fn service_down(&mut self, now: Moment) {
        if self.service == Service::Up {
            log::warn!("the Othello service is not there");
            self.forget_matches(now);
            self.requests.clear();
        }
        self.service = Service::Down {
            retry: now + SERVICE_RETRY,
        };
    }

    fn online(&mut self, now: Moment, event: Event) {
        match event {
            Event::Prompt { alert } => {
                if alert {
                    log::debug!("the server is short of resources");
                }
            }
            Event::AskLogin | Event::AskPassword => self.hang_up(now, "the server asks for a login again"),
            Event::Central(Central::Presence { here, name, level }) if name == SERVICE => {
                if !here {
                    self.service_down(now);
                } else if level.is_some() || self.service != Service::Up {
                    // The reply to our own `notify` has no level.
                    log::info!("the Othello service is there");
                    self.service_up(now);
                }
            }
            Event::Central(Central::Refused(text)) if text.contains(SERVICE) => self.service_down(now),
            Event::Central(Central::Refused(text)) => log::warn!("refused: {text}"),
            Event::Os(os) => self.service_event(now, os),
            // Chat is for the log. It is never answered, and never taken for anything else.
            event => log::info!(target: "chat", "{event}"),
        }
    }

    fn service_event(&mut self, now: Moment, os: Os) {
        match os {
            Os::Join(join) => self.joined(now, &join),
            Os::Update(update) => self.updated(now, &update),
            Os::CompactJoin { game, .. } | Os::CompactUpdate { game, .. } => self.compact(now, game),
            Os::Requested(request) => self.requested(now, request),
            Os::Withdrawn(request) => self.requests.withdrawn(&request),
            Os::MatchStart(line) => self.match_started(now, line),
            Os::MatchEnd { line, result, stored } => self.match_ended(now, &line, &result, stored),
            Os::GameEnd(end) => self.game_ended(now, end),
            Os::TimeOut(time_out) => self.timed_out(&time_out),
            Os::Proposal { what, game, name } => self.proposed(now, what, game, &name),
            Os::PlayRefused(refusal) => self.refused(now, &refusal),
            Os::NoSuchMatch(game) => self.no_such_match(now, game),
            Os::NoSuchRequest(id) => self.requests.gone(id),
            Os::StoredList { matches, .. } => {
                self.stored = !matches.is_empty();
                log::info!("stored matches: {}", matches.len());
            }
            Os::OtherBoard { .. } => {}
            Os::Text(text) if text.starts_with("join ") || text.starts_with("update ") => {
                self.unread(now, &text);
            }
            // What comes back after one of our own commands, and what is nothing to us.
            Os::Refused(_)
            | Os::CommandRefused { .. }
            | Os::TrustViolation(_)
            | Os::RatingUpdate { .. }
            | Os::Chat(_)
            | Os::Watch { .. }
            | Os::Text(_) => log::info!(target: "os", "{os}"),
        }
    }

    fn leave(&mut self, now: Moment) {
        self.leaving = true;
        match self.phase {
            Phase::Online { .. } => {
                log::info!("leaving after {} match(es)", self.playing());
                self.os(now, OsCommand::Open(0));
                self.leave_if_idle(now);
            }
            Phase::Connecting { .. } | Phase::LoggingIn { .. } => self.hang_up(now, "leaving"),
            Phase::Offline { .. } => self.act(Action::Exit(Exit::Done)),
        }
    }

    pub(super) fn leave_if_idle(&mut self, now: Moment) {
        if self.leaving && self.is_online() && self.playing() == 0 {
            self.leave_now(now);
        }
    }

    fn leave_now(&mut self, now: Moment) {
        self.leaving = true;
        if self.is_online() {
            self.command(now, Command::Quit);
        }
        match self.phase {
            Phase::Offline { .. } => self.act(Action::Exit(Exit::Done)),
            _ => self.hang_up(now, "leaving"),
        }
    }
}
