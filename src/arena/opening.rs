//! Lists of openings.

use super::config::{Config, Openings};
use super::record::Opening;
use super::seed::SplitMix;
use crate::files;
use crate::rules::{Color, Game, Move, Position, Rules};
use crate::session::record;
use outflank_protocol::ggf;
use outflank_protocol::obf::Problem;
use outflank_protocol::transcript::Transcript;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Openings and what is strange about them.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningList {
    /// At least one; each legal and not over.
    pub openings: Vec<Opening>,
    /// Sentences for the user.
    pub warnings: Vec<String>,
}

/// A list that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file can't be read.
    #[error("openings '{}': {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line is wrong.
    #[error("openings '{}', line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which, from 1.
        line: usize,
        /// Why.
        error: String,
    },
    /// A game of an archive is wrong.
    #[error("openings '{}', game {game}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Which, from 1.
        game: usize,
        /// Why.
        error: String,
    },
    /// Nothing there.
    #[error("there is no opening in {0}")]
    Empty(String),
}

/// All even openings of 8 plies as `outflank openings` makes them.
const BALANCED: &str = include_str!("../../openings/balanced-8.txt");
/// Plies of random openings unless another number is given.
const RANDOM_PLIES: u32 = 8;
/// Random openings made at most.
const MOST_RANDOM: u64 = 20_000;

impl OpeningList {
    /// The openings that a match asks for.
    pub fn of(config: &Config) -> Result<Self, OpeningError> {
        let Openings {
            files,
            random_plies,
            none,
            plies,
            ..
        } = &config.openings;
        if *none {
            let warnings =
                vec!["no openings: deterministic engines will play the same game again and again".into()];
            return Ok(Self {
                openings: vec![Opening {
                    board: None,
                    moves: String::new(),
                }],
                warnings,
            });
        }
        if files.is_empty() {
            let openings = match (random_plies, config.rules) {
                (None, Rules::Othello) => balanced(plies.unwrap_or(usize::MAX))?,
                (wanted, _) => random(config, wanted.unwrap_or(RANDOM_PLIES)),
            };
            return Ok(Self {
                openings,
                warnings: Vec::new(),
            });
        }
        let mut all = Vec::new();
        for path in files {
            let text = files::data(path).map_err(|error| OpeningError::Io {
                path: path.clone(),
                error,
            })?;
            all.extend(read(
                path,
                &String::from_utf8_lossy(&text),
                config.rules,
                plies.unwrap_or(usize::MAX),
            )?);
        }
        let names = files
            .iter()
            .map(|f| f.display().to_string())
            .collect::<Vec<_>>()
            .join(", ");
        let mut seen = HashSet::new();
        let before = all.len();
        all.retain(|(_, game)| seen.insert(canonical(game.position())));
        let mut warnings = Vec::new();
        if all.len() < before {
            let dropped = before - all.len();
            warnings.push(format!(
                "{dropped} of {before} openings in {names} repeat another one up to symmetry; left out"
            ));
        }
        if all.is_empty() {
            return Err(OpeningError::Empty(names));
        }
        Ok(Self {
            openings: all.into_iter().map(|(opening, _)| opening).collect(),
            warnings,
        })
    }

    /// A digest that tells lists apart (FNV-1a, 64 bits).
    pub fn digest(&self) -> u64 {
        let bytes = self.openings.iter().flat_map(|o| {
            let board = o.board.as_deref().unwrap_or_default();
            board.bytes().chain([b'/']).chain(o.moves.bytes()).chain([b'\n'])
        });
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// Which opening each round has: every opening once before any comes again.
    pub fn schedule(&self, config: &Config) -> Vec<u32> {
        let n = self.openings.len();
        let mut order = Vec::new();
        let mut random = SplitMix::new(config.seed, &[1]);
        while (order.len() as u64) < config.pairs {
            let mut cycle: Vec<u32> = (0..n as u32).collect();
            if !config.openings.in_order {
                random.shuffle(&mut cycle);
            }
            cycle.truncate((config.pairs - order.len() as u64).min(n as u64) as usize);
            order.append(&mut cycle);
        }
        order
    }
}

/// The position turned and mirrored so that all 8 symmetric ones give the same.
pub(super) fn canonical(position: &Position) -> (u64, u64, bool) {
    let least = position
        .board
        .symmetries()
        .map(|b| (b.mover, b.opponent))
        .into_iter()
        .min();
    let (mover, opponent) = least.unwrap_or_default();
    (mover, opponent, position.mover == Color::Black)
}

/// The list that comes with the program.
fn balanced(plies: usize) -> Result<Vec<Opening>, OpeningError> {
    let list = read(Path::new("balanced-8.txt"), BALANCED, Rules::Othello, plies)?;
    let mut seen = HashSet::new();
    let different = list
        .into_iter()
        .filter(|(_, game)| seen.insert(canonical(game.position())));
    Ok(different.map(|(opening, _)| opening).collect())
}

/// Different random openings, in number as the match has rounds where there are so many.
fn random(config: &Config, plies: u32) -> Vec<Opening> {
    let wanted = config.pairs.min(MOST_RANDOM);
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    for attempt in 0..wanted * 4 {
        if list.len() as u64 == wanted {
            break;
        }
        let mut random = SplitMix::new(config.seed, &[2, attempt]);
        let mut game = Game::new(config.rules);
        for _ in 0..plies {
            let moves: Vec<Move> = game.moves().iter().collect();
            if moves.is_empty() || game.play(moves[random.below(moves.len())]).is_err() {
                break;
            }
        }
        if !game.is_over() && seen.insert(canonical(game.position())) {
            list.push(Opening::of(&game));
        }
    }
    list
}

/// Reads a list of openings: games in GGF, or one opening a line, as OBF (what its moves are worth is of no interest here)
/// or as moves. Empty lines and lines that begin with `#` or `%` are skipped. Of games and moves `plies` are taken at most.
fn read(path: &Path, text: &str, rules: Rules, plies: usize) -> Result<Vec<(Opening, Game)>, OpeningError> {
    let bad = |line, error| OpeningError::Line {
        path: path.into(),
        line,
        error,
    };
    let lines = || {
        text.lines()
            .map(str::trim)
            .enumerate()
            .filter(|(_, l)| !l.is_empty() && !l.starts_with(['#', '%']))
    };
    if lines().next().is_some_and(|(_, line)| line.contains("(;")) {
        let mut list = Vec::new();
        for found in ggf::matches(text) {
            let found = found.map_err(|e| bad(e.line, e.to_string()))?;
            for game in &found.games {
                let number = list.len() + 1;
                let bad = |error| OpeningError::Game {
                    path: path.into(),
                    game: number,
                    error,
                };
                let game = record::game(rules, game).map_err(|e| bad(e.to_string()))?;
                list.push(cut(game, plies).map_err(bad)?);
            }
        }
        return Ok(list);
    }
    lines()
        .map(|(i, line)| line_of(line, rules, plies).map_err(|error| bad(i + 1, error)))
        .collect()
}

fn line_of(line: &str, rules: Rules, plies: usize) -> Result<(Opening, Game), String> {
    let head = line.split('%').next().unwrap_or_default();
    let game = match head.parse::<Transcript>() {
        Ok(moves) => record::line(Position::start(rules), &moves).map_err(|e| e.to_string())?,
        Err(no_moves) => match head.parse::<Problem>() {
            Ok(problem) => Game::from_position(record::problem(rules, &problem).map_err(|e| e.to_string())?),
            Err(no_board) => return Err(format!("neither moves ({no_moves}) nor a board ({no_board})")),
        },
    };
    cut(game, plies)
}

/// The first plies of a game.
fn cut(mut game: Game, plies: usize) -> Result<(Opening, Game), String> {
    while game.history().len() > plies {
        game.undo();
    }
    if game.is_over() {
        return Err("the game is over after it (--opening-plies takes the beginning only)".into());
    }
    Ok((Opening::of(&game), game))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(toml: &str) -> Config {
        Config::from_toml(toml).unwrap()
    }

    #[test]
    fn reads_lines() {
        let text = "# list\n\nf5d6c3d3c4\nF5 F6 E6\n\
                    ---------------------------O*------*O--------------------------- X; F5:+1; % x\n";
        let list = read(Path::new("x"), text, Rules::Othello, 2).unwrap();
        let moves: Vec<_> = list.iter().map(|(o, _)| o.moves.as_str()).collect();
        assert_eq!(moves, ["f5d6", "f5f6", ""]);
        assert_eq!(list[2].1.position(), &Position::start(Rules::Othello));
        for (bad, why) in [
            ("f5a1", "move 2: illegal move a1"),
            ("hello", "neither moves"),
            ("\0", "neither"),
        ] {
            let error = read(Path::new("x"), bad, Rules::Othello, 9)
                .unwrap_err()
                .to_string();
            assert!(error.contains("'x', line 1") && error.contains(why), "{error}");
        }
    }

    #[test]
    fn reads_archives() {
        let text = "1 (;GM[Othello]TY[8]B[f5]W[d6]B[c3];)\n2 (;TY[8]B[f5]W[f6];)(;TY[8]B[f5];)\n";
        let list = read(Path::new("x"), text, Rules::Othello, 2).unwrap();
        let moves: Vec<_> = list.iter().map(|(o, _)| o.moves.as_str()).collect();
        assert_eq!(moves, ["f5d6", "f5f6", "f5"]);
        let error = read(Path::new("x"), "(;TY[8]B[f5]W[a1];)", Rules::Othello, 2)
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("openings 'x', game 1: move 2: illegal move a1"),
            "{error}"
        );
        let whole = "(;TY[8]B[f5]W[d6]B[c5]W[f4]B[e3]W[c6]B[d3]W[f6]B[e6];)";
        assert!(read(Path::new("x"), whole, Rules::Othello, 60).is_ok());
    }

    #[test]
    fn the_list_of_the_program() {
        let c = config("pairs = 10");
        let list = OpeningList::of(&c).unwrap();
        assert_eq!(list.openings.len(), BALANCED.lines().count());
        assert!(list.openings.len() > 1000);
        for opening in &list.openings {
            assert_eq!(
                opening.game(Rules::Othello).unwrap().history().len(),
                8,
                "{opening:?}"
            );
        }
        let shorter = OpeningList::of(&config("[openings]\nplies = 2")).unwrap();
        assert_eq!(shorter.openings.len(), 3, "up to symmetry");
    }

    #[test]
    fn random_ones_differ_and_come_back() {
        let c = config("pairs = 300\nseed = 5\n[openings]\nrandom-plies = 6");
        let list = OpeningList::of(&c).unwrap();
        let ends: HashSet<_> = list
            .openings
            .iter()
            .map(|o| canonical(o.game(Rules::Othello).unwrap().position()))
            .collect();
        assert_eq!((list.openings.len(), ends.len()), (300, 300));
        assert_eq!(OpeningList::of(&c).unwrap().digest(), list.digest());
        assert_ne!(
            OpeningList::of(&Config { seed: 6, ..c }).unwrap().digest(),
            list.digest()
        );
        // Only 3 positions up to symmetry after two plies.
        assert_eq!(
            OpeningList::of(&config("[openings]\nrandom-plies = 2"))
                .unwrap()
                .openings
                .len(),
            3
        );
        let classic = OpeningList::of(&config("rules = 'classic'")).unwrap();
        assert!(classic.openings.len() > 50);
    }

    #[test]
    fn every_opening_once_before_any_again() {
        let c = config("pairs = 8\n[openings]\nrandom-plies = 2");
        let schedule = OpeningList::of(&c).unwrap().schedule(&c);
        assert_eq!(schedule.len(), 8);
        for cycle in schedule.chunks(3).take(2) {
            assert_eq!(cycle.iter().collect::<HashSet<_>>().len(), 3);
        }
        let c = config("pairs = 4\n[openings]\nrandom-plies = 2\nin-order = true");
        assert_eq!(OpeningList::of(&c).unwrap().schedule(&c), [0, 1, 2, 0]);
    }
}
