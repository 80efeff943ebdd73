//! One test for everything that an engine can do wrong: the right kind of loss, a log, and the match goes on.

use super::{Folder, expect, mock, pairs};
use std::fs;

/// Plays two pairs of a good engine against one with this behaviour, which must forfeit every game in this way.
fn loses(protocol: &str, behaviour: &str, kind: &str) {
    let folder = Folder::new(&format!("{protocol}-{behaviour}"));
    let good = format!("good=nboard:{}", mock("nboard"));
    let bad = format!("bad={protocol}:{}", mock(&format!("{protocol} {behaviour}")));
    let mut arguments = vec![
        "match",
        "--engine",
        &good,
        "--engine",
        &bad,
        "--pairs",
        "2",
        "--concurrency",
        "2",
    ];
    // A busy machine is no stalling engine.
    let stall = if kind == "stall" { "1" } else { "60" };
    arguments.extend([
        "--stall",
        stall,
        "--journal",
        "m.jsonl",
        "--random-plies",
        "4",
        "--quiet",
    ]);
    // Generous where the machine may be busy; only the slow one is to be late.
    if kind == "time" {
        arguments.extend(["--pace-of", "bad=200ms/move", "--dialect-of", "bad=silent"]);
    } else if kind == "stall" {
        // It stalls at its first move: before that it can't be late.
        arguments.extend(["--pace-of", "bad=1"]);
    } else {
        arguments.extend(["--pace-of", "bad=60"]);
    }
    let text = expect(&folder, &arguments, 0);
    assert!(text.contains("2 of 2 pairs"), "{text}");
    let pairs = pairs(&folder.path("m.jsonl"));
    assert_eq!(pairs.len(), 2);
    for pair in &pairs {
        for game in pair["games"].as_array().unwrap() {
            let side = if game["black"] == "bad" { "black" } else { "white" };
            assert_eq!(game["ending"]["by"], "forfeit", "{game}");
            assert_eq!(game["ending"]["kind"], kind, "{game}");
            assert_eq!(game["ending"]["loser"], side, "{game}");
            assert_eq!(game["score"], if side == "black" { -64 } else { 64 }, "{game}");
            assert!(game["ending"]["detail"].as_str().is_some_and(|d| !d.is_empty()));
        }
    }
    // What was said is kept, the request for the move included.
    let logs: Vec<_> = fs::read_dir(folder.path("m.logs")).unwrap().collect();
    assert_eq!(logs.len(), 4);
    let log = fs::read_to_string(logs[0].as_ref().unwrap().path()).unwrap();
    let request = if protocol == "nboard" { "> go" } else { "> genmove" };
    // A flood has washed it away.
    assert!(kind == "flood" || log.contains(request), "{log}");
    let words = match kind {
        "illegal" => "illegal move".into(),
        "wrong-color" => "wrong colour".into(),
        other => other.replace('-', " "),
    };
    assert!(text.contains(&format!("forfeited: 4 {words}\n")), "{text}");
}

macro_rules! misdeeds {
    ($($name:ident: $protocol:literal $behaviour:literal => $kind:literal;)*) => {
        $(
            #[test]
            fn $name() {
                loses($protocol, $behaviour, $kind);
            }
        )*
    };
}

misdeeds! {
    nboard_illegal: "nboard" "illegal" => "illegal";
    nboard_occupied: "nboard" "occupied" => "illegal";
    nboard_wrong_color: "nboard" "wrong-color" => "wrong-color";
    nboard_garbage: "nboard" "garbage" => "garbage";
    nboard_slow: "nboard" "slow" => "time";
    nboard_stall: "nboard" "stall 0" => "stall";
    nboard_crash: "nboard" "crash" => "crash";
    nboard_exit: "nboard" "exit" => "early-end";
    nboard_exit_with_error: "nboard" "close" => "crash";
    nboard_flood: "nboard" "flood" => "flood";
    nboard_endless_line: "nboard" "endless" => "flood";
    gtp_illegal: "gtp" "illegal" => "illegal";
    gtp_wrong_color: "gtp" "wrong-color" => "wrong-color";
    gtp_garbage: "gtp" "garbage" => "garbage";
    gtp_slow: "gtp" "slow" => "time";
    gtp_stall: "gtp" "stall 0" => "stall";
    gtp_crash: "gtp" "crash" => "crash";
    gtp_exit: "gtp" "exit" => "early-end";
    gtp_flood: "gtp" "flood" => "flood";
    gtp_refuse: "gtp" "refuse" => "refused";
    gtp_resign: "gtp" "resign" => "resigned";
}

/// Much on standard error is no misdeed, and does not block the engine.
#[test]
fn talk_on_standard_error() {
    let folder = Folder::new("stderr");
    let good = format!("good=nboard:{}", mock("nboard"));
    let loud = format!("loud=gtp:{}", mock("gtp stderr 57"));
    let arguments = [
        "match",
        "--engine",
        &good,
        "--engine",
        &loud,
        "--pairs",
        "1",
        "--journal",
        "m.jsonl",
    ];
    let text = expect(&folder, &arguments, 0);
    assert_eq!(text.matches("none forfeited").count(), 2, "{text}");
}

/// An engine that can't be started, or can't be told what the match asks for, ends the match before its first game.
#[test]
fn setup_errors() {
    let folder = Folder::new("setup");
    let said = |engine: &str, more: &[&str]| {
        let arguments = [
            &[
                "match",
                "--engine",
                "random",
                "--engine",
                engine,
                "--journal",
                "m.jsonl",
            ],
            more,
        ]
        .concat();
        let (output, code) = super::run(&folder, &arguments);
        assert_eq!(code, 1, "{engine}");
        assert!(!folder.path("m.jsonl").exists());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said("x=nboard:./no/such/program", &[]).contains("engine 'x': cannot start './no/such/program'"));
    let exits = format!("x=nboard:{}", mock("nboard exit 0"));
    assert!(said(&format!("x=gtp:{}", mock("gtp")), &["--movetime", "100ms"]).contains("whole seconds"));
    assert!(said(&format!("x=gtp:{}", mock("gtp")), &["--tc", "60+1"]).contains("increment"));
    assert!(said(&format!("x=nboard:{}", mock("nboard")), &["--movetime", "1"]).contains("no word for"));
    assert!(said(&format!("x=nboard:{}", mock("nboard")), &["--rules", "classic"]).contains("other rules"));
    // It starts, and crashes later: that is a loss.
    expect(
        &folder,
        &[
            "match",
            "--engine",
            "random",
            "--engine",
            &exits,
            "--pairs",
            "1",
            "--journal",
            "m.jsonl",
        ],
        0,
    );
}

#[test]
fn usage_errors() {
    let folder = Folder::new("usage");
    let (output, code) = super::run(&folder, &["match", "--engine", "random"]);
    assert_eq!(code, 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("at least two engines"));
    for bad in [
        ["--engine", "x=uci:y"],
        ["--pace", "depth 0"],
        ["--shard", "3/2"],
        ["--no-such-option", "1"],
    ] {
        assert_eq!(
            super::run(&folder, &[&["match"][..], &bad].concat()).1,
            2,
            "{bad:?}"
        );
    }
}
