//! The conversations in `tests/transcripts`: sent all at once, as from a shell, and line by line, as a board program does.

mod common {
    pub mod nboard;
}

use common::nboard::{Conversation, hinted};
use outflank::rules::{Game, Move, Rules};
use outflank::session::words;
use outflank_protocol::nboard::{Command, Reply};
use std::path::PathBuf;

fn transcripts() -> Vec<(PathBuf, Vec<String>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "nboard"));
    files.sort();
    assert!(files.len() >= 2);
    let lines = |path: &PathBuf| {
        std::fs::read_to_string(path)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    };
    files
        .into_iter()
        .map(|path| (path.clone(), lines(&path)))
        .collect()
}

/// The twin of the session's state: what the commands so far make of the game.
struct Table(Game);

impl Table {
    fn obey(&mut self, command: &Command) {
        match command {
            Command::SetGame(record) => {
                let playable = record.playable().unwrap();
                self.0 = Game::from_position(words::position(Rules::Othello, &playable.start));
                for turn in playable.moves {
                    self.0.play(turn.played.mv.into()).unwrap();
                }
            }
            // The refused ones are part of the conversation.
            Command::Move(played) => drop(self.0.play(played.mv.into())),
            _ => {}
        }
    }

    fn allows(&self, reply: &str) {
        let Ok(Reply::Move(played)) = reply.parse() else {
            panic!("{reply}")
        };
        assert!(
            self.0.moves().contains(played.mv.into()),
            "{reply} in {:?}",
            self.0.position()
        );
    }

    fn allows_all(&self, hints: &[String]) {
        let moves = hinted(hints);
        assert!(!moves.is_empty(), "{hints:#?}");
        for mv in moves {
            let mv: outflank_protocol::Move = mv.parse().unwrap();
            assert!(
                self.0.moves().contains(Move::from(mv)),
                "{mv} in {:?}",
                self.0.position()
            );
        }
    }
}

#[test]
fn line_by_line() {
    for (path, lines) in transcripts() {
        eprintln!("{}", path.display());
        let mut engine = Conversation::start(&[]);
        let mut table = Table(Game::new(Rules::Othello));
        for line in lines {
            engine.say(&[&line]);
            let Ok(command) = line.parse::<Command>() else {
                continue;
            };
            table.obey(&command);
            match command {
                Command::Ping(number) => drop(engine.pong(number)),
                Command::Go => table.allows(engine.until("===").last().unwrap()),
                Command::Hint(_) => table.allows_all(&engine.rest_of_hint()),
                Command::Analyze => {
                    let lines = engine.rest_of_hint();
                    let count = lines.iter().filter(|line| line.starts_with("analysis ")).count();
                    assert_eq!(count, table.0.history().len() + 1);
                }
                Command::Learn => drop(engine.until("learned")),
                _ => {}
            }
        }
        let (status, _, errors) = engine.end();
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
    }
}

#[test]
fn all_at_once() {
    for (path, lines) in transcripts() {
        eprintln!("{}", path.display());
        let mut engine = Conversation::start(&[]);
        let mut table = Table(Game::new(Rules::Othello));
        let mut wanted = Vec::new();
        for line in &lines {
            let Ok(command) = line.parse::<Command>() else {
                continue;
            };
            table.obey(&command);
            match command {
                Command::Ping(number) => wanted.push((Some(number), table.0.clone())),
                Command::Go => wanted.push((None, table.0.clone())),
                _ => {}
            }
        }
        engine.say(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let (status, said, errors) = engine.end();
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
        let answers: Vec<_> = said
            .iter()
            .filter(|line| line.starts_with("===") || line.starts_with("pong"))
            .collect();
        assert_eq!(answers.len(), wanted.len(), "{answers:#?}");
        for (answer, (number, game)) in answers.into_iter().zip(wanted) {
            match number {
                Some(number) => assert_eq!(answer, &format!("pong {number}")),
                None => Table(game).allows(answer),
            }
        }
    }
}
