//! Multi-ProbCut: a shallow search tells, with a known error, what a deep one would say (M. Buro, "ProbCut: an effective
//! selective extension of the alpha-beta algorithm", 1995; Multi-ProbCut, 1997).

use super::Selectivity;
use crate::eval::Evaluator;

/// Plies from which a cut is tried.
pub const MIN_DEPTH: u32 = 4;

const DEPTHS: usize = 61;

/// The depth of the shallow search that stands for one of `depth` plies. In the midgame it is about 0.4 of it; for a search to
/// the end (`depth` = empties) two plies, since there the error hardly falls with more of them. Always of the same parity,
/// since scores of odd and even depths differ.
pub const fn shallow_depth(empties: u32, depth: u32) -> u32 {
    let even = if depth < empties { 2 * (depth / 5) } else { 2 };
    even + (depth & 1)
}

/// How far the score of a deep search strays from that of a shallower one: parameters of a fit (`outflank probcut-fit`).
///
/// The standard deviation in discs is `exp(p0 + p1 x + p2 x^2 + p3 ln(1 + depth) + p4 ln(1 + shallow))` with
/// `x = empties / 60`. Static scores (`shallow` = 0) and searches to the end have parameters of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    /// Midgame searches: shallow search, static score.
    pub midgame: [[f32; 5]; 2],
    /// Searches to the end (`depth` = empties): shallow search, static score.
    pub endgame: [[f32; 5]; 2],
}

impl ErrorModel {
    /// Of the hand-made evaluation.
    pub const HAND_MADE: Self = Self {
        midgame: [
            [1.6940, -3.7487, 1.9364, 0.9893, -0.8381],
            [1.7777, -3.1679, 1.6526, 0.5824, 0.0],
        ],
        endgame: [
            [2.6835, 0.1926, 0.0, 0.0, -0.1230],
            [2.4620, 0.9917, 0.0, 0.0, 0.0],
        ],
    };

    /// Of a linear sum of the features of wide80.
    pub const LINEAR: Self = Self {
        midgame: [
            [0.7142, 0.9892, -1.8202, 0.7621, -0.7783],
            [0.7401, 1.1534, -1.8736, 0.5158, 0.0],
        ],
        endgame: [[2.4613, 0.0, 0.0, 0.0, -0.4693], [2.1487, 0.0, 0.0, 0.0, 0.0]],
    };

    /// Of the weights that are part of the program.
    pub const EMBEDDING: Self = Self {
        midgame: [
            [1.4365, -1.2480, 0.2666, 0.4901, -0.6654],
            [1.4694, -1.2353, 0.3391, 0.2928, 0.0],
        ],
        endgame: [[2.1122, 0.0, 0.0, 0.0, -0.3911], [1.9161, 0.0, 0.0, 0.0, 0.0]],
    };

    /// The model that belongs to an evaluation.
    pub fn of(evaluator: &Evaluator) -> &'static Self {
        match evaluator {
            Evaluator::HandMade => &Self::HAND_MADE,
            Evaluator::Linear(_) => &Self::LINEAR,
            Evaluator::Embedding(_) => &Self::EMBEDDING,
        }
    }

    /// The regressors of the logarithm of the deviation. Searches to the end can be sampled only where few squares are empty;
    /// a slope over so few would carry on to more as chance had it, so they have none.
    pub fn regressors(empties: u32, depth: u32, shallow: u32) -> [f32; 5] {
        let x = empties as f32 / 60.0;
        let ln = |plies: u32| (1.0 + plies as f32).ln();
        if depth >= empties {
            [1.0, 0.0, 0.0, 0.0, ln(shallow)]
        } else {
            [1.0, x, x * x, ln(depth), ln(shallow)]
        }
    }

    /// Standard deviation, in discs, of the difference between searches of `depth` and `shallow` plies at `empties` empty
    /// squares.
    pub fn deviation(&self, empties: u32, depth: u32, shallow: u32) -> f32 {
        let models = if depth >= empties {
            &self.endgame
        } else {
            &self.midgame
        };
        let model = models[usize::from(shallow == 0)];
        let terms = Self::regressors(empties, depth, shallow);
        model.iter().zip(terms).map(|(p, r)| p * r).sum::<f32>().exp()
    }
}

/// The error model as tables of centidiscs for the search.
pub struct Margins {
    /// [empties][depth]: error of [`shallow_depth`].
    shallow: Box<[[f32; DEPTHS]; 61]>,
    /// [empties][depth]: error of the static evaluation.
    still: Box<[[f32; DEPTHS]; 61]>,
}

impl Margins {
    /// Tabulates a model.
    pub fn new(model: &ErrorModel) -> Self {
        let table = |shallow: fn(u32, u32) -> u32| {
            let mut table = Box::new([[0.0; DEPTHS]; 61]);
            for (empties, row) in table.iter_mut().enumerate() {
                for (depth, cell) in row.iter_mut().enumerate() {
                    let depth = depth as u32;
                    *cell = 100.0 * model.deviation(empties as u32, depth, shallow(empties as u32, depth));
                }
            }
            table
        };
        Self {
            shallow: table(shallow_depth),
            still: table(|_, _| 0),
        }
    }

    /// (margin of the shallow search, margin within which the static evaluation must lie for it to be worth trying), in
    /// centidiscs; `None` if nothing may be pruned.
    #[inline]
    pub fn get(&self, empties: u32, depth: u32, selectivity: Selectivity) -> Option<(i32, i32)> {
        let t = selectivity.deviations()?;
        let (e, d) = ((empties as usize).min(60), (depth as usize).min(DEPTHS - 1));
        Some(((t * self.shallow[e][d]) as i32, (t * self.still[e][d]) as i32))
    }
}
