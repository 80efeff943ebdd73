use super::*;
use crate::board::{Board, Square, Squares};

fn square(name: &str) -> Square {
    Squares(!0).find(|s| s.to_string() == name).unwrap()
}

fn place(name: &str) -> Move {
    Move::Place(square(name))
}

fn free(pass_allowed: bool, capture_required: bool) -> Rules {
    Rules::Free {
        pass_allowed,
        capture_required,
    }
}

fn set(names: &str) -> u64 {
    names.split_whitespace().map(|n| square(n).bit()).sum()
}

fn board(mover: &str, opponent: &str) -> Board {
    Board {
        mover: set(mover),
        opponent: set(opponent),
    }
}

fn reason(game: &mut Game, mv: Move) -> Reason {
    let before = game.clone();
    let reason = game.play(mv).unwrap_err().reason;
    assert_eq!(*game, before, "a refused move changes nothing");
    reason
}

#[test]
fn position_is_small() {
    assert!(size_of::<Position>() <= 24);
}

#[test]
fn othello_refuses_with_a_reason() {
    let mut game = Game::new(Rules::Othello);
    assert_eq!(reason(&mut game, place("d4")), Reason::Occupied);
    assert_eq!(reason(&mut game, place("a1")), Reason::OutflanksNothing);
    assert_eq!(reason(&mut game, Move::Pass), Reason::MayNotPass(Color::Black));
    assert_eq!(
        game.play_as(Color::White, place("f5")).unwrap_err().to_string(),
        "illegal move f5: Black is to move"
    );
    game.play_as(Color::Black, place("f5")).unwrap();
    assert_eq!(game.position().mover, Color::White);
    assert_eq!(
        game.play(place("a1")).unwrap_err().to_string(),
        "illegal move a1: it outflanks nothing"
    );
}

#[test]
fn shortest_wipe_out() {
    // Nine moves, all discs Black: the game is over with most of the board empty.
    let mut game = Game::new(Rules::Othello);
    for name in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
        assert_eq!(game.result(Counting::Discs), None);
        game.play(place(name)).unwrap();
    }
    assert!(game.is_over());
    assert_eq!(game.result(Counting::Discs).unwrap().to_string(), "13-0");
    let tally = game.result(Counting::Tournament).unwrap();
    assert_eq!((tally.black, tally.white), (64, 0));
    assert_eq!(tally.winner(), Some(Color::Black));
    assert_eq!(game.position().score(), -64);
    assert_eq!(game.position().discs(), -13);
    assert_eq!(reason(&mut game, Move::Pass), Reason::GameOver);
    assert_eq!(reason(&mut game, place("a1")), Reason::GameOver);
}

#[test]
fn undo_returns_to_the_start() {
    for rules in Rules::ALL {
        let mut game = Game::new(rules);
        while let Some(mv) = game.moves().iter().next() {
            game.play(mv).unwrap();
        }
        assert_eq!(game.positions().count(), game.history().len() + 1);
        let mut again = Game::new(rules);
        for &mv in game.history() {
            again.play(mv).unwrap();
        }
        assert_eq!(again, game);
        while let Some(&last) = game.history().last() {
            assert_eq!(game.undo(), Some(last));
        }
        assert_eq!(game.undo(), None);
        assert_eq!(game, Game::new(rules));
    }
}

#[test]
fn forced_pass_is_a_move_of_its_own() {
    // White (to move) holds b1 and c1, Black a1: only Black can outflank, from d1.
    let mut game = Game::from_position(Position::new(Rules::Othello, board("b1 c1", "a1"), Color::White));
    assert!(game.moves().must_pass());
    assert_eq!(reason(&mut game, place("h8")), Reason::MustPass(Color::White));
    game.play(Move::Pass).unwrap();
    assert_eq!(game.position().passes, 0);
    assert_eq!(game.moves().squares, set("d1"));
    game.play(place("d1")).unwrap();
    assert!(game.is_over());
}

#[test]
fn free_takes_any_touching_square() {
    let mut game = Game::new(free(false, false));
    assert_eq!(game.moves().squares.count_ones(), 12);
    assert_eq!(reason(&mut game, place("a1")), Reason::TouchesNothing);
    assert_eq!(reason(&mut game, Move::Pass), Reason::MayNotPass(Color::Black));
    game.play(place("c3")).unwrap();
    assert_eq!(game.position().board.occupied().count_ones(), 5);
    assert_eq!(game.position().discs(), -1, "nothing was outflanked");
}

#[test]
fn free_always_fills_the_board() {
    // Rule F4, also for a side without any disc.
    let mut game = Game::from_position(Position::new(free(false, false), board("", "d4"), Color::Black));
    let mut n = 0;
    while let Some(mv) = game.moves().iter().next() {
        assert_ne!(mv, Move::Pass);
        game.play(mv).unwrap();
        n += 1;
    }
    assert_eq!(n, 63);
    assert_eq!(game.position().board.empties(), 0);
}

#[test]
fn two_passes_end_the_game_where_passing_is_allowed() {
    for rules in [free(true, false), free(true, true)] {
        let mut game = Game::new(rules);
        game.play(Move::Pass).unwrap();
        assert_eq!(game.position().passes, 1);
        assert!(!game.is_over());
        let mut other = game.clone();
        other
            .play(place(if rules == free(true, true) { "e3" } else { "c3" }))
            .unwrap();
        assert_eq!(other.position().passes, 0);
        game.play(Move::Pass).unwrap();
        assert!(game.is_over());
        assert_eq!(reason(&mut game, Move::Pass), Reason::GameOver);
        assert_eq!(game.result(Counting::Tournament).unwrap().to_string(), "32-32");
        assert_eq!(game.result(Counting::Discs).unwrap().to_string(), "2-2");
    }
}

#[test]
fn capture_required_ends_when_nobody_outflanks() {
    let stuck = Position::new(free(true, true), board("a1", "h8"), Color::Black);
    assert!(stuck.is_over());
    let open = Position::new(free(true, false), board("a1", "h8"), Color::Black);
    assert_eq!(open.moves().len(), 7);
    // The mover has nothing, the other side has: passing is forced, and a second pass ends the game.
    let forced = Position::new(free(true, true), board("b1 c1", "a1"), Color::White);
    assert!(forced.moves().must_pass());
    assert_eq!(forced.play(Move::Pass).moves().len(), 2);
    assert!(forced.play(Move::Pass).play(Move::Pass).is_over());
}

#[test]
fn classic_example_of_the_guide() {
    let mut game = Game::new(Rules::Classic);
    assert_eq!(game.moves().squares, set("d4 e4 d5 e5"));
    assert_eq!(reason(&mut game, place("c3")), Reason::NotCentre);
    for name in ["d4", "d5", "e4", "e5"] {
        game.play(place(name)).unwrap();
    }
    assert_eq!(game.position().hands, [30, 30]);
    assert_eq!(reason(&mut game, place("a1")), Reason::OutflanksNothing);
    game.play(place("d6")).unwrap();
    let black = game.position().discs_of(Color::Black);
    assert_eq!(black, set("d4 e4 d6 d5"));
    assert_eq!(game.position().hand(Color::Black), 29);
    assert_eq!(game.position().hand(Color::White), 30);
}

#[test]
fn classic_without_discs_passes_and_ends() {
    let start = Position::new(Rules::Classic, board("d4 e5 d6", "e4 d5"), Color::White);
    assert_eq!(
        start.hands,
        [30, 29],
        "the odd disc is of the side that has just moved"
    );
    let mut game = Game::from_position(start.with_hands([0, 1]));
    assert_eq!(reason(&mut game, place("e3")), Reason::NoDisc(Color::White));
    game.play(Move::Pass).unwrap();
    let mv = game.moves().iter().next().unwrap();
    game.play(mv).unwrap();
    assert!(game.is_over(), "both hands are empty");
    let (discs, tournament) = (game.result(Counting::Discs), game.result(Counting::Tournament));
    assert_eq!(discs, tournament, "empty squares belong to nobody");
    assert_eq!(game.position().score(), game.position().discs());
}

#[test]
fn capture_required_alone_is_othello() {
    let mut rng = 7_u64;
    for _ in 0..200 {
        let mut a = Position::start(Rules::Othello);
        let mut b = Position::start(free(false, true));
        while !a.is_over() {
            assert_eq!(a.moves(), b.moves());
            rng = rng
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let moves: Vec<Move> = a.moves().iter().collect();
            let mv = moves[(rng >> 33) as usize % moves.len()];
            (a, b) = (a.play(mv), b.play(mv));
            assert_eq!((a.board, a.mover, a.passes), (b.board, b.mover, b.passes));
        }
        assert!(b.is_over());
        assert_eq!(a.score(), b.score());
    }
}
