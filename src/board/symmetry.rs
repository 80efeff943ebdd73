//! The 8 symmetries of the board.

use super::Board;

/// Upside down: row 1 becomes row 8.
#[inline]
pub const fn upside_down(set: u64) -> u64 {
    set.swap_bytes()
}

/// Left to right: file a becomes file h.
#[inline]
pub const fn mirrored(set: u64) -> u64 {
    set.swap_bytes().reverse_bits()
}

/// Rows become files: the diagonal a1-h8 stays.
#[inline]
pub const fn transposed(set: u64) -> u64 {
    // Swaps the squares off the diagonal, first in blocks of 4 x 4, then 2 x 2, then one by one.
    const fn swap(set: u64, distance: u32, mask: u64) -> u64 {
        let t = (set >> distance ^ set) & mask;
        set ^ t ^ t << distance
    }
    let set = swap(set, 28, 0x0000_0000_F0F0_F0F0);
    let set = swap(set, 14, 0x0000_CCCC_0000_CCCC);
    swap(set, 7, 0x00AA_00AA_00AA_00AA)
}

/// The 8 images of a set; the first is the set itself. Number `i` is turned upside down if `i & 1`, then mirrored if
/// `i & 2`, then transposed if `i & 4`.
#[inline]
pub const fn symmetries(set: u64) -> [u64; 8] {
    // Upside down and then transposed is the same as transposed and then mirrored, and the other way round.
    let (mirror, transposed) = (mirrored(set), transposed(set));
    let transposed_mirror = mirrored(transposed);
    [
        set,
        upside_down(set),
        mirror,
        upside_down(mirror),
        transposed,
        transposed_mirror,
        upside_down(transposed),
        upside_down(transposed_mirror),
    ]
}

impl Board {
    /// The 8 images of a board, in the order of [`symmetries`].
    pub fn symmetries(self) -> [Self; 8] {
        let (movers, opponents) = (symmetries(self.mover), symmetries(self.opponent));
        std::array::from_fn(|i| Self {
            mover: movers[i],
            opponent: opponents[i],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_image_is_the_map_of_the_squares() {
        for index in 0..64 {
            let (x, y) = (index % 8, index / 8);
            let expected = [
                (x, y),
                (x, 7 - y),
                (7 - x, y),
                (7 - x, 7 - y),
                (y, x),
                (7 - y, x),
                (y, 7 - x),
                (7 - y, 7 - x),
            ]
            .map(|(x, y)| 1 << (8 * y + x));
            assert_eq!(symmetries(1 << index), expected);
        }
    }

    #[test]
    fn moves_follow_the_symmetries() {
        let moves = Board::START.moves();
        for (image, moves) in Board::START.symmetries().into_iter().zip(symmetries(moves)) {
            assert_eq!(image.moves(), moves);
        }
    }
}
