//! Files that a user names: a device or a pipe without end must not fill the memory, no two processes write one file, and what was there
//! is lost to no write that fails.

use flate2::Crc;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
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

/// Writes a file, first beside it, so that a kill or a full disk leaves the old one or the new one.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device, or what a link leads to, is no name that another file could take over.
    if path.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        return fs::write(path, bytes);
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()
    });
    let replaced = written.and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// CRC-32 of some bytes.
pub fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
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
    fn a_file_is_replaced_whole() {
        let folder = std::env::temp_dir().join(format!("outflank-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a");
        for text in ["old and long", "new"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(replace(&folder, b"x").is_err() && replace(&folder.join("b/c"), b"x").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_device_without_end_is_no_text() {
        let error = text(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
