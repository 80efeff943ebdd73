//! What the service tells about games beside their moves: time-outs, proposals, refusals, ratings, chat.

use super::ids::{GameId, MatchId, RequestId};
use super::words::{blanks, keyword, line, parsed, real, rest, word};
use crate::vocab::Color;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use nom::combinator::{map, map_opt, value};
use nom::sequence::{delimited, preceded};
use std::fmt;

/// `timeout .g name (*)` or `fatal-timeout .g name (O)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeOut {
    /// The game.
    pub game: GameId,
    /// Who ran out of time.
    pub name: String,
    /// His colour; `None` until komi is settled.
    pub color: Option<Color>,
    /// False: he cannot win any more and goes on in his extension. True: he lost everything.
    pub fatal: bool,
}

fn mark(input: &str) -> nom::IResult<&str, Option<Color>> {
    map(
        preceded(blanks, delimited(char('('), one_of("*O?"), char(')'))),
        |mark| match mark {
            '*' => Some(Color::Black),
            'O' => Some(Color::White),
            _ => None,
        },
    )
    .parse(input)
}

const fn mark_text(color: Option<Color>) -> &'static str {
    match color {
        Some(Color::Black) => "(*)",
        Some(Color::White) => "(O)",
        None => "(?)",
    }
}

impl TimeOut {
    pub(super) fn read(fatal: bool, input: &str) -> Option<Self> {
        let (game, name, color) = line((parsed, word, mark), input)?;
        Some(Self {
            game,
            name: name.to_owned(),
            color,
            fatal,
        })
    }
}

impl fmt::Display for TimeOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.fatal { "fatal-timeout" } else { "timeout" };
        write!(f, "{word} {} {} {}", self.game, self.name, mark_text(self.color))
    }
}

/// `trust-violation .g name (*) delta= 4 + 0.5 secs`: the reported time was too short and the real one was charged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustViolation {
    /// The game.
    pub game: GameId,
    /// Whose report it was.
    pub name: String,
    /// His colour; `None` until komi is settled.
    pub color: Option<Color>,
    /// The rest of the line.
    pub text: String,
}

impl TrustViolation {
    pub(super) fn read(input: &str) -> Option<Self> {
        let (game, name, color, text) = line((parsed, word, mark, rest), input)?;
        Some(Self {
            game,
            name: name.to_owned(),
            color,
            text: text.to_owned(),
        })
    }
}

impl fmt::Display for TrustViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "trust-violation {} {} {} {}",
            self.game,
            self.name,
            mark_text(self.color),
            self.text
        )
    }
}

/// What a player wants the other to agree to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proposal {
    /// The match ends without a result.
    Abort,
    /// The last move is taken back.
    Undo,
    /// The game ends with a score.
    Score,
}

impl Proposal {
    /// Reads what follows the first word: `.g name is asking`.
    pub(super) fn read(input: &str) -> Option<(GameId, String)> {
        let (game, name, _, _) = line((parsed, word, keyword("is"), rest), input)?;
        Some((game, name.to_owned()))
    }

    /// `abort`, `undo` or `score`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Undo => "undo",
            Self::Score => "score",
        }
    }

    /// `asking` or `offering`.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Abort | Self::Undo => "asking",
            Self::Score => "offering",
        }
    }
}

/// Why a command about a game was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayError {
    /// The move cannot be read.
    Corrupt,
    /// The move is not legal.
    Illegal,
    /// The other one is to move.
    NotYourTurn,
    /// The other game of the pair is to be moved in, or the player is not in this one.
    WrongGame,
    /// The first move of a komi game was sent before.
    FirstMoveSent,
    /// Anything else, such as the form of an id or what cannot be undone.
    Other,
}

/// `error .g illegal move`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayRefusal {
    /// The game, or the match.
    pub game: GameId,
    /// The words after it.
    pub text: String,
}

impl PlayRefusal {
    pub(super) fn read(input: &str) -> Option<Self> {
        let (game, text) = line((parsed, rest), input)?;
        Some(Self {
            game,
            text: text.to_owned(),
        })
    }

    /// What the words mean.
    pub fn error(&self) -> PlayError {
        const KNOWN: [(&str, PlayError); 7] = [
            ("corrupt move", PlayError::Corrupt),
            ("illegal move", PlayError::Illegal),
            ("not your turn", PlayError::NotYourTurn),
            ("wrong game", PlayError::WrongGame),
            ("you already sent the first move", PlayError::FirstMoveSent),
            ("move eval", PlayError::Corrupt),
            ("move time", PlayError::Corrupt),
        ];
        let known = KNOWN.into_iter().find(|(words, _)| self.text.starts_with(words));
        known.map_or(PlayError::Other, |(_, error)| error)
    }
}

/// The id in `match '.3' not found.`
pub(super) fn missing_match(text: &str) -> Option<GameId> {
    missing("match", text)?.parse().ok()
}

/// The id in `request '.3' not found.`
pub(super) fn missing_request(text: &str) -> Option<RequestId> {
    missing("request", text)?.parse().ok()
}

fn missing<'a>(what: &'static str, text: &'a str) -> Option<&'a str> {
    let parser = (keyword(what), word, keyword("not"), rest);
    let (_, id, _, _) = line(parser, text)?;
    Some(id.trim_matches('\''))
}

/// A line of a rating update: `alice 1720.0 @ 350.0  +16.0 -> 1736.0 @ 330.1`.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingChange {
    /// The player.
    pub name: String,
    /// Rating and its deviation before.
    pub before: (f64, f64),
    /// What the match was worth.
    pub change: f64,
    /// Rating and its deviation now.
    pub after: (f64, f64),
}

impl RatingChange {
    pub(super) fn read(input: &str) -> Option<Self> {
        // The signs may touch the numbers or not.
        let spaced = input.replace('@', " @ ").replace("->", " -> ");
        let at = || (real, keyword("@"), real);
        let parser = (word, at(), real, keyword("->"), at());
        let (name, before, change, _, after) = line(parser, &spaced)?;
        Some(Self {
            name: name.to_owned(),
            before: (before.0, before.2),
            change,
            after: (after.0, after.2),
        })
    }
}

impl fmt::Display for RatingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:8} {:6.1} @ {:5.1} {:+6.1} -> {:6.1} @ {:5.1}",
            self.name, self.before.0, self.before.1, self.change, self.after.0, self.after.1
        )
    }
}

/// Who can read a chat line of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// `A`: everyone at the board.
    All,
    /// `O`: its observers.
    Observers,
    /// `P`: its players.
    Players,
}

impl Audience {
    /// `A`, `O` or `P`.
    pub const fn letter(self) -> char {
        match self {
            Self::All => 'A',
            Self::Observers => 'O',
            Self::Players => 'P',
        }
    }
}

/// `.m A 1720.0 alice: text`.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchChat {
    /// The match.
    pub of: MatchId,
    /// Who can read it.
    pub audience: Audience,
    /// The writer's rating.
    pub rating: f64,
    /// The writer.
    pub name: String,
    /// What he wrote; further lines after line feeds.
    pub text: String,
}

impl MatchChat {
    /// Reads a header and the lines after it.
    pub(super) fn read(header: &str, more: &str) -> Option<Self> {
        let audience = preceded(
            blanks,
            alt((
                value(Audience::All, char('A')),
                value(Audience::Observers, char('O')),
                value(Audience::Players, char('P')),
            )),
        );
        let name = map_opt(word, |word: &str| word.strip_suffix(':'));
        let (of, audience, rating, name, text) = line((parsed, audience, real, name, rest), header)?;
        Some(Self {
            of,
            audience,
            rating,
            name: name.to_owned(),
            text: format!("{text}{more}"),
        })
    }
}

impl fmt::Display for MatchChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {:6.1} {}: {}",
            self.of,
            self.audience.letter(),
            self.rating,
            self.name,
            self.text.replace('\n', "\n|")
        )
    }
}
