//! Fourteen and more empty squares.

use super::near;
use crate::board::Board;
use crate::rules::Move;
use crate::search::line::Variation;
use crate::search::ordering::Children;
use crate::search::split::{Job, share};
use crate::search::table::Found;
use crate::search::worker::Worker;
use crate::search::{Selectivity, midgame};

/// From this many empty squares the children are looked up in the table before any is searched.
const ETC_EMPTIES: u32 = near::MAX_EMPTIES + 2;

/// Null-window search to the end at `alpha` (discs), fail-soft.
pub fn nws(worker: &mut Worker, board: Board, alpha: i32, selectivity: Selectivity) -> i32 {
    let empties = board.empties();
    if empties <= near::MAX_EMPTIES {
        return near::solve(worker, board, alpha);
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
            board.final_score()
        } else {
            -nws(worker, passed, !alpha, selectivity)
        };
    }
    // 2. Known already?
    if let Some(score) = super::stability_cut(board, alpha, empties) {
        return score;
    }
    let table = worker.shared.table;
    let known = table.get(board);
    if let Some(entry) = known
        && entry.satisfies(empties as u8, selectivity)
    {
        if entry.lower > alpha * 100 {
            return entry.lower / 100;
        }
        if entry.upper <= alpha * 100 {
            return entry.upper / 100;
        }
    }
    // 3. ProbCut.
    if let Some(score) = midgame::probcut(worker, board, moves, alpha * 100, 100, empties, selectivity) {
        return score.div_euclid(100);
    }
    // 4. Order the moves.
    let mut children = Children::new(board, moves);
    if children.wipes_out() {
        return 64;
    }
    let hints = known.map_or([None; 2], |entry| entry.moves);
    if empties >= ETC_EMPTIES {
        children.iter().for_each(|child| table.prefetch(child.board));
        for child in children.iter() {
            if let Some(entry) = table.get(child.board)
                && entry.satisfies(empties as u8 - 1, selectivity)
                && -entry.upper > alpha * 100
            {
                return -entry.upper / 100;
            }
        }
    }
    children.order_for_solving(worker, board, hints);
    // 5. Search them.
    let (mut best, mut best_square) = (i32::MIN, None);
    while let Some(child) = children.next() {
        let score = if empties - 1 > near::MAX_EMPTIES {
            table.prefetch(child.board);
            -nws(worker, child.board, !alpha, selectivity)
        } else {
            -near::solve_moves(worker, child.board, child.moves, !alpha, empties - 1)
        };
        if worker.aborted {
            return alpha;
        }
        if score > best {
            (best, best_square) = (score, Some(child.square));
            if best > alpha {
                break;
            }
        }
        let job = Job::Endgame(empties);
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
        depth: empties as u8,
        selectivity,
        alpha: alpha * 100,
        beta: alpha * 100 + 100,
        score: best * 100,
        best: best_square,
    };
    table.put(board, &found);
    best
}

/// Search to the end between `alpha` and `beta` (discs), with the line of best play; fail-soft.
pub fn pvs(
    worker: &mut Worker,
    board: Board,
    mut alpha: i32,
    beta: i32,
    selectivity: Selectivity,
    line: &mut Variation,
) -> i32 {
    line.clear();
    worker.nodes += 1;
    if worker.poll() {
        return alpha;
    }
    let empties = board.empties();
    // Nothing is pruned on an estimate below this: the result is exact whatever was asked.
    let selectivity = if empties <= near::MAX_EMPTIES {
        Selectivity::Full
    } else {
        selectivity
    };
    let moves = board.moves();
    if moves == 0 {
        let passed = board.pass();
        if passed.moves() == 0 {
            return board.final_score();
        }
        let mut rest = Variation::new();
        let score = -pvs(worker, passed, -beta, -alpha, selectivity, &mut rest);
        line.set(Move::Pass, &rest);
        return score;
    }
    let table = worker.shared.table;
    let hints = table.get(board).map_or([None; 2], |entry| entry.moves);
    let mut children = Children::new(board, moves);
    children.order_for_solving(worker, board, hints);
    let (window, mut best, mut best_square) = (alpha, i32::MIN, None);
    let mut rest = Variation::new();
    while let Some(child) = children.next() {
        let mut score = if best_square.is_none() {
            i32::MAX
        } else {
            -nws(worker, child.board, !alpha, selectivity)
        };
        if score > alpha && score < beta || best_square.is_none() {
            score = -pvs(worker, child.board, -beta, -alpha, selectivity, &mut rest);
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
    let found = Found {
        depth: empties as u8,
        selectivity,
        alpha: window * 100,
        beta: beta * 100,
        score: best * 100,
        best: best_square,
    };
    table.put(board, &found);
    best
}
