//! Which requests are accepted.

use super::config::{Unplayable, in_order, logins, playable};
use outflank_protocol::clock::{ClockSetting, ClockTime};
use outflank_protocol::ggs::{Request, RequestKind};
use outflank_protocol::match_type::{MatchType, Start};
use serde::{Deserialize, Deserializer};

/// The rules of acceptance. Everything must hold.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Accept {
    /// Types of match. A type without a number of discs (`s8r`) stands for all numbers, one without a colour for both.
    #[serde(deserialize_with = "types")]
    pub types: Vec<MatchType>,
    /// Shortest and longest main time of ours.
    #[serde(deserialize_with = "range")]
    pub main: [ClockTime; 2],
    /// Smallest and largest increment of ours for a move.
    #[serde(deserialize_with = "range")]
    pub increment: [ClockTime; 2],
    /// Whether rated or unrated matches are wanted.
    pub rated: Wanted,
    /// Rated matches only: lowest and highest rating of the opponent.
    #[serde(deserialize_with = "ratings")]
    pub rating: [f64; 2],
    /// Only from these players, if there are any in the list.
    #[serde(deserialize_with = "logins")]
    pub only_from: Vec<String>,
    /// Not from these players.
    #[serde(deserialize_with = "logins")]
    pub not_from: Vec<String>,
    /// Whether requests that name nobody are accepted too.
    pub global: bool,
}

/// Whether rated or unrated matches are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// Both.
    Both,
    /// Rated ones and those of tournaments.
    Rated,
    /// Unrated ones.
    Unrated,
}

impl Default for Accept {
    fn default() -> Self {
        let minutes = |minutes: i64| ClockTime::seconds(minutes * 60);
        Self {
            types: ["8", "s8", "s8r", "8k", "8kr"]
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect(),
            main: [minutes(1), minutes(60)],
            increment: [ClockTime::seconds(0), minutes(1)],
            rated: Wanted::Both,
            rating: [0.0, 1e6],
            only_from: Vec::new(),
            not_from: Vec::new(),
            global: false,
        }
    }
}

fn types<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<MatchType>, D::Error> {
    let words = Vec::<String>::deserialize(from)?;
    let types = words.iter().map(|word| wanted_type(word));
    types.collect::<Result<_, _>>().map_err(serde::de::Error::custom)
}

/// A type of match that can be accepted.
fn wanted_type(word: &str) -> Result<MatchType, String> {
    let wanted: MatchType = word.parse().map_err(|error| format!("{error}"))?;
    let example = match wanted.start {
        Start::Random(None) => MatchType {
            start: Start::Random(Some(4)),
            ..wanted
        },
        _ => wanted,
    };
    let fault = |fault: Unplayable| format!("type {wanted}: {fault}");
    playable(&example).map_err(fault)?;
    Ok(wanted)
}

fn range<'de, D: Deserializer<'de>>(from: D) -> Result<[ClockTime; 2], D::Error> {
    let [low, high] = <[String; 2]>::deserialize(from)?;
    let time = |text: String| text.parse().map_err(serde::de::Error::custom);
    let (low, high) = (time(low)?, time(high)?);
    if low < ClockTime::seconds(0) {
        return Err(serde::de::Error::custom(format!("{low} is negative")));
    }
    in_order([low, high])
}

fn ratings<'de, D: Deserializer<'de>>(from: D) -> Result<[f64; 2], D::Error> {
    in_order(<[f64; 2]>::deserialize(from)?)
}

/// Why a request is declined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// This program cannot play it.
    #[error("{0}")]
    Unplayable(Unplayable),
    /// Its type is not in the list.
    #[error("type {0} is not wanted")]
    Type(MatchType),
    /// Our main time.
    #[error("main time {0} is out of range")]
    Main(ClockTime),
    /// Our increment.
    #[error("increment {0} is out of range")]
    Increment(ClockTime),
    /// A part of our clock counts moves in a way that is not understood.
    #[error("the clock counts moves")]
    MovesInClock,
    /// Rated, and should not be, or the other way round.
    #[error("rated or unrated is not wanted")]
    Rated,
    /// The opponent's rating.
    #[error("rating {0} is out of range")]
    Rating(String),
    /// The opponent.
    #[error("requests of {0} are not accepted")]
    Opponent(String),
    /// Nobody was named.
    #[error("requests to everybody are not accepted")]
    Global,
}

impl Accept {
    /// Whether `request`, whose asker is somebody else, is to be accepted.
    ///
    /// # Errors
    /// Says why not.
    pub fn check(&self, request: &Request) -> Result<(), Refusal> {
        let from = &request.asker.name;
        if self.not_from.contains(from) || !(self.only_from.is_empty() || self.only_from.contains(from)) {
            return Err(Refusal::Opponent(from.clone()));
        }
        // What was begun is to be finished, whatever the rules say today.
        if request.kind == RequestKind::Stored {
            return playable(&request.match_type).map_err(Refusal::Unplayable);
        }
        if request.asked.is_none() && !self.global {
            return Err(Refusal::Global);
        }
        playable(&request.match_type).map_err(Refusal::Unplayable)?;
        if !self
            .types
            .iter()
            .any(|wanted| covers(wanted, &request.match_type))
        {
            return Err(Refusal::Type(request.match_type));
        }
        let rated = request.kind != RequestKind::Unrated;
        match self.rated {
            Wanted::Rated if !rated => return Err(Refusal::Rated),
            Wanted::Unrated if rated => return Err(Refusal::Rated),
            _ => {}
        }
        let rating = request.asker.rating;
        let [lowest, highest] = self.rating;
        if rated && !(lowest..=highest).contains(&rating) {
            return Err(Refusal::Rating(format!("{rating:.0}")));
        }
        self.check_clock(&request.asked_clock.unwrap_or(request.clock))
    }

    fn check_clock(&self, clock: &ClockSetting) -> Result<(), Refusal> {
        let [shortest, longest] = self.main;
        let main = clock.main.map_or(ClockTime::seconds(0), |part| part.time);
        if !(shortest..=longest).contains(&main) {
            return Err(Refusal::Main(main));
        }
        let increment = clock.increment.map_or(ClockTime::seconds(0), |part| part.time);
        let [smallest, largest] = self.increment;
        if !(smallest..=largest).contains(&increment) {
            return Err(Refusal::Increment(increment));
        }
        // An increment for several moves and an extension that is renewed were never seen in use.
        let counts = |part: Option<outflank_protocol::clock::ClockPart>, usual: u32| {
            part.and_then(|part| part.moves)
                .is_some_and(|moves| moves > usual)
        };
        if counts(clock.increment, 1) || counts(clock.extension, 0) {
            return Err(Refusal::MovesInClock);
        }
        Ok(())
    }

    /// The formula by which the service itself declines what this program cannot play: other boards and anti games. The
    /// service refuses such a request at once, with a reason; the finer rules are applied here.
    pub const DECLINE_FORMULA: &str = "((size != 8) | anti)";
}

/// Whether the type in the list stands for this one.
fn covers(wanted: &MatchType, found: &MatchType) -> bool {
    let start = match (wanted.start, found.start) {
        (Start::Random(None), Start::Random(_)) => true,
        (wanted, found) => wanted == found,
    };
    start
        && (wanted.synchro, wanted.board, wanted.komi, wanted.anti)
            == (found.synchro, found.board, found.komi, found.anti)
        // The letter is the asker's wish: `b` leaves White to us, so that the list names our own colour's opposite.
        && (wanted.color.is_none() || wanted.color == found.color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_protocol::ggs::{Event, Message, Os};

    fn request(text: &str) -> Request {
        match Event::parse(&Message::new(format!("/os: + .2 {text}"))) {
            Event::Os(Os::Requested(request)) => request,
            other => panic!("{other:?}"),
        }
    }

    fn check(accept: &Accept, text: &str) -> Result<(), Refusal> {
        accept.check(&request(text))
    }

    #[test]
    fn the_default_takes_every_type_that_is_played() {
        let accept = Accept::default();
        for kind in ["8", "8b", "8w", "s8", "s8r20", "s8r5", "8k", "8kr14"] {
            let text = format!("1720.0 alice 05:00//02:00 {kind} R 1720.0 me");
            assert_eq!(check(&accept, &text), Ok(()), "{kind}");
        }
        for kind in ["8a", "s8a", "10", "88", "8ba"] {
            let text = format!("1720.0 alice 05:00//02:00 {kind} R 1720.0 me");
            assert!(
                matches!(check(&accept, &text), Err(Refusal::Unplayable(_))),
                "{kind}"
            );
        }
    }

    #[test]
    fn every_rule_counts() {
        let accept = Accept {
            types: vec!["s8r20".parse().unwrap(), "8b".parse().unwrap()],
            main: [ClockTime::seconds(60), ClockTime::seconds(600)],
            increment: [ClockTime::seconds(0), ClockTime::seconds(10)],
            rated: Wanted::Rated,
            rating: [1500.0, 2500.0],
            not_from: vec!["bully".into()],
            ..Accept::default()
        };
        let good = "1720.0 alice 05:00//02:00 s8r20 R 1720.0 me";
        assert_eq!(check(&accept, good), Ok(()));
        let fails = |from: &str, to: &str| check(&accept, &good.replace(from, to)).unwrap_err();
        assert!(matches!(fails("s8r20", "s8r18"), Refusal::Type(_)));
        assert!(matches!(fails("s8r20", "8"), Refusal::Type(_)));
        assert_eq!(check(&accept, &good.replace("s8r20", "8b")), Ok(()));
        assert!(matches!(fails("05:00", "00:30"), Refusal::Main(_)));
        assert!(matches!(fails("05:00", "11:00"), Refusal::Main(_)));
        assert!(matches!(fails("//", "/00:11/"), Refusal::Increment(_)));
        assert!(matches!(fails("//", "/00:05,3/"), Refusal::MovesInClock));
        assert!(matches!(fails("02:00", "02:00,5"), Refusal::MovesInClock));
        assert!(matches!(fails(" R ", " U "), Refusal::Rated));
        assert!(matches!(
            fails("1720.0 alice", "2600.0 alice"),
            Refusal::Rating(_)
        ));
        assert!(matches!(fails("alice", "bully"), Refusal::Opponent(_)));
        assert!(matches!(fails("1720.0 me", "* *"), Refusal::Global));
        // Our clock is the one that counts.
        assert_eq!(check(&accept, &format!("{good} 02:00//02:00")), Ok(()));
        assert!(check(&accept, &format!("{good} 00:10//02:00")).is_err());
        // A stored match goes on.
        assert_eq!(
            check(&accept, "1720.0 alice 00:05//02:00 8 S 1720.0 me .19"),
            Ok(())
        );
        let only = Accept {
            only_from: vec!["carl".into()],
            ..Accept::default()
        };
        assert!(matches!(check(&only, good), Err(Refusal::Opponent(_))));
    }
}
