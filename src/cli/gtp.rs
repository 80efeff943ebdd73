//! `outflank gtp`.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::{Global, Outcome, at_least, number};
use crate::clock::Budget;
use crate::search::Limits;
use crate::session::gtp;
use crate::session::io::{Writer, standard_input};

/// Speak GTP, the Go Text Protocol, on standard input and output
///
/// The limits apply together, and together with the clock that `time_settings` and `time_left` tell of. Without any of them a
/// move takes two seconds.
#[derive(Debug, Args)]
pub struct Gtp {
    /// Depth of the midgame search in plies
    #[arg(long, value_name = "PLIES", value_parser = number(1..=60u8))]
    depth: Option<u8>,
    /// Nodes of each search
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,
    /// Time for each move in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text
        .parse()
        .ok()
        .and_then(|s| Duration::try_from_secs_f64(s).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| "a number of seconds above 0 is needed".into())
}

impl Gtp {
    /// Runs until `quit` or the end of the input.
    pub fn run(self, global: &Global) -> Outcome {
        if io::stdin().is_terminal() {
            eprintln!("outflank: GTP on standard input; 'list_commands' lists the commands, 'quit' ends it");
        }
        let options = gtp::Options {
            engine: global.maker()?,
            rules: global.rules,
            limits: Limits {
                depth: self.depth,
                nodes: self.nodes,
                budget: self.move_time.map(Budget::per_move),
            },
        };
        // One thread is enough: it only passes lines on.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        runtime.block_on(gtp::run(standard_input()?, Writer(io::stdout()), options))?;
        Ok(ExitCode::SUCCESS)
    }
}
