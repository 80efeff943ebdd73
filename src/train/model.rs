//! One table of an evaluation with its heads in floating point, and one step of learning.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::fit::Plan;
use crate::eval::LINEAR_LIMIT;
use crate::eval::features::{Features, MOST, extra};
use crate::eval::weights::{Head, Kind, Table};

/// A row with the sums of its squared gradients (Adagrad), side by side because both are always needed.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Row<const W: usize> {
    weight: [f32; W],
    moment: [f32; W],
}

impl<const W: usize> Row<W> {
    /// Has anything been learned of it?
    fn is_known(&self) -> bool {
        self.weight != [0.0; W]
    }
}

/// A head's numbers in one list: `W` squared, `W` linear, the bias; with Adam's averages and the gradients not used yet.
#[derive(Clone)]
struct Reader<const W: usize> {
    factors: Factors<W>,
    mean: Factors<W>,
    square: Factors<W>,
    gradient: Factors<W>,
    /// Samples in `gradient`.
    pending: u32,
    steps: i32,
}

/// Plies over which what was learned fades out where no position was seen.
const FADED: usize = 8;

#[derive(Clone, Copy)]
struct Factors<const W: usize> {
    squared: [f32; W],
    linear: [f32; W],
    bias: f32,
}

impl<const W: usize> Factors<W> {
    const ZERO: Self = Self {
        squared: [0.0; W],
        linear: [0.0; W],
        bias: 0.0,
    };

    /// Shrinks all to what is left of it `plies` away from where it was learned: nothing from [`FADED`] on.
    fn fade(&mut self, plies: usize) {
        let share = 1.0 - plies.min(FADED) as f32 / FADED as f32;
        self.squared.iter_mut().for_each(|factor| *factor *= share);
        self.linear.iter_mut().for_each(|factor| *factor *= share);
        self.bias *= share;
    }

    fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.squared.iter().chain(&self.linear).chain([&self.bias])
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.squared
            .iter_mut()
            .chain(&mut self.linear)
            .chain([&mut self.bias])
    }
}

/// Rows that a position uses; those beyond `n` are not valid.
pub(super) struct Ids {
    ids: [u32; MOST + 3],
    n: usize,
}

/// Samples whose gradients make one step of a head.
const BATCH: u32 = 16;
/// First value of the sums of squared gradients.
const MOMENT: f32 = 0.01;
/// Step of the heads, as a share of the step of the rows.
const HEAD_RATE: f32 = 0.8;

/// A table and its heads while they learn.
pub(super) struct Model<const W: usize> {
    kind: Kind,
    classes: usize,
    rows: Vec<Row<W>>,
    /// Pull towards zero at each visit of a row.
    pull: Vec<f32>,
    heads: Vec<Reader<W>>,
}

/// Has the lines of `value` fetched while other work is done; only a matter of speed.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of::<T>().div_ceil(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch may name any address; this one is inside the value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *value).cast::<i8>().add(line * 64)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// 1/√x to 0.2 %, in operations that every machine does alike and a compiler can make vectors of.
#[inline(always)]
fn inverse_root(x: f32) -> f32 {
    let guess = f32::from_bits(0x5f37_59df - (x.to_bits() >> 1));
    guess * (1.5 - 0.5 * x * guess * guess)
}

impl<const W: usize> Model<W> {
    /// Zero rows and small random heads (embedding), or heads that interpolate over `window` (linear).
    pub(super) fn new(plan: &Plan, features: &Features, window: (u8, u8), visits: &[u32]) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
        let row = Row {
            weight: [0.0; W],
            moment: [MOMENT; W],
        };
        let mut rows = vec![row; features.classes() + extra::ROWS];
        let mut factors = Factors::<W>::ZERO;
        if plan.kind == Kind::Embedding {
            factors.squared.fill_with(|| rng.random_range(-0.3..0.3));
            factors.linear.fill_with(|| rng.random_range(-0.15..0.15));
            // The sum begins in the middle of the range in which its square counts.
            for row in &mut rows[features.classes() + 2 * extra::MOBILITIES..] {
                row.weight = [0.5; W];
            }
            factors.bias = -factors.squared.iter().map(|v| v * 0.25).sum::<f32>()
                - factors.linear.iter().map(|u| u * 0.5).sum::<f32>();
        }
        let heads = (0..extra::EMPTIES).map(|empties| {
            let mut factors = factors;
            if plan.kind == Kind::Linear {
                factors.linear = knots(empties as f32, window);
            }
            Reader {
                factors,
                mean: Factors::ZERO,
                square: Factors::ZERO,
                gradient: Factors::ZERO,
                pending: 0,
                steps: 0,
            }
        });
        let pull = visits
            .iter()
            .map(|&n| plan.penalty / n.max(1) as f32)
            .chain([0.0; extra::ROWS]);
        Self {
            kind: plan.kind,
            classes: features.classes(),
            heads: heads.collect(),
            pull: pull.collect(),
            rows,
        }
    }

    /// Takes over what a table and its heads learned before; nothing pulls that to zero any more.
    pub(super) fn start(&mut self, table: &Table, heads: &[Head]) {
        let scale = self.kind.scale();
        let known = table
            .rows
            .as_chunks::<W>()
            .0
            .iter()
            .chain(table.extra.as_chunks::<W>().0);
        let rows = self.rows.iter_mut().zip(&mut self.pull);
        for ((row, pull), known) in rows.zip(known) {
            row.weight = known.map(|whole| f32::from(whole) / scale);
            if row.is_known() {
                *pull = 0.0;
            }
        }
        // They never learn, and interpolate over the window of this table.
        if self.kind == Kind::Linear {
            return;
        }
        for (head, known) in self.heads.iter_mut().zip(heads) {
            let known = known.squared.iter().chain(&known.linear).chain([&known.bias]);
            for (factor, known) in head.factors.numbers_mut().zip(known) {
                *factor = *known;
            }
        }
    }

    /// Counts the squared gradients so far so many times, but for rows of which nothing is known.
    pub(super) fn repeat(&mut self, times: f32) {
        for row in self.rows.iter_mut().filter(|row| row.is_known()) {
            row.moment = row.moment.map(|moment| MOMENT + times * (moment - MOMENT));
        }
    }

    /// The rows of a position; they are fetched ahead of their use.
    #[inline]
    pub(super) fn ids(&self, features: &Features, board: crate::board::Board, ids: &mut Ids) {
        let states = features.states(board);
        for (id, (instance, &state)) in ids.ids.iter_mut().zip(features.instances().iter().zip(&states.0)) {
            *id = features.class(instance.base as usize + usize::from(state)) as u32;
        }
        ids.n = features.len();
        for row in extra::rows(board, board.moves()) {
            ids.ids[ids.n] = (self.classes + row) as u32;
            ids.n += 1;
        }
        for &id in &ids.ids[..ids.n] {
            prefetch(&self.rows[id as usize]);
        }
    }

    #[inline(always)]
    fn sum(&self, ids: &Ids, rounded: bool) -> [f32; W] {
        let mut sum = [0.0; W];
        let scale = self.kind.scale();
        for &id in &ids.ids[..ids.n] {
            let row = &self.rows[id as usize].weight;
            for (sum, &weight) in sum.iter_mut().zip(row) {
                *sum += if rounded {
                    (weight * scale).round_ties_even() / scale
                } else {
                    weight
                };
            }
        }
        sum
    }

    /// The limits within which the linear part of a head sees the sum.
    const fn limit(&self) -> f32 {
        match self.kind {
            Kind::Linear => f32::MAX,
            Kind::Embedding => LINEAR_LIMIT as f32 / Kind::Embedding.scale(),
        }
    }

    #[inline(always)]
    fn read(&self, empties: usize, sum: &[f32; W]) -> f32 {
        let factors = &self.heads[empties].factors;
        let limit = self.limit();
        let mut score = factors.bias;
        for (place, &x) in sum.iter().enumerate() {
            let clamped = x.clamp(0.0, 1.0);
            score +=
                factors.squared[place] * clamped * clamped + factors.linear[place] * x.clamp(-limit, limit);
        }
        score
    }

    /// Score of a position, in the units of the heads.
    pub(super) fn predict(&self, ids: &Ids, empties: usize, rounded: bool) -> f32 {
        self.read(empties, &self.sum(ids, rounded))
    }

    /// Learns from one position; returns the error before.
    #[inline]
    pub(super) fn learn(&mut self, ids: &Ids, empties: usize, target: f32, rate: f32, rounded: bool) -> f32 {
        let sum = self.sum(ids, rounded);
        let error = self.read(empties, &sum) - target;
        let limit = self.limit();
        let head = &mut self.heads[empties];
        let mut slope = [0.0; W];
        for (place, &x) in sum.iter().enumerate() {
            let clamped = x.clamp(0.0, 1.0);
            head.gradient.squared[place] += error * clamped * clamped;
            head.gradient.linear[place] += error * x.clamp(-limit, limit);
            let inside = if x > 0.0 && x < 1.0 {
                2.0 * clamped * head.factors.squared[place]
            } else {
                0.0
            };
            let along = if x.abs() < limit {
                head.factors.linear[place]
            } else {
                0.0
            };
            slope[place] = error * (inside + along);
        }
        head.gradient.bias += error;
        head.pending += 1;
        if head.pending == BATCH {
            if self.kind == Kind::Embedding {
                head.step(rate * HEAD_RATE);
            }
            head.gradient = Factors::ZERO;
            head.pending = 0;
        }
        let largest = f32::from(self.kind.largest()) / self.kind.scale();
        for &id in &ids.ids[..ids.n] {
            let (row, pull) = (&mut self.rows[id as usize], self.pull[id as usize]);
            for (place, &slope) in slope.iter().enumerate() {
                let moment = row.moment[place] + slope * slope;
                let step = rate * inverse_root(moment);
                // The pull is taken at the end of the step: however strong it is, it can't overshoot.
                let weight = (row.weight[place] - step * slope) / (1.0 + step * pull);
                row.moment[place] = moment;
                row.weight[place] = weight.clamp(-largest, largest);
            }
        }
        error
    }

    /// Numbers of empty squares that no position had (the first plies are never searched) get what the nearest one learned, the
    /// less of it the farther they are: what rows of other plies say there is little more than chance, and in the first plies
    /// neither side is ahead.
    pub(super) fn fill_gaps(&mut self, seen: &[bool; extra::EMPTIES]) {
        let first = self.classes + 2 * extra::MOBILITIES;
        for empties in (0..extra::EMPTIES).filter(|&empties| !seen[empties]) {
            let known = (0..extra::EMPTIES).filter(|&other| seen[other]);
            if let Some(nearest) = known.min_by_key(|other| other.abs_diff(empties)) {
                self.heads[empties] = self.heads[nearest].clone();
                self.heads[empties].factors.fade(nearest.abs_diff(empties));
                self.rows[first + empties] = self.rows[first + nearest];
            }
        }
    }

    /// The table from `from` on in whole numbers.
    pub(super) fn table(&self, from: u8) -> Table {
        let scale = self.kind.scale();
        let whole = |row: &Row<W>| row.weight.map(|weight| (weight * scale).round_ties_even() as i16);
        Table {
            from,
            rows: self.rows[..self.classes].iter().flat_map(whole).collect(),
            extra: self.rows[self.classes..].iter().flat_map(whole).collect(),
        }
    }

    /// The head for a number of empty squares.
    pub(super) fn head(&self, empties: usize) -> Head {
        let Factors {
            squared,
            linear,
            bias,
        } = &self.heads[empties].factors;
        Head {
            squared: squared.to_vec(),
            linear: linear.to_vec(),
            bias: *bias,
        }
    }

    /// Everything that learning changes, in a fixed order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        let rows = self
            .rows
            .iter()
            .flat_map(|row| row.weight.iter().chain(&row.moment).copied());
        let heads = self.heads.iter().flat_map(|head| {
            let parts = [&head.factors, &head.mean, &head.square, &head.gradient];
            let numbers = parts.into_iter().flat_map(|part| part.numbers().copied());
            numbers.chain([head.pending as f32, head.steps as f32])
        });
        rows.chain(heads)
    }

    /// Takes back what [`Model::numbers`] gave; false if there are too few.
    pub(super) fn restore(&mut self, mut numbers: impl Iterator<Item = f32>) -> bool {
        let mut next = |to: &mut f32| {
            numbers.next().is_some_and(|number| {
                *to = number;
                true
            })
        };
        let mut rows = self
            .rows
            .iter_mut()
            .flat_map(|row| row.weight.iter_mut().chain(&mut row.moment));
        if !rows.all(&mut next) {
            return false;
        }
        self.heads.iter_mut().all(|head| {
            let (mut pending, mut steps) = (0.0, 0.0);
            let parts = [
                &mut head.factors,
                &mut head.mean,
                &mut head.square,
                &mut head.gradient,
            ];
            let read = parts
                .into_iter()
                .flat_map(|part| part.numbers_mut())
                .all(&mut next)
                && next(&mut pending)
                && next(&mut steps);
            (head.pending, head.steps) = (pending as u32, steps as i32);
            read
        })
    }
}

impl<const W: usize> Reader<W> {
    /// One step of Adam.
    fn step(&mut self, rate: f32) {
        const KEEP: f32 = 0.9;
        const KEEP_SQUARE: f32 = 0.999;
        self.steps += 1;
        let (first, second) = (1.0 - KEEP.powi(self.steps), 1.0 - KEEP_SQUARE.powi(self.steps));
        let factors = self.factors.numbers_mut().zip(self.gradient.numbers());
        let averages = self.mean.numbers_mut().zip(self.square.numbers_mut());
        for ((factor, gradient), (mean, square)) in factors.zip(averages) {
            let gradient = gradient / BATCH as f32;
            *mean = KEEP * *mean + (1.0 - KEEP) * gradient;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * gradient * gradient;
            *factor -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
        }
    }
}

impl Ids {
    pub(super) const fn new() -> Self {
        Self {
            ids: [0; MOST + 3],
            n: 0,
        }
    }
}

/// Plies between two knots of a linear sum: the numbers of a row are the weights at the knots.
const KNOT: f32 = 4.0;

/// How much each knot counts at a number of empty squares.
fn knots<const W: usize>(empties: f32, (from, to): (u8, u8)) -> [f32; W] {
    let n = ((f32::from(from - to) / KNOT).round() + 1.0).clamp(2.0, W as f32);
    let at = ((empties - f32::from(to)) / f32::from(from - to) * (n - 1.0)).clamp(0.0, n - 1.0);
    std::array::from_fn(|knot| (1.0 - (at - knot as f32).abs()).max(0.0))
}
