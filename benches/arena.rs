//! What a match costs besides its engines: `cargo bench --bench arena`.
//!
//! 2,000 games between two built-in players that take next to no time, two at once, by the shipped binary, from the request
//! for the first move to the last pair on disk. On Linux the processor time of the process is told, and the memory that it
//! holds after a tenth of the games and at the end.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

const PAIRS: usize = 1000;

fn main() {
    let journal = env::temp_dir().join(format!("outflank-bench-{}.jsonl", std::process::id()));
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args([
            "match",
            "--engine",
            "random",
            "--engine",
            "greedy",
            "--json",
            "--concurrency",
            "2",
        ])
        .args(["--pairs", &PAIRS.to_string(), "--journal"])
        .arg(&journal)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let (mut pairs, mut moves) = (0, 0);
    let (mut early, mut late) = (None, None);
    for line in output.lines() {
        let event: serde_json::Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        if event["event"] != "pair" {
            continue;
        }
        pairs += 1;
        let games = event["pair"]["games"].as_array().expect("two games");
        moves += games
            .iter()
            .map(|game| game["us"].as_array().map_or(0, Vec::len))
            .sum::<usize>();
        if pairs == PAIRS / 10 {
            early = memory_kib(child.id());
        } else if pairs == PAIRS {
            late = memory_kib(child.id());
        }
    }
    let ended = child.wait().expect("it ends");
    let wall = begun.elapsed();
    assert!(ended.success() && pairs == PAIRS, "{pairs} pairs, {ended}");
    let size = fs::metadata(&journal).expect("a journal").len();
    let _ = fs::remove_file(&journal);
    println!(
        "{} games, {moves} moves in {:.2} s; journal {} KiB",
        PAIRS * 2,
        wall.as_secs_f64(),
        size / 1024
    );
    if let Some(seconds) = children_seconds() {
        println!(
            "processor time {seconds:.2} s: {:.1} µs a move, report included",
            seconds * 1e6 / moves as f64
        );
    }
    if let (Some(early), Some(late)) = (early, late) {
        println!("memory {early} KiB after a tenth of the pairs, {late} KiB after the last");
    }
}

/// Memory that a process holds, where the system tells.
fn memory_kib(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Processor time of the children that have ended.
#[cfg(target_os = "linux")]
fn children_seconds() -> Option<f64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a place for an rusage that the call fills; all zeros are a valid one, too.
    let usage = unsafe {
        if libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) != 0 {
            return None;
        }
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Some(seconds(usage.ru_utime) + seconds(usage.ru_stime))
}

#[cfg(not(target_os = "linux"))]
fn children_seconds() -> Option<f64> {
    None
}
