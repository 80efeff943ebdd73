//! `outflank replay`: game files checked move by move.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use outflank_protocol::transcript::Transcript;
use outflank_protocol::vocab::Move;
use outflank_protocol::wthor;

use super::{Global, Outcome};
use crate::files;
use crate::rules::{Counting, Position, Rules};
use crate::session::record::{self, ReplayError};

/// Replay every game of WTHOR files (.wtb): are the moves legal, is the score right?
#[derive(Debug, Args)]
pub struct Replay {
    /// WTHOR game files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// How a recorded game turned out.
enum Verdict {
    /// Played to the end, and the score is that of the board.
    Right,
    /// Played to the end with another score than the recorded one: that of the board, Black's points.
    WrongScore(u32),
    /// The record stops before the end.
    Unfinished,
    /// A move that the rules do not allow.
    Illegal(ReplayError),
}

impl Replay {
    /// Prints what is wrong, then the sums; fails if a move is illegal or a score wrong.
    pub fn run(self, _: &Global) -> Outcome {
        let mut out = io::stdout().lock();
        let [mut right, mut wrong, mut unfinished, mut illegal] = [0_u64; 4];
        for path in self.files {
            let name = path.display();
            let bytes = files::data(&path).map_err(|e| format!("{name}: {e}"))?;
            let file = wthor::Database::parse(&bytes).map_err(|e| format!("{name}: {e}"))?;
            for (number, game) in file.games.iter().enumerate() {
                match replay(game) {
                    Verdict::Right => right += 1,
                    Verdict::Unfinished => unfinished += 1,
                    Verdict::WrongScore(black) => {
                        wrong += 1;
                        let said = game.score;
                        writeln!(
                            out,
                            "{name}: game {number}: Black has {black} points, the file says {said}"
                        )?;
                    }
                    Verdict::Illegal(error) => {
                        illegal += 1;
                        writeln!(out, "{name}: game {number}: {error}")?;
                    }
                }
            }
        }
        writeln!(out, "{} games", right + wrong + unfinished + illegal)?;
        writeln!(out, "{right} ended with the right score")?;
        writeln!(out, "{wrong} ended with another score")?;
        writeln!(out, "{unfinished} unfinished")?;
        writeln!(out, "{illegal} with an illegal move")?;
        Ok(if wrong + illegal == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

/// Plays a game by its record; the passes, which WTHOR leaves out, are put in.
fn replay(recorded: &wthor::Game) -> Verdict {
    let moves = recorded.moves.iter().copied().map(Move::Place).collect();
    let game = match record::line(Position::start(Rules::Othello), &Transcript { moves }) {
        Ok(game) => game,
        Err(error) => return Verdict::Illegal(error),
    };
    match game.result(Counting::Tournament) {
        None => Verdict::Unfinished,
        Some(tally) if tally.black == u32::from(recorded.score) => Verdict::Right,
        Some(tally) => Verdict::WrongScore(tally.black),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(moves: &str, score: u8) -> wthor::Game {
        wthor::Game {
            tournament: 0,
            black: 0,
            white: 0,
            score,
            best_score: score,
            moves: moves.split(' ').map(|s| s.parse().unwrap()).collect(),
        }
    }

    #[test]
    fn verdicts() {
        let wipe_out = "e6 f4 e3 f6 g5 d6 e7 f5 c5";
        assert!(matches!(replay(&record(wipe_out, 64)), Verdict::Right));
        assert!(matches!(replay(&record(wipe_out, 13)), Verdict::WrongScore(64)));
        assert!(matches!(replay(&record("e6 f4", 32)), Verdict::Unfinished));
        let Verdict::Illegal(error) = replay(&record("e6 a1", 32)) else {
            panic!("a1 is illegal");
        };
        assert_eq!(error.to_string(), "move 2: illegal move a1: it outflanks nothing");
    }
}
