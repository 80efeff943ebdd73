//! The type of an Othello match as GGS and GGF write it: `8`, `8b`, `s8r20`, `8kr16`.
//!
//! ```text
//! type := ["s"] board { "k" | "r" [discs] | "a" | "b" | "w" }      in any case; printed lower case as  s board k r b|w a
//! ```

use crate::vocab::{Color, WordError};
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, u8 as number};
use nom::combinator::{map, opt, value};
use nom::multi::fold_many0;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// The board of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardSize {
    /// 4x4.
    Four,
    /// 6x6.
    Six,
    /// 8x8, the only one this program plays on.
    Eight,
    /// 10x10.
    Ten,
    /// 12x12.
    Twelve,
    /// 14x14.
    Fourteen,
    /// `88`: 10x10 with cut corners, 88 squares.
    Octagon,
}

impl BoardSize {
    /// Every size, in the order of their names.
    pub const ALL: [Self; 7] = [
        Self::Four,
        Self::Six,
        Self::Eight,
        Self::Ten,
        Self::Twelve,
        Self::Fourteen,
        Self::Octagon,
    ];

    /// The number that names it: 4, 6, 8, 10, 12, 14 or 88.
    pub const fn name(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::Six => 6,
            Self::Eight => 8,
            Self::Ten => 10,
            Self::Twelve => 12,
            Self::Fourteen => 14,
            Self::Octagon => 88,
        }
    }

    /// Squares in a row of its diagrams.
    pub const fn width(self) -> usize {
        match self {
            Self::Octagon => 10,
            other => other.name() as usize,
        }
    }

    /// Number of squares.
    pub const fn squares(self) -> usize {
        match self {
            Self::Octagon => 88,
            other => other.width() * other.width(),
        }
    }

    /// The most discs that a random start on it may have.
    pub const fn most_random_discs(self) -> u8 {
        match self {
            Self::Octagon => 48,
            other => {
                let squares = other.name() * other.name();
                squares - 16
            }
        }
    }
}

impl FromStr for BoardSize {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        match board(text) {
            Ok(("", size)) => Ok(size),
            _ => Err(WordError::new(text, "a board size 4, 6, 8, 10, 12, 14 or 88")),
        }
    }
}

/// The number that names it.
impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name(), f)
    }
}

/// How the first position of a match is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Start {
    /// The four centre discs.
    #[default]
    Standard,
    /// A random position (`r`) with this many discs on the board; `None` in the names of rating classes (`8r`) and in some
    /// records, which do not say.
    Random(Option<u8>),
}

/// The type of a match.
///
/// [`FromStr`] reads everything that records contain; [`MatchType::check`] says whether a server would start such a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchType {
    /// `s`: two games at once from one start position, colours swapped.
    pub synchro: bool,
    /// The board.
    pub board: BoardSize,
    /// `k`: both players bid for the side to move.
    pub komi: bool,
    /// The first position.
    pub start: Start,
    /// `b` or `w`: the colour that the asker wants; without it colours are drawn.
    pub color: Option<Color>,
    /// `a`: fewer discs win.
    pub anti: bool,
}

impl MatchType {
    /// `8`: standard start on 8x8, colours drawn.
    pub const STANDARD: Self = Self {
        synchro: false,
        board: BoardSize::Eight,
        komi: false,
        start: Start::Standard,
        color: None,
        anti: false,
    };

    /// Number of games played at once: 2 for synchro matches, else 1.
    pub const fn games(&self) -> usize {
        if self.synchro { 2 } else { 1 }
    }

    /// The type as the other player sees it: the colour wish turned around.
    pub fn mirrored(self) -> Self {
        Self {
            color: self.color.map(Color::opposite),
            ..self
        }
    }

    /// Whether a match of this type can be asked for.
    pub fn check(&self) -> Result<(), MatchTypeFault> {
        if self.synchro && self.komi {
            return Err(MatchTypeFault::SynchroKomi);
        }
        if let Start::Random(discs) = self.start {
            let most = self.board.most_random_discs();
            if !discs.is_some_and(|n| (4..=most).contains(&n)) {
                return Err(MatchTypeFault::RandomDiscs);
            }
            if !self.synchro && !self.komi {
                return Err(MatchTypeFault::PlainRandom);
            }
        }
        if self.color.is_some() && (self.komi || self.start != Start::Standard) {
            return Err(MatchTypeFault::ColorWish);
        }
        Ok(())
    }
}

/// Why a match of a type cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchTypeFault {
    /// `s` and `k` together.
    #[error("a synchro match has no komi")]
    SynchroKomi,
    /// `r` with neither `k` nor `s`.
    #[error("a random start needs komi (k) or synchro (s)")]
    PlainRandom,
    /// `r` without the number of discs, or with one out of range.
    #[error("a random start needs 4 to (squares - 16) discs")]
    RandomDiscs,
    /// `b` or `w` with `k` or `r`.
    #[error("no colour can be chosen with komi or a random start")]
    ColorWish,
}

/// The text is not a match type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a match type such as 8, 8b, s8r20, 8kr16 (boards 4, 6, 8, 10, 12, 14, 88)")]
pub struct MatchTypeError {
    /// What was found, shortened if it was long.
    pub text: String,
}

#[derive(Clone, Copy)]
enum Suffix {
    Komi,
    Random(Option<u8>),
    Color(Color),
    Anti,
}

fn board(input: &str) -> IResult<&str, BoardSize> {
    nom::combinator::map_opt(number, |name| {
        BoardSize::ALL.into_iter().find(|size| size.name() == name)
    })
    .parse(input)
}

fn suffix(input: &str) -> IResult<&str, Suffix> {
    alt((
        value(Suffix::Komi, tag_no_case("k")),
        map((tag_no_case("r"), opt(number)), |(_, discs)| {
            Suffix::Random(discs)
        }),
        value(Suffix::Color(Color::Black), tag_no_case("b")),
        value(Suffix::Color(Color::White), tag_no_case("w")),
        value(Suffix::Anti, tag_no_case("a")),
    ))
    .parse(input)
}

fn match_type(input: &str) -> IResult<&str, MatchType> {
    let (input, synchro) = opt(alt((char('s'), char('S')))).parse(input)?;
    let (input, board) = board(input)?;
    let plain = MatchType {
        synchro: synchro.is_some(),
        board,
        ..MatchType::STANDARD
    };
    fold_many0(
        suffix,
        move || plain,
        |mut found, suffix| {
            match suffix {
                Suffix::Komi => found.komi = true,
                Suffix::Random(discs) => found.start = Start::Random(discs),
                Suffix::Color(color) => found.color = Some(color),
                Suffix::Anti => found.anti = true,
            }
            found
        },
    )
    .parse(input)
}

impl FromStr for MatchType {
    type Err = MatchTypeError;

    fn from_str(s: &str) -> Result<Self, MatchTypeError> {
        match match_type(s) {
            Ok(("", found)) => Ok(found),
            _ => Err(MatchTypeError {
                text: s.chars().take(40).collect(),
            }),
        }
    }
}

impl fmt::Display for MatchType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(8);
        if self.synchro {
            text.push('s');
        }
        text.push_str(&self.board.name().to_string());
        if self.komi {
            text.push('k');
        }
        match self.start {
            Start::Standard => {}
            Start::Random(None) => text.push('r'),
            Start::Random(Some(discs)) => text.push_str(&format!("r{discs}")),
        }
        match self.color {
            None => {}
            Some(Color::Black) => text.push('b'),
            Some(Color::White) => text.push('w'),
        }
        if self.anti {
            text.push('a');
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_type() -> impl Strategy<Value = MatchType> {
        (
            any::<bool>(),
            0usize..7,
            any::<bool>(),
            prop_oneof![Just(Start::Standard), any::<Option<u8>>().prop_map(Start::Random)],
            prop_oneof![Just(None), Just(Some(Color::Black)), Just(Some(Color::White))],
            any::<bool>(),
        )
            .prop_map(|(synchro, board, komi, start, color, anti)| MatchType {
                synchro,
                board: BoardSize::ALL[board],
                komi,
                start,
                color,
                anti,
            })
    }

    proptest! {
        #[test]
        fn prints_what_it_reads(kind in any_type()) {
            let text = kind.to_string();
            prop_assert_eq!(text.parse::<MatchType>(), Ok(kind));
            prop_assert_eq!(text.to_uppercase().parse::<MatchType>(), Ok(kind));
        }

        #[test]
        fn any_text_is_answered(text in ".{0,60}") {
            let _ = text.parse::<MatchType>();
        }
    }

    #[test]
    fn reads_the_usual_types() {
        let eight: MatchType = "8".parse().unwrap();
        assert_eq!(eight, MatchType::STANDARD);
        let s8r20: MatchType = "S8R20".parse().unwrap();
        assert!(s8r20.synchro && s8r20.start == Start::Random(Some(20)));
        assert_eq!(s8r20.games(), 2);
        assert_eq!("8r20k".parse::<MatchType>().unwrap().to_string(), "8kr20");
        assert_eq!("8ba".parse::<MatchType>().unwrap().mirrored().to_string(), "8wa");
        assert_eq!("88".parse::<MatchType>().unwrap().board, BoardSize::Octagon);
        assert_eq!(format!("{:8}|", MatchType::STANDARD), "8       |");
        assert_eq!(format!("{:>8}|", MatchType::STANDARD), "       8|");
        for bad in ["", "s", "7", "8x", "0", "8 b", "8r300", "b8"] {
            assert!(bad.parse::<MatchType>().is_err(), "{bad}");
        }
    }

    #[test]
    fn knows_what_a_server_refuses() {
        let check = |text: &str| text.parse::<MatchType>().unwrap().check();
        for good in [
            "8", "8b", "8w", "8a", "8ba", "8k", "8kr16", "s8", "s8r20", "8kr48", "8kr4", "88kr48",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        assert_eq!(check("s8k"), Err(MatchTypeFault::SynchroKomi));
        assert_eq!(check("8r20"), Err(MatchTypeFault::PlainRandom));
        assert_eq!(check("s8r"), Err(MatchTypeFault::RandomDiscs));
        assert_eq!(check("8kr49"), Err(MatchTypeFault::RandomDiscs));
        assert_eq!(check("s8r3"), Err(MatchTypeFault::RandomDiscs));
        assert_eq!(check("8kb"), Err(MatchTypeFault::ColorWish));
        assert_eq!(check("s8r20w"), Err(MatchTypeFault::ColorWish));
    }
}
