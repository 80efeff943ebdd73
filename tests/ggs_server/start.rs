//! Start positions.

use super::rng::Rng;
use outflank::board::Board;
use outflank::rules::{Color, Position, Rules};
use outflank_protocol::match_type::{MatchType, Start};

/// The four corners and what touches them.
const CORNERS: u64 = 0xc3c3_0000_0000_c3c3;

/// The start position of a match: a random one has so many discs in all, filled in from the centre, never in a corner or next
/// to one; White moves if the number is odd.
pub fn position(match_type: &MatchType, rng: &mut Rng) -> Position {
    let Start::Random(Some(discs)) = match_type.start else {
        return Position::start(Rules::Othello);
    };
    // Rings around the centre, each in random order; a disc goes to the innermost free squares.
    let ring = |square: u32| {
        let (column, row) = ((square % 8) as i32, (square / 8) as i32);
        (2 * column - 7).abs().max((2 * row - 7).abs())
    };
    let mut squares: Vec<(i32, u64, u32)> = (0..64u32)
        .filter(|&square| CORNERS & (1 << square) == 0)
        .map(|square| (ring(square), rng.next(), square))
        .collect();
    squares.sort_unstable();
    let discs = usize::from(discs);
    let (half, most_off) = (discs / 2, (discs / 6) as u64);
    let black = (half as u64 - most_off.min(half as u64) + rng.below(2 * most_off + 1)) as usize;
    let mut colors: Vec<bool> = (0..discs).map(|index| index < black).collect();
    for index in (1..colors.len()).rev() {
        colors.swap(index, rng.below(index as u64 + 1) as usize);
    }
    let mut sets = [0u64; 2];
    for (&(_, _, square), is_black) in squares.iter().zip(colors) {
        sets[usize::from(!is_black)] |= 1 << square;
    }
    let [black, white] = sets;
    if discs % 2 == 0 {
        Position::new(
            Rules::Othello,
            Board {
                mover: black,
                opponent: white,
            },
            Color::Black,
        )
    } else {
        Position::new(
            Rules::Othello,
            Board {
                mover: white,
                opponent: black,
            },
            Color::White,
        )
    }
}

#[test]
fn random_starts_are_as_described() {
    let mut rng = Rng(1);
    for discs in 4..=48u8 {
        for _ in 0..50 {
            let found = position(&format!("s8r{discs}").parse().unwrap(), &mut rng);
            assert_eq!(found.board.occupied().count_ones(), u32::from(discs));
            assert_eq!(found.board.occupied() & CORNERS, 0);
            assert_eq!(found.mover == Color::White, discs % 2 == 1);
        }
    }
}
