//! Passwords, strangers, observers, and bytes from anywhere.

use crate::ggs_server::Behaviour;
use crate::ggs_server::puppet::Puppet;
use crate::ggs_server::sim::Sim;
use crate::play::check_records;
use outflank::session::ggs::{Action, Client, Config, Input, Mode, Secret};
use outflank_protocol::ggs::{Assembler, Event};
use proptest::prelude::*;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const ACCEPT_ALL: &str = "[accept]\nmain = ['0:01', '60:00']\n";

#[test]
fn an_observer_never_plays() {
    let mut sim = Sim::new(Behaviour::default(), 1);
    let config = format!("[[offer]]\ntype = '8'\nclock = '5'\n{ACCEPT_ALL}global = true\n");
    let bot = sim.bot_in("watcher", &config, Mode::Observe);
    let carl = sim.puppet("carl9");
    let dora = sim.puppet("dora9");
    sim.until("login", MINUTE, |sim| {
        sim.server.is_online("watcher") && sim.server.room("carl9") && sim.server.room("dora9")
    });
    sim.run_for(MINUTE);
    sim.say(carl, &Puppet::ask("8", "1:00//2:00", "watcher"));
    sim.doll(dora).accepts = true;
    sim.say(carl, &Puppet::ask("s8r20", "1:00//2:00", "dora9"));
    sim.say(carl, &Puppet::ask("8kr16", "1:00//2:00", "dora9"));
    sim.until("both watched to their end", HOUR, |sim| {
        sim.get(bot).saved.len() == 2
    });
    check_records(&sim.get(bot).saved);
    for found in &sim.get(bot).saved {
        assert!(
            found
                .games
                .iter()
                .all(|game| game.result.discs.is_some() && game.moves.len() > 20)
        );
    }
    // An earlier session may have left the door open: it is shut before anything else.
    let first = sim.get(bot).sent.iter().find(|line| line.starts_with("tell /os"));
    assert_eq!(first.map(String::as_str), Some("tell /os open 0"));
    assert!(
        sim.get(bot)
            .sent
            .iter()
            .any(|line| line.trim_end() == "tell /os aform")
    );
    for line in &sim.get(bot).sent {
        let words: Vec<&str> = line.split(' ').collect();
        let plays = [
            "play", "ask", "accept", "continue", "score", "undo", "abort", "resign",
        ];
        assert!(!words.get(2).is_some_and(|word| plays.contains(word)), "{line}");
        assert!(!line.contains(" open ") || line.ends_with(" open 0"), "{line}");
    }
    assert_eq!(sim.get(bot).thinks, 0);
}

#[test]
fn the_password_is_sent_and_nothing_else() {
    let mut sim = Sim::new(Behaviour::default(), 2);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    sim.until("login", MINUTE, |sim| sim.server.room("outflank"));
    let bot = sim.get(bot);
    assert!(
        bot.sent.iter().all(|line| !line.contains("pass word")),
        "{:?}",
        bot.sent
    );
    assert!(bot.sent.iter().any(|line| line == "(password)"));
    assert!(!format!("{:?}", bot.client).contains("pass word"));
}

/// The start with Black to move, as the end of a `join`.
pub const BOARD: &str = "\
|
|   A B C D E F G H
| 1 - - - - - - - - 1 
| 2 - - - - - - - - 2 
| 3 - - - - - - - - 3 
| 4 - - - O * - - - 4 
| 5 - - - * O - - - 5 
| 6 - - - - - - - - 6 
| 7 - - - - - - - - 7 
| 8 - - - - - - - - 8 
|   A B C D E F G H
|
|* to move
READY
";

/// A client in a match in which it is to move, its moves sent.
pub fn playing() -> (Client, Duration) {
    let text = "server = 'nowhere:1'\nlogin = 'outflank'\ngames = 'games.ggf'\n";
    let config = Config::parse("test", text).unwrap();
    let mut client = Client::new(config, Secret::new("x").unwrap(), Mode::Play, true);
    client.handle(Duration::ZERO, Input::Tick);
    client.handle(Duration::ZERO, Input::Connected);
    let stream = format!(
        "\
: Enter login
: Enter your password.
READY

/os: + match .7 1720.0 outflank 1720.0 bob 8b U
READY

/os: join .7 8b K?
|0 move(s)
|  0: PASS
|outflank (1720.0 *) 04:59,0:0//02:00,0:0
|bob      (1720.0 O) 05:00,0:0//02:00,0:0
{BOARD}"
    );
    let actions = feed(&mut client, Duration::ZERO, stream.as_bytes());
    assert!(
        actions
            .iter()
            .any(|action| matches!(action, Action::Think { .. }))
    );
    (client, Duration::ZERO)
}

/// What the client does about these bytes.
pub fn feed(client: &mut Client, now: Duration, bytes: &[u8]) -> Vec<Action> {
    let mut assembler = Assembler::default();
    let mut events = Vec::new();
    assembler.push(bytes, |message| events.push(Event::parse(message)));
    let events = events
        .into_iter()
        .flat_map(|event| client.handle(now, Input::Event(Box::new(event))));
    events.collect()
}

#[test]
fn what_strangers_say_does_nothing() {
    for line in [
        "READY: READY",
        "ALERT: ALERT",
        "bob: /os: - match .7 1720.0 outflank 1720.0 bob 8b U bob left",
        "bob: READY\n|/os: error .7 illegal move\n|READY",
        "bob: : - /os 1",
        "bob: : Enter login",
        "|bob: |* to move",
        ".chan /os:: update .7 8b K?",
        "_team :: : - /os 1",
        "/os:: ERR match '.7' not found.",
        "/os: .7 A 1720.0 bob: error .7 corrupt move",
        "/os: .7 P 1720.0 bob: - match .7\n|READY\n|: - /os 1",
        "/os: .7 A 1720.0 match: watch .7",
        "/os: + match watch .7",
        "/os: - match watch .7",
        "/os: abort .7 carl is asking",
        "/os: undo .7 carl is asking",
        "/os: - match .7 1720.0 carl 1720.0 bob 8b U +64.00",
        "/os: + .9 1720.0 carl 05:00//02:00 8 U 1720.0 dora",
        "/os: timeout .9 outflank (*)",
        "outflank: play f5",
    ] {
        let (mut client, now) = playing();
        let actions = feed(&mut client, now, format!("\n{line}\nREADY\n").as_bytes());
        assert_eq!(actions, [], "{line}");
        assert_eq!(client.playing(), 1, "{line}");
    }
}

#[test]
fn a_number_can_be_given_to_another_match() {
    let (mut client, now) = playing();
    // Told twice: nothing.
    let twice = b"\n/os: + match .7 1720.0 outflank 1720.0 bob 8b U\nREADY\n";
    assert_eq!(feed(&mut client, now, twice), []);
    // Another one, although the end of the first was never told.
    let other = b"\n/os: + match .7 1720.0 carl 1720.0 outflank s8r20 R\nREADY\n";
    assert_eq!(feed(&mut client, now, other), [Action::Rest { slot: 0 }]);
    assert_eq!(client.playing(), 1);
    let end = b"\n/os: - match .7 1720.0 carl 1720.0 outflank s8r20 R +2.00 .99\nREADY\n";
    assert_eq!(feed(&mut client, now, end), [Action::Rest { slot: 0 }]);
    assert_eq!(client.playing(), 0);
}

#[test]
fn a_server_that_never_stops_fills_no_memory() {
    let board = |header: &str, moves: &str| {
        format!(
            "\n/os: {header}\n{moves}\n|outflank (1720.0 *) 04:59,0:0//02:00,0:0\n|bob      (1720.0 O) 05:00,0:0//02:00,0:0\n|\n\
             |   A B C D E F G H\n{}|   A B C D E F G H\n|\n|* to move\nREADY\n",
            (1..=8)
                .map(|row| match row {
                    4 => "| 4 - - - O * - - - 4 \n".to_owned(),
                    5 => "| 5 - - - * O - - - 5 \n".to_owned(),
                    row => format!("| {row} - - - - - - - - {row} \n"),
                })
                .collect::<String>()
        )
    };
    let (mut client, now) = playing();
    let mut most = 0;
    for number in 1..3000 {
        let texts = [
            format!("\n/os: + match .{number} 1720.0 outflank 1720.0 bob 8b R\nREADY\n"),
            board(
                &format!("join .{} 8b K?", number + 5000),
                "|0 move(s)\n|  0: PASS",
            ),
            board("update .7 8b K?", &format!("|{number:3}: f5//0.41")),
            format!("\n/os: + .{number} 1720.0 bob 05:00//02:00 8 U 1720.0 outflank\nREADY\n"),
            format!(
                "\n/os: + .{} 1720.0 outflank 05:00//02:00 8 U 1720.0 bob\nREADY\n",
                number + 5000
            ),
        ];
        for text in texts {
            feed(&mut client, now, text.as_bytes());
        }
        most = most.max(client.remembered() + client.moves_remembered());
    }
    for number in 1..9000 {
        let end = format!("\n/os: - match .{number} 1720.0 outflank 1720.0 bob 8b R +2.00\nREADY\n");
        feed(&mut client, now, end.as_bytes());
        feed(
            &mut client,
            now,
            format!("\n/os: ERR match '.{number}' not found.\nREADY\n").as_bytes(),
        );
        most = most.max(client.remembered() + client.moves_remembered());
    }
    assert!(most < 1000, "{most}");
    // It is still able to play.
    let start = b"\n/os: + match .7 1720.0 outflank 1720.0 bob 8b U\nREADY\n";
    feed(&mut client, now, start);
    let actions = feed(
        &mut client,
        now,
        board("join .7 8b K?", "|0 move(s)\n|  0: PASS").as_bytes(),
    );
    assert!(
        actions
            .iter()
            .any(|action| matches!(action, Action::Think { .. })),
        "{actions:?}"
    );
}

proptest! {
    #[test]
    fn any_bytes_do_no_harm(pieces in proptest::collection::vec(piece(), 0..60)) {
        let (mut client, mut now) = playing();
        let mut assembler = Assembler::default();
        for piece in pieces {
            now += Duration::from_millis(100);
            let mut events = Vec::new();
            assembler.push(&piece, |message| events.push(Event::parse(message)));
            let mut actions = client.handle(now, Input::Tick);
            let told = events.len();
            for event in events {
                actions.extend(client.handle(now, Input::Event(Box::new(event))));
            }
            // Never more than a few lines for a message.
            prop_assert!(actions.len() <= 40 * (told + 1));
            for action in actions {
                if let Action::Send(out) = action {
                    prop_assert!(!out.line().contains(['\n', '\r', '\\', '$']));
                }
            }
            prop_assert!(client.remembered() + client.moves_remembered() < 200);
        }
    }
}

/// Parts of messages about the match in progress, whole ones, and rubbish.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    const TEXTS: [&str; 26] = [
        "\n",
        "READY\n",
        "ALERT\n",
        "/os: ",
        "join .7 8b K?\n",
        "update .7 8b K?\n",
        "|  1: f5//0.41\n",
        "|  9: pa//0.41\n",
        "|1 move(s)\n",
        "|outflank (1720.0 *) 04:59,0:0//02:00,0:0\n",
        "|bob      (1720.0 O) 05:00,0:0//02:00,0:0\n",
        "|\n",
        "|   A B C D E F G H\n",
        "| 1 - - - - - - - - 1 \n| 2 - - - - - - - - 2 \n| 3 - - - - - - - - 3 \n| 4 - - - * * - - - 4 \n",
        "| 5 - - - * O - - - 5 \n| 6 - - - - - - - - 6 \n| 7 - - - - - - - - 7 \n| 8 - - - - - - - - 8 \n",
        "|* to move\n",
        "|O to move\n",
        "/os: error .7 illegal move\n",
        "/os: error .7 not your turn\n",
        "/os: ERR match '.7' not found.\n",
        "/os: update .7 f5\n",
        "/os: + .2 1720.0 bob 05:00//02:00 8 U 1720.0 outflank\n",
        "/os: - .2 1720.0 bob 05:00//02:00 8 U 1720.0 outflank\n",
        "/os: + match .8 1720.0 outflank 1720.0 bob s8r20 R\n",
        "/os: undo .7 bob is asking\n",
        "/os: timeout .7 outflank (*)\n",
    ];
    prop_oneof![
        8 => (0..TEXTS.len()).prop_map(|index| TEXTS[index].as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..20),
        1 => Just(b": - /os 1\n".to_vec()),
    ]
}
