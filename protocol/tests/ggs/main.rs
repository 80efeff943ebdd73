//! GGS text: the layouts as they were observed, in one piece and cut anywhere.

mod round_trips;

use outflank_protocol::clock::{ClockPart, ClockTime};
use outflank_protocol::ggs::*;
use outflank_protocol::match_type::BoardSize;
use outflank_protocol::vocab::{Color, Diagram};

fn events(bytes: &[u8]) -> Vec<Event> {
    let mut assembler = Assembler::default();
    let mut found = Vec::new();
    assembler.push(bytes, |message| found.push(Event::parse(message)));
    found
}

fn event(text: &str) -> Event {
    Event::parse(&Message::new(text))
}

fn os(text: &str) -> Os {
    match event(&format!("/os: {text}")) {
        Event::Os(os) => os,
        other => panic!("{other:?}"),
    }
}

const JOIN_START: &str = "\
/os: join .4.0 s8r20 K?
|0 move(s)
|  0: PASS
|alice    (1720.0 *) 00:59,0:0//01:00,0:0
|bob      (1720.0 O) 01:00,0:0//01:00,0:0
|
|   A B C D E F G H
| 1 - - - - - - - - 1 
| 2 - - - - - - - - 2 
| 3 - - - - - - - - 3 
| 4 - - - O * - - - 4 
| 5 - - - * O - - - 5 
| 6 - - - - - - - - 6 
| 7 - - - - - - - - 7 
| 8 - - - - - - - - 8 
|   A B C D E F G H
|
|* to move";

const JOIN_MOVES: &str = "\
/os: join .2 8b K?
|3 move(s)
|alice    (1720.0 *) 00:20/00:01/00:20
|bob      (1720.0 O) 00:20/00:01/00:20
|
|   A B C D E F G H
| 1 - - - - - - - - 1 
| 2 - - - - - - - - 2 
| 3 - - - - - - - - 3 
| 4 - - - O * - - - 4 
| 5 - - - * O - - - 5 
| 6 - - - - - - - - 6 
| 7 - - - - - - - - 7 
| 8 - - - - - - - - 8 
|   A B C D E F G H
|
|* to move
|  1: f5//0.41
|  2: D6/1.50/0.41
|  3: c3//0.41
|alice    (1720.0 *) 00:20,2:0/00:01,2:1/00:20,2:0
|bob      (1720.0 O) 00:20,1:0/00:01,1:1/00:20,1:0
|
|   A B C D E F G H
| 1 - - - - - - - - 1 
| 2 - - - - - - - - 2 
| 3 - - * - - - - - 3 
| 4 - - - * * - - - 4 
| 5 - - - O * * - - 5 
| 6 - - - O - - - - 6 
| 7 - - - - - - - - 7 
| 8 - - - - - - - - 8 
|   A B C D E F G H
|
|O to move";

#[test]
fn a_join_without_moves() {
    let Event::Os(Os::Join(join)) = event(JOIN_START) else {
        panic!("{:?}", event(JOIN_START))
    };
    assert_eq!(join.game.to_string(), ".4.0");
    assert_eq!(join.match_type.to_string(), "s8r20");
    assert_eq!(
        (join.komi, join.moves.len(), join.start.is_none()),
        (None, 0, true)
    );
    assert_eq!(join.state.board, Diagram::standard());
    let [black, white] = &join.state.seats;
    assert_eq!((black.name.as_str(), black.color), ("alice", Some(Color::Black)));
    assert_eq!((white.name.as_str(), white.rating), ("bob", 1720.0));
    assert_eq!(black.clock.main.time, ClockTime::seconds(59));
    assert_eq!(black.clock.extension.unwrap().time, ClockTime::seconds(60));
    assert_eq!(Event::Os(Os::Join(join)).to_string(), JOIN_START);
    assert_eq!(JOIN_START.lines().count(), 18);
}

#[test]
fn a_join_with_moves() {
    let Event::Os(Os::Join(join)) = event(JOIN_MOVES) else {
        panic!("{:?}", event(JOIN_MOVES))
    };
    assert_eq!(JOIN_MOVES.lines().count(), 32 + 3);
    let start = join.start.as_ref().unwrap();
    assert_eq!(start.board, Diagram::standard());
    assert_eq!(start.seats[0].clock.to_string(), "00:20/00:01/00:20");
    assert_eq!(join.moves.len(), 3);
    assert_eq!(join.moves[1].eval, Some(1.5));
    assert_eq!(join.state.board.mover, Color::White);
    assert_eq!(join.state.board.cells[18], Some(Color::Black));
    assert_eq!(join.state.seats[1].clock.main.made, 1);
    let again = Event::Os(Os::Join(join)).to_string();
    assert_eq!(again, JOIN_MOVES.replace("D6/1.50", "d6/1.5"));
    // One line less, or a board with a hole, is not a board.
    let short = JOIN_MOVES.rsplit_once('\n').unwrap().0;
    assert!(matches!(event(short), Event::Os(Os::Text(_))));
    assert!(matches!(
        event(&JOIN_MOVES.replacen("- - * -", "- - x -", 1)),
        Event::Os(Os::Text(_))
    ));
}

#[test]
fn an_update() {
    let state = JOIN_MOVES.split("\n|  3: c3//0.41").nth(1).unwrap();
    let text = format!("/os: update .2 8b K?\n|  4: d3//1.22{state}");
    assert_eq!(text.lines().count(), 17);
    let Event::Os(Os::Update(update)) = event(&text) else {
        panic!("{:?}", event(&text))
    };
    assert_eq!(
        (update.ply, update.played.to_string()),
        (4, "d3//1.22".to_owned())
    );
    assert_eq!(update.state.board.mover, Color::White);
    assert_eq!(Event::Os(Os::Update(update)).to_string(), text);
    // Komi before and after it is settled.
    let komi = text
        .replace("8b K?", "8k K-3.125")
        .replace("(1720.0 *)", "(1720.0 ?)");
    let Event::Os(Os::Update(update)) = event(&komi) else {
        panic!()
    };
    assert_eq!((update.komi, update.state.seats[0].color), (Some(-3.125), None));
    // Other boards are told apart without being read.
    assert!(matches!(
        os("update .3 10 K?\n|  4: j9//1.22"),
        Os::OtherBoard { match_type, .. } if match_type.board == BoardSize::Ten
    ));
    assert_eq!(
        os("update .6 c3/0.50/0.30"),
        Os::CompactUpdate {
            game: ".6".parse().unwrap(),
            played: "c3/0.5/0.3".parse().unwrap()
        }
    );
    let Os::CompactJoin { game, record } = os("join .6 (;GM[Othello]PC[GGS/os]
|PB[alice]PW[bob]TY[8]
|B[f5//0.41];)")
    else {
        panic!()
    };
    assert_eq!(game.to_string(), ".6");
    assert_eq!((record.black.name.as_str(), record.moves.len()), ("alice", 1));
}

#[test]
fn requests() {
    let line = "/os: +   .2 1720.0 alice    05:00/00:10/01:00        8 U 1720.0 bob      04:00//02:00";
    let Event::Os(Os::Requested(request)) = event(line) else {
        panic!("{:?}", event(line))
    };
    assert_eq!(request.id, RequestId(2));
    assert_eq!(request.asker.name, "alice");
    assert_eq!(request.clock.increment, Some(ClockPart::seconds(10)));
    assert_eq!(request.kind, RequestKind::Unrated);
    assert_eq!(request.asked.as_ref().unwrap().name, "bob");
    assert_eq!(request.asked_clock.unwrap().main, Some(ClockPart::seconds(240)));
    assert_eq!(event(line).to_string(), line);
    let Os::Withdrawn(global) = os("-  .12 1720.0 alice    05:00//02:00    s8r20 R * *") else {
        panic!()
    };
    assert_eq!((global.asked, global.stored), (None, None));
    let Os::Requested(stored) = os("+   .3 1720.0 alice    05:00//02:00        8 S 1720.0 bob .19") else {
        panic!()
    };
    assert_eq!(
        (stored.kind, stored.stored),
        (RequestKind::Stored, Some(StoredId(19)))
    );
    // A request that is gone is not a match that is over.
    assert!(matches!(
        os("- .3 1720.0 a1 05:00//02:00 8 U 1720.0 b1"),
        Os::Withdrawn(_)
    ));
    assert!(matches!(
        os("- match .3 1720.0 a1 1720.0 b1 8 U +2.00"),
        Os::MatchEnd { .. }
    ));
}

#[test]
fn starts_and_ends() {
    let found = events(b"\r\n/os: \x07+ match .1 1720.0 alice 1700.5 bob s8r20 R\r\nREADY\r\n");
    let Event::Os(Os::MatchStart(line)) = &found[0] else {
        panic!("{found:?}")
    };
    assert_eq!((line.id, line.rated), (MatchId(1), Rated::Rated));
    assert_eq!(line.players[1].rating, 1700.5);
    assert_eq!(found[1], Event::Prompt { alert: false });
    let end = |tail: &str| match os(&format!("- match .1 1720.0 alice 1700.5 bob s8r20 R {tail}")) {
        Os::MatchEnd { result, stored, .. } => (result, stored),
        other => panic!("{other:?}"),
    };
    assert_eq!(end("+12.00 .44"), (MatchResult::Score(12.0), Some(StoredId(44))));
    assert_eq!(end("-65.00"), (MatchResult::Score(-65.0), None));
    assert_eq!(end("aborted"), (MatchResult::Aborted, None));
    assert_eq!(
        end("bob left .45"),
        (MatchResult::Left("bob".into()), Some(StoredId(45)))
    );
    for (text, result) in [
        ("+2.00", MatchResult::Score(2.0)),
        ("aborted", MatchResult::Aborted),
        ("player bob left", MatchResult::Left("bob".into())),
    ] {
        let line = format!("end .7.0 ( alice vs. bob ) {text}");
        let Os::GameEnd(end) = os(&line) else {
            panic!("{line}")
        };
        assert_eq!(end.result, result);
        assert_eq!(Os::GameEnd(end).to_string(), line);
    }
}

#[test]
fn notices() {
    let Os::TimeOut(soft) = os("timeout .2 alice (*)") else {
        panic!()
    };
    assert!(!soft.fatal && soft.color == Some(Color::Black));
    assert!(matches!(os("fatal-timeout .2.1 bob (O)"), Os::TimeOut(t) if t.fatal));
    assert!(matches!(
        os("trust-violation .2 alice (*) delta= 4 + 0.5 secs"),
        Os::TrustViolation(v) if v.text == "delta= 4 + 0.5 secs"
    ));
    assert!(matches!(
        os("abort .2 bob is asking"),
        Os::Proposal { what: Proposal::Abort, name, .. } if name == "bob"
    ));
    assert!(matches!(
        os("score .2 bob is offering"),
        Os::Proposal {
            what: Proposal::Score,
            ..
        }
    ));
    let Os::RatingUpdate { of, changes } = os(
        "rating_update .2\n|alice 1720.0 @ 350.0  +16.0 -> 1736.0 @ 330.1\n|bob 1720.0@350.0 -16->1704.0@330.1",
    ) else {
        panic!()
    };
    assert_eq!((of, changes.len()), (MatchId(2), 2));
    assert_eq!(changes[1].after, (1704.0, 330.1));
    assert_eq!(
        os("+  carl watch .19"),
        Os::Watch {
            on: true,
            name: "carl".into(),
            of: MatchId(19)
        }
    );
    // A player named like a message.
    assert!(matches!(os("- match watch .19"), Os::Watch { on: false, name, .. } if name == "match"));
    let Os::StoredList { matches, .. } =
        os("stored 1/1 alice\n|.19      29 Nov 2026 20:12:51 alice    bob      s8r14:l")
    else {
        panic!()
    };
    assert_eq!((matches[0].id, matches[0].why.as_str()), (StoredId(19), "l"));
    assert_eq!(os("comment .2 hello"), Os::Text("comment .2 hello".into()));
}

#[test]
fn refusals() {
    for (text, error) in [
        ("corrupt move", PlayError::Corrupt),
        ("illegal move", PlayError::Illegal),
        ("not your turn", PlayError::NotYourTurn),
        ("wrong game!", PlayError::WrongGame),
        ("you already sent the first move", PlayError::FirstMoveSent),
        ("move eval out of range", PlayError::Corrupt),
        ("move time >= 0 expected", PlayError::Corrupt),
        ("no undo in synchro games", PlayError::Other),
    ] {
        let Os::PlayRefused(refusal) = os(&format!("error .2.1 {text}")) else {
            panic!("{text}")
        };
        assert_eq!(
            (refusal.error(), refusal.game.to_string().as_str()),
            (error, ".2.1")
        );
    }
    assert_eq!(
        os("ERR match '.3' not found."),
        Os::NoSuchMatch(".3".parse().unwrap())
    );
    assert_eq!(
        os("ERR match '.3.1' not found."),
        Os::NoSuchMatch(".3.1".parse().unwrap())
    );
    assert_eq!(os("ERR request '.3' not found."), Os::NoSuchRequest(RequestId(3)));
    assert_eq!(
        os("ERR user 'x' not found."),
        Os::Refused("user 'x' not found.".into())
    );
    assert_eq!(
        os("decline ERR not found: .3"),
        Os::CommandRefused {
            command: "decline".into(),
            text: "not found: .3".into()
        }
    );
    assert_eq!(os("illegal board type"), Os::Text("illegal board type".into()));
    assert_eq!(
        event(": ERR user '/os' not found."),
        Event::Central(Central::Refused("user '/os' not found.".into()))
    );
}

#[test]
fn the_central_server() {
    assert_eq!(
        event(": Enter login (yours, or one you'd like to use)."),
        Event::AskLogin
    );
    assert_eq!(event(": Enter your password."), Event::AskPassword);
    assert_eq!(event("ALERT"), Event::Prompt { alert: true });
    let presence = |here, name: &str, level| {
        Event::Central(Central::Presence {
            here,
            name: name.into(),
            level,
        })
    };
    assert_eq!(event(": + /os 1"), presence(true, "/os", Some(1)));
    assert_eq!(event(": - /os 1"), presence(false, "/os", Some(1)));
    assert_eq!(event(": + /os"), presence(true, "/os", None));
    assert!(matches!(event(": + bob .chat"), Event::Central(Central::Text(_))));
    assert!(matches!(
        event(": +ack: t => tell"),
        Event::Central(Central::Text(_))
    ));
}

#[test]
fn chat_stays_chat() {
    let chat = |text: &str| match event(text) {
        Event::Chat(chat) => chat,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(chat("READY: READY").from, "READY");
    assert_eq!(chat("bob: /os: + match .1 1720.0 a 1700.5 b 8 R").from, "bob");
    assert_eq!(
        chat("bob: hi\n|/os: join .1 8 K?\n|READY").text,
        "hi\n/os: join .1 8 K?\nREADY"
    );
    assert_eq!(chat("/os:: hi").from, "/os:");
    assert_eq!(chat(":: hi").from, ":");
    assert_eq!(chat("ERR: : + /os 1").from, "ERR");
    assert_eq!(chat(".chat bob: hi").place, Place::Room(".chat".into()));
    assert_eq!(chat("_grp bob: READY").from, "bob");
    assert!(matches!(event("|user: hi"), Event::Chat(chat) if chat.from == "|user"));
    // At a match: the text of a stranger behind an id.
    let Os::Chat(said) = os(".2 A 1720.0 bob: error .2 illegal move\n|- match .2") else {
        panic!()
    };
    assert_eq!(
        (said.of, said.audience, said.name.as_str()),
        (MatchId(2), Audience::All, "bob")
    );
    assert_eq!(said.text, "error .2 illegal move\n- match .2");
    // Chat never becomes one of several messages.
    let stream = b"\r\nbob: READY | /os: x\r\r\n|READY\r\n|/os: - match .1\r\nREADY\r\n";
    assert_eq!(events(stream).len(), 2);
}

#[test]
fn commands() {
    for line in [
        "",
        "vt100 -",
        "bell -t -tc -tg -n -nc -ng -ni -nn",
        "verbose -news -faq -help -ack",
        "chann %",
        "notify + /os",
        "quit",
        "tell bob,.chat hello there",
        "tell /os open 1",
        "tell /os ask s8r20 05:00//02:00",
        "tell /os ask 8b 05:00//02:00 04:00/00:05/02:00 bob",
        "tell /os ask 8",
        "tell /os ask .19",
        "tell /os continue",
        "tell /os accept .2",
        "tell /os decline .2",
        "tell /os cancel .2",
        "tell /os aform ",
        "tell /os dform (size != 8) | komi",
        "tell /os play .7.0 f5/-2.5/0.8",
        "tell /os play pa//0.01",
        "tell /os resign .7",
        "tell /os abort .7",
        "tell /os break .7",
        "tell /os undo .7",
        "tell /os score .7 -12.00",
        "tell /os moves .7.1",
        "tell /os match bob",
        "tell /os watch + .7",
        "tell /os notify - *",
        "tell /os finger bob",
        "tell /os stored",
        "tell /os history",
        "tell /os look .1402",
        "tell /os tell a .7 good game",
        "tell /os trust +",
        "tell /os rated -",
        "tell /os client -",
        "tell /os request -",
        "tell /os vt100 -",
        "tell /os bell -r -p -w -n -ns -nn -nt -ni -nr -nw -ta -to -tp",
    ] {
        let command: Command = line.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(command.to_string(), line);
    }
    for line in [
        "tell /os play",
        "tell /os accept 2",
        "xyzzy",
        "tell",
        "tell /os trust",
    ] {
        assert!(line.parse::<Command>().is_err(), "{line}");
    }
    // What the server would take apart is not sent.
    let tell = Command::Tell {
        to: "bob".into(),
        text: "a\\quit\n$x\r".into(),
    };
    assert_eq!(tell.to_string(), "tell bob aquitx");
}

/// Fragmentation at every byte of a stream that has everything in it.
#[test]
fn every_cut_gives_the_same_events() {
    let mut stream = String::new();
    for text in [
        JOIN_START,
        JOIN_MOVES,
        "bob: hi\n|there",
        "/os: - match .1 1720.0 a1 1720.0 b1 8 U +2.00",
    ] {
        stream.push_str(&format!("\r\n{}\r\nREADY\r\n", text.replace('\n', "\r\n")));
    }
    stream.push_str("\x1b[2K\r/os: \x07error .2 not your turn\nALERT\n: Enter login (x).\r\n");
    let bytes = stream.as_bytes();
    let whole = events(bytes);
    assert_eq!(whole.len(), 11);
    for cut in 0..=bytes.len() {
        let mut assembler = Assembler::default();
        let mut found = Vec::new();
        let (first, second) = bytes.split_at(cut);
        assembler.push(first, |message| found.push(Event::parse(message)));
        assembler.push(second, |message| found.push(Event::parse(message)));
        assert_eq!(found, whole, "cut at {cut}");
    }
    let mut assembler = Assembler::default();
    let mut found = Vec::new();
    for byte in bytes.chunks(1) {
        assembler.push(byte, |message| found.push(Event::parse(message)));
    }
    assert_eq!(found, whole);
}
