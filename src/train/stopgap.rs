//! A small fixed-depth search for self-play until the engine's own can be called per thread.

use crate::board::{Board, Square, Squares};
use crate::eval::{Evaluator, LIMIT};

const BITS: u32 = 16;
const WIN: i32 = 64;

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    lower: i16,
    upper: i16,
    depth: i8,
    best: u8,
}

/// One thread's search: fixed depth in the middle, exact at the end.
pub(super) struct Searcher<'a> {
    evaluator: &'a Evaluator,
    table: Vec<Entry>,
}

const NONE: u8 = 64;
/// Depth mark of entries of the exact search, which score whole discs.
const EXACT: i8 = 100;

fn slot(board: Board) -> usize {
    let mixed = (board.mover ^ board.opponent.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> (64 - BITS)) as usize
}

impl<'a> Searcher<'a> {
    pub(super) fn new(evaluator: &'a Evaluator) -> Self {
        let empty = Entry {
            board: Board {
                mover: 0,
                opponent: 0,
            },
            lower: 0,
            upper: 0,
            depth: -1,
            best: NONE,
        };
        Self {
            evaluator,
            table: vec![empty; 1 << BITS],
        }
    }

    /// Best move and its score in centidiscs after a search of `depth` plies; the mover must have a move.
    pub(super) fn best(&mut self, board: Board, depth: u8) -> (Square, i32) {
        let mut score = 0;
        for depth in 1..=depth as i8 {
            score = self.middle(board, depth, -LIMIT - 1, LIMIT + 1, false);
        }
        let entry = self.table[slot(board)];
        debug_assert!(entry.board == board);
        (Square::new(entry.best), score)
    }

    fn middle(&mut self, board: Board, depth: i8, alpha: i32, beta: i32, passed: bool) -> i32 {
        let moves = board.moves();
        if moves == 0 {
            if passed || board.pass().moves() == 0 {
                return 100 * board.final_score();
            }
            return -self.middle(board.pass(), depth, -beta, -alpha, true);
        }
        if depth <= 0 {
            return self.evaluator.evaluate(board);
        }
        let at = slot(board);
        let entry = self.table[at];
        let known = entry.board == board && entry.depth < EXACT;
        if known && entry.depth == depth {
            if entry.lower as i32 >= beta || entry.lower == entry.upper {
                return entry.lower as i32;
            }
            if entry.upper as i32 <= alpha {
                return entry.upper as i32;
            }
        }
        let first = if known { entry.best } else { NONE };
        let mut list = [(0i32, board, NONE); 34];
        let mut n = 0;
        for square in Squares(moves) {
            let child = board.play(square);
            let key = if square.index() as u8 == first {
                i32::MIN
            } else if depth >= 3 {
                self.evaluator.evaluate(child)
            } else if depth == 2 {
                let corner = 0x8100_0000_0000_0081u64;
                let answers = child.moves();
                (answers.count_ones() + (answers & corner).count_ones()) as i32
            } else {
                0
            };
            list[n] = (key, child, square.index() as u8);
            n += 1;
        }
        let list = &mut list[..n];
        if depth >= 2 {
            list.sort_unstable_by_key(|m| m.0);
        }
        let (mut best, mut best_move, mut low) = (i32::MIN, NONE, alpha);
        for (i, &(_, child, square)) in list.iter().enumerate() {
            let mut score;
            if i == 0 {
                score = -self.middle(child, depth - 1, -beta, -low, false);
            } else {
                score = -self.middle(child, depth - 1, -low - 1, -low, false);
                if score > low && score < beta {
                    score = -self.middle(child, depth - 1, -beta, -low, false);
                }
            }
            if score > best {
                (best, best_move) = (score, square);
                low = low.max(score);
                if low >= beta {
                    break;
                }
            }
        }
        self.table[at] = Entry {
            board,
            lower: if best > alpha { best } else { -LIMIT - 1 } as i16,
            upper: if best < beta { best } else { LIMIT + 1 } as i16,
            depth,
            best: best_move,
        };
        best
    }

    /// Exact score in discs for the mover, fail-soft within `alpha..beta`.
    pub(super) fn solve(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        self.end(board, alpha, beta, false)
    }

    fn end(&mut self, board: Board, alpha: i32, beta: i32, passed: bool) -> i32 {
        let empties = board.empties();
        if empties == 1 {
            return last(board);
        }
        let moves = board.moves();
        if moves == 0 {
            if passed || board.pass().moves() == 0 {
                return board.final_score();
            }
            return -self.end(board.pass(), -beta, -alpha, true);
        }
        if empties <= 4 {
            let (mut best, mut low) = (-WIN - 1, alpha);
            for square in Squares(moves) {
                best = best.max(-self.end(board.play(square), -beta, -low, false));
                low = low.max(best);
                if low >= beta {
                    break;
                }
            }
            return best;
        }
        let at = slot(board);
        let mut first = NONE;
        if empties >= 7 {
            let entry = self.table[at];
            if entry.board == board {
                first = entry.best;
                if entry.depth == EXACT {
                    if entry.lower as i32 >= beta || entry.lower == entry.upper {
                        return entry.lower as i32;
                    }
                    if entry.upper as i32 <= alpha {
                        return entry.upper as i32;
                    }
                }
            }
        }
        let empty = board.empty();
        let odd = odd_quadrants(empty);
        let mut list = [(0i32, board, NONE); 34];
        let mut n = 0;
        for square in Squares(moves) {
            let child = board.play(square);
            let corner = 0x8100_0000_0000_0081u64;
            let answers = child.moves();
            let key = if square.index() as u8 == first {
                i32::MIN
            } else {
                let mut key = 4 * (answers.count_ones() + (answers & corner).count_ones()) as i32;
                if square.bit() & corner != 0 {
                    key -= 8;
                }
                if square.bit() & odd != 0 {
                    key -= 3;
                }
                if empties >= 11 {
                    key * 32 + self.evaluator.evaluate(child) / 8
                } else {
                    key
                }
            };
            list[n] = (key, child, square.index() as u8);
            n += 1;
        }
        let list = &mut list[..n];
        list.sort_unstable_by_key(|m| m.0);
        let (mut best, mut best_move, mut low) = (-WIN - 1, NONE, alpha);
        for (i, &(_, child, square)) in list.iter().enumerate() {
            let mut score;
            if i == 0 {
                score = -self.end(child, -beta, -low, false);
            } else {
                score = -self.end(child, -low - 1, -low, false);
                if score > low && score < beta {
                    score = -self.end(child, -beta, -low, false);
                }
            }
            if score > best {
                (best, best_move) = (score, square);
                low = low.max(score);
                if low >= beta {
                    break;
                }
            }
        }
        if empties >= 7 {
            self.table[at] = Entry {
                board,
                lower: if best > alpha { best } else { -WIN } as i16,
                upper: if best < beta { best } else { WIN } as i16,
                depth: EXACT,
                best: best_move,
            };
        }
        best
    }
}

/// The squares of the quadrants with an odd number of empty squares.
fn odd_quadrants(empty: u64) -> u64 {
    let mut odd = 0;
    for quadrant in [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32] {
        if (empty & quadrant).count_ones() % 2 == 1 {
            odd |= quadrant;
        }
    }
    odd
}

fn last(board: Board) -> i32 {
    let square = Square::first(board.empty());
    let mine = board.flips(square).count_ones() as i32;
    let difference = board.disc_difference();
    if mine > 0 {
        return difference + 2 * mine + 1;
    }
    let theirs = board.pass().flips(square).count_ones() as i32;
    if theirs > 0 {
        return difference - 2 * theirs - 1;
    }
    board.final_score()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain minimax.
    fn slow(board: Board) -> i32 {
        let moves = board.moves();
        if moves == 0 {
            if board.is_over() {
                return board.final_score();
            }
            return -slow(board.pass());
        }
        Squares(moves).map(|s| -slow(board.play(s))).max().unwrap()
    }

    #[test]
    fn the_solver_agrees_with_minimax() {
        use rand::{RngExt, SeedableRng};
        let evaluator = Evaluator::HandMade;
        let mut searcher = Searcher::new(&evaluator);
        let mut rng = rand::rngs::StdRng::seed_from_u64(1);
        let mut done = 0;
        while done < 40 {
            let mut board = Board::START;
            while board.empties() > 7 && !board.is_over() {
                let moves = board.moves();
                if moves == 0 {
                    board = board.pass();
                    continue;
                }
                let k = rng.random_range(0..moves.count_ones() as usize);
                board = board.play(Squares(moves).nth(k).unwrap());
            }
            if board.is_over() {
                continue;
            }
            assert_eq!(searcher.solve(board, -WIN, WIN), slow(board), "{board:?}");
            done += 1;
        }
    }
}
