//! The kernels written as the rules say them, square by square: what the tests hold every faster one against.

use super::Square;

/// The discs of `opponent` outflanked when `mover` plays on the empty `square`.
pub fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    let mut flips = 0;
    for (right, down) in directions() {
        let mut row = 0;
        let mut at = step(square.index(), right, down);
        while let Some(bit) = at.map(|index| 1 << index) {
            if opponent & bit == 0 {
                flips |= if mover & bit != 0 { row } else { 0 };
                break;
            }
            row |= bit;
            at = step(at.unwrap(), right, down);
        }
    }
    flips
}

/// The empty squares on which `mover` outflanks something.
pub fn moves(mover: u64, opponent: u64) -> u64 {
    squares()
        .filter(|s| (mover | opponent) & s.bit() == 0 && flips(mover, opponent, *s) != 0)
        .fold(0, |set, s| set | s.bit())
}

/// The squares that touch a square of `set`.
pub fn neighbours(set: u64) -> u64 {
    squares()
        .filter(|s| directions().any(|(x, y)| step(s.index(), x, y).is_some_and(|n| set >> n & 1 == 1)))
        .fold(0, |found, s| found | s.bit())
}

/// All 64 squares.
pub fn squares() -> impl Iterator<Item = Square> {
    (0..64).map(Square::new)
}

fn directions() -> impl Iterator<Item = (i32, i32)> {
    (-1..=1)
        .flat_map(|x| (-1..=1).map(move |y| (x, y)))
        .filter(|d| *d != (0, 0))
}

fn step(index: usize, right: i32, down: i32) -> Option<usize> {
    let (x, y) = (index as i32 % 8 + right, index as i32 / 8 + down);
    ((0..8).contains(&x) && (0..8).contains(&y)).then_some((8 * y + x) as usize)
}
