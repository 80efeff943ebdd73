//! Moves and boards in the short text forms of journals and opening lists.

use crate::board::{Board, Square};
use crate::rules::{Color, Move, Position, Rules};
use std::fmt::Write as _;

/// One move: a square, or a pass in any usual spelling.
pub fn move_of(word: &str) -> Option<Move> {
    Some(match word.parse().ok()? {
        outflank_protocol::Move::Pass => Move::Pass,
        outflank_protocol::Move::Place(square) => Move::Place(Square::new(square.index())),
    })
}

/// `f5d6c3`, passes as `pa`.
pub fn print(moves: &[Move]) -> String {
    moves.iter().fold(String::new(), |mut text, mv| {
        let _ = write!(text, "{mv}");
        text
    })
}

/// Moves of two characters each, in either case, blanks between them or not.
pub fn parse(text: &str) -> Result<Vec<Move>, String> {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    letters
        .chunks(2)
        .map(|pair| {
            let word: String = pair.iter().collect();
            move_of(&word).ok_or_else(|| format!("'{word}' is no move"))
        })
        .collect()
}

/// 64 squares from a1 to h8 (`*` Black, `O` White, `-` empty), a blank and the side to move, as in GGF and OBF.
pub fn diagram(position: &Position) -> String {
    let (black, white) = (position.discs_of(Color::Black), position.discs_of(Color::White));
    let mut text: String = (0..64)
        .map(|i| match (black >> i & 1, white >> i & 1) {
            (1, _) => '*',
            (_, 1) => 'O',
            _ => '-',
        })
        .collect();
    text.push_str(if position.mover == Color::Black {
        " *"
    } else {
        " O"
    });
    text
}

/// Reads what [`diagram`] prints, and the other letters in use: `X B` and `W 0`, `.` and `_`.
pub fn position(text: &str, rules: Rules) -> Option<Position> {
    let cell = |c| match c {
        '*' | 'X' | 'x' | 'B' | 'b' => Some(Some(Color::Black)),
        'O' | 'o' | '0' | 'W' | 'w' => Some(Some(Color::White)),
        '-' | '.' | '_' => Some(None),
        _ => None,
    };
    let cells: Vec<_> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(cell)
        .collect::<Option<_>>()?;
    let (mover, squares) = cells.split_last()?;
    let mover = (*mover)?;
    if squares.len() != 64 {
        return None;
    }
    let set = |color| {
        (0..64)
            .filter(|&i| squares[i] == Some(color))
            .fold(0, |set, i| set | 1u64 << i)
    };
    let board = Board {
        mover: set(mover),
        opponent: set(mover.opposite()),
    };
    Some(Position::new(rules, board, mover))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        let moves = parse("f5 D6c3PA").unwrap();
        assert_eq!(print(&moves), "f5d6c3pa");
        assert!(parse("f5d").is_err() && parse("f9").is_err());
        let start = Position::start(Rules::Othello);
        let text = diagram(&start);
        assert_eq!(
            text,
            "---------------------------O*------*O--------------------------- *"
        );
        assert_eq!(position(&text, Rules::Othello), Some(start));
        assert_eq!(position(&text[1..], Rules::Othello), None);
    }
}
