//! What a character of a board diagram means.

use crate::vocab::Color;

/// The disc that a diagram character stands for: `*` `X` `x` `B` `b` black, `O` `o` `0` `W` `w` white, `-` `.` `_` empty
/// (`Some(None)`), anything else `None`.
pub fn cell(c: char) -> Option<Option<Color>> {
    match c {
        '*' | 'X' | 'x' | 'B' | 'b' => Some(Some(Color::Black)),
        'O' | 'o' | '0' | 'W' | 'w' => Some(Some(Color::White)),
        '-' | '.' | '_' => Some(None),
        _ => None,
    }
}

/// The disc of that colour in a diagram: `*`, `O` or `-`, the characters that every program of the field reads.
pub const fn symbol(cell: Option<Color>) -> char {
    match cell {
        Some(Color::Black) => '*',
        Some(Color::White) => 'O',
        None => '-',
    }
}
