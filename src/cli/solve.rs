//! `outflank solve`: exact results of the positions of a file.

use super::{Global, Outcome, problems};
use crate::engine::{Engine, Task};
use crate::search::{Limits, Stop};
use clap::Args;
use serde::Serialize;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Solve the positions of an OBF file exactly.
///
/// Each line is `<64 cells> <X|O>`, with or without `; MOVE:score;` for the moves whose scores are known. Exit code 1 if a
/// result does not agree with the file.
#[derive(Debug, Args)]
pub struct Solve {
    /// The file
    file: PathBuf,
    /// Only who wins, which is faster
    #[arg(long)]
    wld: bool,
    /// One JSON object a position, and a last one with the totals
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Solved<'a> {
    position: &'a str,
    empties: u32,
    best: Option<String>,
    /// Discs; with --wld only its sign means anything.
    score: Option<i32>,
    expected: Option<i32>,
    /// Score and best move agree with the file; none if it does not tell.
    ok: Option<bool>,
    nodes: u64,
    seconds: f64,
}

#[derive(Default, Serialize)]
struct Totals {
    positions: u64,
    checked: u64,
    wrong: u64,
    nodes: u64,
    seconds: f64,
    nodes_per_position: u64,
    nodes_per_second: f64,
}

impl Solve {
    pub fn run(self, global: &Global) -> Outcome {
        let known = problems::read(&self.file, global.rules)?;
        if known.is_empty() {
            return Err(format!("{}: no position", self.file.display()).into());
        }
        let mut engine = Engine::new(global.engine()?);
        let task = if self.wld { Task::WinLossDraw } else { Task::Solve };
        let mut totals = Totals::default();
        for (number, problem) in (1..).zip(&known) {
            // Each position on its own: the result does not depend on the order of the file.
            engine.new_game();
            let clock = Instant::now();
            let answer = engine.search(
                &problem.game,
                task,
                &Limits::default(),
                &clock,
                &Stop::new(),
                &mut |_| (),
            );
            let seconds = clock.elapsed().as_secs_f64();
            let score = match answer.report.lines.first() {
                Some(line) => Some(line.score.round()),
                None => Some(problem.game.position().score()),
            };
            let expected = problem.best();
            let agrees = |found: i32, expected: i32| {
                if self.wld {
                    found.signum() == expected.signum()
                } else {
                    found == expected
                }
            };
            let ok = expected.zip(score).map(|(expected, score)| {
                let best = answer.best.and_then(|best| problem.score_of(best));
                agrees(score, expected) && best.is_none_or(|best| agrees(best, expected))
            });
            let solved = Solved {
                position: &problem.text,
                empties: problem.game.position().board.empties(),
                best: answer.best.map(|best| best.to_string()),
                score,
                expected,
                ok,
                nodes: answer.report.nodes,
                seconds,
            };
            totals.positions += 1;
            totals.checked += u64::from(ok.is_some());
            totals.wrong += u64::from(ok == Some(false));
            totals.nodes += solved.nodes;
            totals.seconds += seconds;
            self.print(number, &solved)?;
        }
        totals.nodes_per_position = totals.nodes / totals.positions.max(1);
        totals.nodes_per_second = totals.nodes as f64 / totals.seconds.max(1e-9);
        if self.json {
            say!("{}", serde_json::to_string(&totals)?);
        } else {
            say!(
                "{} positions, {} checked, {} wrong; {} nodes, {:.2} s, {:.1} million nodes a second",
                totals.positions,
                totals.checked,
                totals.wrong,
                totals.nodes,
                totals.seconds,
                totals.nodes_per_second / 1e6
            );
        }
        Ok(if totals.wrong == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    fn print(&self, number: usize, solved: &Solved) -> Result<(), Box<dyn Error>> {
        if self.json {
            say!("{}", serde_json::to_string(solved)?);
            return Ok(());
        }
        let verdict = match solved.ok {
            Some(true) => "ok",
            Some(false) => "WRONG",
            None => "",
        };
        let score = solved.score.unwrap_or_default();
        let result = match score.signum() {
            _ if !self.wld => format!("{score:+}"),
            1 => "win".into(),
            0 => "draw".into(),
            _ => "loss".into(),
        };
        say!(
            "{number:4} {:2} empties  {:>4} {result:>4}  {:14} nodes {:9.3} s {:6.1} Mn/s  {verdict}",
            solved.empties,
            solved.best.as_deref().unwrap_or("-"),
            solved.nodes,
            solved.seconds,
            solved.nodes as f64 / solved.seconds.max(1e-9) / 1e6,
        );
        Ok(())
    }
}
