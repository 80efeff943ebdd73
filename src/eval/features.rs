//! From a position to the table rows of its features: one definition for the engine and the trainer.
//!
//! A feature's state is the number Σ digit·3^i over its squares, digit 0 = empty, 1 = mover, 2 = opponent. It is a sum over
//! the 8 ranks of the board of a number that depends on 8 squares of one side only, so the states of all features together
//! are 16 additions of vectors. For the moves of one position it takes fewer: each adds little to what they have in common.

#[cfg(target_arch = "x86_64")]
use super::kernel::WIDE_ROW;
use super::kernel::{LANES, Lanes, Sums, add_move, add_ranks};
use super::patterns::Pattern;
use crate::board::{Board, Square};

/// The most features of a position.
pub const MOST: usize = 128;

/// States of all features of a position; entries beyond [`Features::len`] are 0.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct States(pub [u16; MOST]);

impl States {
    /// Of an empty board.
    pub const ZERO: Self = Self([0; MOST]);
}

/// The features that belong to a list of patterns.
#[derive(Clone)]
pub struct Features {
    patterns: Vec<Pattern>,
    /// For each feature its pattern, and the first row of the pattern's table.
    instances: Vec<Instance>,
    /// For each group.
    sums: Vec<Sums>,
    /// For each group what one disc on each square adds: the powers of 3 of the features that look at it.
    squares: Vec<[Lanes; 64]>,
    /// From the row of a state to the number of the class of states that symmetry makes equal.
    classes: Vec<u32>,
    class_count: usize,
    /// Where in the table of rows of [`WIDE_ROW`] bytes each instance's rows begin, 0 beyond them.
    #[cfg(target_arch = "x86_64")]
    bases: Box<super::kernel::Offsets>,
}

/// One image of a pattern.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Index of the pattern.
    pub pattern: usize,
    /// Row of the pattern's state 0; the patterns' tables lie one after the other.
    pub base: u32,
    /// The squares that it looks at, as a set.
    pub squares: u64,
}

impl Features {
    /// All images of the patterns; `None` if there are more than [`MOST`], or no pattern at all.
    pub fn new(patterns: Vec<Pattern>) -> Option<Self> {
        let (mut instances, mut orders) = (Vec::new(), Vec::new());
        let (mut classes, mut class_count, mut base) = (Vec::new(), 0, 0);
        for (number, pattern) in patterns.iter().enumerate() {
            let mut seen = Vec::new();
            let mut twins = Vec::new();
            for symmetry in 0..8 {
                let order = pattern.image(symmetry);
                let set = order.iter().fold(0, |set, square| set | square.bit());
                if set == pattern.squares().iter().fold(0, |set, square| set | square.bit()) {
                    // Where each digit goes when the shape is laid onto itself.
                    let place = |square| pattern.squares().iter().position(|&s| s == square);
                    twins.push(
                        order
                            .iter()
                            .filter_map(|&square| place(square))
                            .collect::<Vec<_>>(),
                    );
                }
                if !seen.contains(&set) {
                    seen.push(set);
                    instances.push(Instance {
                        pattern: number,
                        base,
                        squares: set,
                    });
                    orders.push(order);
                }
            }
            class_count += classify(pattern, &twins, class_count as u32, &mut classes);
            base += pattern.states() as u32;
        }
        if instances.is_empty() || instances.len() > MOST {
            return None;
        }
        let groups = instances.len().div_ceil(LANES);
        let mut sums = vec![[[Lanes([0; LANES]); 256]; 8]; groups];
        let mut squares = vec![[Lanes([0; LANES]); 64]; groups];
        for (feature, order) in orders.iter().enumerate() {
            let (group, lane) = (feature / LANES, feature % LANES);
            for (power, square) in order.iter().enumerate() {
                squares[group][square.index()].0[lane] = 3u16.pow(power as u32);
                let (rank, file) = (square.index() / 8, square.index() % 8);
                for byte in (0..256).filter(|byte| byte >> file & 1 == 1) {
                    sums[group][rank][byte].0[lane] += 3u16.pow(power as u32);
                }
            }
        }
        #[cfg(target_arch = "x86_64")]
        let bases = {
            let mut bases = Box::new(super::kernel::Offsets::ZERO);
            for (to, instance) in bases.0.iter_mut().zip(&instances) {
                *to = instance.base * WIDE_ROW;
            }
            bases
        };
        Some(Self {
            #[cfg(target_arch = "x86_64")]
            bases,
            patterns,
            instances,
            sums,
            squares,
            classes,
            class_count,
        })
    }

    /// The patterns.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The images, in the order of the states.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Number of features of a position.
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.instances.len()
    }

    /// Rows of all tables together: a row a state.
    pub fn rows(&self) -> usize {
        self.classes.len()
    }

    /// Classes of states that symmetry makes equal: these are what is trained and stored.
    pub fn classes(&self) -> usize {
        self.class_count
    }

    /// The class of a row.
    #[inline]
    pub fn class(&self, row: usize) -> usize {
        self.classes[row] as usize
    }

    /// Where the row of each feature begins in a table of rows of [`WIDE_ROW`] bytes.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn offsets_wide(&self, states: &States, offsets: &mut super::kernel::Offsets) {
        super::kernel::offsets_wide(&states.0, self.sums.len(), &self.bases, offsets);
    }

    /// The states of all features after a move that turns over `flips`. `before` are those of the position in which it is
    /// played, seen from the side that waits: of [`Board::pass`].
    #[inline(always)]
    pub(super) fn states_after(&self, before: &States, square: Square, flips: u64, states: &mut States) {
        let groups = states.0.as_chunks_mut::<LANES>().0.iter_mut();
        let groups = groups.zip(before.0.as_chunks::<LANES>().0);
        for ((states, before), squares) in groups.zip(&self.squares) {
            *states = add_move(before, squares, square, flips);
        }
    }

    /// The states of all features of a position.
    #[inline]
    pub fn states(&self, board: Board) -> States {
        let mut states = States::ZERO;
        let (mine, theirs) = (board.mover.to_le_bytes(), board.opponent.to_le_bytes());
        for (sums, states) in self.sums.iter().zip(states.0.as_chunks_mut::<LANES>().0) {
            *states = add_ranks(sums, mine, theirs);
        }
        states
    }
}

/// Appends the class of each state of a pattern; returns the number of classes. `twins` are, for each symmetry that lays the
/// pattern onto itself, what its digits count after it.
fn classify(pattern: &Pattern, twins: &[Vec<usize>], first: u32, classes: &mut Vec<u32>) -> usize {
    let n = pattern.squares().len();
    let start = classes.len();
    let mut found = 0;
    for state in 0..pattern.states() {
        let mut digits = [0usize; super::patterns::MOST_SQUARES];
        let mut rest = state;
        for digit in &mut digits[..n] {
            (*digit, rest) = (rest % 3, rest / 3);
        }
        let least = twins
            .iter()
            .map(|places| {
                (0..n)
                    .map(|i| digits[i] * 3usize.pow(places[i] as u32))
                    .sum::<usize>()
            })
            .min()
            .unwrap_or(state);
        // The least twin comes first, so it has its class already.
        if least < state {
            classes.push(classes[start + least]);
        } else {
            classes.push(first + found);
            found += 1;
        }
    }
    found as usize
}

/// Rows beyond the patterns' classes, which every model has: the mobility of both sides and the number of empty squares.
pub mod extra {
    use super::Board;

    /// Mobilities of one side that are told apart; higher ones count as the highest.
    pub const MOBILITIES: usize = 32;
    /// Numbers of empty squares.
    pub const EMPTIES: usize = 61;
    /// All extra rows.
    pub const ROWS: usize = 2 * MOBILITIES + EMPTIES;

    /// The three extra rows of a position; `moves` are the mover's.
    #[inline]
    pub fn rows(board: Board, moves: u64) -> [usize; 3] {
        let mobility = |moves: u64| (moves.count_ones() as usize).min(MOBILITIES - 1);
        let empties = (board.empties() as usize).min(EMPTIES - 1);
        [
            mobility(moves),
            MOBILITIES + mobility(board.pass().moves()),
            2 * MOBILITIES + empties,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Squares;
    use crate::eval::kernel::add_ranks_portably;
    use crate::eval::patterns::{self, image};
    use proptest::prelude::*;
    use std::sync::LazyLock;

    fn turned(board: Board, symmetry: u8) -> Board {
        let turn = |set| Squares(set).fold(0, |set, square| set | image(square, symmetry).bit());
        Board {
            mover: turn(board.mover),
            opponent: turn(board.opponent),
        }
    }

    /// The classes of a position in ascending order, digit by digit.
    fn slow(features: &Features, board: Board) -> Vec<usize> {
        let mut classes = Vec::new();
        let mut base = 0;
        for pattern in features.patterns() {
            let mut seen = Vec::new();
            for symmetry in 0..8 {
                let order: Vec<Square> = pattern.squares().iter().map(|&s| image(s, symmetry)).collect();
                let set = order.iter().fold(0, |set, square| set | square.bit());
                if seen.contains(&set) {
                    continue;
                }
                seen.push(set);
                let digit = |s: &Square| {
                    usize::from(board.mover & s.bit() != 0) + 2 * usize::from(board.opponent & s.bit() != 0)
                };
                let state = order
                    .iter()
                    .rev()
                    .fold(0, |state, square| 3 * state + digit(square));
                classes.push(features.class(base + state));
            }
            base += pattern.states();
        }
        classes.sort_unstable();
        classes
    }

    fn fast(features: &Features, board: Board) -> Vec<usize> {
        let states = features.states(board);
        let rows = features.instances().iter().zip(states.0);
        let mut classes: Vec<usize> = rows
            .map(|(i, state)| features.class(i.base as usize + usize::from(state)))
            .collect();
        classes.sort_unstable();
        classes
    }

    #[test]
    fn the_sets_have_the_features_of_their_names() {
        for (name, _) in patterns::SETS {
            let features = Features::new(patterns::list(name).unwrap()).unwrap();
            assert!(
                name.ends_with(&features.len().to_string()),
                "{name}: {}",
                features.len()
            );
        }
    }

    static ALL: LazyLock<Vec<Features>> = LazyLock::new(|| {
        let sets = patterns::SETS.iter();
        sets.map(|(name, _)| Features::new(patterns::list(name).unwrap()).unwrap())
            .collect()
    });

    proptest! {
        #[test]
        fn states_are_right_and_know_no_direction(a: u64, b: u64, symmetry in 0u8..8) {
            let board = Board { mover: a & !b, opponent: b & !a };
            for features in ALL.iter() {
                let classes = fast(features, board);
                prop_assert_eq!(&classes, &slow(features, board));
                prop_assert_eq!(&classes, &fast(features, turned(board, symmetry)));
                let (mine, theirs) = (board.mover.to_le_bytes(), board.opponent.to_le_bytes());
                let plain = add_ranks_portably(&features.sums[0], mine, theirs);
                prop_assert_eq!(&features.states(board).0[..LANES], &plain);
                let before = features.states(board.pass());
                for square in Squares(board.moves()) {
                    let flips = board.flips(square);
                    let mut after = States::ZERO;
                    features.states_after(&before, square, flips, &mut after);
                    prop_assert_eq!(after.0, features.states(board.after(square, flips)).0);
                }
            }
        }
    }
}
