//! Files that a user names: a device or a pipe without end must not fill the memory, and no two processes write one file.

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::path::Path;

/// The most that a file written by hand has, such as a configuration.
const MOST_TEXT: u64 = 16 << 20;

/// The most that a file of data has: positions, games, weights.
const MOST_DATA: u64 = 1 << 30;

/// The bytes of a file of data.
///
/// # Errors
/// If it cannot be read, or is too large to be one.
pub fn data(path: &Path) -> io::Result<Vec<u8>> {
    bounded(File::open(path)?, MOST_DATA)
}

/// The text of a file that somebody wrote by hand.
///
/// # Errors
/// If it cannot be read, is too large to be one, or no UTF-8.
pub fn text(path: &Path) -> io::Result<String> {
    let bytes = bounded(File::open(path)?, MOST_TEXT)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// All of the input, if that is no more than `most` bytes.
///
/// # Errors
/// If it cannot be read, or is larger.
pub fn bounded(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let error = format!("larger than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    Ok(bytes)
}

/// Keeps other processes that ask for it from writing the file as long as it is open here.
///
/// # Errors
/// If one of them writes it now, or the system knows no locks.
pub fn lock(file: &File) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::other("another process is writing it"),
        TryLockError::Error(error) => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_input_is_refused() {
        let error = bounded(io::repeat(0), MOST_TEXT).unwrap_err();
        assert_eq!(error.to_string(), "larger than 16 MiB");
        assert_eq!(
            bounded(io::repeat(7).take(1 << 20), 1 << 20).unwrap().len(),
            1 << 20
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_device_without_end_is_no_text() {
        let error = text(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
