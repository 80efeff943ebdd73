//! `outflank bench`: the node count by which versions of the search are told apart.

use super::{Global, Outcome};
use crate::board::{Board, Squares};
use crate::engine::{Engine, Task};
use crate::rules::{Color, Game, Position, Rules};
use crate::search::{Limits, Stop};
use clap::Args;
use std::process::ExitCode;
use std::time::Instant;

/// Search fixed positions; ends with `N nodes M nps`.
///
/// With one thread N is the same on every run and machine: it changes only when the search or the evaluation does. M says
/// little about strength.
#[derive(Debug, Args)]
pub struct Bench {}

/// (seed of a random game, empty squares, plies): opening to late midgame.
const MIDGAME: [(u64, u32, u8); 6] = [
    (1, 58, 12),
    (2, 52, 12),
    (3, 46, 12),
    (4, 40, 12),
    (5, 34, 12),
    (6, 28, 12),
];
/// (seed of a random game, empty squares): solved exactly.
const ENDGAME: [(u64, u32); 4] = [(7, 20), (8, 19), (9, 18), (10, 16)];
/// The mover must pass; a wipe-out is near; one side has hardly a disc.
const SPECIAL: [Board; 3] = [
    Board {
        mover: 0x0000_0000_0000_003E,
        opponent: 0xFFFF_FFFF_0000_0040,
    },
    Board {
        mover: 0x0000_0010_0800_0000,
        opponent: 0x0000_0008_1010_0000,
    },
    Board {
        mover: 0x8040_2000_0000_0000,
        opponent: 0x0000_1F1F_0E0E_0000,
    },
];

impl Bench {
    pub fn run(self, global: &Global) -> Outcome {
        let mut engine = Engine::new(global.engine()?);
        let midgame = MIDGAME.map(|(seed, empties, depth)| (random_board(seed, empties), Some(depth)));
        let endgame = ENDGAME.map(|(seed, empties)| (random_board(seed, empties), None));
        let special = SPECIAL.map(|board| (board, Some(8)));
        let (mut nodes, clock) = (0, Instant::now());
        for (board, depth) in midgame.into_iter().chain(endgame).chain(special) {
            engine.new_game();
            let game = Game::from_position(Position::new(Rules::Othello, board, Color::Black));
            let task = if depth.is_some() { Task::Move } else { Task::Solve };
            let limits = Limits {
                depth,
                ..Limits::default()
            };
            let start = Instant::now();
            let answer = engine.search(&game, task, &limits, &start, &Stop::new(), &mut |_| ());
            nodes += answer.report.nodes;
            if let Some(line) = answer.report.lines.first() {
                say!(
                    "{:2} empties {:>8} {} {} {:10} nodes",
                    board.empties(),
                    line.grade.to_string(),
                    line.score,
                    answer
                        .best
                        .map_or_else(|| "-".to_owned(), |best| best.to_string()),
                    answer.report.nodes
                );
            }
        }
        let nps = nodes as f64 / clock.elapsed().as_secs_f64().max(1e-9);
        say!("{nodes} nodes {nps:.0} nps");
        Ok(ExitCode::SUCCESS)
    }
}

/// The board of a random game with so many empty squares, the same for a seed on every machine. A game that ends earlier is
/// followed to its last position with a move.
fn random_board(seed: u64, empties: u32) -> Board {
    let (mut board, mut state) = (Board::START, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    while board.empties() > empties {
        let moves = board.moves();
        if moves == 0 {
            board = board.pass();
            continue;
        }
        // Xorshift (G. Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let pick = (state >> 33) as usize % moves.count_ones() as usize;
        let next = Squares(moves)
            .nth(pick)
            .map_or(board, |square| board.play(square));
        if next.is_over() {
            return board;
        }
        board = next;
    }
    board
}
