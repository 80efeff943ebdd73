//! Whole matches of every type.

use crate::ggs_server::Behaviour;
use crate::ggs_server::puppet::Puppet;
use crate::ggs_server::sim::Sim;
use outflank::board::Board;
use outflank::rules::{Color, Game, Position, Rules};
use outflank::session::words;
use outflank_protocol::ggf;
use outflank_protocol::ggs::{GameId, MatchId, MatchResult, Os, Rated};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
/// Every type that is played.
const TYPES: [&str; 10] = [
    "8", "8b", "8w", "8k", "8kr14", "8kr21", "s8", "s8r20", "s8r5", "s8r33",
];
const ACCEPT_ALL: &str = "[accept]\nmain = ['0:01', '60:00']\n";

/// Every record is a game by the rules, complete, with a result that the board bears out.
pub fn check_records(saved: &[ggf::Match]) {
    for found in saved {
        for record in &found.games {
            let text = record.to_string();
            let again: ggf::Game = text.parse().unwrap();
            assert_eq!(again.moves, record.moves);
            let playable = record.playable().unwrap();
            let mut game = Game::from_position(words::position(Rules::Othello, &playable.start));
            for turn in &playable.moves {
                game.play_as(turn.color.into(), turn.played.mv.into())
                    .unwrap_or_else(|error| panic!("{error} in {text}"));
            }
            if record.result.ending.is_none()
                && let Some(result) = record.result.discs
            {
                assert!(game.is_over(), "{text}");
                let black = game
                    .result(outflank::rules::Counting::Tournament)
                    .unwrap()
                    .difference(Color::Black);
                assert_eq!(result, f64::from(black) - record.komi.unwrap_or(0.0), "{text}");
            }
        }
    }
}

fn sim(seed: u64) -> Sim {
    Sim::new(
        Behaviour {
            noise: 3,
            ..Behaviour::default()
        },
        seed,
    )
}

#[test]
fn every_type_against_a_player_of_the_server() {
    for (seed, kind) in TYPES.into_iter().enumerate() {
        let mut sim = sim(seed as u64);
        let bot = sim.bot("outflank", ACCEPT_ALL);
        let carl = sim.puppet("carl9");
        sim.until("login", MINUTE, |sim| {
            sim.server.room("outflank") && sim.server.room("carl9")
        });
        sim.say(carl, &Puppet::ask(kind, "1:00//2:00", "outflank"));
        sim.until(kind, HOUR, |sim| {
            sim.server.ledger.finished == 1 && sim.get(bot).saved.len() == 1
        });
        assert!(
            sim.server.faults_of("outflank").is_empty(),
            "{kind}: {:?}",
            sim.server.ledger
        );
        let saved = &sim.get(bot).saved;
        check_records(saved);
        let games = if kind.starts_with('s') { 2 } else { 1 };
        assert_eq!(saved[0].games.len(), games);
        for record in &saved[0].games {
            assert!(
                record.result.discs.is_some() && record.result.ending.is_none(),
                "{record}"
            );
            assert_eq!(record.kind.to_string(), kind);
            assert_eq!(record.komi.is_some(), kind.contains('k'));
            // The clocks are those that were asked for.
            assert_eq!(record.black.clock.unwrap().to_string(), "01:00//02:00");
            assert_eq!(record.white.clock, record.black.clock);
            if kind.contains('k') {
                let bids = [&record.black, &record.white]
                    .map(|player| (player.name == "outflank", player.bid.is_some()));
                assert!(bids.iter().all(|(ours, bid)| ours == bid), "{record}");
            }
        }
        assert!(sim.get(bot).ponders > 0);
        assert_eq!(sim.get(bot).client.playing(), 0);
    }
}

#[test]
fn two_clients_play_rated_matches_of_every_type() {
    for (seed, kind) in TYPES.into_iter().enumerate() {
        let mut sim = sim(100 + seed as u64);
        let offer = format!(
            "[[offer]]\ntype = '{kind}'\nclock = '1:00/0:01/1:00'\nopponent = 'second'\nevery = '10:00'\n"
        );
        let first = sim.bot("first", &offer);
        let second = sim.bot("second", "");
        sim.until(kind, HOUR, |sim| {
            sim.get(first).saved.len() == 2 && sim.get(second).saved.len() == 2
        });
        for name in ["first", "second"] {
            let faults = sim.server.faults_of(name);
            // The first offer may come before the other one is there.
            assert!(
                faults.iter().all(|fault| fault.starts_with("user ")
                    || fault.starts_with("Player ")
                    || fault.starts_with("rated ")),
                "{kind}: {faults:?}"
            );
        }
        check_records(&sim.get(first).saved);
        // Both have the same records, but for the bids that they know of.
        for (one, other) in sim.get(first).saved.iter().zip(&sim.get(second).saved) {
            for (one, other) in one.games.iter().zip(&other.games) {
                assert_eq!(
                    (&one.moves, &one.result, one.komi),
                    (&other.moves, &other.result, other.komi)
                );
            }
        }
        let ratings = ["first", "second"].map(|name| sim.server.users[name].rating);
        assert_eq!(ratings[0] + ratings[1], 2.0 * 1720.0);
        assert_eq!(sim.server.ledger.finished, 2);
    }
}

#[test]
fn a_random_start_with_an_odd_number_of_discs_is_whites_move() {
    let mut sim = sim(7);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    sim.say(carl, &Puppet::ask("s8r21", "1:00//2:00", "outflank"));
    sim.until("end", HOUR, |sim| sim.get(bot).saved.len() == 1);
    for record in &sim.get(bot).saved[0].games {
        assert_eq!(
            record.start.as_ref().unwrap().mover(),
            outflank_protocol::Color::White
        );
        assert_eq!(record.moves[0].color, outflank_protocol::Color::White);
    }
    check_records(&sim.get(bot).saved);
}

/// White's only disc lies in a corner: every row of Black's through it runs off the board, while White has moves.
fn blocked() -> Position {
    let square = |name: &str| 1u64 << name.parse::<outflank_protocol::Square>().unwrap().index();
    let black = ["b1", "b2", "a2", "d4", "e4", "d5", "e5"];
    let position = Position::new(
        Rules::Othello,
        Board {
            mover: black.into_iter().map(square).sum(),
            opponent: square("a1"),
        },
        Color::Black,
    );
    assert!(position.moves().must_pass());
    position
}

#[test]
fn a_start_in_which_the_side_to_move_must_pass() {
    for kind in ["8b", "8w", "s8", "8k"] {
        let mut sim = sim(11);
        let bot = sim.bot("outflank", ACCEPT_ALL);
        sim.puppet("carl9");
        sim.until("login", MINUTE, |sim| {
            sim.server.room("outflank") && sim.server.room("carl9")
        });
        sim.server.set_up(
            ["outflank", "carl9"],
            kind,
            "1:00//2:00",
            Rated::Unrated,
            blocked(),
        );
        sim.until(kind, HOUR, |sim| sim.get(bot).saved.len() == 1);
        assert!(
            sim.server.faults_of("outflank").is_empty(),
            "{:?}",
            sim.server.ledger
        );
        check_records(&sim.get(bot).saved);
        for record in &sim.get(bot).saved[0].games {
            assert_eq!(record.moves[0].played.mv, ggf::Step::Pass);
        }
    }
}

#[test]
fn komi_is_settled_both_ways() {
    let mut colors = Vec::new();
    for (bid, seed) in [(64.0, 1), (-64.0, 2), (64.0, 3), (-64.0, 4)] {
        let mut sim = sim(seed);
        let bot = sim.bot("outflank", ACCEPT_ALL);
        let carl = sim.puppet("carl9");
        sim.doll(carl).bid = bid;
        sim.until("login", MINUTE, |sim| {
            sim.server.room("outflank") && sim.server.room("carl9")
        });
        sim.say(carl, &Puppet::ask("8kr20", "1:00//2:00", "outflank"));
        sim.until("end", HOUR, |sim| sim.get(bot).saved.len() == 1);
        let record = &sim.get(bot).saved[0].games[0];
        // Black moves from an even start: the higher bidder has it.
        let ours = if record.black.name == "outflank" {
            &record.black
        } else {
            &record.white
        };
        let our_bid = ours.bid.unwrap().eval.unwrap();
        assert_eq!(record.black.name == "outflank", our_bid > bid, "{record}");
        let komi = ((our_bid + bid) / 2.0 * 200.0).round() / 200.0;
        assert_eq!(record.komi, Some(komi));
        colors.push(record.black.name == "outflank");
        check_records(&sim.get(bot).saved);
    }
    assert!(colors.contains(&true) && colors.contains(&false));
}

#[test]
fn the_first_move_of_a_synchro_pair_is_withheld_from_the_other() {
    let mut sim = sim(5);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.doll(carl).asleep = true;
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    sim.say(carl, &Puppet::ask("s8", "10:00//2:00", "outflank"));
    sim.until("a move", MINUTE, |sim| {
        sim.server
            .matches
            .values()
            .any(|found| found.games.iter().any(|game| game.withheld))
    });
    sim.run_for(MINUTE);
    // We moved once and wait; the sleeper saw nothing.
    assert_eq!(sim.get(bot).thinks, 1);
    assert!(!sim.doll(carl).told().any(|os| matches!(os, Os::Update(_))));
    assert!(sim.get(bot).ponders > 0);
    let plays = sim
        .get(bot)
        .sent
        .iter()
        .filter(|line| line.contains(" play "))
        .count();
    assert_eq!(plays, 1);
}

#[test]
fn both_games_of_a_pair_and_several_matches_at_once() {
    let mut sim = sim(6);
    let bot = sim.bot("outflank", &format!("[play]\nmatches = 3\n{ACCEPT_ALL}"));
    let names = ["carl1", "carl2", "carl3", "carl4"];
    let puppets = names.map(|name| sim.puppet(name));
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && names.iter().all(|name| sim.server.room(name))
    });
    for puppet in puppets {
        sim.say(puppet, &Puppet::ask("s8r18", "1:00//2:00", "outflank"));
    }
    sim.until("three at once", MINUTE, |sim| sim.server.playing("outflank") == 3);
    // The fourth one finds no room.
    sim.run_for(Duration::from_secs(2));
    assert_eq!(sim.server.playing("outflank"), 3);
    assert!(sim.server.requests.is_empty());
    sim.until("all", HOUR, |sim| sim.get(bot).saved.len() == 3);
    assert!(
        sim.server.faults_of("outflank").is_empty(),
        "{:?}",
        sim.server.ledger
    );
    check_records(&sim.get(bot).saved);
}

#[test]
fn a_game_that_has_ended_is_kept_while_its_twin_goes_on() {
    let mut sim = sim(14);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    let mut kept = 0;
    for matches in 1..=6 {
        sim.say(carl, &Puppet::ask("s8r40", "5:00//2:00", "outflank"));
        let end = sim.now + HOUR;
        while sim.get(bot).saved.len() < matches {
            assert!(sim.now < end, "{:?}", sim.server.ledger);
            sim.step();
            if let Some(draft) = sim.get(bot).drafts.values().next() {
                let ended = draft.games.iter().filter(|game| game.result.discs.is_some());
                let ended = ended.count();
                assert!(ended > 0 && draft.games.len() == 2);
                kept += usize::from(ended == 1);
            }
        }
        assert!(sim.get(bot).drafts.is_empty());
    }
    assert!(kept > 0);
}

#[test]
fn what_is_not_played_is_declined() {
    let mut sim = sim(8);
    let bot = sim.bot("outflank", "[accept]\ntypes = ['8']\nnot_from = ['dora9']\n");
    let carl = sim.puppet("carl9");
    let dora = sim.puppet("dora9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("dora9")
    });
    // The service refuses what the formula says, we decline the rest.
    sim.say(carl, &Puppet::ask("8a", "5:00//2:00", "outflank"));
    sim.say(carl, &Puppet::ask("10", "5:00//2:00", "outflank"));
    sim.say(carl, &Puppet::ask("s8", "5:00//2:00", "outflank"));
    sim.say(carl, &Puppet::ask("8", "0:10//2:00", "outflank"));
    sim.say(dora, &Puppet::ask("8", "5:00//2:00", "outflank"));
    sim.run_for(Duration::from_secs(5));
    assert_eq!(sim.server.faults_of("carl9").len(), 2);
    assert!(sim.server.requests.is_empty() && sim.server.matches.is_empty());
    let sent = &sim.get(bot).sent;
    assert_eq!(
        sent.iter().filter(|line| line.contains("decline")).count(),
        3,
        "{sent:?}"
    );
    sim.say(carl, &Puppet::ask("8", "5:00//2:00", "outflank"));
    sim.until("a match", MINUTE, |sim| sim.server.playing("outflank") == 1);
}

#[test]
fn proposals_are_answered_with_sense() {
    let answers = |sim: &Sim, bot: usize, word: &str| {
        let start = format!("tell /os {word} ");
        sim.get(bot)
            .sent
            .iter()
            .filter(|line| line.starts_with(&start))
            .count()
    };
    let begin = |seed: u64, rated: Rated, more: &str| {
        let mut sim = sim(seed);
        let bot = sim.bot("outflank", &format!("{ACCEPT_ALL}{more}"));
        let carl = sim.puppet("carl9");
        sim.until("login", MINUTE, |sim| {
            sim.server.room("outflank") && sim.server.room("carl9")
        });
        let id = sim.server.set_up(
            ["carl9", "outflank"],
            "8",
            "10:00//2:00",
            rated,
            Position::start(Rules::Othello),
        );
        let game = GameId::single(MatchId(id));
        sim.until("moves", MINUTE, |sim| {
            sim.server
                .matches
                .values()
                .any(|found| found.games[0].moves.len() > 5)
        });
        sim.doll(carl).asleep = true;
        sim.run_for(Duration::from_secs(30));
        (sim, bot, carl, game)
    };
    // Unrated: undo and abort are granted.
    let (mut sim, bot, carl, game) = begin(1, Rated::Unrated, "");
    let before = sim.server.matches[&game.of.0].games[0].moves.len();
    sim.say(carl, &format!("tell /os undo {game}"));
    sim.until("undo", MINUTE, |sim| {
        sim.server.matches[&game.of.0].games[0].moves.len() < before || answers(sim, bot, "play") > before
    });
    assert_eq!(answers(&sim, bot, "undo"), 1);
    // We are to move again, and do.
    sim.until("a new move", MINUTE, |sim| {
        sim.server.matches[&game.of.0].games[0].moves.len() == before
    });
    sim.say(carl, &format!("tell /os abort {game}"));
    sim.until("abort", MINUTE, |sim| sim.server.ledger.aborted == 1);
    sim.until("saved", MINUTE, |sim| sim.get(bot).saved.len() == 1);
    assert_eq!(sim.get(bot).saved[0].games[0].result.discs, None);
    assert!(sim.server.faults_of("outflank").is_empty());
    // Rated: they are not.
    let (mut sim, bot, carl, game) = begin(2, Rated::Rated, "");
    sim.say(carl, &format!("tell /os undo {game}"));
    sim.say(carl, &format!("tell /os abort {game}"));
    // A score is answered only when it is proven.
    sim.say(carl, &format!("tell /os score {game} -64"));
    sim.run_for(MINUTE);
    for word in ["undo", "abort", "score"] {
        assert_eq!(answers(&sim, bot, word), 0);
    }
    // Near the end we offer what the game is worth; whoever gives it all away is taken at his word.
    sim.doll(carl).asleep = false;
    sim.say(carl, &format!("tell /os moves {game}"));
    sim.until("the end comes near", HOUR, |sim| {
        sim.server
            .matches
            .get(&game.of.0)
            .is_none_or(|found| found.games[0].position.board.empties() < 9)
    });
    sim.say(carl, &format!("tell /os score {game} -64"));
    sim.until("end", HOUR, |sim| sim.get(bot).saved.len() == 1);
    assert!(answers(&sim, bot, "score") >= 1);
}

#[test]
fn the_extension_saves_a_game_and_never_more() {
    // The client is given a clock that its searches nearly use up, again and again.
    for clock in [
        "0:05//0:00",
        "0:05//2:00",
        "0:05/0:01/0:30",
        "0:10,40//0:30",
        "0:05,N0//0:10",
    ] {
        let mut sim = sim(12);
        let bot = sim.bot("outflank", ACCEPT_ALL);
        sim.get_mut(bot).slow = true;
        let carl = sim.puppet("carl9");
        sim.until("login", MINUTE, |sim| {
            sim.server.room("outflank") && sim.server.room("carl9")
        });
        sim.say(carl, &Puppet::ask("s8r20", clock, "outflank"));
        sim.until("end", HOUR, |sim| sim.get(bot).saved.len() == 1);
        assert!(
            sim.server.faults_of("outflank").is_empty(),
            "{clock}: {:?}",
            sim.server.ledger
        );
    }
}

#[test]
fn results_are_told_from_blacks_view() {
    let mut sim = sim(13);
    let bot = sim.bot("outflank", ACCEPT_ALL);
    let carl = sim.puppet("carl9");
    sim.until("login", MINUTE, |sim| {
        sim.server.room("outflank") && sim.server.room("carl9")
    });
    for (kind, plays) in [("8b", "carl9"), ("8w", "outflank")] {
        let saved = sim.get(bot).saved.len();
        sim.say(carl, &Puppet::ask(kind, "1:00//2:00", "outflank"));
        sim.until("moves", MINUTE, |sim| {
            sim.server
                .matches
                .values()
                .any(|found| found.games[0].moves.len() > 5)
        });
        let id = *sim.server.matches.keys().next().unwrap();
        sim.say(carl, &format!("tell /os resign .{id}"));
        sim.until("end", MINUTE, |sim| sim.get(bot).saved.len() > saved);
        let record = &sim.get(bot).saved[saved].games[0];
        assert_eq!(record.black.name, plays);
        let black_lost = plays == "carl9";
        assert_eq!(record.result.discs, Some(if black_lost { -64.0 } else { 64.0 }));
        assert_eq!(record.result.ending, Some(ggf::Ending::Resigned));
    }
    // The last line may still be on its way to the other one.
    sim.run_for(Duration::from_secs(1));
    let told = sim.doll(carl).told();
    let ends = told.filter(
        |os| matches!(os, Os::MatchEnd { result: MatchResult::Score(_), line, .. } if line.id.0 < 200),
    );
    assert_eq!(ends.count(), 2);
}
