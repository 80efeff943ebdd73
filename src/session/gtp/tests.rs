//! Whole conversations without a process: lines down a channel, answers out of another one.

use super::*;
use crate::engine::Engine;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;

fn options(limits: Limits) -> Options {
    let engine = || {
        Engine::new(crate::engine::Options {
            hash_mib: 1,
            ..Default::default()
        })
    };
    Options {
        engine: Arc::new(engine),
        rules: Rules::default(),
        limits,
    }
}

/// What the session answers to these lines, sent all at once, with the empty line after each answer taken off.
fn answers_within(limits: Limits, lines: &[&str]) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (source, input) = mpsc::channel(lines.len().max(1));
        let (sink, mut output) = mpsc::unbounded_channel();
        for line in lines {
            source.send(Line::new(line.as_bytes())).await.unwrap();
        }
        drop(source);
        run(input, sink, options(limits)).await.unwrap();
        let mut said = Vec::new();
        while let Some(answer) = output.recv().await {
            assert!(answer.ends_with('\n') && !answer.ends_with("\n\n"), "{answer:?}");
            assert!(answer.is_ascii(), "{answer:?}");
            said.push(answer.trim_end().to_owned());
        }
        said
    })
}

fn answers(lines: &[&str]) -> Vec<String> {
    answers_within(
        Limits {
            depth: Some(2),
            ..Limits::default()
        },
        lines,
    )
}

/// A position as a GGF file, for `loadsgf`.
struct Recorded(PathBuf);

impl Recorded {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("outflank-gtp-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn load(&self) -> String {
        format!("loadsgf {}", self.0.display())
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Black must pass; C1 of White ends the game.
fn black_must_pass(name: &str) -> Recorded {
    Recorded::new(name, &format!("(;GM[Othello]TY[8]BO[8 O*{} *];)", "-".repeat(62)))
}

#[test]
fn a_controller_says_hello() {
    let said = answers(&[
        "1 protocol_version",
        "2 name",
        "3 version",
        "",
        "# a comment",
        "4 known_command genmove # really?",
        "5 known_command fly",
        "boardsize 8",
        "boardsize 10",
        "komi 6.5",
        "CLEAR_BOARD",
        "6 fly",
        "play B",
        "time_settings 0 1 1",
        "7 quit",
        "name",
    ]);
    assert_eq!(
        said,
        [
            "=1 2",
            "=2 Outflank",
            &format!("=3 {}", env!("CARGO_PKG_VERSION")),
            "=4 true",
            "=5 false",
            "=",
            "? unacceptable size",
            "=",
            "=",
            "?6 unknown command",
            "? syntax error: 'play' lacks a square a1..h8 or pass",
            "=",
            "=7",
        ]
    );
}

#[test]
fn every_listed_command_is_known() {
    let list = answers(&["list_commands"]).remove(0);
    let names: Vec<&str> = list.trim_start_matches("= ").lines().collect();
    assert_eq!(names, Command::NAMES);
    let lines: Vec<&str> = names.into_iter().filter(|name| *name != "quit").collect();
    for answer in answers(&lines) {
        assert_ne!(answer, "? unknown command");
    }
}

#[test]
fn moves_in_every_case_and_for_the_wrong_side() {
    let said = answers(&[
        "play black F5",
        "play b d6",
        "play W d6",
        "play white d6",
        "play B pass",
        "genmove w",
        "undo",
        "undo",
        "undo",
        "gogui-rules_side_to_move",
        "gogui-rules_legal_moves",
    ]);
    assert_eq!(
        said,
        [
            "=",
            "? illegal move: d6: White is to move",
            "=",
            "? illegal move: d6: Black is to move",
            "? illegal move: pa: Black has a square to play on and may not pass",
            "? wrong color: Black is to move",
            "=",
            "=",
            "? cannot undo",
            "= black",
            "= D3 C4 F5 E6",
        ]
    );
}

#[test]
fn the_board_and_the_rules_of_gogui() {
    let said = answers(&[
        "play b f5",
        "showboard",
        "gogui-rules_board",
        "gogui-rules_board_size",
        "gogui-rules_game_id",
        "gogui-rules_final_result",
        "final_score",
        "gogui-interrupt",
    ]);
    assert_eq!(
        said[1],
        "=\n  A B C D E F G H\n1 . . . . . . . . 1\n2 . . . . . . . . 2\n3 . . . . . . . . 3\n4 . . . O X . . . 4\n\
         5 . . . X X X . . 5\n6 . . . . . . . . 6\n7 . . . . . . . . 7\n8 . . . . . . . . 8\n  A B C D E F G H\n\
         Black (X) 4, White (O) 1, White to move"
    );
    assert_eq!(
        said[2],
        "= . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . X X X . .\n. . . O X . . .\n. . . . . . . .\n\
         . . . . . . . .\n. . . . . . . ."
    );
    assert_eq!(
        said[3..],
        ["= 8", "= Othello", "? cannot score", "? cannot score", "="]
    );
}

#[test]
fn genmove_plays_and_reg_genmove_does_not() {
    let said = answers(&[
        "reg_genmove b",
        "reg_genmove b",
        "genmove b",
        "reg_genmove b",
        "undo",
        "genmove b",
        "genmove W",
    ]);
    let first = &said[0];
    assert_eq!(said[1], *first);
    assert_eq!(said[2], *first);
    assert_eq!(said[3], "? wrong color: White is to move");
    assert_eq!(said[5], *first);
    assert_eq!(said[6].len(), 4, "{said:?}");
}

#[test]
fn passes_said_and_left_out() {
    let record = black_must_pass("passes.ggf");
    let load = record.load();
    // Said.
    let said = answers(&[
        &load,
        "gogui-rules_legal_moves",
        "genmove b",
        "play w c1",
        "final_score",
        "undo",
        "undo",
        "undo",
    ]);
    assert_eq!(
        said,
        ["=", "= PASS", "= PASS", "=", "= W+64", "=", "=", "? cannot undo"]
    );
    // Left out: the pass belongs to the move.
    for mv in ["play w c1", "genmove w"] {
        let said = answers(&[
            &load,
            mv,
            "gogui-rules_final_result",
            "undo",
            "gogui-rules_side_to_move",
            "undo",
        ]);
        assert_eq!(
            said[2..],
            ["= White wins 64-0", "=", "= black", "? cannot undo"],
            "{mv}"
        );
    }
    let said = answers(&[&load, "play w pass", "play b c1", "gogui-rules_side_to_move"]);
    assert_eq!(
        said[1],
        "? illegal move: pa: White has a square to play on and may not pass"
    );
    assert_eq!(
        said[2],
        "? illegal move: c1: Black has no square to play on and must pass"
    );
    assert_eq!(said[3], "= black");
}

#[test]
fn after_the_end_everybody_passes() {
    let record = black_must_pass("end.ggf");
    let said = answers(&[
        &record.load(),
        "play w C1",
        "genmove b",
        "genmove w",
        "play b PASS",
        "play b a8",
        "gogui-rules_legal_moves",
        "undo",
        "undo",
        "undo",
        "undo",
        "gogui-rules_legal_moves",
    ]);
    assert_eq!(
        said,
        [
            "=",
            "=",
            "= PASS",
            "= PASS",
            "=",
            "? illegal move: a8: the game is over",
            "=",
            "=",
            "=",
            "=",
            "=",
            "= PASS"
        ]
    );
}

#[test]
fn games_by_name() {
    let said = answers(&[
        "list_games",
        "set_game Othello",
        "set_game Go",
        "set_game classic",
        "gogui-rules_game_id",
        "gogui-rules_legal_moves",
        "play b d4",
        "set_game free,pass=allowed",
        "play b pass",
        "genmove w",
    ]);
    assert_eq!(said[0].lines().next(), Some("= Othello"));
    assert_eq!(said[0].lines().count(), 6);
    assert_eq!(
        said[1..9],
        [
            "=",
            "? unsupported game",
            "=",
            "= classic",
            "= D4 E4 D5 E5",
            "=",
            "=",
            "="
        ]
    );
    assert_eq!(said[9].len(), 4);
}

#[test]
fn files_of_both_kinds() {
    let sgf = Recorded::new("a game.sgf", "(;FF[4]GM[2]SZ[8];B[f5];W[fd](;B[c3])(;B[d3]))");
    let ggf = Recorded::new("game.ggf", "(;GM[Othello]TY[8]B[f5]W[d6]B[a1];)");
    let bad = Recorded::new("bad.sgf", "(;FF[4]GM[2];B[z5])");
    let said = answers(&[
        &sgf.load(),
        "gogui-rules_side_to_move",
        "undo",
        &format!("{} 2", sgf.load()),
        "gogui-rules_side_to_move",
        &ggf.load(),
        &format!("{} 3", ggf.load()),
        "play b c5",
        &bad.load(),
        "loadsgf no-such-file",
    ]);
    assert_eq!(said[..5], ["=", "= white", "=", "=", "= white"]);
    assert!(
        said[5].ends_with("game.ggf: move 3: illegal move a1: it outflanks nothing"),
        "{}",
        said[5]
    );
    assert_eq!(said[6..8], ["=", "="]);
    assert!(
        said[8].contains("bad.sgf: line 1, column 14: B[z5] is not a square or a pass"),
        "{}",
        said[8]
    );
    assert!(
        said[9].starts_with("? cannot load file: no-such-file: "),
        "{}",
        said[9]
    );
}

#[test]
fn a_whole_game_by_itself() {
    let mut lines = vec!["time_settings 1 0 0"];
    for _ in 0..70 {
        lines.extend(["genmove b", "genmove w"]);
    }
    lines.push("final_score");
    let said = answers_within(Limits::default(), &lines);
    let score = said.last().unwrap();
    assert!(
        score == "= 0" || score.starts_with("= B+") || score.starts_with("= W+"),
        "{score}"
    );
    let moves = said.iter().filter(|answer| answer.len() == 4).count();
    assert!((9..=60).contains(&moves), "{moves}");
}

#[test]
fn interrupt_ends_a_search() {
    let hour = Limits {
        budget: Some(Budget::per_move(Duration::from_secs(3600))),
        ..Limits::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let answer = runtime.block_on(async {
        let (source, input) = mpsc::channel(8);
        let (sink, mut output) = mpsc::unbounded_channel();
        for line in ["genmove b", "# interrupt"] {
            source.send(Line::new(line.as_bytes())).await.unwrap();
        }
        let session = run(input, sink, options(hour));
        tokio::select! {
            // The input stays open: nothing else would end the search today.
            answer = output.recv() => answer.unwrap(),
            _ = session => panic!("the session ended"),
        }
    });
    assert_eq!(answer.trim_end().len(), 4, "{answer}");
    drop(runtime);
}

#[test]
fn bad_lines_change_nothing() {
    let long = format!("play b f5 {}", "x".repeat(2 * MAX_LINE));
    let said = answers(&[
        "play b f5",
        "play w \u{e9}5",
        "9 play w \0",
        "time_left b",
        &long,
        "undo",
        "undo",
    ]);
    assert_eq!(
        said[1],
        "? syntax error: 'play', column 8: '\u{e9}5' is not a square a1..h8 or pass".replace('\u{e9}', "?")
    );
    assert_eq!(said[2], "?9 syntax error: 'play' lacks a square a1..h8 or pass");
    assert!(said[4].starts_with("? a line of "), "{}", said[4]);
    assert_eq!(said[5..], ["=", "? cannot undo"]);
}
