//! The connection. A task of its own writes, so that a server that takes nothing keeps nothing else waiting.

use outflank_protocol::ggs::Assembler;
use std::io;
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longest time for a line to leave; a server that takes nothing for so long is gone.
const WRITE_LIMIT: Duration = Duration::from_secs(30);
/// Longest time for all that is still to be written once a connection is given up.
const PARTING_LIMIT: Duration = Duration::from_secs(2);
/// Most lines that wait; more than the answers to all that is read at once.
const QUEUE: usize = 4096;

/// The connection.
pub(super) enum Link {
    None,
    Connecting(Pin<Box<dyn Future<Output = io::Result<TcpStream>> + Send>>),
    Up(Up),
}

/// A connection that stands.
pub(super) struct Up {
    reader: OwnedReadHalf,
    writer: Writer,
    /// What was read of the message that is not complete.
    pub assembler: Assembler,
}

/// News of the connection.
pub(super) enum News {
    Connected(TcpStream),
    /// So many bytes are in the buffer.
    Read(usize),
    /// The connection is gone; without a reason if the server closed it.
    Lost(Option<String>),
}

impl Link {
    /// Begins to connect.
    pub fn connect(server: String) -> Self {
        Self::Connecting(Box::pin(TcpStream::connect(server)))
    }

    /// The connection has come.
    pub fn up(stream: TcpStream) -> Self {
        if let Err(error) = stream.set_nodelay(true) {
            log::warn!("cannot send small packets at once: {error}");
        }
        let (reader, writer) = stream.into_split();
        Self::Up(Up {
            reader,
            writer: Writer::start(writer),
            assembler: Assembler::default(),
        })
    }

    /// The next thing that happens to the connection. May be dropped and asked again.
    pub async fn news(&mut self, buffer: &mut [u8]) -> News {
        match self {
            Self::None => std::future::pending().await,
            Self::Connecting(connecting) => match connecting.await {
                Ok(stream) => News::Connected(stream),
                Err(error) => News::Lost(Some(error.to_string())),
            },
            Self::Up(Up { reader, writer, .. }) => tokio::select! {
                read = reader.read(buffer) => match read {
                    Ok(0) => News::Lost(None),
                    Ok(count) => News::Read(count),
                    Err(error) => News::Lost(Some(error.to_string())),
                },
                error = writer.failed() => News::Lost(Some(format!("sending: {error}"))),
            },
        }
    }

    /// Has a line sent after those before it; nothing without a connection.
    ///
    /// # Errors
    /// If so much waits already that the server cannot be there any more.
    pub fn send(&self, line: String) -> io::Result<()> {
        match self {
            Self::Up(up) => up.writer.send(line),
            _ => Ok(()),
        }
    }

    /// Gives the connection up. What was to be sent still is, for a short time, by a task that may be waited for.
    pub fn part(&mut self) -> Option<JoinHandle<()>> {
        match std::mem::replace(self, Self::None) {
            Self::Up(Up { reader, writer, .. }) => Some(tokio::spawn(writer.finish(reader))),
            _ => None,
        }
    }
}

/// The task that writes, and the queue before it.
struct Writer {
    lines: mpsc::Sender<String>,
    task: JoinHandle<io::Result<()>>,
}

impl Writer {
    fn start(stream: impl AsyncWrite + Unpin + Send + 'static) -> Self {
        let (lines, queue) = mpsc::channel(QUEUE);
        Self {
            lines,
            task: tokio::spawn(write(stream, queue)),
        }
    }

    fn send(&self, line: String) -> io::Result<()> {
        match self.lines.try_send(line) {
            Err(TrySendError::Full(_)) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the server takes nothing",
            )),
            // If the task has ended, it is the one that knows why.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
        }
    }

    /// Waits until something cannot be written.
    async fn failed(&mut self) -> io::Error {
        match (&mut self.task).await {
            Ok(Err(error)) => error,
            // It does not end before the queue does.
            Ok(Ok(())) => io::ErrorKind::BrokenPipe.into(),
            Err(error) => io::Error::other(error),
        }
    }

    /// Writes what waits and closes the connection. Meanwhile it is read from: bytes that nobody read would reset it, and
    /// what was written last would be lost.
    async fn finish(self, mut reader: impl AsyncRead + Unpin) {
        let Self { lines, mut task } = self;
        drop(lines);
        let last_words = async {
            if !task.is_finished() {
                let _ = (&mut task).await;
            }
        };
        let rest = async {
            let mut rest = [0; 4096];
            while matches!(reader.read(&mut rest).await, Ok(1..)) {}
        };
        let _ = timeout(PARTING_LIMIT, async { tokio::join!(last_words, rest) }).await;
        task.abort();
    }
}

/// Writes line by line: the server is said to like one write for each.
async fn write(mut stream: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<String>) -> io::Result<()> {
    while let Some(line) = queue.recv().await {
        timeout(WRITE_LIMIT, stream.write_all(line.as_bytes())).await??;
    }
    stream.shutdown().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;

    /// A writer to a server that takes 16 bytes and then nothing until it reads.
    fn start() -> (Writer, tokio::io::DuplexStream) {
        let (ours, theirs) = duplex(16);
        (Writer::start(ours), theirs)
    }

    #[tokio::test(start_paused = true)]
    async fn lines_wait_for_the_server_and_nothing_waits_for_them() {
        let (writer, mut server) = start();
        let lines: Vec<String> = (0..1000).map(|number| format!("line {number}\n")).collect();
        for line in &lines {
            writer.send(line.clone()).unwrap();
        }
        let mut got = vec![0; lines.concat().len()];
        server.read_exact(&mut got).await.unwrap();
        assert_eq!(String::from_utf8(got).unwrap(), lines.concat());
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_takes_nothing_is_given_up() {
        let (mut writer, _server) = start();
        writer.send("more than sixteen bytes\n".to_owned()).unwrap();
        let begun = tokio::time::Instant::now();
        assert_eq!(writer.failed().await.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), WRITE_LIMIT.as_secs());
        // Or before, if there is too much to be said.
        let (writer, _server) = start();
        let taken = (0..=QUEUE)
            .take_while(|_| writer.send("x".to_owned()).is_ok())
            .count();
        assert_eq!(taken, QUEUE);
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_words_are_sent() {
        let (writer, mut server) = start();
        for line in ["tell /os open 0\n", "quit\n"] {
            writer.send(line.to_owned()).unwrap();
        }
        let parting = tokio::spawn(writer.finish(tokio::io::empty()));
        let mut got = String::new();
        server.read_to_string(&mut got).await.unwrap();
        assert_eq!(got, "tell /os open 0\nquit\n");
        parting.await.unwrap();
        // But not for ever.
        let (writer, _server) = start();
        writer.send("more than sixteen bytes\n".to_owned()).unwrap();
        let begun = tokio::time::Instant::now();
        writer.finish(tokio::io::empty()).await;
        assert_eq!(begun.elapsed().as_secs(), PARTING_LIMIT.as_secs());
    }
}
