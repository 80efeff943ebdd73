//! The linear pattern sum: each feature adds one number that depends on its state and the phase of the game.

use super::features::{Features, States, extra};
use super::weights::{DISCS, Kind, Weights};
use super::{LIMIT, Share};
use crate::board::{Board, Square};

/// Phases are this many plies long.
const PLIES: usize = 2;
const PHASES: usize = extra::EMPTIES.div_ceil(PLIES);
/// Steps in a centidisc.
const STEPS: i32 = 4;

/// A linear sum ready for use.
pub struct Linear {
    name: String,
    features: Features,
    phases: Vec<Phase>,
}

/// All numbers in 1/[`STEPS`] of a centidisc.
struct Phase {
    /// One for each state of each pattern.
    rows: Vec<i16>,
    extra: Vec<i16>,
    bias: i32,
}

impl Linear {
    /// Merges weights of kind [`Kind::Linear`]: rows times the head of the phase.
    pub(super) fn new(weights: Weights, features: Features) -> Self {
        let width = weights.width;
        let phases = (0..PHASES).map(|phase| {
            // The head in the middle of the phase.
            let empties = (phase * PLIES + PLIES / 2).min(extra::EMPTIES - 1);
            let head = &weights.heads[empties];
            let covers = |table: &&super::weights::Table| usize::from(table.from) >= empties;
            let table = weights
                .tables
                .iter()
                .rev()
                .find(covers)
                .unwrap_or(&weights.tables[0]);
            let unit = DISCS * 100.0 * STEPS as f32 / Kind::Linear.scale();
            let merge = |row: &[i16]| {
                let value: f32 = row.iter().zip(&head.linear).map(|(&n, u)| f32::from(n) * u).sum();
                (value * unit).round() as i16
            };
            let classes: Vec<i16> = table.rows.chunks_exact(width).map(merge).collect();
            Phase {
                rows: (0..features.rows())
                    .map(|row| classes[features.class(row)])
                    .collect(),
                extra: table.extra.chunks_exact(width).map(merge).collect(),
                bias: (head.bias * DISCS * 100.0 * STEPS as f32).round() as i32,
            }
        });
        Self {
            name: weights.name,
            phases: phases.collect(),
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
        let mut states = States::ZERO;
        self.features.states_after(before, square, flips, &mut states);
        self.evaluate_states(board, moves, &states)
    }

    #[inline]
    fn evaluate_states(&self, board: Board, moves: u64, states: &States) -> i32 {
        let phase = &self.phases[(board.empties() as usize / PLIES).min(PHASES - 1)];
        let mut sum = phase.bias;
        for row in extra::rows(board, moves) {
            sum += i32::from(phase.extra[row]);
        }
        for (instance, &state) in self.features.instances().iter().zip(&states.0) {
            sum += i32::from(phase.rows[instance.base as usize + usize::from(state)]);
        }
        ((sum + STEPS / 2) / STEPS).clamp(-LIMIT, LIMIT)
    }

    /// What each feature adds to the score of a position, those that weigh most first.
    pub fn explain(&self, board: Board) -> Vec<Share> {
        let phase = &self.phases[(board.empties() as usize / PLIES).min(PHASES - 1)];
        let states = self.features.states(board);
        let shares = self
            .features
            .instances()
            .iter()
            .zip(states.0)
            .map(|(instance, state)| Share {
                squares: instance.squares,
                worth: i32::from(phase.rows[instance.base as usize + usize::from(state)]) / STEPS,
            });
        let mut shares: Vec<Share> = shares.collect();
        shares.sort_by_key(|share| -share.worth.abs());
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Squares;
    use crate::eval::weights::tests::random;

    #[test]
    fn shares_add_up_to_the_score() {
        let (weights, features) = Weights::from_bytes(&random(Kind::Linear, 8, 4).to_bytes()).unwrap();
        let linear = Linear::new(weights, features);
        let mut board = Board::START;
        while board.empties() > 20 && board.moves() != 0 {
            let phase = &linear.phases[board.empties() as usize / PLIES];
            let others: i32 = phase.bias
                + extra::rows(board, board.moves())
                    .iter()
                    .map(|&row| i32::from(phase.extra[row]))
                    .sum::<i32>();
            let shares: i32 = linear.explain(board).iter().map(|share| share.worth).sum();
            let total = (shares + others / STEPS).clamp(-LIMIT, LIMIT);
            // Each share is cut to a whole centidisc.
            assert!((linear.evaluate(board, board.moves()) - total).abs() < 60);
            board = board.play(Squares(board.moves()).last().unwrap());
        }
    }
}
