//! The command line of the shipped binary: help, version, exit codes.

use std::process::{Command, Output, Stdio};

fn outflank(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// A file for one test; its path.
fn scratch(name: &str, bytes: &[u8]) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, bytes).unwrap();
    path
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn help_has_examples_and_every_global_option() {
    for flag in ["--help", "-h", "help"] {
        let output = outflank(&[flag]);
        let help = text(&output.stdout);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
        for word in [
            "Examples:",
            "Exit codes:",
            "nboard",
            "--rules",
            "--hash",
            "--threads",
            "--log",
            "--games-folder",
        ] {
            assert!(help.contains(word), "{flag}: {word} is missing in\n{help}");
        }
    }
}

#[test]
fn version_tells_commit_evaluation_and_processor() {
    let output = outflank(&["--version"]);
    assert_eq!(output.status.code(), Some(0));
    let version = text(&output.stdout);
    assert!(
        version.starts_with(concat!("outflank ", env!("CARGO_PKG_VERSION"), "\n")),
        "{version}"
    );
    for word in ["\ncommit: ", "\nevaluation: ", "\ncpu: "] {
        assert!(version.contains(word), "{version}");
    }
    let short = outflank(&["-V"]);
    assert_eq!(text(&short.stdout).lines().count(), 1);
}

#[test]
fn wrong_usage_is_2() {
    for arguments in [
        &["--hash", "much"][..],
        &["--rules", "chess"],
        &["--nonsense"],
        &["nonsense"],
    ] {
        let output = outflank(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            text(&output.stderr).contains(arguments[arguments.len() - 1]),
            "{arguments:?} is named"
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn rules_are_refused_where_they_mean_nothing() {
    for arguments in [
        &["bench"][..],
        &["replay", "games.wtb"],
        &["verify"],
        &[
            "eval",
            "---------------------------OX------XO--------------------------- X",
        ],
        &["selfplay", "games"],
        &["comply", "--gtp", "--", "engine"],
        &["match", "report", "journal"],
        &["rate", "report", "journal"],
    ] {
        let output = outflank(&[&["--rules", "free"], arguments].concat());
        let error = text(&output.stderr);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(2), 0),
            "{arguments:?}: {error}"
        );
        assert!(error.contains("--rules free"), "{arguments:?}: {error}");
    }
    assert_eq!(
        outflank(&["--rules", "free", "perft", "2"]).status.code(),
        Some(0)
    );
}

#[test]
fn who_wins_is_said_in_words() {
    let file = scratch(
        "wld.obf",
        b"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;",
    );
    for (arguments, word) in [
        (&["solve", &file][..], " +18 "),
        (&["solve", &file, "--wld"], " win "),
    ] {
        let output = outflank(arguments);
        let line = text(&output.stdout).lines().next().unwrap();
        assert!(line.contains(word) && line.ends_with(" ok"), "{line}");
    }
}

#[test]
fn options_that_contradict_each_other_are_wrong_usage() {
    for (line, error) in [
        ("verify --from 12 --to 3", "--from 12 is above --to 3"),
        ("calibrate a b --from 12 --to 8", "--from 12 is not below --to 8"),
        ("match", "at least two engines, not 0"),
        ("match --engine outflank", "at least two engines, not 1"),
        (
            "match --engine random --engine greedy --pace-of nobody=1",
            "no engine 'nobody'",
        ),
        ("match --engine random --engine greedy --sprt 5,0", "elo0 < elo1"),
        ("match report none.jsonl --sprt 5,0", "elo0 < elo1"),
        ("match plan 0,5 --sprt-errors 0.6,0.1", "alpha must lie between"),
        (
            "rate --engine random --engine greedy --anchor nobody=0",
            "no engine 'nobody'",
        ),
    ] {
        let output = outflank(&line.split(' ').collect::<Vec<_>>());
        let said = text(&output.stderr);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(2), 0),
            "{line}: {said}"
        );
        assert!(said.contains(error), "{line}: {said}");
    }
}

#[test]
#[cfg(unix)]
fn a_file_without_end_is_refused() {
    for arguments in [
        &["match", "--config", "/dev/zero"][..],
        &["match", "report", "/dev/zero"],
        &["ggs", "--config", "/dev/zero"],
    ] {
        let output = outflank(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains("/dev/zero"), "{arguments:?}");
    }
}

#[test]
fn training_overwrites_no_games() {
    let games = scratch("wrong-place.games", b"outflank games 1; test\n");
    let output = outflank(&["train", &games, &games]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("no file of weights"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(std::fs::read(&games).unwrap(), b"outflank games 1; test\n");
}

#[test]
fn a_checkpoint_of_another_fit_stops_training_before_it_begins() {
    let folder = format!("{}/training", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| format!("{folder}/{name}");
    let (games, weights, straight) = (path("games"), path("weights"), path("straight"));
    let run = |line: &str, files: &[&str]| {
        let output = outflank(&[&line.split(' ').collect::<Vec<_>>()[..], files].concat());
        (output.status.code(), text(&output.stderr).to_owned())
    };
    assert_eq!(
        run("selfplay --games 50 --depth 1 --exact 1", &[&games]).0,
        Some(0)
    );
    let train = "train --kind linear --width 8 --patterns a1b1c1 --tables 60,30 --epochs 1";
    let foreign = path("weights.checkpoint.1");
    std::fs::write(&foreign, "of another fit").unwrap();
    let (code, error) = run(train, &[&weights, &games]);
    assert_eq!(code, Some(1));
    assert!(
        error.contains(&foreign) && error.contains("another fit"),
        "{error}"
    );
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        2,
        "no checkpoint is written"
    );
    std::fs::remove_file(&foreign).unwrap();
    assert_eq!(run(train, &[&weights, &games]).0, Some(0));

    let calibrate = "calibrate --positions 100 --from 8 --to 9 --name straightened";
    let (code, error) = run(calibrate, &[&weights, &straight]);
    assert_eq!(code, Some(0), "{error}");
    let bytes = std::fs::read(&straight).unwrap();
    assert!(bytes.windows(12).any(|part| part == b"straightened"));
}

#[test]
fn what_is_no_journal_is_called_so() {
    let file = scratch("no-journal.obf", b"hello\n");
    let output = outflank(&["match", "report", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("line 1: this is no journal of a match"));
}

#[test]
fn matches_that_begin_in_the_same_second_have_a_journal_each() {
    let folder = format!("{}/same-second", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let line = "match --engine random --engine greedy --pairs 1 --no-openings --quiet";
    let matches: Vec<_> = (0..4)
        .map(|_| {
            Command::new(env!("CARGO_BIN_EXE_outflank"))
                .args(line.split(' '))
                .current_dir(&folder)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut one in matches {
        assert!(one.wait().unwrap().success());
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4);
}

#[test]
fn failure_is_1() {
    let output = outflank(&["--log", "/no/such/folder/log"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(
        error.starts_with("outflank: cannot log to '/no/such/folder/log': "),
        "{error}"
    );
}

#[test]
fn a_bad_line_of_a_file_of_positions_is_named() {
    let good = b"---------------------------OX------XO--------------------------- X";
    for (name, bad) in [("binary.obf", &b"\xff\xfe"[..]), ("words.obf", b"hello")] {
        let file = scratch(name, &[good, &b"\n\n"[..], bad].concat());
        for arguments in [&["solve", &file][..], &["suite", &file, "--depth", "1"]] {
            let output = outflank(arguments);
            let error = text(&output.stderr);
            assert_eq!(
                (output.status.code(), output.stdout.len()),
                (Some(1), 0),
                "{error}"
            );
            assert!(
                error.starts_with(&format!("outflank: {file}, line 3: ")),
                "{error}"
            );
        }
    }
}

#[test]
fn weights_that_are_not_there_are_named_before_anything_is_said() {
    let output = outflank(&["--eval", "/no/such/weights"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(text(&output.stderr).contains("/no/such/weights"));
}

#[test]
fn a_reader_that_went_away_ends_it_quietly() {
    let position = "---------------------------OX------XO--------------------------- X; F5:0;";
    let file = scratch("one.obf", position.as_bytes());
    for arguments in [
        &["show"][..],
        &["perft", "3"],
        &["eval", &position[..66]],
        &["suite", &file, "--depth", "1"],
        &["--version"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
    }
}

#[test]
fn no_input_is_fine() {
    for arguments in [&[][..], &["nboard"], &["--hash", "1", "nboard"]] {
        let output = outflank(arguments);
        assert_eq!(
            (output.status.code(), output.stdout.len(), output.stderr.len()),
            (Some(0), 0, 0),
            "{arguments:?}"
        );
    }
}

#[test]
fn logs_go_where_they_were_asked_to() {
    let output = outflank(&["--log", "debug", "nboard"]);
    assert!(output.stdout.is_empty());
    let file = std::env::temp_dir().join(format!("outflank-log-{}", std::process::id()));
    let output = outflank(&["--log", file.to_str().unwrap()]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    assert!(file.exists());
    std::fs::remove_file(file).unwrap();
}

#[test]
fn exact_results_agree_with_the_plain_ones() {
    let output = outflank(&["verify", "--positions", "120", "--from", "1", "--to", "11"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(
        text(&output.stdout).contains(" comparisons, 0 differences"),
        "{}",
        text(&output.stdout)
    );
}
