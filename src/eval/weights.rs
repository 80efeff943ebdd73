//! Weights as numbers in a file: what training writes and the evaluations are built from.
//!
//! Layout, all integers little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 16 | `outflank eval 1\n` |
//! | 8 | number of bytes after the next field |
//! | 4 | their CRC-32 |
//! | 1 | kind: 0 linear, 1 embedding |
//! | 1 | width: numbers a row |
//! | 1 + n | length and text of the name |
//! | 1 | number of patterns, for each its length and its squares, a byte each |
//! | 61 × (2 × width + 1) × 4 | heads by empty squares from 0: squared, linear, bias, as 32-bit floats |
//! | 1 | number of tables, for each: |
//! | 1 + 4 | empty squares from which on down it is used; length of what follows |
//! | n | raw deflate: rows of the classes, then the extra rows, see [`Table`] |
//!
//! In a table the numbers are stored by place in the row (the first of every row, then the second of every row ...), those of
//! an embedding as 8 bits; extra rows and those of a linear sum as 16 bits, all low bytes before all high bytes.

use std::io::{self, Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use super::features::{self, Features, extra};
use super::patterns::Pattern;
use crate::board::Square;
use crate::files::checksum;

const MAGIC: &[u8; 16] = b"outflank eval 1\n";

/// What the numbers of a row mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The heads have no squared part: all rows of a phase can be merged into one number a state.
    Linear,
    /// Rows are summed, and the sum is read out by its squares and itself.
    Embedding,
}

impl Kind {
    /// The number of a row that stands for 1.0.
    pub const fn scale(self) -> f32 {
        match self {
            Self::Linear => 16384.0,
            Self::Embedding => 256.0,
        }
    }

    /// The largest number of a pattern row.
    pub const fn largest(self) -> i16 {
        match self {
            Self::Linear => i16::MAX,
            Self::Embedding => i8::MAX as i16,
        }
    }
}

/// Rows that serve for a range of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The table serves from this number of empty squares down to where the next begins.
    pub from: u8,
    /// A row for each class of states, in units of 1 / [`Kind::scale`].
    pub rows: Vec<i16>,
    /// A row for each of [`extra::ROWS`], in the same units.
    pub extra: Vec<i16>,
}

/// How the sum of the rows becomes a score, in units of [`DISCS`] discs: bias + Σ squared·clamp(x, 0, 1)² + linear·x.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Factors of the squares.
    pub squared: Vec<f32>,
    /// Factors of the numbers themselves.
    pub linear: Vec<f32>,
    /// What is added.
    pub bias: f32,
}

/// Discs in one unit of what a head gives.
pub const DISCS: f32 = 32.0;

/// Weights as they are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Name for `--version` and reports.
    pub name: String,
    /// What the numbers mean.
    pub kind: Kind,
    /// Numbers a row: 8, 16 or 32.
    pub width: usize,
    /// The patterns whose features look up rows.
    pub patterns: Vec<Pattern>,
    /// Heads by number of empty squares, [`extra::EMPTIES`] of them.
    pub heads: Vec<Head>,
    /// Tables from the most empty squares to the fewest.
    pub tables: Vec<Table>,
}

/// Why weights can't be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Something else altogether.
    #[error("not a file of evaluation weights")]
    Foreign,
    /// Weights of another version of the format.
    #[error("weights of another version of Outflank: this one reads format 1")]
    Version,
    /// The end is missing, or there's more than there should be.
    #[error("{found} bytes where {expected} belong: the file is cut short or something was added")]
    Length {
        /// Bytes there should be.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The checksum doesn't fit.
    #[error("damaged: the checksum does not fit")]
    Damaged,
    /// The checksum fits and the contents don't.
    #[error("the weights make no sense: {0}")]
    Nonsense(&'static str),
}

impl Weights {
    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = vec![
            u8::from(self.kind == Kind::Embedding),
            self.width as u8,
            self.name.len() as u8,
        ];
        body.extend(self.name.bytes());
        body.push(self.patterns.len() as u8);
        for pattern in &self.patterns {
            body.push(pattern.squares().len() as u8);
            body.extend(pattern.squares().iter().map(|square| square.index() as u8));
        }
        for head in &self.heads {
            let numbers = head.squared.iter().chain(&head.linear).chain([&head.bias]);
            body.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        body.push(self.tables.len() as u8);
        for table in &self.tables {
            let mut bytes = planes(&table.rows, self.width, self.kind == Kind::Linear);
            bytes.extend(planes(&table.extra, self.width, true));
            let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
            // Writing to memory can't fail.
            let packed = packer
                .write_all(&bytes)
                .and_then(|()| packer.finish())
                .unwrap_or_default();
            body.push(table.from);
            body.extend((packed.len() as u32).to_le_bytes());
            body.extend(packed);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads a file's bytes, and the features that belong to its patterns.
    ///
    /// # Errors
    /// If they are no weights, of another version, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, Features), Error> {
        let (body, sum) = body(bytes)?;
        if checksum(body.0) != sum {
            return Err(Error::Damaged);
        }
        body.weights()
    }
}

/// The name of the weights in a file's bytes, without unpacking or checking the rest.
///
/// # Errors
/// If they are no weights, of another version or cut short.
pub fn name(bytes: &[u8]) -> Result<String, Error> {
    let (mut body, _) = body(bytes)?;
    body.take(2)?;
    body.text()
}

/// What follows the head of a file, and its CRC-32.
fn body(bytes: &[u8]) -> Result<(Input<'_>, u32), Error> {
    let Some((magic, rest)) = bytes.split_at_checked(MAGIC.len()) else {
        return Err(Error::Foreign);
    };
    if magic != MAGIC {
        let family = magic.starts_with(b"outflank eval ");
        return Err(if family { Error::Version } else { Error::Foreign });
    }
    let short = |expected| Error::Length {
        expected,
        found: bytes.len() as u64,
    };
    let mut input = Input(rest);
    let length = u64::from_le_bytes(input.array().map_err(|_| short(28))?);
    let sum = u32::from_le_bytes(input.array().map_err(|_| short(28))?);
    if input.0.len() as u64 != length {
        return Err(short(length.saturating_add(28)));
    }
    Ok((input, sum))
}

/// The numbers by place in the row; as 16 bits if `wide`, all low bytes of a place before its high bytes.
fn planes(rows: &[i16], width: usize, wide: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows.len() * if wide { 2 } else { 1 });
    for place in 0..width {
        let numbers = || rows.iter().skip(place).step_by(width);
        bytes.extend(numbers().map(|&number| number as u8));
        if wide {
            bytes.extend(numbers().map(|&number| (number >> 8) as u8));
        }
    }
    bytes
}

/// The inverse of [`planes`], some rows at a time so that both sides stay in the cache.
fn rows(bytes: &[u8], width: usize, wide: bool) -> Vec<i16> {
    const ROWS: usize = 256;
    let planes = width * if wide { 2 } else { 1 };
    let n = bytes.len() / planes;
    let mut rows = vec![0; n * width];
    for (block, rows) in rows.chunks_mut(ROWS * width).enumerate() {
        let count = rows.len() / width;
        let plane = |number: usize| &bytes[number * n + block * ROWS..][..count];
        for place in 0..width {
            let numbers = rows[place..].iter_mut().step_by(width);
            if wide {
                let pairs = plane(2 * place).iter().zip(plane(2 * place + 1));
                for (number, (&low, &high)) in numbers.zip(pairs) {
                    *number = i16::from_le_bytes([low, high]);
                }
            } else {
                for (number, &byte) in numbers.zip(plane(place)) {
                    *number = i16::from(byte as i8);
                }
            }
        }
    }
    rows
}

/// What is left to read.
struct Input<'a>(&'a [u8]);

const SHORT: Error = Error::Nonsense("it ends too early");

impl<'a> Input<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(SHORT)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(SHORT)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    fn text(&mut self) -> Result<String, Error> {
        let n = self.byte()?.into();
        let text = std::str::from_utf8(self.take(n)?);
        Ok(text
            .map_err(|_| Error::Nonsense("the name is no text"))?
            .to_owned())
    }

    fn patterns(&mut self) -> Result<Vec<Pattern>, Error> {
        let count = self.byte()?;
        (0..count)
            .map(|_| {
                let n = self.byte()?.into();
                let squares = self.take(n)?.iter().map(|&b| (b < 64).then(|| Square::new(b)));
                let squares: Option<Vec<Square>> = squares.collect();
                squares
                    .and_then(|s| Pattern::new(s).ok())
                    .ok_or(Error::Nonsense("a pattern is none"))
            })
            .collect()
    }

    fn floats(&mut self, n: usize) -> Result<Vec<f32>, Error> {
        (0..n)
            .map(|_| match f32::from_le_bytes(self.array()?) {
                number if number.is_finite() => Ok(number),
                _ => Err(Error::Nonsense("a head is not finite")),
            })
            .collect()
    }

    fn weights(mut self) -> Result<(Weights, Features), Error> {
        let kind = match self.byte()? {
            0 => Kind::Linear,
            1 => Kind::Embedding,
            _ => return Err(Error::Nonsense("unknown kind")),
        };
        let width = usize::from(self.byte()?);
        if ![8, 16, 32].contains(&width) {
            return Err(Error::Nonsense("rows must be 8, 16 or 32 wide"));
        }
        let name = self.text()?;
        let patterns = self.patterns()?;
        let features =
            Features::new(patterns.clone()).ok_or(Error::Nonsense("too many patterns, or none"))?;
        let heads = (0..extra::EMPTIES)
            .map(|_| {
                let (squared, linear) = (self.floats(width)?, self.floats(width)?);
                Ok(Head {
                    squared,
                    linear,
                    bias: self.floats(1)?[0],
                })
            })
            .collect::<Result<Vec<Head>, Error>>()?;
        let count = self.byte()?;
        let mut packed = Vec::new();
        for _ in 0..count {
            let from = self.byte()?;
            let n = u32::from_le_bytes(self.array()?) as usize;
            packed.push((from, self.take(n)?));
        }
        let falling = packed.windows(2).all(|pair| pair[0].0 > pair[1].0);
        if !falling
            || packed
                .first()
                .is_none_or(|table| usize::from(table.0) < extra::EMPTIES - 1)
        {
            return Err(Error::Nonsense("the tables don't cover the game"));
        }
        if !self.0.is_empty() {
            return Err(Error::Nonsense("something follows the tables"));
        }
        let unpack = |(from, bytes)| unpack(from, bytes, kind, width, features.classes());
        let tables = std::thread::scope(|scope| {
            let threads: Vec<_> = packed
                .into_iter()
                .map(|one| scope.spawn(move || unpack(one)))
                .collect();
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(table) => table,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect::<Result<Vec<Table>, Error>>()
        })?;
        Ok((
            Weights {
                name,
                kind,
                width,
                patterns,
                heads,
                tables,
            },
            features,
        ))
    }
}

fn unpack(from: u8, packed: &[u8], kind: Kind, width: usize, classes: usize) -> Result<Table, Error> {
    let wide = kind == Kind::Linear;
    let first = classes * width * if wide { 2 } else { 1 };
    let length = first + extra::ROWS * width * 2;
    let mut bytes = Vec::with_capacity(length + 1);
    let read = DeflateDecoder::new(packed)
        .take(length as u64 + 1)
        .read_to_end(&mut bytes);
    if read.is_err() || bytes.len() != length {
        return Err(Error::Nonsense("a table has the wrong size"));
    }
    let table = Table {
        from,
        rows: rows(&bytes[..first], width, wide),
        extra: rows(&bytes[first..], width, true),
    };
    // Sums of a whole position must fit 16 bits.
    let most = i32::from(i16::MAX) - i32::from(Kind::Embedding.largest() + 1) * features::MOST as i32;
    if !wide
        && table
            .extra
            .iter()
            .any(|&number| i32::from(number).abs() > most / 3)
    {
        return Err(Error::Nonsense("an extra row is too large"));
    }
    Ok(table)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    /// Random weights of a small pattern set.
    pub(crate) fn random(kind: Kind, width: usize, seed: u64) -> Weights {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let patterns = [
            "a1b1c1a2b2c2a3b3c3",
            "a2b2c2d2e2f2g2h2",
            "c1d2e3f4g5h6",
            "b1c1d1e1b2c2d2e2",
        ];
        let patterns: Vec<Pattern> = patterns.iter().map(|text| text.parse().unwrap()).collect();
        let classes = Features::new(patterns.clone()).unwrap().classes();
        let mut numbers = |n: usize, most: i16| (0..n).map(|_| rng.random_range(-most..=most)).collect();
        let most = if kind == Kind::Linear { 600 } else { 20 };
        let tables = [60, 30].map(|from| Table {
            from,
            rows: numbers(classes * width, most),
            extra: numbers(extra::ROWS * width, most * 4),
        });
        let mut floats = |n: usize| (0..n).map(|_| rng.random_range(-0.3f32..0.3)).collect::<Vec<_>>();
        let heads = (0..extra::EMPTIES)
            .map(|_| Head {
                squared: if kind == Kind::Linear {
                    vec![0.0; width]
                } else {
                    floats(width)
                },
                linear: floats(width),
                bias: floats(1)[0],
            })
            .collect();
        Weights {
            name: "random".to_owned(),
            kind,
            width,
            patterns,
            heads,
            tables: tables.to_vec(),
        }
    }

    #[test]
    fn a_file_comes_back_as_it_was() {
        for (kind, width) in [(Kind::Linear, 8), (Kind::Embedding, 16), (Kind::Embedding, 32)] {
            let weights = random(kind, width, 1);
            assert_eq!(Weights::from_bytes(&weights.to_bytes()).unwrap().0, weights);
        }
    }

    #[test]
    fn what_is_no_sound_file_is_refused_with_the_reason() {
        let good = random(Kind::Embedding, 8, 2).to_bytes();
        let refuse = |bytes: &[u8]| Weights::from_bytes(bytes).map(|_| ()).unwrap_err();
        assert!(matches!(refuse(b""), Error::Foreign));
        assert!(matches!(refuse(&[7; 400]), Error::Foreign));
        assert!(matches!(refuse(b"outflank eval 2\nwhatever"), Error::Version));
        assert!(matches!(refuse(&good[..20]), Error::Length { .. }));
        assert!(matches!(refuse(&good[..good.len() - 1]), Error::Length { .. }));
        assert!(matches!(
            refuse(&[&good[..], &[0]].concat()),
            Error::Length { .. }
        ));
        let mut bad = good.clone();
        bad[1000] ^= 1;
        assert!(matches!(refuse(&bad), Error::Damaged));
    }

    #[test]
    fn contents_that_make_no_sense_are_refused_even_with_the_right_checksum() {
        let good = random(Kind::Embedding, 8, 3).to_bytes();
        for at in 28..200 {
            for value in [0, 3, 255] {
                let mut bytes = good.clone();
                bytes[at] = value;
                let sum = checksum(&bytes[28..]);
                bytes[24..28].copy_from_slice(&sum.to_le_bytes());
                // Some changes are harmless (a letter of the name); none may panic.
                let _ = Weights::from_bytes(&bytes);
            }
        }
    }
}
