//! Speed of the board: `cargo bench --bench perft`. One thread; each figure is the best of several runs.
//!
//! perft counts the last ply in bulk: its moves are generated, not played.

use std::hint::black_box;
use std::time::Instant;

use outflank::board::perft::perft;
use outflank::board::stability::stable;
use outflank::board::{Board, Square, Squares, count_last_flips, scalar};

/// One move of a game: where it was played, and on which square.
type Sample = (Board, Square);

fn main() {
    let mut best = f64::MAX;
    let mut nodes = 0;
    for _ in 0..5 {
        let start = Instant::now();
        nodes = perft(black_box(Board::START), 11).nodes;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let rate = nodes as f64 / best / 1e6;
    println!("perft 11: {nodes} nodes in {best:.3} s, {rate:.0} million leaves/s (last ply in bulk)");

    let samples = samples(4096);
    time("moves", &samples, |(b, _)| b.moves());
    time("moves, scalar", &samples, |(b, _)| {
        scalar::moves(b.mover, b.opponent)
    });
    time("flips", &samples, |(b, s)| b.flips(s));
    time("flips, scalar", &samples, |(b, s)| {
        scalar::flips(b.mover, b.opponent, s)
    });
    time("count of last flips", &samples, |(b, s)| {
        u64::from(count_last_flips(b.mover, s))
    });
    time("potential moves", &samples, |(b, _)| b.potential_moves());
    time("stable discs", &samples, |(b, _)| stable(b.mover, b.opponent));
    time("8 symmetries", &samples, |(b, _)| {
        b.symmetries().iter().fold(0, |sum, b| sum ^ b.mover ^ b.opponent)
    });
}

/// The moves of random games, the same on every run.
fn samples(count: usize) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(count);
    let mut random = 88_172_645_463_325_252_u64;
    let mut board = Board::START;
    while samples.len() < count {
        let moves = board.moves();
        if moves == 0 {
            board = if board.is_over() {
                Board::START
            } else {
                board.pass()
            };
            continue;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let nth = (random % u64::from(moves.count_ones())) as usize;
        if let Some(square) = Squares(moves).nth(nth) {
            samples.push((board, square));
            board = board.play(square);
        }
    }
    samples
}

/// Prints nanoseconds a call, calls independent of each other (throughput). The runs are short, so that some of them go
/// undisturbed on a busy machine too.
fn time(name: &str, samples: &[Sample], kernel: impl Fn(Sample) -> u64) {
    const ROUNDS: usize = 10;
    let mut best = f64::MAX;
    for _ in 0..500 {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let sum = samples.iter().fold(0_u64, |sum, &sample| sum ^ kernel(sample));
            black_box(sum);
        }
        let calls = (ROUNDS * samples.len()) as f64;
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / calls);
    }
    println!("{name:<20} {best:6.2} ns");
}
