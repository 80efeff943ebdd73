//! Matches in progress.

use super::action::{Action, Moment, Token, Verdict};
use super::client::{Client, Mode};
use super::config::{Agree, playable};
use super::record::{self, Keeper};
use super::table::{Seen, Table, Turn};
use super::upkeep::FIRST_BOARD;
use crate::rules::Move;
use outflank_protocol::clock::ClockSetting;
use outflank_protocol::ggs::{
    GameEnd, GameId, Join, MatchId, MatchLine, MatchResult, OsCommand, PlayError, PlayRefusal, PlayedMove,
    Proposal, Rated, StoredId, Switch, TimeOut, Update,
};
use outflank_protocol::match_type::{BoardSize, MatchType};
use std::time::Duration;

/// Engines for matches that the service begins beyond those that were agreed to; after that they share.
const SPARE_SLOTS: usize = 8;
/// Most matches of others that are watched at once.
const WATCHED: usize = 20;
/// Refusals of moves in one position after which nothing more is tried.
const PATIENCE: usize = 8;
/// Matches in progress, and matches that ended a moment ago, that are remembered at most; no honest server shows so many.
const REMEMBERED: usize = 256;
/// How often the compact form is turned off.
const COMPACT_EVERY: Duration = Duration::from_secs(10);
/// The server takes evaluations below this.
const MOST_DISCS: f64 = 64.0;

/// A match in progress.
#[derive(Debug)]
pub(super) struct Match {
    /// How it was announced; `None` if it came back without (a match of a tournament after a reconnection).
    pub line: Option<MatchLine>,
    /// We play in it.
    pub ours: bool,
    /// Which engine plays.
    pub slot: usize,
    /// The clocks that were asked for, by the names of the players.
    pub clocks: Vec<(String, ClockSetting)>,
    /// Its games: two in a synchro match.
    pub tables: Vec<Table>,
    /// It has been broken off, or that was tried: it is not always allowed.
    pub broken: bool,
    /// When its boards are asked for, should one still be missing.
    pub due: Moment,
    /// How often they were.
    pub asked: u32,
}

impl Match {
    fn is_rated(&self) -> bool {
        // A match that came back by itself is one of a tournament.
        self.line.as_ref().is_none_or(|line| line.rated != Rated::Unrated)
    }

    /// A board of ours has not been shown that could be played on.
    pub fn lacks_a_board(&self) -> bool {
        let told = self.line.as_ref().map(|line| line.match_type);
        let Some(match_type) = told.or(self.tables.first().map(|table| table.match_type)) else {
            return false;
        };
        let boards = if match_type.synchro { 2 } else { 1 };
        self.ours && self.tables.len() < boards && playable(&match_type).is_ok()
    }
}

impl Client {
    fn table(&mut self, game: GameId) -> Option<&mut Table> {
        let tables = &mut self.matches.get_mut(&game.of)?.tables;
        tables.iter_mut().find(|table| table.id == game)
    }

    /// The engine with the fewest matches, the first of them: one that is free, but in a flood of matches.
    fn slot(&self) -> usize {
        let load = |&slot: &usize| {
            let playing = self.matches.values().filter(|found| found.ours);
            playing.filter(|found| found.slot == slot).count()
        };
        (0..self.config.play.slots() + SPARE_SLOTS)
            .min_by_key(load)
            .unwrap_or(0)
    }

    pub(super) fn match_started(&mut self, now: Moment, line: MatchLine) {
        let named = line.players.iter().any(|player| player.name == self.config.login);
        let ours = named && self.mode == Mode::Play;
        if !ours {
            let watched = self.matches.len();
            if self.mode == Mode::Observe && line.match_type.board == BoardSize::Eight && watched < WATCHED {
                self.os(now, OsCommand::Watch(true, line.id));
                self.begin(now, line, false);
            }
            return;
        }
        match self.matches.get(&line.id).map(|known| known.line.as_ref()) {
            // Told twice.
            Some(Some(known)) if same_match(known, &line) => return,
            // The number was given to another match, and the end of the former one was missed.
            Some(Some(_)) => self.finish(now, line.id, None),
            _ => {}
        }
        log::info!("match {line} begins");
        if self.playing() >= self.config.play.slots() && !self.matches.contains_key(&line.id) {
            log::warn!(
                "match {}: the service began it although there is no room",
                line.id
            );
        }
        let (id, match_type) = (line.id, line.match_type);
        self.begin(now, line, true);
        self.break_unplayable(now, id, &match_type);
    }

    /// No move is made in a match of a type that is not played, and it is adjourned. The service does not refuse it by our
    /// formula if it was begun by hand or in a tournament.
    fn break_unplayable(&mut self, now: Moment, id: MatchId, match_type: &MatchType) {
        if let Err(why) = playable(match_type)
            && let Some(found) = self.matches.get_mut(&id)
        {
            for table in &mut found.tables {
                table.ours = false;
            }
            self.break_off(now, id, &why.to_string());
        }
    }

    /// Adjourns a match that cannot be played; once, as it may not be allowed.
    pub(super) fn break_off(&mut self, now: Moment, id: MatchId, why: &str) {
        if let Some(found) = self.matches.get_mut(&id)
            && found.ours
            && !found.broken
        {
            found.broken = true;
            log::warn!("match {id}: {why}; breaking it off");
            self.os(now, OsCommand::Break(GameId::single(id)));
        }
    }

    fn begin(&mut self, now: Moment, line: MatchLine, ours: bool) {
        // A recycled number: late messages of the former match cannot come any more.
        self.ended.retain(|&(id, _)| id != line.id);
        let clocks = self.requests.clocks_of(&line);
        let names = line.players.iter().map(|player| player.name.clone());
        let clocks = names
            .zip(clocks)
            .filter_map(|(name, clock)| Some((name, clock?)))
            .collect();
        let slot = self.slot();
        let id = line.id;
        if self.is_full(id) {
            return;
        }
        let known = self.matches.remove(&id);
        let begun = Match {
            line: Some(line),
            ours,
            slot: known.as_ref().map_or(slot, |known| known.slot),
            clocks,
            broken: known.as_ref().is_some_and(|known| known.broken),
            tables: known.map(|known| known.tables).unwrap_or_default(),
            due: now + FIRST_BOARD,
            asked: 0,
        };
        self.matches.insert(id, begun);
    }

    /// A whole game is shown: at its start, after an undo, when komi is settled, when a match goes on, or on demand.
    pub(super) fn joined(&mut self, now: Moment, join: &Join) {
        let me = self.config.login.clone();
        let id = join.game.of;
        if !self.matches.contains_key(&id) {
            let ours = join.state.seats.iter().any(|seat| seat.name == me);
            if !ours || self.mode == Mode::Observe || self.has_just_ended(id) || self.is_full(id) {
                return;
            }
            log::info!("match {id} goes on");
            let slot = self.slot();
            self.matches.insert(
                id,
                Match {
                    line: None,
                    ours,
                    slot,
                    clocks: Vec::new(),
                    tables: Vec::new(),
                    broken: false,
                    due: now + FIRST_BOARD,
                    asked: 0,
                },
            );
        }
        let Some(found) = self.matches.get_mut(&id) else {
            return;
        };
        let full = found.tables.len() >= 2;
        let seen = match found.tables.iter_mut().find(|table| table.id == join.game) {
            Some(table) => table.join(join, &me, now),
            None if full => return,
            None => {
                let mut table = Table::new(join, &me, now);
                let line = found.line.as_ref();
                table.ours &= found.ours && line.is_none_or(|line| playable(&line.match_type).is_ok());
                for player in &mut table.players {
                    let known = found.clocks.iter().find(|(name, _)| *name == player.name);
                    player.clock = player.clock.or(known.map(|&(_, clock)| clock));
                }
                found.tables.push(table);
                Seen::Changed
            }
        };
        self.break_unplayable(now, id, &join.match_type);
        self.react(now, join.game, seen, true);
    }

    /// A move is shown.
    pub(super) fn updated(&mut self, now: Moment, update: &Update) {
        let me = self.config.login.clone();
        match self.table(update.game) {
            Some(table) => {
                let seen = table.update(update, &me, now);
                self.break_unplayable(now, update.game.of, &update.match_type);
                self.react(now, update.game, seen, false);
            }
            None => {
                let ours = update.state.seats.iter().any(|seat| seat.name == me);
                if ours && !self.has_just_ended(update.game.of) {
                    self.os(now, OsCommand::Moves(update.game));
                }
            }
        }
    }

    /// Boards that cannot be read: the game is asked for, and again when time has passed.
    pub(super) fn unread(&mut self, now: Moment, text: &str) {
        log::warn!("cannot be read: {text}");
        let game = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
        if let Some(game) = game
            && let Some(table) = self.table(game)
            && matches!(table.turn, Turn::Idle | Turn::Sent { .. })
        {
            table.asked += 1;
            table.turn = Turn::Asked { at: now };
            self.os(now, OsCommand::Moves(game));
        }
    }

    /// There is no room for yet another match.
    fn is_full(&self, id: MatchId) -> bool {
        let full = self.matches.len() >= REMEMBERED && !self.matches.contains_key(&id);
        if full {
            log::warn!("match {id}: there are too many");
        }
        full
    }

    fn has_just_ended(&self, id: MatchId) -> bool {
        self.ended.iter().any(|&(ended, _)| ended == id)
    }

    /// Boards come in compact form, which we did not want. If that does not help it is not said again and again.
    pub(super) fn compact(&mut self, now: Moment, game: GameId) {
        if now >= self.next_compact {
            self.next_compact = now + COMPACT_EVERY;
            self.os(now, OsCommand::Switch(Switch::Client, false));
            self.os(now, OsCommand::Moves(game));
        }
    }

    /// Does what the new state of a game calls for.
    fn react(&mut self, now: Moment, game: GameId, seen: Seen, whole: bool) {
        let Some(table) = self.table(game) else { return };
        match seen {
            Seen::Stale if whole => {
                table.turn = keep_thinking(table.turn, Turn::Asked { at: now });
                self.os(now, OsCommand::Moves(game));
                return;
            }
            Seen::Stale => return,
            Seen::Changed | Seen::Gap => table.turn = Turn::Idle,
            // The answer to a question: nothing has changed, so a move that was sent got lost.
            Seen::Known if whole && matches!(table.turn, Turn::Asked { .. }) => table.turn = Turn::Idle,
            Seen::Known => {}
        }
        if seen == Seen::Gap {
            // The position is known; only the record is not complete.
            self.os(now, OsCommand::Moves(game));
        }
        self.move_on(now, game);
    }

    /// Thinks, passes or ponders, as the game stands.
    fn move_on(&mut self, now: Moment, game: GameId) {
        let me = self.config.login.clone();
        let reserve = self.config.play.lag_reserve;
        let Some(slot) = self.matches.get(&game.of).map(|found| found.slot) else {
            return;
        };
        let Some(table) = self.table(game) else { return };
        if table.turn != Turn::Idle {
            return;
        }
        if !table.is_our_turn() {
            self.ponder(game.of);
            return;
        }
        let (position, budget) = (table.position, table.budget(&me, reserve));
        if position.moves().must_pass() && !table.is_bidding() {
            let expected = table.expected.map(|(discs, _)| discs);
            self.play(now, now, game, Move::Pass, expected);
            return;
        }
        let token = self.token();
        if let Some(table) = self.table(game) {
            table.turn = Turn::Thinking { token, since: now };
        }
        self.act(Action::Think {
            token,
            slot,
            position,
            budget,
        });
    }

    /// Thinks about the game of a match in which the opponent's move is expected first: in a synchro match that is the one
    /// in which we moved earlier.
    fn ponder(&mut self, id: MatchId) {
        if !self.ponder {
            return;
        }
        // Spare engines are for clocks that run; the other cores have been given away.
        let regular = |found: &&Match| found.ours && found.slot < self.config.play.slots();
        let Some(found) = self.matches.get(&id).filter(regular) else {
            return;
        };
        if found
            .tables
            .iter()
            .any(|table| matches!(table.turn, Turn::Thinking { .. }))
        {
            return;
        }
        let waiting = found.tables.iter().filter(|table| table.is_their_turn());
        if let Some(table) = waiting.min_by_key(|table| table.moved) {
            let (slot, position) = (found.slot, table.position);
            self.act(Action::Ponder { slot, position });
        }
    }

    /// A search is done. The answers of searches that nobody waits for any more are dropped.
    pub(super) fn thought(&mut self, now: Moment, token: Token, verdict: Verdict) {
        let mut tables = self.matches.values_mut().flat_map(|found| &mut found.tables);
        let found = tables.find_map(|table| match table.turn {
            Turn::Thinking { token: its, since } if its == token => Some((table, since)),
            _ => None,
        });
        let Some((table, since)) = found else { return };
        let moves = table.position.moves();
        let legal = |mv: &Move| moves.contains(*mv) && !table.refused.contains(mv);
        let Some(mv) = verdict.best.filter(legal).or_else(|| moves.iter().find(legal)) else {
            table.turn = Turn::Asked { at: now };
            return;
        };
        let failed = verdict.best != Some(mv);
        if failed {
            log::error!("{}: the search gave no usable move, playing {mv}", table.id);
        }
        let discs = verdict.discs.clamp(-MOST_DISCS, MOST_DISCS);
        let expected = (!failed && discs.is_finite()).then_some(discs);
        if let Some(discs) = expected {
            table.expected = Some((discs, verdict.exact));
        }
        let game = table.id;
        self.play(now, since, game, mv, expected);
    }

    /// Sends a move that has been thought about since a time.
    fn play(&mut self, now: Moment, since: Moment, game: GameId, mv: Move, expected: Option<f64>) {
        let Some(table) = self.table(game).filter(|table| table.ours) else {
            return;
        };
        let bidding = table.is_bidding();
        // A bid must be there, even if it is nothing.
        let expected = expected.or(bidding.then_some(0.0));
        let spent = now.saturating_sub(since).as_secs_f64();
        let played = PlayedMove {
            mv: mv.into(),
            eval: expected.map(hundredths),
            seconds: Some(hundredths(spent).max(0.01)),
        };
        table.turn = Turn::Sent { at: now, mv };
        if bidding {
            table.bid = Some(played);
        }
        let answer = table.score_offered;
        self.os(
            now,
            OsCommand::Play {
                game: Some(game),
                played,
            },
        );
        if answer {
            self.answer_score(now, game);
        }
    }

    /// A move was not taken.
    pub(super) fn refused(&mut self, now: Moment, refusal: &PlayRefusal) {
        log::warn!("{}: {}", refusal.game, refusal.text);
        let error = refusal.error();
        let id = refusal.game;
        let Some(table) = self.table(id) else { return };
        let Turn::Sent { mv, .. } = table.turn else { return };
        match error {
            PlayError::FirstMoveSent => return,
            PlayError::Illegal => table.refused.push(mv),
            PlayError::Corrupt | PlayError::NotYourTurn | PlayError::WrongGame => table.asked += 1,
            PlayError::Other => return,
        }
        table.turn = Turn::Asked { at: now };
        let tries = table.refused.len() + usize::try_from(table.asked).unwrap_or(usize::MAX);
        if tries <= PATIENCE {
            self.os(now, OsCommand::Moves(id));
        }
    }

    pub(super) fn no_such_match(&mut self, now: Moment, game: GameId) {
        if self.matches.contains_key(&game.of) {
            log::warn!("match {} is gone", game.of);
            self.finish(now, game.of, None);
        }
    }

    pub(super) fn timed_out(&mut self, time_out: &TimeOut) {
        log::warn!("{time_out}");
        let me = self.config.login.clone();
        if let Some(table) = self.table(time_out.game) {
            table.time_out(time_out, &me);
        }
    }

    pub(super) fn game_ended(&mut self, now: Moment, end: GameEnd) {
        log::info!("game {end}");
        let of = end.game.of;
        if let Some(table) = self.table(end.game) {
            table.heard = now;
            table.turn = Turn::Idle;
            table.ours = false;
            table.end = Some(end);
            self.keep_half(of);
            // The other game may go on alone.
            self.ponder(of);
        }
    }

    /// A game that has ended is kept safe while the other one of its match goes on.
    fn keep_half(&mut self, id: MatchId) {
        let going_on = |found: &&Match| found.tables.iter().any(|table| table.end.is_none());
        let draft = self
            .matches
            .get(&id)
            .filter(going_on)
            .and_then(|found| record::games(found, None, self.keeper()));
        if draft.is_some() {
            self.act(Action::Draft(id, draft));
        }
    }

    pub(super) fn match_ended(
        &mut self,
        now: Moment,
        line: &MatchLine,
        result: &MatchResult,
        stored: Option<StoredId>,
    ) {
        let ours = line.players.iter().any(|player| player.name == self.config.login);
        if ours {
            log::info!("match {line} ends: {result}");
            // What cannot be played is not taken up again.
            if matches!(result, MatchResult::Left(_))
                && stored.is_some()
                && playable(&line.match_type).is_ok()
            {
                self.stored = true;
            }
        }
        let known = self.matches.get(&line.id);
        if known.is_some_and(|known| {
            known
                .line
                .as_ref()
                .map_or(known.ours && ours, |known| same_match(known, line))
        }) {
            self.finish(now, line.id, Some((line, result)));
        }
        self.leave_if_idle(now);
    }

    fn keeper(&self) -> Keeper<'_> {
        Keeper {
            me: &self.config.login,
            secret: &self.secret,
        }
    }

    /// A match is over, or lost to us: its record is saved and its engine rests.
    fn finish(&mut self, now: Moment, id: MatchId, end: Option<(&MatchLine, &MatchResult)>) {
        let Some(found) = self.matches.remove(&id) else {
            return;
        };
        self.ended.push_back((id, now));
        if self.ended.len() > REMEMBERED {
            self.ended.pop_front();
        }
        if let Some(games) = record::games(&found, end, self.keeper()) {
            self.act(Action::Save(games));
        }
        if found.tables.iter().any(|table| table.end.is_some()) {
            self.act(Action::Draft(id, None));
        }
        let shared = self
            .matches
            .values()
            .any(|other| other.ours && other.slot == found.slot);
        if found.ours && !shared {
            self.act(Action::Rest { slot: found.slot });
        }
    }

    /// The connection or the service is gone, and with it every match; rated ones can be resumed later.
    pub(super) fn forget_matches(&mut self, now: Moment) {
        while let Some((&id, found)) = self.matches.first_key_value() {
            self.stored |= found.ours && found.is_rated();
            self.finish(now, id, None);
        }
        // Nothing can come late on a new connection.
        self.ended.clear();
    }

    /// The opponent, or an observer's opponent, wants something.
    pub(super) fn proposed(&mut self, now: Moment, what: Proposal, game: GameId, name: &str) {
        if name == self.config.login {
            return;
        }
        let Some(found) = self.matches.get_mut(&game.of) else {
            return;
        };
        let unrated = !found.is_rated();
        let Some(table) = found.tables.iter_mut().find(|table| table.id.of == game.of) else {
            return;
        };
        if table.players.iter().all(|player| player.name != name) {
            return;
        }
        table.score_offered |= what == Proposal::Score;
        if !found.ours {
            return;
        }
        log::info!("{game}: {name} proposes {}", what.word());
        let agree = |rule| match rule {
            Agree::Never => false,
            Agree::Unrated => unrated,
            Agree::Always => true,
        };
        match what {
            Proposal::Abort if agree(self.config.answers.abort) => self.os(now, OsCommand::Abort(game)),
            Proposal::Undo if agree(self.config.answers.undo) => {
                table.undoing = true;
                self.os(now, OsCommand::Undo(game));
            }
            Proposal::Score => self.answer_score(now, game),
            _ => {}
        }
    }

    /// Offers the proven result of a game. Two offers that leave nothing between them end the game with their mean, so this
    /// can gain something and never lose. Whether a score counts the komi is not known; there nothing is offered.
    fn answer_score(&mut self, now: Moment, game: GameId) {
        if !self.config.answers.score {
            return;
        }
        let Some(table) = self.table(game) else { return };
        if let Some((discs, true)) = table.expected
            && !table.match_type.komi
        {
            self.os(now, OsCommand::Score(game, hundredths(discs)));
        }
    }
}

/// Two lines about one match: the same players and type. Ratings may have changed.
fn same_match(one: &MatchLine, other: &MatchLine) -> bool {
    let names = |line: &MatchLine| line.players.each_ref().map(|player| player.name.clone());
    one.match_type == other.match_type && names(one) == names(other)
}

/// A search goes on while something is asked for beside it.
fn keep_thinking(turn: Turn, other: Turn) -> Turn {
    if let Turn::Thinking { .. } = turn {
        turn
    } else {
        other
    }
}

/// Rounded as the server does; never a negative zero.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}
