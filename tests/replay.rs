//! `outflank replay` on files that we write, and on the tournament database.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outflank_protocol::wthor::{Database, Game};

fn replay(files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outflank"))
        .arg("replay")
        .args(files)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A file of its own in the folder for this test run.
fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn database(games: &[(&str, u8)]) -> Vec<u8> {
    let game = |&(moves, score): &(&str, u8)| Game {
        tournament: 0,
        black: 0,
        white: 0,
        score,
        best_score: 32,
        moves: moves.split(' ').map(|s| s.parse().unwrap()).collect(),
    };
    Database {
        written: (2026, 1, 1),
        year: 2026,
        depth: 24,
        games: games.iter().map(game).collect(),
    }
    .to_bytes()
}

#[test]
fn right_games_are_counted() {
    let wipe_out = ("e6 f4 e3 f6 g5 d6 e7 f5 c5", 64);
    let file = write("right.wtb", &database(&[wipe_out, ("f5", 32)]));
    let output = replay(&[&file, &file]);
    assert_eq!(
        text(&output.stdout),
        "4 games\n2 ended with the right score\n0 ended with another score\n2 unfinished\n0 with an illegal move\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn wrong_games_are_named() {
    let games = database(&[("f5 a1", 32), ("e6 f4 e3 f6 g5 d6 e7 f5 c5", 13)]);
    let file = write("wrong.wtb", &games);
    let output = replay(&[&file]);
    let name = file.display();
    assert!(text(&output.stdout).starts_with(&format!(
        "{name}: game 0: move 2: illegal move a1: it outflanks nothing\n\
         {name}: game 1: Black has 64 points, the file says 13\n2 games\n"
    )));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let file = write("other.wtb", b"no games");
    let output = replay(&[&file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("8 bytes are too few for a WTHOR header"));
    assert_eq!(replay(&[]).status.code(), Some(2));
}

#[test]
fn a_year_of_the_database() {
    let Some(file) = common::data("wthor/WTH_1985.wtb") else {
        return;
    };
    let output = replay(&[&file]);
    let text = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("\n0 ended with another score\n"), "{text}");
    assert!(text.ends_with("\n0 with an illegal move\n"), "{text}");
}
