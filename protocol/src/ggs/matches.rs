//! Start and end of matches, and the list of stored ones.

use super::ids::{GameId, MatchId, StoredId};
use super::words::{keyword, line, parsed, real, rest, word};
use crate::match_type::MatchType;
use nom::branch::alt;
use nom::combinator::{map, opt, value};
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// A player and his rating in the class of the match.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The login name; case matters.
    pub name: String,
    /// The rating.
    pub rating: f64,
}

impl Player {
    /// `1720.0 alice`.
    pub(super) fn rating_first(input: &str) -> IResult<&str, Self> {
        map((real, word), |(rating, name)| Self {
            name: name.to_owned(),
            rating,
        })
        .parse(input)
    }
}

/// Whether a match changes ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rated {
    /// `R`.
    Rated,
    /// `U`.
    Unrated,
    /// `T`: rated, of a tournament: it goes on without a player who lost his connection.
    Tournament,
}

impl FromStr for Rated {
    type Err = ();

    fn from_str(s: &str) -> Result<Self, ()> {
        match s {
            "R" => Ok(Self::Rated),
            "U" => Ok(Self::Unrated),
            "T" => Ok(Self::Tournament),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Rated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rated => "R",
            Self::Unrated => "U",
            Self::Tournament => "T",
        })
    }
}

/// A match as the lines at its start and its end describe it. The order of the players says nothing about colours.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchLine {
    /// Its number.
    pub id: MatchId,
    /// The two players. At the end the ratings are those after the match.
    pub players: [Player; 2],
    /// The type of match.
    pub match_type: MatchType,
    /// Rated or not.
    pub rated: Rated,
}

impl MatchLine {
    fn read(input: &str) -> IResult<&str, Self> {
        map(
            (parsed, Player::rating_first, Player::rating_first, parsed, parsed),
            |(id, first, second, match_type, rated)| Self {
                id,
                players: [first, second],
                match_type,
                rated,
            },
        )
        .parse(input)
    }

    pub(super) fn read_start(input: &str) -> Option<Self> {
        line(Self::read, input)
    }

    pub(super) fn read_end(input: &str) -> Option<(Self, MatchResult, Option<StoredId>)> {
        line((Self::read, MatchResult::read_short, opt(parsed)), input)
    }
}

impl fmt::Display for MatchLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.players;
        write!(
            f,
            "{} {:.1} {} {:.1} {} {} {}",
            self.id, first.rating, first.name, second.rating, second.name, self.match_type, self.rated
        )
    }
}

/// How a match or a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchResult {
    /// Disc difference from the first-named player's view, komi counted; in synchro matches the mean of both games.
    Score(f64),
    /// Both wanted to stop. Nobody is rated and nothing is stored.
    Aborted,
    /// This player broke it off or lost his connection.
    Left(String),
}

impl MatchResult {
    /// `+12.00`, `aborted`, `alice left`.
    fn read_short(input: &str) -> IResult<&str, Self> {
        alt((
            map((word, keyword("left")), |(name, _)| Self::Left(name.to_owned())),
            value(Self::Aborted, keyword("aborted")),
            map(real, Self::Score),
        ))
        .parse(input)
    }

    /// `+12.00`, `aborted`, `player alice left`.
    fn read_long(input: &str) -> IResult<&str, Self> {
        alt((
            map((keyword("player"), word, keyword("left")), |(_, name, _)| {
                Self::Left(name.to_owned())
            }),
            value(Self::Aborted, keyword("aborted")),
            map(real, Self::Score),
        ))
        .parse(input)
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score(score) => write!(f, "{score:+.2}"),
            Self::Aborted => f.write_str("aborted"),
            Self::Left(name) => write!(f, "{name} left"),
        }
    }
}

/// The end of one game of a synchro match: `end .7.0 ( alice vs. bob ) +2.00`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEnd {
    /// The game.
    pub game: GameId,
    /// The names as they stand there.
    pub players: [String; 2],
    /// Its result.
    pub result: MatchResult,
}

impl GameEnd {
    /// Reads what follows `end`.
    pub(super) fn read(input: &str) -> Option<Self> {
        let parser = (
            parsed,
            keyword("("),
            word,
            keyword("vs."),
            word,
            keyword(")"),
            MatchResult::read_long,
        );
        let (game, _, first, _, second, _, result) = line(parser, input)?;
        Some(Self {
            game,
            players: [first.to_owned(), second.to_owned()],
            result,
        })
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.players;
        write!(f, "{} ( {first} vs. {second} ) ", self.game)?;
        if matches!(self.result, MatchResult::Left(_)) {
            f.write_str("player ")?;
        }
        write!(f, "{}", self.result)
    }
}

/// A line of the list of stored matches: `.19      29 Nov 2026 20:12:51 alice    bob      s8r14:l`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMatch {
    /// Its number.
    pub id: StoredId,
    /// When it was stored, as printed.
    pub date: String,
    /// The players.
    pub players: [String; 2],
    /// The type of match.
    pub match_type: MatchType,
    /// Why it was stored: the letters after the type.
    pub why: String,
}

impl StoredMatch {
    pub(super) fn read(input: &str) -> Option<Self> {
        let parser = (parsed, word, word, word, word, word, word, rest);
        let (id, day, month, year, time, first, second, tail) = line(parser, input)?;
        let (match_type, why) = tail.split_once(':').unwrap_or((tail, ""));
        Some(Self {
            id,
            date: format!("{day} {month} {year} {time}"),
            players: [first.to_owned(), second.to_owned()],
            match_type: match_type.parse().ok()?,
            why: why.to_owned(),
        })
    }
}

impl fmt::Display for StoredMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.players;
        write!(
            f,
            "{:8} {} {first:8} {second:8} {}:{}",
            self.id, self.date, self.match_type, self.why
        )
    }
}
