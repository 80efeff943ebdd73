//! The Othello service: its commands, requests and settings.

use super::Server;
use outflank_protocol::clock::ClockSetting;
use outflank_protocol::ggs::{
    Event, GameId, MatchId, Offer, Os, OsCommand, PlayRefusal, Player, Proposal, Request, RequestId,
    RequestKind, StoredId, StoredMatch, Switch,
};
use outflank_protocol::match_type::{MatchType, MatchTypeFault};

/// A pending request.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    pub asker: String,
    pub asked: Option<String>,
    pub match_type: MatchType,
    pub clocks: [ClockSetting; 2],
    pub kind: RequestKind,
    pub stored: Option<u32>,
}

impl Server {
    /// A message of the service to one user.
    pub fn say(&mut self, name: &str, os: &Os) {
        self.message(name, &Event::Os(os.clone()).to_string());
    }

    pub fn text(&mut self, name: &str, text: &str) {
        self.message(name, &format!("/os: {text}"));
    }

    fn err(&mut self, name: &str, text: &str) {
        self.fault(name, text);
        self.say(name, &Os::Refused(text.to_owned()));
    }

    pub fn error(&mut self, name: &str, game: GameId, text: &str) {
        self.fault(name, text);
        self.say(
            name,
            &Os::PlayRefused(PlayRefusal {
                game,
                text: text.to_owned(),
            }),
        );
    }

    pub fn os(&mut self, name: &str, line: &str) {
        let Ok(command) = line.parse::<OsCommand>() else {
            self.fault(name, &format!("unknown: {line}"));
            let first = line.split_whitespace().next().unwrap_or_default().to_owned();
            return match first.as_str() {
                "play" => self.text(
                    name,
                    "error . illegal move string; <move>[/[eval][/time]] expected",
                ),
                "ask" => self.text(name, "illegal board type"),
                first => self.err(name, &format!("command '{first}' not recognized.")),
            };
        };
        match command {
            OsCommand::Open(matches) => {
                self.user(name).open = matches;
                if matches as usize <= self.playing(name) {
                    self.drop_requests_of(name);
                }
            }
            OsCommand::Switch(switch, on) => {
                let registered = self.user(name).password.is_some();
                let user = self.user(name);
                match switch {
                    Switch::Trust => user.trust = on,
                    Switch::Client => user.client = on,
                    Switch::Request => user.request = on,
                    Switch::Vt100 => {}
                    Switch::Rated if on && !registered => self.err(name, "you are not registered."),
                    Switch::Rated => user.rated = on,
                }
            }
            OsCommand::Bell(_) | OsCommand::AcceptFormula(_) => {}
            OsCommand::DeclineFormula(formula) => self.user(name).dform = formula,
            OsCommand::Ask(offer) => self.ask(name, &offer),
            OsCommand::AskStored(id) => self.ask_stored(name, id.0, true),
            OsCommand::Continue => {
                let mine = self
                    .stored
                    .iter()
                    .filter(|(_, stored)| stored.names.iter().any(|n| n == name));
                for id in mine.map(|(&id, _)| id).collect::<Vec<_>>() {
                    self.ask_stored(name, id, false);
                }
            }
            OsCommand::Accept(id) => self.accept(name, id),
            OsCommand::Decline(id) => {
                let mine = self
                    .requests
                    .get(&id.0)
                    .is_some_and(|found| found.asked.as_deref() == Some(name));
                self.drop_or_refuse(name, "decline", id, mine);
            }
            OsCommand::Cancel(id) => {
                let mine = self.requests.get(&id.0).is_some_and(|found| found.asker == name);
                self.drop_or_refuse(name, "cancel", id, mine);
            }
            OsCommand::Play { game, played } => self.play(name, line, game, played),
            OsCommand::Resign(game) => self.resign(name, game),
            OsCommand::Abort(game) => self.abort(name, game),
            OsCommand::Break(game) => self.break_off(name, game),
            OsCommand::Undo(game) => self.undo(name, game),
            OsCommand::Score(game, value) => self.score(name, game, value),
            OsCommand::Moves(game) => self.moves(name, game),
            OsCommand::Watch(on, id) => self.watch(name, on, id),
            OsCommand::Notify(on, _) => self.user(name).notify_all = on,
            OsCommand::Stored => {
                let mine = self
                    .stored
                    .iter()
                    .filter(|(_, stored)| stored.names.iter().any(|n| n == name));
                let matches: Vec<_> = mine
                    .map(|(&id, stored)| StoredMatch {
                        id: StoredId(id),
                        date: "29 Nov 2026 20:12:51".to_owned(),
                        players: stored.names.clone(),
                        match_type: stored.match_type,
                        why: "l".to_owned(),
                    })
                    .collect();
                let header = format!("{} {name}", matches.len());
                self.say(name, &Os::StoredList { header, matches });
            }
            OsCommand::Tell(audience, id, text) => self.tell_match(name, audience, id, &text),
            OsCommand::Match(_) | OsCommand::History | OsCommand::Look(_) | OsCommand::Finger(_) => {
                self.text(name, "nothing to see here");
            }
        }
    }

    fn request_line(&mut self, id: u32, pending: &Pending) -> Request {
        let mut player = |name: &String| Player {
            name: name.clone(),
            rating: self.user(name).rating,
        };
        let [clock, other] = pending.clocks;
        Request {
            id: RequestId(id),
            asker: player(&pending.asker),
            clock,
            match_type: pending.match_type,
            kind: pending.kind,
            asked: pending.asked.as_ref().map(player),
            asked_clock: (other != clock).then_some(other),
            stored: pending.stored.map(StoredId),
        }
    }

    /// Everybody who sees the lines of a request.
    fn witnesses(&self, pending: &Pending) -> Vec<String> {
        match &pending.asked {
            Some(asked) => {
                let mut both = vec![pending.asker.clone(), asked.clone()];
                both.dedup();
                both
            }
            None => {
                let mut all = self.names(|user| user.request);
                if !all.contains(&pending.asker) {
                    all.push(pending.asker.clone());
                }
                all
            }
        }
    }

    fn post(&mut self, pending: Pending) {
        let id = self.request_ids.take();
        let line = self.request_line(id, &pending);
        for name in self.witnesses(&pending) {
            self.say(&name, &Os::Requested(line.clone()));
        }
        self.requests.insert(id, pending);
    }

    pub fn withdraw(&mut self, id: u32) {
        if let Some(pending) = self.requests.remove(&id) {
            let line = self.request_line(id, &pending);
            for name in self.witnesses(&pending) {
                self.say(&name, &Os::Withdrawn(line.clone()));
            }
            self.request_ids.give(id);
        }
    }

    pub fn drop_requests_of(&mut self, name: &str) {
        let theirs = |found: &Pending| found.asker == name || found.asked.as_deref() == Some(name);
        let ids: Vec<u32> = self
            .requests
            .iter()
            .filter(|(_, found)| theirs(found))
            .map(|(&id, _)| id)
            .collect();
        for id in ids {
            self.withdraw(id);
        }
    }

    fn drop_or_refuse(&mut self, name: &str, command: &str, id: RequestId, mine: bool) {
        if mine {
            self.withdraw(id.0);
        } else {
            self.text(name, &format!("{command} ERR not found: {id}"));
        }
    }

    pub fn room(&self, name: &str) -> bool {
        let open = self.users.get(name).map_or(0, |user| user.open);
        self.playing(name) < open as usize
    }

    fn ask(&mut self, name: &str, offer: &Offer) {
        let match_type = offer.match_type;
        match match_type.check() {
            Ok(()) => {}
            Err(MatchTypeFault::SynchroKomi) => return self.text(name, "synchro+komi not supported"),
            Err(MatchTypeFault::PlainRandom) => {
                return self.text(name, "random games must be komi or synchro");
            }
            Err(MatchTypeFault::RandomDiscs) => return self.text(name, "missing or illegal rand-type"),
            Err(MatchTypeFault::ColorWish) => return self.text(name, "no preferred color in rand games"),
        }
        if !self.room(name) {
            return self.err(name, "Your open value is too low for new matches.");
        }
        let rated = self.user(name).rated;
        if let Some(opponent) = &offer.opponent {
            if !self.is_online(opponent) {
                return self.err(name, &format!("user '{opponent}' not found."));
            }
            if !self.room(opponent) {
                return self.err(name, "Player is not accepting new matches.");
            }
            if rated && !self.user(opponent).rated {
                return self.err(name, "rated variable mismatch.");
            }
            let dform = &self.user(opponent).dform;
            let board = match_type.board != outflank_protocol::match_type::BoardSize::Eight;
            if (dform.contains("anti") && match_type.anti) || (dform.contains("size != 8") && board) {
                return self.err(name, "your request doesn't fit the opponent's formula.");
            }
        }
        let clock = offer.clock.unwrap_or_default().or(ClockSetting::SERVER_DEFAULT);
        let other = offer
            .opponent_clock
            .map_or(clock, |clock| clock.or(ClockSetting::SERVER_DEFAULT));
        let pending = Pending {
            asker: name.to_owned(),
            asked: offer.opponent.clone(),
            match_type,
            clocks: [clock, other],
            kind: match (rated, self.behaviour.tournament) {
                (false, _) => RequestKind::Unrated,
                (true, false) => RequestKind::Rated,
                (true, true) => RequestKind::Tournament,
            },
            stored: None,
        };
        if self.requests.values().any(|found| *found == pending) {
            return self.err(name, "match with same parameters is already pending.");
        }
        let mirrored = self.requests.iter().find(|(_, found)| {
            found.asked.as_deref() == Some(name)
                && Some(&found.asker) == offer.opponent.as_ref()
                && found.match_type == match_type.mirrored()
                && found.kind == pending.kind
                && found.clocks == [other, clock]
        });
        match mirrored.map(|(&id, _)| id) {
            Some(id) => self.begin(id, name),
            None => self.post(pending),
        }
    }

    fn ask_stored(&mut self, name: &str, id: u32, loud: bool) {
        let Some(stored) = self
            .stored
            .get(&id)
            .filter(|stored| stored.names.iter().any(|n| n == name))
            .cloned()
        else {
            return self.err(name, &format!("match '.{id}' not found."));
        };
        let [first, second] = &stored.names;
        let other = if first == name {
            second.clone()
        } else {
            first.clone()
        };
        if !self.is_online(&other) || !self.room(name) || !self.room(&other) {
            if loud {
                self.err(name, &format!("user '{other}' not found."));
            }
            return;
        }
        let theirs = self.requests.iter().find(|(_, found)| found.stored == Some(id));
        match theirs.map(|(&request, found)| (request, found.asker == name)) {
            Some((_, true)) => {}
            Some((request, false)) => self.begin(request, name),
            None => self.post(Pending {
                asker: name.to_owned(),
                asked: Some(other),
                match_type: stored.match_type,
                clocks: stored.settings,
                kind: RequestKind::Stored,
                stored: Some(id),
            }),
        }
    }

    fn accept(&mut self, name: &str, id: RequestId) {
        let Some(pending) = self.requests.get(&id.0).cloned() else {
            self.fault(name, "no such request");
            return self.say(name, &Os::NoSuchRequest(id));
        };
        if pending.asker == name {
            return self.err(name, "this is your own request.");
        }
        if pending.asked.as_deref().is_some_and(|asked| asked != name) {
            return self.say(name, &Os::NoSuchRequest(id));
        }
        if !self.room(name) {
            return self.err(name, "Your open value is too low for new matches.");
        }
        self.begin(id.0, name);
    }

    /// A player proposes something to the other and to himself.
    pub fn propose(&mut self, what: Proposal, game: GameId, name: &str, to: &[String]) {
        for witness in to {
            let name = name.to_owned();
            self.say(witness, &Os::Proposal { what, game, name });
        }
    }

    fn watch(&mut self, name: &str, on: bool, id: MatchId) {
        let Some(found) = self.matches.get(&id.0) else {
            return self.text(name, &format!("watch ERR not found: {id}"));
        };
        let games = found.games.len();
        if !on {
            self.user(name).watching.remove(&id.0);
            return;
        }
        self.user(name).watching.insert(id.0);
        for game in 0..games {
            self.send_join(name, id.0, game);
        }
    }
}
