//! A square, and walking over a set of them.

use std::fmt;

/// One of the 64 squares; index 0 is a1, 7 is h1, 8 is a2, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    /// If `index` is above 63.
    #[inline]
    pub const fn new(index: u8) -> Self {
        assert!(index < 64, "a square index is 0..=63");
        Self(index)
    }

    /// The lowest square of a set; the set must not be empty (checked in debug builds).
    #[inline]
    pub const fn first(set: u64) -> Self {
        debug_assert!(set != 0);
        Self(set.trailing_zeros() as u8 & 63)
    }

    /// 0..=63.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask lets the compiler drop bounds checks on tables of 64.
        (self.0 & 63) as usize
    }

    /// The set that holds only this square.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// Lower case: `f5`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), self.0 / 8 + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::first(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}
