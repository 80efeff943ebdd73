//! A position under a rule set.

use super::{Color, Counting, Move, Moves, Rules, Tally};
use crate::board::{Board, scalar};

/// d4, e4, d5, e5: the squares of the first four moves of `classic`.
const CENTRE: u64 = 0x0000_0018_1800_0000;

/// Everything that decides what is legal next and who wins. 24 bytes, `Copy`: a search plays on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The rule set.
    pub rules: Rules,
    /// The discs, seen from the side to move.
    pub board: Board,
    /// Who moves (in a finished game: whose turn it would be).
    pub mover: Color,
    /// `classic`: discs in hand of the mover and of the opponent, 0..=32 each. Otherwise both 0.
    pub hands: [u8; 2],
    /// `free` with `pass=allowed`: how many passes came just before in a row, 0..=2; 2 end the game. Otherwise 0.
    pub passes: u8,
}

impl Position {
    /// The start position of a rule set, Black to move.
    pub const fn start(rules: Rules) -> Self {
        let board = match rules {
            Rules::Othello | Rules::Free { .. } => Board::START,
            Rules::Classic => Board {
                mover: 0,
                opponent: 0,
            },
        };
        Self::new(rules, board, Color::Black)
    }

    /// A position set up by hand, with no pass before it.
    ///
    /// The discs in hand of `classic` cannot be read off a board. Here it is taken as the product of a game without passes:
    /// the discs on the board are shared out evenly, an odd one to the side that has just moved, and each side has the
    /// rest of its 32 in hand. [`Position::with_hands`] says otherwise.
    pub const fn new(rules: Rules, board: Board, mover: Color) -> Self {
        let placed = board.occupied().count_ones() as u8;
        let hands = match rules {
            Rules::Classic => [32 - placed / 2, 32 - placed.div_ceil(2)],
            _ => [0, 0],
        };
        Self {
            rules,
            board,
            mover,
            hands,
            passes: 0,
        }
    }

    /// The same position with these discs in hand (mover, opponent), each cut to 32. Without effect outside `classic`.
    pub const fn with_hands(mut self, [mover, opponent]: [u8; 2]) -> Self {
        const fn at_most_32(n: u8) -> u8 {
            if n > 32 { 32 } else { n }
        }
        if matches!(self.rules, Rules::Classic) {
            self.hands = [at_most_32(mover), at_most_32(opponent)];
        }
        self
    }

    /// Discs in hand of `color`; 0 outside `classic`.
    pub fn hand(&self, color: Color) -> u8 {
        self.hands[usize::from(color != self.mover)]
    }

    /// The discs of `color`.
    pub fn discs_of(&self, color: Color) -> u64 {
        if color == self.mover {
            self.board.mover
        } else {
            self.board.opponent
        }
    }

    /// The legal moves; none if the game is over.
    #[inline]
    pub fn moves(&self) -> Moves {
        match self.rules {
            Rules::Othello => self.outflanking_moves(),
            Rules::Free {
                pass_allowed,
                capture_required,
            } => self.free_moves(pass_allowed, capture_required),
            Rules::Classic => {
                let squares = classic_squares(self.board, self.hands[0]);
                Moves {
                    squares,
                    pass: squares == 0 && classic_squares(self.board.pass(), self.hands[1]) != 0,
                }
            }
        }
    }

    /// Rules O3, O6, O7.
    #[inline]
    fn outflanking_moves(&self) -> Moves {
        let squares = self.board.moves();
        Moves {
            squares,
            pass: squares == 0 && self.board.pass().moves() != 0,
        }
    }

    /// Rules F2, F4, F5, F6. A board without any disc, which no game reaches, has no move and counts as over.
    fn free_moves(&self, pass_allowed: bool, capture_required: bool) -> Moves {
        if self.passes >= 2 {
            return Moves::NONE;
        }
        let mut moves = if capture_required {
            self.outflanking_moves()
        } else {
            Moves {
                squares: scalar::neighbours(self.board.occupied()) & self.board.empty(),
                pass: false,
            }
        };
        moves.pass |= pass_allowed && moves.squares != 0;
        moves
    }

    /// The position after `mv`, which must be legal (checked in debug builds).
    #[inline]
    pub fn play(&self, mv: Move) -> Self {
        debug_assert!(self.moves().contains(mv), "{mv} is not legal");
        let [mover_hand, opponent_hand] = self.hands;
        let (board, hand, passes) = match mv {
            Move::Place(square) => {
                let flips = if self.is_opening() {
                    0
                } else {
                    self.board.flips(square)
                };
                (self.board.after(square, flips), mover_hand.saturating_sub(1), 0)
            }
            Move::Pass => (
                self.board.pass(),
                mover_hand,
                if self.rules.pass_allowed() {
                    self.passes + 1
                } else {
                    0
                },
            ),
        };
        Self {
            rules: self.rules,
            board,
            mover: self.mover.opposite(),
            hands: [opponent_hand, hand],
            passes,
        }
    }

    /// True in the first four moves of `classic`, which only fill the centre (rule C2).
    #[inline]
    pub fn is_opening(&self) -> bool {
        self.rules == Rules::Classic && self.board.empty() & CENTRE != 0
    }

    /// True if the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.moves().is_empty()
    }

    /// Disc difference for the mover as the discs lie, -64..=64.
    #[inline]
    pub fn discs(&self) -> i32 {
        self.board.disc_difference()
    }

    /// Final score for the mover as the rule set counts, -64..=64: `tournament` in `othello` and `free`, `discs` in `classic`.
    /// If the game goes on, what it would be if it stopped here.
    #[inline]
    pub fn score(&self) -> i32 {
        match self.rules {
            Rules::Othello | Rules::Free { .. } => self.board.final_score(),
            Rules::Classic => self.board.disc_difference(),
        }
    }

    /// Points of both players. If the game goes on, what they would be if it stopped here.
    pub fn tally(&self, counting: Counting) -> Tally {
        let [black, white] = Color::BOTH.map(|c| self.discs_of(c).count_ones());
        if counting == Counting::Discs || self.rules == Rules::Classic {
            return Tally { black, white };
        }
        let score = match self.mover {
            Color::Black => self.board.final_score(),
            Color::White => -self.board.final_score(),
        };
        Tally {
            black: ((64 + score) / 2) as u32,
            white: ((64 - score) / 2) as u32,
        }
    }
}

/// Where a side with `hand` discs may place one in `classic` (rules C2, C3, C5).
fn classic_squares(board: Board, hand: u8) -> u64 {
    match (hand, board.empty() & CENTRE) {
        (0, _) => 0,
        (_, 0) => board.moves(),
        (_, centre) => centre,
    }
}
