//! `outflank show`: a board to look at.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use outflank_protocol::ggf;
use outflank_protocol::transcript::Transcript;
use outflank_protocol::vocab::Diagram;

use super::position::HandArg;
use super::{Global, Outcome};
use crate::board::Square;
use crate::rules::{Color, Counting, Game, Move, Position, Rules, Tally};
use crate::session::{record, words};

/// Show a position, or the end of a game: board with the legal moves marked, discs, score, who moves.
#[derive(Debug, Args)]
pub struct Show {
    /// A position (64 cells and the side to move), a list of moves (f5d6c3, passes may be left out) or a GGF, in quotes
    #[arg(
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    text: String,
    #[command(flatten)]
    hand: HandArg,
}

impl Show {
    /// Prints the board; of several games in a GGF one after the other.
    pub fn run(self, global: &Global) -> Outcome {
        let games = if self.text.contains("(;") {
            if self.hand.is_given() {
                return Err("--hand does not go with a GGF".into());
            }
            recorded(global.rules, &self.text)?
        } else {
            vec![self.described(global.rules)?]
        };
        let mut out = io::stdout().lock();
        for (number, game) in games.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            write!(out, "{}", View(game))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The game that starts at a position, or that a list of moves leads through.
    fn described(&self, rules: Rules) -> Result<Game, Box<dyn std::error::Error>> {
        let position = match self.text.parse::<Diagram>() {
            Ok(diagram) => words::position(rules, &diagram),
            Err(no_position) => {
                let start = self.hand.put(Position::start(rules))?;
                return match self.text.parse::<Transcript>() {
                    Ok(moves) => Ok(record::line(start, &moves)?),
                    // Squares have a row number, positions have no digits but 0.
                    Err(no_moves) if self.text.contains(|c| ('1'..='8').contains(&c)) => {
                        Err(format!("the moves: {no_moves}").into())
                    }
                    Err(_) => Err(format!("the position: {no_position}").into()),
                };
            }
        };
        Ok(Game::from_position(self.hand.put(position)?))
    }
}

/// All games of a GGF text.
fn recorded(rules: Rules, text: &str) -> Result<Vec<Game>, Box<dyn std::error::Error>> {
    let mut games = Vec::new();
    for found in ggf::matches(text) {
        for game in found?.games {
            games.push(record::game(rules, &game)?);
        }
    }
    Ok(games)
}

/// What is printed of a game.
struct View<'a>(&'a Game);

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.0;
        let now = game.position();
        writeln!(f, "  a b c d e f g h")?;
        for row in 0..8 {
            write!(f, "{}", row + 1)?;
            for column in 0..8 {
                write!(f, " {}", symbol(now, Square::new(8 * row + column)))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "position: {}", words::diagram(now))?;
        if !game.history().is_empty() {
            let moves = game.history().iter().map(|&mv| mv.into()).collect();
            writeln!(f, "played:   {}", Transcript { moves })?;
        }
        writeln!(f, "rules:    {}", now.rules)?;
        let [black, white] = Color::BOTH.map(|color| now.discs_of(color).count_ones());
        writeln!(f, "discs:    X {black}, O {white}, empty {}", now.board.empties())?;
        if now.rules == Rules::Classic {
            let [black, white] = Color::BOTH.map(|color| now.hand(color));
            writeln!(f, "in hand:  X {black}, O {white}")?;
        }
        let [discs, tournament] = [Counting::Discs, Counting::Tournament].map(|way| now.tally(way));
        let label = if game.is_over() { "score:" } else { "so far:" };
        writeln!(f, "{label:<9} {} (discs)", Verdict(discs))?;
        writeln!(f, "          {} (tournament)", Verdict(tournament))?;
        let (moves, mover) = (now.moves(), side(now.mover));
        if moves.is_empty() {
            return writeln!(f, "to move:  nobody, the game is over");
        }
        if moves.must_pass() {
            return writeln!(f, "to move:  {mover} must pass");
        }
        write!(f, "to move:  {mover}:")?;
        moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        writeln!(f)
    }
}

/// `X`, `O`, `-`, or `+` for a legal move.
fn symbol(position: &Position, square: Square) -> char {
    let on = |color| position.discs_of(color) & square.bit() != 0;
    if on(Color::Black) {
        'X'
    } else if on(Color::White) {
        'O'
    } else if position.moves().contains(Move::Place(square)) {
        '+'
    } else {
        '-'
    }
}

fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "X (Black)",
        Color::White => "O (White)",
    }
}

/// `40-24 for X (Black)` or `32-32`.
struct Verdict(Tally);

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        match self.0.winner() {
            Some(winner) => write!(f, " for {}", side(winner)),
            None => Ok(()),
        }
    }
}
