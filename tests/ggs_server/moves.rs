//! Moves: which are taken, what they are charged with, who sees them, and the games that end with them.

use super::Server;
use super::clock::Charged;
use super::game::Game;
use outflank::rules::Move;
use outflank_protocol::ggs::{
    GameEnd, GameId, MatchId, MatchResult, Os, PlayedMove, TimeOut, TrustViolation,
};
use outflank_protocol::vocab::Color;
use std::time::Duration;

/// The most by which a reported time may be too short.
const TRUST: Duration = Duration::from_secs(4);

impl Server {
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

    pub fn game(&mut self, id: u32, index: usize) -> &mut Game {
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
    pub fn close_if_over(&mut self, id: u32) {
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
}

fn color(game: &Game, player: usize) -> Option<Color> {
    let black = game.black?;
    Some(if black == player {
        Color::Black
    } else {
        Color::White
    })
}
