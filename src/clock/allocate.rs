//! From what is left on the clock to what this move may use.

use super::Clock;
use std::time::Duration;

/// How long a move may be thought about, counted from the arrival of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration is begun after this.
    pub soft: Duration,
    /// The search is broken off at this.
    pub hard: Duration,
}

impl Budget {
    /// The same time for every move: all of it may be used.
    pub const fn per_move(time: Duration) -> Self {
        Self {
            soft: time,
            hard: time,
        }
    }
}

/// Own moves near the end that cost almost nothing, since the game is solved by then.
const SOLVED_MOVES: u32 = 9;
/// The most of what is left that one move may take, in percent, while more moves follow.
const HARD_SHARE: u32 = 40;

/// Shares out the clock.
///
/// `own_moves` is the number of moves that the player still has to make, this one included (about half of the empty
/// squares); `overhead` is what each move costs outside the search: pipes, network, a busy machine.
///
/// The result obeys `soft <= hard <= remaining - overhead` (with `remaining` replaced by the extension once the main time is
/// gone), never shrinks when the clock grows, and may be zero: the search then answers after its first iteration.
pub fn allocate(clock: &Clock, own_moves: u32, overhead: Duration) -> Budget {
    let own_moves = own_moves.max(1);
    let moves = clock.moves_to_go.map_or(own_moves, |n| n.clamp(1, own_moves));
    let bank = if clock.remaining > overhead {
        clock.remaining
    } else {
        clock.extension
    };
    // What may be spent at all on this move.
    let available = bank.saturating_sub(overhead);
    // Every later move costs its overhead too, less what the increment gives back.
    let later = overhead.saturating_sub(clock.increment) * (moves - 1);
    let plannable = available.saturating_sub(later);
    // The last moves are solved in no time; the time is for the others.
    let shares = if moves > SOLVED_MOVES {
        moves - SOLVED_MOVES + 2
    } else {
        moves.min(3)
    };
    let share = plannable / shares + clock.increment * 4 / 5;
    let ceiling = if moves == 1 {
        available
    } else {
        plannable * HARD_SHARE / 100 + clock.increment * 4 / 5
    };
    let ceiling = ceiling.min(available);
    let hard = (share * 5 / 2).min(ceiling);
    Budget {
        soft: (share * 6 / 10).min(hard),
        hard,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Control;
    use proptest::prelude::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clocks() -> impl Strategy<Value = Clock> {
        (
            0..20_000_000u64,
            0..60_000u64,
            0..600_000u64,
            proptest::option::of(0..40u32),
        )
            .prop_map(|(remaining, increment, extension, moves_to_go)| Clock {
                remaining: ms(remaining),
                increment: ms(increment),
                extension: ms(extension),
                moves_to_go,
            })
    }

    proptest! {
        #[test]
        fn stays_within_the_clock(clock in clocks(), moves in 0..40u32, overhead in 0..5_000u64) {
            let overhead = ms(overhead);
            let budget = allocate(&clock, moves, overhead);
            prop_assert!(budget.soft <= budget.hard);
            let bank = if clock.remaining > overhead { clock.remaining } else { clock.extension };
            prop_assert!(budget.hard <= bank.saturating_sub(overhead));
        }

        #[test]
        fn more_main_time_never_means_less(clock in clocks(), moves in 0..40u32, overhead in 0..5_000u64, more in 0..1_000_000u64) {
            let overhead = ms(overhead);
            // The change from main time to extension is a different regime.
            prop_assume!(clock.remaining > overhead);
            let less = allocate(&clock, moves, overhead);
            let more = allocate(&Clock { remaining: clock.remaining + ms(more), ..clock }, moves, overhead);
            prop_assert!(more.soft >= less.soft && more.hard >= less.hard);
        }

        #[test]
        fn a_whole_game_fits(main in 200..600_000u64, increment in 0..2_000u64) {
            // The worst case: every move takes its hard limit and the overhead on top.
            let overhead = ms(3);
            let mut clock = Control { main: ms(main), increment: ms(increment), extension: ms(0) }.start();
            for own_moves in (1..=30).rev() {
                let spent = allocate(&clock, own_moves, overhead).hard + overhead;
                prop_assert!(spent <= clock.remaining, "{own_moves} moves to go, {clock:?}");
                clock = clock.after_move(spent);
            }
        }
    }

    #[test]
    fn increment_and_extension_are_counted() {
        let control = Control {
            main: ms(1000),
            increment: ms(100),
            extension: ms(5000),
        };
        let clock = control.start().after_move(ms(1500));
        assert_eq!(clock.remaining, ms(100));
        assert_eq!(clock.extension, ms(4500));
    }

    #[test]
    fn the_extension_is_used_only_when_the_main_time_is_gone() {
        let clock = Clock {
            remaining: ms(0),
            increment: ms(0),
            extension: ms(60_000),
            moves_to_go: None,
        };
        assert!(allocate(&clock, 20, ms(50)).hard > ms(1000));
        let clock = Clock {
            remaining: ms(2000),
            ..clock
        };
        assert!(allocate(&clock, 20, ms(50)).hard < ms(2000));
    }
}
