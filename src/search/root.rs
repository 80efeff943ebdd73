//! The root: iterative deepening with aspiration windows over the moves of the position to be answered.

use super::line::Variation;
use super::plan::Iteration;
use super::report::{Grade, Line, Report};
use super::worker::Worker;
use super::{Score, endgame, midgame};
use crate::board::Board;
use crate::rules::Move;
use std::time::Duration;

/// Half the first window around the score of the previous iteration, in centidiscs: midgame, solving.
const ASPIRATION: [i32; 2] = [300, 100];
/// From this many plies on the window is narrow.
const ASPIRATION_DEPTH: u32 = 5;
const INFINITE: i32 = Score::MAX.0;

/// The moves of a root position and the searches behind them. Scores are centidiscs for the side to move at the root.
pub trait Tree {
    /// Number of moves at the root; not 0.
    fn len(&self) -> usize;
    /// One of them.
    fn root_move(&self, index: usize) -> Move;
    /// Is the score behind this move above `alpha`? Fail-soft.
    fn null_window(&self, worker: &mut Worker, index: usize, alpha: i32, iteration: Iteration) -> i32;
    /// The score behind this move between `alpha` and `beta`, with the line after it.
    fn open_window(
        &self,
        worker: &mut Worker,
        index: usize,
        window: (i32, i32),
        iteration: Iteration,
        line: &mut Variation,
    ) -> i32;
}

/// The standard game on bitboards.
pub struct Standard {
    moves: Vec<(Move, Board)>,
}

impl Standard {
    /// The moves of `board`: squares, or the forced pass.
    pub fn new(board: Board) -> Self {
        use crate::board::Squares;
        let mut moves: Vec<_> = Squares(board.moves())
            .map(|square| (Move::Place(square), board.play(square)))
            .collect();
        if moves.is_empty() {
            moves.push((Move::Pass, board.pass()));
        }
        Self { moves }
    }

    /// Plies left after a move: a pass costs none.
    fn plies(&self, index: usize, iteration: Iteration) -> u32 {
        iteration.depth - u32::from(self.moves[index].0 != Move::Pass)
    }
}

impl Tree for Standard {
    fn len(&self) -> usize {
        self.moves.len()
    }

    fn root_move(&self, index: usize) -> Move {
        self.moves[index].0
    }

    fn null_window(&self, worker: &mut Worker, index: usize, alpha: i32, iteration: Iteration) -> i32 {
        let board = self.moves[index].1;
        if iteration.to_end {
            return -100 * endgame::nws(worker, board, !alpha.div_euclid(100), iteration.selectivity);
        }
        -midgame::nws(
            worker,
            board,
            !alpha,
            self.plies(index, iteration),
            iteration.selectivity,
        )
    }

    fn open_window(
        &self,
        worker: &mut Worker,
        index: usize,
        (alpha, beta): (i32, i32),
        iteration: Iteration,
        line: &mut Variation,
    ) -> i32 {
        let board = self.moves[index].1;
        if iteration.to_end {
            // Rounded outwards to whole discs.
            let (low, high) = (alpha.div_euclid(100), -(-beta).div_euclid(100));
            return -100 * endgame::pvs(worker, board, -high, -low, iteration.selectivity, line);
        }
        let plies = self.plies(index, iteration);
        -midgame::pvs(worker, board, -beta, -alpha, plies, iteration.selectivity, line)
    }
}

/// A move at the root with what the last search said of it.
#[derive(Clone, Debug)]
struct Candidate {
    index: usize,
    score: i32,
    line: Variation,
    grade: Option<Grade>,
}

/// What is asked of the root search.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// True scores for this many of the best moves.
    pub lines: usize,
    /// No new iteration after this.
    pub soft: Option<Duration>,
    /// Ask who wins only.
    pub win_loss_draw: bool,
}

/// Runs the iterations of a plan until it ends or the worker is told to stop, telling `on_report` after each. Returns the
/// last report; it holds at least one line, with a legal move, even if nothing could be searched.
pub fn think(
    worker: &mut Worker,
    tree: &dyn Tree,
    plan: &[Iteration],
    question: Question,
    on_report: &mut dyn FnMut(&Report),
) -> Report {
    let mut candidates: Vec<Candidate> = (0..tree.len())
        .map(|index| Candidate {
            index,
            score: 0,
            line: Variation::new(),
            grade: None,
        })
        .collect();
    let lines = question.lines.clamp(1, candidates.len());
    for (count, &iteration) in plan.iter().enumerate() {
        let time_is_up = question.soft.is_some_and(|soft| worker.shared.elapsed() >= soft);
        if worker.aborted || count > 0 && time_is_up {
            break;
        }
        // The best move, then the best of the others, and so on.
        for rank in 0..lines {
            if !best_of(worker, tree, &mut candidates[rank..], iteration, question) {
                break;
            }
        }
        worker.tell_nodes();
        if !worker.aborted {
            candidates[..lines].sort_by_key(|candidate| -candidate.score);
            on_report(&report(worker, tree, &candidates[..lines]));
        }
    }
    worker.tell_nodes();
    report(worker, tree, &candidates[..lines])
}

/// Finds the best of the candidates and puts it first. False if the search was broken off; a better move that had been found
/// by then is first all the same.
fn best_of(
    worker: &mut Worker,
    tree: &dyn Tree,
    candidates: &mut [Candidate],
    iteration: Iteration,
    question: Question,
) -> bool {
    let solving = usize::from(iteration.to_end);
    let before = candidates[0].grade;
    let guess = candidates[0].score;
    let known = candidates[0].grade.is_some() && iteration.depth >= ASPIRATION_DEPTH;
    let (mut alpha, mut beta, mut width) = (-INFINITE, INFINITE, ASPIRATION[solving]);
    if question.win_loss_draw && iteration.to_end {
        (alpha, beta) = (-100, 100);
    } else if known {
        let centre = if iteration.to_end {
            nearest_even_disc(guess)
        } else {
            guess
        };
        (alpha, beta) = ((centre - width).max(-INFINITE), (centre + width).min(INFINITE));
    }
    loop {
        let Some(score) = search_all(worker, tree, candidates, (alpha, beta), iteration) else {
            return false;
        };
        let (failed_low, failed_high) = (
            score <= alpha && alpha > -INFINITE,
            score >= beta && beta < INFINITE,
        );
        let win_loss_draw = question.win_loss_draw && iteration.to_end;
        // A bound is not a result: until it is resolved the move keeps the name of the last one.
        candidates[0].grade = match iteration.grade() {
            Grade::Exact if win_loss_draw => Some(Grade::WinLossDraw),
            grade if win_loss_draw || !failed_low && !failed_high => Some(grade),
            _ => before,
        };
        if win_loss_draw {
            return true;
        }
        width *= 2;
        if failed_low {
            (alpha, beta) = (
                (score - width).max(-INFINITE),
                if iteration.to_end { alpha + 100 } else { beta },
            );
        } else if failed_high {
            (alpha, beta) = (
                if iteration.to_end { beta - 100 } else { alpha },
                (score + width).min(INFINITE),
            );
        } else {
            return true;
        }
    }
}

/// Final scores are even.
fn nearest_even_disc(score: i32) -> i32 {
    200 * (score + 100).div_euclid(200)
}

/// One principal variation search over the candidates; the best comes first, the others keep their order.
fn search_all(
    worker: &mut Worker,
    tree: &dyn Tree,
    candidates: &mut [Candidate],
    (mut alpha, beta): (i32, i32),
    iteration: Iteration,
) -> Option<i32> {
    let before = candidates[0].grade;
    let mut best = i32::MIN;
    let mut line = Variation::new();
    for place in 0..candidates.len() {
        let index = candidates[place].index;
        let mut score = i32::MAX;
        if place > 0 {
            score = tree.null_window(worker, index, alpha, iteration);
        }
        if place == 0 || score > alpha && score < beta && !worker.aborted {
            score = tree.open_window(worker, index, (alpha, beta), iteration, &mut line);
        }
        if worker.aborted {
            return None;
        }
        if score > best {
            best = score;
            if place == 0 || score > alpha {
                candidates[place] = Candidate {
                    index,
                    score,
                    line: line.clone(),
                    grade: before,
                };
                candidates[..=place].rotate_right(1);
            }
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
    }
    Some(best)
}

fn report(worker: &Worker, tree: &dyn Tree, candidates: &[Candidate]) -> Report {
    let lines = candidates
        .iter()
        .filter(|candidate| candidate.grade.is_some())
        .chain(
            candidates
                .iter()
                .filter(|candidate| candidate.grade.is_none())
                .take(1),
        )
        .map(|candidate| {
            let first = tree.root_move(candidate.index);
            Line {
                pv: std::iter::once(first)
                    .chain(candidate.line.moves().iter().copied())
                    .collect(),
                score: Score(candidate.score),
                grade: candidate.grade.unwrap_or(Grade::Depth(0)),
            }
        })
        .collect();
    Report {
        lines,
        nodes: worker.shared.nodes(),
        elapsed: worker.shared.elapsed(),
    }
}
