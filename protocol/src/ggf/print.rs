//! GGF text of a game, on one line.

use std::fmt;

use super::{Ending, Game, Match, Outcome};
use crate::vocab::Color;

/// Free text inside the brackets: `]` cannot be escaped, and a line break would end the record.
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.0.chars().try_for_each(|c| match c {
            ']' => f.write_char(')'),
            c if c.is_control() => f.write_char(' '),
            c => f.write_char(c),
        })
    }
}

/// `?`, `+12`, `-0.5:t`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.discs {
            Some(discs) => write!(f, "{discs:+}")?,
            None => f.write_str("?")?,
        }
        f.write_str(match self.ending {
            None => "",
            Some(Ending::Resigned) => ":r",
            Some(Ending::Timeout) => ":t",
            Some(Ending::Agreed) => ":s",
            Some(Ending::Adjourned) => ":l",
        })
    }
}

/// One line in NBoard's order of tags: what NBoard refuses to do without is always there, what it does not know never, and
/// GGS reads the same. What was [skipped](Game::skipped) in reading is not written.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(;GM[Othello]PC[{}]", Plain(&self.place))?;
        if !self.date.is_empty() {
            write!(f, "DT[{}]", Plain(&self.date))?;
        }
        let (black, white) = (&self.black, &self.white);
        write!(
            f,
            "PB[{}]PW[{}]RE[{}]",
            Plain(&black.name),
            Plain(&white.name),
            self.result
        )?;
        if let Some(rating) = black.rating {
            write!(f, "RB[{rating}]")?;
        }
        if let Some(rating) = white.rating {
            write!(f, "RW[{rating}]")?;
        }
        if black.clock == white.clock {
            if let Some(clock) = black.clock {
                write!(f, "TI[{clock}]")?;
            }
        } else {
            if let Some(clock) = black.clock {
                write!(f, "TB[{clock}]")?;
            }
            if let Some(clock) = white.clock {
                write!(f, "TW[{clock}]")?;
            }
        }
        write!(f, "TY[{}]", self.kind)?;
        if let Some(bid) = black.bid {
            write!(f, "KB[{bid:#}]")?;
        }
        if let Some(bid) = white.bid {
            write!(f, "KW[{bid:#}]")?;
        }
        if let Some(komi) = self.komi {
            write!(f, "KM[{komi:+}]")?;
        }
        if let Some(board) = &self.start {
            write!(f, "BO[{board}]")?;
        }
        for turn in &self.moves {
            let tag = if turn.color == Color::Black { 'B' } else { 'W' };
            write!(f, "{tag}[{:#}]", turn.played)?;
        }
        f.write_str(";)")
    }
}

/// `1 (;...;)` or `2 (;...;)(;...;)`.
impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.games.len())?;
        self.games.iter().try_for_each(|game| fmt::Display::fmt(game, f))
    }
}
