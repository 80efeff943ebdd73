//! A player's clock in one game, as the server keeps it.

use outflank_protocol::clock::{ClockPart, ClockSetting, ClockTime};
use outflank_protocol::ggs::{RunningClock, RunningPart};
use std::time::Duration;

/// What a charge did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charged {
    /// Nothing special.
    Fine,
    /// The main time was overrun: the win is gone.
    Soft,
    /// Everything is gone.
    Fatal,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameClock {
    setting: ClockSetting,
    /// Milliseconds; negative after an overrun that the extension did not make up for.
    pub left: i64,
    made: u32,
    counted: u32,
    pub extended: bool,
}

fn millis(part: Option<ClockPart>) -> i64 {
    part.map_or(0, |part| part.time.as_millis())
}

impl GameClock {
    pub fn new(setting: ClockSetting) -> Self {
        Self {
            setting,
            left: millis(setting.main),
            made: 0,
            counted: 0,
            extended: false,
        }
    }

    /// Everything that a silent player has.
    pub fn all(&self) -> Duration {
        let more = if self.extended {
            0
        } else {
            millis(self.setting.extension)
        };
        ClockTime::millis(self.left.max(0) + more).duration()
    }

    /// Charges a move.
    pub fn charge(&mut self, spent: Duration) -> Charged {
        let spent = spent.as_millis() as i64;
        self.left -= spent;
        let mut charged = Charged::Fine;
        let main = self.setting.main.unwrap_or(ClockPart::seconds(0));
        if self.left < 0 {
            if self.extended {
                return Charged::Fatal;
            }
            let extension = self.setting.extension;
            let counts_moves = main.moves.is_some_and(|moves| moves > 0);
            if !main.neutral && (millis(extension) == 0 || counts_moves) {
                return Charged::Fatal;
            }
            self.extend();
            if self.left < 0 {
                return Charged::Fatal;
            }
            if !main.neutral {
                charged = Charged::Soft;
            }
        }
        self.made += 1;
        if !self.extended {
            self.counted += 1;
        }
        if let Some(increment) = self.setting.increment
            && self.made.is_multiple_of(increment.moves.unwrap_or(1).max(1))
        {
            let given = increment.time.as_millis();
            self.left += if increment.neutral {
                given.min(spent)
            } else {
                given
            };
        }
        if !self.extended && main.moves.is_some_and(|moves| moves > 0 && self.made == moves) {
            self.extend();
        }
        charged
    }

    fn extend(&mut self) {
        self.extended = true;
        if let Some(extension) = self.setting.extension {
            let time = extension.time.as_millis();
            self.left = if extension.neutral { time } else { self.left + time };
        }
    }

    /// As it is printed, after it has run for a time.
    pub fn shown(&self, running: Duration) -> RunningClock {
        let left = self.left - running.as_millis() as i64;
        let part = |part: ClockPart, left: i64, usual: u32| RunningPart {
            // Cut off towards zero.
            time: ClockTime::seconds(left / 1000),
            neutral: part.neutral,
            made: self.counted,
            per: part.moves.unwrap_or(usual),
        };
        let rest = |kept: Option<ClockPart>, usual| kept.map(|kept| part(kept, kept.time.as_millis(), usual));
        RunningClock {
            main: part(self.setting.main.unwrap_or(ClockPart::seconds(0)), left, 0),
            increment: rest(self.setting.increment, 1),
            extension: rest(self.setting.extension, 0),
        }
    }

    pub fn setting(&self) -> ClockSetting {
        self.setting
    }
}

#[test]
fn an_overrun_costs_the_win_and_the_extension_is_added() {
    let mut clock = GameClock::new("0:05//5:00".parse().unwrap());
    assert_eq!(clock.charge(Duration::from_secs(6)), Charged::Soft);
    assert_eq!(clock.left, 299_000);
    assert_eq!(clock.shown(Duration::ZERO).to_string(), "04:59,0:0//05:00,0:0");
    assert_eq!(clock.charge(Duration::from_secs(300)), Charged::Fatal);
    let mut bare = GameClock::new("0:05//0".parse().unwrap());
    assert_eq!(bare.charge(Duration::from_secs(6)), Charged::Fatal);
    let mut neutral = GameClock::new("0:05,N0//5:00".parse().unwrap());
    assert_eq!(neutral.charge(Duration::from_secs(6)), Charged::Fine);
    let mut set = GameClock::new("0:05//5:00,N0".parse().unwrap());
    assert_eq!(set.charge(Duration::from_secs(6)), Charged::Soft);
    assert_eq!(set.left, 300_000);
    let mut fast = GameClock::new("0:20/0:01/0:20".parse().unwrap());
    assert_eq!(fast.charge(Duration::from_millis(410)), Charged::Fine);
    assert_eq!(
        fast.shown(Duration::from_millis(1)).to_string(),
        "00:20,1:0/00:01,1:1/00:20,1:0"
    );
}
