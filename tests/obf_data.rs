//! OBF positions and XOT openings of the reference data.

mod common;

use outflank::rules::{Position, Rules};
use outflank::session::record;
use outflank_protocol::obf;
use outflank_protocol::transcript::Transcript;

/// Every line parses and prints as it stands, the fillers aside.
#[test]
fn every_position_is_read() {
    for (name, positions, scores) in [
        ("ffo/fforum-1-19.obf", 19, 145),
        ("ffo/fforum-20-39.obf", 20, 182),
        ("ffo/fforum-40-59.obf", 20, 211),
        ("hard/hard-20.obf", 276, 2525),
        ("positions/wthor-exact-8-16.obf", 1350, 7827),
        ("positions/random-exact-8-14.obf", 640, 4468),
    ] {
        let Some(path) = common::data(name) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        let (mut lines, mut moves) = (0, 0);
        for (number, problem) in obf::problems(&text) {
            let problem = problem.unwrap();
            let line = text.lines().nth(number - 1).unwrap();
            assert_eq!(
                problem.to_string(),
                line.replace(" --:-127;", "").trim_end(),
                "{name} line {number}"
            );
            lines += 1;
            moves += problem.scores.len();
            let position = record::problem(Rules::Othello, &problem).unwrap();
            assert_eq!(
                position.moves().len(),
                problem.scores.len(),
                "{name} line {number} lists all moves"
            );
        }
        assert_eq!((lines, moves), (positions, scores), "{name}");
    }
}

#[test]
fn every_opening_is_read() {
    for (name, count) in [("xot/xot-small.txt", 3623), ("xot/xot-large.txt", 10784)] {
        let Some(path) = common::data(name) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        let openings: Vec<Transcript> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(openings.len(), count, "{name}");
        for (line, opening) in text.lines().zip(&openings) {
            assert_eq!(opening.moves.len(), 8, "{line}");
            assert_eq!(opening.to_string(), line.trim().to_lowercase());
            let game = record::line(Position::start(Rules::Othello), opening).unwrap();
            assert_eq!(game.history().len(), 8, "{line}");
        }
    }
}
