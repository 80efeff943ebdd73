//! An engine's process through its ups and downs: started when first needed, dropped after a failure, started again.

use super::super::fault::{Failure, Fault, Kind};
use super::process::{Launch, PARTING, Process};
use crate::search::Stop;
use std::time::{Duration, Instant};

/// Where the process of an engine lives.
pub struct Hired {
    launch: Launch,
    abort: Stop,
    process: Option<Process>,
    /// The log of the process that failed last.
    last_log: Option<String>,
}

impl Hired {
    /// Nothing is started yet. `abort` breaks off every wait.
    pub fn new(launch: Launch, abort: Stop) -> Self {
        Self {
            launch,
            abort,
            process: None,
            last_log: None,
        }
    }

    /// Is there a process, as far as is known?
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Starts a new process.
    pub fn start(&mut self) -> Result<(), Failure> {
        self.process = Some(Process::start(&self.launch, self.abort.clone())?);
        Ok(())
    }

    /// The process.
    pub fn process(&mut self) -> Result<&mut Process, Failure> {
        self.process
            .as_mut()
            .ok_or_else(|| Failure::Setup("asked for a move before a game was begun".into()))
    }

    /// Drops the process after a failure and keeps its log. Its state can't be trusted any more, whatever the failure was.
    pub fn fail(&mut self, failure: Failure) -> Failure {
        if let Some(process) = self.process.take() {
            self.last_log = Some(process.log().text());
        }
        failure
    }

    /// What was said, by the running process or the one that failed last.
    pub fn log(&self) -> Option<String> {
        self.process
            .as_ref()
            .map(|p| p.log().text())
            .or_else(|| self.last_log.clone())
    }

    /// Asks it to end, waits a moment, ends it.
    pub fn dismiss(&mut self, farewell: &str) {
        if let Some(mut process) = self.process.take() {
            process.part(Some(farewell), PARTING);
        }
    }
}

/// The next line within `limit` of `since`. A stall names `what` was waited for.
pub fn hear(
    process: &mut Process,
    since: Instant,
    limit: Duration,
    what: &str,
) -> Result<(Instant, String), Failure> {
    process.hear(since + limit).map_err(|failure| match failure {
        Failure::Fault(Fault {
            kind: Kind::Stall, ..
        }) => {
            let detail = format!("no answer to {what} within {:.1} s", limit.as_secs_f64());
            Fault::new(Kind::Stall, detail).into()
        }
        other => other,
    })
}
