use super::*;
use crate::vocab::{Color, Move, Square};
use proptest::prelude::*;
use std::time::Duration;

fn command(line: &str) -> Command {
    line.parse().unwrap()
}

fn request(line: &str) -> Request {
    match Line::read(line) {
        Line::Request(request) => request,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn both_cases_and_every_pass() {
    let f5 = Move::Place("f5".parse().unwrap());
    for line in [
        "play b f5",
        "PLAY B F5",
        "play black F5",
        "play  Black\tf5",
        "Play BLACK f5 ",
    ] {
        assert_eq!(
            request(line).command,
            Ok(Command::Play(Color::Black, f5)),
            "{line}"
        );
    }
    for pass in ["pass", "PASS", "Pass", "pa", "PA"] {
        assert_eq!(
            command(&format!("play w {pass}")),
            Command::Play(Color::White, Move::Pass),
            "{pass}"
        );
    }
    assert_eq!(command("genmove W"), Command::Genmove(Color::White));
}

#[test]
fn numbers_comments_and_control_characters() {
    assert_eq!(request("7 name").id, Some(7));
    assert_eq!(
        request("  007 \u{1}na\u{7f}me # who are you\r"),
        Request {
            id: Some(7),
            command: Ok(Command::Name)
        }
    );
    for nothing in ["", "  \t", "# play b f5", "\u{0}", "#"] {
        assert_eq!(Line::read(nothing), Line::Nothing, "{nothing:?}");
    }
    assert_eq!(Line::read("# interrupt"), Line::Interrupt);
    assert_eq!(request("7").command, Err(LineError::Unknown("7".into())));
    assert_eq!(request("7name").id, None);
    assert_eq!(
        request("99999999999 name").command,
        Err(LineError::Unknown("99999999999".into()))
    );
}

#[test]
fn times() {
    let settings = |main, period, stones| {
        Command::TimeSettings(TimeSettings {
            main: Duration::from_millis(main),
            period: Duration::from_millis(period),
            stones,
        })
    };
    assert_eq!(command("time_settings 300 0 0"), settings(300_000, 0, 0));
    assert_eq!(command("time_settings 0 2.5 1"), settings(0, 2500, 1));
    let left = |color, time, stones| Command::TimeLeft {
        color,
        time: Duration::from_millis(time),
        stones,
    };
    assert_eq!(command("time_left b 12 0"), left(Color::Black, 12_000, 0));
    assert_eq!(command("time_left white -3 2"), left(Color::White, 0, 2));
    for bad in [
        "time_settings 1 2",
        "time_settings -1 0 0",
        "time_settings 1e30 0 0",
        "time_left b x 0",
        "time_left b 1 -1",
    ] {
        assert!(bad.parse::<Command>().is_err(), "{bad}");
    }
}

#[test]
fn files() {
    let load = |file: &str, before| Command::LoadSgf {
        file: file.into(),
        before,
    };
    assert_eq!(command("loadsgf a.sgf"), load("a.sgf", None));
    assert_eq!(
        command("loadsgf my games/a 1.sgf  12"),
        load("my games/a 1.sgf", Some(12))
    );
    assert_eq!(command("loadsgf 12"), load("12", None));
}

#[test]
fn each_error_says_where() {
    let message = |line: &str| line.parse::<Command>().unwrap_err().to_string();
    assert_eq!(message("foo b"), "unknown command 'foo'");
    assert_eq!(message("play b"), "'play' lacks a square a1..h8 or pass");
    assert_eq!(
        message("time_left b 10"),
        "'time_left' lacks a number of stones, at least 0"
    );
    assert_eq!(message("play"), "'play' lacks a colour b, w, black or white");
    assert_eq!(
        message("play b i9"),
        "'play', column 8: 'i9' is not a square a1..h8 or pass"
    );
    assert_eq!(
        message("genmove b f5"),
        "'genmove', column 11: 'f5' where the line should end"
    );
    assert_eq!(
        message("boardsize eight"),
        "'boardsize', column 11: 'eight' is not a whole number of at least 0"
    );
}

#[test]
fn replies_end_with_one_empty_line() {
    let reply = |id, text: &str| Reply {
        id,
        text: Ok(text.into()),
    };
    assert_eq!(reply(Some(7), "f5").to_string(), "=7 f5\n");
    assert_eq!(reply(None, "").to_string(), "=\n");
    assert_eq!(reply(None, "a\n\n\nb\n").to_string(), "= a\nb\n");
    assert_eq!(reply(None, "\n a b\n1").to_string(), "=\n a b\n1\n");
    let failure = Reply {
        id: Some(3),
        text: Err(Failure::CannotUndo.to_string()),
    };
    assert_eq!(failure.to_string(), "?3 cannot undo\n");
    assert_eq!("?3 cannot undo\n\n".parse(), Ok(failure));
    assert_eq!("=\n\n".parse(), Ok(reply(None, "")));
    assert_eq!("= 7 f5\n".parse(), Ok(reply(None, "7 f5")));
    assert!("f5".parse::<Reply>().is_err());
}

#[test]
fn failures_begin_as_the_protocol_says() {
    let text = |line: &str| Failure::from(line.parse::<Command>().unwrap_err()).to_string();
    assert_eq!(text("foo"), "unknown command");
    assert_eq!(
        text("play b"),
        "syntax error: 'play' lacks a square a1..h8 or pass"
    );
}

fn any_command() -> impl Strategy<Value = Command> {
    let color = || prop::sample::select(vec![Color::Black, Color::White]);
    let mv = (0u8..66).prop_map(|i| Square::new(i).map_or(Move::Pass, Move::Place));
    let time = || {
        prop_oneof![0u64..100_000_000, (0u64..10_000).prop_map(|s| s * 1000)].prop_map(Duration::from_millis)
    };
    prop_oneof![
        prop::sample::select(Command::NAMES.to_vec())
            .prop_filter_map("needs arguments", |name| name.parse().ok()),
        "[a-z_-]{1,12}".prop_map(Command::KnownCommand),
        any::<u32>().prop_map(Command::BoardSize),
        (-1000i32..1000).prop_map(|n| Command::Komi(f64::from(n) / 4.0)),
        (color(), mv).prop_map(|(color, mv)| Command::Play(color, mv)),
        color().prop_map(Command::Genmove),
        color().prop_map(Command::RegGenmove),
        (time(), time(), any::<u32>())
            .prop_map(|(main, period, stones)| Command::TimeSettings(TimeSettings { main, period, stones })),
        (color(), time(), any::<u32>()).prop_map(|(color, time, stones)| Command::TimeLeft {
            color,
            time,
            stones
        }),
        ("[a-z./]{1,8}( [a-z]{1,5})?", prop::option::of(any::<u32>()))
            .prop_map(|(file, before)| Command::LoadSgf { file, before }),
        "[A-Za-z]{1,8}".prop_map(Command::SetGame),
    ]
}

proptest! {
    #[test]
    fn requests_print_what_they_read(id in prop::option::of(any::<u32>()), command in any_command()) {
        let request = Request { id, command: Ok(command) };
        prop_assert_eq!(Line::read(&request.to_string()), Line::Request(request));
    }

    #[test]
    fn replies_print_what_they_read(id in prop::option::of(any::<u32>()), good: bool, text in "([a-z =?][a-z =?\n]*[a-z])?") {
        let text: String = text.trim().split('\n').filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n");
        let reply = Reply { id, text: if good { Ok(text) } else { Err(text) } };
        let printed = format!("{reply}\n");
        prop_assert_eq!(printed.matches("\n\n").count(), 1);
        prop_assert_eq!(printed.parse::<Reply>(), Ok(reply));
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..80), name in prop::sample::select(Command::NAMES.to_vec())) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = Line::read(&text);
        let _ = Line::read(&format!("{name} {text}"));
        let _ = text.parse::<Reply>();
    }
}
