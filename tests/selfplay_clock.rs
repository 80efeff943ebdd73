//! Whole games of two processes on a clock: no illegal move, no loss on time. The time is taken here, outside the players.
//!
//! The long ones: `cargo test --release --test selfplay_clock -- --ignored --nocapture`.

mod common {
    pub mod nboard;
}

use common::nboard::Conversation;
use outflank::rules::{Color, Game, Rules};
use std::time::{Duration, Instant};

/// How a game went for the players, by colour.
#[derive(Debug)]
struct Times {
    /// On the clock at the end.
    left: [Duration; 2],
    /// The longest move.
    longest: [Duration; 2],
    /// The first player whose time ran out.
    loser: Option<Color>,
    /// Threads of the whole machine that wanted to run after each move, this one included, on average; 1 where that is
    /// not known.
    runnable: f64,
}

impl Times {
    /// Something else had so much to do that the players did not get a processor when they wanted one.
    fn is_void(&self) -> bool {
        self.runnable > std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64)
    }
}

/// How many threads want to run now, this one included.
fn runnable() -> Option<f64> {
    let load = std::fs::read_to_string("/proc/loadavg").ok()?;
    load.split(' ').nth(3)?.split('/').next()?.parse().ok()
}

/// Plays a game in sudden death with `main` for each player after the opening.
fn play(main: Duration, opening: &[&str]) -> Times {
    let mut players = [Conversation::start(&[]), Conversation::start(&[])];
    let clock = format!("0:{}.{:03}//0", main.as_secs(), main.subsec_millis());
    let record = opening
        .iter()
        .enumerate()
        .map(|(ply, mv)| format!("{}[{mv}]", ["B", "W"][ply % 2]));
    let set_game = format!(
        "set game (;GM[Othello]PB[a]PW[b]TI[{clock}]TY[8]{};)",
        record.collect::<String>()
    );
    let mut game = Game::new(Rules::Othello);
    for mv in opening {
        game.play(mv.parse::<outflank_protocol::Move>().unwrap().into())
            .unwrap();
    }
    for player in &mut players {
        player.say(&["nboard 2", &set_game]);
        player.ping(1);
    }
    let mut times = Times {
        left: [main; 2],
        longest: [Duration::ZERO; 2],
        loser: None,
        runnable: 1.0,
    };
    let mut sampled = Vec::new();
    for number in 2.. {
        if game.is_over() {
            break;
        }
        let mover = game.position().mover;
        let side = mover.index();
        players[side].ping(number);
        let asked = Instant::now();
        let (_, mv) = players[side].go();
        let spent = asked.elapsed();
        sampled.push(runnable().unwrap_or(1.0));
        times.longest[side] = times.longest[side].max(spent);
        if spent > times.left[side] {
            times.loser = times.loser.or(Some(mover));
        }
        times.left[side] = times.left[side].saturating_sub(spent);
        game.play(mv.parse::<outflank_protocol::Move>().unwrap().into())
            .unwrap_or_else(|error| panic!("{error}"));
        for player in &mut players {
            player.say(&[&format!("move {mv}//{}", spent.as_secs_f64())]);
        }
    }
    for mut player in players {
        player.say(&["quit"]);
        assert_eq!(player.end().0.code(), Some(0));
    }
    times.runnable = sampled.iter().sum::<f64>() / sampled.len() as f64;
    eprintln!("{main:?} each: {times:?}");
    times
}

/// A busy machine can take the processor away for longer than a short clock has; games on one that is busy all the time prove
/// nothing.
fn nobody_loses_on_time(main: Duration, opening: &[&str]) {
    let fine = |times: Times| times.loser.is_none() || times.is_void();
    assert!((0..3).any(|_| fine(play(main, opening))));
}

#[test]
fn one_second() {
    nobody_loses_on_time(Duration::from_secs(1), &["F5", "D6"]);
}

#[test]
#[ignore = "takes twenty seconds"]
fn ten_seconds() {
    nobody_loses_on_time(Duration::from_secs(10), &["F5", "F6"]);
}

#[test]
#[ignore = "takes ten minutes"]
fn five_minutes() {
    nobody_loses_on_time(Duration::from_secs(300), &["F5", "F4"]);
}
