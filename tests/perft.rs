//! The move tree against published counts, our own reference counts, and a second implementation of the rules.

mod common;
#[path = "common/listgame.rs"]
mod listgame;

use std::fs;

use listgame::ListGame;
use outflank::board::perft::Count;
use outflank::board::{Board, Square, Squares};
use outflank::rules::{self, Color, Counting, Game, Move, Position, Rules};

/// A position from 64 characters and the side to move (`X` or `O`).
fn position(rules: Rules, cells: &str, turn: char) -> Position {
    let set = |disc: char| {
        let places = cells.chars().enumerate().filter(|(_, c)| *c == disc);
        places.fold(0, |set, (i, _)| set | 1_u64 << i)
    };
    let (x, o) = (set('X'), set('O'));
    let (mover, opponent, color) = match turn {
        'X' => (x, o, Color::Black),
        _ => (o, x, Color::White),
    };
    Position::new(rules, Board { mover, opponent }, color)
}

fn count((nodes, ended): (u64, u64)) -> Count {
    Count { nodes, ended }
}

/// Small repeatable pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Counts the tree as the reference files do: nodes, ended games, and the sum of (X - O) over each.
fn checksum(position: &Position, depth: u32, sums: &mut [i64; 4]) {
    let black_less_white = i64::from(position.tally(Counting::Discs).difference(Color::Black));
    let moves = position.moves();
    if depth == 0 {
        sums[0] += 1;
        sums[2] += black_less_white;
    } else if moves.is_empty() {
        sums[1] += 1;
        sums[3] += black_less_white;
    } else {
        for mv in moves.iter() {
            checksum(&position.play(mv), depth - 1, sums);
        }
    }
}

#[test]
fn othello_from_the_start() {
    // Published counts (Aart Bik); the split into nodes and ended games is our own.
    let expected = [
        (1, 0),
        (4, 0),
        (12, 0),
        (56, 0),
        (244, 0),
        (1_396, 0),
        (8_200, 0),
        (55_092, 0),
        (390_216, 0),
        (3_005_288, 0),
        (24_571_056, 228),
        (212_258_216, 584),
    ];
    for (depth, expected) in expected.into_iter().enumerate() {
        let start = Position::start(Rules::Othello);
        assert_eq!(
            rules::perft(&start, depth as u32),
            count(expected),
            "depth {depth}"
        );
    }
}

#[test]
fn othello_as_in_the_reference_table() {
    let Some(path) = common::data("perft/othello.tsv") else {
        return;
    };
    let mut rows = 0;
    for line in fs::read_to_string(path).unwrap().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let Ok(depth @ ..=8) = fields[0].parse() else {
            continue;
        };
        let number = |i: usize| fields[i].parse::<i64>().unwrap();
        let start = Position::start(Rules::Othello);
        let mut sums = [0; 4];
        checksum(&start, depth, &mut sums);
        assert_eq!(sums[..3], [number(2), number(3), number(9)], "{line}");
        assert_eq!(rules::perft(&start, depth).total() as i64, number(1), "{line}");
        rows += 1;
    }
    assert_eq!(rows, 8);
}

#[test]
fn every_row_of_the_reference_positions() {
    let Some(path) = common::data("perft/othello_positions.tsv") else {
        return;
    };
    let mut rows = 0;
    for line in fs::read_to_string(path).unwrap().lines() {
        if line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let (cells, turn) = fields[0].split_once(' ').unwrap();
        let numbers: Vec<i64> = fields[1..].iter().map(|f| f.parse().unwrap()).collect();
        let depth = numbers[0] as u32;
        let position = position(Rules::Othello, cells, turn.parse().unwrap());
        let mut sums = [0; 4];
        checksum(&position, depth, &mut sums);
        assert_eq!(sums[..], numbers[1..], "{line}");
        let counted = rules::perft(&position, depth);
        assert_eq!([counted.nodes as i64, counted.ended as i64], sums[..2], "{line}");
        rows += 1;
    }
    assert_eq!(rows, 386);
}

/// Deep enough to get behind the opening of `classic`, shallow enough for lists.
fn depth_of(rules: Rules) -> u32 {
    match rules {
        Rules::Othello => 7,
        Rules::Free {
            capture_required: true,
            pass_allowed: false,
        } => 7,
        Rules::Free {
            capture_required: true,
            ..
        } => 6,
        Rules::Free { .. } => 4,
        Rules::Classic => 7,
    }
}

#[test]
fn every_rule_set_from_the_start_as_on_lists() {
    for rules in Rules::ALL {
        let lists = ListGame::start(&rules.to_string());
        for depth in 0..=depth_of(rules) {
            let start = Position::start(rules);
            assert_eq!(
                rules::perft(&start, depth),
                count(lists.perft(depth)),
                "{rules} {depth}"
            );
            if depth > 0 {
                let divided = rules::divide(&start, depth).map(|(_, n)| n);
                assert_eq!(
                    divided.fold(Count::default(), |a, b| a + b),
                    rules::perft(&start, depth)
                );
            }
        }
    }
}

#[test]
fn every_rule_set_from_any_position_as_on_lists() {
    let mut random = Random(20_240_607);
    for round in 0..600 {
        let rules = Rules::ALL[round % Rules::ALL.len()];
        // From nearly empty to nearly full, one colour sometimes rare or missing.
        let (filled, black) = (random.below(101), random.below(11));
        let cells: String = (0..64)
            .map(|_| match random.below(100) < filled {
                true if random.below(10) < black => 'X',
                true => 'O',
                false => '-',
            })
            .collect();
        let turn = if random.below(2) == 0 { 'X' } else { 'O' };
        let hands = [0; 2].map(|_| random.below(5));
        let lists =
            ListGame::set_up(&rules.to_string(), &cells, turn).with_hands(hands[0] as u32, hands[1] as u32);
        let mut position = position(rules, &cells, turn);
        let [x, o] = hands.map(|n| n as u8);
        position = position.with_hands(if turn == 'X' { [x, o] } else { [o, x] });
        for depth in 0..=3 {
            assert_eq!(
                rules::perft(&position, depth),
                count(lists.perft(depth)),
                "{rules} {cells} {turn} {hands:?} depth {depth}"
            );
        }
    }
}

#[test]
fn random_games_as_on_lists() {
    let mut random = Random(4_711);
    for round in 0..600 {
        let rules = Rules::ALL[round % Rules::ALL.len()];
        let mut game = Game::new(rules);
        let mut lists = ListGame::start(&rules.to_string());
        loop {
            let now = game.position();
            let (places, pass) = lists.legal();
            let squares = places.iter().map(|(r, c)| Square::new((8 * r + c) as u8));
            assert!(squares.clone().eq(Squares(now.moves().squares)), "{lists:?}");
            assert_eq!(now.moves().pass, pass, "{lists:?}");
            let turn = if now.mover == Color::Black { 'X' } else { 'O' };
            assert_eq!(turn, lists.turn());
            assert_eq!(*now, {
                let mut same = position(rules, &lists.text(), turn);
                same.hands = now.hands;
                same.passes = now.passes;
                same
            });
            if rules == Rules::Classic {
                let hands = [Color::Black, Color::White].map(|c| u32::from(now.hand(c)));
                assert_eq!(hands, [lists.hands().0, lists.hands().1]);
            }
            let difference = lists.count('X') - lists.count('O');
            assert_eq!(now.tally(Counting::Discs).difference(Color::Black), difference);
            // Passing freely is rare, or most games would be over at once.
            let may_place = !places.is_empty() && (!pass || random.below(12) != 0);
            if may_place {
                let place = places[random.below(places.len())];
                let square = Square::new((8 * place.0 + place.1) as u8);
                game.play(Move::Place(square)).unwrap();
                lists = lists.place(place);
            } else if pass {
                game.play(Move::Pass).unwrap();
                lists = lists.pass();
            } else {
                break;
            }
        }
        assert!(game.is_over());
        let now = game.position();
        let sign = if now.mover == Color::Black { 1 } else { -1 };
        assert_eq!(now.score() * sign, lists.final_difference());
    }
}
