//! Positions to measure an evaluation on.

use crate::board::{Board, Squares};
use crate::clock::Stopwatch;
use crate::rules::Move;
use crate::search::{Goal, Request, Searcher, Selectivity, Stop};
use rand::{Rng, RngExt};
use std::ops::RangeInclusive;
use std::time::Duration;

/// A clock that stands still: what is measured or played here is limited by depth only.
pub(super) struct Still;

impl Stopwatch for Still {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A position with so many empty squares of a game that begins at random and goes on with moves of a search of two plies and
/// a random one now and then; `None` if the game does not come to one in which the mover can play.
pub(super) fn random_position(
    searcher: &mut Searcher,
    random: &mut impl Rng,
    empties: RangeInclusive<u32>,
) -> Option<Board> {
    let target = random.random_range(empties);
    let opening = random.random_range(4..=16);
    let mut board = Board::START;
    let mut plies = 0;
    while board.empties() > target {
        let moves = board.moves();
        if moves == 0 {
            board = board.pass();
            if board.moves() == 0 {
                return None;
            }
            continue;
        }
        let square = if plies < opening || random.random_ratio(1, 10) {
            Squares(moves).nth(random.random_range(0..moves.count_ones() as usize))?
        } else {
            let request = Request::new(Goal::Plies(2, Selectivity::Full));
            let report = searcher.standard(board, &request, &Still, &Stop::new(), &mut |_| ());
            match report.lines.first()?.pv.first()? {
                Move::Place(square) => *square,
                Move::Pass => return None,
            }
        };
        board = board.play(square);
        plies += 1;
    }
    (board.moves() != 0).then_some(board)
}
