//! Requests: those of others are accepted or declined, and our own are made.

use super::action::Moment;
use super::client::{Client, Mode};
use super::config::StandingOffer;
use outflank_protocol::clock::ClockSetting;
use outflank_protocol::ggs::{MatchLine, Offer, OsCommand, Request, RequestId, RequestKind};
use std::collections::BTreeMap;
use std::time::Duration;

/// An accepted request becomes a match, or is gone, within this.
const DECISION: Duration = Duration::from_secs(20);
/// Requests of which the clocks are remembered until their match begins.
const REMEMBERED: usize = 64;

/// What is known of pending requests.
#[derive(Debug)]
pub(super) struct Requests {
    /// When each standing offer is made next.
    offers: Vec<Moment>,
    /// Our own pending requests.
    own: BTreeMap<RequestId, Request>,
    /// Requests of others that we accepted, and when.
    accepted: BTreeMap<RequestId, (Moment, Request)>,
}

impl Requests {
    pub fn new(offers: usize) -> Self {
        Self {
            offers: vec![Moment::ZERO; offers],
            own: BTreeMap::new(),
            accepted: BTreeMap::new(),
        }
    }

    /// After a login or a restart of the service all requests are gone.
    pub fn clear(&mut self) {
        self.own.clear();
        self.accepted.clear();
    }

    pub fn len(&self) -> usize {
        self.own.len() + self.accepted.len()
    }

    pub fn withdrawn(&mut self, request: &Request) {
        self.gone(request.id);
    }

    pub fn gone(&mut self, id: RequestId) {
        self.own.remove(&id);
        self.accepted.remove(&id);
    }

    /// Forgets acceptances that came to nothing.
    pub fn expire(&mut self, now: Moment) {
        self.accepted.retain(|_, (at, _)| now < *at + DECISION);
    }

    /// The clocks that were asked for in the request that became this match, in the order of its players.
    pub fn clocks_of(&self, line: &MatchLine) -> [Option<ClockSetting>; 2] {
        let accepted = self.accepted.values().map(|(_, request)| request);
        let found = self.own.values().chain(accepted).find(|request| {
            let among = |name: &str| line.players.iter().any(|player| player.name == name);
            let same = |wanted: outflank_protocol::MatchType| outflank_protocol::MatchType {
                color: None,
                ..wanted
            };
            among(&request.asker.name)
                && request.asked.as_ref().is_none_or(|asked| among(&asked.name))
                && same(request.match_type) == same(line.match_type)
        });
        let Some(request) = found.filter(|request| request.kind != RequestKind::Stored) else {
            return [None, None];
        };
        line.players.each_ref().map(|player| {
            Some(if player.name == request.asker.name {
                request.clock
            } else {
                request.asked_clock.unwrap_or(request.clock)
            })
        })
    }

    /// An own request of this kind is pending.
    fn is_pending(&self, offer: &StandingOffer) -> bool {
        self.own.values().any(|request| {
            request.match_type == offer.match_type
                && request.asked.as_ref().map(|asked| &asked.name) == offer.opponent.as_ref()
        })
    }
}

impl Client {
    /// There is room for one match more than are in progress or on the way.
    pub(super) fn has_room(&self) -> bool {
        !self.leaving && self.playing() + self.requests.accepted.len() < self.config.play.slots()
    }

    /// There is a new request.
    pub(super) fn requested(&mut self, now: Moment, request: Request) {
        let me = &self.config.login;
        if request.asker.name == *me {
            if self.requests.own.len() < REMEMBERED {
                self.requests.own.insert(request.id, request);
            }
            return;
        }
        let to_us = match &request.asked {
            Some(asked) => asked.name == *me,
            None => false,
        };
        if !to_us && request.asked.is_some() {
            return;
        }
        let id = request.id;
        let wish = self.config.accept.check(&request);
        match wish {
            Ok(()) if self.mode == Mode::Play && self.has_room() => {
                log::info!("accepting {request}");
                self.requests.accepted.insert(id, (now, request));
                self.os(now, OsCommand::Accept(id));
            }
            Ok(()) if !to_us => {}
            Ok(()) => {
                log::info!("no room for {request}");
                self.os(now, OsCommand::Decline(id));
            }
            Err(why) if to_us => {
                log::info!("declining {request}: {why}");
                self.os(now, OsCommand::Decline(id));
            }
            Err(_) => {}
        }
    }

    /// Makes the standing offers whose time has come, if there is room.
    pub(super) fn offer(&mut self, now: Moment) {
        for index in 0..self.config.offers.len() {
            if !self.has_room() {
                return;
            }
            let (Some(offer), Some(next)) =
                (self.config.offers.get(index), self.requests.offers.get_mut(index))
            else {
                continue;
            };
            if now < *next {
                continue;
            }
            // Whatever becomes of it, no sooner than this.
            *next = now + offer.every;
            if self.requests.is_pending(offer) {
                continue;
            }
            let ask = OsCommand::Ask(Offer {
                match_type: offer.match_type,
                clock: Some(offer.clock),
                opponent_clock: None,
                opponent: offer.opponent.clone(),
            });
            self.os(now, ask);
        }
    }
}
