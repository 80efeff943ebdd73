//! Between the words of the protocols and those of the engine.

use outflank_protocol as protocol;
use outflank_protocol::vocab::Diagram;

use crate::board::{Board, Square};
use crate::rules::{Color, Move, Position, Rules};

impl From<protocol::Color> for Color {
    fn from(color: protocol::Color) -> Self {
        match color {
            protocol::Color::Black => Self::Black,
            protocol::Color::White => Self::White,
        }
    }
}

impl From<Color> for protocol::Color {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<protocol::Move> for Move {
    fn from(mv: protocol::Move) -> Self {
        match mv {
            protocol::Move::Place(square) => Self::Place(Square::new(square.index())),
            protocol::Move::Pass => Self::Pass,
        }
    }
}

impl From<Move> for protocol::Move {
    fn from(mv: Move) -> Self {
        match mv {
            // Both kinds of squares are the same 64, so that there always is one.
            Move::Place(square) => {
                protocol::Square::new(square.index() as u8).map_or(Self::Pass, Self::Place)
            }
            Move::Pass => Self::Pass,
        }
    }
}

/// The diagram of a position.
pub fn diagram(position: &Position) -> Diagram {
    let mut cells = [None; 64];
    for (index, cell) in cells.iter_mut().enumerate() {
        *cell = Color::BOTH
            .into_iter()
            .find(|&color| position.discs_of(color) >> index & 1 == 1)
            .map(Into::into);
    }
    Diagram {
        cells,
        mover: position.mover.into(),
    }
}

/// The position of a diagram. Discs in hand are as in [`Position::new`].
pub fn position(rules: Rules, diagram: &Diagram) -> Position {
    let discs_of = |color| {
        let discs = diagram
            .cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| **cell == Some(color));
        discs.fold(0, |set, (index, _)| set | 1 << index)
    };
    let board = Board {
        mover: discs_of(diagram.mover),
        opponent: discs_of(diagram.mover.opposite()),
    };
    Position::new(rules, board, diagram.mover.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_moves_are_the_same_in_both_languages() {
        for mv in (0..64).map(|at| Move::Place(Square::new(at))).chain([Move::Pass]) {
            let word = protocol::Move::from(mv);
            assert_eq!(Move::from(word), mv);
            assert_eq!(word.to_string(), mv.to_string());
        }
    }

    #[test]
    fn the_standard_diagram_is_the_start() {
        let start = position(Rules::Othello, &Diagram::standard());
        assert_eq!(start, Position::start(Rules::Othello));
    }
}
