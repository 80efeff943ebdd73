//! The rule sets other than the standard game: the same root search over a plain alpha-beta on [`Position`]s.

use super::line::Variation;
use super::plan::Iteration;
use super::root::Tree;
use super::worker::Worker;
use crate::board::{Squares, scalar};
use crate::rules::{Move, Moves, Position, Rules};

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0xFF81_8181_8181_81FF;
/// The squares diagonally next to the corners, and those beside them on the edge.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
/// From this many plies moves are tried in the order of the static score.
const ORDER_DEPTH: u32 = 2;

/// A position under any rule set.
pub struct AnyRules {
    children: Vec<(Move, Position)>,
}

fn each(moves: Moves) -> impl Iterator<Item = Move> {
    Squares(moves.squares)
        .map(Move::Place)
        .chain(moves.pass.then_some(Move::Pass))
}

impl AnyRules {
    /// The legal moves of `position`; the game must not be over.
    pub fn new(position: &Position) -> Self {
        let mut children: Vec<_> = each(position.moves()).map(|mv| (mv, position.play(mv))).collect();
        children.sort_by_key(|(_, child)| evaluate(child));
        Self { children }
    }

    /// The most plies that can follow, passes included.
    pub fn plies(position: &Position) -> u32 {
        2 * position.board.empties() + 2
    }
}

impl Tree for AnyRules {
    fn len(&self) -> usize {
        self.children.len()
    }

    fn root_move(&self, index: usize) -> Move {
        self.children[index].0
    }

    fn null_window(&self, worker: &mut Worker, index: usize, alpha: i32, iteration: Iteration) -> i32 {
        let mut line = Variation::new();
        self.open_window(worker, index, (alpha, alpha + 1), iteration, &mut line)
    }

    fn open_window(
        &self,
        worker: &mut Worker,
        index: usize,
        (alpha, beta): (i32, i32),
        iteration: Iteration,
        line: &mut Variation,
    ) -> i32 {
        -alpha_beta(
            worker,
            &self.children[index].1,
            -beta,
            -alpha,
            iteration.depth - 1,
            line,
        )
    }
}

fn alpha_beta(
    worker: &mut Worker,
    position: &Position,
    mut alpha: i32,
    beta: i32,
    depth: u32,
    line: &mut Variation,
) -> i32 {
    line.clear();
    worker.nodes += 1;
    if worker.poll() {
        return alpha;
    }
    let moves = position.moves();
    if moves.is_empty() {
        return position.score() * 100;
    }
    if depth == 0 {
        return evaluate(position);
    }
    let mut children = arrayvec::ArrayVec::<(i32, Move, Position), 65>::new();
    for mv in each(moves) {
        let child = position.play(mv);
        let value = if depth >= ORDER_DEPTH { evaluate(&child) } else { 0 };
        children.push((value, mv, child));
    }
    if depth >= ORDER_DEPTH {
        children.sort_by_key(|child| child.0);
    }
    let (mut best, mut rest) = (i32::MIN, Variation::new());
    for (_, mv, child) in &children {
        let score = -alpha_beta(worker, child, -beta, -alpha, depth - 1, &mut rest);
        if worker.aborted {
            return alpha;
        }
        if score > best {
            best = score;
            if score > alpha {
                line.set(*mv, &rest);
                alpha = score;
                if score >= beta {
                    break;
                }
            }
        }
    }
    best
}

/// Static score in centidiscs for the mover: discs count more and more towards the end, corners and the edge discs beside them
/// cannot or can hardly be taken back, squares next to an empty corner give it away, and mobility matters where a move must
/// outflank something.
fn evaluate(position: &Position) -> i32 {
    let board = position.board;
    let empties = board.empties() as i32;
    let difference =
        |set: u64| (board.mover & set).count_ones() as i32 - (board.opponent & set).count_ones() as i32;
    // The squares around corners that are still empty.
    let exposed = scalar::neighbours(board.empty() & CORNERS);
    let mut score = 900 * difference(CORNERS) + 120 * difference(EDGES & !C_SQUARES & !CORNERS)
        - 450 * difference(X_SQUARES & exposed)
        - 220 * difference(C_SQUARES & exposed);
    let must_outflank = match position.rules {
        Rules::Free { capture_required, .. } => capture_required,
        Rules::Othello | Rules::Classic => true,
    };
    if must_outflank {
        let (mine, theirs) = (
            board.moves().count_ones() as i32,
            board.pass().moves().count_ones() as i32,
        );
        score += 110 * (mine - theirs);
        // Discs towards the end only: in the middle of the game many discs are a burden.
        score += difference(!0) * 100 * (20 - empties).max(0) / 20;
    } else {
        // Any empty square beside a disc may be played, so discs taken stay an advantage all along.
        score += difference(!0) * (40 + 60 * (60 - empties).max(0) / 60);
        // A disc beside an empty square can be outflanked from there; where that is not so it is safer.
        score += 30 * difference(!scalar::neighbours(board.empty()));
    }
    score.clamp(-6300, 6300)
}
