//! The journal: one line of JSON for the match, then one for every finished pair, each on disk before the next.

use super::config::Config;
use super::record::PairRecord;
use super::stats::Shard;
use crate::date::Date;
use crate::files;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The format that this program writes and reads.
const FORMAT: u32 = 1;

/// Longer lines are no pairs of games: reading a device must not fill the memory.
const LONGEST_LINE: u64 = 16 << 20;

/// The first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    #[serde(rename = "outflank-journal")]
    pub format: u32,
    /// Version of the program that began it.
    pub version: String,
    /// When it was begun, UTC: `2026-11-29 20:07:26`.
    pub started: String,
    /// Which part of the match it holds: `1/1` is all of it.
    pub shard: String,
    /// A digest of the openings, in hexadecimal.
    pub openings: String,
    /// What the engines said of themselves, in the order of the configuration.
    pub identities: Vec<Option<String>>,
    /// The match.
    pub config: Config,
}

/// A file that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file can't be opened, read or written.
    #[error("journal '{}': {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A new journal has the name of a file that is there.
    #[error("journal '{}': the file is there already; `outflank match resume` goes on with a match", .0.display())]
    Exists(PathBuf),
    /// A line is wrong.
    #[error("journal '{}', line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which, from 1.
        line: usize,
        /// Why.
        error: String,
    },
    /// Two journals are not of the same match.
    #[error("journals '{}' and '{}' are not of the same match: {what} differ", first.display(), second.display())]
    Mixed {
        /// One.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// What is not the same.
        what: &'static str,
    },
}

/// One journal, read.
#[derive(Clone, PartialEq, Debug)]
pub struct Journal {
    /// The first line.
    pub header: Header,
    /// Its part of the match.
    pub shard: Shard,
    /// The pairs by number.
    pub pairs: BTreeMap<u64, PairRecord>,
    /// Pairs that were there more than once; the first one counts.
    pub repeated: u64,
    /// Length in bytes up to the last whole line.
    whole: u64,
}

impl Journal {
    /// Without pairs.
    pub fn new(header: Header, shard: Shard) -> Self {
        Self {
            header,
            shard,
            pairs: BTreeMap::new(),
            repeated: 0,
            whole: 0,
        }
    }

    /// Reads a file. A last line that was being written when the program died is left out; a broken line before it is an
    /// error.
    pub fn read(path: &Path) -> Result<Self, JournalError> {
        let io = |error| JournalError::Io {
            path: path.into(),
            error,
        };
        Self::read_from(path, &mut BufReader::new(File::open(path).map_err(io)?))
    }

    fn read_from(path: &Path, input: &mut impl BufRead) -> Result<Self, JournalError> {
        let io = |error| JournalError::Io {
            path: path.into(),
            error,
        };
        let bad = |line, error: String| JournalError::Line {
            path: path.into(),
            line,
            error,
        };
        let mut buffer = Vec::new();
        let first = read_line(input, &mut buffer).map_err(io)?;
        let header: Header = serde_json::from_slice(&buffer)
            .map_err(|e| bad(1, format!("this is no journal of a match ({e})")))?;
        if header.format != FORMAT || buffer.last() != Some(&b'\n') {
            return Err(bad(1, format!("this program reads format {FORMAT}")));
        }
        let shard = header.shard.parse().map_err(|e| bad(1, e))?;
        let mut this = Self {
            whole: first as u64,
            ..Self::new(header, shard)
        };
        // An error stands only once another line follows it.
        let mut torn: Option<JournalError> = None;
        for line in 2.. {
            buffer.clear();
            let length = read_line(input, &mut buffer).map_err(io)?;
            if length == 0 {
                break;
            }
            if let Some(error) = torn {
                return Err(error);
            }
            let whole = buffer.last() == Some(&b'\n');
            match serde_json::from_slice::<PairRecord>(&buffer) {
                Ok(pair) if whole => {
                    this.whole += length as u64;
                    let number = pair.pair;
                    if let std::collections::btree_map::Entry::Vacant(free) = this.pairs.entry(number) {
                        free.insert(pair);
                    } else {
                        this.repeated += 1;
                    }
                    torn = None;
                }
                Ok(_) => torn = Some(bad(line, "no end of line".into())),
                Err(error) => torn = Some(bad(line, error.to_string())),
            }
        }
        Ok(this)
    }

    /// Reads several journals of one match: parts of it, or the same part twice.
    pub fn read_all(paths: &[PathBuf]) -> Result<(Self, Vec<Shard>), JournalError> {
        let [first_path, more @ ..] = paths else {
            let error = io::Error::new(io::ErrorKind::NotFound, "no journal given");
            return Err(JournalError::Io {
                path: PathBuf::new(),
                error,
            });
        };
        let mut all = Self::read(first_path)?;
        let mut shards = BTreeSet::from([all.shard]);
        for path in more {
            let other = Self::read(path)?;
            let mixed = |what| {
                Err(JournalError::Mixed {
                    first: first_path.clone(),
                    second: path.clone(),
                    what,
                })
            };
            if !other.header.config.same_match(&all.header.config) {
                return mixed("their settings");
            }
            if other.header.openings != all.header.openings {
                return mixed("their openings");
            }
            shards.insert(other.shard);
            all.repeated += other.repeated;
            for (number, pair) in other.pairs {
                if let std::collections::btree_map::Entry::Vacant(free) = all.pairs.entry(number) {
                    free.insert(pair);
                } else {
                    all.repeated += 1;
                }
            }
        }
        Ok((all, shards.into_iter().collect()))
    }
}

/// Appends the next line, or as much of it as a line may have.
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<usize> {
    input.take(LONGEST_LINE).read_until(b'\n', buffer)
}

/// A journal that is being written. No other process can write it meanwhile.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Begins a new file; an existing one is an error.
    pub fn create(path: &Path, header: &Header) -> Result<Self, JournalError> {
        let io = |error| JournalError::Io {
            path: path.into(),
            error,
        };
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => JournalError::Exists(path.into()),
                _ => io(error),
            })?;
        let mut this = Self::locked(path, file)?;
        this.write(header)?;
        Ok(this)
    }

    /// Goes on with a file: reads it, then cuts off a torn last line.
    pub fn resume(path: &Path) -> Result<(Self, Journal), JournalError> {
        let io = |error| JournalError::Io {
            path: path.into(),
            error,
        };
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        let mut this = Self::locked(path, file)?;
        let journal = Journal::read_from(path, &mut BufReader::new(&this.file))?;
        this.file.set_len(journal.whole).map_err(io)?;
        this.file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok((this, journal))
    }

    fn locked(path: &Path, file: File) -> Result<Self, JournalError> {
        files::lock(&file).map_err(|error| JournalError::Io {
            path: path.into(),
            error,
        })?;
        Ok(Self {
            path: path.into(),
            file,
        })
    }

    /// Adds a pair; it is on disk when this returns.
    pub fn add(&mut self, pair: &PairRecord) -> Result<(), JournalError> {
        self.write(pair)
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let io = |error| JournalError::Io {
            path: self.path.clone(),
            error,
        };
        let mut line = serde_json::to_vec(value).map_err(|e| io(e.into()))?;
        line.push(b'\n');
        // In one piece, so that a kill leaves at most one torn line, the last.
        self.file
            .write_all(&line)
            .and_then(|()| self.file.sync_data())
            .map_err(io)
    }
}

/// The header of a new journal.
pub fn header(config: &Config, shard: Shard, openings: u64, identities: Vec<Option<String>>) -> Header {
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").into(),
        started: Date::now().to_string(),
        shard: shard.to_string(),
        openings: format!("{openings:016x}"),
        identities,
        config: config.clone(),
    }
}
