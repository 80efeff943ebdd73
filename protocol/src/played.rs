//! A move with what its player said about it: `F5/1.23/0.3`.

use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::take_till;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::{IResult, Parser};

/// A move, the evaluation that came with it and the time it took, as in NBoard's `move`, in GGF and on GGS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played<M> {
    /// The move itself.
    pub mv: M,
    /// Discs, from the view of the player who moved; `None` if not said or not readable.
    pub eval: Option<f64>,
    /// Seconds spent, never negative; `None` if not said or not readable.
    pub seconds: Option<f64>,
}

impl<M> Played<M> {
    /// A move about which nothing was said.
    pub const fn bare(mv: M) -> Self {
        Self {
            mv,
            eval: None,
            seconds: None,
        }
    }
}

/// Evaluations beyond this are not evaluations (GGS allows less than 1000).
const MAX_EVAL: f64 = 1e6;
/// Thirty years in seconds; longer moves are not believed.
const MAX_SECONDS: f64 = 1e9;

/// `[+-]digits[.,]digits[E[+-]digits]`: a decimal comma (German Windows) and Java's exponents (`5.0E-4`) are numbers too.
fn number_text(input: &str) -> IResult<&str, &str> {
    // Not digit0: at the end of a text its rest points to the start (nom 8.0), which `recognize` takes for a length.
    let fraction = || (one_of(".,"), opt(digit1));
    recognize((
        opt(one_of("+-")),
        alt((
            recognize((digit1, opt(fraction()))),
            recognize((one_of(".,"), digit1)),
        )),
        opt((one_of("eE"), opt(one_of("+-")), digit1)),
    ))
    .parse(input)
}

/// A finite decimal number that fills `text`, blanks around it aside. The decimal sign is a dot or a comma.
pub fn number(text: &str) -> Option<f64> {
    match number_text(text.trim()) {
        Ok(("", digits)) => digits
            .replace(',', ".")
            .parse()
            .ok()
            .filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}

fn part(input: &str) -> IResult<&str, &str> {
    take_till(|c| c == '/')(input)
}

fn parts(input: &str) -> IResult<&str, (&str, Option<&str>, Option<&str>)> {
    let slashed = |i| (char('/'), part).map(|(_, text)| text).parse(i);
    (part, opt(slashed), opt(slashed)).parse(input)
}

/// `move[/[eval][/[seconds]]]`. An unreadable number is no number, not an error: programs write `NaN` and worse there.
impl<M: FromStr> FromStr for Played<M> {
    type Err = M::Err;

    fn from_str(text: &str) -> Result<Self, M::Err> {
        let (mv, eval, seconds) = match parts(text.trim()) {
            Ok((_, found)) => found,
            Err(_) => (text, None, None),
        };
        Ok(Self {
            mv: mv.trim().parse()?,
            eval: eval.and_then(number).filter(|e| e.abs() < MAX_EVAL),
            seconds: seconds
                .and_then(number)
                .filter(|s| (0.0..MAX_SECONDS).contains(s)),
        })
    }
}

/// `f5`, `f5/1.23`, `f5//0.3`, `f5/1.23/0.3`; in the alternate form `{:#}` the move is upper case, as NBoard writes it.
impl<M: fmt::Display> fmt::Display for Played<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mv.fmt(f)?;
        match (self.eval, self.seconds) {
            (None, None) => Ok(()),
            (Some(eval), None) => write!(f, "/{eval}"),
            (None, Some(seconds)) => write!(f, "//{seconds}"),
            (Some(eval), Some(seconds)) => write!(f, "/{eval}/{seconds}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocab::Move;
    use proptest::prelude::*;

    fn played(text: &str) -> Played<Move> {
        text.parse().unwrap()
    }

    #[test]
    fn every_form_that_nboard_sends() {
        let f4 = |eval, seconds| Played {
            mv: "f4".parse().unwrap(),
            eval,
            seconds,
        };
        assert_eq!(played("F4"), f4(None, None));
        assert_eq!(played("F4//4.355"), f4(None, Some(4.355)));
        assert_eq!(played("F4/1.23/0.3"), f4(Some(1.23), Some(0.3)));
        assert_eq!(played("F4/-1.00"), f4(Some(-1.0), None));
        assert_eq!(played("f4/1,23/0.3\r"), f4(Some(1.23), Some(0.3)));
        assert_eq!(played("F4//5.0E-4"), f4(None, Some(0.0005)));
        assert_eq!(
            played("F4//1.2340000000000002"),
            f4(None, Some(1.2340000000000002))
        );
        assert_eq!(
            played("PA//1.23"),
            Played {
                mv: Move::Pass,
                eval: None,
                seconds: Some(1.23)
            }
        );
    }

    #[test]
    fn unreadable_numbers_are_absent() {
        for text in [
            "F4/NaN/inf",
            "F4/x/-1",
            "F4/1e400/1e10",
            "F4/1.2.3/",
            "F4//",
            "F4/",
            "F4/--1/1 2",
        ] {
            assert_eq!(played(text), Played::bare("f4".parse().unwrap()), "{text}");
        }
        assert!("".parse::<Played<Move>>().is_err());
        assert!("/1/2".parse::<Played<Move>>().is_err());
    }

    proptest! {
        #[test]
        fn prints_what_it_reads(
            square in 0u8..64,
            eval in proptest::option::of(-999.0f64..999.0),
            seconds in proptest::option::of(0.0f64..1e6),
        ) {
            let mv = crate::Square::new(square).map_or(Move::Pass, Move::Place);
            let played = Played { mv, eval, seconds };
            prop_assert_eq!(played.to_string().parse::<Played<Move>>().unwrap(), played);
            prop_assert_eq!(format!("{played:#}").parse::<Played<Move>>().unwrap(), played);
        }
    }
}
