//! How long the shipped binary takes to answer a ping: `cargo bench --bench latency`.
//!
//! Goals: the 99th percentile during a search within 20 ms on two busy cores, start to first pong within 100 ms.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{array, thread};

const PINGS: u32 = 400;
const STARTS: u32 = 60;

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output }
    }

    fn say(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("it listens");
    }

    /// Reads up to the line that begins so.
    fn until(&mut self, start: &str) {
        let mut line = String::new();
        while !line.starts_with(start) {
            line.clear();
            assert_ne!(
                self.output.read_line(&mut line).expect("it speaks"),
                0,
                "it ended"
            );
        }
    }

    fn end(mut self) {
        self.say("quit\n");
        drop(self.input);
        self.child.wait().expect("it ends");
    }
}

/// Prints percentiles of the times.
fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    let [p50, p90, p99, max] = [50, 90, 99, 100].map(at);
    let count = times.len();
    println!(
        "{what:<58} p50 {p50:7.3} ms   p90 {p90:7.3} ms   p99 {p99:7.3} ms   max {max:7.3} ms   ({count})"
    );
}

/// From `ping` to `pong` in the middle of searches of the start position and of a middle game.
fn pings_during_search(arguments: &[&str]) -> Vec<Duration> {
    let mut engine = Engine::start(arguments);
    engine.say("nboard 2\nset depth 60\nping 0\n");
    engine.until("pong 0");
    let games = [
        "",
        "B[F5]W[D6]B[C5]W[F4]B[E3]W[C6]B[D3]W[F6]B[E6]W[D7]B[E7]W[C7]B[C4]W[C3]B[B4]W[B3]",
    ];
    let mut times = Vec::new();
    for number in 1..=PINGS {
        let moves = games[number as usize % games.len()];
        engine.say(&format!(
            "set game (;GM[Othello]TY[8]{moves};)\n{}\n",
            ["go", "hint 4"][number as usize / 2 % 2]
        ));
        engine.until("search");
        // Not always at the same point of the search.
        thread::sleep(Duration::from_millis(u64::from(number * 7 % 40)));
        let asked = Instant::now();
        engine.say(&format!("ping {number}\n"));
        engine.until(&format!("pong {number}"));
        times.push(asked.elapsed());
    }
    engine.end();
    times
}

/// From the start of the process to its first pong.
fn first_pongs(arguments: &[&str]) -> Vec<Duration> {
    let start = |_| {
        let started = Instant::now();
        let mut engine = Engine::start(arguments);
        engine.say("ping 1\n");
        engine.until("pong 1");
        let time = started.elapsed();
        engine.end();
        time
    };
    (0..STARTS).map(start).collect()
}

fn main() {
    let cores = thread::available_parallelism().map_or(2, usize::from);
    println!("{cores} cores");
    print(
        "ping during a search, 1 thread",
        pings_during_search(&["--threads", "1"]),
    );
    let all = cores.to_string();
    let all = ["--threads", all.as_str()];
    print(
        "ping during a search, a thread on every core",
        pings_during_search(&all),
    );
    print("start to first pong", first_pongs(&[]));

    // The same with something else busy on two cores.
    let stop = Arc::new(AtomicBool::new(false));
    let busy: [_; 2] = array::from_fn(|_| {
        let stop = Arc::clone(&stop);
        thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        })
    });
    print(
        "two other busy threads: ping during a search, 1 thread",
        pings_during_search(&["--threads", "1"]),
    );
    print(
        "two other busy threads: a thread on every core",
        pings_during_search(&all),
    );
    print("two other busy threads: start to first pong", first_pongs(&[]));
    stop.store(true, Ordering::Relaxed);
    for thread in busy {
        thread.join().expect("it only spins");
    }
}
