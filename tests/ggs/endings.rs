//! Matches that begin or end otherwise than agreed.

use crate::safety::{BOARD, feed, playing};
use outflank::session::ggs::{Action, Client, Config, Input, Mode, Secret, Verdict};
use outflank_protocol::ggf;
use std::time::Duration;

const NOW: Duration = Duration::ZERO;

/// A match without a move; Black is to move.
fn joined(id: &str, black: &str, white: &str) -> String {
    format!(
        "\n/os: join {id} K?\n|0 move(s)\n|  0: PASS\n\
         |{black} (1720.0 *) 04:59,0:0//02:00,0:0\n|{white} (1720.0 O) 05:00,0:0//02:00,0:0\n{BOARD}"
    )
}

/// Its first move, d3.
fn moved(id: &str, black: &str, white: &str) -> String {
    let board = BOARD
        .replace("3 - - - - - - - - 3", "3 - - - * - - - - 3")
        .replace("4 - - - O *", "4 - - - * *")
        .replace("* to move", "O to move");
    format!(
        "\n/os: update {id} K?\n|  1: d3//0.41\n\
         |{black} (1720.0 *) 04:58,1:0//02:00,0:0\n|{white} (1720.0 O) 05:00,0:0//02:00,0:0\n{board}"
    )
}

fn say(client: &mut Client, text: &str) -> Vec<Action> {
    feed(client, NOW, text.as_bytes())
}

fn saved(actions: &[Action]) -> Vec<ggf::Match> {
    let saved = actions.iter().filter_map(|action| match action {
        Action::Save(found) => Some(found.clone()),
        _ => None,
    });
    saved.collect()
}

/// A client that watches a match of two others.
fn watching() -> Client {
    let text = "server = 'nowhere:1'\nlogin = 'outflank'\ngames = 'games.ggf'\n";
    let config = Config::parse("test", text).unwrap();
    let mut client = Client::new(config, Secret::new("x").unwrap(), Mode::Observe, false);
    client.handle(NOW, Input::Tick);
    client.handle(NOW, Input::Connected);
    say(&mut client, ": Enter login\n: Enter your password.\nREADY\n");
    say(
        &mut client,
        "\n/os: + match .7 1720.0 carl 1720.0 bob 8b U\nREADY\n",
    );
    say(&mut client, &joined(".7 8b", "carl", "bob"));
    client
}

/// What the server says of a match that ends in the middle of its game, and what the record says.
#[test]
fn the_record_says_what_is_known_of_the_end() {
    for (said, result) in [
        ("/os: - match .7 PLAYERS 8b U +2.00", "+2"),
        ("/os: - match .7 PLAYERS 8b U -64.00", "-64:r"),
        ("/os: - match .7 PLAYERS 8b U aborted", "?"),
        ("/os: - match .7 PLAYERS 8b U bob left", "?:l"),
        ("/os: - match .7 PLAYERS 8b R bob left .1402", "?:l"),
        (
            "/os: fatal-timeout .7 FIRST (*)\nREADY\n\n/os: - match .7 PLAYERS 8b U -64.00",
            "-64:t",
        ),
        (
            "/os: score .7 bob is offering\nREADY\n\n/os: - match .7 PLAYERS 8b U +2.00",
            "+2:s",
        ),
        (
            "/os: abort .7 bob is asking\nREADY\n\n/os: - match .7 PLAYERS 8b U aborted",
            "?",
        ),
    ] {
        for (mut client, first) in [(playing().0, "outflank"), (watching(), "carl")] {
            say(&mut client, &moved(".7 8b", first, "bob"));
            let players = format!("1720.0 {first} 1720.0 bob");
            let said = said.replace("PLAYERS", &players).replace("FIRST", first);
            let actions = say(&mut client, &format!("\n{said}\nREADY\n"));
            let saved = saved(&actions);
            assert_eq!(saved.len(), 1, "{said}");
            let text = saved[0].to_string();
            assert!(text.contains(&format!("RE[{result}]")), "{said}: {text}");
        }
    }
}

/// Each has an engine of its own, as far as that goes; none is left alone.
#[test]
fn matches_that_nobody_agreed_to_are_played() {
    let (mut client, _) = playing();
    let mut slots = Vec::new();
    for number in 8..20 {
        let start = format!("\n/os: + match .{number} 1720.0 outflank 1720.0 bob 8b T\nREADY\n");
        assert_eq!(say(&mut client, &start), []);
        let actions = say(&mut client, &joined(&format!(".{number} 8b"), "outflank", "bob"));
        let [Action::Think { slot, .. }] = actions[..] else {
            panic!("{actions:?}")
        };
        slots.push(slot);
    }
    assert_eq!(slots, [1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3]);
    assert_eq!(client.playing(), 13);
    // No request finds room.
    let request = "\n/os: + .2 1720.0 carl 05:00//02:00 8 U 1720.0 outflank\nREADY\n";
    let actions = say(&mut client, request);
    assert!(format!("{actions:?}").contains("decline .2"), "{actions:?}");
    // An engine rests when its last match has ended.
    for (number, rests) in [(7, false), (16, true), (12, true)] {
        let end = format!("\n/os: - match .{number} 1720.0 outflank 1720.0 bob 8b T aborted\nREADY\n");
        let actions = say(&mut client, &end);
        let rested = actions.iter().any(|action| matches!(action, Action::Rest { .. }));
        assert_eq!(rested, rests, "{number}: {actions:?}");
    }
    // The engine of the first slot is free again, and is the one to use.
    say(
        &mut client,
        "\n/os: + match .7 1720.0 outflank 1720.0 bob 8b T\nREADY\n",
    );
    let actions = say(&mut client, &joined(".7 8b", "outflank", "bob"));
    assert!(
        matches!(actions[..], [Action::Think { slot: 0, .. }]),
        "{actions:?}"
    );
}

/// It is adjourned at once, in place of a loss on time, and not asked for again.
#[test]
fn a_match_that_cannot_be_played_is_broken_off() {
    for kind in ["8a", "10", "s88r20"] {
        let (mut client, _) = playing();
        let start = format!("\n/os: + match .8 1720.0 outflank 1720.0 bob {kind} R\nREADY\n");
        let actions = say(&mut client, &start);
        assert_eq!(format!("{actions:?}"), "[Send(tell /os break .8)]", "{kind}");
        let end =
            format!("\n/os: - match .8 1720.0 outflank 1720.0 bob {kind} R outflank left .1402\nREADY\n");
        say(&mut client, &end);
        let end = "\n/os: - match .7 1720.0 outflank 1720.0 bob 8b U aborted\nREADY\n";
        say(&mut client, end);
        let mut later = NOW;
        for _ in 0..10 {
            later += Duration::from_secs(100);
            feed(&mut client, later, b"READY\n");
            let actions = client.handle(later, Input::Tick);
            assert!(
                !format!("{actions:?}").contains("continue"),
                "{kind}: {actions:?}"
            );
        }
    }
}

/// Not a move is sent in it, however its type became known.
#[test]
fn a_board_of_a_type_that_is_not_played_gets_no_move() {
    let start = |kind: &str| format!("\n/os: + match .8 1720.0 outflank 1720.0 bob {kind} T\nREADY\n");
    let board = |kind: &str| joined(&format!(".8 {kind}"), "outflank", "bob");
    for stream in [
        board("8a"),
        start("8a") + &board("8a"),
        start("8") + &board("8a"),
        start("8a") + &board("8"),
        board("8a") + &start("8a") + &board("8a"),
    ] {
        let (mut client, _) = playing();
        let actions = format!("{:?}", say(&mut client, &stream));
        assert_eq!(actions.matches("break .8").count(), 1, "{stream}: {actions}");
        assert!(
            !actions.contains("Think") && !actions.contains("play"),
            "{stream}: {actions}"
        );
    }
    // What is being thought about already is not sent.
    let (mut client, _) = playing();
    let actions = say(&mut client, &(start("8") + &board("8")));
    let [Action::Think { token, .. }] = actions[..] else {
        panic!("{actions:?}")
    };
    say(&mut client, &board("8a"));
    let verdict = Verdict {
        best: None,
        discs: 0.0,
        exact: false,
    };
    assert_eq!(client.handle(NOW, Input::Thought(token, verdict)), []);
}

/// They are asked for at growing intervals, and the match is adjourned in place of a loss on time.
#[test]
fn boards_that_do_not_come_are_asked_for() {
    let (mut client, _) = playing();
    let start = "\n/os: + match .8 1720.0 outflank 1720.0 bob s8 R\nREADY\n";
    let bad = joined(".8.0 s8", "outflank", "bob").replace("04:59", "nan");
    say(&mut client, start);
    assert_eq!(say(&mut client, &bad), []);
    let (mut asked, mut broken) = (Vec::new(), Vec::new());
    for second in 1..100 {
        let now = Duration::from_secs(second);
        let actions = format!("{:?}", client.handle(now, Input::Tick));
        if actions.contains("moves .8)") {
            asked.push(second);
            assert_eq!(feed(&mut client, now, bad.as_bytes()), []);
        }
        if actions.contains("break .8)") {
            broken.push(second);
        }
    }
    assert_eq!((asked, broken), (vec![3, 9, 21, 45, 93], vec![45]));
    let end = "\n/os: - match .8 1720.0 outflank 1720.0 bob s8 R outflank left .1402\nREADY\n";
    feed(&mut client, Duration::from_secs(100), end.as_bytes());
    assert_eq!(client.playing(), 1);
}

/// A move of the opponent that cannot be read: the clock that runs is ours.
#[test]
fn a_move_that_cannot_be_read_is_asked_for_at_once() {
    let (mut client, _) = playing();
    say(&mut client, &joined(".7 8b", "bob", "outflank"));
    let bad = moved(".7 8b", "bob", "outflank").replace("04:58,1:0", "04:58,-1:0");
    assert_eq!(
        format!("{:?}", say(&mut client, &bad)),
        "[Send(tell /os moves .7)]"
    );
    // But not again and again.
    assert_eq!(say(&mut client, &bad), []);
}

/// Nobody says whether a score counts the komi.
#[test]
fn no_score_is_offered_in_komi_games() {
    for (kind, offers) in [("8", 1), ("8kr4", 0)] {
        let (mut client, _) = playing();
        say(
            &mut client,
            &format!("\n/os: + match .8 1720.0 outflank 1720.0 bob {kind} T\nREADY\n"),
        );
        let board = joined(&format!(".8 {kind}"), "outflank", "bob").replace("K?", "K+10.000");
        let actions = say(&mut client, &board);
        let [Action::Think { token, position, .. }] = actions[..] else {
            panic!("{actions:?}")
        };
        let verdict = Verdict {
            best: position.moves().iter().next(),
            discs: 8.0,
            exact: true,
        };
        client.handle(NOW, Input::Thought(token, verdict));
        let actions = say(&mut client, "\n/os: score .8 bob is offering\nREADY\n");
        assert_eq!(
            format!("{actions:?}").matches("score .8").count(),
            offers,
            "{kind}"
        );
    }
}
