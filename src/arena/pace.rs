//! How long a player may think, and its running clock.

use super::span::Span;
use crate::clock::Clock;
use outflank_protocol::clock::{ClockPart, ClockSetting};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock for a whole game. Text form: `MAIN[+INCREMENT] [ext EXTENSION] [byo TIMExMOVES]`, e.g. `60+0.5`, `15m ext 2m`,
/// `5m byo 30sx5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// For all moves.
    pub main: Span,
    /// Added after each own move.
    pub increment: Span,
    /// GGS: added once when the main time is gone; who needs it can at best lose by two discs.
    pub extension: Span,
    /// Byo-yomi after the main time: each period lasts for so many moves. One move: a time for each move.
    pub byoyomi: Option<(Span, u32)>,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = |why: &str| {
            format!(
                "time control '{text}': {why} (form: MAIN[+INCREMENT] [ext TIME] [byo TIMExMOVES], e.g. 60+0.5)"
            )
        };
        let mut words = text.split_whitespace();
        let first = words.next().ok_or_else(|| bad("nothing there"))?;
        let (main, increment) = first.split_once('+').unwrap_or((first, "0"));
        let span = |word: &str| word.parse::<Span>().map_err(|e| bad(&e));
        let mut this = Self {
            main: span(main)?,
            increment: span(increment)?,
            extension: Span::default(),
            byoyomi: None,
        };
        while let Some(word) = words.next() {
            let value = words
                .next()
                .ok_or_else(|| bad(&format!("nothing after '{word}'")))?;
            match word {
                "ext" => this.extension = span(value)?,
                "byo" => {
                    let (time, moves) = value.split_once('x').unwrap_or((value, "1"));
                    let moves = moves.parse().ok().filter(|&n| n > 0);
                    this.byoyomi = Some((
                        span(time)?,
                        moves.ok_or_else(|| bad("moves must be a number above 0"))?,
                    ));
                }
                _ => return Err(bad(&format!("unknown word '{word}'"))),
            }
        }
        if this.main.0.is_zero() && this.byoyomi.is_none_or(|(time, _)| time.0.is_zero()) {
            return Err(bad("no time at all"));
        }
        Ok(this)
    }
}

impl TimeControl {
    /// As records have it; byo-yomi is left out. All three parts are written out, because a missing extension means two
    /// minutes.
    pub fn setting(&self) -> ClockSetting {
        let part = |span: Span| {
            Some(ClockPart {
                time: span.0.into(),
                moves: None,
                neutral: false,
            })
        };
        ClockSetting {
            main: part(self.main),
            increment: part(self.increment),
            extension: part(self.extension),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.main)?;
        if self.increment != Span::default() {
            write!(f, "+{}", self.increment)?;
        }
        if self.extension != Span::default() {
            write!(f, " ext {}", self.extension)?;
        }
        if let Some((time, moves)) = self.byoyomi {
            write!(f, " byo {time}x{moves}")?;
        }
        Ok(())
    }
}

/// The limits of one player; any set of them may hold together. None at all: the player thinks as long as it likes, up to
/// the time at which it counts as hanging.
///
/// Text form: parts with commas between them, each a [`TimeControl`], `TIME/move`, `depth N` or `nodes N`; or `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pace {
    /// A clock for the game.
    pub tc: Option<TimeControl>,
    /// The same time for every move.
    pub movetime: Option<Span>,
    /// Search depth in plies.
    pub depth: Option<u8>,
    /// Nodes of a move's search.
    pub nodes: Option<u64>,
}

impl Pace {
    /// No limit.
    pub const NONE: Self = Self {
        tc: None,
        movetime: None,
        depth: None,
        nodes: None,
    };

    /// Error if a clock and a time for each move are both given, or a limit is nothing.
    pub fn checked(self) -> Result<Self, String> {
        if self.tc.is_some() && self.movetime.is_some() {
            return Err("a time control and a time for each move exclude each other".into());
        }
        if self.movetime.is_some_and(|t| t.0.is_zero()) || self.depth == Some(0) || self.nodes == Some(0) {
            return Err("time for a move, depth and nodes must be above 0".into());
        }
        Ok(self)
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut this = Self::NONE;
        if text == "none" {
            return Ok(this);
        }
        for part in text.split(',').map(str::trim) {
            let number = |digits: &str| {
                digits
                    .trim()
                    .parse::<u64>()
                    .map_err(|_| format!("'{part}' has no whole number"))
            };
            let twice = if let Some(depth) = part.strip_prefix("depth ") {
                let depth = u8::try_from(number(depth)?).map_err(|_| format!("'{part}' is above 255"))?;
                this.depth.replace(depth).is_some()
            } else if let Some(nodes) = part.strip_prefix("nodes ") {
                this.nodes.replace(number(nodes)?).is_some()
            } else if let Some(time) = part.strip_suffix("/move") {
                this.movetime.replace(time.parse()?).is_some()
            } else {
                this.tc.replace(part.parse()?).is_some()
            };
            if twice {
                return Err(format!("'{text}' has the same kind of limit twice"));
            }
        }
        this.checked()
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.tc.map(|t| t.to_string()));
        parts.extend(self.movetime.map(|t| format!("{t}/move")));
        parts.extend(self.depth.map(|d| format!("depth {d}")));
        parts.extend(self.nodes.map(|n| format!("nodes {n}")));
        f.write_str(if parts.is_empty() { "none" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

impl Serialize for Pace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// A player's running clock in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    pace: Pace,
    /// Main time left.
    main: Duration,
    /// Extension left; has begun to be used once `extended`.
    extension: Duration,
    extended: bool,
    /// In byo-yomi: time left of the period and moves to make in it.
    period: Option<(Duration, u32)>,
}

/// What a move did to the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charged {
    /// In time.
    InTime,
    /// The main time is gone and the GGS extension has begun with this move: at best a loss by two discs.
    Extended,
    /// Too late by so much.
    Late(Duration),
}

impl GameClock {
    /// The clock at the start of a game.
    pub fn new(pace: Pace) -> Self {
        let (main, extension) = pace
            .tc
            .map_or_else(Default::default, |tc| (tc.main.0, tc.extension.0));
        Self {
            pace,
            main,
            extension,
            extended: false,
            period: None,
        }
    }

    /// The limits that it enforces.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Time until the move would come too late; none if the player has no time limit.
    pub fn allowance(&self) -> Option<Duration> {
        let Some(tc) = self.pace.tc else {
            return self.pace.movetime.map(|t| t.0);
        };
        Some(match (self.period, tc.byoyomi) {
            (Some((left, _)), _) => left,
            (None, Some((time, _))) => self.main + time.0,
            (None, None) => self.main + self.extension,
        })
    }

    /// Main time, or what is left of it; zero in byo-yomi.
    pub fn main(&self) -> Duration {
        self.main
    }

    /// The extension, or what is left of it.
    pub fn extension(&self) -> Duration {
        self.extension
    }

    /// In byo-yomi: time left of the period and moves to make in it.
    pub fn period(&self) -> Option<(Duration, u32)> {
        self.period
    }

    /// As the engine's own time allocation sees it; none without a clock for the game.
    pub fn view(&self) -> Option<Clock> {
        let tc = self.pace.tc?;
        let (remaining, moves_to_go) = match (self.period, tc.byoyomi) {
            (Some((left, moves)), _) => (left, Some(moves)),
            // However long the move takes, a whole period follows the main time.
            (None, Some((time, _))) => (self.main + time.0, None),
            (None, None) => (self.main, None),
        };
        Some(Clock {
            remaining,
            increment: tc.increment.0,
            extension: self.extension,
            moves_to_go,
        })
    }

    /// Charges a move. `margin` is forgiven: a move late by less counts as on the last instant.
    pub fn charge(&mut self, spent: Duration, margin: Duration) -> Charged {
        let Some(allowance) = self.allowance() else {
            return Charged::InTime;
        };
        if spent > allowance + margin {
            return Charged::Late(spent - allowance);
        }
        let Some(tc) = self.pace.tc else {
            return Charged::InTime;
        };
        let spent = spent.min(allowance);
        let over = spent.saturating_sub(self.main);
        let mut charged = Charged::InTime;
        if let Some((left, moves)) = self.period {
            self.period = Some((left - spent.min(left), moves));
        } else if let Some((time, moves)) = tc.byoyomi.filter(|_| !over.is_zero()) {
            self.main = Duration::ZERO;
            self.period = Some((time.0 - over.min(time.0), moves));
        } else {
            self.main = self.main.saturating_sub(spent);
            if !over.is_zero() {
                self.extension = self.extension.saturating_sub(over);
                if !std::mem::replace(&mut self.extended, true) {
                    charged = Charged::Extended;
                }
            }
        }
        match &mut self.period {
            Some((_, moves)) if *moves > 1 => *moves -= 1,
            Some(period) => {
                *period = tc
                    .byoyomi
                    .map_or((Duration::ZERO, 1), |(time, moves)| (time.0, moves))
            }
            None => self.main += tc.increment.0,
        }
        charged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Duration = Duration::ZERO;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(text: &str) -> GameClock {
        GameClock::new(Pace {
            tc: Some(text.parse().unwrap()),
            ..Pace::default()
        })
    }

    #[test]
    fn text_forms() {
        for text in ["60s+500ms", "15m ext 2m", "5m byo 30sx5", "1m+1s ext 2m"] {
            let text = text.replace("60s", "1m");
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!(
            "0.2+0.01".parse::<TimeControl>().unwrap().to_string(),
            "200ms+10ms"
        );
        for bad in ["", "x", "1+", "1 ext", "1 byo 2x0", "0", "1 foo 2", "0 byo 0"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
        for text in [
            "1m+1s ext 2m, depth 8",
            "100ms/move",
            "depth 3, nodes 1000",
            "none",
        ] {
            assert_eq!(text.parse::<Pace>().unwrap().to_string(), text);
        }
        for bad in [
            "",
            "0/move",
            "depth 0",
            "depth x",
            "depth 1, depth 2",
            "60, 1/move",
            "nodes 0",
            "depth 300",
        ] {
            assert!(bad.parse::<Pace>().is_err(), "{bad}");
        }
    }

    #[test]
    fn fischer() {
        let mut c = clock("1+0.1");
        assert_eq!(c.charge(ms(600), NONE), Charged::InTime);
        assert_eq!(c.allowance(), Some(ms(500)));
        assert_eq!(c.charge(ms(520), NONE), Charged::Late(ms(20)));
        assert_eq!(c.charge(ms(520), ms(20)), Charged::InTime);
        assert_eq!(c.allowance(), Some(ms(100)));
    }

    #[test]
    fn extension_begins_once() {
        let mut c = clock("5+0 ext 300");
        assert_eq!(c.charge(ms(6000), NONE), Charged::Extended);
        assert_eq!(c.allowance(), Some(ms(299_000)));
        assert_eq!(c.charge(ms(1000), NONE), Charged::InTime);
        assert_eq!(c.charge(ms(298_001), NONE), Charged::Late(ms(1)));
    }

    #[test]
    fn byoyomi_periods() {
        let mut c = clock("1 byo 2x2");
        assert_eq!(c.allowance(), Some(ms(3000)));
        assert_eq!(c.charge(ms(1500), NONE), Charged::InTime);
        assert_eq!(c.period(), Some((ms(1500), 1)));
        assert_eq!(c.charge(ms(1500), NONE), Charged::InTime);
        assert_eq!(c.period(), Some((ms(2000), 2)));
        assert_eq!(c.charge(ms(2001), NONE), Charged::Late(ms(1)));
    }

    #[test]
    fn per_move() {
        let mut c = GameClock::new(Pace {
            movetime: Some(Span::millis(10)),
            ..Pace::default()
        });
        for _ in 0..5 {
            assert_eq!(c.charge(ms(10), NONE), Charged::InTime);
        }
        assert_eq!(c.charge(ms(11), NONE), Charged::Late(ms(1)));
        assert_eq!(
            GameClock::new(Pace::default()).charge(ms(1 << 40), NONE),
            Charged::InTime
        );
    }
}
