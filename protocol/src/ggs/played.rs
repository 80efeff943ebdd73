//! A move with what its player said about it.

use crate::vocab::Move;
use nom::bytes::complete::take_while1;
use nom::character::complete::char;
use nom::combinator::{map_opt, opt};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// `move[/eval][/time]`: a move as it is sent and as boards list it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedMove {
    /// The move.
    pub play: Move,
    /// What its player expects: disc difference from his view, two decimals.
    pub eval: Option<f64>,
    /// Seconds that it took, two decimals.
    pub time: Option<f64>,
}

impl PlayedMove {
    /// A move of which nothing else is known.
    pub const fn new(play: Move) -> Self {
        Self {
            play,
            eval: None,
            time: None,
        }
    }
}

/// The text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a move such as f5, d3/-2.50/0.80 or pa//0.01")]
pub struct PlayedMoveError {
    /// What was found, shortened if it was long.
    pub text: String,
}

fn name(input: &str) -> IResult<&str, Move> {
    map_opt(take_while1(|c| c != '/' && c != ' '), |name: &str| {
        name.parse().ok()
    })
    .parse(input)
}

fn number(input: &str) -> IResult<&str, f64> {
    map_opt(take_while1(|c| c != '/' && c != ' '), |text: &str| {
        text.parse::<f64>().ok().filter(|number| number.is_finite())
    })
    .parse(input)
}

pub(super) fn played(input: &str) -> IResult<&str, PlayedMove> {
    let (input, play) = name(input)?;
    let (input, eval) = opt(preceded(char('/'), opt(number))).parse(input)?;
    let (input, time) = opt(preceded(char('/'), opt(number))).parse(input)?;
    Ok((
        input,
        PlayedMove {
            play,
            eval: eval.flatten(),
            time: time.flatten(),
        },
    ))
}

impl FromStr for PlayedMove {
    type Err = PlayedMoveError;

    fn from_str(s: &str) -> Result<Self, PlayedMoveError> {
        match played(s) {
            Ok(("", played)) => Ok(played),
            _ => Err(PlayedMoveError {
                text: s.chars().take(40).collect(),
            }),
        }
    }
}

impl fmt::Display for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.play)?;
        match self.eval {
            Some(eval) => write!(f, "/{eval:.2}")?,
            None if self.time.is_some() => write!(f, "/")?,
            None => {}
        }
        match self.time {
            Some(time) => write!(f, "/{time:.2}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_observed_forms() {
        for text in ["f5//0.41", "d6/1.50/0.41", "c3", "pa/-2.50/1.00", "a1/0.25"] {
            assert_eq!(text.parse::<PlayedMove>().unwrap().to_string(), text);
        }
        assert_eq!("PASS".parse::<PlayedMove>().unwrap().play, Move::Pass);
        assert_eq!("D6/+1.50/".parse::<PlayedMove>().unwrap().to_string(), "d6/1.50");
        for bad in ["", "/", "j9", "f5/x", "f5/1/2/3", "f5/inf", "f5/1 2"] {
            assert!(bad.parse::<PlayedMove>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "[a-h1-8/.0-9 -]{0,30}") {
            let _ = text.parse::<PlayedMove>();
        }
    }
}
