//! Ratings of many engines from all their games together.
//!
//! The model of Bradley and Terry: the expected score of a game is the logistic curve of the rating difference, a draw is
//! half a point. Fitted by maximum likelihood (Newton's method) with a prior so weak that it matters only to engines that
//! won or lost everything. Intervals come from the sandwich estimator (White, "Maximum likelihood estimation of misspecified
//! models", 1982) with the pair of games as the independent unit: neither the share of draws nor biased openings mislead it.

use super::journal::Journal;
use super::record::PairRecord;
use super::stats::normal;
use serde::Serialize;
use std::f64::consts::LN_10;
use std::fmt;

/// Rating points of one unit of the logistic curve: 400 / ln 10.
const SCALE: f64 = 400.0 / LN_10;
/// Standard deviation of the prior, in rating points.
const PRIOR: f64 = 2000.0;
/// Rounds of Newton's method at most; it converges in a handful.
const ROUNDS: usize = 200;

/// An engine in the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Its name.
    pub name: String,
    /// Rating: 0 is the mean of all, or the anchor has its given one.
    pub rating: f64,
    /// Half the width of the 95 % interval; 0 for an anchor. Without one it is about the mean of all engines.
    pub margin: f64,
    /// Games played.
    pub games: u64,
    /// Points per game, 0..1.
    pub score: f64,
    /// Mean rating of its opponents, by games.
    pub opponents: f64,
    /// Probability that it is stronger than the next in the table, 0..1; none for the last.
    pub above_next: Option<f64>,
}

/// The table, best first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Table {
    /// The engine of fixed rating.
    pub anchor: Option<Anchor>,
    /// Engines by rating. Engines that never played are left out.
    pub ratings: Vec<Rating>,
    /// Sentences for the user.
    pub warnings: Vec<String>,
}

/// An engine of fixed rating.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Anchor {
    /// Its name.
    pub name: String,
    /// Its rating.
    pub rating: f64,
}

impl std::str::FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("anchor '{text}' is not NAME=RATING");
        let (name, rating) = text.rsplit_once('=').ok_or_else(bad)?;
        let rating = rating
            .parse()
            .ok()
            .filter(|r: &f64| r.is_finite())
            .ok_or_else(bad)?;
        Ok(Self {
            name: name.into(),
            rating,
        })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .ratings
            .iter()
            .map(|r| r.name.chars().count())
            .max()
            .unwrap_or(0)
            .max(6);
        writeln!(
            f,
            "   # {:<width$}  rating      ±  games  score  opponents  above next",
            "engine"
        )?;
        for (i, r) in self.ratings.iter().enumerate() {
            let above = r
                .above_next
                .map(|p| format!("{:.1} %", p * 100.0))
                .unwrap_or_default();
            writeln!(
                f,
                "{:>4} {:<width$}  {:>6.1}  {:>5.1}  {:>5}  {:>4.1}%  {:>9.1}  {above:>10}",
                i + 1,
                r.name,
                r.rating,
                r.margin,
                r.games,
                r.score * 100.0,
                r.opponents
            )?;
        }
        if let Some(anchor) = &self.anchor {
            writeln!(f, "'{}' is held at {}", anchor.name, anchor.rating)?;
        }
        self.warnings.iter().try_for_each(|w| writeln!(f, "warning: {w}"))
    }
}

/// One pair of games: the indices of both engines and the points of the first, 0..2.
type Meeting = (usize, usize, f64);

impl Table {
    /// From a journal. Error if there are no games, or the anchor is not among the engines that played.
    pub fn new(journal: &Journal, anchor: Option<Anchor>) -> Result<Self, String> {
        let mut names: Vec<&str> = Vec::new();
        for spec in &journal.header.config.engines {
            if journal
                .pairs
                .values()
                .any(|p| p.first == spec.name || p.second == spec.name)
            {
                names.push(&spec.name);
            }
        }
        let index = |name: &str| names.iter().position(|n| *n == name);
        let meeting = |p: &PairRecord| {
            let half_points: usize = p.outcomes().into_iter().map(|o| o.half_points()).sum();
            Some((index(&p.first)?, index(&p.second)?, half_points as f64 / 2.0))
        };
        let meetings: Vec<Meeting> = journal.pairs.values().filter_map(meeting).collect();
        if meetings.is_empty() {
            return Err("there are no games to rate".into());
        }
        let fixed = match &anchor {
            Some(a) => {
                Some(index(&a.name).ok_or_else(|| format!("the anchor '{}' has played no game", a.name))?)
            }
            None => None,
        };
        let fit = Fit::new(names.len(), &meetings);
        let shift = match (&anchor, fixed) {
            (Some(anchor), Some(at)) => anchor.rating - fit.ratings[at],
            _ => 0.0,
        };
        let margin = |at: usize| match fixed {
            Some(fixed) => fit.error(at, Some(fixed)),
            None => fit.error(at, None),
        } * normal::Z95;
        let mut ratings: Vec<(usize, Rating)> = (0..names.len())
            .map(|at| {
                let own = || meetings.iter().filter(|m| m.0 == at || m.1 == at);
                let points: f64 = own().map(|m| if m.0 == at { m.2 } else { 2.0 - m.2 }).sum();
                let pairs = own().count() as f64;
                let opponents: f64 = own()
                    .map(|m| fit.ratings[if m.0 == at { m.1 } else { m.0 }] + shift)
                    .sum();
                let rating = Rating {
                    name: names[at].into(),
                    rating: fit.ratings[at] + shift,
                    margin: margin(at),
                    games: pairs as u64 * 2,
                    score: points / pairs / 2.0,
                    opponents: opponents / pairs,
                    above_next: None,
                };
                (at, rating)
            })
            .collect();
        ratings.sort_by(|a, b| b.1.rating.total_cmp(&a.1.rating));
        for i in 1..ratings.len() {
            let (above, below) = (ratings[i - 1].0, ratings[i].0);
            let error = fit.error(above, Some(below));
            let difference = fit.ratings[above] - fit.ratings[below];
            ratings[i - 1].1.above_next = Some(if error > 0.0 {
                normal::cdf(difference / error)
            } else {
                0.5
            });
        }
        let warnings = warnings(&names, &meetings);
        Ok(Self {
            anchor,
            ratings: ratings.into_iter().map(|(_, r)| r).collect(),
            warnings,
        })
    }
}

fn warnings(names: &[&str], meetings: &[Meeting]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let points = |m: &Meeting| match (m.0 == at, m.1 == at) {
            (true, _) => Some(m.2),
            (_, true) => Some(2.0 - m.2),
            _ => None,
        };
        let (total, most) = meetings
            .iter()
            .filter_map(points)
            .fold((0.0, 0.0), |(p, n), m| (p + m, n + 2.0));
        if total == 0.0 || total == most {
            let what = if total == 0.0 { "lost" } else { "won" };
            warnings.push(format!(
                "'{name}' {what} every game: its rating is held by the prior only"
            ));
        }
    }
    // Engines that no chain of games connects have no common scale.
    let mut group: Vec<usize> = (0..names.len()).collect();
    for &(a, b, _) in meetings {
        let (from, to) = (group[a], group[b]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    }
    if group.iter().any(|g| *g != group[0]) {
        warnings.push("no chain of games connects all engines: their ratings have no common scale".into());
    }
    warnings
}

/// Maximum likelihood ratings with mean 0 and their covariance.
struct Fit {
    ratings: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Fit {
    fn new(engines: usize, meetings: &[Meeting]) -> Self {
        let prior = (SCALE / PRIOR).powi(2);
        let mut strengths = vec![0.0; engines];
        let expected =
            |strengths: &[f64], a: usize, b: usize| 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
        for _ in 0..ROUNDS {
            let mut gradient: Vec<f64> = strengths.iter().map(|s| -prior * s).collect();
            for &(a, b, points) in meetings {
                let surplus = points - 2.0 * expected(&strengths, a, b);
                gradient[a] += surplus;
                gradient[b] -= surplus;
            }
            let step = solve(information(&strengths, meetings, prior), vec![gradient])
                .pop()
                .unwrap_or_default();
            // A long step may overshoot where the curve is flat.
            let longest = step.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
            let damping = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            strengths
                .iter_mut()
                .zip(&step)
                .for_each(|(s, d)| *s += damping * d);
            if longest < 1e-10 {
                break;
            }
        }
        // Sandwich: inverse information, outer products of the pairs' own gradients, inverse information.
        let mut outer = vec![vec![0.0; engines]; engines];
        for &(a, b, points) in meetings {
            let square = (points - 2.0 * expected(&strengths, a, b)).powi(2);
            outer[a][a] += square;
            outer[b][b] += square;
            outer[a][b] -= square;
            outer[b][a] -= square;
        }
        let information = information(&strengths, meetings, prior);
        let half = solve(information.clone(), outer);
        let transposed = (0..engines)
            .map(|i| half.iter().map(|row| row[i]).collect())
            .collect();
        let covariance = solve(information, transposed);
        let mean = strengths.iter().sum::<f64>() / engines as f64;
        Self {
            ratings: strengths.iter().map(|s| (s - mean) * SCALE).collect(),
            covariance: covariance
                .into_iter()
                .map(|row| row.iter().map(|c| c * SCALE * SCALE).collect())
                .collect(),
        }
    }

    /// Standard error of a rating less that of another engine, or less the mean of all.
    fn error(&self, at: usize, other: Option<usize>) -> f64 {
        let n = self.ratings.len();
        let weight = |i: usize| {
            f64::from(u8::from(i == at))
                - match other {
                    Some(other) => f64::from(u8::from(i == other)),
                    None => 1.0 / n as f64,
                }
        };
        let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let variance: f64 = pairs
            .map(|(i, j)| weight(i) * weight(j) * self.covariance[i][j])
            .sum();
        variance.max(0.0).sqrt()
    }
}

/// Minus the second derivative of the log-likelihood and of the prior.
fn information(strengths: &[f64], meetings: &[Meeting], prior: f64) -> Vec<Vec<f64>> {
    let n = strengths.len();
    let mut matrix = vec![vec![0.0; n]; n];
    (0..n).for_each(|i| matrix[i][i] = prior);
    for &(a, b, _) in meetings {
        let p = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
        let weight = 2.0 * p * (1.0 - p);
        matrix[a][a] += weight;
        matrix[b][b] += weight;
        matrix[a][b] -= weight;
        matrix[b][a] -= weight;
    }
    matrix
}

/// The vectors x with `matrix` x = right side, for several right sides, by elimination. The matrix is positive definite,
/// so that no row is ever exchanged.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for pivot in 0..n {
        for row in pivot + 1..n {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let (above, below) = matrix.split_at_mut(row);
            let columns = below[0].iter_mut().zip(&above[pivot]).skip(pivot);
            columns.for_each(|(low, high)| *low -= factor * high);
            right
                .iter_mut()
                .for_each(|side| side[row] -= factor * side[pivot]);
        }
    }
    for side in &mut right {
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n)
                .map(|column| matrix[row][column] * side[column])
                .sum();
            side[row] = (side[row] - known) / matrix[row][row];
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::super::stats::{Sample, Strength};
    use super::*;
    use proptest::prelude::*;

    /// Meetings of two engines by half points of the first.
    fn meetings(a: usize, b: usize, pairs: [u64; 5]) -> Vec<Meeting> {
        let of = |(half, n): (usize, u64)| vec![(a, b, half as f64 / 2.0); n as usize];
        pairs.into_iter().enumerate().flat_map(of).collect()
    }

    #[test]
    fn two_engines_as_in_a_match() {
        let pairs = [34, 54, 63, 64, 75];
        let fit = Fit::new(2, &meetings(0, 1, pairs));
        let elo = Strength::of(&Sample::pairs(pairs)).unwrap().elo;
        let difference = fit.ratings[0] - fit.ratings[1];
        assert!((difference - elo.value).abs() < 0.3, "{difference} {elo:?}");
        let margin = fit.error(0, Some(1)) * normal::Z95;
        assert!((margin - elo.margin()).abs() < 0.5, "{margin} {elo:?}");
        assert!((fit.error(0, None) * 2.0 - fit.error(0, Some(1))).abs() < 1e-9);
    }

    #[test]
    fn ratings_add_up() {
        // 0 beats 1 by 3:1 and 1 beats 2 by 3:1; 0 and 2 never meet.
        let mut all = meetings(0, 1, [0, 0, 100, 0, 100]);
        all.extend(meetings(1, 2, [0, 0, 100, 0, 100]));
        let fit = Fit::new(3, &all);
        let step = 400.0 * 3f64.log10();
        assert!(
            (fit.ratings[0] - fit.ratings[1] - step).abs() < 0.5,
            "{:?}",
            fit.ratings
        );
        assert!((fit.ratings[0] - fit.ratings[2] - 2.0 * step).abs() < 1.0);
        assert!(fit.error(0, Some(2)) > fit.error(0, Some(1)));
    }

    #[test]
    fn all_won() {
        let fit = Fit::new(2, &meetings(0, 1, [0, 0, 0, 0, 50]));
        assert!(fit.ratings[0] > 300.0 && fit.ratings[0].is_finite());
        assert_eq!(warnings(&["a", "b"], &meetings(0, 1, [0, 0, 0, 0, 50])).len(), 2);
        let apart = [meetings(0, 1, [0, 0, 1, 1, 0]), meetings(2, 3, [0, 1, 1, 0, 0])].concat();
        assert!(warnings(&["a", "b", "c", "d"], &apart)[0].contains("no chain"));
    }

    proptest! {
        /// Whatever the results, it ends with numbers, in the order of the scores where all have met all equally often.
        #[test]
        fn always_ends(results in proptest::collection::vec(0usize..5, 3..60)) {
            let pairings = [(0, 1), (0, 2), (1, 2)];
            let meetings: Vec<Meeting> = results
                .chunks_exact(3)
                .flat_map(|round| pairings.iter().zip(round).map(|(&(a, b), &half)| (a, b, half as f64 / 2.0)))
                .collect();
            let fit = Fit::new(3, &meetings);
            let points = |at: usize| -> f64 {
                meetings.iter().map(|m| if m.0 == at { m.2 } else if m.1 == at { 2.0 - m.2 } else { 0.0 }).sum()
            };
            for a in 0..3 {
                prop_assert!(fit.ratings[a].is_finite() && fit.error(a, None).is_finite());
                for b in 0..3 {
                    if points(a) > points(b) {
                        prop_assert!(fit.ratings[a] > fit.ratings[b] - 1e-6);
                    }
                }
            }
        }
    }
}
