//! Multi-ProbCut: a shallow search tells, with a known error, what a deep one would say (M. Buro, "ProbCut: an effective
//! selective extension of the alpha-beta algorithm", 1995; Multi-ProbCut, 1997).

use super::Selectivity;

/// Plies from which a cut is tried.
pub const MIN_DEPTH: u32 = 4;
/// Empty squares from which a cut is tried when solving.
pub const MIN_EMPTIES: u32 = 13;

const DEPTHS: usize = 61;

/// The depth of the shallow search that stands for one of `depth` plies: about 0.4 of it, of the same parity, since scores of
/// odd and even depths differ.
pub const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 5) + (depth & 1)
}

/// How far the score of a deep search strays from that of a shallower one: parameters of a fit.
///
/// The standard deviation in discs is `exp(base + empties * e + ln(1 + depth) * d + ln(1 + shallow) * s)`, once for midgame
/// searches and once for solving (`depth` = empties).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    /// base, e, d, s of midgame searches.
    pub midgame: [f32; 4],
    /// base, e, d, s of searches to the end.
    pub endgame: [f32; 4],
}

impl ErrorModel {
    /// A first guess for the hand-made evaluation.
    pub const HAND_MADE: Self = Self {
        midgame: [1.1, 0.0, 0.35, -0.25],
        endgame: [1.9, -0.01, 0.2, -0.2],
    };

    /// Standard deviation, in discs, of the difference between searches of `depth` and `shallow` plies at `empties` empty
    /// squares.
    pub fn deviation(&self, empties: u32, depth: u32, shallow: u32) -> f32 {
        let [base, e, d, s] = if depth >= empties {
            self.endgame
        } else {
            self.midgame
        };
        let ln = |plies: u32| (1.0 + plies as f32).ln();
        (base + e * empties as f32 + d * ln(depth) + s * ln(shallow)).exp()
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
        let table = |shallow: fn(u32) -> u32| {
            let mut table = Box::new([[0.0; DEPTHS]; 61]);
            for (empties, row) in table.iter_mut().enumerate() {
                for (depth, cell) in row.iter_mut().enumerate() {
                    let depth = depth as u32;
                    *cell = 100.0 * model.deviation(empties as u32, depth, shallow(depth));
                }
            }
            table
        };
        Self {
            shallow: table(shallow_depth),
            still: table(|_| 0),
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
