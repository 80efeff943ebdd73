//! Counting the move tree, to check the move generator and to time it.

use std::ops::{Add, AddAssign};

use super::{Board, Squares};

/// What is found at one depth of the move tree. A pass is a ply of its own; a game that is over has no children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Nodes at exactly this depth.
    pub nodes: u64,
    /// Games that were over at a smaller depth.
    pub ended: u64,
}

impl Count {
    /// One position at the depth asked for.
    pub const NODE: Self = Self { nodes: 1, ended: 0 };
    /// One game that was over before.
    pub const ENDED: Self = Self { nodes: 0, ended: 1 };

    /// Nodes and ended games together: the number that is usually quoted.
    pub const fn total(self) -> u64 {
        self.nodes + self.ended
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            ended: self.ended + other.ended,
        }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Counts the tree of `othello` below `board`, `depth` plies deep. The last ply is counted in bulk: its moves are generated
/// but not played.
pub fn perft(board: Board, depth: u32) -> Count {
    if depth == 0 {
        return Count::NODE;
    }
    let moves = board.moves();
    if moves == 0 {
        return match (board.pass().moves(), depth) {
            (0, _) => Count::ENDED,
            (_, 1) => Count::NODE,
            _ => perft(board.pass(), depth - 1),
        };
    }
    if depth == 1 {
        return Count {
            nodes: u64::from(moves.count_ones()),
            ended: 0,
        };
    }
    Squares(moves).fold(Count::default(), |sum, square| {
        sum + perft(board.play(square), depth - 1)
    })
}
