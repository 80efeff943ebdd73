//! The search against a plain alpha-beta, and its promises about limits.

use outflank::board::{Board, Squares};
use outflank::clock::Budget;
use outflank::engine::{Answer, Engine, Options, Task};
use outflank::rules::{Color, Game, Move, Position, Rules};
use outflank::search::{Grade, Limits, Stop, plain};
use std::time::{Duration, Instant};

fn small() -> Engine {
    Engine::new(Options {
        hash_mib: 1,
        ..Options::default()
    })
}

fn game(board: Board) -> Game {
    Game::from_position(Position::new(Rules::Othello, board, Color::Black))
}

fn ask(engine: &mut Engine, game: &Game, task: Task, limits: &Limits) -> Answer {
    engine.search(game, task, limits, &Instant::now(), &Stop::new(), &mut |_| ())
}

/// A board of a random game with this many empty squares; `None` if the game ends before.
fn random_board(seed: u64, empties: u32) -> Option<Board> {
    let (mut board, mut state) = (
        Board::START,
        seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
    );
    while board.empties() > empties {
        let moves = board.moves();
        if moves == 0 {
            if board.is_over() {
                return None;
            }
            board = board.pass();
            continue;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let pick = (state >> 33) as usize % moves.count_ones() as usize;
        board = board.play(Squares(moves).nth(pick)?);
    }
    (!board.is_over()).then_some(board)
}

#[test]
fn solving_agrees_with_a_plain_search() {
    let mut engine = small();
    for empties in 1..=10 {
        for seed in 0..if empties < 9 { 60 } else { 12 } {
            let Some(board) = random_board(seed * 61 + u64::from(empties), empties) else {
                continue;
            };
            let answer = ask(&mut engine, &game(board), Task::Solve, &Limits::default());
            let line = &answer.report.lines[0];
            assert_eq!(line.grade, Grade::Exact);
            assert_eq!(line.score.0, 100 * plain::exact(board, -64, 64), "{board:?}");
            // The line of play leads to the score.
            let mut game = game(board);
            for &mv in &line.pv {
                game.play(mv).unwrap();
            }
            assert!(game.is_over(), "{board:?} {:?}", line.pv);
            let score = game.position().score();
            let sign = if game.position().mover == Color::Black {
                1
            } else {
                -1
            };
            assert_eq!(score * sign * 100, line.score.0, "{board:?}");
        }
    }
}

#[test]
fn win_loss_draw_has_the_right_sign() {
    let mut engine = small();
    for seed in 0..40 {
        let Some(board) = random_board(seed, 10) else {
            continue;
        };
        let answer = ask(&mut engine, &game(board), Task::WinLossDraw, &Limits::default());
        assert_eq!(answer.report.lines[0].grade, Grade::WinLossDraw);
        assert_eq!(
            answer.report.lines[0].score.0.signum(),
            plain::exact(board, -64, 64).signum()
        );
    }
}

#[test]
fn hints_are_true_scores() {
    let mut engine = small();
    for seed in 0..20 {
        let Some(board) = random_board(seed, 9) else {
            continue;
        };
        let answer = ask(&mut engine, &game(board), Task::Hint(64), &Limits::default());
        let lines = &answer.report.lines;
        assert_eq!(lines.len(), board.moves().count_ones().max(1) as usize);
        for line in lines {
            let after = match line.pv[0] {
                Move::Place(square) => board.play(square),
                Move::Pass => board.pass(),
            };
            assert_eq!(line.score.0, -100 * plain::exact(after, -64, 64));
        }
        assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }
}

#[test]
fn one_thread_is_deterministic_and_new_game_forgets() {
    let mut engine = small();
    let limits = Limits {
        depth: Some(9),
        ..Limits::default()
    };
    let game = game(random_board(5, 40).unwrap());
    let first = ask(&mut engine, &game, Task::Move, &limits).report;
    engine.new_game();
    let second = ask(&mut engine, &game, Task::Move, &limits).report;
    assert_eq!((first.nodes, first.lines), (second.nodes, second.lines));
}

#[test]
fn limits_end_the_search_with_a_legal_move() {
    let mut engine = small();
    let game = game(random_board(6, 40).unwrap());
    let zero = Budget {
        soft: Duration::ZERO,
        hard: Duration::ZERO,
    };
    for limits in [
        Limits {
            nodes: Some(1),
            ..Limits::default()
        },
        Limits {
            nodes: Some(20_000),
            ..Limits::default()
        },
        Limits {
            budget: Some(zero),
            ..Limits::default()
        },
        Limits {
            budget: Some(Budget::per_move(Duration::from_millis(20))),
            ..Limits::default()
        },
        Limits {
            depth: Some(1),
            ..Limits::default()
        },
    ] {
        let answer = ask(&mut engine, &game, Task::Move, &limits);
        assert!(game.moves().contains(answer.best.unwrap()));
        if let Some(nodes) = limits.nodes {
            assert!(answer.report.nodes < nodes + 20_000);
        }
    }
    let stop = Stop::new();
    stop.request();
    let none = Limits::default();
    let answer = engine.search(&game, Task::Move, &none, &Instant::now(), &stop, &mut |_| ());
    assert!(game.moves().contains(answer.best.unwrap()));
}

#[test]
fn every_rule_set_is_played_to_the_end() {
    let mut engine = small();
    for rules in Rules::ALL {
        let mut game = Game::new(rules);
        let limits = Limits {
            depth: Some(2),
            ..Limits::default()
        };
        while !game.is_over() {
            let best = ask(&mut engine, &game, Task::Move, &limits).best;
            game.play(best.unwrap()).unwrap();
        }
        assert!(ask(&mut engine, &game, Task::Move, &limits).best.is_none());
    }
}

#[test]
fn two_threads_solve_as_one_does() {
    let options = Options {
        hash_mib: 1,
        threads: 2,
        ..Options::default()
    };
    let (mut two, mut one) = (Engine::new(options), small());
    for seed in 0..12 {
        let Some(board) = random_board(seed + 900, 17) else {
            continue;
        };
        let [a, b] = [&mut one, &mut two]
            .map(|engine| ask(engine, &game(board), Task::Solve, &Limits::default()).report);
        assert_eq!(
            (a.lines[0].score, a.lines[0].grade),
            (b.lines[0].score, b.lines[0].grade),
            "{board:?}"
        );
    }
}
