//! How long to think, on clocks as the server means them.
//!
//! Overrunning the main time costs the win: the extension is there to save what is left of a game, not to be thought in. It
//! is counted as time only where it costs nothing: if the main time is neutral (`N`), if the opponent has overrun before (only
//! the first one pays), or if it has begun already.

use crate::clock::{Budget, Clock, allocate};
use outflank_protocol::clock::ClockTime;
use outflank_protocol::ggs::RunningClock;
use std::time::Duration;

/// What a move costs beside the search, with times reported by ourselves: handing it over to the engine and back.
const OVERHEAD: Duration = Duration::from_millis(10);

/// Our clock in one game, more exact than it is shown: the display cuts off up to a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OwnClock {
    shown: RunningClock,
    /// Milliseconds left.
    left: i64,
    /// The main time has been overrun.
    extended: bool,
}

impl OwnClock {
    /// The clock as it is shown, when nothing is known of what came before.
    pub fn shown(clock: RunningClock, own_moves: u32) -> Self {
        Self {
            shown: clock,
            left: clock.main.time.as_millis(),
            extended: has_begun(&clock, own_moves),
        }
    }

    /// The clock is shown in the middle of the game, with moves that may not have been seen: what is known of it counts if it
    /// would be shown like this.
    pub fn shown_again(&mut self, clock: RunningClock, own_moves: u32) {
        let shown = clock.main.time.as_millis();
        if !(shown..shown + 1000).contains(&self.left) {
            self.left = shown;
        }
        self.shown = clock;
        self.extended |= has_begun(&clock, own_moves);
    }

    /// The clock is shown again, after `own_moves` moves of ours; the last of them has just been made if it `charged` seconds.
    pub fn update(&mut self, clock: RunningClock, own_moves: u32, charged: Option<f64>) {
        if let Some(seconds) = charged {
            self.left -= (seconds * 1000.0) as i64;
            if let Some(increment) = clock.increment
                && increment.per <= 1
            {
                self.left += increment.time.as_millis();
            }
        }
        self.shown = clock;
        self.extended |= has_begun(&clock, own_moves);
        let shown = clock.main.time.as_millis();
        self.left = self.left.clamp(shown, shown + 999);
    }

    /// The main time has been overrun.
    pub fn overrun(&mut self) {
        self.extended = true;
    }

    /// Time to think for one of `own_moves` moves that are to be made, this one included. `extension_is_free`: the opponent
    /// overran his main time before. `reserve` is left untouched.
    pub fn budget(&self, own_moves: u32, extension_is_free: bool, reserve: Duration) -> Budget {
        let main = self.shown.main;
        let extension = self.shown.extension.map_or(0, |part| part.time.as_millis());
        // What is shown as `00:00` may still be nearly a second.
        let running_out = !self.extended && main.time < ClockTime::seconds(0);
        let free = !self.extended && (main.neutral || extension_is_free);
        let bank = if running_out || free {
            self.left + extension
        } else {
            self.left
        };
        let increment = self
            .shown
            .increment
            .map_or(Duration::ZERO, |part| part.time.duration() / part.per.max(1));
        let clock = Clock {
            remaining: ClockTime::millis(bank).duration().saturating_sub(reserve),
            increment,
            // Already in the bank where it may be used.
            extension: Duration::ZERO,
            moves_to_go: (main.per > 0 && !self.extended).then(|| main.per.saturating_sub(main.made).max(1)),
        };
        allocate(&clock, own_moves, OVERHEAD)
    }
}

/// Whether the extension has begun: the counter of moves stands still from then on.
fn has_begun(clock: &RunningClock, own_moves: u32) -> bool {
    clock.main.made < own_moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RESERVE: Duration = Duration::from_millis(500);

    fn clock(text: &str) -> RunningClock {
        text.parse().unwrap()
    }

    fn hard(text: &str, free: bool) -> Duration {
        OwnClock::shown(clock(text), 0).budget(10, free, RESERVE).hard
    }

    #[test]
    fn the_extension_is_no_time_to_think_in() {
        let without = hard("05:00,0:0//", false);
        assert_eq!(hard("05:00,0:0//02:00,0:0", false), without);
        // Not even when the main time is nearly gone.
        assert_eq!(hard("00:00,0:0//02:00,0:0", false), Duration::ZERO);
        assert!(hard("-00:01,0:0//02:00,0:0", false) > Duration::from_secs(1));
        assert!(hard("00:01,0:0//02:00,0:0", false) < Duration::from_secs(1));
        let mut nearly = OwnClock::shown(clock("00:02,0:0//02:00,0:0"), 0);
        nearly.update(clock("00:00,1:0//02:00,0:0"), 1, Some(1.8));
        assert_eq!(nearly.budget(10, false, RESERVE).hard, Duration::ZERO);
    }

    #[test]
    fn where_it_costs_nothing_it_is() {
        let penalty = hard("00:10,0:0//02:00,0:0", false);
        assert!(hard("00:10,N0:0//02:00,0:0", false) > penalty * 3);
        assert!(hard("00:10,0:0//02:00,0:0", true) > penalty * 3);
        // Once it has begun, the display says all there is.
        let mut begun = OwnClock::shown(clock("01:50,12:0//02:00,12:0"), 14);
        assert!(begun.extended);
        let left = begun.budget(10, true, RESERVE).hard;
        assert!(left > Duration::from_secs(10) && left < Duration::from_secs(60));
        begun = OwnClock::shown(clock("01:50,12:0//02:00,12:0"), 12);
        assert!(!begun.extended);
        begun.update(clock("01:50,12:0//02:00,12:0"), 13, None);
        assert!(begun.extended);
        begun = OwnClock::shown(clock("01:50,12:0//02:00,12:0"), 12);
        begun.overrun();
        assert_eq!(begun.budget(10, true, RESERVE).hard, left);
    }

    #[test]
    fn hundredths_are_not_lost() {
        let mut own = OwnClock::shown(clock("00:05,0:0//"), 0);
        for made in 1..=8u32 {
            let left = 5000 - i64::from(made) * 300;
            own.update(clock(&format!("00:0{},{made}:0//", left / 1000)), made, Some(0.3));
            assert_eq!(own.left, left);
            // The opponent's move shows the same.
            own.update(clock(&format!("00:0{},{made}:0//", left / 1000)), made, None);
            assert_eq!(own.left, left);
        }
        // Or the whole game.
        for (shown, left) in [("00:02", 2600), ("00:01", 1000), ("00:03", 3000)] {
            let mut again = own;
            again.shown_again(clock(&format!("{shown},8:0//")), 8);
            assert_eq!(again.left, left);
        }
        // The server knows better.
        own.update(clock("00:01,9:0//"), 9, Some(0.3));
        assert_eq!(own.left, 1999);
    }

    #[test]
    fn moves_and_increments_are_counted() {
        let whole = hard("05:00,0:0//", false);
        assert!(hard("05:00,37:40//", false) > whole);
        assert!(hard("05:00,0:0/00:10,0:1/", false) > whole + Duration::from_secs(5));
        assert!(hard("05:00,0:0/00:10,0:10/", false) < whole + Duration::from_secs(5));
    }

    proptest! {
        /// A whole game in which every move takes all that is allowed, and a network that takes its share: the main time is
        /// never overrun.
        #[test]
        fn a_whole_game_fits(main in 5i64..1200, increment in 0i64..20, lag in 0u64..50) {
            let part = |seconds: i64, made| format!("{},{made}:0", ClockTime::seconds(seconds));
            let extension = part(120, 0);
            let step = if increment > 0 { format!("{},0:1", ClockTime::seconds(increment)) } else { String::new() };
            let mut left = Duration::from_secs(main as u64);
            let show = |left: Duration, made: u32| {
                clock(&format!("{}/{step}/{extension}", part(left.as_secs() as i64, made)))
            };
            let mut own = OwnClock::shown(show(left, 0), 0);
            for made in 0..30u32 {
                let spent = own.budget(30 - made, false, RESERVE).hard + Duration::from_millis(lag.min(9));
                // What is charged is rounded to hundredths.
                let charged = (spent.as_secs_f64() * 100.0).ceil() / 100.0;
                prop_assert!(charged <= left.as_secs_f64(), "move {made}: {charged} of {left:?}");
                left = left + Duration::from_secs(increment as u64) - Duration::from_secs_f64(charged);
                own.update(show(left, made + 1), made + 1, Some(charged));
            }
        }
    }
}
