//! Standard error by way of a thread of its own: where nobody reads what is written, a full pipe holds up that thread and
//! nothing else.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// While more bytes than this wait to be written, what is logged is dropped.
const MOST: usize = 4 << 20;
/// At the end of the program, how long nothing may have been read before the rest is given up.
const PATIENCE: Duration = Duration::from_secs(1);

static WAITING: AtomicUsize = AtomicUsize::new(0);
static DROPPED: AtomicUsize = AtomicUsize::new(0);
static WRITER: OnceLock<mpsc::Sender<Vec<u8>>> = OnceLock::new();

/// Writes a message, whatever waits already.
pub fn tell(text: Vec<u8>) {
    WAITING.fetch_add(text.len(), Ordering::Relaxed);
    // The writer never ends.
    let _ = WRITER.get_or_init(writer).send(text);
}

/// Standard error as the end of a log. Never fails and never waits.
pub struct Stderr;

impl Write for Stderr {
    fn write(&mut self, record: &[u8]) -> io::Result<usize> {
        if WAITING.load(Ordering::Relaxed) > MOST {
            DROPPED.fetch_add(1, Ordering::Relaxed);
            return Ok(record.len());
        }
        let mut text = Vec::new();
        let dropped = DROPPED.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            writeln!(
                text,
                "outflank: {dropped} messages are missing here: nobody read them"
            )?;
        }
        text.extend(record);
        tell(text);
        Ok(record.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn writer() -> mpsc::Sender<Vec<u8>> {
    let (sender, records) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for record in records {
            for part in record.chunks(4096) {
                // Nobody is left to be told if that fails.
                let _ = io::stderr().write_all(part);
                WAITING.fetch_sub(part.len(), Ordering::Relaxed);
            }
        }
    });
    sender
}

/// To be called before the program ends: lets what waits be written.
pub fn finish() {
    let (mut before, mut since) = (usize::MAX, Instant::now());
    loop {
        let waiting = WAITING.load(Ordering::Relaxed);
        if waiting == 0 || waiting == before && since.elapsed() > PATIENCE {
            return;
        }
        if waiting != before {
            (before, since) = (waiting, Instant::now());
        }
        thread::sleep(Duration::from_millis(1));
    }
}
