//! Matches: from the start, move by move, to the end, the shelf of stored ones, or a fault.

use super::Server;
use super::clock::Charged;
use super::game::Game;
use outflank::rules::{Move, Position};
use outflank_protocol::clock::ClockSetting;
use outflank_protocol::ggs::{
    Audience, GameEnd, GameId, MatchChat, MatchId, MatchLine, MatchResult, Os, PlayedMove, Player, Proposal,
    Rated, RatingChange, RequestKind, StoredId, TimeOut, TrustViolation,
};
use outflank_protocol::match_type::MatchType;
use outflank_protocol::vocab::Color;
use std::time::Duration;

/// The most by which a reported time may be too short.
const TRUST: Duration = Duration::from_secs(4);

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
    fn index(&self, name: &str) -> Option<usize> {
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
    fn audience(&self, found: &Match, with_notified: bool) -> Vec<String> {
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

    fn tell_all(&mut self, id: u32, os: &Os) {
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

    fn send_update(&mut self, id: u32, game: usize, fits: impl Fn(&str) -> bool) {
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
    fn find(&mut self, name: &str, game: GameId) -> Option<u32> {
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

    pub fn play(&mut self, name: &str, line: &str, game: Option<GameId>, played: PlayedMove) {
        let game = match game {
            Some(game) => game,
            None => match self.matches.values().find(|found| found.index(name).is_some()) {
                Some(found) => GameId::single(MatchId(found.id)),
                None => return self.say(name, &Os::NoSuchMatch(GameId::single(MatchId(0)))),
            },
        };
        let Some(id) = self.find(name, game) else { return };
        let found = &self.matches[&id];
        let player = found.index(name).expect("plays");
        let synchro = found.match_type.synchro;
        let index = match (synchro, game.half) {
            (false, None) => 0,
            (true, Some(half @ 0..=1)) => usize::from(half),
            (true, Some(_)) => return self.error(name, game, "game id must be .0 or .1 in synchro games"),
            _ => return self.error(name, game, "game id needed (only) in synchro games"),
        };
        // The spelling of a pass is not free.
        let word = line
            .split_whitespace()
            .last()
            .and_then(|word| word.split('/').next())
            .unwrap_or_default();
        if played.mv == outflank_protocol::Move::Pass && !["pa", "PA", "pass", "PASS"].contains(&word) {
            return self.error(name, game, "corrupt move");
        }
        let state = &found.games[index];
        if state.closed || state.is_over() {
            return self.error(name, game, "not your turn");
        }
        if state.black.is_none() {
            return self.bid(name, id, player, game, played);
        }
        if state.withheld || state.to_move() != Some(player) {
            return self.error(name, game, "not your turn");
        }
        if let Some(left) = self.refuse.get_mut(name).filter(|left| **left > 0) {
            *left -= 1;
            return self.say(
                name,
                &Os::PlayRefused(outflank_protocol::ggs::PlayRefusal {
                    game,
                    text: "corrupt move".to_owned(),
                }),
            );
        }
        if !state.position.moves().contains(Move::from(played.mv)) {
            return self.error(name, game, "illegal move");
        }
        let charged = self.charged(id, index, player, &played);
        let outcome = self.game(id, index).play(player, played, charged);
        self.tell_overrun(id, index, player, outcome);
        if outcome == Charged::Fatal {
            return self.close_if_over(id);
        }
        self.moved(id, index, name);
    }

    fn game(&mut self, id: u32, index: usize) -> &mut Game {
        &mut self.matches.get_mut(&id).expect("a match").games[index]
    }

    /// What a move is charged with: the reported time if it can be trusted.
    fn charged(&mut self, id: u32, index: usize, player: usize, played: &PlayedMove) -> Duration {
        let game = &self.matches[&id].games[index];
        let wall = self.now.saturating_sub(game.since);
        let name = game.names[player].clone();
        if !self.users[&name].trust {
            return wall;
        }
        let reported = Duration::from_secs_f64(played.seconds.unwrap_or(0.0).max(0.0));
        if wall <= reported + TRUST {
            return reported;
        }
        let over = (wall - reported - TRUST).as_secs_f64();
        let violation = TrustViolation {
            game: game.id,
            name: name.clone(),
            color: color(game, player),
            text: format!("delta= 4 + {over:.1} secs"),
        };
        self.fault(&name, "trust-violation");
        self.tell_all(id, &Os::TrustViolation(violation));
        wall
    }

    fn tell_overrun(&mut self, id: u32, index: usize, player: usize, outcome: Charged) {
        if outcome == Charged::Fine {
            return;
        }
        let game = &self.matches[&id].games[index];
        let soft = TimeOut {
            game: game.id,
            name: game.names[player].clone(),
            color: color(game, player),
            fatal: false,
        };
        let fatal = (outcome == Charged::Fatal).then(|| TimeOut {
            fatal: true,
            ..soft.clone()
        });
        for time_out in [Some(soft), fatal].into_iter().flatten() {
            self.fault(
                &time_out.name,
                if time_out.fatal {
                    "fatal-timeout"
                } else {
                    "timeout"
                },
            );
            self.tell_all(id, &Os::TimeOut(time_out));
        }
    }

    fn bid(&mut self, name: &str, id: u32, player: usize, game: GameId, played: PlayedMove) {
        let now = self.now;
        let state = self.game(id, 0);
        if state.bids[player].is_some() {
            return self.error(name, game, "you already sent the first move");
        }
        if played.eval.is_none() {
            return self.error(name, game, "move eval expected");
        }
        if !state.position.moves().contains(Move::from(played.mv)) {
            return self.error(name, game, "illegal move");
        }
        let charged = self.charged(id, 0, player, &played);
        let coin = self.rng.one_in(2);
        let state = self.game(id, 0);
        state.bids[player] = Some((played, charged));
        state.settle(coin);
        if state.black.is_some() {
            state.since = now;
            for name in self.audience(&self.matches[&id], false) {
                self.send_join(&name, id, 0);
            }
            self.close_if_over(id);
        }
    }

    /// After a move: who sees it, and which clocks run now.
    fn moved(&mut self, id: u32, index: usize, name: &str) {
        let now = self.now;
        let found = &self.matches[&id];
        let other = 1 - index;
        let pair = found.match_type.synchro && !found.games[other].closed;
        if !pair {
            self.game(id, index).since = now;
            self.send_update(id, index, |_| true);
            return self.close_if_over(id);
        }
        let mover = name.to_owned();
        if !self.game(id, other).withheld {
            // The first of the two moves: its player sees it, the opponent later.
            self.game(id, index).withheld = true;
            return self.send_update(id, index, |name| name == mover);
        }
        // Both are in.
        self.game(id, other).withheld = false;
        for index in [index, other] {
            self.game(id, index).since = now;
        }
        self.send_update(id, index, |_| true);
        // The other move has been seen by its player.
        let names = &self.matches[&id].names;
        let opponent = names[usize::from(names[0] == mover)].clone();
        self.send_update(id, other, |name| name != opponent);
        self.close_if_over(id);
    }

    /// Ends the games that are over, and the match with the last of them.
    fn close_if_over(&mut self, id: u32) {
        let Some(found) = self.matches.get(&id) else {
            return;
        };
        let synchro = found.match_type.synchro;
        for index in 0..found.games.len() {
            let game = self.game(id, index);
            if game.closed || !game.is_over() || game.withheld {
                continue;
            }
            game.closed = true;
            if synchro {
                let result = MatchResult::Score(game.result());
                let end = Os::GameEnd(GameEnd {
                    game: game.id,
                    players: game.names.clone(),
                    result,
                });
                self.tell_all(id, &end);
                // The other goes on alone: nothing is withheld any more.
                let now = self.now;
                let other = self.game(id, 1 - index);
                if other.withheld {
                    other.withheld = false;
                    other.since = now;
                    let seen = other.to_move().map(|next| other.names[1 - next].clone());
                    self.send_update(id, 1 - index, |name| Some(name) != seen.as_deref());
                }
            }
        }
        let found = &self.matches[&id];
        if found.games.iter().all(|game| game.closed) {
            let sum: f64 = found.games.iter().map(Game::result).sum();
            let mean = sum / found.games.len() as f64;
            self.ledger.finished += 1;
            self.end(id, MatchResult::Score(mean));
        }
    }

    fn end(&mut self, id: u32, result: MatchResult) {
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

    /// Ends the games of players who say nothing any more.
    pub fn flag_silent_players(&mut self) {
        let now = self.now;
        for id in self.matches.keys().copied().collect::<Vec<_>>() {
            for index in 0..self.matches[&id].games.len() {
                let game = self.game(id, index);
                if game.closed {
                    continue;
                }
                if let Some(player) = game.flagged(now) {
                    game.lost = Some(player);
                    game.black.get_or_insert(0);
                    self.tell_overrun(id, index, player, Charged::Fatal);
                }
            }
            self.close_if_over(id);
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

fn color(game: &Game, player: usize) -> Option<Color> {
    let black = game.black?;
    Some(if black == player {
        Color::Black
    } else {
        Color::White
    })
}
