//! Fitting weights to positions: each table of the game by itself, so that the tables share the threads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use super::games::Sample;
use super::model::{Ids, Model, prefetch};
use super::samples::Samples;
use crate::eval::features::{Features, extra};
use crate::eval::patterns::Pattern;
use crate::eval::weights::{DISCS, Head, Kind, Table, Weights};
use crate::files;

/// What is to be fitted, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name of the weights.
    pub name: String,
    /// Kind of evaluation.
    pub kind: Kind,
    /// Numbers a row: 8, 16 or 32.
    pub width: usize,
    /// Patterns.
    pub patterns: Vec<Pattern>,
    /// Empty squares from which on down each table serves, falling; the first is 60.
    pub tables: Vec<u8>,
    /// Passes over the positions.
    pub epochs: u32,
    /// Step of the rows; it falls along a cosine.
    pub rate: f32,
    /// Strength of the pull of each row to zero, in visits.
    pub penalty: f32,
    /// Share of the search's score in what is learned; the rest is the final score.
    pub mix: f32,
    /// Seed of the order and of the heads.
    pub seed: u64,
    /// Threads; more than there are tables are of no use.
    pub threads: usize,
}

impl Plan {
    /// Would weights of this plan have the form of these?
    fn fits(&self, weights: &Weights) -> bool {
        let tables = weights.tables.iter().map(|table| table.from);
        self.kind == weights.kind
            && self.width == weights.width
            && self.patterns == weights.patterns
            && self.tables.iter().copied().eq(tables)
    }
}

/// Plies beyond its own range from which a table learns too.
const OVERLAP: u8 = 3;
/// Positions over which the step rises to its full size.
const WARM_UP: f32 = 100_000.0;
/// The step at the end, as a share of the first.
const LAST_STEP: f32 = 0.02;

/// Which part of the positions, one of so many, tells how steep the slopes are before weights that were learned before are changed.
const MEASURED: usize = 4;
/// Such weights change as if each table had met so many positions before.
const EARLIER: f32 = 1e8;

/// Positions lie about in memory in another order than they are learned: they are fetched this many steps before.
const AHEAD: usize = 12;

/// News from a fit.
#[derive(Clone, Copy, Debug)]
pub struct News {
    /// Which table, from 0.
    pub table: usize,
    /// Passes finished, and how far the present one is, 0..=1.
    pub epoch: f32,
    /// Losses, after each finished pass.
    pub losses: Option<Losses>,
}

/// Mean squared errors in square discs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Against what was learned, before each step of the pass.
    pub train: f64,
    /// Of the held-out positions in the table's own range against the final score.
    pub held_out: f64,
    /// Mean absolute error of the same, in discs.
    pub held_out_absolute: f64,
}

/// Why a fit fails.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The plan makes no sense.
    #[error("{0}")]
    Plan(&'static str),
    /// A checkpoint couldn't be written or read.
    #[error("{}: {source}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// The features of a plan.
///
/// # Errors
/// If they are too many, or none.
pub fn features(patterns: &[Pattern]) -> Result<Features, FitError> {
    Features::new(patterns.to_vec()).ok_or(FitError::Plan("too many patterns, or none"))
}

/// Do these tables serve the whole game?
///
/// # Errors
/// If they don't.
pub fn check_tables(tables: &[u8]) -> Result<(), FitError> {
    let falling = tables.windows(2).all(|pair| pair[0] > pair[1]);
    match falling && tables.first() == Some(&60) {
        true => Ok(()),
        false => Err(FitError::Plan(
            "the tables must begin at 60 empty squares and fall",
        )),
    }
}

/// Fits weights, from zero or from `start`, which must have the kind, the width, the patterns and the tables of the plan. After each pass
/// over the positions the state goes to files that begin with `checkpoint`; a fit with the same plan goes on from there;
/// [`remove_checkpoints`] is for when they are needed no more.
///
/// # Errors
/// If the plan makes no sense or a checkpoint can't be written.
pub fn fit(
    plan: &Plan,
    start: Option<&Weights>,
    samples: &Samples,
    checkpoint: &Path,
    news: &(dyn Fn(News) + Sync),
) -> Result<Weights, FitError> {
    let features = features(&plan.patterns)?;
    check_tables(&plan.tables)?;
    if start.is_some_and(|start| !plan.fits(start)) {
        return Err(FitError::Plan("the weights to start from have another form"));
    }
    let digest = samples.digest() ^ start.map_or(0, |start| files::checksum(&start.to_bytes()));
    let job = |number| Job {
        plan,
        start,
        features: &features,
        samples,
        digest,
        checkpoint,
        news,
        number,
    };
    // All of them before any work, which would leave checkpoints of this fit beside those of another one.
    for number in 0..plan.tables.len() {
        job(number).checkpoint()?;
    }
    type Fitted = Result<(Table, Vec<Head>), FitError>;
    let results: Mutex<Vec<(usize, Fitted)>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.clamp(1, plan.tables.len()) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.tables.len() {
                        break;
                    }
                    let job = job(number);
                    let fitted = match plan.width {
                        8 => job.run::<8>(),
                        16 => job.run::<16>(),
                        32 => job.run::<32>(),
                        _ => Err(FitError::Plan("rows are 8, 16 or 32 wide")),
                    };
                    results
                        .lock()
                        .unwrap_or_else(|e| e.into_inner())
                        .push((number, fitted));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|e| e.into_inner());
    results.sort_by_key(|result| result.0);
    let mut tables = Vec::new();
    let mut heads = vec![None; extra::EMPTIES];
    for (number, fitted) in results {
        let (table, own) = fitted?;
        for (empties, head) in own.into_iter().enumerate() {
            if empties <= plan.tables[number].into() {
                heads[empties] = Some(head);
            }
        }
        tables.push(table);
    }
    let heads = heads.into_iter().flatten().collect();
    let name = plan.name.clone();
    Ok(Weights {
        name,
        kind: plan.kind,
        width: plan.width,
        patterns: plan.patterns.clone(),
        heads,
        tables,
    })
}

/// Removes the checkpoints of a fit, once its weights are where they belong.
pub fn remove_checkpoints(plan: &Plan, checkpoint: &Path) {
    for number in 0..plan.tables.len() {
        let _ = fs::remove_file(checkpoint_file(checkpoint, number));
    }
}

fn checkpoint_file(checkpoint: &Path, table: usize) -> PathBuf {
    let mut name = checkpoint.as_os_str().to_owned();
    name.push(format!(".{table}"));
    name.into()
}

/// The fit of one table.
struct Job<'a> {
    plan: &'a Plan,
    start: Option<&'a Weights>,
    features: &'a Features,
    samples: &'a Samples,
    /// Of the samples and the weights to start from.
    digest: u32,
    checkpoint: &'a Path,
    news: &'a (dyn Fn(News) + Sync),
    number: usize,
}

impl Job<'_> {
    fn run<const W: usize>(&self) -> Result<(Table, Vec<Head>), FitError> {
        let plan = self.plan;
        let from = plan.tables[self.number];
        let to = plan.tables.get(self.number + 1).map_or(0, |next| next + 1);
        let window = ((from + OVERLAP).min(60), to.saturating_sub(OVERLAP));
        let within = |sample: &Sample, (from, to): (u8, u8)| {
            (u32::from(to)..=u32::from(from)).contains(&sample.board.empties())
        };
        let train = &self.samples.train;
        let mut order: Vec<u32> = (0..train.len() as u32)
            .filter(|&i| within(&train[i as usize], window))
            .collect();
        let held_out: Vec<&Sample> = self
            .samples
            .held_out
            .iter()
            .filter(|s| within(s, (from, to)))
            .collect();

        let visits = self.visits(&order);
        let mut model = Model::<W>::new(plan, self.features, window, &visits);
        if let Some(start) = self.start {
            model.start(&start.tables[self.number], &start.heads);
        }
        let first = self.resume(&mut model)?;
        if self.start.is_some() && first == 0 {
            self.measure(&mut model, &order);
        }
        for epoch in 0..plan.epochs {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed + u64::from(epoch));
            order.sort_unstable();
            order.shuffle(&mut rng);
            if epoch < first {
                continue;
            }
            let train = self.pass(&mut model, &order, epoch);
            let (mut held_out_loss, mut absolute) = (0.0, 0.0);
            let mut ids = Ids::new();
            for sample in &held_out {
                model.ids(self.features, sample.board, &mut ids);
                let score = model.predict(&ids, sample.board.empties() as usize, true);
                let error = f64::from(score * DISCS - f32::from(sample.outcome));
                held_out_loss += error * error;
                absolute += error.abs();
            }
            let n = held_out.len().max(1) as f64;
            let losses = Losses {
                train,
                held_out: held_out_loss / n,
                held_out_absolute: absolute / n,
            };
            self.save(&model, epoch + 1)?;
            (self.news)(News {
                table: self.number,
                epoch: (epoch + 1) as f32,
                losses: Some(losses),
            });
        }
        // Weights to start from are without gaps.
        if self.start.is_none() {
            let mut seen = [false; extra::EMPTIES];
            for &index in &order {
                let empties = self.samples.train[index as usize].board.empties();
                seen[(empties as usize).min(extra::EMPTIES - 1)] = true;
            }
            model.fill_gaps(&seen);
        }
        Ok((
            model.table(from),
            (0..extra::EMPTIES).map(|empties| model.head(empties)).collect(),
        ))
    }

    /// How often each class occurs.
    fn visits(&self, order: &[u32]) -> Vec<u32> {
        let mut visits = vec![0; self.features.classes()];
        for &index in order {
            let states = self.features.states(self.samples.train[index as usize].board);
            for (instance, &state) in self.features.instances().iter().zip(&states.0) {
                visits[self.features.class(instance.base as usize + usize::from(state))] += 1;
            }
        }
        visits
    }

    /// Lets weights that were learned before see how steep the slopes are, so that they do not take the first steps for large ones.
    fn measure<const W: usize>(&self, model: &mut Model<W>, order: &[u32]) {
        let mut ids = Ids::new();
        for &index in order.iter().step_by(MEASURED) {
            let sample = &self.samples.train[index as usize];
            model.ids(self.features, sample.board, &mut ids);
            model.learn(
                &ids,
                sample.board.empties() as usize,
                self.target(sample),
                0.0,
                false,
            );
        }
        let measured = order.len().div_ceil(MEASURED).max(1);
        model.repeat((EARLIER / measured as f32).max(1.0));
    }

    /// What is learned of a position, in the units of the heads.
    fn target(&self, sample: &Sample) -> f32 {
        let search = f32::from(sample.search) / 100.0;
        (self.plan.mix * search + (1.0 - self.plan.mix) * f32::from(sample.outcome)) / DISCS
    }

    /// One pass over the positions; the last one sees the rows as they will be rounded. Returns the mean squared error.
    fn pass<const W: usize>(&self, model: &mut Model<W>, order: &[u32], epoch: u32) -> f64 {
        let plan = self.plan;
        let rounded = epoch + 1 == plan.epochs && plan.kind == Kind::Embedding;
        let all = (plan.epochs as usize * order.len()).max(1) as f32;
        let mut loss = 0.0;
        let mut ids = [Ids::new(), Ids::new()];
        let sample = |at: usize| &self.samples.train[order[at] as usize];
        if let Some(&first) = order.first() {
            model.ids(
                self.features,
                self.samples.train[first as usize].board,
                &mut ids[0],
            );
        }
        for at in 0..order.len() {
            // The rows of the next position travel while this one is learned, and later positions themselves.
            if at + AHEAD < order.len() {
                prefetch(sample(at + AHEAD));
            }
            if at + 1 < order.len() {
                model.ids(self.features, sample(at + 1).board, &mut ids[(at + 1) % 2]);
            }
            let done = (epoch as usize * order.len() + at) as f32;
            let cosine = 0.5 + 0.5 * (std::f32::consts::PI * done / all).cos();
            let rate = plan.rate * (LAST_STEP + (1.0 - LAST_STEP) * cosine) * (done / WARM_UP).min(1.0);
            let sample = sample(at);
            let empties = sample.board.empties() as usize;
            let error = model.learn(&ids[at % 2], empties, self.target(sample), rate, rounded);
            loss += f64::from(error * error);
            if at % (1 << 20) == (1 << 20) - 1 {
                let part = at as f32 / order.len() as f32;
                (self.news)(News {
                    table: self.number,
                    epoch: epoch as f32 + part,
                    losses: None,
                });
            }
        }
        loss / order.len().max(1) as f64 * f64::from(DISCS * DISCS)
    }

    /// Words that tell whether a checkpoint belongs to this fit.
    fn about(&self) -> String {
        format!(
            "{:?}; {} positions, {:08x}",
            Plan {
                threads: 0,
                ..self.plan.clone()
            },
            self.samples.train.len(),
            self.digest
        )
    }

    /// The checkpoint of this fit, behind the words that tell so; none if there is no file.
    fn checkpoint(&self) -> Result<Option<Vec<u8>>, FitError> {
        let path = checkpoint_file(self.checkpoint, self.number);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(FitError::Checkpoint { path, source }),
        };
        let about = self.about();
        if !bytes.starts_with(about.as_bytes()) {
            return Err(self.refused("is of another fit: remove it, or write the weights elsewhere"));
        }
        match bytes.split_last_chunk::<4>() {
            Some((body, sum)) if files::checksum(body) == u32::from_le_bytes(*sum) => {
                Ok(body.get(about.len()..).map(<[u8]>::to_vec))
            }
            _ => Err(self.damaged()),
        }
    }

    fn damaged(&self) -> FitError {
        self.refused("is damaged: remove it")
    }

    fn refused(&self, why: &str) -> FitError {
        FitError::Checkpoint {
            path: checkpoint_file(self.checkpoint, self.number),
            source: io::Error::other(format!("this checkpoint {why}")),
        }
    }

    /// Takes up a checkpoint of the same fit; returns the number of passes it has had.
    fn resume<const W: usize>(&self, model: &mut Model<W>) -> Result<u32, FitError> {
        let Some(bytes) = self.checkpoint()? else {
            return Ok(0);
        };
        let (epoch, numbers) = bytes.split_first_chunk::<4>().ok_or_else(|| self.damaged())?;
        let numbers = numbers
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes));
        match model.restore(numbers) {
            true => Ok(u32::from_le_bytes(*epoch)),
            false => Err(self.damaged()),
        }
    }

    fn save<const W: usize>(&self, model: &Model<W>, epochs: u32) -> Result<(), FitError> {
        let path = checkpoint_file(self.checkpoint, self.number);
        let mut bytes = self.about().into_bytes();
        bytes.extend(epochs.to_le_bytes());
        bytes.extend(model.numbers().flat_map(f32::to_le_bytes));
        bytes.extend(files::checksum(&bytes).to_le_bytes());
        files::replace(&path, &bytes).map_err(|source| FitError::Checkpoint { path, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_checkpoint_goes_on_with_its_own_fit_alone() {
        let plan = Plan {
            name: "test".into(),
            kind: Kind::Linear,
            width: 8,
            patterns: vec!["a1b1c1".parse().unwrap()],
            tables: vec![60],
            epochs: 2,
            rate: 0.01,
            penalty: 1.0,
            mix: 0.3,
            seed: 1,
            threads: 1,
        };
        let sample = Sample {
            board: Board::START,
            search: 100,
            outcome: 2,
        };
        let mut samples = Samples {
            train: vec![sample; 300],
            held_out: vec![sample; 10],
            ..Samples::default()
        };
        let path = std::env::temp_dir().join(format!("outflank-fit-{}", std::process::id()));
        let file = checkpoint_file(&path, 0);
        let kept = Mutex::new(Vec::new());
        let run_from = |start: Option<&Weights>, samples: &Samples| {
            let news = |_: News| *kept.lock().unwrap() = fs::read(&file).unwrap_or_default();
            let fitted = fit(&plan, start, samples, &path, &news);
            if fitted.is_ok() {
                remove_checkpoints(&plan, &path);
            }
            fitted
                .map(|weights| weights.to_bytes())
                .map_err(|error| match error {
                    FitError::Checkpoint { source, .. } => source.to_string(),
                    other => other.to_string(),
                })
        };
        let run = |samples: &Samples| run_from(None, samples);
        let whole = run(&samples).unwrap();
        assert!(!file.exists());
        let checkpoint = std::mem::take(&mut *kept.lock().unwrap());
        fs::write(&file, &checkpoint).unwrap();
        assert_eq!(run(&samples).unwrap(), whole);
        // From weights that were there before.
        let (start, _) = Weights::from_bytes(&whole).unwrap();
        fs::write(&file, &checkpoint).unwrap();
        assert!(
            run_from(Some(&start), &samples)
                .unwrap_err()
                .contains("of another fit")
        );
        for (place, byte) in [(checkpoint.len() - 9, 255), (checkpoint.len() - 1, 7)] {
            let mut damaged = checkpoint.clone();
            damaged[place] ^= byte;
            fs::write(&file, damaged).unwrap();
            assert!(run(&samples).unwrap_err().contains("damaged"));
        }
        fs::write(&file, &checkpoint[..checkpoint.len() - 1]).unwrap();
        assert!(run(&samples).unwrap_err().contains("damaged"));
        // The same positions with other labels.
        samples.train[7].search = -100;
        fs::write(&file, &checkpoint).unwrap();
        assert!(run(&samples).unwrap_err().contains("of another fit"));
        fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_fit_goes_on_from_weights() {
        let mut plan = Plan {
            name: "test".into(),
            kind: Kind::Embedding,
            width: 8,
            patterns: vec!["a1b1c1d1".parse().unwrap(), "c3d3e3f3".parse().unwrap()],
            tables: vec![60, 30],
            epochs: 2,
            rate: 0.01,
            penalty: 1.0,
            mix: 0.3,
            seed: 1,
            threads: 2,
        };
        let (mut board, mut train) = (Board::START, Vec::new());
        while !board.is_over() {
            let square = crate::board::Squares(board.moves()).last();
            let outcome = 2 * board.mover.count_ones() as i8 - 20;
            train.push(Sample {
                board,
                search: 0,
                outcome,
            });
            board = square.map_or(board.pass(), |square| board.play(square));
        }
        let samples = Samples {
            held_out: train.clone(),
            train: train.repeat(1000),
            ..Samples::default()
        };
        let path = std::env::temp_dir().join(format!("outflank-start-{}", std::process::id()));
        let losses = Mutex::new(Vec::new());
        let run = |plan: &Plan, start: Option<&Weights>| {
            losses.lock().unwrap().clear();
            let news = |news: News| {
                losses
                    .lock()
                    .unwrap()
                    .extend(news.losses.map(|losses| losses.train))
            };
            let fitted = fit(plan, start, &samples, &path, &news);
            remove_checkpoints(plan, &path);
            (fitted, losses.lock().unwrap().iter().copied().fold(0.0, f64::max))
        };
        let (weights, learned_first) = run(&plan, None);
        let weights = weights.unwrap();
        let (again, learned_again) = run(&plan, Some(&weights));
        again.unwrap();
        assert!(
            learned_again < 0.2 * learned_first,
            "{learned_again} {learned_first}"
        );
        plan.width = 16;
        let (refused, _) = run(&plan, Some(&weights));
        assert!(matches!(refused, Err(FitError::Plan(_))));
    }
}
