//! Why a text is no GGF, or a GGF no game that can be played here.

use super::point::Step;
use crate::match_type::{BoardSize, MatchType};
use crate::vocab::WordError;

/// Where a GGF text is wrong, and how.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct GgfError {
    /// 1 for the first line of the text given.
    pub line: usize,
    /// Characters into the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a GGF text. Values quoted in it are shortened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// No `(;` where a game should begin.
    #[error("a game begins with '(;'")]
    NoGame,
    /// The text ends inside a game.
    #[error("the game is not closed by ';)'")]
    OpenGame,
    /// Neither a tag nor the end of the game.
    #[error("'{0}' where a tag X[...] or the end ';)' should stand")]
    NoTag(String),
    /// A property without its `]`.
    #[error("tag {0} is not closed by ']'")]
    OpenTag(String),
    /// `GM` says something else than Othello.
    #[error("a game of '{0}', not of Othello")]
    OtherGame(String),
    /// A word of the board or a move.
    #[error(transparent)]
    Word(#[from] WordError),
    /// A character that is no square of a board.
    #[error("'{found}' in row {row} of the board is no square; use * O -")]
    Cell {
        /// The character.
        found: char,
        /// From 1, at the top.
        row: usize,
    },
    /// A row of the wrong length.
    #[error("row {row} of the board has {found} squares, not {wanted}")]
    Row {
        /// From 1, at the top.
        row: usize,
        /// Its squares.
        found: usize,
        /// What the board size asks for.
        wanted: usize,
    },
    /// A board with too few or too many squares.
    #[error("the board has {found} squares, not {wanted}")]
    Squares {
        /// Squares in the text; reading stops one beyond the side to move.
        found: usize,
        /// What the board size asks for.
        wanted: usize,
    },
    /// `-` as the side to move.
    #[error("the side to move is neither * nor O")]
    Mover,
    /// A move beyond the board.
    #[error("{mv} is off the board of size {size}")]
    OffBoard {
        /// The move.
        mv: Step,
        /// The board.
        size: BoardSize,
    },
    /// More than any game can have.
    #[error("more than {0} {1} in one game")]
    TooMany(usize, &'static str),
    /// `2 (;...;)` with one game, and the like.
    #[error("the line announces {announced} games and holds {found}")]
    Count {
        /// The number before the games.
        announced: usize,
        /// Games that follow.
        found: usize,
    },
    /// A single game was wanted.
    #[error("a single game is wanted here, not {0}")]
    NotOne(usize),
    /// Something after the last `;)`.
    #[error("'{0}' after the end of the game")]
    Trailing(String),
}

/// Why a well-formed record is not playable.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unplayable {
    /// Not 8x8.
    #[error("board size {0} is not played here, only 8")]
    Board(BoardSize),
    /// A random start that the record does not hold.
    #[error("BO is missing, and a game of type {0} does not begin at the standard start")]
    NoBoard(MatchType),
    /// A square beyond 8x8.
    #[error("{0} is off the board of size 8")]
    Square(Step),
}
