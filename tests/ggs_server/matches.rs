//! Matches: from the start, move by move, to the end, the shelf of stored ones, or a fault.

use super::Server;
use super::game::Game;
use outflank::rules::Position;
use outflank_protocol::clock::ClockSetting;
use outflank_protocol::ggs::{
    Audience, GameEnd, GameId, MatchChat, MatchId, MatchLine, MatchResult, Os, Player, Proposal, Rated,
    RatingChange, RequestKind, StoredId,
};
use outflank_protocol::match_type::MatchType;
use outflank_protocol::vocab::Color;

#[derive(Clone, Debug)]
pub struct Match {
    pub id: u32,
    pub names: [String; 2],
    pub match_type: MatchType,
    pub rated: Rated,
    pub settings: [ClockSetting; 2],
    pub games: Vec<Game>,
    pub abort: [bool; 2],
}

impl Match {
    pub fn index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }
}

/// A match on the shelf.
#[derive(Clone, Debug)]
pub struct Stored {
    pub names: [String; 2],
    pub match_type: MatchType,
    pub settings: [ClockSetting; 2],
    games: Vec<Game>,
}

impl Server {
    /// Matches in which a user plays.
    pub fn playing(&self, name: &str) -> usize {
        self.matches
            .values()
            .filter(|found| found.index(name).is_some())
            .count()
    }

    fn match_line(&self, found: &Match) -> MatchLine {
        MatchLine {
            id: MatchId(found.id),
            players: found.names.each_ref().map(|name| Player {
                name: name.clone(),
                rating: self.users.get(name).map_or(1720.0, |user| user.rating),
            }),
            match_type: found.match_type,
            rated: found.rated,
        }
    }

    /// Players, observers, and those who are told of all matches.
    pub fn audience(&self, found: &Match, with_notified: bool) -> Vec<String> {
        self.users
            .iter()
            .filter(|(name, user)| {
                user.conn.is_some()
                    && (found.index(name).is_some()
                        || user.watching.contains(&found.id)
                        || (with_notified && user.notify_all))
            })
            .map(|(name, _)| name.clone())
            .collect()
    }

    pub fn tell_all(&mut self, id: u32, os: &Os) {
        let Some(found) = self.matches.get(&id) else {
            return;
        };
        for name in self.audience(found, false) {
            self.say(&name, os);
        }
    }

    /// A request becomes a match.
    pub fn begin(&mut self, request: u32, accepter: &str) {
        let pending = self.requests[&request].clone();
        let names = [pending.asker.clone(), accepter.to_owned()];
        let id = self.match_ids.take();
        let now = self.now;
        let ratings = names.each_ref().map(|name| self.users[name].rating);
        let found = if let Some(stored) = pending.stored.and_then(|stored| self.stored.remove(&stored)) {
            self.ledger.resumed += 1;
            let games = stored.games.into_iter().map(|mut game| {
                game.id.of = MatchId(id);
                game.since = now;
                game
            });
            Match {
                id,
                names: stored.names,
                match_type: stored.match_type,
                rated: Rated::Rated,
                settings: stored.settings,
                games: games.collect(),
                abort: [false; 2],
            }
        } else {
            self.ledger.started += 1;
            let start = super::start::position(&pending.match_type, &mut self.rng);
            let games = self.games(id, &pending.match_type, &names, ratings, pending.clocks, start);
            Match {
                id,
                names,
                match_type: pending.match_type,
                rated: match pending.kind {
                    RequestKind::Unrated => Rated::Unrated,
                    RequestKind::Tournament => Rated::Tournament,
                    _ => Rated::Rated,
                },
                settings: pending.clocks,
                games,
                abort: [false; 2],
            }
        };
        self.open_match(found);
        self.withdraw(request);
        for name in [pending.asker, accepter.to_owned()] {
            if !self.room(&name) {
                self.drop_requests_of(&name);
            }
        }
    }

    fn open_match(&mut self, found: Match) {
        let (id, games) = (found.id, found.games.len());
        let start = Os::MatchStart(self.match_line(&found));
        for name in self.audience(&found, true) {
            self.say(&name, &start);
        }
        let players = found.names.clone();
        self.matches.insert(id, found);
        for name in players {
            for game in 0..games {
                self.send_join(&name, id, game);
            }
        }
    }

    fn games(
        &mut self,
        id: u32,
        match_type: &MatchType,
        names: &[String; 2],
        ratings: [f64; 2],
        settings: [ClockSetting; 2],
        start: Position,
    ) -> Vec<Game> {
        let black = match match_type.color {
            Some(Color::Black) => 0,
            Some(Color::White) => 1,
            None => self.rng.below(2) as usize,
        };
        let of = MatchId(id);
        let game = |half: Option<u8>, black| Game {
            since: self.now,
            ..Game::new(
                GameId { of, half },
                *match_type,
                names.clone(),
                ratings,
                black,
                start,
                settings,
            )
        };
        if match_type.synchro {
            vec![game(Some(0), Some(black)), game(Some(1), Some(1 - black))]
        } else {
            vec![game(None, (!match_type.komi).then_some(black))]
        }
    }

    /// A match with a start position of the caller's choice, for tests.
    pub fn set_up(
        &mut self,
        names: [&str; 2],
        match_type: &str,
        clock: &str,
        rated: Rated,
        start: Position,
    ) -> u32 {
        let id = self.match_ids.take();
        let names = names.map(str::to_owned);
        let match_type = match_type.parse().expect("a type");
        let settings = [clock.parse().expect("a clock"); 2];
        let ratings = names.each_ref().map(|name| self.users[name].rating);
        let games = self.games(id, &match_type, &names, ratings, settings, start);
        self.ledger.started += 1;
        self.open_match(Match {
            id,
            names,
            match_type,
            rated,
            settings,
            games,
            abort: [false; 2],
        });
        id
    }

    pub fn send_join(&mut self, name: &str, id: u32, game: usize) {
        let Some(found) = self.matches.get(&id) else {
            return;
        };
        let Some(game) = found.games.get(game).filter(|game| !game.closed) else {
            return;
        };
        // A withheld move is shown to its player only.
        let mover = game.to_move().map(|next| &game.names[1 - next]);
        let seen = if game.withheld && mover.is_none_or(|mover| mover != name) {
            game.without_last()
        } else {
            game.clone()
        };
        let join = Os::Join(Box::new(seen.join(self.now)));
        self.say(name, &join);
    }

    pub fn send_update(&mut self, id: u32, game: usize, fits: impl Fn(&str) -> bool) {
        let Some(found) = self.matches.get(&id) else {
            return;
        };
        let Some(update) = found.games[game].update(self.now) else {
            return;
        };
        let os = Os::Update(Box::new(update));
        for name in self.audience(found, false) {
            if fits(&name) {
                if self.users[&name].client {
                    if let Os::Update(update) = &os {
                        let (game, played) = (update.game, update.played);
                        self.say(&name, &Os::CompactUpdate { game, played });
                    }
                } else {
                    self.say(&name, &os);
                }
            }
        }
    }

    /// The match that is meant, or an error to the user.
    pub fn find(&mut self, name: &str, game: GameId) -> Option<u32> {
        let found = self
            .matches
            .get(&game.of.0)
            .filter(|found| found.index(name).is_some());
        match found {
            Some(found) => Some(found.id),
            None => {
                self.fault(name, "no such match");
                self.say(name, &Os::NoSuchMatch(game));
                None
            }
        }
    }

    pub fn end(&mut self, id: u32, result: MatchResult) {
        let Some(found) = self.matches.get(&id).cloned() else {
            return;
        };
        let audience = self.audience(&found, true);
        let rated = found.rated != Rated::Unrated;
        if let (MatchResult::Score(score), true) = (&result, rated) {
            let changes = self.rate(&found, *score);
            let update = Os::RatingUpdate {
                of: MatchId(id),
                changes,
            };
            self.tell_all(id, &update);
        }
        let archived = rated && result != MatchResult::Aborted;
        let stored = archived.then(|| {
            self.counter += 1;
            StoredId(self.counter)
        });
        let end = Os::MatchEnd {
            line: self.match_line(&found),
            result,
            stored,
        };
        self.matches.remove(&id);
        self.match_ids.give(id);
        for name in audience {
            self.say(&name, &end);
            self.user(&name).watching.remove(&id);
        }
    }

    fn rate(&mut self, found: &Match, score: f64) -> Vec<RatingChange> {
        let sign = if score == 0.0 { 0.0 } else { score.signum() };
        let changes = found.names.iter().zip([16.0, -16.0]).map(|(name, step)| {
            let user = self.users.get_mut(name).expect("a player");
            let before = user.rating;
            user.rating += sign * step;
            RatingChange {
                name: name.clone(),
                before: (before, 80.0),
                change: sign * step,
                after: (user.rating, 79.0),
            }
        });
        changes.collect()
    }

    /// Puts a match on the shelf if it is rated; a move to which the other half of a pair is missing is taken back.
    fn shelve(&mut self, id: u32) -> Option<u32> {
        let found = self.matches.get(&id)?.clone();
        if found.rated == Rated::Unrated
            || found
                .games
                .iter()
                .all(|game| game.moves.is_empty() && !game.closed)
        {
            return None;
        }
        self.counter += 1;
        let games = found
            .games
            .into_iter()
            .map(|game| if game.withheld { game.without_last() } else { game });
        let mut games: Vec<Game> = games.collect();
        for game in &mut games {
            game.bids = [None; 2];
        }
        self.stored.insert(
            self.counter,
            Stored {
                names: found.names,
                match_type: found.match_type,
                settings: found.settings,
                games,
            },
        );
        Some(self.counter)
    }

    /// As when the service dies: nobody is told.
    pub fn store_silently(&mut self, id: u32) {
        self.shelve(id);
        self.matches.remove(&id);
        self.ledger.left += 1;
    }

    fn leave(&mut self, id: u32, name: &str) {
        self.ledger.left += 1;
        let stored = self.shelve(id).map(StoredId);
        let found = self.matches[&id].clone();
        let result = MatchResult::Left(name.to_owned());
        let audience = self.audience(&found, true);
        for half in found
            .games
            .iter()
            .filter(|game| found.match_type.synchro && !game.closed)
        {
            let end = Os::GameEnd(GameEnd {
                game: half.id,
                players: half.names.clone(),
                result: result.clone(),
            });
            self.tell_all(id, &end);
        }
        let end = Os::MatchEnd {
            line: self.match_line(&found),
            result,
            stored,
        };
        self.matches.remove(&id);
        self.match_ids.give(id);
        for name in audience {
            self.say(&name, &end);
        }
    }

    /// A player lost his connection.
    pub fn player_gone(&mut self, name: &str) {
        let theirs = self.matches.values().filter(|found| found.index(name).is_some());
        for (id, rated) in theirs.map(|found| (found.id, found.rated)).collect::<Vec<_>>() {
            if rated != Rated::Tournament {
                self.leave(id, name);
            }
        }
    }

    /// A player is back: the boards of his matches are shown again, without a word before.
    pub fn back_at_the_board(&mut self, name: &str) {
        let theirs = self.matches.values().filter(|found| found.index(name).is_some());
        for (id, games) in theirs
            .map(|found| (found.id, found.games.len()))
            .collect::<Vec<_>>()
        {
            for game in 0..games {
                self.send_join(name, id, game);
            }
        }
    }

    pub fn resign(&mut self, name: &str, game: GameId) {
        let Some(id) = self.find(name, game) else { return };
        let player = self.matches[&id].index(name);
        for index in 0..self.matches[&id].games.len() {
            let game = self.game(id, index);
            game.lost = player;
            game.withheld = false;
            game.black.get_or_insert(0);
        }
        self.close_if_over(id);
    }

    pub fn abort(&mut self, name: &str, game: GameId) {
        let Some(id) = self.find(name, game) else { return };
        let found = self.matches.get_mut(&id).expect("a match");
        let player = found.index(name).expect("plays");
        found.abort[player] = true;
        if found.abort == [true; 2] {
            self.ledger.aborted += 1;
            return self.end(id, MatchResult::Aborted);
        }
        let audience = self.audience(&self.matches[&id], false);
        self.propose(Proposal::Abort, game, name, &audience);
    }

    pub fn break_off(&mut self, name: &str, game: GameId) {
        if let Some(id) = self.find(name, game) {
            self.leave(id, name);
        }
    }

    pub fn undo(&mut self, name: &str, game: GameId) {
        let Some(id) = self.find(name, game) else { return };
        if self.matches[&id].match_type.synchro {
            return self.error(name, game, "no undo in synchro games");
        }
        let (player, now) = (self.matches[&id].index(name).expect("plays"), self.now);
        let state = self.game(id, 0);
        if state.moves.is_empty() {
            return self.error(name, game, "nothing to undo");
        }
        state.undo[player] = true;
        let audience = self.audience(&self.matches[&id], false);
        if self.game(id, 0).undo == [true; 2] {
            self.game(id, 0).take_back(now);
            for name in audience {
                self.send_join(&name, id, 0);
            }
        } else {
            self.propose(Proposal::Undo, game, name, &audience);
        }
    }

    pub fn score(&mut self, name: &str, game: GameId, value: f64) {
        let Some(id) = self.find(name, game) else { return };
        if self.matches[&id].match_type.synchro {
            return self.error(name, game, "no score in synchro games");
        }
        let player = self.matches[&id].index(name).expect("plays");
        let state = self.game(id, 0);
        state.scores[player] = Some(value);
        if let [Some(first), Some(second)] = state.scores
            && first <= 0.0 - second
        {
            state.agreed = Some((first - second) / 2.0);
            return self.close_if_over(id);
        }
        let audience = self.audience(&self.matches[&id], false);
        self.propose(Proposal::Score, game, name, &audience);
    }

    pub fn moves(&mut self, name: &str, game: GameId) {
        let Some(found) = self.matches.get(&game.of.0) else {
            return self.say(name, &Os::NoSuchMatch(game));
        };
        let (id, games) = (found.id, found.games.len());
        for index in 0..games {
            if game.half.is_none_or(|half| usize::from(half) == index) {
                self.send_join(name, id, index);
            }
        }
    }

    pub fn tell_match(&mut self, name: &str, audience: Audience, id: MatchId, text: &str) {
        let chat = Os::Chat(MatchChat {
            of: id,
            audience,
            rating: 1720.0,
            name: name.to_owned(),
            text: text.replace('\\', "\n"),
        });
        self.tell_all(id.0, &chat);
    }
}
