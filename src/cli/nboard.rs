//! `outflank nboard`, and what runs without a subcommand.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::Args;

use super::{Global, Outcome};
use crate::session::io::{Writer, standard_input};
use crate::session::nboard;

/// Speak the NBoard protocol on standard input and output (the default).
#[derive(Debug, Args)]
pub struct Nboard {}

impl Nboard {
    /// Runs until `quit` or the end of the input.
    pub fn run(self, global: &Global) -> Outcome {
        if io::stdin().is_terminal() {
            eprintln!(
                "outflank: NBoard protocol on standard input; 'quit' or end of input ends it, --help says more"
            );
        }
        let options = nboard::Options {
            engine: global.maker()?,
            rules: global.rules,
            games_folder: global.games_folder.clone(),
        };
        // One thread is enough: it only passes lines on.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        runtime.block_on(nboard::run(standard_input()?, Writer(io::stdout()), options))?;
        Ok(ExitCode::SUCCESS)
    }
}
