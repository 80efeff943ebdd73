//! Many games with faults at random.

use crate::ggs_server::Behaviour;
use crate::ggs_server::sim::Sim;
use crate::play::check_records;
use std::collections::BTreeMap;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const TYPES: [&str; 6] = ["8", "s8", "s8r20", "s8r17", "8kr20", "8k"];
/// Five seconds, ten minutes, both without a second chance.
const CLOCKS: [&str; 2] = ["0:05//0:00", "10:00//0:00"];

/// Plays until so many matches are finished, with lost connections, a service that dies, messages twice, noise and ALERT, and
/// checks that nothing but the faults themselves did any harm.
fn endure(matches: u32, seed: u64) {
    let behaviour = Behaviour {
        noise: 4,
        ..Behaviour::default()
    };
    let mut sim = Sim::new(behaviour, seed);
    let mut offers = String::new();
    for kind in TYPES {
        for clock in CLOCKS {
            offers.push_str(&format!(
                "[[offer]]\ntype = '{kind}'\nclock = '{clock}'\nopponent = 'second'\nevery = '1:00'\n"
            ));
        }
    }
    let rules = "[accept]\nmain = ['0:01', '60:00']\n";
    let first = sim.bot("first", &format!("[play]\nmatches = 2\n{rules}{offers}"));
    let second = sim.bot("second", &format!("[play]\nmatches = 2\n{rules}"));
    let end = sim.now + 20 * MINUTE * matches;
    while sim.server.ledger.finished < matches {
        assert!(sim.now < end, "{:?}", sim.server.ledger);
        // A slow mover, a quick one.
        let (slow, other) = (sim.rng.one_in(2), sim.rng.one_in(2));
        sim.get_mut(first).slow = slow;
        sim.get_mut(second).slow = other;
        sim.server.behaviour.alert = sim.rng.one_in(4);
        let wait = sim.rng.below(40_000);
        sim.run_for(Duration::from_millis(wait));
        match sim.rng.below(12) {
            0 => sim.cut(first),
            1 => sim.cut(second),
            2 => {
                sim.server.service_dies();
                let wait = sim.rng.below(20_000);
                sim.run_for(Duration::from_millis(wait));
                sim.server.service_returns();
            }
            3..7 => sim.server.repeat_joins(),
            _ => {}
        }
    }
    // No match is forgotten: what was stored is taken up again once the faults end.
    sim.server.behaviour.noise = 0;
    sim.until("all stored matches are finished", 60 * MINUTE, |sim| {
        sim.server.stored.is_empty() && [first, second].iter().all(|&bot| sim.get(bot).client.is_online())
    });
    // Requests and matches that went away with a connection are asked for in vain; nothing else may have gone wrong.
    let ledger = &sim.server.ledger;
    let of_play = [
        "illegal",
        "corrupt",
        "not your turn",
        "wrong game",
        "timeout",
        "fatal",
        "trust",
        "unknown",
    ];
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, what) in &ledger.faults {
        *counts.entry(what.as_str()).or_default() += 1;
    }
    println!(
        "{matches} matches: {} started, {} resumed, {} interrupted, {counts:?}",
        ledger.started, ledger.resumed, ledger.left
    );
    for what in counts.keys() {
        assert!(!of_play.iter().any(|start| what.starts_with(start)), "{counts:?}");
    }
    for bot in [first, second] {
        check_records(&sim.get(bot).saved);
        let finished = sim
            .get(bot)
            .saved
            .iter()
            .filter(|found| found.games.iter().all(|game| game.result.discs.is_some()));
        assert!(finished.count() as u32 >= matches);
        // What is remembered does not grow with time.
        assert!(
            sim.get(bot).client.remembered() < 40,
            "{}",
            sim.get(bot).client.remembered()
        );
    }
}

#[test]
fn some_games_with_faults() {
    endure(24, 1);
    endure(12, 2);
}

/// `cargo test --release --test ggs -- --ignored --nocapture --test-threads=1`
#[test]
#[ignore = "a long run"]
fn two_hundred_games_with_faults() {
    for seed in 10..20 {
        endure(200, seed);
    }
}
