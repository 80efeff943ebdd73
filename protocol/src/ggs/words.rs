//! Parsers for the words of a header line. Columns are padded, so every word may have blanks before it.

use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::{all_consuming, map_opt, verify};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

pub(super) fn blanks(input: &str) -> IResult<&str, &str> {
    take_while(|c| c == ' ').parse(input)
}

/// The next run of characters without blanks.
pub(super) fn word(input: &str) -> IResult<&str, &str> {
    preceded(blanks, take_while1(|c| c != ' ')).parse(input)
}

/// The next word, which must be `expected`.
pub(super) fn keyword<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = nom::error::Error<&'a str>> {
    verify(word, move |found: &str| found == expected)
}

/// The next word as a value, all of it.
pub(super) fn parsed<T: std::str::FromStr>(input: &str) -> IResult<&str, T> {
    map_opt(word, |word: &str| word.parse().ok()).parse(input)
}

/// The next word as a finite number.
pub(super) fn real(input: &str) -> IResult<&str, f64> {
    verify(parsed::<f64>, |number: &f64| number.is_finite()).parse(input)
}

/// The rest of the line without blanks around it; it may be empty.
pub(super) fn rest(input: &str) -> IResult<&str, &str> {
    Ok(("", input.trim_matches(' ')))
}

/// What `parser` finds if nothing but blanks comes after it.
pub(super) fn line<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>>,
    input: &'a str,
) -> Option<T> {
    all_consuming(terminated(parser, blanks))
        .parse(input)
        .ok()
        .map(|(_, value)| value)
}
