//! An engine as a child process: lines to its input, lines from its output with the time of their arrival.

use super::super::fault::{Failure, Fault, Kind};
use super::log::{Log, Voice};
use crate::search::Stop;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line an engine may print, in bytes.
const MAX_LINE: u64 = 1 << 16;
/// Lines that an engine may print without the answer in them.
const MAX_LINES: usize = 100_000;
/// How many lines wait unread before the engine's writing blocks.
const QUEUE: usize = 256;
/// How long an engine may take to end after its input was closed.
pub const PARTING: Duration = Duration::from_millis(500);
/// How often a wait looks whether the match was broken off.
const POLL: Duration = Duration::from_millis(100);

/// How to start an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Working directory; that of the arena if none.
    pub dir: Option<PathBuf>,
    /// Environment variables to add.
    pub env: BTreeMap<String, String>,
}

enum Output {
    Line(Instant, String),
    TooLong,
}

/// A running engine process. Its whole process group ends with this value.
pub struct Process {
    child: Box<dyn ChildWrapper>,
    stdin: Option<ChildStdin>,
    output: Receiver<Output>,
    /// Lines read since the last [`Process::say`].
    unanswered: usize,
    log: Log,
    abort: Stop,
}

impl Process {
    /// Starts it. `abort` breaks off every wait.
    pub fn start(launch: &Launch, abort: Stop) -> Result<Self, Failure> {
        let (program, arguments) = launch
            .command
            .split_first()
            .ok_or_else(|| Failure::Setup("empty command".into()))?;
        let path = located(launch.dir.as_deref(), program);
        let mut command = Command::new(&path);
        command.args(arguments).envs(&launch.env);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let mut command = CommandWrap::from(command);
        // A wrapper script's children must go with it.
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let spawned = command.spawn();
        let mut child =
            spawned.map_err(|e| Failure::Setup(format!("cannot start '{}': {e}", path.display())))?;
        let log = Log::default();
        log.add(Voice::Note, &format!("started {}", launch.command.join(" ")));
        let (sender, output) = sync_channel(QUEUE);
        if let Some(stdout) = child.stdout().take() {
            let log = log.clone();
            thread::spawn(move || read_output(BufReader::new(stdout), &sender, &log));
        }
        if let Some(stderr) = child.stderr().take() {
            let log = log.clone();
            thread::spawn(move || read_stderr(BufReader::new(stderr), &log));
        }
        let stdin = child.stdin().take();
        Ok(Self {
            child,
            stdin,
            output,
            unanswered: 0,
            log,
            abort,
        })
    }

    /// What was said so far.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Writes lines. Returns when it began to: an engine's time runs from here, because by the end of the writing it may
    /// have answered already.
    pub fn say(&mut self, lines: &str) -> Result<Instant, Failure> {
        self.unanswered = 0;
        lines.lines().for_each(|line| self.log.add(Voice::To, line));
        let start = Instant::now();
        let written = match &mut self.stdin {
            Some(stdin) => stdin
                .write_all(format!("{lines}\n").as_bytes())
                .and_then(|()| stdin.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        match written {
            Ok(()) => Ok(start),
            Err(_) => Err(self.ended()),
        }
    }

    /// The next line, which must come before `deadline`, and when it came.
    pub fn hear(&mut self, deadline: Instant) -> Result<(Instant, String), Failure> {
        loop {
            if self.abort.is_requested() {
                return Err(Failure::Aborted);
            }
            let wait = deadline.saturating_duration_since(Instant::now()).min(POLL);
            match self.output.recv_timeout(wait) {
                Ok(Output::Line(at, line)) => {
                    self.unanswered += 1;
                    if self.unanswered > MAX_LINES {
                        return Err(
                            Fault::new(Kind::Flood, format!("{MAX_LINES} lines without an answer")).into(),
                        );
                    }
                    return Ok((at, line));
                }
                Ok(Output::TooLong) => {
                    return Err(
                        Fault::new(Kind::Flood, format!("a line of more than {MAX_LINE} bytes")).into(),
                    );
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(Fault::new(Kind::Stall, "no answer").into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Throws away what has arrived so far: chatter from before the request that comes next.
    pub fn forget(&mut self) {
        while let Ok(Output::Line(..)) = self.output.try_recv() {}
    }

    /// Why there is no more output.
    fn ended(&mut self) -> Failure {
        let fault = match self.wait(PARTING) {
            Some(status) if status.success() => Fault::new(Kind::EarlyEnd, "the process ended by itself"),
            Some(status) => Fault::new(Kind::Crash, format!("the process ended with {status}")),
            None => Fault::new(Kind::EarlyEnd, "the process closed its output"),
        };
        let last = self
            .log
            .last_stderr()
            .map(|line| format!("; last on its stderr: {line}"))
            .unwrap_or_default();
        Fault {
            detail: fault.detail + &last,
            ..fault
        }
        .into()
    }

    fn wait(&mut self, longest: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + longest;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Says farewell, if there is one to say, and closes the engine's input; its exit status if it ends within `longest`.
    pub fn part(&mut self, farewell: Option<&str>, longest: Duration) -> Option<ExitStatus> {
        if let Some(farewell) = farewell {
            let _ = self.say(farewell);
        }
        self.stdin = None;
        self.wait(longest)
    }

    /// Ends the whole process group at once.
    pub fn kill(&mut self) {
        self.stdin = None;
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        self.kill();
    }
}

/// Where a program is. A relative path with a folder in it is meant from the working directory `dir`, whatever the system
/// makes of it: some look only after they have changed to `dir`, so that the path must not depend on where we are.
fn located(dir: Option<&Path>, program: &str) -> PathBuf {
    match dir {
        Some(dir) if Path::new(program).components().count() > 1 => std::path::absolute(dir)
            .unwrap_or_else(|_| dir.into())
            .join(program),
        _ => program.into(),
    }
}

/// One line without its end. None at the end of the input; an error if it is longer than [`MAX_LINE`].
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<Option<String>> {
    buffer.clear();
    if input.take(MAX_LINE).read_until(b'\n', buffer)? == 0 {
        return Ok(None);
    }
    if buffer.len() as u64 == MAX_LINE && buffer.last() != Some(&b'\n') {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let text = String::from_utf8_lossy(buffer);
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_string()))
}

fn read_output(mut input: impl BufRead, sender: &SyncSender<Output>, log: &Log) {
    let mut buffer = Vec::new();
    loop {
        let output = match read_line(&mut input, &mut buffer) {
            Ok(Some(line)) => {
                let at = Instant::now();
                log.add(Voice::From, &line);
                Output::Line(at, line)
            }
            Err(e) if e.kind() == io::ErrorKind::FileTooLarge => {
                log.add(Voice::Note, "a line without end; not read on");
                let _ = sender.send(Output::TooLong);
                return;
            }
            _ => return,
        };
        if sender.send(output).is_err() {
            return;
        }
    }
}

fn read_stderr(mut input: impl BufRead, log: &Log) {
    let mut buffer = Vec::new();
    while let Ok(n) = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut buffer) {
        if n == 0 {
            return;
        }
        log.add(Voice::Stderr, String::from_utf8_lossy(&buffer).trim_end());
        buffer.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_from_the_working_directory_of_the_engine() {
        let here = std::env::current_dir().unwrap();
        let found = |dir: Option<&str>, program| located(dir.map(Path::new), program);
        assert_eq!(
            found(Some("engines"), "./new"),
            here.join("engines").join("./new")
        );
        assert_eq!(found(Some("engines"), "new"), PathBuf::from("new"), "on the path");
        assert_eq!(found(None, "./new"), PathBuf::from("./new"));
        let whole = here.join("new");
        assert_eq!(found(Some("engines"), whole.to_str().unwrap()), whole);
    }
}
