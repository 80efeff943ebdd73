//! `--log`: nothing is logged unless asked for, because NBoard reads an engine's stderr as if it were its stdout.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::OnceLock;

use env_logger::{Builder, Target};
use log::LevelFilter;

use super::stderr::{self, Stderr};
use crate::session::ggs::Secret;

/// What no log of this process may hold.
static HIDDEN: OnceLock<Secret> = OnceLock::new();

/// From now on the password is hidden in whatever is logged: a server may send back what it was sent, in any message.
pub fn hide(secret: &Secret) {
    let _ = HIDDEN.set(secret.clone());
}

/// Starts the logger: a level name logs to stderr, anything else is a file that debug messages are added to.
pub fn start(log: Option<&str>) -> Result<(), Box<dyn Error>> {
    let Some(log) = log else { return Ok(()) };
    match log.parse::<LevelFilter>() {
        Ok(level) => start_at(level, Box::new(Stderr)),
        Err(_) => {
            let file = OpenOptions::new().create(true).append(true).open(log);
            let file = file.map_err(|error| format!("cannot log to '{log}': {error}"))?;
            start_in(Box::new(file))
        }
    }
}

/// Starts the logger: debug messages go to `file`.
pub fn start_in(file: Box<dyn Write + Send>) -> Result<(), Box<dyn Error>> {
    start_at(LevelFilter::Debug, file)
}

fn start_at(level: LevelFilter, to: Box<dyn Write + Send>) -> Result<(), Box<dyn Error>> {
    let sink = Sink {
        to,
        hidden: &HIDDEN,
        failed: false,
    };
    Ok(Builder::new()
        .format_timestamp_millis()
        .filter_level(level)
        .target(Target::Pipe(Box::new(sink)))
        .try_init()?)
}

/// The one way into a log: here the password is hidden, and a log that is lost is spoken of.
struct Sink {
    to: Box<dyn Write + Send>,
    hidden: &'static OnceLock<Secret>,
    /// That it does not work has been said.
    failed: bool,
}

impl Sink {
    fn check(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && !self.failed
        {
            self.failed = true;
            stderr::tell(format!("outflank: the log is lost: {error}\n").into_bytes());
        }
    }
}

impl Write for Sink {
    /// Takes a record, which always comes in one piece.
    fn write(&mut self, record: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(record);
        let text = match self.hidden.get() {
            Some(secret) => secret.hide(&text),
            None => text.as_ref().into(),
        };
        let written = self.to.write_all(text.as_bytes());
        self.check(written);
        Ok(record.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.to.flush();
        self.check(flushed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_password_is_hidden_once_it_is_known() {
        static SECRET: OnceLock<Secret> = OnceLock::new();
        let page = Page::default();
        let mut sink = Sink {
            to: Box::new(page.clone()),
            hidden: &SECRET,
            failed: false,
        };
        sink.write_all(b"others can read the file\n").unwrap();
        SECRET.set(Secret::new("xyzzy").unwrap()).unwrap();
        sink.write_all(b"chat: xyzzy, and xyzzy again\n").unwrap();
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        assert_eq!(
            text,
            "others can read the file\nchat: (password), and (password) again\n"
        );
    }
}
