//! Reading GGF.

use std::str::FromStr;

use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{alpha1, char, digit1, multispace0};
use nom::combinator::opt;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::board::{Board, has};
use super::error::{Fault, GgfError};
use super::point::Step;
use super::{Ending, Game, Match, Outcome, Player, Tag, Turn};
use crate::clock::{Bare, ClockSetting};
use crate::match_type::{BoardSize, MatchType};
use crate::place::line_and_column;
use crate::played::{Played, number};
use crate::vocab::Color;

/// More moves than any game on 14x14 squares has, passes included.
const MAX_MOVES: usize = 400;
/// More tags than any record has that was met so far, by far.
const MAX_SKIPPED: usize = 100;

/// A fault, and the rest of the text at the place where it was met.
type Failed<'a> = (&'a str, Fault);

fn short(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(40).collect()
}

/// The start of a property: its letters and the bracket.
fn opening(input: &str) -> IResult<&str, &str> {
    terminated(alpha1, (multispace0, char('['))).parse(input)
}

/// The value of a property and its closing bracket. No program breaks a line within a value.
fn value(input: &str) -> IResult<&str, &str> {
    terminated(take_till(|c| c == ']' || c == '\n' || c == '\r'), char(']')).parse(input)
}

fn game_start(input: &str) -> IResult<&str, &str> {
    tag("(;").parse(input)
}

fn game_end(input: &str) -> IResult<&str, &str> {
    tag(";)").parse(input)
}

/// The values of these tags are free text; the others never hold what ends a game, so that it means a missing `]` there.
fn is_text(name: &str) -> bool {
    !matches!(
        name,
        "B" | "W" | "BO" | "KB" | "KW" | "KM" | "RE" | "TY" | "TI" | "TB" | "TW" | "RB" | "RW" | "GM"
    )
}

/// One game from `(;` to `;)`; the rest of the text after it.
fn game(input: &str) -> Result<(&str, Game), Failed<'_>> {
    let (mut rest, _) = game_start(input).map_err(|_| (input, Fault::NoGame))?;
    let mut reader = Reader::default();
    loop {
        rest = rest.trim_start();
        if let Ok((after, _)) = game_end(rest) {
            return Ok((after, reader.finish()?));
        }
        if rest.is_empty() {
            return Err((input, Fault::OpenGame));
        }
        let (inside, letters) = opening(rest).map_err(|_| (rest, Fault::NoTag(short(rest))))?;
        let name = letters.to_ascii_uppercase();
        let closed = value(inside)
            .ok()
            .filter(|(_, text)| is_text(&name) || !text.contains(";)"));
        let (after, text) = match closed {
            Some(found) => found,
            None => open_tag(&name, rest, inside)?,
        };
        reader.take(name, text, rest).map_err(|fault| (rest, fault))?;
        rest = after;
    }
}

/// A property without its bracket. A tag that is read over anyway may be left open at the end of a game (a `BO` misspelt in
/// more than one way was met); any other one is an error.
fn open_tag<'a>(name: &str, at: &'a str, inside: &'a str) -> Result<(&'a str, &'a str), Failed<'a>> {
    let line = inside.lines().next().unwrap_or("");
    match line.find(";)").and_then(|end| inside.split_at_checked(end)) {
        Some((text, after)) if is_text(name) && !matches!(name, "PC" | "PB" | "PW" | "DT") => {
            Ok((after, text))
        }
        _ => Err((at, Fault::OpenTag(short(name)))),
    }
}

/// A game in the making.
#[derive(Default)]
struct Reader<'a> {
    place: String,
    date: String,
    black: Player,
    white: Player,
    both: Option<ClockSetting>,
    kind: Option<MatchType>,
    komi: Option<f64>,
    result: Outcome,
    start: Option<Board>,
    moves: Vec<Turn<Step>>,
    /// Where each move stands: whether it is on the board is only known at the end.
    places: Vec<&'a str>,
    skipped: Vec<Tag>,
}

impl<'a> Reader<'a> {
    /// Takes in one property. What cannot hurt is kept aside when it is unreadable.
    fn take(&mut self, name: String, text: &str, place: &'a str) -> Result<(), Fault> {
        let understood = match name.as_str() {
            "GM" => {
                let game = text.trim();
                if !["othello", "reversi", "2"]
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(game))
                {
                    return Err(Fault::OtherGame(short(game)));
                }
                true
            }
            "PC" => set(&mut self.place, Some(text.into())),
            "DT" => set(&mut self.date, Some(text.into())),
            "PB" => set(&mut self.black.name, Some(text.into())),
            "PW" => set(&mut self.white.name, Some(text.into())),
            "RB" => fill(&mut self.black.rating, number(text)),
            "RW" => fill(&mut self.white.rating, number(text)),
            "TI" => fill(&mut self.both, ClockSetting::parse(text, Bare::Seconds).ok()),
            "TB" => fill(
                &mut self.black.clock,
                ClockSetting::parse(text, Bare::Seconds).ok(),
            ),
            "TW" => fill(
                &mut self.white.clock,
                ClockSetting::parse(text, Bare::Seconds).ok(),
            ),
            "TY" => fill(&mut self.kind, text.parse().ok()),
            "KB" => fill(&mut self.black.bid, text.parse().ok()),
            "KW" => fill(&mut self.white.bid, text.parse().ok()),
            "KM" => fill(&mut self.komi, number(text)),
            "RE" => set(&mut self.result, outcome(text)),
            "BO" => {
                self.start = Some(Board::parse(text)?);
                true
            }
            "B" => self.turn(Color::Black, text, place)?,
            "W" => self.turn(Color::White, text, place)?,
            _ => false,
        };
        if !understood {
            if self.skipped.len() == MAX_SKIPPED {
                return Err(Fault::TooMany(MAX_SKIPPED, "unknown tags"));
            }
            self.skipped.push(Tag {
                name,
                value: text.into(),
            });
        }
        Ok(())
    }

    fn turn(&mut self, color: Color, text: &str, place: &'a str) -> Result<bool, Fault> {
        if self.moves.len() == MAX_MOVES {
            return Err(Fault::TooMany(MAX_MOVES, "moves"));
        }
        self.moves.push(Turn {
            color,
            played: text.parse::<Played<Step>>()?,
        });
        self.places.push(place);
        Ok(true)
    }

    fn finish(mut self) -> Result<Game, Failed<'a>> {
        let size = match (&self.start, self.kind) {
            (Some(board), _) => board.size(),
            (None, Some(kind)) => kind.board,
            (None, None) => BoardSize::Eight,
        };
        for (turn, place) in self.moves.iter().zip(&self.places) {
            match turn.played.mv {
                Step::Place(point) if !has(size, point) => {
                    return Err((
                        place,
                        Fault::OffBoard {
                            mv: turn.played.mv,
                            size,
                        },
                    ));
                }
                _ => {}
            }
        }
        self.black.clock = self.black.clock.or(self.both);
        self.white.clock = self.white.clock.or(self.both);
        Ok(Game {
            place: self.place,
            date: self.date,
            black: self.black,
            white: self.white,
            kind: self.kind.unwrap_or(MatchType {
                board: size,
                ..MatchType::STANDARD
            }),
            komi: self.komi,
            result: self.result,
            start: self.start,
            moves: self.moves,
            skipped: self.skipped,
        })
    }
}

/// Sets the field if there is a value; says whether there was one.
fn set<T>(field: &mut T, value: Option<T>) -> bool {
    let found = value.is_some();
    if let Some(value) = value {
        *field = value;
    }
    found
}

fn fill<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    set(field, value.map(Some))
}

/// `?`, `+12.000`, `-10`, `2:r`.
fn outcome(text: &str) -> Option<Outcome> {
    let (discs, flag) = text
        .trim()
        .split_once(':')
        .map_or((text.trim(), None), |(discs, flag)| (discs, Some(flag)));
    let discs = match discs.trim() {
        "?" => None,
        discs => Some(number(discs)?),
    };
    let ending = match flag.map(str::trim) {
        None => None,
        Some("r") => Some(Ending::Resigned),
        Some("t") => Some(Ending::Timeout),
        Some("s") => Some(Ending::Agreed),
        Some("l") => Some(Ending::Adjourned),
        Some(_) => return None,
    };
    Some(Outcome { discs, ending })
}

/// The number of games in front of them.
fn announced(input: &str) -> IResult<&str, usize> {
    terminated(digit1.map_res(str::parse), multispace0).parse(input)
}

/// `[n] (;...;)...`: as many games as announced, or all that follow on the line when nothing is.
fn games(input: &str) -> Result<(&str, Match), Failed<'_>> {
    let (mut rest, count) = opt(announced).parse(input).unwrap_or((input, None));
    let mut games = Vec::new();
    loop {
        match count {
            Some(announced) if games.len() >= announced.max(1) => break,
            Some(announced) if game_start(rest.trim_start()).is_err() => {
                return Err((
                    input,
                    Fault::Count {
                        announced,
                        found: games.len(),
                    },
                ));
            }
            None if !games.is_empty() && game_start(rest.trim_start_matches([' ', '\t'])).is_err() => break,
            _ => {}
        }
        let (after, game) = game(rest.trim_start())?;
        games.push(game);
        rest = after;
    }
    Ok((rest, Match { games }))
}

fn locate(text: &str, rest: &str, fault: Fault) -> GgfError {
    let (line, column) = line_and_column(text, rest);
    GgfError { line, column, fault }
}

/// One line of an archive; nothing may follow.
impl FromStr for Match {
    type Err = GgfError;

    fn from_str(text: &str) -> Result<Self, GgfError> {
        let found = games(text.trim_start()).and_then(|(rest, found)| match rest.trim_start() {
            "" => Ok(found),
            more => Err((more, Fault::Trailing(short(more)))),
        });
        found.map_err(|(rest, fault)| locate(text, rest, fault))
    }
}

/// A single game, with or without its `1 ` in front; nothing may follow.
impl FromStr for Game {
    type Err = GgfError;

    fn from_str(text: &str) -> Result<Self, GgfError> {
        let mut found = text.parse::<Match>()?;
        match (found.games.pop(), found.games.len()) {
            (Some(game), 0) => Ok(game),
            (_, others) => Err(GgfError {
                line: 1,
                column: 1,
                fault: Fault::NotOne(others + 1),
            }),
        }
    }
}

/// The matches of a whole file, see [`matches()`].
#[derive(Clone, Debug)]
pub struct Matches<'a> {
    text: &'a str,
    rest: &'a str,
}

/// Reads a file of games, a match a line or spread over several. After a bad record reading goes on at the next line that
/// begins a game.
pub fn matches(text: &str) -> Matches<'_> {
    Matches { text, rest: text }
}

/// A line that can begin a match: `(;` or `2 (;`.
fn match_start(line: &str) -> bool {
    let number = opt(announced);
    preceded(number, game_start).parse(line.trim_start()).is_ok()
}

impl Iterator for Matches<'_> {
    type Item = Result<Match, GgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        match games(rest) {
            Ok((after, found)) => {
                self.rest = after;
                Some(Ok(found))
            }
            Err((at, fault)) => {
                let lines = rest
                    .split_inclusive('\n')
                    .skip(1)
                    .skip_while(|line| !match_start(line));
                let left: usize = lines.map(str::len).sum();
                self.rest = rest.get(rest.len().saturating_sub(left)..).unwrap_or("");
                Some(Err(locate(self.text, at, fault)))
            }
        }
    }
}
