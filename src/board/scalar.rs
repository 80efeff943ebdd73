//! Plain kernels that run anywhere: the twins that every fast kernel is tested against.

use super::Square;

/// One step in each of the 8 directions as (shift, squares that may be reached by it). A negative shift goes right.
const STEPS: [(i32, u64); 8] = {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    [
        (1, NOT_A),
        (-1, NOT_H),
        (8, !0),
        (-8, !0),
        (9, NOT_A),
        (-9, NOT_H),
        (7, NOT_H),
        (-7, NOT_A),
    ]
};

#[inline]
const fn step(set: u64, (shift, reach): (i32, u64)) -> u64 {
    (if shift > 0 { set << shift } else { set >> -shift }) & reach
}

/// The empty squares on which `mover` outflanks at least one disc of `opponent`.
pub fn moves(mover: u64, opponent: u64) -> u64 {
    let empty = !(mover | opponent);
    STEPS.iter().fold(0, |found, &direction| {
        let mut row = step(mover, direction) & opponent;
        for _ in 0..5 {
            row |= step(row, direction) & opponent;
        }
        found | step(row, direction) & empty
    })
}

/// The discs of `opponent` outflanked when `mover` plays on the empty `square`.
pub fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    STEPS.iter().fold(0, |found, &direction| {
        let (mut row, mut at) = (0, step(square.bit(), direction));
        while at & opponent != 0 {
            row |= at;
            at = step(at, direction);
        }
        if at & mover != 0 { found | row } else { found }
    })
}

/// All squares that touch a square of `set`.
pub fn neighbours(set: u64) -> u64 {
    STEPS
        .iter()
        .fold(0, |found, &direction| found | step(set, direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Squares};

    #[test]
    fn start_has_four_moves_of_one_flip() {
        let moves = moves(Board::START.mover, Board::START.opponent);
        let names: Vec<String> = Squares(moves).map(|s| s.to_string()).collect();
        assert_eq!(names, ["d3", "c4", "f5", "e6"]);
        for square in Squares(moves) {
            assert_eq!(
                flips(Board::START.mover, Board::START.opponent, square).count_ones(),
                1
            );
        }
    }
}
