//! `outflank eval`: why a position has its score.

use std::process::ExitCode;

use clap::Args;
use outflank_protocol::vocab::Diagram;

use super::{Global, Outcome, at_least};
use crate::board::{Board, Squares};
use crate::eval::{Evaluator, Share};
use crate::rules::Rules;
use crate::session::words;

/// Explain the score of a position without search: the total, the mobilities, and the patterns that weigh most.
#[derive(Debug, Args)]
pub struct Eval {
    /// 64 cells from a1 row by row (X black, O white, - empty) and the side to move, in quotes
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Diagram,
    /// Patterns to show
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = at_least(0usize))]
    top: usize,
}

impl Eval {
    /// Prints the explanation.
    pub fn run(self, global: &Global) -> Outcome {
        let board = words::position(Rules::Othello, &self.position).board;
        if board.is_over() {
            say!("the game is over: {:+} discs", board.final_score());
            return Ok(ExitCode::SUCCESS);
        }
        let evaluator = global.evaluator()?;
        let discs = |centidiscs: i32| f64::from(centidiscs) / 100.0;
        say!(
            "{}: {:+.2} discs for the side to move",
            evaluator.name(),
            discs(evaluator.evaluate(board))
        );
        say!(
            "{} empty squares, ply {}",
            board.empties(),
            60 - board.empties().min(60)
        );
        say!(
            "moves: {} for the side to move, {} for the other",
            board.moves().count_ones(),
            board.pass().moves().count_ones()
        );
        let shares = match &evaluator {
            Evaluator::HandMade => Vec::new(),
            Evaluator::Linear(linear) => linear.explain(board),
            Evaluator::Embedding(embedding) => embedding.explain(board),
        };
        if !shares.is_empty() {
            say!("what the score would lose without a pattern (X the side to move, O the other):");
        }
        for Share { squares, worth } in shares.into_iter().take(self.top) {
            say!("{:+7.2}  {}", discs(worth), picture(board, squares));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The squares of a pattern with what is on them.
fn picture(board: Board, squares: u64) -> String {
    let cells = Squares(squares).map(|square| {
        let disc = match square.bit() {
            bit if board.mover & bit != 0 => 'X',
            bit if board.opponent & bit != 0 => 'O',
            _ => '-',
        };
        format!("{square}{disc}")
    });
    cells.collect::<Vec<_>>().join(" ")
}
