//! Boards: `join` (a whole game: its start, resumption, undo, settled komi, or on demand) and `update` (a move).
//!
//! The layout is fixed, so lines are read by their place and never by their look: a player's name could look like anything.

use super::PlayedMove;
use super::clock::RunningClock;
use super::ids::GameId;
use super::message::body_lines;
use super::words::{blanks, line, parsed, real, rest, word};
use crate::cells::symbol;
use crate::clock::ClockSetting;
use crate::ggf;
use crate::match_type::MatchType;
use crate::vocab::{Cells, Color, Diagram};
use nom::bytes::complete::take_till;
use nom::character::complete::{char, one_of, u32 as number};
use nom::combinator::{map, opt};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::fmt::{self, Write as _};

/// A player at a board: `alice    (1720.0 *) 04:59,21:0//02:00,21:0`.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat<C> {
    /// The login name.
    pub name: String,
    /// The rating in the class of the match.
    pub rating: f64,
    /// His colour; `None` until komi is settled.
    pub color: Option<Color>,
    /// His clock: [`RunningClock`] at a live board, [`ClockSetting`] before a list of moves.
    pub clock: C,
}

/// What lies on the board and what the clocks show. Black's seat is first, or the first-named player's while nobody has a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot<C> {
    /// The players.
    pub seats: [Seat<C>; 2],
    /// The board. Someone is always "to move", even when the game is over.
    pub board: Diagram,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    /// The game.
    pub game: GameId,
    /// The type of match.
    pub match_type: MatchType,
    /// The komi from Black's view once it is settled.
    pub komi: Option<f64>,
    /// Where it started, with the clocks as they were set; `None` if no move has been made.
    pub start: Option<Snapshot<ClockSetting>>,
    /// The moves made, passes included; empty iff there is no `start`.
    pub moves: Vec<PlayedMove>,
    /// How it stands.
    pub state: Snapshot<RunningClock>,
}

/// The board after a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The game.
    pub game: GameId,
    /// The type of match.
    pub match_type: MatchType,
    /// The komi from Black's view once it is settled.
    pub komi: Option<f64>,
    /// Number of the move, the first is 1, passes count.
    pub ply: u32,
    /// The move.
    pub played: PlayedMove,
    /// How it stands now.
    pub state: Snapshot<RunningClock>,
}

/// The first line of either: `.4.0 s8r20 K?`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoardHeader {
    pub game: GameId,
    pub match_type: MatchType,
    pub komi: Option<f64>,
}

impl BoardHeader {
    pub(super) fn read(input: &str) -> Option<Self> {
        let komi = preceded(
            (blanks, char('K')),
            nom::branch::alt((map(char('?'), |_| None), map(real, Some))),
        );
        let (game, match_type, komi) = line((parsed, parsed, komi), input)?;
        Some(Self {
            game,
            match_type,
            komi,
        })
    }
}

fn write_header(
    f: &mut fmt::Formatter<'_>,
    game: GameId,
    match_type: MatchType,
    komi: Option<f64>,
) -> fmt::Result {
    match komi {
        None => write!(f, "{game} {match_type} K?"),
        Some(komi) => write!(f, "{game} {match_type} K{komi:+.3}"),
    }
}

impl<C: std::str::FromStr> Seat<C> {
    fn read(input: &str) -> Option<Self> {
        let mark = map(preceded(blanks, one_of("*O?")), |mark| match mark {
            '*' => Some(Color::Black),
            'O' => Some(Color::White),
            _ => None,
        });
        let rating = map(
            preceded(blanks, take_till(|c| c == ' ' || c == ')')),
            |text: &str| text.parse::<f64>().ok().filter(|rating| rating.is_finite()),
        );
        let parser = (word, blanks, char('('), rating, mark, char(')'), rest);
        let (name, _, _, rating, color, _, clock) = line(parser, input)?;
        Some(Self {
            name: name.to_owned(),
            rating: rating?,
            color,
            clock: clock.parse().ok()?,
        })
    }
}

impl<C: fmt::Display> fmt::Display for Seat<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.color {
            Some(color) => symbol(Some(color)),
            None => '?',
        };
        write!(f, "{:8} ({:6.1} {mark}) {}", self.name, self.rating, self.clock)
    }
}

/// The cells of `| 1 - - - * O - - - 1 `, without the bar: column `j` stands at offset `3 + 2j`.
fn row(line: &str, cells: &mut [Option<Color>]) -> Option<()> {
    let bytes = line.as_bytes();
    for (column, cell) in cells.iter_mut().enumerate() {
        *cell = match bytes.get(3 + 2 * column)? {
            b'-' => None,
            b'*' => Some(Color::Black),
            b'O' => Some(Color::White),
            _ => return None,
        };
    }
    Some(())
}

/// The next line of a body, empty ones skipped where the layout has them.
fn skip_empty<'a>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) {
    while lines.peek().is_some_and(|line| line.trim_matches(' ').is_empty()) {
        lines.next();
    }
}

impl<C: std::str::FromStr> Snapshot<C> {
    fn read<'a>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Option<Self> {
        let first = Seat::read(lines.next()?)?;
        let second = Seat::read(lines.next()?)?;
        skip_empty(lines);
        lines.next()?;
        let mut cells: Cells = [None; 64];
        for rank in cells.chunks_exact_mut(8) {
            row(lines.next()?, rank)?;
        }
        lines.next()?;
        skip_empty(lines);
        let mover = match lines.next()?.trim_matches(' ') {
            "* to move" => Color::Black,
            "O to move" => Color::White,
            _ => return None,
        };
        Some(Self {
            seats: [first, second],
            board: Diagram { cells, mover },
        })
    }
}

impl<C: fmt::Display> fmt::Display for Snapshot<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LETTERS: &str = "\n|   A B C D E F G H";
        let [first, second] = &self.seats;
        write!(f, "\n|{first}\n|{second}\n|{LETTERS}")?;
        for (rank, cells) in self.board.cells.chunks_exact(8).enumerate() {
            let mut text = String::with_capacity(24);
            write!(text, "\n|{:2} ", rank + 1)?;
            for &cell in cells {
                text.push(symbol(cell));
                text.push(' ');
            }
            write!(f, "{text}{} ", rank + 1)?;
        }
        write!(f, "{LETTERS}\n|\n|{} to move", symbol(Some(self.board.mover)))
    }
}

/// `  3: c3//0.41`.
fn numbered_move(input: &str) -> Option<(u32, PlayedMove)> {
    let (ply, _, played) = line((preceded(blanks, number), char(':'), parsed), input)?;
    Some((ply, played))
}

fn count(input: &str) -> IResult<&str, usize> {
    map((parsed::<usize>, rest), |(moves, _)| moves).parse(input)
}

impl Join {
    /// Reads a message whose header says `header`. The body must be whole.
    pub(super) fn read(header: BoardHeader, text: &str) -> Option<Self> {
        let mut lines = body_lines(text).peekable();
        let count = line(count, lines.next()?)?;
        let mut moves = Vec::new();
        let start = if count == 0 {
            lines.next()?;
            None
        } else {
            let start = Snapshot::read(&mut lines)?;
            for ply in 1..=count {
                let (number, played) = numbered_move(lines.next()?)?;
                if usize::try_from(number) != Ok(ply) {
                    return None;
                }
                moves.push(played);
            }
            Some(start)
        };
        Some(Self {
            game: header.game,
            match_type: header.match_type,
            komi: header.komi,
            start,
            moves,
            state: Snapshot::read(&mut lines)?,
        })
    }
}

impl fmt::Display for Join {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_header(f, self.game, self.match_type, self.komi)?;
        write!(f, "\n|{} move(s)", self.moves.len())?;
        match &self.start {
            None => f.write_str("\n|  0: PASS")?,
            Some(start) => write!(f, "{start}")?,
        }
        for (index, played) in self.moves.iter().enumerate() {
            write!(f, "\n|{:3}: {played}", index + 1)?;
        }
        write!(f, "{}", self.state)
    }
}

impl Update {
    /// Reads a message whose header says `header`. The body must be whole.
    pub(super) fn read(header: BoardHeader, text: &str) -> Option<Self> {
        let mut lines = body_lines(text).peekable();
        let (ply, played) = numbered_move(lines.next()?)?;
        Some(Self {
            game: header.game,
            match_type: header.match_type,
            komi: header.komi,
            ply,
            played,
            state: Snapshot::read(&mut lines)?,
        })
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_header(f, self.game, self.match_type, self.komi)?;
        write!(f, "\n|{:3}: {}{}", self.ply, self.played, self.state)
    }
}

/// `.6 c3/0.50/0.30`: an update in compact form.
pub(super) fn compact_update(input: &str) -> Option<(GameId, PlayedMove)> {
    line((parsed, parsed), input)
}

/// `.6 (;GM[Othello]...`: a join in compact form, its record over several lines.
pub(super) fn compact_join(header: &str, text: &str) -> Option<(GameId, ggf::Game)> {
    let (game, first) = line((parsed, opt(rest)), header)?;
    let mut record = first.filter(|first| first.starts_with('('))?.to_owned();
    for line in body_lines(text) {
        record.push_str(line);
    }
    Some((game, record.parse().ok()?))
}
