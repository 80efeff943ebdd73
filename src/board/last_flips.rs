//! Counting flips on the last empty square: no board is needed after it, only the number.

use super::Square;
use super::rays::RAYS;

/// The two diagonals of each square, the square included: down left to up right, and up left to down right.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut lines = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &RAYS[square];
        let bit = 1 << square;
        lines[square] = [rays.up[2] | rays.down[2] | bit, rays.up[3] | rays.down[3] | bit];
        square += 1;
    }
    lines
};

/// `[place][discs]`: how many discs flip on a line of 8 when the mover plays on `place`, `discs` are the mover's (bit by place)
/// and the opponent has all the others. On a shorter diagonal the places that do not exist count as the opponent's,
/// which does no harm: nothing outflanks them.
static FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut discs = 0;
        while discs < 256 {
            let above = discs >> place >> 1;
            if above != 0 {
                table[place][discs] += above.trailing_zeros() as u8;
            }
            let below: usize = discs & ((1 << place) - 1);
            if below != 0 {
                table[place][discs] += (place - 1) as u8 - below.ilog2() as u8;
            }
            discs += 1;
        }
        place += 1;
    }
    table
};

/// Number of discs, 0..=18, that turn over when the mover, who has the discs `mover`, plays on `square`, the only empty
/// square of the board; the opponent has all the rest.
///
/// A multiplication gathers each line into a byte. That is as fast as PEXT where there is one, and runs anywhere.
#[inline]
pub fn count_last_flips(mover: u64, square: Square) -> u32 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let index = square.index();
    let (file, rank) = (index % 8, index / 8);
    let [rising, falling] = DIAGONALS[index];

    let row = mover >> (8 * rank) & 0xFF;
    let column = (mover >> file & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let rising = (mover & rising).wrapping_mul(FILE_A) >> 56;
    let falling = (mover & falling).wrapping_mul(FILE_A) >> 56;

    let by_file = &FLIPS[file];
    u32::from(
        by_file[row as usize]
            + FLIPS[rank][column as usize]
            + by_file[rising as usize]
            + by_file[falling as usize],
    )
}
