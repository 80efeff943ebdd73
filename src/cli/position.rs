//! The options that describe a position, for every subcommand that takes one.

use std::str::FromStr;

use clap::error::ErrorKind;
use clap::{Args, Error};
use outflank_protocol::vocab::Diagram;

use crate::rules::{Color, Position, Rules};
use crate::session::words;

/// A position given on the command line.
#[derive(Clone, Debug, Args)]
pub struct PositionArgs {
    /// Position: 64 cells from a1 row by row (X black, O white, - empty) and the side to move, in quotes [default: the start]
    #[arg(long, value_name = "CELLS MOVER", allow_hyphen_values = true)]
    position: Option<Diagram>,
    #[command(flatten)]
    hand: HandArg,
}

impl PositionArgs {
    /// The position under `rules`; without `--position` the start.
    ///
    /// # Errors
    /// A usage error if discs in hand are given and the rule set has none.
    pub fn read(&self, rules: Rules) -> Result<Position, Error> {
        let position = match &self.position {
            Some(diagram) => words::position(rules, diagram),
            None => Position::start(rules),
        };
        self.hand.put(position)
    }
}

/// The discs in hand, given on the command line.
#[derive(Clone, Debug, Args)]
pub struct HandArg {
    /// Discs in hand in classic, such as X=3,O=4 [default: as after a game without passes]
    #[arg(long, value_name = "X=N,O=N")]
    hand: Option<Hand>,
}

impl HandArg {
    /// `position` with these discs in hand.
    ///
    /// # Errors
    /// A usage error if discs in hand are given and the rule set has none.
    pub fn put(&self, position: Position) -> Result<Position, Error> {
        let Some(hand) = &self.hand else {
            return Ok(position);
        };
        if position.rules != Rules::Classic {
            let text = format!("--hand is for the rules classic, not for {}\n", position.rules);
            return Err(Error::raw(ErrorKind::ArgumentConflict, text));
        }
        let of = |color: Color| hand.0[color.index()].unwrap_or(position.hand(color));
        Ok(position.with_hands([of(position.mover), of(position.mover.opposite())]))
    }

    /// True if discs in hand are given.
    pub fn is_given(&self) -> bool {
        self.hand.is_some()
    }
}

/// Discs in hand of Black and White, 0..=32, as far as they are given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hand([Option<u8>; 2]);

impl FromStr for Hand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut hand = [None; 2];
        for part in text.split(',') {
            let (side, number) = part.split_once('=').ok_or("discs in hand are written X=3,O=4")?;
            let side = match side {
                "X" | "x" => Color::Black,
                "O" | "o" => Color::White,
                _ => return Err(format!("'{side}' is neither X nor O")),
            };
            let number = number
                .parse()
                .ok()
                .filter(|n| *n <= 32)
                .ok_or_else(|| format!("'{number}' is not a number of discs, 0 to 32"))?;
            if hand[side.index()].replace(number).is_some() {
                return Err(format!("the discs of {side} are given twice"));
            }
        }
        Ok(Self(hand))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands() {
        assert_eq!("X=3,O=4".parse(), Ok(Hand([Some(3), Some(4)])));
        assert_eq!("o=32,x=0".parse(), Ok(Hand([Some(0), Some(32)])));
        assert_eq!("O=4".parse(), Ok(Hand([None, Some(4)])));
        let error = |text: &str| text.parse::<Hand>().unwrap_err();
        assert_eq!(error("3"), "discs in hand are written X=3,O=4");
        assert_eq!(error("X=3,Y=1"), "'Y' is neither X nor O");
        assert_eq!(error("X=33"), "'33' is not a number of discs, 0 to 32");
        assert_eq!(error("X=-1"), "'-1' is not a number of discs, 0 to 32");
        assert_eq!(error("X=1,X=2"), "the discs of Black are given twice");
    }

    #[test]
    fn the_other_hand_stays() {
        let hand = HandArg {
            hand: "O=4".parse().ok(),
        };
        let classic = hand.put(Position::start(Rules::Classic)).unwrap();
        assert_eq!(classic.hands, [32, 4]);
        let error = hand.put(Position::start(Rules::Othello)).unwrap_err();
        assert!(error.to_string().contains("not for othello"), "{error}");
    }
}
