//! The `outflank` program. Everything is in the library; this only starts it.

use std::process::ExitCode;

fn main() -> ExitCode {
    outflank::cli::require_cpu();
    outflank::cli::main()
}
