//! The eight rays of every square, for the flip kernels.

/// The squares that lie in each direction of a square, up to the edge of the board, the square itself left out.
#[repr(C, align(64))]
pub struct Rays {
    /// Towards higher bits: +1 (right), +8 (down), +7 (down left), +9 (down right).
    pub up: [u64; 4],
    /// The opposite ways: -1 (left), -8 (up), -7 (up right), -9 (up left).
    pub down: [u64; 4],
}

/// [`Rays`] of the 64 squares.
pub static RAYS: [Rays; 64] = {
    const EMPTY: Rays = Rays {
        up: [0; 4],
        down: [0; 4],
    };
    let mut rays = [EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        rays[square] = Rays {
            up: [
                ray(file, rank, 1, 0),
                ray(file, rank, 0, 1),
                ray(file, rank, -1, 1),
                ray(file, rank, 1, 1),
            ],
            down: [
                ray(file, rank, -1, 0),
                ray(file, rank, 0, -1),
                ray(file, rank, 1, -1),
                ray(file, rank, -1, -1),
            ],
        };
        square += 1;
    }
    rays
};

const fn ray(file: i32, rank: i32, right: i32, down: i32) -> u64 {
    let (mut set, mut x, mut y) = (0, file + right, rank + down);
    while x >= 0 && x < 8 && y >= 0 && y < 8 {
        set |= 1 << (8 * y + x);
        x += right;
        y += down;
    }
    set
}
