//! WTHOR game files (`WTH_yyyy.wtb`), the tournament database of the French federation.
//!
//! Binary, little-endian: a header of 16 bytes, then 68 bytes a game. Passes are not stored. The layout follows the federation's
//! format description; only files of games on 8x8 boards are read.

use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u16, le_u32};

use crate::vocab::Square;

/// Bytes before the first game.
const HEADER: usize = 16;
/// Bytes of one game.
const RECORD: usize = 68;
/// Places for moves in one game.
const MOVES: usize = 60;

/// One file: what its header says, and its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// Day on which the file was written: year, month, day.
    pub written: (u16, u8, u8),
    /// Year in which the games were played.
    pub year: u16,
    /// Number of empty squares from which [`Game::best_score`] counts.
    pub depth: u8,
    /// The games, in the order of the file.
    pub games: Vec<Game>,
}

/// One game, from the standard start with Black to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Number of the tournament in its name file, from 0.
    pub tournament: u16,
    /// Number of the player with Black in the name file, from 0.
    pub black: u16,
    /// Number of the player with White.
    pub white: u16,
    /// Points of Black at the end, 0..=64, empty squares counted for the winner.
    pub score: u8,
    /// Points of Black after best play of both from [`Database::depth`] empty squares on, 0..=64.
    pub best_score: u8,
    /// The moves, at most 60, without the passes.
    pub moves: Vec<Square>,
}

/// The bytes are not a WTHOR file of 8x8 games. Games are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WthorError {
    /// Less than a header.
    #[error("{0} bytes are too few for a WTHOR header (16)")]
    NoHeader(usize),
    /// The length of the file contradicts the header.
    #[error("the header says {games} games, which makes {expected} bytes, but there are {found}")]
    Length {
        /// Games according to the header.
        games: u32,
        /// Length that follows from it.
        expected: u64,
        /// Length found.
        found: usize,
    },
    /// A name file, solitaires, or another board size.
    #[error("not a file of 8x8 games: board size {size}, kind {kind}, {names} names")]
    Kind {
        /// Board size; 0 and 8 are read.
        size: u8,
        /// 0 = games.
        kind: u8,
        /// Number of name records.
        names: u16,
    },
    /// A move byte that is no square.
    #[error("game {game}, move {place}: {byte} is not 10 * row + column")]
    Move {
        /// Number of the game.
        game: usize,
        /// Number of the move, from 1.
        place: usize,
        /// What stands there.
        byte: u8,
    },
    /// A score above 64.
    #[error("game {game}: a score of {score}")]
    Score {
        /// Number of the game.
        game: usize,
        /// What stands there.
        score: u8,
    },
}

type Unexpected<'a> = nom::error::Error<&'a [u8]>;

impl Database {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If the bytes are anything but a file of 8x8 games; the error names the game and what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, WthorError> {
        let mut header = (
            (le_u8::<_, Unexpected>, le_u8, le_u8, le_u8),
            (le_u32, le_u16, le_u16),
            (le_u8, le_u8, le_u8, le_u8),
        );
        let (rest, ((century, year_of, month, day), (count, names, year), (size, kind, depth, _))) = header
            .parse(bytes)
            .map_err(|_| WthorError::NoHeader(bytes.len()))?;
        if !matches!(size, 0 | 8) || kind != 0 || names != 0 {
            return Err(WthorError::Kind { size, kind, names });
        }
        let expected = HEADER as u64 + RECORD as u64 * u64::from(count);
        if bytes.len() as u64 != expected {
            return Err(WthorError::Length {
                games: count,
                expected,
                found: bytes.len(),
            });
        }
        let records = rest.chunks_exact(RECORD).enumerate();
        Ok(Self {
            written: (100 * u16::from(century) + u16::from(year_of), month, day),
            year,
            depth,
            games: records
                .map(|(number, record)| Game::parse(number, record))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The file that [`Database::parse`] reads as this value. Of a game, the first 60 moves are written.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (year, month, day) = self.written;
        let mut bytes = vec![(year / 100) as u8, (year % 100) as u8, month, day];
        bytes.extend((self.games.len() as u32).to_le_bytes());
        bytes.extend(0_u16.to_le_bytes());
        bytes.extend(self.year.to_le_bytes());
        bytes.extend([8, 0, self.depth, 0]);
        for game in &self.games {
            for number in [game.tournament, game.black, game.white] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend([game.score, game.best_score]);
            let moves = game
                .moves
                .iter()
                .map(|s| 10 * (s.index() / 8 + 1) + s.index() % 8 + 1);
            bytes.extend(moves.chain(std::iter::repeat(0)).take(MOVES));
        }
        bytes
    }
}

impl Game {
    /// `number` is the place of the record in its file, for the errors.
    fn parse(number: usize, record: &[u8]) -> Result<Self, WthorError> {
        let mut fields = (
            (le_u16::<_, Unexpected>, le_u16, le_u16),
            (le_u8, le_u8),
            take(MOVES),
        );
        // A record has its 68 bytes, so that only an impossible length can fail here.
        let (_, ((tournament, black, white), (score, best_score), moves)) = fields
            .parse(record)
            .map_err(|_| WthorError::NoHeader(record.len()))?;
        for score in [score, best_score] {
            if score > 64 {
                return Err(WthorError::Score { game: number, score });
            }
        }
        let length = moves
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        let square = |(place, &byte): (usize, &u8)| {
            let (row, column) = (byte / 10, byte % 10);
            let on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
            let square = if on_board {
                Square::new(8 * (row - 1) + column - 1)
            } else {
                None
            };
            square.ok_or(WthorError::Move {
                game: number,
                place: place + 1,
                byte,
            })
        };
        Ok(Self {
            tournament,
            black,
            white,
            score,
            best_score,
            moves: moves
                .iter()
                .take(length)
                .enumerate()
                .map(square)
                .collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game() -> impl Strategy<Value = Game> {
        let square = (0_u8..64).prop_map(|i| Square::new(i).unwrap());
        (
            any::<[u16; 3]>(),
            0_u8..=64,
            0_u8..=64,
            prop::collection::vec(square, 0..=60),
        )
            .prop_map(|([tournament, black, white], score, best_score, moves)| Game {
                tournament,
                black,
                white,
                score,
                best_score,
                moves,
            })
    }

    fn database() -> impl Strategy<Value = Database> {
        (
            (0_u16..25_600, any::<u8>(), any::<u8>()),
            any::<u16>(),
            any::<u8>(),
            prop::collection::vec(game(), 0..5),
        )
            .prop_map(|(written, year, depth, games)| Database {
                written,
                year,
                depth,
                games,
            })
    }

    proptest! {
        #[test]
        fn round_trip(database in database()) {
            prop_assert_eq!(Database::parse(&database.to_bytes()), Ok(database));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Database::parse(&bytes);
        }

        #[test]
        fn any_damage_is_read_or_refused(database in database(), at in any::<prop::sample::Index>(), byte: u8) {
            let mut bytes = database.to_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let _ = Database::parse(&bytes);
            prop_assert!(Database::parse(&bytes[..at]).is_err());
        }
    }

    #[test]
    fn errors_say_where() {
        let game = Game {
            tournament: 1,
            black: 2,
            white: 3,
            score: 40,
            best_score: 38,
            moves: ["f5", "d6"].map(|s| s.parse().unwrap()).to_vec(),
        };
        let file = Database {
            written: (2026, 1, 2),
            year: 2025,
            depth: 24,
            games: vec![game; 2],
        };
        let bytes = file.to_bytes();
        assert_eq!(bytes.len(), 16 + 2 * 68);
        assert_eq!(bytes[16 + 8..][..3], [56, 64, 0]);
        let error = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bytes.clone();
            change(&mut bytes);
            Database::parse(&bytes).unwrap_err().to_string()
        };
        assert_eq!(
            error(&|b| b.truncate(15)),
            "15 bytes are too few for a WTHOR header (16)"
        );
        assert_eq!(
            error(&|b| b.truncate(100)),
            "the header says 2 games, which makes 152 bytes, but there are 100"
        );
        assert_eq!(
            error(&|b| b[7] = 255),
            "the header says 4278190082 games, which makes 290916925592 bytes, but there are 152"
        );
        assert_eq!(
            error(&|b| b[12] = 10),
            "not a file of 8x8 games: board size 10, kind 0, 0 names"
        );
        assert_eq!(error(&|b| b[16 + 68 + 6] = 65), "game 1: a score of 65");
        assert_eq!(
            error(&|b| b[16 + 9] = 19),
            "game 0, move 2: 19 is not 10 * row + column"
        );
        assert_eq!(
            error(&|b| b[16 + 8] = 0),
            "game 0, move 1: 0 is not 10 * row + column"
        );
    }
}
