//! `outflank comply`: our own sessions pass, engines that misbehave do not.

use super::{Folder, expect, mock, run};

fn comply(folder: &Folder, protocol: &str, command: &str, think: &str) -> (String, i32) {
    let words = shlex::split(command).unwrap();
    let mut arguments = vec!["comply", protocol, "--think", think, "--answer", "20", "--"];
    arguments.extend(words.iter().map(String::as_str));
    let (output, code) = run(folder, &arguments);
    (String::from_utf8_lossy(&output.stdout).into_owned(), code)
}

#[test]
fn our_sessions_pass() {
    let folder = Folder::new("comply");
    for (protocol, arguments) in [
        ("--nboard", "nboard --hash 4"),
        ("--gtp", "gtp --hash 4 --move-time 0.1"),
    ] {
        let (text, code) = comply(&folder, protocol, &super::engine(arguments), "60");
        assert_eq!(code, 0, "{text}");
        assert!(text.ends_with(" 0 noted, 0 failed\n"), "{text}");
    }
}

#[test]
fn misdeeds_are_found() {
    let folder = Folder::new("comply-mock");
    for (protocol, behaviour, step) in [
        (
            "nboard",
            "illegal 0",
            "FAIL  answers go with a legal move: illegal move a1",
        ),
        ("nboard", "crash 0", "FAIL  answers go with a legal move: crash"),
        (
            "gtp",
            "illegal 0",
            "FAIL  plays given moves and finds legal ones: illegal move a1",
        ),
        (
            "gtp",
            "garbage 2",
            "FAIL  plays given moves and finds legal ones: '%&/ what?'",
        ),
    ] {
        let (text, code) = comply(
            &folder,
            &format!("--{protocol}"),
            &mock(&format!("{protocol} {behaviour}")),
            "3",
        );
        assert_eq!(code, 1, "{text}");
        assert!(text.contains(step), "{text}");
        // A dead engine does not take the later steps with it.
        assert!(text.contains("ok    ends on quit"), "{text}");
    }
    let text = expect(&folder, &["comply", "--help"], 0);
    assert!(text.contains("gtp-rhino"));
    assert_eq!(run(&folder, &["comply", "--gtp", "--", "./no/such/program"]).1, 1);
    let (output, code) = run(&folder, &["comply", "--", "x"]);
    let usage = String::from_utf8_lossy(&output.stderr);
    assert_eq!(code, 2, "{usage}");
    assert!(usage.contains("--nboard") && usage.contains("--gtp"), "{usage}");
}

#[test]
fn nothing_is_asked_of_an_engine_that_does_not_answer() {
    let folder = Folder::new("comply-dumb");
    // It speaks the other protocol.
    for (protocol, spoken, first) in [
        ("--nboard", "gtp", "starts and answers a ping"),
        ("--gtp", "nboard", "starts and says its protocol version"),
    ] {
        let words = shlex::split(&super::engine(spoken)).unwrap();
        let mut arguments = vec!["comply", protocol, "--start", "1", "--"];
        arguments.extend(words.iter().map(String::as_str));
        let (output, code) = run(&folder, &arguments);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(code, 1, "{text}");
        assert!(text.starts_with(&format!("FAIL  {first}: ")), "{text}");
        assert!(
            text.contains("; the other steps are not tried\n0 ok, 0 noted, 1 failed\n"),
            "{text}"
        );
    }
}
