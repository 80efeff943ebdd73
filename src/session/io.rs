//! Lines in, lines out: what every session is generic over.
//!
//! The real source is a thread that reads standard input into a bounded channel, so that a line is seen while a search
//! runs; a test sends down the same channel. Input is bytes from anywhere: NULs, invalid UTF-8 and lines without end
//! must neither stop the program nor fill its memory.

use std::future::Future;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Instant;

use tokio::sync::mpsc;

/// The longest line that is kept, in bytes without its line end. A long game with comments has some 10 KB.
pub const MAX_LINE: usize = 1 << 20;

/// Lines that wait in the channel at most; a writer that is faster than the session then blocks.
const CHANNEL: usize = 16;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text without its line end (LF or CRLF); invalid UTF-8 has become U+FFFD.
    pub text: String,
    /// Its length in bytes as it came, without its LF. What exceeds [`MAX_LINE`] is missing in `text`.
    pub bytes: usize,
    /// When the line was complete: a request's clock runs from here.
    pub at: Instant,
}

impl Line {
    /// A line that arrives now; at most [`MAX_LINE`] bytes of it are kept.
    pub fn new(bytes: &[u8]) -> Self {
        Self::kept(bytes.split_at(bytes.len().min(MAX_LINE)).0, bytes.len())
    }

    fn kept(mut kept: &[u8], bytes: usize) -> Self {
        while let Some((b'\r', rest)) = kept.split_last() {
            kept = rest;
        }
        Self {
            text: String::from_utf8_lossy(kept).into_owned(),
            bytes,
            at: Instant::now(),
        }
    }

    /// True if the end of the line is missing.
    pub fn is_cut(&self) -> bool {
        self.bytes > MAX_LINE
    }
}

/// Where a session's lines come from.
pub trait Source: Send {
    /// The next line, or `None` at the end of the input. Must not lose a line if the future is dropped.
    fn next(&mut self) -> impl Future<Output = Option<Line>> + Send;
}

impl Source for mpsc::Receiver<Line> {
    async fn next(&mut self) -> Option<Line> {
        self.recv().await
    }
}

/// Where a session's lines go.
pub trait Sink: Send {
    /// Sends one line (given without its line end) at once.
    ///
    /// # Errors
    /// When nobody reads any more; the session then ends.
    fn line(&mut self, line: &str) -> io::Result<()>;
}

/// A sink that writes to anything, with LF, flushed after each line.
#[derive(Debug)]
pub struct Writer<W>(pub W);

impl<W: Write + Send> Sink for Writer<W> {
    fn line(&mut self, line: &str) -> io::Result<()> {
        // One call to write: a reader never sees half a line.
        self.0.write_all(format!("{line}\n").as_bytes())?;
        self.0.flush()
    }
}

/// A sink for tests and for sessions inside the program.
impl Sink for mpsc::UnboundedSender<String> {
    fn line(&mut self, line: &str) -> io::Result<()> {
        self.send(line.to_owned())
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Starts the thread that reads standard input. It ends with the input, or with the process.
///
/// # Errors
/// If the operating system gives no thread.
pub fn standard_input() -> io::Result<mpsc::Receiver<Line>> {
    let (sender, receiver) = mpsc::channel(CHANNEL);
    thread::Builder::new()
        .name("stdin".into())
        .spawn(move || pump(io::stdin().lock(), &sender))?;
    Ok(receiver)
}

/// Sends every line of `input`, the last one even without a line end, until the end of the input or of the session.
pub fn pump(mut input: impl BufRead, lines: &mpsc::Sender<Line>) {
    let mut kept = Vec::new();
    let mut bytes = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                log::error!("reading the input: {error}");
                &[]
            }
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let (part, used) = match end {
            Some(end) => (chunk.split_at(end).0, end + 1),
            None => (chunk, chunk.len()),
        };
        let room = part.len().min(MAX_LINE - kept.len());
        kept.extend_from_slice(part.split_at(room).0);
        bytes += part.len();
        let finished = used == 0;
        input.consume(used);
        if end.is_some() || (finished && !kept.is_empty()) {
            if lines.blocking_send(Line::kept(&kept, bytes)).is_err() {
                return;
            }
            // A long line's memory is given back.
            kept = Vec::new();
            bytes = 0;
        }
        if finished {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::{BufReader, Read};

    fn lines_of(input: impl BufRead + Send + 'static) -> Vec<Line> {
        let (sender, mut receiver) = mpsc::channel(CHANNEL);
        let pumping = thread::spawn(move || pump(input, &sender));
        let lines = std::iter::from_fn(|| receiver.blocking_recv()).collect();
        pumping.join().unwrap();
        lines
    }

    fn texts(input: &[u8]) -> Vec<String> {
        lines_of(io::Cursor::new(input.to_vec()))
            .into_iter()
            .map(|line| line.text)
            .collect()
    }

    #[test]
    fn line_ends() {
        assert_eq!(texts(b""), [""; 0]);
        assert_eq!(texts(b"ping 1\nping 2"), ["ping 1", "ping 2"]);
        assert_eq!(texts(b"ping 1\r\n\n\r\nquit\r\n"), ["ping 1", "", "", "quit"]);
        assert_eq!(texts(b"a\0b\xff\n"), ["a\0b\u{fffd}"]);
    }

    #[test]
    fn ten_megabytes_without_a_line_end_keep_one() {
        let input = io::repeat(b'x').take(10_000_000).chain(&b"\nping 1\n"[..]);
        let lines = lines_of(BufReader::new(input));
        assert_eq!(lines[0].text.len(), MAX_LINE);
        assert_eq!((lines[0].bytes, lines[0].is_cut()), (10_000_000, true));
        assert_eq!((lines[1].text.as_str(), lines[1].is_cut()), ("ping 1", false));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn a_reader_that_went_away_ends_the_pump() {
        let (sender, receiver) = mpsc::channel(CHANNEL);
        drop(receiver);
        pump(BufReader::new(io::repeat(b'\n')), &sender);
    }

    #[test]
    fn the_writer_writes_whole_lines() {
        let mut out = Vec::new();
        Writer(&mut out).line("pong 1").unwrap();
        assert_eq!(out, b"pong 1\n");
    }

    proptest! {
        /// The twin: the whole input at once.
        #[test]
        fn small_reads_give_the_same_lines(input in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200), size in 1..20usize) {
            let expected: Vec<_> = input
                .split_inclusive(|&b| b == b'\n')
                .map(|line| Line::new(line.strip_suffix(b"\n").unwrap_or(line)).text)
                .collect();
            let lines = lines_of(BufReader::with_capacity(size, io::Cursor::new(input)));
            let texts: Vec<_> = lines.into_iter().map(|line| line.text).collect();
            prop_assert_eq!(texts, expected);
        }
    }
}
