//! An engine for the tests of the arena: plays the first legal move, over NBoard or GTP, and misbehaves as told.
//!
//! `mock PROTOCOL [BEHAVIOUR [PLIES]]`: from that many plies on (default 20) it does what the behaviour says instead of
//! answering a request for a move.

use outflank::board::Square;
use outflank::rules::{Color, Game, Move, Rules};
use std::io::{BufRead, Write};
use std::time::Duration;
use std::{env, io, process, thread};

struct Mock {
    game: Game,
    behaviour: String,
    plies: usize,
}

fn main() {
    let mut arguments = env::args().skip(1);
    let protocol = arguments.next().unwrap_or_default();
    let behaviour = arguments.next().unwrap_or_default();
    let plies = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(20);
    let mut mock = Mock {
        game: Game::new(Rules::Othello),
        behaviour,
        plies,
    };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match protocol.as_str() {
            "nboard" => mock.nboard(line.trim()),
            _ => mock.gtp(line.trim()),
        }
    }
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    // The arena may have hung up on it.
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        process::exit(0);
    }
}

impl Mock {
    /// The move to answer with; or the misdeed.
    fn answer(&mut self) -> String {
        let first = self
            .game
            .moves()
            .iter()
            .next()
            .map(|mv| mv.to_string())
            .unwrap_or_else(|| "pa".into());
        if self.game.history().len() < self.plies {
            return first;
        }
        match self.behaviour.as_str() {
            "illegal" => "a1".into(),
            "occupied" => "d4".into(),
            "wrong-color" => {
                let other = self.game.position().board.pass().moves() & !self.game.moves().squares;
                // Some positions have none; any later one will do.
                if other == 0 {
                    first
                } else {
                    Square::first(other).to_string()
                }
            }
            "garbage" => "%&/ what?".into(),
            "slow" => {
                thread::sleep(Duration::from_millis(300));
                first
            }
            "stall" => loop {
                thread::sleep(Duration::from_secs(3600));
            },
            "crash" => {
                eprintln!("segmentation fault, says the mock");
                process::abort()
            }
            "exit" => process::exit(0),
            "close" => {
                // A grandchild or a forgotten thread may keep the process alive.
                say("bye");
                process::exit(3)
            }
            "flood" => loop {
                say("status and again and again");
            },
            "endless" => {
                let mut out = io::stdout().lock();
                while out.write_all(&[b'x'; 4096]).is_ok() {}
                process::exit(0)
            }
            "stderr" => {
                for i in 0..100_000 {
                    eprintln!("thinking aloud {i}");
                }
                first
            }
            "resign" => "resign".into(),
            _ => first,
        }
    }

    fn play(&mut self, word: &str) -> bool {
        let Ok(mv) = word.parse::<outflank_protocol::Move>() else {
            return false;
        };
        let mv = match mv {
            outflank_protocol::Move::Pass => Move::Pass,
            outflank_protocol::Move::Place(square) => Move::Place(Square::new(square.index())),
        };
        self.game.play(mv).is_ok()
    }

    fn nboard(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "nboard" => say("set myname Mock"),
            "ping" => say(&format!("pong {rest}")),
            "set" => {
                let Some(game) = rest.strip_prefix("game ") else {
                    return;
                };
                self.game = Game::new(Rules::Othello);
                for part in game.split(']') {
                    if let Some(mv) = part.strip_prefix("B[").or(part.strip_prefix("W[")) {
                        let square = mv.split('/').next().unwrap_or_default();
                        assert!(self.play(square), "cannot play {square} of {game}");
                    }
                }
            }
            "go" => {
                let answer = self.answer();
                say("nodestats 1234 0.01");
                say(&format!("=== {answer}/0.50/0.01"));
            }
            "quit" => process::exit(0),
            _ => {}
        }
    }

    fn gtp(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            [] => return,
            ["quit"] => {
                say("=\n");
                process::exit(0)
            }
            ["name"] => "= Mock".into(),
            ["list_commands"] => {
                "= name\nversion\nlist_commands\nclear_board\nplay\ngenmove\ntime_settings\ntime_left".into()
            }
            ["clear_board"] => {
                self.game = Game::new(Rules::Othello);
                "=".into()
            }
            ["play", color, mv] => {
                self.pass_to(color);
                if self.play(mv) {
                    "=".into()
                } else {
                    "? illegal move".to_string()
                }
            }
            ["genmove", color] => {
                self.pass_to(color);
                let answer = self.answer();
                self.play(&answer);
                if self.behaviour == "refuse" {
                    "? I will not".into()
                } else {
                    format!("= {answer}")
                }
            }
            [
                "version" | "boardsize" | "time_settings" | "time_left" | "komi",
                ..,
            ] => "=".into(),
            _ => "? unknown command".into(),
        };
        say(&format!("{answer}\n"));
    }

    /// A forced pass is implied by what follows.
    fn pass_to(&mut self, color: &str) {
        let wanted = if color.eq_ignore_ascii_case("b") {
            Color::Black
        } else {
            Color::White
        };
        if self.game.position().mover != wanted && self.game.moves().must_pass() {
            self.play("pass");
        }
    }
}
