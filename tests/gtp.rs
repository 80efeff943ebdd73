//! The shipped binary speaks GTP.

use std::io::Write;
use std::process::{Command, Stdio};

fn conversation(arguments: &[&str], lines: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args(["gtp", "--hash", "4"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A refused option ends the program before it reads.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_script_is_answered_to_its_end() {
    let (code, said, errors) = conversation(
        &["--depth", "3"],
        "boardsize 8\r\nclear_board\r\n1 genmove B\r\n2 final_score\r\n3 undo",
    );
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let answers: Vec<&str> = said.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), 5, "{said:?}");
    assert_eq!(answers[..2], ["=", "="]);
    assert!(
        ["=1 D3", "=1 C4", "=1 F5", "=1 E6"].contains(&answers[2]),
        "{said:?}"
    );
    assert_eq!(answers[3..], ["?2 cannot score", "=3"]);
}

#[test]
fn limits_and_rules_come_from_the_command_line() {
    let rules = ["--rules", "classic", "--nodes", "1000"];
    let (code, said, _) = conversation(&rules, "gogui-rules_game_id\ngenmove b\nquit\nname\n");
    assert_eq!(code, Some(0));
    assert!(said.starts_with("= classic\n\n= "), "{said:?}");
    assert!(said.ends_with("\n\n=\n\n"), "{said:?}");
    for bad in [
        ["--move-time", "0"],
        ["--move-time", "x"],
        ["--depth", "0"],
        ["--nodes", "0"],
    ] {
        let (code, said, errors) = conversation(&bad, "name\n");
        assert_eq!((code, said.as_str()), (Some(2), ""), "{bad:?}");
        assert!(errors.contains(bad[0]), "{errors}");
    }
}
