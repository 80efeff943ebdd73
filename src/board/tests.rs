//! Every kernel against its plain twin, on random boards and on boards of random games.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use proptest::prelude::*;

use super::plain::squares;
use super::stability::stable;
use super::*;

/// Any two disjoint sets, sparse to full.
fn any_board() -> impl Strategy<Value = Board> {
    (any::<u64>(), any::<u64>(), any::<u64>(), 0..4).prop_map(|(colour, a, b, density)| {
        let occupied = match density {
            0 => a & b,
            1 => a,
            2 => a | b,
            _ => !0,
        };
        Board {
            mover: occupied & colour,
            opponent: occupied & !colour,
        }
    })
}

/// The boards of a random game, in order; passes in between as boards of their own.
fn random_game(mut choices: impl FnMut() -> u32) -> Vec<Board> {
    let mut boards = vec![Board::START];
    let mut board = Board::START;
    while !board.is_over() {
        let moves = board.moves();
        board = if moves == 0 {
            board.pass()
        } else {
            let nth = choices() % moves.count_ones();
            board.play(Squares(moves).nth(nth as usize).unwrap())
        };
        boards.push(board);
    }
    boards
}

fn reachable_boards() -> impl Strategy<Value = Vec<Board>> {
    prop::collection::vec(any::<u32>(), 60).prop_map(|choices| {
        let mut choices = choices.into_iter().cycle();
        random_game(|| choices.next().unwrap())
    })
}

fn kernels_agree(board: Board) {
    let Board { mover, opponent } = board;
    let moves = plain::moves(mover, opponent);
    assert_eq!(scalar::moves(mover, opponent), moves, "{board:?}");
    assert_eq!(board.moves(), moves, "{board:?}");
    assert_eq!(
        board.potential_moves(),
        plain::neighbours(opponent) & board.empty(),
        "{board:?}"
    );
    assert_eq!(scalar::neighbours(mover), plain::neighbours(mover), "{board:?}");
    for square in Squares(board.empty()) {
        let flips = plain::flips(mover, opponent, square);
        assert_eq!(
            scalar::flips(mover, opponent, square),
            flips,
            "{square} {board:?}"
        );
        assert_eq!(board.flips(square), flips, "{square} {board:?}");
        if let Some(wide) = Wide::detect() {
            assert_eq!(wide.flips(board, square), flips, "{square} {board:?}");
        }
    }
    if let Some(wide) = Wide::detect() {
        assert_eq!(wide.moves(board), moves, "{board:?}");
    }
}

proptest! {
    #[test]
    fn kernels_agree_on_any_board(board in any_board()) {
        kernels_agree(board);
    }

    #[test]
    fn kernels_agree_in_games(boards in reachable_boards()) {
        boards.into_iter().for_each(kernels_agree);
    }

    #[test]
    fn last_flips_are_counted(discs in any::<[u64; 2]>()) {
        for mover in [discs[0], discs[0] & discs[1], discs[0] | discs[1]] {
            for square in squares() {
                let mover = mover & !square.bit();
                let flips = plain::flips(mover, !mover & !square.bit(), square);
                prop_assert_eq!(count_last_flips(mover, square), flips.count_ones());
            }
        }
    }

    #[test]
    fn stability_agrees_on_any_board(board in any_board()) {
        prop_assert_eq!(board.stable_of_mover(), slow_stable(board.mover, board.opponent));
        prop_assert_eq!(board.stable_of_opponent(), slow_stable(board.opponent, board.mover));
    }

    #[test]
    fn stability_agrees_in_games(boards in reachable_boards()) {
        for board in boards {
            prop_assert_eq!(board.stable_of_mover(), slow_stable(board.mover, board.opponent));
        }
    }

    /// From any board on, whoever moves and whatever is placed without outflanking (as in `free`), no disc that was called stable
    /// is turned over.
    #[test]
    fn stable_discs_stay(board in any_board(), choices in prop::collection::vec(any::<u32>(), 128)) {
        let mut sides = [board.mover, board.opponent];
        let mut known = [0; 2];
        for pair in choices.chunks(2) {
            for (side, known) in known.iter_mut().enumerate() {
                *known |= stable(sides[side], sides[1 - side]);
                prop_assert_eq!(*known & !sides[side], 0, "{:?}", sides);
            }
            let empty = !(sides[0] | sides[1]);
            let Some(square) = Squares(empty).nth((pair[0] % empty.count_ones().max(1)) as usize) else {
                break;
            };
            let side = (pair[1] & 1) as usize;
            let flips = plain::flips(sides[side], sides[1 - side], square);
            sides[side] ^= flips | square.bit();
            sides[1 - side] ^= flips;
        }
    }
}

#[test]
fn kernels_agree_on_every_row_through_every_square() {
    // The four lines of each square, with every filling of every ray.
    for square in squares() {
        let rays = &rays::RAYS[square.index()];
        for ray in rays.up.into_iter().chain(rays.down) {
            for mover in subsets(ray) {
                for opponent in subsets(ray & !mover) {
                    let flips = plain::flips(mover, opponent, square);
                    assert_eq!(scalar::flips(mover, opponent, square), flips);
                    let board = Board { mover, opponent };
                    assert_eq!(board.flips(square), flips);
                }
            }
        }
    }
}

fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != 0).then(|| subset.wrapping_sub(1) & set);
        Some(subset)
    })
}

/// Twin of [`stable`]: edges by walking through everything that can happen on them, lines by looking along them.
fn slow_stable(side: u64, other: u64) -> u64 {
    let lines: Vec<u64> = squares()
        .flat_map(|s| {
            let rays = &rays::RAYS[s.index()];
            (0..4).map(move |i| rays.up[i] | rays.down[i] | s.bit())
        })
        .collect();
    let mut stable = 0;
    for first_and_step in [(0, 1), (56, 1), (0, 8), (7, 8)] {
        let edge: Vec<usize> = (0..8).map(|i| first_and_step.0 + i * first_and_step.1).collect();
        let gather = |set: u64| (0..8).fold(0, |byte, i| byte | (set >> edge[i] & 1) << i);
        let found = slow_edge_table()[&(gather(side), gather(other))];
        stable |= (0..8).fold(0, |set, i| set | (found >> i & 1) << edge[i]);
    }
    loop {
        let before = stable;
        for square in squares().filter(|s| side & s.bit() != 0) {
            let rays = &rays::RAYS[square.index()];
            let safe = (0..4).all(|i| {
                let line = lines[4 * square.index() + i];
                let beside = plain::neighbours(square.bit()) & line;
                line & !(side | other) == 0 || rays.up[i] == 0 || rays.down[i] == 0 || beside & stable != 0
            });
            stable |= if safe { square.bit() } else { 0 };
        }
        if stable == before {
            return stable;
        }
    }
}

/// Stable discs on row 1 by (own, their) discs: those that are left in everything that can happen there.
fn slow_edge_table() -> &'static HashMap<(u64, u64), u64> {
    static TABLE: OnceLock<HashMap<(u64, u64), u64>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let fillings = subsets(0xFF).flat_map(|own| subsets(0xFF & !own).map(move |theirs| (own, theirs)));
        fillings
            .map(|(own, theirs)| ((own, theirs), slow_stable_edge(own, theirs)))
            .collect()
    })
}

fn slow_stable_edge(own: u64, theirs: u64) -> u64 {
    let mut seen = HashSet::new();
    let mut open = vec![(own, theirs)];
    let mut stable = own;
    while let Some((own, theirs)) = open.pop() {
        if !seen.insert((own, theirs)) {
            continue;
        }
        stable &= own;
        for square in Squares(0xFF & !(own | theirs)) {
            let flips = plain::flips(own, theirs, square);
            open.push((own | square.bit() | flips, theirs & !flips));
            let flips = plain::flips(theirs, own, square);
            open.push((own & !flips, theirs | square.bit() | flips));
        }
    }
    stable
}

#[test]
fn edge_table_is_exact() {
    // The rest of the board is empty, so that nothing but row 1 and the ends of the files can be stable.
    for (&(own, theirs), &expected) in slow_edge_table() {
        assert_eq!(stable(own, theirs) & 0xFF, expected, "{own:02x} {theirs:02x}");
    }
}

#[test]
fn corner_and_full_board_are_stable() {
    assert_eq!(stable(1, 0), 1);
    assert_eq!(stable(7, 0), 7);
    assert_eq!(stable(6, 0), 0);
    assert_eq!(stable(!0 ^ 6, 6), !0 ^ 6);
    assert_eq!(Board::START.stable_of_mover(), 0);
    // A filled corner: the triangle a1-c1-a3 holds b2.
    assert_eq!(stable(0x01_03_07, 0), 0x01_03_07);
}
