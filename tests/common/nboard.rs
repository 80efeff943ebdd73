//! The other side of an NBoard conversation, inside this process or with the shipped binary.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// So long silence means that the engine hangs; only a failing test waits for it.
const SILENCE: Duration = Duration::from_secs(120);

/// A running engine with its input and the lines of its output.
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    reader: JoinHandle<()>,
}

#[allow(dead_code)]
impl Conversation {
    /// The shipped binary with these arguments, and a small table if they ask for no other.
    pub fn start(arguments: &[&str]) -> Self {
        let small = if arguments.contains(&"--hash") {
            &[][..]
        } else {
            &["--hash", "4"]
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
            .args(small)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, output) = channel();
        let reader = thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.unwrap();
                assert!(line.is_ascii(), "{line}");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            output,
            reader,
        }
    }

    /// Sends bytes as they are. An engine that has ended does not mind.
    pub fn send(&mut self, bytes: &[u8]) {
        let _ = self.input.as_mut().unwrap().write_all(bytes);
    }

    /// Sends lines.
    pub fn say(&mut self, lines: &[&str]) {
        self.send(format!("{}\n", lines.join("\n")).as_bytes());
    }

    /// The next line of the engine.
    pub fn hear(&mut self) -> String {
        match self.output.recv_timeout(SILENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("the engine says nothing"),
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
        }
    }

    /// The lines up to the first one that begins with `start`, which is the last of them.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    /// Sends a ping and its number comes back.
    pub fn ping(&mut self, number: i64) -> Vec<String> {
        self.say(&[&format!("ping {number}")]);
        self.pong(number)
    }

    /// The lines up to `pong number`.
    pub fn pong(&mut self, number: i64) -> Vec<String> {
        let lines = self.until("pong");
        assert_eq!(lines.last().unwrap(), &format!("pong {number}"));
        lines
    }

    /// The engine's move in answer to `go`: the lines up to `===`, and the move.
    pub fn go(&mut self) -> (Vec<String>, String) {
        self.say(&["go"]);
        let lines = self.until("===");
        let mv = chosen(lines.last().unwrap());
        (lines, mv)
    }

    /// The lines of a hint or an analysis, up to the empty status after it.
    pub fn hints(&mut self, request: &str) -> Vec<String> {
        self.say(&[request]);
        self.rest_of_hint()
    }

    /// The lines up to an empty status.
    pub fn rest_of_hint(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            if lines.last().unwrap() == "status" {
                return lines;
            }
        }
    }

    /// Closes the input and waits for the end; the exit status and what came meanwhile.
    pub fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        drop(self.input.take());
        let lines = self.output.iter().collect();
        self.reader.join().unwrap();
        let mut errors = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut errors).unwrap();
        (self.child.wait().unwrap(), lines, errors)
    }

    /// Largest memory use so far in KiB; `None` where that cannot be asked.
    pub fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// The process.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Stops reading the engine's output and closes the pipe.
    pub fn stop_listening(self) -> (Child, ChildStdin) {
        let Self {
            child, input, output, ..
        } = self;
        drop(output);
        (child, input.unwrap())
    }
}

/// The move of an `===` line.
#[allow(dead_code)]
pub fn chosen(line: &str) -> String {
    line.strip_prefix("=== ")
        .unwrap()
        .split('/')
        .next()
        .unwrap()
        .to_owned()
}

/// The first moves of the `search` lines of the deepest iteration, sorted.
#[allow(dead_code)]
pub fn hinted(lines: &[String]) -> Vec<String> {
    let fields = |line: &String| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let search: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("search "))
        .map(fields)
        .collect();
    let last = search.last().map(|line| line[4].clone());
    let mut moves: Vec<_> = search
        .iter()
        .filter(|line| Some(&line[4]) == last.as_ref())
        .map(|line| line[1].split('-').next().unwrap().to_owned())
        .collect();
    moves.sort();
    moves.dedup();
    moves
}
