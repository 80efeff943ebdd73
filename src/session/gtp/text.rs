//! Boards and results as GTP clients want them.

use std::fmt::Write;

use crate::board::Square;
use crate::rules::{Color, Counting, Game, Move, Position, Rules, Tally};

/// `F5` or `PASS`.
pub fn vertex(mv: Move) -> String {
    match mv {
        Move::Place(_) => mv.to_string().to_ascii_uppercase(),
        Move::Pass => "PASS".into(),
    }
}

/// `black` or `white`.
pub fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// One row of the board, 0 at the top: `X` black, `O` white, `.` empty.
fn row(position: &Position, row: u8) -> String {
    let cell = |column| {
        let bit = Square::new((row * 8 + column) & 63).bit();
        let on = |color| position.discs_of(color) & bit != 0;
        match (on(Color::Black), on(Color::White)) {
            (true, _) => "X",
            (_, true) => "O",
            _ => ".",
        }
    };
    [0, 1, 2, 3, 4, 5, 6, 7].map(cell).join(" ")
}

/// The board for people, row 1 at the top, with whose turn it is.
pub fn board(game: &Game) -> String {
    let position = game.position();
    // It begins on a line of its own, or the first row would be out of line.
    let mut text = "\n  A B C D E F G H\n".to_owned();
    for at in 0..8 {
        let _ = writeln!(text, "{} {} {}", at + 1, row(position, at), at + 1);
    }
    text.push_str("  A B C D E F G H\n");
    let [black, white] = Color::BOTH.map(|color| position.discs_of(color).count_ones());
    let turn = match game.result(Counting::Tournament) {
        Some(tally) => format!("game over, {}", result(tally)),
        None => format!("{} to move", position.mover),
    };
    let _ = write!(text, "Black (X) {black}, White (O) {white}, {turn}");
    text
}

/// The board for GoGui, which draws the first row at the top and calls it the last one: row 8 first, so that the names of the
/// squares are right and only the picture is upside down.
pub fn gogui_board(position: &Position) -> String {
    let rows: Vec<String> = (0..8).rev().map(|at| row(position, at)).collect();
    rows.join("\n")
}

/// The legal moves, `PASS` for a forced or allowed pass; empty when the game is over.
pub fn legal_moves(game: &Game) -> String {
    let moves: Vec<String> = game.moves().iter().map(vertex).collect();
    moves.join(" ")
}

/// `B+12`, `W+40` or `0`.
pub fn score(tally: Tally) -> String {
    match tally.winner() {
        Some(Color::Black) => format!("B+{}", tally.difference(Color::Black)),
        Some(Color::White) => format!("W+{}", tally.difference(Color::White)),
        None => "0".into(),
    }
}

/// `Black wins 38-26` or `Draw 32-32`.
pub fn result(tally: Tally) -> String {
    match tally.winner() {
        Some(color) => format!("{color} wins {tally}"),
        None => format!("Draw {tally}"),
    }
}

/// The standard game by the name that controllers know, the others by ours.
pub fn game_name(rules: Rules) -> String {
    match rules {
        Rules::Othello => "Othello".into(),
        other => other.to_string(),
    }
}
