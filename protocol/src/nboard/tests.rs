use super::*;
use crate::ggf;
use crate::played::Played;
use crate::vocab::{Color, Diagram, Move, Square};
use proptest::prelude::*;

fn command(line: &str) -> Command {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn reply(line: &str) -> Reply {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn commands_print_as_the_board_program_writes_them() {
    for line in [
        "nboard 2",
        "set depth 12",
        "set contempt -100",
        "set rules free,pass=allowed",
        "move F5",
        "move F5//4.355",
        "move F4/1.23/0.3",
        "move F4/-1",
        "move PA//1.23",
        "hint 64",
        "go",
        "ping 7",
        "learn",
        "analyze",
        "quit",
    ] {
        assert_eq!(command(line).to_string(), line);
    }
}

#[test]
fn odd_but_good_commands() {
    let d3 = |eval, seconds| {
        Command::Move(Played {
            mv: mv("d3"),
            eval,
            seconds,
        })
    };
    assert_eq!(command("move D3/1,23/0.3\r"), d3(Some(1.23), Some(0.3)));
    assert_eq!(command("move d3 -1.00 0.5"), d3(Some(-1.0), Some(0.5)));
    assert_eq!(
        command("move d3   -1.00   0.5  and more"),
        d3(Some(-1.0), Some(0.5))
    );
    assert_eq!(command("move D3//5.0E-4"), d3(None, Some(0.0005)));
    // Version 1.
    assert_eq!(command("D3"), d3(None, None));
    assert_eq!(command("d3/1.5/2"), d3(Some(1.5), Some(2.0)));
    assert_eq!(command("PA"), Command::Move(Played::bare(Move::Pass)));
    assert_eq!(command("  ping \t 7 "), Command::Ping(7));
    assert_eq!(command("ping -3"), Command::Ping(-3));
}

#[test]
fn the_first_game_of_a_session() {
    let line = "set game (;GM[Othello]PC[NBoard]DT[2026-11-29 20:07:26 GMT]PB[]PW[]RE[?]TI[5:00]TY[8]\
                BO[8 ---------------------------O*------*O--------------------------- *]B[F5//4.355];)";
    let Command::SetGame(game) = command(line) else {
        panic!()
    };
    assert_eq!(game.playable().unwrap().start, Diagram::standard());
    assert_eq!(game.moves.len(), 1);
    assert_eq!(
        command(&Command::SetGame(game.clone()).to_string()),
        Command::SetGame(game)
    );
}

#[test]
fn three_kinds_of_errors() {
    let error = |line: &str| line.parse::<Command>().unwrap_err().to_string();
    assert_eq!(error("foo bar"), "unknown command 'foo'");
    assert_eq!(error("set foo 3"), "unknown command 'set foo'");
    assert_eq!(error("clear"), "unknown command 'clear'");
    assert_eq!(error("p"), "unknown command 'p'");
    assert_eq!(error("ping"), "'ping' lacks a whole number");
    assert_eq!(error("move"), "'move' lacks a move");
    assert_eq!(
        error("set"),
        "'set' lacks game, depth, contempt, rules, movetime or nodes"
    );
    assert_eq!(error("set game"), "'set game' lacks a game (;...;)");
    assert_eq!(error("set depth"), "'set depth' lacks a number of at least 1");
    assert_eq!(error("ping x"), "'ping', column 6: 'x' is not a whole number");
    assert_eq!(
        error("hint 0"),
        "'hint', column 6: '0' is not a number of at least 1"
    );
    assert_eq!(
        error("  set depth -4"),
        "'set depth', column 13: '-4' is not a number of at least 1"
    );
    assert_eq!(error("go now"), "'go', column 4: 'now' where the line should end");
    assert_eq!(
        error("move E9/1/2"),
        "'move', column 6: 'E9' is not a move a1..h8 or a pass"
    );
    assert_eq!(
        error("nboard ü"),
        "'nboard', column 8: 'ü' is not a version number"
    );
    let game = error("set game (;GM[Chess];)");
    assert!(game.starts_with("'set game', column 12: "), "{game}");
    assert!(error(&format!("hint {}", "9".repeat(100_000))).len() < 200);
    assert!(error(&"x".repeat(100_000)).len() < 200);
}

#[test]
fn replies_of_other_engines() {
    let played = |eval, seconds| {
        Reply::Move(Played {
            mv: mv("d6"),
            eval,
            seconds,
        })
    };
    assert_eq!(reply("=== D6/-1.27/0.00"), played(Some(-1.27), Some(0.0)));
    assert_eq!(reply("=== d6 -1.00 0.0"), played(Some(-1.0), Some(0.0)));
    assert_eq!(reply("=== D6"), played(None, None));
    assert_eq!(
        reply("=== PASS//0.00"),
        Reply::Move(Played {
            mv: Move::Pass,
            eval: None,
            seconds: Some(0.0)
        })
    );
    assert_eq!(reply("=== --"), Reply::Move(Played::bare(Move::Pass)));
    assert_eq!(reply("set myname Edax6 and more"), Reply::MyName("Edax6".into()));
    assert_eq!(reply("learn"), Reply::Learned);
    assert_eq!(reply("pong 7 x"), Reply::Pong(7));
    assert_eq!(
        reply("status   Edax is thinking "),
        Reply::Status("Edax is thinking".into())
    );
    let Reply::Search(padded) = reply("search G3       -1.65 0   1") else {
        panic!()
    };
    assert_eq!((padded.pv, padded.value), (vec![mv("g3")], Value::Single(-1.65)));
    for pv in ["F5-D6-PA-C3", "f5d6paC3", "F5d6PAc3"] {
        let Reply::Search(found) = reply(&format!("search {pv} +1.50 0 26 book")) else {
            panic!()
        };
        assert_eq!(found.pv, [mv("f5"), mv("d6"), Move::Pass, mv("c3")]);
        assert_eq!(
            (found.depth.to_string().as_str(), found.text.as_str()),
            ("26", "book")
        );
    }
    let Reply::Book { candidate, games } = reply("book F5d6C3 +0.00 17 26") else {
        panic!()
    };
    assert_eq!((candidate.value, games), (Value::Single(0.0), 17));
    assert_eq!(Value::Pair(2.0, -1.0).neutral(), 0.0);
    assert_eq!(Value::Pair(-1.0, -3.0).neutral(), -1.0);
}

#[test]
fn bad_replies() {
    let error = |line: &str| line.parse::<Reply>().unwrap_err().to_string();
    assert_eq!(error("warning Must pick a depth"), "unknown command 'warning'");
    assert_eq!(error("===F5"), "unknown command '===F5'");
    assert_eq!(error("==="), "'===' lacks a move");
    assert_eq!(error("search F5 1"), "'search' lacks a whole number");
    assert_eq!(
        error("search F5 1,2 0 4"),
        "'search', column 11: '1,2' is not an evaluation"
    );
    assert_eq!(
        error("search F5 1 0 @98%"),
        "'search', column 15: '@98%' is not a depth such as 12 or 100%"
    );
    assert_eq!(
        error("search F5D 1 0 4"),
        "'search', column 8: 'F5D' is not a line of play such as F5-D6"
    );
    assert_eq!(
        error("nodestats 1 -2"),
        "'nodestats', column 13: '-2' is not a number of seconds"
    );
}

#[test]
fn only_ascii_on_one_line_is_printed() {
    assert_eq!(
        Reply::Status("unknown 'ü\n\0'".into()).to_string(),
        "status unknown '???'"
    );
    assert_eq!(Reply::Status(String::new()).to_string(), "status");
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![9 => (0..64u8).prop_map(|at| Move::Place(Square::new(at).unwrap())), 1 => Just(Move::Pass)]
}

fn discs() -> impl Strategy<Value = f64> {
    (-6400..=6400i32).prop_map(|hundredths| f64::from(hundredths) / 100.0)
}

fn seconds() -> impl Strategy<Value = f64> {
    (0..1_000_000u32).prop_map(|millis| f64::from(millis) / 1000.0)
}

fn played() -> impl Strategy<Value = Played<Move>> {
    (
        moves(),
        proptest::option::of(discs()),
        proptest::option::of(seconds()),
    )
        .prop_map(|(mv, eval, seconds)| Played { mv, eval, seconds })
}

fn games() -> impl Strategy<Value = Box<ggf::Game>> {
    prop::collection::vec((any::<bool>(), played()), 0..70).prop_map(|turns| {
        let mut game = ggf::Game::new(Diagram::standard());
        for (black, played) in turns {
            game.push(if black { Color::Black } else { Color::White }, played);
        }
        Box::new(game)
    })
}

fn commands() -> impl Strategy<Value = Command> {
    prop_oneof![
        any::<u32>().prop_map(Command::Nboard),
        games().prop_map(Command::SetGame),
        (1..=u32::MAX).prop_map(Command::SetDepth),
        any::<i32>().prop_map(Command::SetContempt),
        "[!-~]([ -~]{0,20}[!-~])?".prop_map(Command::SetRules),
        any::<u32>().prop_map(Command::SetMovetime),
        any::<u64>().prop_map(Command::SetNodes),
        played().prop_map(Command::Move),
        (1..=u32::MAX).prop_map(Command::Hint),
        any::<i64>().prop_map(Command::Ping),
        Just(Command::Go),
        Just(Command::Learn),
        Just(Command::Analyze),
        Just(Command::Quit),
    ]
}

fn candidates() -> impl Strategy<Value = Candidate> {
    let value = prop_oneof![
        discs().prop_map(Value::Single),
        (discs(), discs()).prop_map(|(a, b)| Value::Pair(a.max(b), a.min(b))),
    ];
    let depth = prop_oneof!["[1-9][0-9]?", "[1-9][0-9]?@[1-9][0-9]%", "100%W?"];
    (
        prop::collection::vec(moves(), 1..60),
        value,
        depth,
        "([!-~]([ -~]{0,20}[!-~])?)?",
    )
        .prop_map(|(pv, value, depth, text)| Candidate {
            pv,
            value,
            depth: depth.parse().unwrap(),
            text,
        })
}

fn replies() -> impl Strategy<Value = Reply> {
    prop_oneof![
        "[!-~]{1,20}".prop_map(Reply::MyName),
        "([!-~]([ -~]{0,60}[!-~])?)?".prop_map(Reply::Status),
        any::<i64>().prop_map(Reply::Pong),
        played().prop_map(Reply::Move),
        candidates().prop_map(Reply::Search),
        (candidates(), any::<i32>()).prop_map(|(candidate, games)| Reply::Book { candidate, games }),
        (any::<u64>(), seconds()).prop_map(|(nodes, seconds)| Reply::NodeStats { nodes, seconds }),
        (any::<u32>(), discs()).prop_map(|(ply, eval)| Reply::Analysis { ply, eval }),
        Just(Reply::Learned),
    ]
}

proptest! {
    #[test]
    fn commands_read_back(command in commands()) {
        let line = command.to_string();
        prop_assert_eq!(line.parse::<Command>(), Ok(command), "{}", line);
    }

    #[test]
    fn replies_read_back(reply in replies()) {
        let line = reply.to_string();
        prop_assert!(line.is_ascii());
        prop_assert_eq!(line.parse::<Reply>(), Ok(reply), "{}", line);
    }

    #[test]
    fn no_line_panics(
        word in "|nboard|set|set game|set depth|set rules|move|hint|go|ping|f5|===|search|book|nodestats|analysis|pong",
        rest in "\\PC{0,60}|[ -~]{0,60}|[(;\\[\\])A-H1-8*O -]{0,80}",
    ) {
        for line in [format!("{word} {rest}"), rest] {
            if let Ok(command) = line.parse::<Command>() {
                let printed = command.to_string();
                prop_assert_eq!(printed.parse::<Command>(), Ok(command), "{}", printed);
            }
            let _ = line.parse::<Reply>();
        }
    }
}
