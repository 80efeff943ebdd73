//! `outflank show` and `outflank perft`, as a user runs them.

use std::process::{Command, Output};

fn outflank(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args(arguments)
        .output()
        .unwrap()
}

/// What a successful run prints.
fn printed(arguments: &[&str]) -> String {
    let output = outflank(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and error text of a run that fails.
fn refused(arguments: &[&str]) -> (i32, String) {
    let output = outflank(arguments);
    assert_eq!(output.stdout, b"", "{arguments:?}");
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

const START: &str = "---------------------------OX------XO--------------------------- X";
const BLACK_MUST_PASS: &str = "OX-------------------------------------------------------------- X";

#[test]
fn show_a_position() {
    let expected = "  a b c d e f g h
1 - - - - - - - -
2 - - - - - - - -
3 - - - + - - - -
4 - - + O X - - -
5 - - - X O + - -
6 - - - - + - - -
7 - - - - - - - -
8 - - - - - - - -
position: ---------------------------OX------XO--------------------------- X
rules:    othello
discs:    X 2, O 2, empty 60
so far:   2-2 (discs)
          32-32 (tournament)
to move:  X (Black): d3 c4 f5 e6
";
    assert_eq!(printed(&["show", START]), expected);
    assert_eq!(printed(&["show"]), expected);
    assert!(printed(&["show", BLACK_MUST_PASS]).ends_with("to move:  X (Black) must pass\n"));
}

#[test]
fn show_a_finished_game() {
    let moves = printed(&["show", "e6 f4 e3 f6 g5 d6 e7 f5 c5"]);
    assert!(
        moves.ends_with(
            "played:   e6f4e3f6g5d6e7f5c5
rules:    othello
discs:    X 13, O 0, empty 51
score:    13-0 for X (Black) (discs)
          64-0 for X (Black) (tournament)
to move:  nobody, the game is over
"
        ),
        "{moves}"
    );
    let ggf = "(;GM[Othello]TY[8]B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5];)";
    assert_eq!(printed(&["show", ggf]), moves);
    assert_eq!(
        printed(&["show", &format!("{ggf} {ggf}")]),
        format!("{moves}\n{moves}")
    );
}

#[test]
fn show_the_other_rule_sets() {
    let classic = printed(&["show", "d4d5e4", "--rules", "classic"]);
    assert!(classic.contains("in hand:  X 30, O 31\n"), "{classic}");
    assert!(classic.ends_with("to move:  O (White): e5\n"), "{classic}");
    let hand = printed(&["show", START, "--rules", "classic", "--hand", "X=0,O=1"]);
    assert!(hand.contains("in hand:  X 0, O 1\n"), "{hand}");
    assert!(hand.ends_with("to move:  X (Black) must pass\n"), "{hand}");
    let free = printed(&["--rules", "free,pass=allowed", "show"]);
    assert!(
        free.ends_with("to move:  X (Black): c3 d3 e3 f3 c4 f4 c5 f5 c6 d6 e6 f6 pa\n"),
        "{free}"
    );
    let over = printed(&["--rules", "free,pass=allowed", "show", "pa pa"]);
    assert!(over.ends_with("nobody, the game is over\n"), "{over}");
}

#[test]
fn show_says_what_it_cannot_read() {
    for (text, error) in [
        (
            "XX",
            "outflank: the position: column 3: the board has 2 squares, not 64\n",
        ),
        (
            "f5d9",
            "outflank: the moves: column 3: 'd9' is not a move a1..h8 or a pass\n",
        ),
        (
            "f5a1",
            "outflank: move 2: illegal move a1: it outflanks nothing\n",
        ),
        (
            "(;GM[Othello]TY[8]B[f5]W[f5];)",
            "outflank: move 2: illegal move f5: the square is occupied\n",
        ),
        (
            "(;GM[Othello]",
            "outflank: line 1, column 1: the game is not closed",
        ),
    ] {
        let (code, message) = refused(&["show", text]);
        assert_eq!(code, 1, "{text}");
        assert!(message.starts_with(error), "{text}: {message}");
    }
}

#[test]
fn perft_prints_nodes_ended_and_convention() {
    assert_eq!(
        printed(&["perft", "6"]),
        "rules: othello
depth: 6
total: 8200
nodes: 8200 (at exactly this ply)
ended: 0 (games over before it)
passes: a pass is one ply, forced or free; ended games are counted apart
"
    );
    let divided = printed(&["perft", "10", "--divide"]);
    assert!(
        divided.starts_with(
            "d3: 6142764 nodes, 57 ended
c4: 6142764 nodes, 57 ended
f5: 6142764 nodes, 57 ended
e6: 6142764 nodes, 57 ended
rules: othello
depth: 10
total: 24571284
nodes: 24571056 (at exactly this ply)
ended: 228 (games over before it)
"
        ),
        "{divided}"
    );
}

#[test]
fn perft_of_a_position_and_of_discs_in_hand() {
    let pass = printed(&["perft", "1", "--divide", "--position", BLACK_MUST_PASS]);
    assert!(
        pass.starts_with("pa: 1 nodes, 0 ended\nrules: othello\n"),
        "{pass}"
    );
    // Each side plays its one disc, then neither can play.
    let arguments = [
        "perft",
        "3",
        "--rules",
        "classic",
        "--position",
        START,
        "--hand",
        "X=1,O=1",
    ];
    let classic = printed(&arguments);
    assert!(classic.contains("nodes: 0 ("), "{classic}");
    assert!(classic.contains("ended: 12 ("), "{classic}");
    let start = printed(&["perft", "4", "--rules", "classic"]);
    assert!(start.contains("nodes: 24 ("), "{start}");
}

#[test]
fn wrong_usage_is_exit_code_2() {
    for (arguments, error) in [
        (&["perft"][..], "<DEPTH>"),
        (&["perft", "-1"], "'-1'"),
        (
            &["perft", "5", "--position", "xx"],
            "column 3: the board has 2 squares, not 64",
        ),
        (
            &["perft", "5", "--hand", "X=3"],
            "--hand is for the rules classic, not for othello",
        ),
        (
            &["perft", "5", "--rules", "classic", "--hand", "X=99"],
            "'99' is not a number of discs, 0 to 32",
        ),
        (&["perft", "5", "--rules", "chess"], "unknown rule set 'chess'"),
        (
            &["show", "--hand", "O=1"],
            "--hand is for the rules classic, not for othello",
        ),
    ] {
        let (code, message) = refused(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(message.contains(error), "{arguments:?}: {message}");
    }
}
