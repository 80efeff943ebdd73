//! `outflank nboard`, and what runs without a subcommand.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::Args;

use super::{Global, Outcome};

/// Speak the NBoard protocol on standard input and output (the default).
#[derive(Debug, Args)]
pub struct Nboard {}

impl Nboard {
    /// Runs until `quit` or the end of the input.
    pub fn run(self, _global: &Global) -> Outcome {
        if io::stdin().is_terminal() {
            eprintln!(
                "outflank: NBoard protocol on standard input; 'quit' or end of input ends it, --help says more"
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}
