//! What a search tells while it runs and at its end.

use super::Score;
use crate::rules::Move;
use std::fmt;
use std::time::Duration;

/// How sure a ProbCut search is that it missed nothing: the share of its cuts that an unpruned search would confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Selectivity {
    /// 73 %
    P73,
    /// 87 %
    P87,
    /// 95 %
    P95,
    /// 98 %
    P98,
    /// 99 %
    P99,
    /// 100 %: nothing is pruned on an estimate.
    Full,
}

impl Selectivity {
    /// All levels, the most selective first.
    pub const ALL: [Self; 6] = [Self::P73, Self::P87, Self::P95, Self::P98, Self::P99, Self::Full];

    /// 73, 87, 95, 98, 99 or 100.
    pub const fn percent(self) -> u8 {
        match self {
            Self::P73 => 73,
            Self::P87 => 87,
            Self::P95 => 95,
            Self::P98 => 98,
            Self::P99 => 99,
            Self::Full => 100,
        }
    }

    /// The level with this percentage.
    pub fn from_percent(percent: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.percent() == percent)
    }

    /// The width of the margin in standard deviations of the error; `None` for [`Selectivity::Full`]. These are the customary
    /// values of the two-sided normal distribution for the percentages.
    pub const fn deviations(self) -> Option<f32> {
        match self {
            Self::P73 => Some(1.1),
            Self::P87 => Some(1.5),
            Self::P95 => Some(2.0),
            Self::P98 => Some(2.6),
            Self::P99 => Some(3.3),
            Self::Full => None,
        }
    }
}

/// How good a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// A midgame search of this many plies without ProbCut.
    Depth(u8),
    /// A search of this many plies with ProbCut. With as many plies as empties it is a probable solution.
    Selective {
        /// Plies.
        depth: u8,
        /// Confidence level.
        selectivity: Selectivity,
    },
    /// The exact result.
    Exact,
    /// Who wins is proven; the size of the score means nothing.
    WinLossDraw,
}

/// As NBoard wants it: `12`, `18@73%`, `100%`, `100%W`.
impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "{depth}"),
            Self::Selective { depth, selectivity } => write!(f, "{depth}@{}%", selectivity.percent()),
            Self::Exact => f.write_str("100%"),
            Self::WinLossDraw => f.write_str("100%W"),
        }
    }
}

/// One move with what is expected after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move and the best play after it as far as known; passes are explicit.
    pub pv: Vec<Move>,
    /// For the side to move at the root.
    pub score: Score,
    /// How good the score is.
    pub grade: Grade,
}

/// State of a search after an iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Best first: one line for a move, K for a hint.
    pub lines: Vec<Line>,
    /// Visited nodes, all threads together.
    pub nodes: u64,
    /// On the stopwatch handed to the search.
    pub elapsed: Duration,
}
