//! The searches near the end call each other from level to level. Here they are compiled once for each kind of processor: what is
//! written in [`near`] and [`few`] for any [`Kernel`] becomes part of functions in which the compiler may use all that it has.

use super::{few, near};
use crate::board::{Board, BuiltIn, Kernel, Square, Wide};
use crate::search::worker::Worker;

/// Kernels together with the searches that were compiled for them.
pub trait Levels: Kernel {
    /// [`near::by_mobility`].
    fn by_mobility(self, worker: &mut Worker, board: Board, moves: u64, alpha: i32, empties: u32) -> i32;
    /// [`near::by_replies`].
    fn by_replies(self, worker: &mut Worker, board: Board, moves: u64, alpha: i32) -> i32;
    /// [`near::by_parity`].
    fn by_parity(self, worker: &mut Worker, board: Board, moves: u64, alpha: i32) -> i32;
    /// [`few::four`].
    fn four(self, board: Board, alpha: i32, squares: [Square; 4], nodes: &mut u64) -> i32;
    /// [`few::three`].
    fn three(self, board: Board, alpha: i32, squares: [Square; 3], nodes: &mut u64) -> i32;
    /// [`few::two`].
    fn two(self, board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64) -> i32;
}

/// One function of [`Levels`].
macro_rules! level {
    ($kernel:ty, [$($feature:literal)?], $room:ident, $name:ident($($argument:ident: $type:ty),*)) => {
        fn $name(self, $($argument: $type),*) -> i32 {
            // A function of its own: the method, as one of a trait, would be called through a table of addresses.
            $(#[target_feature(enable = $feature)])?
            #[inline(never)]
            fn compiled(kernel: $kernel, $($argument: $type),*) -> i32 {
                $room::$name(kernel, $($argument),*)
            }
            // SAFETY: where it takes features of the processor, the kernel is the proof that they are there.
            #[allow(unused_unsafe, reason = "needed with features only")]
            unsafe {
                compiled(self, $($argument),*)
            }
        }
    };
}

macro_rules! levels {
    ($kernel:ty, $features:tt) => {
        impl Levels for $kernel {
            level!($kernel, $features, near, by_mobility(worker: &mut Worker, board: Board, moves: u64, alpha: i32, empties: u32));
            level!($kernel, $features, near, by_replies(worker: &mut Worker, board: Board, moves: u64, alpha: i32));
            level!($kernel, $features, near, by_parity(worker: &mut Worker, board: Board, moves: u64, alpha: i32));
            level!($kernel, $features, few, four(board: Board, alpha: i32, squares: [Square; 4], nodes: &mut u64));
            level!($kernel, $features, few, three(board: Board, alpha: i32, squares: [Square; 3], nodes: &mut u64));
            level!($kernel, $features, few, two(board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64));
        }
    };
}

levels!(BuiltIn, []);
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
levels!(Wide, ["avx512f,avx512vl,avx512cd,avx512bw,avx512dq"]);
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
levels!(Wide, []);
