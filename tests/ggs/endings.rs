//! Matches that begin or end otherwise than agreed.

use crate::safety::{BOARD, feed, playing};
use outflank::session::ggs::{Action, Client, Config, Input, Mode, Secret};
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
