//! The dialogues of NBoard and of the other programs that drive engines, as recorded or read in their sources, with the
//! shipped binary. The numbers are those of the protocol notes.

mod common {
    pub mod nboard;
}

use common::nboard::{Conversation, chosen, hinted};

const START: &str = "---------------------------O*------*O--------------------------- *";
const MUST_PASS: &str = "O*-------------------------------------------------------------- *";

/// `set game` as NBoard writes it, with these moves.
fn game(board: &str, moves: &str) -> String {
    format!(
        "set game (;GM[Othello]PC[NBoard]DT[2026-11-29 20:07:26 GMT]PB[]PW[]RE[?]TI[5:00]TY[8]BO[8 {board}]{moves};)"
    )
}

/// An engine that was greeted and has the start position at depth 4.
fn greeted() -> Conversation {
    let mut engine = Conversation::start(&[]);
    engine.say(&["nboard 2", &game(START, ""), "set depth 4"]);
    assert_eq!(engine.ping(1), ["set myname Outflank", "pong 1"]);
    engine
}

fn is_fine(engine: Conversation) {
    let (status, _, errors) = engine.end();
    assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
}

/// Every line of a hint is one of the words that NBoard reads.
fn is_understood(lines: &[String]) {
    for line in lines {
        line.parse::<outflank_protocol::nboard::Reply>()
            .unwrap_or_else(|error| panic!("{line}: {error}"));
    }
}

#[test]
fn dialogue_1_start() {
    let mut engine = Conversation::start(&[]);
    engine.say(&["nboard 2", &game(START, ""), "set depth 12", "ping 1", "hint 4"]);
    assert_eq!(engine.pong(1), ["set myname Outflank", "pong 1"]);
    let lines = engine.hints("set depth 12");
    assert_eq!(lines[0], "status Analyzing");
    assert_eq!(hinted(&lines), ["C4", "D3", "E6", "F5"]);
    assert!(lines.iter().any(|line| line.starts_with("nodestats ")));
    is_understood(&lines);
    is_fine(engine);
}

#[test]
fn dialogue_2_engine_to_move() {
    let mut engine = greeted();
    engine.say(&["move F5//4.355", "set depth 4", "ping 4"]);
    engine.pong(4);
    let (lines, mv) = engine.go();
    assert_eq!(lines[0], "status Thinking");
    assert!(lines[lines.len() - 2].starts_with("nodestats "));
    assert!(["D6", "F4", "F6"].contains(&mv.as_str()), "{mv}");
    is_understood(&lines);
    // The engine has not played its move itself.
    let reply = lines.last().unwrap().strip_prefix("=== ").unwrap().to_owned();
    engine.say(&[&format!("move {reply}"), "set depth 3", "ping 5"]);
    engine.pong(5);
    let lines = engine.hints("hint 4");
    assert!(!lines.iter().any(|line| line.contains("illegal")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("search ")));
    is_fine(engine);
}

#[test]
fn dialogue_3_double_ask() {
    let mut engine = greeted();
    engine.say(&[
        "set depth 60",
        "ping 2",
        "hint 4",
        "ping 3",
        "hint 4",
        "set game x",
        "ping 4",
    ]);
    engine.pong(2);
    // Whatever stands between the pongs is about the first question.
    engine.pong(3);
    engine.pong(4);
    engine.say(&["set depth 3"]);
    assert_eq!(hinted(&engine.hints("hint 4")), ["C4", "D3", "E6", "F5"]);
    is_fine(engine);
}

#[test]
fn dialogue_4_interrupted_go() {
    let mut engine = greeted();
    engine.say(&["set depth 40", "move F5", "ping 14", "go"]);
    engine.pong(14);
    engine.until("search");
    engine.say(&["ping 15"]);
    let between = engine.pong(15);
    // What the search had found by then; after the pong it would be played.
    let answer = &between[between.len() - 2];
    assert!(["D6", "F4", "F6"].contains(&chosen(answer).as_str()), "{answer}");
    engine.say(&["set depth 4"]);
    let (_, mv) = engine.go();
    assert!(["D6", "F4", "F6"].contains(&mv.as_str()), "{mv}");
    is_fine(engine);
}

#[test]
fn nothing_stale_follows_a_pong() {
    let mut engine = greeted();
    // No move is legal in both positions.
    let first = ["C4", "D3", "E6", "F5"];
    let second = ["C5", "D6", "E3", "F4"];
    let white = START.replace(" *", " O");
    for number in 10..60 {
        let (board, wanted) = if number % 2 == 0 {
            (START, first)
        } else {
            (white.as_str(), second)
        };
        engine.say(&["set depth 60", &game(board, ""), &format!("ping {number}")]);
        engine.pong(number);
        engine.say(&[if number % 3 == 0 { "go" } else { "hint 64" }]);
        assert!(engine.hear().starts_with("status "));
        for _ in 0..number % 7 {
            let line = engine.hear();
            assert!(
                line.starts_with("nodestats") || wanted.contains(&&line[7..9]),
                "after pong {number}: {line}"
            );
        }
    }
    engine.say(&["quit"]);
    is_fine(engine);
}

#[test]
fn dialogue_5_must_pass() {
    let mut engine = greeted();
    engine.say(&[&game(MUST_PASS, ""), "ping 5"]);
    engine.pong(5);
    assert_eq!(engine.go().1, "PA");
    engine.say(&[&game(MUST_PASS, "B[PA/1.23/0.3]"), "ping 6"]);
    engine.pong(6);
    assert_eq!(engine.go().1, "C1");
    is_fine(engine);
}

#[test]
fn dialogue_6_hint_on_a_pass() {
    let mut engine = greeted();
    engine.say(&[&game(MUST_PASS, ""), "ping 4"]);
    engine.pong(4);
    let lines = engine.hints("hint 4");
    assert_eq!(hinted(&lines), ["PA"]);
    is_understood(&lines);
    is_fine(engine);
}

#[test]
fn dialogue_7_the_user_passes() {
    for pass in ["move PA//1.23".to_owned(), game(MUST_PASS, "B[PA//1.23]")] {
        let mut engine = greeted();
        engine.say(&[&game(MUST_PASS, ""), &pass]);
        assert_eq!(engine.ping(2), ["pong 2"]);
        assert_eq!(hinted(&engine.hints("hint 4")), ["C1"]);
        is_fine(engine);
    }
}

#[test]
fn dialogue_8_undo() {
    let mut engine = greeted();
    engine.say(&[&game(START, "B[F5//4.355]W[D6]")]);
    engine.say(&[&game(START, "B[F5//4.355]"), "ping 8"]);
    engine.pong(8);
    assert_eq!(hinted(&engine.hints("hint 4")), ["D6", "F4", "F6"]);
    is_fine(engine);
}

#[test]
fn dialogue_9_analysis() {
    let mut engine = greeted();
    engine.say(&["move F5//2", "move F4/1.23/0.3", "ping 10"]);
    engine.pong(10);
    let lines = engine.hints("analyze");
    let plies: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("analysis "))
        .map(|line| &line[9..10])
        .collect();
    assert_eq!(plies, ["0", "1", "2"]);
    is_understood(&lines);
    is_fine(engine);
}

#[test]
fn analysis_of_a_finished_game() {
    let mut engine = greeted();
    let wipe_out = "F5D6C5F4E3F6G5E6E7"; // 13-0 for Black after nine moves.
    for at in (0..wipe_out.len()).step_by(2) {
        engine.say(&[&format!("move {}", &wipe_out[at..at + 2])]);
    }
    let lines = engine.hints("analyze");
    let values: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("analysis "))
        .collect();
    assert_eq!(values.len(), 10);
    assert_eq!(values[8], "analysis 8 64", "Black to make the last move");
    assert_eq!(values[9], "analysis 9 -64", "for White, who cannot move any more");
    is_fine(engine);
}

#[test]
fn dialogue_10_learn() {
    let mut engine = greeted();
    engine.say(&["set depth 4", "ping 11"]);
    engine.pong(11);
    engine.say(&["learn"]);
    assert_eq!(engine.hear(), "learned");
    is_fine(engine);
}

#[test]
fn learnt_games_are_kept() {
    let folder = std::env::temp_dir().join(format!("outflank-learn-{}", std::process::id()));
    let mut engine = Conversation::start(&["--games-folder", folder.to_str().unwrap()]);
    for moves in ["B[F5//4.5]W[D6/1/0.5]", "B[D3]"] {
        engine.say(&[&game(START, moves), "move C3", "learn"]);
        assert_eq!(engine.hear(), "learned");
    }
    engine.say(&["set rules classic", "learn"]);
    assert_eq!(engine.hear(), "status only games of the standard rules are kept");
    is_fine(engine);
    let kept = std::fs::read_to_string(folder.join("games.ggf")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    let games: Vec<outflank_protocol::ggf::Game> = kept.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].moves.len(), 3);
    assert_eq!(games[0].moves[0].played.seconds, Some(4.5));
}

#[test]
fn dialogue_11_contempt() {
    let mut engine = greeted();
    engine.say(&["set contempt 100", "set depth 3", "ping 12"]);
    assert_eq!(engine.pong(12), ["pong 12"]);
    assert_eq!(hinted(&engine.hints("hint 64")), ["C4", "D3", "E6", "F5"]);
    is_fine(engine);
}

#[test]
fn dialogue_12_new_game() {
    let mut engine = greeted();
    engine.say(&[
        &game(START, "B[F5]W[D6]B[C3]"),
        "ping 12",
        &game(START, ""),
        "ping 13",
    ]);
    engine.pong(12);
    engine.pong(13);
    assert_eq!(hinted(&engine.hints("hint 64")), ["C4", "D3", "E6", "F5"]);
    is_fine(engine);
}

#[test]
fn dialogue_13_solved() {
    let mut engine = greeted();
    // One empty square, h8, and Black's move there turns g8 and f8.
    let board = format!("{}OO- *", "*".repeat(61));
    engine.say(&[&game(&board, ""), "set depth 4"]);
    let lines = engine.hints("hint 4");
    let deepest = lines.iter().rfind(|line| line.starts_with("search ")).unwrap();
    assert!(deepest.starts_with("search H8"), "{deepest}");
    assert!(deepest.ends_with(" 0 100%"), "{deepest}");
    is_fine(engine);
}

#[test]
fn dialogue_15_unknown() {
    let mut engine = greeted();
    engine.say(&["foo bar", "set foo 3", "clear", "", "   "]);
    assert_eq!(engine.ping(2), ["pong 2"]);
    is_fine(engine);
}

#[test]
fn dialogue_16_idle_ping() {
    let mut engine = Conversation::start(&[]);
    assert_eq!(engine.ping(7), ["pong 7"]);
    assert_eq!(engine.ping(1), ["pong 1"], "numbers need not rise");
    is_fine(engine);
}

#[test]
fn dialogue_17_novello_tournament() {
    let mut engine = Conversation::start(&[]);
    assert_eq!(engine.ping(1), ["pong 1"]);
    engine.say(&[
        &format!("set game (;GM[Othello]PC[here]PB[me]PW[you]RE[?]TB[0:05]TW[0:05]TY[8r4]BO[8 {START}];)"),
        "set depth 6",
    ]);
    assert!(["C4", "D3", "E6", "F5"].contains(&engine.go().1.as_str()));
    engine.say(&["clear"]);
    assert_eq!(engine.ping(2), ["pong 2"]);
    is_fine(engine);
}

#[test]
fn dialogue_18_our_reply_comes_back_in_other_words() {
    let mut engine = greeted();
    // NBoard's form, and that of a driver that sends a blank-separated reply back as it is.
    engine.say(&["move F5", "move D6/-1.00/0.3", "move c3 -1.00 0.3", "ping 2"]);
    assert_eq!(engine.pong(2), ["pong 2"]);
    is_fine(engine);
}

#[test]
fn dialogue_19_old_nboard() {
    let mut engine = Conversation::start(&[]);
    engine.say(&["nboard 1", "ping 1", "set depth 4", "ping 2", &game(START, "")]);
    assert_eq!(engine.pong(1), ["set myname Outflank", "pong 1"]);
    engine.pong(2);
    let lines = engine.hints("hint 2");
    assert_eq!(hinted(&lines).len(), 2);
    assert!(
        !lines.iter().any(|line| line.starts_with("nodestats")),
        "version 1 knows no nodestats"
    );
    is_fine(engine);
}

#[test]
fn dialogue_20_bare_move() {
    let mut engine = greeted();
    engine.say(&["F5", "D6/1.2/3"]);
    assert_eq!(engine.ping(2), ["pong 2"]);
    engine.say(&["move D6"]);
    assert_eq!(engine.hear(), "status illegal move d6: the square is occupied");
    is_fine(engine);
}

#[test]
fn dialogue_21_german_windows() {
    let mut engine = Conversation::start(&[]);
    engine.send(b"nboard 2\r\nmove D3/1,23/0.3\r\nping 2\r\nset depth 3\r\n");
    assert_eq!(engine.pong(2), ["set myname Outflank", "pong 2"]);
    assert_eq!(hinted(&engine.hints("hint 9\r")), ["C3", "C5", "E3"]);
    is_fine(engine);
}

#[test]
fn dialogue_22_xot() {
    let mut engine = greeted();
    engine.say(&[&game(START, "B[F5]W[F4]B[G3]W[E6]B[D6]W[C4]B[D7]W[G5]"), "ping 3"]);
    assert_eq!(engine.pong(3), ["pong 3"]);
    assert_eq!(hinted(&engine.hints("hint 4")).len(), 4);
    is_fine(engine);
}

#[test]
fn dialogue_23_blanks_in_the_board() {
    let mut engine = greeted();
    engine.say(&[
        "set game (;GM[Othello]PC[GGS/os]DT[2009.07.01_02:52:45.MDT]PB[edax]PW[Roxane]RB[2691.38]RW[2693.68]\
         TI[05:00//02:00]TY[s8r18]RE[?]BO[8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- *]\
         B[f1/-6.00/26.00];)",
        "ping 3",
    ]);
    assert_eq!(engine.pong(3), ["pong 3"]);
    assert!(!hinted(&engine.hints("hint 4")).is_empty());
    is_fine(engine);
}

#[test]
fn dialogue_24_the_window_is_closed() {
    is_fine(Conversation::start(&[]));
    is_fine(greeted());
}

/// 14 (a book) and 25 (another engine's output) are about what an engine may say.
#[test]
fn dialogues_14_and_25_replies_of_others() {
    for line in [
        "book F5d6C3 +0.00 17 26",
        "search G3       -1.65 0   1",
        "=== D6/-1.27/0.00",
        "status Thinking",
    ] {
        line.parse::<outflank_protocol::nboard::Reply>()
            .unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    assert_eq!(chosen("=== D6/-1.27/0.00"), "D6");
}

#[test]
fn the_end_of_the_input_waits_for_the_answers() {
    let mut engine = greeted();
    engine.say(&["go", "move F5", "set depth 3", "go", "move D6", "hint 2"]);
    let (status, lines, _) = engine.end();
    assert_eq!(status.code(), Some(0));
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("===")).count(),
        2,
        "{lines:#?}"
    );
    assert_eq!(lines.last().unwrap(), "status", "the hint was finished");
}

/// Takes its ten seconds.
#[test]
fn after_the_end_of_the_input_no_search_runs_for_ever() {
    let mut engine = greeted();
    engine.say(&["set depth 60", "go", "move F5", "hint 64"]);
    let (status, lines, _) = engine.end();
    assert_eq!(status.code(), Some(0));
    assert_eq!(lines.iter().filter(|line| line.starts_with("===")).count(), 1);
    assert_eq!(lines.last().unwrap(), "status");
}

#[test]
fn quit_does_not_wait() {
    let mut engine = greeted();
    engine.say(&["set depth 60", "go"]);
    engine.until("search");
    engine.say(&["quit"]);
    let (status, lines, _) = engine.end();
    assert_eq!(status.code(), Some(0));
    assert!(
        lines.last().unwrap().starts_with("==="),
        "with what it has: {lines:?}"
    );
}

#[test]
fn a_finished_game() {
    let mut engine = greeted();
    engine.say(&[&game(START, "B[F5]W[D6]B[C5]W[F4]B[E3]W[F6]B[G5]W[E6]B[E7]")]);
    let (lines, mv) = engine.go();
    assert_eq!((lines.len(), mv.as_str()), (1, "PA"));
    assert_eq!(engine.hear(), "status the game is over: Black won 64-0");
    engine.say(&["hint 4"]);
    assert_eq!(engine.hear(), "status the game is over: Black won 64-0");
    engine.say(&["move PA"]);
    assert_eq!(engine.hear(), "status illegal move pa: the game is over");
    is_fine(engine);
}

#[test]
fn refused_lines_change_nothing() {
    let mut engine = greeted();
    engine.say(&[&game(START, "B[F5]")]);
    for (line, complaint) in [
        ("move F5", "illegal move f5: the square is occupied"),
        ("move A1", "illegal move a1: it outflanks nothing"),
        (
            "move PA",
            "illegal move pa: White has a square to play on and may not pass",
        ),
        ("move Z9", "'move', column 6: 'Z9' is not a move a1..h8 or a pass"),
        ("move", "'move' lacks a move"),
        ("ping", "'ping' lacks a whole number"),
        (
            "set depth 0",
            "'set depth', column 11: '0' is not a number of at least 1",
        ),
        (
            "hint many",
            "'hint', column 6: 'many' is not a number of at least 1",
        ),
    ] {
        engine.say(&[line]);
        assert_eq!(engine.hear(), format!("status {complaint}"));
    }
    engine.say(&[&game(START, "B[F5]W[A1]")]);
    assert_eq!(
        engine.hear(),
        "status move 2 of the game: illegal move a1: it outflanks nothing"
    );
    engine.say(&["set game (;GM[Othello]TY[6]BO[6 --------------O*----*O-------------- *];)"]);
    assert_eq!(engine.hear(), "status board size 6 is not played here, only 8");
    engine.say(&["set rules chess"]);
    assert!(engine.hear().starts_with("status "));
    assert_eq!(hinted(&engine.hints("hint 9")), ["D6", "F4", "F6"]);
    is_fine(engine);
}

#[test]
fn the_other_rule_sets() {
    let mut engine = greeted();
    engine.say(&["set rules classic"]);
    assert_eq!(hinted(&engine.hints("hint 9")), ["D4", "D5", "E4", "E5"]);
    engine.say(&["set rules free"]);
    assert_eq!(hinted(&engine.hints("hint 64")).len(), 12);
    engine.say(&["move C3", "set rules othello"]);
    assert_eq!(hinted(&engine.hints("hint 64")), ["C4", "D3", "E6", "F5"]);
    is_fine(engine);

    let mut engine = Conversation::start(&["--rules", "classic"]);
    engine.say(&["set depth 2", "move D4", "move E5"]);
    assert_eq!(hinted(&engine.hints("hint 9")), ["D5", "E4"]);
    is_fine(engine);
}
