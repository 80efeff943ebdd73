//! GGF records of many programs, from the reference data.

mod common;

use outflank::rules::{Color, Counting, Rules};
use outflank::session::record;
use outflank_protocol::ggf::{self, Game};

fn read(name: &str) -> Option<String> {
    common::data("ggf").map(|folder| std::fs::read_to_string(folder.join(name)).unwrap())
}

fn games(text: &str) -> Vec<Game> {
    ggf::matches(text)
        .flat_map(|found| found.unwrap().games)
        .collect()
}

/// Every record parses, and prints as a line that reads back the same.
#[test]
fn every_record_is_read() {
    for (name, count) in [
        ("TestGames.ggf", 12),
        ("ggs_misc.ggf", 11),
        ("local_misc.ggf", 11),
        ("fragments.ggf", 20),
        ("synthetic.ggf", 167),
    ] {
        let Some(text) = read(name) else { return };
        let games = games(&text);
        assert_eq!(games.len(), count, "{name}");
        for mut game in games {
            let back: Game = game.to_string().parse().unwrap();
            game.skipped.clear();
            assert_eq!(back, game, "{name}");
        }
    }
}

/// Only two well-formed records of the collection lack their random board, and boards of other sizes are named.
#[test]
fn what_cannot_be_played_says_why() {
    let Some(text) = read("fragments.ggf") else { return };
    let reasons: Vec<String> = games(&text)
        .iter()
        .filter_map(|game| game.playable().err())
        .map(|reason| reason.to_string())
        .collect();
    let missing = "BO is missing, and a game of type s8r5 does not begin at the standard start";
    assert_eq!(
        reasons,
        [missing, missing, "board size 10 is not played here, only 8"]
    );
    let Some(text) = read("synthetic.ggf") else { return };
    let others = games(&text)
        .iter()
        .filter(|game| game.playable().is_err())
        .count();
    assert_eq!(others, 8, "boards of 4 to 14");
}

/// Every 8x8 game is legal, and its result is that of the board, less the komi.
#[test]
fn every_game_is_played() {
    for name in [
        "TestGames.ggf",
        "ggs_misc.ggf",
        "local_misc.ggf",
        "fragments.ggf",
        "synthetic.ggf",
    ] {
        let Some(text) = read(name) else { return };
        for (index, record) in games(&text).iter().enumerate() {
            if record.playable().is_err() {
                continue;
            }
            let game = record::game(Rules::Othello, record)
                .unwrap_or_else(|error| panic!("{name} {index}: {error}"));
            assert!(game.history().len() >= record.moves.len());
            // Seen from the other side in these two records.
            let turned = name == "local_misc.ggf" && [7, 8].contains(&index);
            let (Some(tally), Some(discs), None) = (
                game.result(Counting::Tournament),
                record.result.discs,
                record.result.ending,
            ) else {
                continue;
            };
            let board = f64::from(tally.difference(Color::Black)) - record.komi.unwrap_or(0.0);
            let board = if turned { -board } else { board };
            assert!(
                (board - discs).abs() < 0.006,
                "{name} {index}: {board} against {discs}"
            );
        }
    }
}

/// Wrong in their text, or as games.
#[test]
fn broken_records_are_refused() {
    let Some(text) = read("invalid.ggf") else { return };
    let messages: Vec<String> = ggf::matches(&text)
        .map(|found| match found {
            Ok(found) => record::game(Rules::Othello, &found.games[0])
                .unwrap_err()
                .to_string(),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        messages,
        [
            "move 1: illegal move d4: the square is occupied",
            "line 2, column 126: row 1 of the board has 7 squares, not 8",
            "BO is missing, and a game of type 8r20 does not begin at the standard start",
            "move 1: illegal move pa: Black has a square to play on and may not pass",
            "move 1: illegal move b5: Black is to move",
            "line 6, column 206: i9 is off the board of size 8",
            "line 7, column 676: tag W is not closed by ']'",
            "line 8, column 126: '?' in row 1 of the board is no square; use * O -",
        ]
    );
}
