use super::*;
use crate::clock::{ClockPart, ClockTime};
use proptest::prelude::*;

const NBOARD: &str = "(;GM[Othello]PC[NBoard]DT[2026-11-29 20:07:26 GMT]PB[]PW[Stub]RE[?]TI[5:00]TY[8]\
    BO[8 ---------------------------O*------*O--------------------------- *]B[F5//4.355]W[F4/1,23/0.3]B[PA/-1.00];)";

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn a_game_of_nboard() {
    let game: Game = NBOARD.parse().unwrap();
    assert_eq!(
        (game.place.as_str(), game.date.as_str()),
        ("NBoard", "2026-11-29 20:07:26 GMT")
    );
    assert_eq!((game.black.name.as_str(), game.white.name.as_str()), ("", "Stub"));
    assert_eq!(game.result, Outcome::default());
    assert_eq!(game.black.clock.unwrap().main, Some(ClockPart::seconds(300)));
    assert_eq!(game.white.clock.unwrap().extension, None);
    let playable = game.playable().unwrap();
    assert_eq!(playable.start, Diagram::standard());
    let turn = |color, text, eval, seconds| Turn {
        color,
        played: Played {
            mv: mv(text),
            eval,
            seconds,
        },
    };
    assert_eq!(
        playable.moves,
        [
            turn(Color::Black, "f5", None, Some(4.355)),
            turn(Color::White, "f4", Some(1.23), Some(0.3)),
            turn(Color::Black, "pa", Some(-1.0), None),
        ]
    );
    assert!(game.skipped.is_empty());
}

#[test]
fn ggs_layout_komi_and_flags() {
    let text = "1 (;GM[Othello]PC[GGS/os]DT[940607137]PB[igor]PW[ant]RB[1084.65]RW[1640.99]TI[15:00//02:00]TY[8kr20]\
        KB[B3/2.00/27.23]KW[B3/-8.27]KM[-3.133]RE[-22.87:r]BO[8 -------- ---*---- --OOOO-- -*OOO*-- -O**OO-- --OO**-- \
        ----*--- -------- *]B[B3/2.00/27.23]W[pass//0.01];)\n";
    let game: Game = text.parse().unwrap();
    assert_eq!(game.komi, Some(-3.133));
    assert_eq!(
        game.result,
        Outcome {
            discs: Some(-22.87),
            ending: Some(Ending::Resigned)
        }
    );
    assert_eq!(game.black.bid.unwrap().eval, Some(2.0));
    assert_eq!(game.white.rating, Some(1640.99));
    assert_eq!(game.kind.to_string(), "8kr20");
    assert_eq!(game.playable().unwrap().moves[1].played.mv, Move::Pass);
}

#[test]
fn what_cannot_hurt_is_kept_aside() {
    let text = "(; GM[Othello] FOO[b[a)r] PB[\u{e9}\u{fffd}\u{4e2d}] TI[soon] TY[0] RE[win] CO[a ;) b]\nBO[8 ---------------------------O*------*O---------------------------] ;)";
    let game: Game = text.parse().unwrap();
    let names: Vec<&str> = game.skipped.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(names, ["FOO", "TI", "TY", "RE", "CO"]);
    assert_eq!(game.skipped[4].value, "a ;) b");
    assert_eq!(game.black.name, "\u{e9}\u{fffd}\u{4e2d}");
    assert_eq!(game.kind, MatchType::STANDARD);
    assert_eq!(game.playable().unwrap().start.mover, Color::Black);
}

#[test]
fn errors_say_where_and_what() {
    let message = |text: &str| text.parse::<Game>().unwrap_err().to_string();
    assert_eq!(message(""), "line 1, column 1: a game begins with '(;'");
    assert_eq!(
        message("(;GM[Othello]"),
        "line 1, column 1: the game is not closed by ';)'"
    );
    assert_eq!(
        message("(;GM[Othello]B[d3]W[c3;)"),
        "line 1, column 19: tag W is not closed by ']'"
    );
    assert_eq!(
        message("(;GM[Othello]\n7;)"),
        "line 2, column 1: '7;)' where a tag X[...] or the end ';)' should stand"
    );
    assert_eq!(
        message("(;GM[Othello]B[d3x];)"),
        "line 1, column 14: 'd3x' is not a square or a pass"
    );
    assert_eq!(
        message("(;GM[Othello]W[i9];)"),
        "line 1, column 14: i9 is off the board of size 8"
    );
    assert_eq!(
        message("(;GM[Chess];)"),
        "line 1, column 3: a game of 'Chess', not of Othello"
    );
    assert_eq!(
        message("(;BO[9 -];)"),
        "line 1, column 3: '9' is not a board size 4, 6, 8, 10, 12, 14 or 88"
    );
    assert_eq!(
        message("(;BO[4 ---- -O*- *O- ---- *];)"),
        "line 1, column 3: row 3 of the board has 3 squares, not 4"
    );
    assert_eq!(
        message("(;BO[4 -----O*-*O----- *];)"),
        "line 1, column 3: the board has 15 squares, not 16"
    );
    assert_eq!(
        message("(;BO[4 ---- -O?- -*O- ---- *];)"),
        "line 1, column 3: '?' in row 2 of the board is no square; use * O -"
    );
    assert_eq!(
        message("(;BO[4 ---- -O*- -*O- ---- -];)"),
        "line 1, column 3: the side to move is neither * nor O"
    );
    assert_eq!(
        message("(;;) x"),
        "line 1, column 6: 'x' after the end of the game"
    );
    assert_eq!(
        message("2 (;;)(;;)"),
        "line 1, column 1: a single game is wanted here, not 2"
    );
    assert_eq!(
        message("2 (;;)"),
        "line 1, column 1: the line announces 2 games and holds 1"
    );
    assert!(message(&format!("(;{};)", "B[a1]".repeat(500))).ends_with("more than 400 moves in one game"));
}

#[test]
fn boards_that_are_not_played_here() {
    let game: Game = "(;TY[10]B[j10];)".parse().unwrap();
    assert_eq!(
        game.playable().unwrap_err().to_string(),
        "board size 10 is not played here, only 8"
    );
    let game: Game = "(;TY[8r20]B[d3];)".parse().unwrap();
    assert!(matches!(game.playable(), Err(Unplayable::NoBoard(_))));
    let octagon = format!("(;BO[88 {} O]B[d1];)", "-".repeat(88));
    let game: Game = octagon.parse().unwrap();
    assert_eq!(game.playable(), Err(Unplayable::Board(BoardSize::Octagon)));
    for square in ["a1", "b1", "a2", "j1", "a9", "j10", "i10", "k5"] {
        let text = octagon.replace("d1", square);
        assert!(text.parse::<Game>().is_err(), "{square}");
    }
    assert!(octagon.replace("d1", "b2").parse::<Game>().is_ok());
    assert!(octagon.replace("d1", "c1").parse::<Game>().is_ok());
}

#[test]
fn a_file_goes_on_after_a_bad_record() {
    let text = "\n1 (;PB[a]B[c3];)\nrubbish\n(;PB[b]B[c3;)\nmore\n 2 (;PB[c];) \n (;PB[d];)\n(;PB[e]\nB[f5];)(;PB[f];)\n(;";
    let found: Vec<Result<Vec<String>, usize>> = matches(text)
        .map(|found| match found {
            Ok(found) => Ok(found.games.into_iter().map(|game| game.black.name).collect()),
            Err(error) => Err(error.line),
        })
        .collect();
    let names = |names: &[&str]| Ok(names.iter().map(|name| name.to_string()).collect());
    assert_eq!(
        found,
        [
            names(&["a"]),
            Err(3),
            Err(4),
            names(&["c", "d"]),
            names(&["e", "f"]),
            Err(10)
        ]
    );
}

#[test]
fn names_cannot_break_the_record() {
    let mut game = Game::new(Diagram::standard());
    game.black.name = "a]b\nc".into();
    let back: Game = game.to_string().parse().unwrap();
    assert_eq!(back.black.name, "a)b c");
}

/// Any well-formed game, of any size, whose numbers survive printing.
fn any_game() -> impl Strategy<Value = Game> {
    let text = "[a-zA-Z0-9 ./:_-]{0,12}";
    let half = |range: std::ops::Range<i32>| range.prop_map(|n| f64::from(n) / 1000.0);
    let size = prop::sample::select(vec!["4", "6", "8", "8", "8", "10", "12", "14"]);
    let part = |range: std::ops::Range<i64>| {
        prop::option::of(range.prop_map(|millis| ClockPart {
            time: ClockTime::millis(millis),
            ..ClockPart::seconds(0)
        }))
    };
    let clock = prop::option::of(
        (part(0..10_000_000), part(0..100_000), part(0..200_000)).prop_map(|(main, increment, extension)| {
            ClockSetting {
                main,
                increment,
                extension,
            }
        }),
    );
    let player =
        (text, prop::option::of(half(0..3_000_000)), clock).prop_map(|(name, rating, clock)| Player {
            name,
            rating,
            clock,
            bid: None,
        });
    let ending = prop::sample::select(vec![
        None,
        Some(Ending::Resigned),
        Some(Ending::Timeout),
        Some(Ending::Agreed),
        Some(Ending::Adjourned),
    ]);
    let result = (prop::option::of(half(-64_000..64_000)), ending)
        .prop_map(|(discs, ending)| Outcome { discs, ending });
    let turns = move |size: BoardSize| {
        let step = prop_oneof![
            9 => (0..size.width() as u8, 0..size.width() as u8).prop_map(|(column, row)| Step::Place(Point { column, row })),
            1 => Just(Step::Pass),
        ];
        let played = (
            step,
            prop::option::of(half(-64_000..64_000)),
            prop::option::of(half(0..900_000)),
        )
            .prop_map(|(mv, eval, seconds)| Played { mv, eval, seconds });
        let color = any::<bool>().prop_map(|black| if black { Color::Black } else { Color::White });
        prop::collection::vec(
            (color, played).prop_map(|(color, played)| Turn { color, played }),
            0..70,
        )
    };
    let cell = prop::sample::select(vec![None, Some(Color::Black), Some(Color::White)]);
    (size, player.clone(), player, result, text, text).prop_flat_map(
        move |(size, black, white, result, place, date)| {
            let size: BoardSize = size.parse().unwrap();
            let squares = size.squares();
            let cells = prop::collection::vec(cell.clone(), squares);
            (prop::option::of(cells), turns(size)).prop_map(move |(cells, moves)| {
                let start = cells.map(|cells| {
                    let cells: String = cells.into_iter().map(crate::cells::symbol).collect();
                    Board::parse(&format!("{size} {cells} O")).unwrap()
                });
                Game {
                    place: place.clone(),
                    date: date.clone(),
                    black: black.clone(),
                    white: white.clone(),
                    kind: MatchType {
                        board: size,
                        ..MatchType::STANDARD
                    },
                    komi: None,
                    result,
                    start,
                    moves,
                    skipped: Vec::new(),
                }
            })
        },
    )
}

proptest! {
    #[test]
    fn prints_what_it_reads(game in any_game()) {
        let text = game.to_string();
        prop_assert!(!text.contains('\n'));
        let back: Game = text.parse().unwrap();
        // One clock and no other is written as the tag of that player, both equal as one tag: the same clocks either way.
        prop_assert_eq!(back, game, "{}", text);
    }

    #[test]
    fn a_match_prints_what_it_reads(games in prop::collection::vec(any_game(), 1..3)) {
        let one = Match { games };
        prop_assert_eq!(one.to_string().parse::<Match>().unwrap(), one);
    }

    #[test]
    fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = text.parse::<Match>();
        let _ = matches(&text).count();
    }

    #[test]
    fn never_panics_near_a_game(at in 0usize..200, junk in "[\\[\\]();A-Z0-9/ \n-]{0,6}|\\PC{0,3}") {
        let text: String = NBOARD.chars().take(at).chain(junk.chars()).chain(NBOARD.chars().skip(at + 1)).collect();
        let _ = text.parse::<Game>().map(|game| game.playable());
        let _ = matches(&text).count();
    }
}
