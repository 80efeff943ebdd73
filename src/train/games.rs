//! Files of self-play games.
//!
//! A file is a header line followed by records. The header is one line of text, so that `head -1` shows where the games come
//! from: `outflank games 1; ` and then free words (evaluation, depth, seed, shard). A record, all integers little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | number of the game: with the seed of the header it decides the opening |
//! | 1 | plies of the opening, which were not chosen by search |
//! | 1 | `n`, the number of discs placed in the whole game |
//! | 1 | final score in discs for Black, empty squares to the winner, signed |
//! | n | squares in playing order, 0 = a1, 63 = h8; passes are left out, for they follow from the board |
//! | 2 × (n - opening) | score of each searched position for its mover in centidiscs, signed |
//! | 2 | check: the low half of FNV-1a over the bytes above |
//!
//! Files simply add up. A last record, or a header, cut short by a kill is dropped by the reader and by whoever goes on with the
//! file; damage before that is an error, or the games behind it would be lost without a word.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::board::{Board, Square};
use crate::files;

/// The words that every file of this version begins with.
const MAGIC: &str = "outflank games 1; ";
const LONGEST_HEADER: u64 = 4096;

/// A game that self-play finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Number of the game in its run.
    pub number: u64,
    /// Plies that were not chosen by search: they carry no score and train nothing.
    pub opening: u8,
    /// Squares in playing order, passes left out.
    pub moves: Vec<u8>,
    /// Score of each position after the opening for its mover, centidiscs.
    pub scores: Vec<i16>,
    /// Final score in discs for Black.
    pub score: i8,
}

/// A position of a game as training sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position, mover's view; the mover can play.
    pub board: Board,
    /// Score of the search that chose the move, centidiscs for the mover.
    pub search: i16,
    /// Final score of the game in discs for the mover.
    pub outcome: i8,
}

/// What can go wrong with a file of games.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{}: not a file of games (it should begin with `{MAGIC}`)", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A record is damaged, and not because it is cut short.
    #[error(
        "{}: damaged at byte {position}; cut off there (`truncate -s {position}`) the games before it can be used",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the record begins, from 0.
        position: u64,
    },
    /// The file was made with other settings than those asked for now.
    #[error("{}: was begun with other settings: `{found}`, asked for: `{asked}`", path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// Its header.
        found: String,
        /// The header that would have been written.
        asked: String,
    },
}

fn at(path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Io {
        path: path.to_owned(),
        source,
    }
}

fn check(bytes: &[u8]) -> u16 {
    let hash = bytes.iter().fold(0x811c_9dc5_u32, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash as u16
}

impl Record {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.number.to_le_bytes().to_vec();
        bytes.extend([self.opening, self.moves.len() as u8, self.score as u8]);
        bytes.extend(&self.moves);
        bytes.extend(self.scores.iter().flat_map(|s| s.to_le_bytes()));
        bytes.extend(check(&bytes).to_le_bytes());
        bytes
    }

    /// The next record, or `None` at the end or at a record that is cut short. A damaged one is an error of the kind
    /// [`io::ErrorKind::InvalidData`].
    fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = vec![0; 11];
        if !fill(input, &mut bytes)? {
            return Ok(None);
        }
        let (opening, n) = (bytes[8], bytes[9]);
        if n > 60 || opening > n {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let (opening, n) = (usize::from(opening), usize::from(n));
        bytes.resize(11 + n + 2 * (n - opening) + 2, 0);
        if !fill(input, &mut bytes[11..])? {
            return Ok(None);
        }
        let (body, end) = bytes.split_at(bytes.len() - 2);
        if end != check(body).to_le_bytes() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut number = [0; 8];
        number.copy_from_slice(&body[..8]);
        Ok(Some(Self {
            number: u64::from_le_bytes(number),
            opening: body[8],
            moves: body[11..11 + n].to_vec(),
            scores: body[11 + n..]
                .chunks_exact(2)
                .map(|c| i16::from_le_bytes([c[0], c[1]]))
                .collect(),
            score: body[10] as i8,
        }))
    }

    /// The positions after the opening in which the mover can play; stops at the first move that breaks the rules.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let (mut board, mut black) = (Board::START, true);
        let opening = usize::from(self.opening);
        self.moves
            .iter()
            .enumerate()
            .map_while(move |(ply, &square)| {
                if square >= 64 {
                    return None;
                }
                let square = Square::new(square);
                if board.moves() & square.bit() == 0 {
                    (board, black) = (board.pass(), !black);
                    if board.moves() & square.bit() == 0 {
                        return None;
                    }
                }
                let sample = (ply >= opening).then(|| Sample {
                    board,
                    search: self.scores[ply - opening],
                    outcome: if black { self.score } else { -self.score },
                });
                (board, black) = (board.play(square), !black);
                Some(sample)
            })
            .flatten()
    }
}

/// Fills `buffer`; false if the input ends before.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads the games of a file one after the other.
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    /// The free words of the header.
    pub about: String,
    /// Bytes of the header and the sound records so far.
    sound: u64,
}

impl Reader {
    /// Opens a file of games.
    ///
    /// # Errors
    /// If it can't be read or is something else.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::new(path, File::open(path).map_err(at(path))?)
    }

    fn new(path: &Path, file: File) -> Result<Self, Error> {
        let mut input = BufReader::new(file);
        let mut header = Vec::new();
        (&mut input)
            .take(LONGEST_HEADER)
            .read_until(b'\n', &mut header)
            .map_err(at(path))?;
        let about = std::str::from_utf8(&header)
            .ok()
            .and_then(|line| line.strip_prefix(MAGIC)?.strip_suffix('\n'))
            .ok_or_else(|| Error::Foreign {
                path: path.to_owned(),
            })?;
        Ok(Self {
            about: about.to_owned(),
            sound: header.len() as u64,
            path: path.to_owned(),
            input,
        })
    }
}

impl Reader {
    /// Empty squares from which the scores are exact, as the header says; 0 if it doesn't.
    pub fn exact(&self) -> u32 {
        let words = self
            .about
            .split(';')
            .find_map(|part| part.trim().strip_prefix("exact "));
        words.and_then(|number| number.parse().ok()).unwrap_or(0)
    }
}

impl Iterator for Reader {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = Record::read(&mut self.input)
            .map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => Error::Damaged {
                    path: self.path.clone(),
                    position: self.sound,
                },
                _ => at(&self.path)(error),
            })
            .transpose()?;
        if let Ok(record) = &record {
            self.sound += record.to_bytes().len() as u64;
        }
        Some(record)
    }
}

/// Appends games to a file. No other process can do so meanwhile.
pub struct Writer {
    path: PathBuf,
    output: BufWriter<File>,
}

impl Writer {
    /// Begins a file, or goes on with one that was begun with the same header, whose sound games are given to `found`.
    ///
    /// # Errors
    /// If the file can't be read or written, is something else, damaged, being written by another process, or was begun with
    /// another header.
    pub fn resume(path: &Path, about: &str, mut found: impl FnMut(&Record)) -> Result<Self, Error> {
        let header = format!("{MAGIC}{about}\n");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(at(path))?;
        files::lock(&file).map_err(at(path))?;
        let mut beginning = Vec::new();
        (&file)
            .take(header.len() as u64)
            .read_to_end(&mut beginning)
            .map_err(at(path))?;
        file.rewind().map_err(at(path))?;
        let mut sound = 0;
        // A kill, or a full disk, may have left no more than a piece of the header.
        if beginning.len() == header.len() || !header.as_bytes().starts_with(&beginning) {
            let mut reader = Reader::new(path, file.try_clone().map_err(at(path))?)?;
            if reader.about != about {
                return Err(Error::OtherSettings {
                    path: path.to_owned(),
                    found: reader.about,
                    asked: about.to_owned(),
                });
            }
            for record in &mut reader {
                found(&record?);
            }
            sound = reader.sound;
        }
        // A record that was cut short goes.
        file.set_len(sound).map_err(at(path))?;
        file.seek(io::SeekFrom::End(0)).map_err(at(path))?;
        if sound == 0 {
            file.write_all(header.as_bytes()).map_err(at(path))?;
        }
        Ok(Self {
            path: path.to_owned(),
            output: BufWriter::new(file),
        })
    }

    /// Appends a game; it is on disk after [`Writer::flush`].
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write(&mut self, record: &Record) -> Result<(), Error> {
        self.output.write_all(&record.to_bytes()).map_err(at(&self.path))
    }

    /// Hands everything to the system.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.output.flush().map_err(at(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64) -> Record {
        Record {
            number,
            opening: 2,
            moves: vec![19, 18, 26],
            scores: vec![-150],
            score: -12,
        }
    }

    #[test]
    fn a_torn_record_is_dropped_and_the_file_goes_on() {
        let path = std::env::temp_dir().join(format!("outflank-games-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut writer = Writer::resume(&path, "test", |_| ()).unwrap();
        for number in 0..3 {
            writer.write(&record(number)).unwrap();
        }
        drop(writer);
        let length = std::fs::metadata(&path).unwrap().len();
        OpenOptions::new()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(length - 1)
            .unwrap();

        let mut found = Vec::new();
        let mut writer = Writer::resume(&path, "test", |r| found.push(r.number)).unwrap();
        assert_eq!(found, [0, 1]);
        writer.write(&record(7)).unwrap();
        drop(writer);
        let all: Vec<Record> = Reader::open(&path).unwrap().map(|r| r.unwrap()).collect();
        assert_eq!(all, [record(0), record(1), record(7)]);
        assert!(matches!(
            Writer::resume(&path, "other", |_| ()),
            Err(Error::OtherSettings { .. })
        ));
        std::fs::remove_file(&path).unwrap();
    }

    /// A path of its own for a test, removed before and after it.
    fn with_file(name: &str, test: impl FnOnce(&Path)) {
        let path = std::env::temp_dir().join(format!("outflank-games-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        test(&path);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_torn_header_is_written_again() {
        with_file("header", |path| {
            let header = format!("{MAGIC}test\n");
            for length in 0..header.len() {
                std::fs::write(path, &header[..length]).unwrap();
                let mut writer = Writer::resume(path, "test", |_| ()).unwrap();
                writer.write(&record(3)).unwrap();
                drop(writer);
                let all: Vec<Record> = Reader::open(path).unwrap().map(|r| r.unwrap()).collect();
                assert_eq!(all, [record(3)], "{length}");
            }
            std::fs::write(path, "outflank gains\n").unwrap();
            assert!(matches!(
                Writer::resume(path, "test", |_| ()),
                Err(Error::Foreign { .. })
            ));
            assert_eq!(std::fs::read(path).unwrap(), b"outflank gains\n");
        });
    }

    #[test]
    fn damage_costs_no_games_behind_it() {
        with_file("damage", |path| {
            let mut writer = Writer::resume(path, "test", |_| ()).unwrap();
            for number in 0..3 {
                writer.write(&record(number)).unwrap();
            }
            drop(writer);
            let sound = std::fs::read(path).unwrap();
            let header = format!("{MAGIC}test\n").len();
            let second = header + record(0).to_bytes().len();
            // A square, and the number of discs.
            for byte in [second + 11, second + 9] {
                let mut bytes = sound.clone();
                bytes[byte] ^= 0x80;
                std::fs::write(path, &bytes).unwrap();
                let error = Writer::resume(path, "test", |_| ()).err().unwrap();
                assert!(
                    matches!(error, Error::Damaged { position, .. } if position == second as u64),
                    "{error}"
                );
                assert_eq!(std::fs::read(path).unwrap(), bytes);
                let read: Vec<_> = Reader::open(path).unwrap().collect();
                assert!(matches!(read[1], Err(Error::Damaged { .. })));
            }
        });
    }

    #[test]
    fn two_writers_of_one_file_are_kept_apart() {
        with_file("lock", |path| {
            let writer = Writer::resume(path, "test", |_| ()).unwrap();
            let error = Writer::resume(path, "test", |_| ()).err().unwrap();
            assert!(
                error.to_string().ends_with("another process is writing it"),
                "{error}"
            );
            drop(writer);
            assert!(Writer::resume(path, "test", |_| ()).is_ok());
        });
    }

    #[test]
    fn samples_are_seen_by_their_mover() {
        let samples: Vec<Sample> = record(0).samples().collect();
        assert_eq!(samples.len(), 1);
        assert_eq!((samples[0].search, samples[0].outcome), (-150, -12));
        assert_eq!(samples[0].board.empties(), 58);
    }
}
