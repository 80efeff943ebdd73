//! Printers against parsers, and hostile bytes.

use super::events;
use outflank_protocol::clock::{ClockPart, ClockSetting, ClockTime};
use outflank_protocol::ggs::*;
use outflank_protocol::match_type::{MatchType, Start};
use outflank_protocol::vocab::{Cells, Color, Diagram, Move, Square};
use proptest::collection::vec;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z*|:][a-zA-Z0-9:|.()*-]{1,7}"
}

fn number() -> impl Strategy<Value = f64> {
    (-99_999i32..100_000).prop_map(|hundredths| f64::from(hundredths) / 100.0)
}

fn rating() -> impl Strategy<Value = f64> {
    (0i32..30_000).prop_map(|tenths| f64::from(tenths) / 10.0)
}

fn player() -> impl Strategy<Value = Player> {
    (name(), rating()).prop_map(|(name, rating)| Player { name, rating })
}

fn color() -> impl Strategy<Value = Color> {
    any::<bool>().prop_map(|black| if black { Color::Black } else { Color::White })
}

fn clock_part() -> impl Strategy<Value = ClockPart> {
    (0u32..100_000).prop_map(ClockPart::seconds)
}

fn setting() -> impl Strategy<Value = ClockSetting> {
    (
        clock_part(),
        proptest::option::of(clock_part()),
        proptest::option::of(clock_part()),
    )
        .prop_map(|(main, increment, extension)| ClockSetting {
            main: Some(main),
            increment,
            extension,
        })
}

fn running_part() -> impl Strategy<Value = RunningPart> {
    (-5_000i64..100_000, any::<bool>(), 0u32..61, 0u32..61).prop_map(|(time, neutral, made, per)| {
        RunningPart {
            time: ClockTime::seconds(time),
            neutral,
            made,
            per,
        }
    })
}

fn running() -> impl Strategy<Value = RunningClock> {
    (
        running_part(),
        proptest::option::of(running_part()),
        proptest::option::of(running_part()),
    )
        .prop_map(|(main, increment, extension)| RunningClock {
            main,
            increment,
            extension,
        })
}

fn match_type() -> impl Strategy<Value = MatchType> {
    (any::<bool>(), any::<bool>(), 4u8..49).prop_map(|(synchro, random, discs)| MatchType {
        synchro,
        komi: random && !synchro,
        start: if random {
            Start::Random(Some(discs))
        } else {
            Start::Standard
        },
        ..MatchType::STANDARD
    })
}

fn game_id() -> impl Strategy<Value = GameId> {
    (0u32..1000, proptest::option::of(0u8..2)).prop_map(|(of, half)| GameId {
        of: MatchId(of),
        half,
    })
}

fn played() -> impl Strategy<Value = PlayedMove> {
    let play = prop_oneof![
        1 => Just(Move::Pass),
        9 => (0u8..64).prop_map(|index| Move::Place(Square::new(index).unwrap())),
    ];
    (
        play,
        proptest::option::of(number()),
        proptest::option::of((0i32..99_999).prop_map(|h| f64::from(h) / 100.0)),
    )
        .prop_map(|(mv, eval, seconds)| PlayedMove { mv, eval, seconds })
}

fn diagram() -> impl Strategy<Value = Diagram> {
    (vec(proptest::option::of(color()), 64), color()).prop_map(|(cells, mover)| Diagram {
        cells: Cells::try_from(cells).unwrap(),
        mover,
    })
}

fn snapshot<C: std::fmt::Debug + 'static>(clock: BoxedStrategy<C>) -> impl Strategy<Value = Snapshot<C>> {
    let seat =
        (name(), rating(), proptest::option::of(color()), clock).prop_map(|(name, rating, color, clock)| {
            Seat {
                name,
                rating,
                color,
                clock,
            }
        });
    let seat = seat.boxed();
    let seats = [seat.clone(), seat];
    (seats, diagram()).prop_map(|(seats, board)| Snapshot { seats, board })
}

fn komi() -> impl Strategy<Value = Option<f64>> {
    proptest::option::of((-64_000i32..64_000).prop_map(|thousandths| f64::from(thousandths) / 1000.0))
}

fn join() -> impl Strategy<Value = Join> {
    let start = snapshot(setting().boxed());
    (
        game_id(),
        match_type(),
        komi(),
        start,
        vec(played(), 0..70),
        snapshot(running().boxed()),
    )
        .prop_map(|(game, match_type, komi, start, moves, state)| Join {
            game,
            match_type,
            komi,
            start: (!moves.is_empty()).then_some(start),
            moves,
            state,
        })
}

fn update() -> impl Strategy<Value = Update> {
    (
        game_id(),
        match_type(),
        komi(),
        0u32..70,
        played(),
        snapshot(running().boxed()),
    )
        .prop_map(|(game, match_type, komi, ply, played, state)| Update {
            game,
            match_type,
            komi,
            ply,
            played,
            state,
        })
}

fn line_text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9|/:.()*+?!'-][ a-zA-Z0-9|/:.()*+?!'-]{0,30}[a-zA-Z0-9|/:.()*+?!'-]"
}

fn result() -> impl Strategy<Value = MatchResult> {
    prop_oneof![
        number().prop_map(MatchResult::Score),
        Just(MatchResult::Aborted),
        name().prop_map(MatchResult::Left),
    ]
}

fn request() -> impl Strategy<Value = Request> {
    let kind = prop_oneof![
        Just(RequestKind::Rated),
        Just(RequestKind::Unrated),
        Just(RequestKind::Tournament),
        Just(RequestKind::Stored)
    ];
    (
        (0u32..999, player(), setting(), match_type(), kind),
        (
            proptest::option::of(player()),
            proptest::option::of(setting()),
            proptest::option::of(0u32..99_999),
        ),
    )
        .prop_map(
            |((id, asker, clock, match_type, kind), (asked, asked_clock, stored))| Request {
                id: RequestId(id),
                asker,
                clock,
                match_type,
                kind,
                asked,
                asked_clock,
                stored: stored.map(StoredId),
            },
        )
}

fn match_line() -> impl Strategy<Value = MatchLine> {
    let rated = prop_oneof![Just(Rated::Rated), Just(Rated::Unrated), Just(Rated::Tournament)];
    (0u32..999, player(), player(), match_type(), rated).prop_map(|(id, first, second, match_type, rated)| {
        MatchLine {
            id: MatchId(id),
            players: [first, second],
            match_type,
            rated,
        }
    })
}

fn any_os() -> impl Strategy<Value = Os> {
    let change = (name(), rating(), rating(), -999i32..999, rating()).prop_map(
        |(name, before, dev, change, after)| RatingChange {
            name: name.replace(['@', '>'], "x"),
            before: (before, dev),
            change: f64::from(change) / 10.0,
            after: (after, dev),
        },
    );
    prop_oneof![
        join().prop_map(|join| Os::Join(Box::new(join))),
        update().prop_map(|update| Os::Update(Box::new(update))),
        (game_id(), played()).prop_map(|(game, played)| Os::CompactUpdate { game, played }),
        request().prop_map(Os::Requested),
        request().prop_map(Os::Withdrawn),
        match_line().prop_map(Os::MatchStart),
        (match_line(), result(), proptest::option::of(0u32..99_999)).prop_map(|(line, result, stored)| {
            Os::MatchEnd {
                line,
                result,
                stored: stored.map(StoredId),
            }
        }),
        (game_id(), name(), name(), result()).prop_map(|(game, first, second, result)| Os::GameEnd(
            GameEnd {
                game,
                players: [first, second],
                result
            }
        )),
        (game_id(), name(), proptest::option::of(color()), any::<bool>()).prop_map(
            |(game, name, color, fatal)| Os::TimeOut(TimeOut {
                game,
                name,
                color,
                fatal
            })
        ),
        (0u32..999, vec(change, 2)).prop_map(|(of, changes)| Os::RatingUpdate {
            of: MatchId(of),
            changes
        }),
        (game_id(), line_text()).prop_map(|(game, text)| Os::PlayRefused(PlayRefusal { game, text })),
        (0u32..999, rating(), name(), line_text()).prop_map(|(of, rating, name, text)| Os::Chat(MatchChat {
            of: MatchId(of),
            audience: Audience::All,
            rating,
            name,
            text
        })),
        (any::<bool>(), name(), 0u32..999).prop_map(|(on, name, of)| Os::Watch {
            on,
            name,
            of: MatchId(of)
        }),
    ]
}

proptest! {
    #[test]
    fn every_message_of_the_service_prints_what_it_reads(os in any_os()) {
        let event = Event::Os(os);
        let text = event.to_string();
        prop_assert_eq!(&Event::parse(&Message::new(text.clone())), &event);
        // And through the network, in two pieces, with all that decorates a line.
        let stream = format!("\r\n{}\r\nREADY\r\n", text.replace('\n', "\r\n").replacen("/os: ", "/os: \x07", 1));
        for cut in [0, stream.len() / 3, stream.len() / 2] {
            let mut assembler = Assembler::default();
            let mut found = Vec::new();
            let (first, second) = stream.as_bytes().split_at(cut);
            assembler.push(first, |message| found.push(Event::parse(message)));
            assembler.push(second, |message| found.push(Event::parse(message)));
            prop_assert_eq!(&found, &[event.clone(), Event::Prompt { alert: false }]);
        }
    }

    #[test]
    fn chat_is_read_as_chat(from in "[a-zA-Z:|*][!-~]{1,7}", text in line_text()) {
        prop_assume!(!from.contains(','));
        let event = Event::Chat(Chat { from, place: Place::Private, text });
        prop_assert_eq!(Event::parse(&Message::new(event.to_string())), event);
    }

    #[test]
    fn any_bytes_are_answered(bytes in vec(any::<u8>(), 0..400), words in vec(hostile(), 0..60)) {
        events(&bytes);
        let text = words.concat();
        let found = events(text.as_bytes());
        prop_assert!(found.len() <= text.len());
        for event in found {
            // Whatever it is, it prints, and it reads itself again without a panic.
            let _ = Event::parse(&Message::new(event.to_string()));
        }
        let _ = text.parse::<Command>();
    }
}

/// Pieces of real messages, in any order.
fn hostile() -> impl Strategy<Value = String> {
    const PIECES: [&str; 40] = [
        "/os: ",
        "join ",
        "update ",
        ".4.0 ",
        ".4 ",
        "s8r20 ",
        "8 ",
        "K? ",
        "K1.5 ",
        "\n",
        "\r\n|",
        "|",
        "READY\n",
        "0 move(s)",
        "  0: PASS",
        "99999999999999999999 move(s)",
        "3 move(s)",
        "  1: f5//0.41",
        "alice    (1720.0 *) 00:59,0:0//01:00,0:0",
        "|   A B C D E F G H\n",
        "| 1 - - - - - - - - 1 \n",
        "|* to move\n",
        "+ ",
        "- ",
        "match ",
        "1720.0 ",
        "alice ",
        "R ",
        "error ",
        "ERR ",
        ": ",
        ": Enter login\n",
        "left ",
        "\x1b[",
        "\x07",
        "é",
        "timeout ",
        "(*) ",
        "rating_update ",
        "@ ->",
    ];
    prop_oneof![
        9 => (0usize..PIECES.len()).prop_map(|index| PIECES[index].to_owned()),
        1 => ".{0,10}",
    ]
}
