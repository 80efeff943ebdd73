//! What is done because time passes: connecting, keeping the connection alive, offers, and games that fell silent.

use super::action::{Action, Moment};
use super::client::{Client, Mode, Phase, Service};
use super::table::Turn;
use outflank_protocol::ggs::{Command, GameId, OsCommand};
use std::time::Duration;

/// Connection and login must be done within this; the server allows two minutes.
const LOGIN_LIMIT: Duration = Duration::from_secs(60);
/// An empty line is sent after so long a silence of ours.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// After so long a silence of the server, which answers even empty lines, the connection is dead.
const SILENCE: Duration = Duration::from_secs(180);
/// How often stored matches are tried again.
pub(super) const CONTINUE_EVERY: Duration = Duration::from_secs(300);
/// A move that was sent is shown, or refused, within this.
const ECHO: Duration = Duration::from_secs(10);
/// A game that was asked for comes within this; each further try takes twice as long.
const ANSWER: Duration = Duration::from_secs(10);
/// The boards of a match come with its announcement. Our clock may run: they are asked for soon; each further try takes twice
/// as long.
pub(super) const FIRST_BOARD: Duration = Duration::from_secs(3);
/// So often before a match without a board is broken off.
const BOARD_TRIES: u32 = 3;
/// The server ends a game of a silent player a few seconds after his clock; then it is not going on any more.
const GRACE: Duration = Duration::from_secs(30);
/// How long late messages of an ended match are expected.
pub(super) const AFTERMATH: Duration = Duration::from_secs(10);

impl Client {
    pub(super) fn tick(&mut self, now: Moment) {
        match self.phase {
            Phase::Offline { retry } if now >= retry && !self.leaving => {
                self.phase = Phase::Connecting { since: now };
                self.act(Action::Connect);
            }
            Phase::Offline { .. } => {}
            Phase::Connecting { since } | Phase::LoggingIn { since, .. } => {
                if now >= since + LOGIN_LIMIT {
                    self.hang_up(now, "no login within a minute");
                }
            }
            Phase::Online { .. } if now >= self.heard + SILENCE => self.hang_up(now, "the server is silent"),
            Phase::Online { .. } => self.tick_online(now),
        }
    }

    fn tick_online(&mut self, now: Moment) {
        if now >= self.sent + KEEP_ALIVE {
            self.command(now, Command::Nothing);
        }
        while self.ended.front().is_some_and(|&(_, at)| now >= at + AFTERMATH) {
            self.ended.pop_front();
        }
        self.leave_if_idle(now);
        if let Service::Down { retry } = self.service {
            if now >= retry {
                self.service_up(now);
            }
            return;
        }
        self.check_games(now);
        self.requests.expire(now);
        if self.mode == Mode::Play && !self.leaving {
            if self.stored && self.has_room() && now >= self.next_continue {
                self.next_continue = now + CONTINUE_EVERY;
                self.os(now, OsCommand::Continue);
            }
            self.offer(now);
        }
    }

    /// Asks for games in which something that must come did not come.
    fn check_games(&mut self, now: Moment) {
        let mut asks: Vec<GameId> = Vec::new();
        for table in self.matches.values_mut().flat_map(|found| &mut found.tables) {
            let bidding = table.is_bidding();
            let due = match table.turn {
                Turn::Thinking { .. } => continue,
                // A bid is not shown before the other one has come.
                Turn::Sent { .. } if bidding => table.heard + table.patience + GRACE,
                Turn::Sent { at, .. } => at + ECHO,
                Turn::Asked { at } => at + ANSWER * 2u32.saturating_pow(table.asked.min(6)),
                Turn::Idle => table.heard + table.patience + GRACE,
            };
            if now >= due {
                table.asked += 1;
                table.heard = now;
                table.turn = Turn::Asked { at: now };
                asks.push(table.id);
            }
        }
        let mut boardless = Vec::new();
        for (&id, found) in &mut self.matches {
            if found.lacks_a_board() && now >= found.due {
                found.asked += 1;
                found.due = now + FIRST_BOARD * 2u32.saturating_pow(found.asked.min(8));
                asks.push(GameId::single(id));
                // Of a pair one game may have ended before we came.
                if found.asked > BOARD_TRIES && found.tables.is_empty() {
                    boardless.push(id);
                }
            }
        }
        for id in boardless {
            self.break_off(now, id, "its boards do not come, or cannot be read");
        }
        for game in asks {
            log::warn!("{game}: nothing heard, asking for the whole game");
            self.os(now, OsCommand::Moves(game));
        }
    }
}
