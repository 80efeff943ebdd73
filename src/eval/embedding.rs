//! The shallow quadratic embedding: each feature looks up a row of small integers; the rows are summed, and squares and
//! values of the sum are read out with factors that depend on the number of empty squares.

use super::features::{Features, States, extra};
use super::weights::{DISCS, Weights};
use super::{LIMIT, kernel};
use crate::board::{Board, Square};
use crate::memory::prefer_large_pages;

/// An embedding ready for use.
pub struct Embedding {
    name: String,
    features: Features,
    width: usize,
    /// Which table serves for each number of empty squares.
    serving: [u8; extra::EMPTIES],
    tables: Vec<Table>,
    heads: Vec<Head>,
    /// The processor has AVX-512 (F and BW).
    #[cfg(target_arch = "x86_64")]
    wide_vectors: bool,
}

struct Table {
    /// A row for each state of each pattern.
    rows: Vec<i8>,
    extra: Vec<i16>,
}

/// The linear part of a head sees no more than this much of the sum, so that its total fits 32 bits.
pub const LINEAR_LIMIT: i16 = 4 * kernel::ONE - 1;

/// A head in whole numbers.
#[repr(align(64))]
struct Head {
    squared: [i16; kernel::WIDEST],
    linear: [i16; kernel::WIDEST],
    /// Centidiscs.
    bias: i32,
    /// Centidiscs of one unit of the sum, times 2^40.
    unit: i64,
}

impl Head {
    fn new(head: &super::weights::Head) -> Self {
        let largest = |factors: &[f32]| {
            factors
                .iter()
                .fold(1e-6f32, |most, factor| most.max(factor.abs()))
        };
        // A square (of 0..=255, halved: at most 32512) times its factor, and 1023 times the linear factor, summed over the
        // row, stay within 2^30 each.
        let most = (1 << 30) / (kernel::WIDEST as i32 * 32512);
        let scale = (most as f32 / largest(&head.squared)).min(32767.0 / (128.0 * largest(&head.linear)));
        let mut whole = Self {
            squared: [0; kernel::WIDEST],
            linear: [0; kernel::WIDEST],
            bias: (head.bias * DISCS * 100.0).round() as i32,
            unit: (DISCS as f64 * 100.0 / (32768.0 * scale as f64) * (1u64 << 40) as f64).round() as i64,
        };
        for (whole, factor) in whole.squared.iter_mut().zip(&head.squared) {
            *whole = (factor * scale).round() as i16;
        }
        for (whole, factor) in whole.linear.iter_mut().zip(&head.linear) {
            *whole = (factor * scale * 128.0).round() as i16;
        }
        whole
    }

    /// Centidiscs.
    #[inline]
    fn read<const WIDTH: usize>(&self, sum: &[i16; WIDTH]) -> i32 {
        let total = kernel::read_out(sum, &self.squared, &self.linear);
        let score = i64::from(self.bias) + ((i64::from(total) * self.unit + (1 << 39)) >> 40);
        score.clamp(-i64::from(LIMIT), i64::from(LIMIT)) as i32
    }
}

/// Adds the rows that belong to no pattern.
#[inline(always)]
fn add_extra<const WIDTH: usize>(sum: &mut [i16; WIDTH], table: &Table, board: Board, moves: u64) {
    for row in extra::rows(board, moves) {
        for (sum, &number) in sum.iter_mut().zip(&table.extra[row * WIDTH..]) {
            *sum += number;
        }
    }
}

/// How a feature moves a score: see [`Embedding::explain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The squares looked at.
    pub squares: u64,
    /// What the score would lose without the feature's row, centidiscs.
    pub worth: i32,
}

impl Embedding {
    /// Makes weights of kind [`Kind::Embedding`] ready for use.
    pub(super) fn new(weights: Weights, features: Features) -> Self {
        let width = weights.width;
        let mut serving = [0; extra::EMPTIES];
        for (number, table) in weights.tables.iter().enumerate() {
            let from = usize::from(table.from).min(extra::EMPTIES - 1);
            serving[..=from].fill(number as u8);
        }
        let ready = |table: &super::weights::Table| {
            let mut rows = Vec::with_capacity(features.rows() * width);
            prefer_large_pages(rows.spare_capacity_mut());
            for row in 0..features.rows() {
                let class = features.class(row) * width;
                rows.extend(
                    table.rows[class..class + width]
                        .iter()
                        .map(|&number| number as i8),
                );
            }
            Table {
                rows,
                extra: table.extra.clone(),
            }
        };
        let tables = std::thread::scope(|scope| {
            let threads: Vec<_> = weights
                .tables
                .iter()
                .map(|table| scope.spawn(|| ready(table)))
                .collect();
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(table) => table,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        });
        Self {
            name: weights.name,
            width,
            serving,
            tables,
            heads: weights.heads.iter().map(Head::new).collect(),
            #[cfg(target_arch = "x86_64")]
            wide_vectors: is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
            features,
        }
    }

    /// The name of the weights.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The features of a position.
    pub(super) fn features(&self) -> &Features {
        &self.features
    }

    /// The score of a position for its mover, whose moves are `moves`, in centidiscs within ±[`LIMIT`].
    #[inline]
    pub fn evaluate(&self, board: Board, moves: u64) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.wide_vectors && self.width == 16 {
            // SAFETY: the processor has what the function needs.
            return unsafe { self.evaluate_wide(board, moves) };
        }
        self.evaluate_states(board, moves, &self.features.states(board))
    }

    /// The same for a position after a move: see [`Features::states_after`].
    #[inline]
    pub(super) fn evaluate_after(
        &self,
        board: Board,
        moves: u64,
        before: &States,
        square: Square,
        flips: u64,
    ) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.wide_vectors && self.width == 16 {
            // SAFETY: the processor has what the function needs.
            return unsafe { self.evaluate_after_wide(board, moves, before, square, flips) };
        }
        let mut states = States::ZERO;
        self.features.states_after(before, square, flips, &mut states);
        self.evaluate_states(board, moves, &states)
    }

    fn evaluate_states(&self, board: Board, moves: u64, states: &States) -> i32 {
        match self.width {
            8 => self.evaluate_as::<8>(board, moves, states),
            16 => self.evaluate_as::<16>(board, moves, states),
            _ => self.evaluate_as::<32>(board, moves, states),
        }
    }

    /// [`Embedding::evaluate`] for rows of 16 with registers of 512 bits.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn evaluate_wide(&self, board: Board, moves: u64) -> i32 {
        self.evaluate_states_wide(board, moves, &self.features.states(board))
    }

    /// [`Embedding::evaluate_after`] for rows of 16 with registers of 512 bits.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn evaluate_after_wide(
        &self,
        board: Board,
        moves: u64,
        before: &States,
        square: Square,
        flips: u64,
    ) -> i32 {
        let mut states = States::ZERO;
        self.features.states_after(before, square, flips, &mut states);
        self.evaluate_states_wide(board, moves, &states)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn evaluate_states_wide(&self, board: Board, moves: u64, states: &States) -> i32 {
        let mut offsets = kernel::Offsets::ZERO;
        self.features.offsets_wide(states, &mut offsets);
        let table = self.table(board);
        let mut sum = [0; 16];
        add_extra(&mut sum, table, board, moves);
        // SAFETY: as in `sum`: each offset is that of a row in the table.
        unsafe { kernel::add_rows_wide(&mut sum, table.rows.as_ptr(), &offsets.0[..self.features.len()]) };
        self.heads[(board.empties() as usize).min(extra::EMPTIES - 1)].read(&sum)
    }

    fn evaluate_as<const WIDTH: usize>(&self, board: Board, moves: u64, states: &States) -> i32 {
        let empties = (board.empties() as usize).min(extra::EMPTIES - 1);
        let sum = self.sum::<WIDTH>(board, moves, states);
        self.heads[empties].read(&sum)
    }

    #[inline]
    fn table(&self, board: Board) -> &Table {
        let empties = (board.empties() as usize).min(extra::EMPTIES - 1);
        &self.tables[usize::from(self.serving[empties])]
    }

    #[inline]
    fn sum<const WIDTH: usize>(&self, board: Board, moves: u64, states: &States) -> [i16; WIDTH] {
        let table = self.table(board);
        let mut sum = [0; WIDTH];
        add_extra(&mut sum, table, board, moves);
        let instances = self.features.instances().iter().zip(&states.0);
        let rows = instances.map(|(instance, &state)| {
            let at = (instance.base as usize + usize::from(state)) * WIDTH;
            debug_assert!(at + WIDTH <= table.rows.len());
            // SAFETY: a state is below the number of states of its pattern, whose table begins at `base`; all tables have
            // a row of WIDTH numbers for each state.
            unsafe { &*table.rows.as_ptr().add(at).cast::<[i8; WIDTH]>() }
        });
        kernel::add_rows(&mut sum, rows);
        sum
    }

    /// What each feature adds to the score of a position, those that weigh most first.
    pub fn explain(&self, board: Board) -> Vec<Share> {
        match self.width {
            8 => self.explain_as::<8>(board),
            16 => self.explain_as::<16>(board),
            _ => self.explain_as::<32>(board),
        }
    }

    fn explain_as<const WIDTH: usize>(&self, board: Board) -> Vec<Share> {
        let states = self.features.states(board);
        let sum = self.sum::<WIDTH>(board, board.moves(), &states);
        let head = &self.heads[(board.empties() as usize).min(extra::EMPTIES - 1)];
        let table = self.table(board);
        let mut shares: Vec<Share> = (self.features.instances().iter().zip(states.0))
            .map(|(instance, state)| {
                let at = (instance.base as usize + usize::from(state)) * WIDTH;
                let mut without = sum;
                for (sum, &number) in without.iter_mut().zip(&table.rows[at..]) {
                    *sum -= i16::from(number);
                }
                let worth = head.read(&sum) - head.read(&without);
                Share {
                    squares: instance.squares,
                    worth,
                }
            })
            .collect();
        shares.sort_by_key(|share| -share.worth.abs());
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Squares;
    use crate::eval::patterns::image;
    use crate::eval::weights::{Kind, tests::random};
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static ALL: LazyLock<Vec<Embedding>> = LazyLock::new(|| {
        let ready = |width| {
            let (weights, features) =
                Weights::from_bytes(&random(Kind::Embedding, width, 5).to_bytes()).unwrap();
            Embedding::new(weights, features)
        };
        [8, 16, 32].map(ready).into()
    });

    /// The definition in floating point.
    fn slow(weights: &Weights, features: &Features, board: Board) -> f64 {
        let states = features.states(board);
        let empties = board.empties().min(60) as usize;
        let covers = |table: &&crate::eval::weights::Table| usize::from(table.from) >= empties;
        let table = weights.tables.iter().rev().find(covers).unwrap();
        let mut sum = vec![0.0; weights.width];
        let rows = features
            .instances()
            .iter()
            .zip(states.0)
            .map(|(instance, state)| {
                &table.rows[features.class(instance.base as usize + usize::from(state)) * weights.width..]
            });
        for row in
            rows.chain(extra::rows(board, board.moves()).map(|row| &table.extra[row * weights.width..]))
        {
            for (sum, &number) in sum.iter_mut().zip(row) {
                *sum += f64::from(number) / 256.0;
            }
        }
        let head = &weights.heads[empties];
        let mut score = f64::from(head.bias);
        for (place, x) in sum.into_iter().enumerate() {
            score += f64::from(head.squared[place]) * x.clamp(0.0, 255.0 / 256.0).powi(2);
            score += f64::from(head.linear[place]) * x.clamp(-1023.0 / 256.0, 1023.0 / 256.0);
        }
        (score * 3200.0).clamp(-6400.0, 6400.0)
    }

    #[test]
    fn scores_are_those_of_the_definition() {
        let weights = random(Kind::Embedding, 16, 9);
        let (weights, features) = Weights::from_bytes(&weights.to_bytes()).unwrap();
        let embedding = Embedding::new(weights.clone(), features.clone());
        let mut board = Board::START;
        while !board.is_over() {
            if board.moves() != 0 {
                let exact = slow(&weights, &features, board);
                let score = f64::from(embedding.evaluate(board, board.moves()));
                assert!((score - exact).abs() < 10.0, "{score} {exact}");
                board = board.play(Squares(board.moves()).last().unwrap());
            } else {
                board = board.pass();
            }
        }
    }

    #[test]
    fn shares_are_sorted_by_weight() {
        let shares = ALL[1].explain(Board::START);
        assert_eq!(shares.len(), 20);
        assert!(
            shares
                .windows(2)
                .all(|pair| pair[0].worth.abs() >= pair[1].worth.abs())
        );
    }

    proptest! {
        #[test]
        fn wide_registers_give_the_same_score(a: u64, b: u64) {
            let board = Board { mover: a & !b, opponent: b & !a };
            // Where there are none, both are the same.
            let moves = board.moves();
            prop_assert_eq!(ALL[1].evaluate(board, moves), ALL[1].evaluate_as::<16>(board, moves, &ALL[1].features.states(board)));
        }

        #[test]
        fn images_of_a_position_have_the_same_score(a: u64, b: u64, symmetry in 0u8..8) {
            let board = Board { mover: a & !b, opponent: b & !a };
            let turn = |set| Squares(set).fold(0, |set, square| set | image(square, symmetry).bit());
            let turned = Board { mover: turn(board.mover), opponent: turn(board.opponent) };
            for embedding in ALL.iter() {
                let score = embedding.evaluate(board, board.moves());
                prop_assert_eq!(score, embedding.evaluate(turned, turned.moves()));
                prop_assert!(score.abs() <= LIMIT);
            }
        }
    }
}
