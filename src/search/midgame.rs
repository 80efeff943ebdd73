//! Searches of a given number of plies, ended by the evaluation. Scores are centidiscs here.

use super::line::Variation;
use super::ordering::Children;
use super::probcut;
use super::split::{Job, share};
use super::table::{Found, INFINITE};
use super::worker::Worker;
use super::{Selectivity, endgame};
use crate::board::{Board, Square, Squares};
use crate::eval::After;
use crate::rules::Move;

/// From this many plies the shared table is used.
const TABLE_DEPTH: u32 = 3;
/// From this many plies the children are looked up in the table before any is searched.
const ETC_DEPTH: u32 = 5;
/// From this many plies moves are ordered by the evaluation.
const ORDER_DEPTH: u32 = 3;

/// Squares in the order in which the moves of the last ply are tried.
const LAST_PLY: [u64; 3] = [
    0x8100_0000_0000_0081,
    !(0x8100_0000_0000_0081 | 0x42C3_0000_0000_C342),
    0x42C3_0000_0000_C342,
];

/// Score of a position that is not searched further; `moves` are the mover's.
#[inline]
pub fn leaf(worker: &mut Worker, board: Board, moves: u64) -> i32 {
    if moves == 0 && board.pass().moves() == 0 {
        return board.final_score() * 100;
    }
    still(worker, board, moves)
}

/// [`leaf`] for a position after a move on `square`.
#[inline]
pub fn leaf_after(worker: &mut Worker, after: &After, square: Square, board: Board, moves: u64) -> i32 {
    if moves == 0 && board.pass().moves() == 0 {
        return board.final_score() * 100;
    }
    let scores = &mut worker.own.scores;
    scores.get_or(board, || after.evaluate(square, board, moves))
}

/// The static score of a position that is not over.
#[inline]
fn still(worker: &mut Worker, board: Board, moves: u64) -> i32 {
    let evaluator = worker.shared.evaluator;
    worker
        .own
        .scores
        .get_or(board, || evaluator.evaluate_with(board, moves))
}

/// Score of `depth` plies without a window, for ordering.
pub fn full_window(worker: &mut Worker, board: Board, depth: u32) -> i32 {
    plain(worker, board, board.moves(), -INFINITE, INFINITE, depth)
}

/// A search of one or two plies without a table, fail-soft; `moves` are the mover's.
fn plain(worker: &mut Worker, board: Board, moves: u64, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    worker.nodes += 1;
    if depth == 0 {
        return leaf(worker, board, moves);
    }
    if moves == 0 {
        let passed = board.pass();
        let replies = passed.moves();
        return if replies == 0 {
            board.final_score() * 100
        } else {
            -plain(worker, passed, replies, -beta, -alpha, depth)
        };
    }
    let mut best = -INFINITE - 1;
    if depth == 1 {
        let shared = worker.shared;
        let after = shared.evaluator.after(board);
        for part in LAST_PLY {
            for square in Squares(moves & part) {
                let child = board.play(square);
                worker.nodes += 1;
                best = best.max(-leaf_after(worker, &after, square, child, child.moves()));
                if best >= beta {
                    return best;
                }
            }
        }
        return best;
    }
    let mut children = Children::new(board, moves);
    children.order_by_mobility();
    while let Some(child) = children.next() {
        best = best.max(-plain(worker, child.board, child.moves, -beta, -alpha, depth - 1));
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
    }
    best
}

/// Null-window search at `alpha` (centidiscs), fail-soft.
pub fn nws(worker: &mut Worker, board: Board, alpha: i32, depth: u32, selectivity: Selectivity) -> i32 {
    if depth < TABLE_DEPTH {
        return plain(worker, board, board.moves(), alpha, alpha + 1, depth);
    }
    let empties = board.empties();
    if depth >= empties {
        return 100 * endgame::nws(worker, board, alpha.div_euclid(100), selectivity);
    }
    worker.nodes += 1;
    if worker.poll() {
        return alpha;
    }
    // 1. Nothing to play.
    let moves = board.moves();
    if moves == 0 {
        let passed = board.pass();
        return if passed.moves() == 0 {
            board.final_score() * 100
        } else {
            -nws(worker, passed, !alpha, depth, selectivity)
        };
    }
    // 2. Known already?
    let table = worker.shared.table;
    let known = table.get(board);
    if let Some(entry) = known
        && entry.satisfies(depth as u8, selectivity)
    {
        if entry.lower > alpha {
            return entry.lower;
        }
        if entry.upper <= alpha {
            return entry.upper;
        }
    }
    // 3. ProbCut.
    if depth >= probcut::MIN_DEPTH
        && let Some(score) = probcut(worker, board, moves, alpha, 1, depth, selectivity)
    {
        return score;
    }
    // 4. Order the moves.
    let mut children = Children::new(board, moves);
    if children.wipes_out() {
        return INFINITE;
    }
    if depth >= ETC_DEPTH {
        children.iter().for_each(|child| table.prefetch(child.board));
        for child in children.iter() {
            if let Some(entry) = table.get(child.board)
                && entry.satisfies(depth as u8 - 1, selectivity)
                && -entry.upper > alpha
            {
                return -entry.upper;
            }
        }
    }
    order(
        worker,
        board,
        &mut children,
        depth,
        known.map_or([None; 2], |entry| entry.moves),
    );
    // 5. Search them.
    let (mut best, mut best_square) = (i32::MIN, None);
    while let Some(child) = children.next() {
        table.prefetch(child.board);
        let score = -nws(worker, child.board, !alpha, depth - 1, selectivity);
        if worker.aborted {
            return alpha;
        }
        if score > best {
            (best, best_square) = (score, Some(child.square));
            if best > alpha {
                break;
            }
        }
        let job = Job::Midgame(depth - 1);
        if let Some(shared) = share(worker, job, alpha, selectivity, &mut children, best, best_square) {
            (best, best_square) = shared;
            if worker.aborted {
                return alpha;
            }
            break;
        }
    }
    // 6. Remember.
    let found = Found {
        depth: depth as u8,
        selectivity,
        alpha,
        beta: alpha + 1,
        score: best,
        best: best_square,
    };
    table.put(board, &found);
    best
}

fn order(worker: &mut Worker, board: Board, children: &mut Children, depth: u32, hints: [Option<Square>; 2]) {
    if depth < ORDER_DEPTH {
        children.order_by_mobility();
        return;
    }
    let shallow = match depth {
        0..=10 => 0,
        11..=18 => 1,
        _ => 2,
    };
    children.order_for_midgame(worker, board, shallow, hints);
}

/// Search between `alpha` and `beta` (centidiscs), with the line of best play; fail-soft. At most as deep as there are empty
/// squares.
pub fn pvs(
    worker: &mut Worker,
    board: Board,
    mut alpha: i32,
    beta: i32,
    depth: u32,
    selectivity: Selectivity,
    line: &mut Variation,
) -> i32 {
    line.clear();
    worker.nodes += 1;
    if worker.poll() {
        return alpha;
    }
    let moves = board.moves();
    if depth == 0 {
        return leaf(worker, board, moves);
    }
    let mut rest = Variation::new();
    if moves == 0 {
        let passed = board.pass();
        if passed.moves() == 0 {
            return board.final_score() * 100;
        }
        let score = -pvs(worker, passed, -beta, -alpha, depth, selectivity, &mut rest);
        line.set(Move::Pass, &rest);
        return score;
    }
    let table = worker.shared.table;
    let hints = table.get(board).map_or([None; 2], |entry| entry.moves);
    let mut children = Children::new(board, moves);
    order(worker, board, &mut children, depth, hints);
    let (window, mut best, mut best_square) = (alpha, i32::MIN, None);
    while let Some(child) = children.next() {
        let mut score = if best_square.is_none() {
            i32::MAX
        } else {
            -nws(worker, child.board, !alpha, depth - 1, selectivity)
        };
        if best_square.is_none() || score > alpha && score < beta {
            score = -pvs(
                worker,
                child.board,
                -beta,
                -alpha,
                depth - 1,
                selectivity,
                &mut rest,
            );
            if score > alpha || best_square.is_none() {
                line.set(Move::Place(child.square), &rest);
            }
        }
        if worker.aborted {
            return alpha;
        }
        if score > best {
            (best, best_square) = (score, Some(child.square));
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
    }
    if depth >= TABLE_DEPTH {
        let found = Found {
            depth: depth as u8,
            selectivity,
            alpha: window,
            beta,
            score: best,
            best: best_square,
        };
        table.put(board, &found);
    }
    best
}

/// Tries to answer a null window at `alpha` (centidiscs, `step` wide) by a shallow search. `depth` is that of the deep search
/// it stands for; as many plies as empty squares mean a search to the end.
pub fn probcut(
    worker: &mut Worker,
    board: Board,
    moves: u64,
    alpha: i32,
    step: i32,
    depth: u32,
    selectivity: Selectivity,
) -> Option<i32> {
    let (margin, still_margin) = worker.shared.margins.get(board.empties(), depth, selectivity)?;
    let shallow = probcut::shallow_depth(board.empties(), depth);
    let score = still(worker, board, moves);
    worker.nodes += 1;
    let beta = alpha + step;
    if score >= beta - still_margin + margin && beta + margin <= INFINITE {
        let bound = beta + margin;
        if nws(worker, board, bound - 1, shallow, Selectivity::Full) >= bound {
            return Some(beta);
        }
    }
    if score <= alpha + still_margin - margin && alpha - margin >= -INFINITE {
        let bound = alpha - margin;
        if nws(worker, board, bound, shallow, Selectivity::Full) <= bound {
            return Some(alpha);
        }
    }
    None
}
