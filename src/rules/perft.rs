//! Counting the move tree of any rule set.

use super::{Move, Position};
use crate::board::perft as board;
use crate::board::perft::Count;

/// Counts the tree below `position`, `depth` plies deep; a pass, forced or free, is a ply. Counted as in
/// [`crate::board::perft`], which does the work where it may.
pub fn perft(position: &Position, depth: u32) -> Count {
    if position.rules.plays_as_othello() {
        return board::perft(position.board, depth);
    }
    if depth == 0 {
        return Count::NODE;
    }
    let moves = position.moves();
    if moves.is_empty() {
        return Count::ENDED;
    }
    if depth == 1 {
        return Count {
            nodes: moves.len() as u64,
            ended: 0,
        };
    }
    moves.iter().fold(Count::default(), |sum, mv| {
        sum + perft(&position.play(mv), depth - 1)
    })
}

/// As [`perft`], for each legal move apart: its subtree, `depth` - 1 plies deep below the move. Lazy, in the order of
/// [`super::Moves::iter`]; empty at depth 0 and if the game is over.
pub fn divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, Count)> {
    let moves = (depth > 0).then(|| position.moves().iter());
    moves
        .into_iter()
        .flatten()
        .map(move |mv| (mv, perft(&position.play(mv), depth - 1)))
}
