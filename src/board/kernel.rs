//! The kernels as something that a search is given, so that it can be compiled for more than one kind of processor.

use super::{Board, Square};

/// The hot kernels in one of their forms. A value of it is the proof that this processor can run them.
pub trait Kernel: Copy {
    /// As [`Board::moves`].
    fn moves(self, board: Board) -> u64;
    /// As [`Board::flips`].
    fn flips(self, board: Board, square: Square) -> u64;
}

/// What the program was built for.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn;

impl Kernel for BuiltIn {
    #[inline(always)]
    fn moves(self, board: Board) -> u64 {
        board.moves()
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> u64 {
        board.flips(square)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use super::avx512::Wide;

/// Registers of AVX-512, for which this program was not built.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
#[derive(Clone, Copy, Debug)]
pub enum Wide {}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
impl Wide {
    /// They are not there.
    pub fn detect() -> Option<Self> {
        None
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
impl Kernel for Wide {
    fn moves(self, _: Board) -> u64 {
        match self {}
    }

    fn flips(self, _: Board, _: Square) -> u64 {
        match self {}
    }
}
