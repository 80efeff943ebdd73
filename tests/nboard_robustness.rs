//! Whatever comes in, the engine goes on, remembers the position, and stays small.

mod common {
    pub mod nboard;
}

use common::nboard::{Conversation, hinted};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Still there, with the position after f5.
fn still_there(mut engine: Conversation) {
    // Random lines may have asked for other pongs.
    engine.say(&["ping 1234567890123", "set depth 2"]);
    engine.until("pong 1234567890123");
    assert_eq!(hinted(&engine.hints("hint 64")), ["D6", "F4", "F6"]);
    let (status, _, errors) = engine.end();
    assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
}

fn after_f5() -> Conversation {
    let mut engine = Conversation::start(&[]);
    engine.say(&["nboard 2", "move F5"]);
    engine
}

#[test]
fn ten_thousand_random_lines() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut engine = after_f5();
    for _ in 0..10_000 {
        let mut line = vec![0; random.random_range(0..200)];
        random.fill_bytes(&mut line);
        line.retain(|&byte| byte != b'\n');
        line.push(b'\n');
        engine.send(&line);
    }
    still_there(engine);
}

#[test]
fn ten_thousand_damaged_commands() {
    let commands: [&[u8]; 9] = [
        b"set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5/1.2/3]W[D6];)",
        b"move G9/1.23/0.3",
        b"set contempt -100",
        b"set rules",
        b"ping 17",
        b"nboard 2",
        b"status thinking",
        b"learn",
        b"set depth 12",
    ];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut engine = after_f5();
    for _ in 0..10_000 {
        let mut line = commands[random.random_range(0..commands.len())].to_vec();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..line.len());
            match random.random_range(0..3) {
                0 => line[at] = random.random(),
                1 => line.insert(at, random.random()),
                _ => line.truncate(at.max(1)),
            }
        }
        line.retain(|&byte| byte != b'\n');
        line.push(b'\n');
        engine.send(&line);
    }
    // A damaged game can still be a game.
    engine.say(&[
        "set game (;GM[Othello]TY[8]B[F5];)",
        "set rules othello",
        "move F5",
    ]);
    still_there(engine);
}

#[test]
fn lines_of_ten_megabytes() {
    let mut engine = after_f5();
    for byte in [b'x', 0, 0xff, b' '] {
        let mut line = b"set game (;GM[".to_vec();
        line.resize(10_000_000, byte);
        line.push(b'\n');
        engine.send(&line);
        assert_eq!(
            engine.until("status").last().unwrap(),
            "status a line of 10000000 bytes is too long, 1048576 is the limit"
        );
    }
    if let Some(peak) = engine.peak_memory() {
        assert!(peak < 200 * 1024, "{peak} KiB");
    }
    still_there(engine);
}

#[test]
fn a_flood_behind_a_search_that_would_not_end() {
    let mut engine = after_f5();
    engine.say(&["set depth 60", "hint 64"]);
    let line = b"set game (;GM[Othello]C["
        .iter()
        .chain(&[b'c'; 100_000])
        .chain(b"];)\n")
        .copied()
        .collect::<Vec<u8>>();
    for _ in 0..1_000 {
        engine.send(&line);
    }
    engine.say(&["set game (;GM[Othello]B[F5];)"]);
    engine.ping(1);
    if let Some(peak) = engine.peak_memory() {
        assert!(peak < 200 * 1024, "{peak} KiB");
    }
    still_there(engine);
}

#[test]
fn a_big_table_costs_nothing_before_it_is_used() {
    let mut engine = Conversation::start(&["--hash", "1500"]);
    engine.say(&["move F5", "set depth 1", "go"]);
    engine.until("===");
    if let Some(peak) = engine.peak_memory() {
        assert!(peak < 400 * 1024, "{peak} KiB");
    }
    still_there(engine);
}

#[test]
fn nuls_and_invalid_text() {
    let mut engine = after_f5();
    engine.send(b"\0\0\0\nping\0 1\nmove \xff\xfe\nset depth \0\nset game \xc3\x28\n\xef\xbb\xbfping 3\n");
    still_there(engine);
}

#[test]
fn a_closed_output_ends_it_quietly() {
    let (mut child, input) = {
        let mut engine = after_f5();
        engine.ping(1);
        engine.stop_listening()
    };
    // The reader of the test notices at its next line, the engine at the line after that.
    let mut input = input;
    loop {
        use std::io::Write;
        if input.write_all(b"ping 2\n").and_then(|()| input.flush()).is_err() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut errors = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut errors).unwrap();
    assert_eq!(errors, "");
}

#[test]
#[cfg(unix)]
fn a_termination_signal_ends_it_quietly() {
    let mut engine = after_f5();
    engine.say(&["set depth 60", "go"]);
    engine.until("search");
    let pid = engine.child().id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let (status, lines, errors) = engine.end();
    assert!(!lines.iter().any(|line| line.starts_with("===")));
    assert_eq!(errors, "");
    assert!(std::os::unix::process::ExitStatusExt::signal(&status).is_some() || status.success());
}

/// Scripts that ask for a log and forget to read it are common.
#[test]
fn a_log_that_nobody_reads_holds_nothing_up() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args(["nboard", "--log", "debug"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = "unheard of\n".repeat(100_000);
    lines.push_str("ping 7\nquit\n");
    engine.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let mut said = String::new();
    engine.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((said.trim(), engine.wait().unwrap().code()), ("pong 7", Some(0)));
    let mut log = String::new();
    engine.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(
        log.len() > 1000 && log.lines().next().unwrap().contains("unheard of"),
        "{log}"
    );
}
