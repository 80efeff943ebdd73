//! Lists of openings.

use super::config::{Config, Openings};
use super::record::Opening;
use super::seed::SplitMix;
use super::transcript;
use crate::rules::{Color, Game, Move, Position, Rules};
use std::collections::HashSet;
use std::fs;
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
    /// Nothing there.
    #[error("there is no opening in {0}")]
    Empty(String),
}

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
            let plies = random_plies.unwrap_or(RANDOM_PLIES);
            return Ok(Self {
                openings: random(config, plies),
                warnings: Vec::new(),
            });
        }
        let mut all = Vec::new();
        for path in files {
            let text = fs::read(path).map_err(|error| OpeningError::Io {
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

/// The game at the end of an opening. Error if a move is not legal or the game is over by then.
pub fn set_up(opening: &Opening, rules: Rules) -> Result<Game, String> {
    let (start, moves) = opening.read(rules)?;
    let mut game = Game::from_position(start);
    for (i, mv) in moves.into_iter().enumerate() {
        play_on(&mut game, mv).map_err(|e| format!("move {}: {e}", i + 1))?;
    }
    if game.is_over() {
        return Err("the game is over after it".into());
    }
    Ok(game)
}

/// Plays a move, and a forced pass before it where the list leaves passes out.
fn play_on(game: &mut Game, mv: Move) -> Result<(), String> {
    if mv != Move::Pass && game.moves().must_pass() {
        game.play(Move::Pass).map_err(|e| e.to_string())?;
    }
    game.play(mv).map_err(|e| e.to_string())
}

/// The position turned and mirrored so that all 8 symmetric ones give the same.
fn canonical(position: &Position) -> (u64, u64, bool) {
    let least = position
        .board
        .symmetries()
        .map(|b| (b.mover, b.opponent))
        .into_iter()
        .min();
    let (mover, opponent) = least.unwrap_or_default();
    (mover, opponent, position.mover == Color::Black)
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
            list.push(Opening {
                board: None,
                moves: transcript::print(game.history()),
            });
        }
    }
    list
}

/// Reads a list, one opening a line: OBF (a board, the side to move, anything after `;` or `%` left out) or a
/// transcript. Empty lines and lines that begin with `#` are skipped.
fn read(path: &Path, text: &str, rules: Rules, plies: usize) -> Result<Vec<(Opening, Game)>, OpeningError> {
    let mut list = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        let found = line_of(line, rules, plies);
        let found = found.map_err(|error| OpeningError::Line {
            path: path.into(),
            line: i + 1,
            error,
        })?;
        list.push(found);
    }
    Ok(list)
}

fn line_of(line: &str, rules: Rules, plies: usize) -> Result<(Opening, Game), String> {
    let head = line.split([';', '%']).next().unwrap_or_default().trim();
    let opening = match transcript::position(head, rules) {
        Some(position) => Opening {
            board: Some(transcript::diagram(&position)),
            moves: String::new(),
        },
        None => {
            let shown: String = head.chars().take(40).collect();
            let mut moves = transcript::parse(head)
                .map_err(|e| format!("'{shown}' is neither a board nor moves: {e}"))?;
            moves.truncate(plies);
            Opening {
                board: None,
                moves: transcript::print(&moves),
            }
        }
    };
    let game = set_up(&opening, rules)?;
    Ok((opening, game))
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
            ("hello", "neither a board nor moves"),
            ("\0", "neither"),
        ] {
            let error = read(Path::new("x"), bad, Rules::Othello, 9)
                .unwrap_err()
                .to_string();
            assert!(error.contains("'x', line 1") && error.contains(why), "{error}");
        }
    }

    #[test]
    fn random_ones_differ_and_come_back() {
        let c = config("pairs = 300\nseed = 5\n[openings]\nrandom-plies = 6");
        let list = OpeningList::of(&c).unwrap();
        let ends: HashSet<_> = list
            .openings
            .iter()
            .map(|o| canonical(set_up(o, Rules::Othello).unwrap().position()))
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
