//! Which searches follow each other: deepening through the midgame, then solving with less and less selectivity.

use super::report::{Grade, Selectivity};

/// One search of the whole tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Plies; for a search to the end as many as there are empty squares.
    pub depth: u32,
    /// Its selectivity.
    pub selectivity: Selectivity,
    /// True for a search to the end of the game.
    pub to_end: bool,
}

impl Iteration {
    /// How the result is to be called.
    pub fn grade(self) -> Grade {
        match self {
            Self {
                to_end: true,
                selectivity: Selectivity::Full,
                ..
            } => Grade::Exact,
            Self {
                depth,
                selectivity: Selectivity::Full,
                ..
            } => Grade::Depth(depth as u8),
            Self {
                depth, selectivity, ..
            } => Grade::Selective {
                depth: depth as u8,
                selectivity,
            },
        }
    }
}

/// Selectivity of the midgame.
const MIDGAME: Selectivity = Selectivity::P73;
/// Midgame searches up to this depth prune nothing on an estimate.
const UNSELECTIVE_DEPTH: u32 = 4;
/// The midgame is searched to this many plies less than there are empty squares before solving begins. Up to there an
/// iteration costs next to nothing beside the first selective solution, and a timed game profits from each.
const SOLVE_AHEAD: u32 = 7;

/// The number of empty squares from which an engine limited to `depth` plies solves exactly, and those from which it solves
/// at 98 % and 87 %.
fn solving_empties(depth: u32) -> [u32; 3] {
    let exact = if depth <= 10 { 2 * depth } else { depth.max(21) };
    let selective = if depth <= 10 { 0 } else { 3 };
    [exact, exact + selective, exact + 2 * selective]
}

/// The searches of a position with `empties` empty squares, by an engine limited to `depth` plies.
pub fn iterations(empties: u32, depth: Option<u8>) -> Vec<Iteration> {
    let limit = depth.map_or(60, u32::from).max(1);
    let [exact, high, low] = solving_empties(limit);
    let target = match empties {
        e if e <= exact => Some(Selectivity::Full),
        e if e <= high => Some(Selectivity::P98),
        e if e <= low => Some(Selectivity::P87),
        _ => None,
    };
    let midgame_depth = match target {
        Some(_) => empties.saturating_sub(SOLVE_AHEAD).min(limit),
        None => limit.min(empties.saturating_sub(1)),
    };
    let mut plan: Vec<Iteration> = (1..=midgame_depth)
        .map(|depth| Iteration {
            depth,
            selectivity: if depth <= UNSELECTIVE_DEPTH {
                Selectivity::Full
            } else {
                MIDGAME
            },
            to_end: false,
        })
        .collect();
    if let Some(target) = target {
        let steps: &[Selectivity] = match empties {
            0..=13 => &[],
            14..=21 => &[Selectivity::P73],
            22..=24 => &[Selectivity::P73, Selectivity::P95],
            _ => &[
                Selectivity::P73,
                Selectivity::P87,
                Selectivity::P95,
                Selectivity::P98,
                Selectivity::P99,
            ],
        };
        let ladder = steps
            .iter()
            .copied()
            .filter(|&step| step < target)
            .chain([target]);
        plan.extend(ladder.map(|selectivity| Iteration {
            depth: empties,
            selectivity,
            to_end: true,
        }));
    }
    plan
}

/// The searches up to `depth` plies at one selectivity; to the end if there are no more empty squares than that.
pub fn plies(empties: u32, depth: u32, selectivity: Selectivity) -> Vec<Iteration> {
    let last = depth.clamp(1, empties);
    (1..=last)
        .map(|depth| Iteration {
            depth,
            selectivity,
            to_end: depth == empties,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_gets_a_plan_that_ends_with_its_target() {
        for empties in 1..=60 {
            for depth in 1..=60 {
                let plan = iterations(empties, Some(depth));
                assert!(!plan.is_empty());
                for iteration in &plan {
                    assert!(iteration.depth <= u32::from(depth).max(empties) && iteration.depth <= empties);
                    assert_eq!(iteration.to_end, iteration.depth == empties);
                }
            }
            let last = *iterations(empties, None).last().unwrap();
            assert_eq!(last.grade(), Grade::Exact);
        }
    }

    #[test]
    fn plies_end_at_the_last_empty_square() {
        assert_eq!(plies(30, 5, Selectivity::P73).len(), 5);
        let plan = plies(4, 9, Selectivity::Full);
        assert_eq!(plan.len(), 4);
        assert!(plan[3].to_end && !plan[2].to_end);
    }

    #[test]
    fn a_depth_limit_holds_in_the_midgame() {
        let plan = iterations(50, Some(6));
        assert_eq!(
            plan.iter().map(|i| i.depth).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6]
        );
        assert_eq!(
            iterations(20, Some(10)).last().map(|i| i.grade()),
            Some(Grade::Exact)
        );
        let last = *iterations(23, Some(12)).last().unwrap();
        assert_eq!(
            last.grade(),
            Grade::Selective {
                depth: 23,
                selectivity: Selectivity::P98
            }
        );
    }
}
