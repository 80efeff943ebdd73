//! `--log`: nothing is logged unless asked for, because NBoard reads an engine's stderr as if it were its stdout.

use std::error::Error;
use std::fs::OpenOptions;

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
            builder
                .filter_level(LevelFilter::Debug)
                .target(Target::Pipe(Box::new(file)))
        }
    };
    Ok(builder.try_init()?)
}
