//! What goes wrong: connections, the service, messages.

use crate::ggs_server::puppet::Puppet;
use crate::ggs_server::sim::Sim;
use crate::ggs_server::{Behaviour, Server};
use crate::play::check_records;
use outflank::session::ggs::{Exit, Input};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const ACCEPT_ALL: &str = "[accept]\nmain = ['0:01', '60:00']\n";

fn moves(server: &Server) -> usize {
    let games = server.matches.values().flat_map(|found| &found.games);
    games.map(|game| game.moves.len()).sum()
}

/// A rated synchro match of two clients, ten moves old.
fn begun(behaviour: Behaviour, seed: u64) -> (Sim, usize, usize) {
    let mut sim = Sim::new(behaviour, seed);
    let first = sim.bot(
        "first",
        "[[offer]]\ntype = 's8r20'\nclock = '5:00//2:00'\nopponent = 'second'\nevery = '60:00'\n",
    );
    let second = sim.bot("second", "");
    sim.until("open", MINUTE, |sim| sim.server.room("second"));
    sim.until("a match", 2 * HOUR, |sim| moves(&sim.server) >= 10);
    (sim, first, second)
}

fn finish(sim: &mut Sim, first: usize, second: usize) {
    sim.until("the end", 2 * HOUR, |sim| sim.server.ledger.finished == 1);
    sim.until("the records", MINUTE, |sim| {
        [first, second].iter().all(|&bot| {
            sim.get(bot)
                .saved
                .last()
                .is_some_and(|found| found.games.iter().all(|game| game.result.discs.is_some()))
        })
    });
    for bot in [first, second] {
        check_records(&sim.get(bot).saved);
        assert_eq!(sim.get(bot).client.playing(), 0);
    }
}

fn no_fault_in_play(sim: &Sim) {
    const OF_PLAY: [&str; 8] = [
        "illegal",
        "corrupt",
        "not your turn",
        "wrong game",
        "timeout",
        "fatal",
        "trust",
        "unknown",
    ];
    let bad = sim
        .server
        .ledger
        .faults
        .iter()
        .filter(|(_, what)| OF_PLAY.iter().any(|start| what.starts_with(start)));
    assert_eq!(bad.count(), 0, "{:?}", sim.server.ledger);
}

#[test]
fn a_match_goes_on_after_a_lost_connection() {
    for seed in 0..6 {
        let (mut sim, first, second) = begun(Behaviour::default(), seed);
        sim.cut(if seed % 2 == 0 { first } else { second });
        sim.until("stored", MINUTE, |sim| sim.server.ledger.left == 1);
        // The interrupted match is kept as it stood.
        sim.until("kept", MINUTE, |sim| {
            sim.get(first).saved.len() == 1 && sim.get(second).saved.len() == 1
        });
        sim.until("resumed", HOUR, |sim| sim.server.ledger.resumed == 1);
        finish(&mut sim, first, second);
        no_fault_in_play(&sim);
        let whole = sim.get(first).saved.last().unwrap();
        assert!(whole.games.iter().all(|game| game.moves.len() >= 30));
        assert_eq!(whole.games[0].black.clock.unwrap().to_string(), "05:00//02:00");
    }
}

#[test]
fn a_match_goes_on_after_the_service_died() {
    for seed in 10..14 {
        let (mut sim, first, second) = begun(Behaviour::default(), seed);
        sim.server.service_dies();
        sim.until("noticed", MINUTE, |sim| {
            sim.get(first).client.playing() == 0 && sim.get(second).client.playing() == 0
        });
        sim.run_for(MINUTE);
        sim.server.service_returns();
        sim.until("resumed", HOUR, |sim| sim.server.ledger.resumed == 1);
        finish(&mut sim, first, second);
        no_fault_in_play(&sim);
    }
}

#[test]
fn a_service_that_returns_in_silence_is_found_again() {
    let (mut sim, first, _) = begun(Behaviour::default(), 15);
    sim.server.service_dies();
    sim.run_for(MINUTE);
    // Nobody is told.
    sim.server.service = true;
    sim.until("resumed", HOUR, |sim| sim.server.ledger.resumed == 1);
    assert!(sim.get(first).client.is_online());
}

#[test]
fn a_match_of_a_tournament_waits_and_comes_back_without_a_word() {
    for seed in 20..24 {
        let behaviour = Behaviour {
            tournament: true,
            ..Behaviour::default()
        };
        let (mut sim, first, second) = begun(behaviour, seed);
        sim.cut(if seed % 2 == 0 { first } else { second });
        finish(&mut sim, first, second);
        assert_eq!((sim.server.ledger.left, sim.server.ledger.resumed), (0, 0));
        no_fault_in_play(&sim);
    }
}

#[test]
fn a_second_login_is_not_fought_for() {
    let mut sim = Sim::new(Behaviour::default(), 30);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    sim.until("login", MINUTE, |sim| sim.server.room("outflank"));
    // Somebody else takes the name again and again, at once.
    for _ in 0..200 {
        if sim.get(bot).client.is_online() {
            let conn = sim.server.connect();
            sim.server.receive(conn, b"outflank\npass word\n");
        }
        sim.run_for(Duration::from_secs(30));
    }
    // In these 100 minutes it comes back less and less often.
    let connects = sim.get(bot).connects;
    assert!((8..25).contains(&connects), "{connects}");
}

#[test]
fn connecting_is_tried_with_patience() {
    let mut sim = Sim::new(Behaviour::default(), 31);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    sim.unreachable = true;
    sim.run_for(HOUR);
    let connects = sim.get(bot).connects;
    assert!((8..20).contains(&connects), "{connects}");
    sim.unreachable = false;
    sim.until("login", HOUR, |sim| sim.server.room("outflank"));
}

#[test]
fn a_refused_login_is_not_repeated() {
    let mut sim = Sim::new(Behaviour::default(), 32);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    sim.server.register("outflank", "another one");
    sim.run_for(HOUR);
    assert!(matches!(&sim.get(bot).exit, Some(Exit::Failed(why)) if why.contains("Password is incorrect")));
    assert_eq!(sim.get(bot).connects, 1);
}

#[test]
fn a_login_that_was_right_before_is_tried_again() {
    let mut sim = Sim::new(Behaviour::default(), 34);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    sim.until("login", MINUTE, |sim| sim.server.room("outflank"));
    // The server has lost its memory, and finds it again after a few hours.
    sim.server.user("outflank").password = Some("another one".to_owned());
    sim.cut(bot);
    sim.run_for(3 * HOUR);
    assert_eq!(sim.get(bot).exit, None);
    let connects = sim.get(bot).connects;
    assert!((15..40).contains(&connects), "{connects}");
    sim.server.user("outflank").password = Some("pass word".to_owned());
    sim.until("login", HOUR, |sim| sim.get(bot).client.is_online());
}

#[test]
fn an_idle_connection_is_kept_alive_and_a_dead_one_given_up() {
    let mut sim = Sim::new(Behaviour::default(), 33);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    sim.until("login", MINUTE, |sim| sim.server.room("outflank"));
    let sent = sim.get(bot).sent.len();
    sim.run_for(HOUR);
    assert_eq!(sim.get(bot).connects, 1);
    let more = &sim.get(bot).sent[sent..];
    assert!(
        (50..70).contains(&more.len()) && more.iter().all(String::is_empty),
        "{more:?}"
    );
    // A network that swallows everything.
    sim.lag = 3_600_000;
    sim.unreachable = true;
    sim.until("given up", HOUR, |sim| !sim.get(bot).client.is_online());
}

#[test]
fn messages_twice_late_and_under_alert() {
    for seed in 40..46 {
        let behaviour = Behaviour {
            alert: true,
            noise: 1,
            ..Behaviour::default()
        };
        let (mut sim, first, second) = begun(behaviour, seed);
        // Boards come again at any time; some are older than what is known when they arrive.
        while sim.server.ledger.finished == 0 {
            sim.run_for(Duration::from_millis(700));
            sim.server.repeat_joins();
        }
        finish(&mut sim, first, second);
        no_fault_in_play(&sim);
    }
}

#[test]
fn a_late_board_does_not_bring_a_match_back() {
    let mut sim = Sim::new(Behaviour::default(), 47);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    sim.say(carl, &Puppet::ask("8", "1:00//2:00", "outflank"));
    sim.until("moves", MINUTE, |sim| moves(&sim.server) > 5);
    let game = sim.server.matches.values().next().unwrap().games[0].clone();
    sim.until("end", HOUR, |sim| sim.get(bot).saved.len() == 1);
    let plays = sim.get(bot).sent.len();
    sim.server.repeat(
        "outflank",
        &outflank_protocol::ggs::Os::Join(Box::new(game.join(Duration::ZERO))),
    );
    sim.server.repeat(
        "outflank",
        &outflank_protocol::ggs::Os::Update(Box::new(game.update(Duration::ZERO).unwrap())),
    );
    sim.run_for(5 * SECOND);
    assert_eq!(sim.get(bot).client.playing(), 0);
    assert_eq!(sim.get(bot).sent.len(), plays);
    // A minute later it could be a real one; that it is none is found out.
    sim.run_for(MINUTE);
    sim.server.repeat(
        "outflank",
        &outflank_protocol::ggs::Os::Join(Box::new(game.join(Duration::ZERO))),
    );
    sim.run_for(HOUR);
    assert_eq!(sim.get(bot).client.playing(), 0);
    // And the next match finds room.
    sim.say(carl, &Puppet::ask("8", "1:00//2:00", "outflank"));
    sim.until("another", HOUR, |sim| sim.server.ledger.finished == 2);
}

#[test]
fn a_refused_move_is_followed_by_another() {
    let mut sim = Sim::new(Behaviour::default(), 48);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    sim.say(carl, &Puppet::ask("s8", "1:00//2:00", "outflank"));
    sim.until("a match", MINUTE, |sim| !sim.server.matches.is_empty());
    for count in [1, 2, 3] {
        sim.server.refuse.insert("outflank".to_owned(), count);
        let before = moves(&sim.server);
        sim.until("it goes on", MINUTE, |sim| moves(&sim.server) > before + 6);
    }
    sim.until("end", HOUR, |sim| sim.get(bot).saved.len() == 1);
    assert!(
        sim.server.faults_of("outflank").is_empty(),
        "{:?}",
        sim.server.ledger
    );
    // A server that takes nothing at all is not asked without end.
    sim.say(carl, &Puppet::ask("8", "1:00//0:30", "outflank"));
    sim.server.refuse.insert("outflank".to_owned(), u32::MAX);
    let sent = sim.get(bot).sent.len();
    sim.until("lost on time", HOUR, |sim| sim.server.ledger.finished == 2);
    assert!(
        sim.get(bot).sent.len() - sent < 60,
        "{}",
        sim.get(bot).sent.len() - sent
    );
}

#[test]
fn compact_boards_are_turned_off() {
    let mut sim = Sim::new(Behaviour::default(), 49);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    sim.say(carl, &Puppet::ask("8", "5:00//2:00", "outflank"));
    sim.until("a match", MINUTE, |sim| moves(&sim.server) > 3);
    // As if the setting had been lost.
    sim.server.user("outflank").client = true;
    sim.until("end", HOUR, |sim| sim.get(bot).saved.len() == 1);
    check_records(&sim.get(bot).saved);
    assert!(
        sim.server.faults_of("outflank").is_empty(),
        "{:?}",
        sim.server.ledger
    );
}

#[test]
fn leaving_waits_for_the_match() {
    let mut sim = Sim::new(Behaviour::default(), 50);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    sim.say(carl, &Puppet::ask("8", "1:00//2:00", "outflank"));
    sim.until("moves", MINUTE, |sim| moves(&sim.server) > 5);
    sim.input(bot, Input::Leave);
    assert_eq!(sim.get(bot).exit, None);
    // No new match meanwhile.
    sim.say(carl, &Puppet::ask("8", "1:00//2:00", "outflank"));
    sim.until("exit", HOUR, |sim| sim.get(bot).exit.is_some());
    assert_eq!(sim.get(bot).exit, Some(Exit::Done));
    assert_eq!((sim.server.ledger.started, sim.get(bot).saved.len()), (1, 1));
    sim.until("gone", MINUTE, |sim| !sim.server.is_online("outflank"));
    assert_eq!(sim.server.ledger.left, 0);
}

#[test]
fn leaving_at_once_keeps_the_match_for_later() {
    let (mut sim, first, _) = begun(Behaviour::default(), 51);
    sim.input(first, Input::Leave);
    sim.run_for(SECOND);
    sim.input(first, Input::Leave);
    assert_eq!(sim.get(first).exit, Some(Exit::Done));
    sim.until("stored", MINUTE, |sim| sim.server.stored.len() == 1);
    assert_eq!(sim.get(first).saved.len(), 1);
}

#[test]
fn leaving_does_not_wait_for_a_dead_service() {
    let (mut sim, first, _) = begun(Behaviour::default(), 52);
    sim.input(first, Input::Leave);
    sim.server.service_dies();
    sim.until("exit", MINUTE, |sim| sim.get(first).exit.is_some());
    assert_eq!(sim.get(first).saved.len(), 1);
}
