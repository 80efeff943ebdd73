//! A whole conversation without a process: lines down a channel, lines out of another one.

use super::*;
use crate::engine::Engine;
use std::sync::Arc;
use tokio::sync::mpsc;

fn options() -> Options {
    let engine = || {
        Engine::new(crate::engine::Options {
            hash_mib: 1,
            ..Default::default()
        })
    };
    Options {
        engine: Arc::new(engine),
        rules: Rules::default(),
        games_folder: None,
    }
}

/// What the session says to these lines, sent all at once.
fn replies(lines: &[&str]) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (source, input) = mpsc::channel(lines.len().max(1));
        let (sink, mut output) = mpsc::unbounded_channel();
        for line in lines {
            source.send(Line::new(line.as_bytes())).await.unwrap();
        }
        drop(source);
        run(input, sink, options()).await.unwrap();
        let mut said = Vec::new();
        while let Some(line) = output.recv().await {
            said.push(line);
        }
        said
    })
}

#[test]
fn a_script_gets_all_its_answers_in_order() {
    let said = replies(&[
        "nboard 2",
        "set depth 2",
        "ping 1",
        "go",
        "move F5",
        "go",
        "foo",
        "hint",
        "hint 1",
    ]);
    let kinds: Vec<_> = said
        .iter()
        .map(|line| line.split(' ').next().unwrap())
        .filter(|word| !["search", "nodestats"].contains(word))
        .collect();
    assert_eq!(
        kinds,
        [
            "set", "pong", "status", "===", "status", "===", "status", "status", "status"
        ]
    );
    assert!(said.contains(&"status 'hint' lacks a number of at least 1".to_owned()));
}

#[test]
fn a_ping_supersedes_the_requests_before_it_but_not_the_moves() {
    let said = replies(&[
        "set depth 60",
        "go",
        "move F5",
        "go",
        "ping 2",
        "set depth 1",
        "hint 9",
    ]);
    let pong = said.iter().position(|line| line == "pong 2").unwrap();
    let answers = said.iter().filter(|line| line.starts_with("===")).count();
    assert_eq!(
        answers, 1,
        "the first go was cut short, the second one is dropped: {said:#?}"
    );
    assert!(!said[pong..].iter().any(|line| line.starts_with("===")));
    let hinted = |line: &&String| line.starts_with("search ");
    let moves: Vec<_> = said[pong..]
        .iter()
        .filter(hinted)
        .map(|line| &line[7..9])
        .collect();
    assert_eq!(moves.len(), 3, "{said:#?}");
    assert!(moves.iter().all(|mv| ["D6", "F4", "F6"].contains(mv)));
}

#[test]
fn the_clock_of_the_record_and_of_the_moves_is_summed() {
    let record = "(;GM[Othello]TI[0:10/1/5]B[F5//2.5]W[D6/1/0.5]B[C3//9.5];)";
    let mut state = State::from_record(Rules::Othello, record.parse().unwrap()).unwrap();
    let left = |state: &State| {
        let clock = state.clock().unwrap();
        (clock.remaining.as_millis(), clock.extension.as_millis())
    };
    assert_eq!(left(&state), (10_500, 5_000));
    state.play("D3//1.5".parse().unwrap()).unwrap();
    // 10 - 2.5 + 1 - 9.5 is one second too much, which comes out of the extension.
    assert_eq!(left(&state), (1_000, 4_000));
    // A move of ours that comes back without a time.
    let mv = state.game().moves().iter().next().unwrap();
    state.answer(mv, Duration::from_millis(300));
    state.play(Played::bare(mv.into())).unwrap();
    let opponent = state.game().moves().iter().next().unwrap();
    state.play(Played::bare(opponent.into())).unwrap();
    assert_eq!(left(&state), (1_700, 4_000));
}

#[test]
fn clocks_of_one_player_and_no_clocks() {
    let clock = |tags: &str| {
        let record = format!("(;GM[Othello]{tags};)");
        State::from_record(Rules::Othello, record.parse().unwrap())
            .unwrap()
            .clock()
    };
    assert_eq!(clock(""), None);
    assert_eq!(clock("TI[0]"), None);
    assert_eq!(clock("TW[5:00]"), None);
    let black = clock("TB[1:00]TW[5:00]").unwrap();
    assert_eq!((black.remaining.as_secs(), black.extension.as_secs()), (60, 120));
}

#[test]
fn a_record_without_its_passes() {
    // Black passes and C1 of White ends the game.
    let record =
        "(;GM[Othello]BO[8 O*------ -------- -------- -------- -------- -------- -------- -------- *]W[C1];)";
    let state = State::from_record(Rules::Othello, record.parse().unwrap()).unwrap();
    assert!(state.game().is_over());
    assert_eq!(state.record().result.discs, Some(-64.0));
    assert_eq!(state.record().moves.len(), 2);
}

#[test]
fn a_search_that_dies_is_replaced() {
    let dead = || -> Engine { panic!("no engine today (this panic is part of a test)") };
    let mut seat = Seat::new(Arc::new(dead)).unwrap();
    let work = || Work::Search(Box::new(crate::rules::Game::new(Rules::Othello)), Task::Move);
    let mut job = seat.start(work(), Limits::default(), Instant::now()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert!(matches!(runtime.block_on(job.next()), Event::Done(None)));
    let mut job = seat.start(work(), Limits::default(), Instant::now()).unwrap();
    assert_eq!(seat.cut_short(&mut job), None);
}

#[test]
fn nodes_and_time_of_every_go() {
    let nodes_of = |line: &String| {
        let line = line.strip_prefix("nodestats ")?;
        line.split(' ').next()?.parse::<u64>().ok()
    };
    let said = replies(&["nboard 2", "set nodes 3000", "go"]);
    let nodes = said.iter().filter_map(nodes_of).max().unwrap();
    assert!((1..20_000).contains(&nodes), "{said:#?}");
    // Three days on the clock would be a long think.
    let said = replies(&["set game (;GM[Othello]TI[72:00:00];)", "set movetime 30", "go"]);
    assert!(said.last().unwrap().starts_with("=== "), "{said:#?}");
    // Back to the clock, and to no limit of nodes.
    let said = replies(&[
        "set movetime 30",
        "set nodes 1",
        "set movetime 0",
        "set nodes 0",
        "set depth 5",
        "go",
    ]);
    assert!(
        said.iter()
            .any(|line| line.starts_with("search ") && line.contains(" 0 5")),
        "{said:#?}"
    );
}
