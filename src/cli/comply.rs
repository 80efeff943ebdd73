//! `outflank comply`: does an engine speak its protocol?

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgGroup, Args};
use serde_json::json;

use super::{Global, Outcome};
use crate::arena::comply::{self, Limits, Protocol, Step, Verdict};
use crate::arena::player::process::Launch;
use crate::arena::span::Span;
use crate::search::Stop;

/// Check whether an engine, anyone's, speaks NBoard or GTP as programs expect it
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("protocol").required(true)))]
#[command(after_help = "\
Every step has a name and a verdict: ok, FAIL, or note (allowed, but good to know). The exit code is 0 if no step fails, else 1,
with what was said in the failed step on standard error.

Examples:
  outflank comply --nboard -- ./edax -nboard
  outflank comply --gtp -- gtp-rhino")]
pub struct Comply {
    /// Check NBoard, version 2
    #[arg(long, group = "protocol")]
    nboard: bool,
    /// Check GTP, version 2, for Othello
    #[arg(long, group = "protocol")]
    gtp: bool,
    /// How long the engine may take to start
    #[arg(long, value_name = "TIME", default_value_t = Span(Limits::default().start))]
    start: Span,
    /// How long it may take for answers that need no thinking
    #[arg(long, value_name = "TIME", default_value_t = Span(Limits::default().answer))]
    answer: Span,
    /// How long it may think about a move
    #[arg(long, value_name = "TIME", default_value_t = Span(Limits::default().think))]
    think: Span,
    /// Each step as one line of JSON
    #[arg(long)]
    json: bool,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "ENGINE")]
    engine: Vec<String>,
}

/// Lines of the conversation that are shown after a failure.
const SHOWN: usize = 40;

impl Comply {
    /// Tries every step.
    pub fn run(self, _global: &Global) -> Outcome {
        let protocol = if self.nboard {
            Protocol::Nboard
        } else {
            Protocol::Gtp
        };
        let launch = Launch {
            command: self.engine,
            dir: None,
            env: Default::default(),
        };
        let least = |span: Span| span.0.max(Duration::from_millis(1));
        let limits = Limits {
            start: least(self.start),
            answer: least(self.answer),
            think: least(self.think),
        };
        let json = self.json;
        let mut tell = |step: &Step| {
            // Whoever reads it may be gone; the exit code still tells.
            let _ = print(step, json);
        };
        let (steps, log) = comply::check(protocol, &launch, limits, &Stop::new(), &mut tell)?;
        let count = |wanted: fn(&Verdict) -> bool| steps.iter().filter(|s| wanted(&s.verdict)).count();
        let failed = count(|v| matches!(v, Verdict::Fail(_)));
        let noted = count(|v| matches!(v, Verdict::Note(_)));
        let passed = steps.len() - failed - noted;
        if json {
            let end = json!({ "event": "end", "passed": passed, "noted": noted, "failed": failed });
            writeln!(io::stdout(), "{end}")?;
        } else {
            writeln!(io::stdout(), "{passed} ok, {noted} noted, {failed} failed")?;
        }
        if failed == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        let lines: Vec<&str> = log.lines().collect();
        eprintln!(
            "the end of the conversation in the last failed step (> to the engine, < from it, ! its standard error):"
        );
        lines
            .iter()
            .skip(lines.len().saturating_sub(SHOWN))
            .for_each(|line| eprintln!("{line}"));
        Ok(ExitCode::FAILURE)
    }
}

fn print(step: &Step, json: bool) -> io::Result<()> {
    let mut out = io::stdout();
    match &step.verdict {
        _ if json => writeln!(out, "{}", json!({ "event": "step", "step": step })),
        Verdict::Pass => writeln!(out, "ok    {}", step.name),
        Verdict::Note(why) => writeln!(out, "note  {}: {why}", step.name),
        Verdict::Fail(why) => writeln!(out, "FAIL  {}: {why}", step.name),
    }
}
