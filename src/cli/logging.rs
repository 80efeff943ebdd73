//! `--log`: nothing is logged unless asked for, because NBoard reads an engine's stderr as if it were its stdout.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write;

use env_logger::{Builder, Target};
use log::LevelFilter;

/// Starts the logger: a level name logs to stderr, anything else is a file that debug messages are added to.
pub fn start(log: Option<&str>) -> Result<(), Box<dyn Error>> {
    let Some(log) = log else { return Ok(()) };
    let mut builder = Builder::new();
    builder.format_timestamp_millis();
    match log.parse::<LevelFilter>() {
        Ok(level) => builder.filter_level(level).target(Target::Stderr),
        Err(_) => {
            let file = OpenOptions::new().create(true).append(true).open(log);
            let file = file.map_err(|error| format!("cannot log to '{log}': {error}"))?;
            return start_in(Box::new(file));
        }
    };
    Ok(builder.try_init()?)
}

/// Starts the logger: debug messages go to `file`.
pub fn start_in(file: Box<dyn Write + Send>) -> Result<(), Box<dyn Error>> {
    let mut builder = Builder::new();
    builder
        .format_timestamp_millis()
        .filter_level(LevelFilter::Debug)
        .target(Target::Pipe(file));
    Ok(builder.try_init()?)
}
