//! Where in a text something stands.

/// What comes before `rest`, a tail of `text`.
fn before<'a>(text: &'a str, rest: &str) -> &'a str {
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or("")
}

/// Column of `rest`, a tail of the line `text`, in characters from 1.
pub fn column(text: &str, rest: &str) -> usize {
    before(text, rest).chars().count() + 1
}

/// Line and column of `rest`, a tail of `text`, both from 1.
pub fn line_and_column(text: &str, rest: &str) -> (usize, usize) {
    let before = before(text, rest);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    (line, column)
}
