//! What the user and the system tell the program from outside.

use std::io;

/// A wish that the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM. There is none on Windows.
    #[cfg_attr(not(unix), expect(dead_code))]
    Terminate,
}

/// The signals from its making on: none is missed between two calls of [`Signals::next`].
#[cfg(unix)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Starts to listen, inside a runtime; from here on a signal does not end the process any more.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            Some(()) = self.interrupt.recv() => Signal::Interrupt,
            Some(()) = self.terminate.recv() => Signal::Terminate,
            else => std::future::pending().await,
        }
    }
}

/// Ctrl-C, from its making on.
#[cfg(not(unix))]
pub struct Signals(tokio::signal::windows::CtrlC);

#[cfg(not(unix))]
impl Signals {
    /// Starts to listen, inside a runtime; from here on Ctrl-C does not end the process any more.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Signal {
        match self.0.recv().await {
            Some(()) => Signal::Interrupt,
            None => std::future::pending().await,
        }
    }
}
