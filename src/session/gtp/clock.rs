//! The clocks of a GTP game.
//!
//! `time_settings MAIN PERIOD STONES` with a period of no length is one time for the whole game, else Canadian byo-yomi: once
//! the main time is used up, every `STONES` moves have a fresh period. A period without stones, or zeros throughout, are no
//! limit. Between two `time_left` the own searches are taken off.

use std::time::Duration;

use outflank_protocol::gtp::TimeSettings;

use crate::clock::Clock;
use crate::rules::Color;

/// What one player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// The main time runs.
    Main(Duration),
    /// The main time is used up: the rest of the present period, and the moves to make in it, at least 1.
    Period(Duration, u32),
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    settings: TimeSettings,
    /// By [`Color::index`]; `None` without a limit.
    left: [Option<Left>; 2],
}

/// `time_left` is in whole seconds: where our own count is as near as this, it is the finer one.
const ROUNDING: Duration = Duration::from_secs(1);

impl Clocks {
    /// New settings; both clocks start anew.
    pub fn set(&mut self, settings: TimeSettings) {
        self.settings = settings;
        self.restart();
    }

    /// A new game with the same settings.
    pub fn restart(&mut self) {
        let TimeSettings { main, period, stones } = self.settings;
        let unlimited = if period.is_zero() {
            main.is_zero()
        } else {
            stones == 0
        };
        let start = match (unlimited, main.is_zero()) {
            (true, _) => None,
            (false, true) => Some(Left::Period(period, stones)),
            (false, false) => Some(Left::Main(main)),
        };
        self.left = [start; 2];
    }

    /// `time_left`: `stones` is 0 while the main time runs.
    pub fn report(&mut self, color: Color, time: Duration, stones: u32) {
        let told = if stones == 0 {
            Left::Main(time)
        } else {
            Left::Period(time, stones)
        };
        let slot = self.slot(color);
        let keep = match (*slot, told) {
            (Some(Left::Main(own)), Left::Main(time)) => close(own, time),
            (Some(Left::Period(own, n)), Left::Period(time, stones)) => n == stones && close(own, time),
            _ => false,
        };
        if !keep {
            *slot = Some(told);
        }
    }

    /// A search for `color` took that long.
    pub fn spend(&mut self, color: Color, spent: Duration) {
        let TimeSettings { period, stones, .. } = self.settings;
        let slot = self.slot(color);
        *slot = slot.map(|left| match left {
            Left::Main(main) if spent <= main || period.is_zero() => Left::Main(main.saturating_sub(spent)),
            // The period began when the main time ran out, within this move.
            Left::Main(main) => after_move(period, stones, (period, stones), spent - main),
            Left::Period(time, moves) => after_move(time, moves, (period, stones), spent),
        });
    }

    /// The clock of `color`, who has still `own_moves` moves to make, as the time allocation knows clocks.
    pub fn clock(&self, color: Color, own_moves: u32) -> Option<Clock> {
        let TimeSettings { period, stones, .. } = self.settings;
        let periods = !period.is_zero() && stones > 0;
        let [black, white] = self.left;
        let left = if color == Color::Black { black } else { white };
        let (remaining, moves_to_go) = match left? {
            Left::Main(main) if periods => {
                // However long this move takes, a whole period follows the main time. What is aimed at is an even share of the
                // main time besides what each move has in a period.
                let bank = main + period;
                let each = main / own_moves.max(1) + period / stones;
                let moves = bank.as_nanos().div_ceil(each.as_nanos().max(1));
                (bank, Some(u32::try_from(moves).unwrap_or(u32::MAX).max(1)))
            }
            Left::Main(main) => (main, None),
            Left::Period(time, moves) => (time, Some(moves)),
        };
        Some(Clock {
            remaining,
            increment: Duration::ZERO,
            extension: Duration::ZERO,
            moves_to_go,
        })
    }

    fn slot(&mut self, color: Color) -> &mut Option<Left> {
        let [black, white] = &mut self.left;
        if color == Color::Black { black } else { white }
    }
}

/// Our count and a time in whole seconds may be the same clock.
fn close(own: Duration, told: Duration) -> bool {
    told.subsec_nanos() == 0 && own.abs_diff(told) < ROUNDING
}

/// What is left of a period after a move; after its last move a new one begins.
fn after_move(time: Duration, moves: u32, (period, stones): (Duration, u32), spent: Duration) -> Left {
    if moves <= 1 && stones > 0 {
        Left::Period(period, stones)
    } else {
        Left::Period(time.saturating_sub(spent), moves.saturating_sub(1).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::allocate;
    use proptest::prelude::*;

    const BLACK: Color = Color::Black;

    fn clocks(main: u64, period: u64, stones: u32) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(TimeSettings {
            main: Duration::from_secs(main),
            period: Duration::from_secs(period),
            stones,
        });
        clocks
    }

    /// Milliseconds left, and moves to go.
    fn left(clocks: &Clocks, own_moves: u32) -> Option<(u128, Option<u32>)> {
        let clock = clocks.clock(BLACK, own_moves)?;
        Some((clock.remaining.as_millis(), clock.moves_to_go))
    }

    #[test]
    fn one_time_for_the_game() {
        let mut clocks = clocks(300, 0, 0);
        assert_eq!(left(&clocks, 30), Some((300_000, None)));
        clocks.spend(BLACK, Duration::from_millis(1500));
        assert_eq!(left(&clocks, 30), Some((298_500, None)));
        // The same clock in whole seconds, then a different one.
        clocks.report(BLACK, Duration::from_secs(298), 0);
        assert_eq!(left(&clocks, 30), Some((298_500, None)));
        clocks.report(BLACK, Duration::from_secs(290), 0);
        assert_eq!(left(&clocks, 30), Some((290_000, None)));
        clocks.report(BLACK, Duration::from_millis(289_700), 0);
        assert_eq!(left(&clocks, 30), Some((289_700, None)));
        clocks.spend(BLACK, Duration::from_secs(1000));
        assert_eq!(left(&clocks, 30), Some((0, None)));
        assert_eq!(clocks.clock(Color::White, 30).unwrap().remaining.as_secs(), 300);
        clocks.restart();
        assert_eq!(left(&clocks, 30), Some((300_000, None)));
    }

    #[test]
    fn no_limit() {
        assert_eq!(left(&Clocks::default(), 30), None);
        assert_eq!(left(&clocks(0, 0, 0), 30), None);
        assert_eq!(left(&clocks(60, 10, 0), 30), None);
        let mut told = clocks(60, 10, 0);
        told.report(BLACK, Duration::from_secs(9), 0);
        assert_eq!(left(&told, 30), Some((9_000, None)));
    }

    #[test]
    fn periods() {
        let mut clocks = clocks(0, 10, 2);
        assert_eq!(left(&clocks, 30), Some((10_000, Some(2))));
        clocks.spend(BLACK, Duration::from_secs(4));
        assert_eq!(left(&clocks, 30), Some((6_000, Some(1))));
        clocks.spend(BLACK, Duration::from_secs(4));
        assert_eq!(left(&clocks, 30), Some((10_000, Some(2))));
        clocks.report(BLACK, Duration::from_secs(3), 1);
        assert_eq!(left(&clocks, 30), Some((3_000, Some(1))));
    }

    #[test]
    fn main_time_before_periods() {
        let mut clocks = clocks(60, 10, 2);
        // 70 seconds before a period can run out; aimed at are 2 + 5 seconds a move.
        assert_eq!(left(&clocks, 30), Some((70_000, Some(10))));
        clocks.spend(BLACK, Duration::from_secs(64));
        assert_eq!(left(&clocks, 29), Some((6_000, Some(1))));
    }

    proptest! {
        /// Playing by the allocation with a small delay, no period and no main time runs out.
        #[test]
        fn nobody_loses_on_time(main in 0u64..100, period in 0u64..30, stones in 0u32..10, empties in 1u32..61) {
            let settings = TimeSettings { main: Duration::from_secs(main), period: Duration::from_secs(period), stones };
            let mut clocks = Clocks::default();
            clocks.set(settings);
            let overhead = Duration::from_millis(20);
            let (mut main, mut rest) = (settings.main, None);
            for own_moves in (1..=empties.div_ceil(2)).rev() {
                let Some(clock) = clocks.clock(BLACK, own_moves) else { return Ok(()) };
                let spent = allocate(&clock, own_moves, overhead).hard;
                clocks.spend(BLACK, spent);
                // The referee's clock.
                let over = spent.saturating_sub(main);
                main = main.saturating_sub(spent);
                if !over.is_zero() || settings.main.is_zero() {
                    let (time, moves): (Duration, u32) = rest.unwrap_or((settings.period, stones));
                    prop_assert!(over <= time, "{over:?} of {time:?}");
                    rest = Some(if moves <= 1 { (settings.period, stones) } else { (time - over, moves - 1) });
                }
            }
        }
    }
}
