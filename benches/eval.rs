//! Speed of the evaluation: `cargo bench --bench eval [-- FILE...]` (files of weights besides what is built in). One thread;
//! each figure is the best of several runs.
//!
//! "Apart" are positions of different games, so that nothing is in the caches but by chance; "in a search" are the leaves of
//! small trees in the order in which a search meets them. "Rows" is what it takes to fetch the rows of the built-in evaluation
//! alone, from a table of its size, where it is known beforehand which: no evaluation with these features can be faster.

use outflank::board::{Board, Squares};
use outflank::eval::Evaluator;
use outflank::eval::weights::Weights;
use outflank::memory::prefer_large_pages;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// What is built in.
const WEIGHTS: &[u8] = include_bytes!("../weights/outflank.eval");
/// Its rows are so wide.
type Row = [i64; 2];

fn main() {
    let mut evaluators = vec![Evaluator::HandMade, Evaluator::embedded()];
    for file in std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
    {
        evaluators.push(Evaluator::load(Path::new(&file)).expect("a file of weights"));
    }
    let roots: Vec<Board> = (0..20_000)
        .filter_map(|seed| random_board(seed, 12 + seed as u32 % 40))
        .collect();
    let mut leaves = Vec::new();
    for root in roots.iter().take(400) {
        collect(*root, 3, &mut leaves);
    }
    println!("{} positions apart, {} leaves", roots.len(), leaves.len());
    for evaluator in &evaluators {
        let [apart, search] = [&roots, &leaves].map(|boards| nanoseconds(evaluator, boards));
        println!(
            "{:20} {apart:6.1} ns apart {search:6.1} ns in a search",
            evaluator.name()
        );
    }
    let [apart, search] = [&roots, &leaves].map(|boards| fetching(boards));
    println!(
        "{:20} {apart:6.1} ns apart {search:6.1} ns in a search",
        "rows alone"
    );
}

fn nanoseconds(evaluator: &Evaluator, boards: &[Board]) -> f64 {
    best_of_several(boards.len(), || {
        let scores = boards.iter().map(|&board| evaluator.evaluate(black_box(board)));
        scores.map(i64::from).sum()
    })
}

/// Nanoseconds to fetch the rows of each position.
fn fetching(boards: &[Board]) -> f64 {
    let (weights, features) = Weights::from_bytes(WEIGHTS).expect("sound weights");
    assert_eq!(weights.width, size_of::<Row>());
    let size = features.rows() * weights.tables.len();
    let mut table: Vec<Row> = Vec::with_capacity(size);
    prefer_large_pages(table.spare_capacity_mut());
    // Written to, so that each page has memory of its own.
    table.extend((0..size).map(|row| [row as i64; 2]));
    let mut rows: Vec<u32> = Vec::new();
    for &board in boards {
        let empties = board.empties().min(60);
        let serving = (weights.tables.iter()).rposition(|table| u32::from(table.from) >= empties);
        let first = serving.expect("a table for 60") * features.rows();
        let states = features.states(board).0;
        let instances = features.instances().iter().zip(states);
        rows.extend(instances.map(|(instance, state)| (first as u32) + instance.base + u32::from(state)));
    }
    best_of_several(boards.len(), || {
        let rows = black_box(&rows).iter().map(|&row| table[row as usize]);
        rows.fold(0, |sum, row| sum + row[0] + row[1])
    })
}

/// Nanoseconds for each of so many things that are done at once.
fn best_of_several(things: usize, run: impl Fn() -> i64) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..15 {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / things as f64);
    }
    best
}

/// The leaves of a tree, games that are over left out.
fn collect(board: Board, depth: u32, leaves: &mut Vec<Board>) {
    if depth == 0 {
        leaves.push(board);
        return;
    }
    for square in Squares(board.moves()) {
        let child = board.play(square);
        if !child.is_over() {
            collect(child, depth - 1, leaves);
        }
    }
}

/// The board of a random game with so many empty squares, if it gets there.
fn random_board(seed: u64, empties: u32) -> Option<Board> {
    let (mut board, mut state) = (Board::START, (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    while board.empties() > empties {
        let moves = board.moves();
        if moves == 0 {
            board = board.pass();
            if board.moves() == 0 {
                return None;
            }
            continue;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        board = board.play(Squares(moves).nth((state >> 33) as usize % moves.count_ones() as usize)?);
    }
    (!board.is_over()).then_some(board)
}
