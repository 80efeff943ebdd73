//! A log file that is continued in a new one when it is full.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that never grows beyond a size: then it is renamed to `NAME.1`, what was `NAME.1` to `NAME.2`, and so on; the oldest
/// is dropped.
#[derive(Debug)]
pub struct RotatingFile {
    path: PathBuf,
    file: File,
    written: u64,
    most: u64,
    keep: u64,
}

impl RotatingFile {
    /// Opens or makes a file that may have `most` bytes, with `keep` older ones beside it.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn open(path: &Path, most: u64, keep: u64) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self {
            path: path.to_owned(),
            written: file.metadata()?.len(),
            file,
            most,
            keep,
        })
    }

    fn older(&self, age: u64) -> PathBuf {
        if age == 0 {
            return self.path.clone();
        }
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{age}"));
        name.into()
    }

    fn rotate(&mut self) -> io::Result<()> {
        self.file.flush()?;
        for age in (0..self.keep).rev() {
            let from = self.older(age);
            if from.exists() {
                fs::rename(from, self.older(age + 1))?;
            }
        }
        self.file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .open(&self.path)?;
        Ok(())
    }
}

impl Write for RotatingFile {
    /// Writes all of `line`, in a new file if it does not fit into this one.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let length = u64::try_from(line.len()).unwrap_or(u64::MAX);
        if self.written > 0 && self.written.saturating_add(length) > self.most {
            // What cannot be renamed now goes on growing, and is tried again when as much has been added.
            self.written = 0;
            let _ = self.rotate();
        }
        self.file.write_all(line)?;
        self.written += length;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_lines_move_on_and_are_dropped() {
        let folder = std::env::temp_dir().join(format!("outflank-log-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("ggs.log");
        for line in 0..10 {
            // Reopened each time: what is there counts.
            let mut file = RotatingFile::open(&path, 25, 2).unwrap();
            file.write_all(format!("line {line:4}\n").as_bytes()).unwrap();
        }
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("ggs.log"), "line    8\nline    9\n");
        assert_eq!(read("ggs.log.1"), "line    6\nline    7\n");
        assert_eq!(read("ggs.log.2"), "line    4\nline    5\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
        // A single line may be longer than a file.
        RotatingFile::open(&path, 25, 2)
            .unwrap()
            .write_all(&[b'x'; 100])
            .unwrap();
        assert_eq!(read("ggs.log").len(), 100);
        // Something is in the way of the older one: no line is lost.
        fs::remove_file(folder.join("ggs.log.1")).unwrap();
        fs::create_dir_all(folder.join("ggs.log.1/x")).unwrap();
        let mut file = RotatingFile::open(&path, 25, 1).unwrap();
        for _ in 0..4 {
            file.write_all(&[b'y'; 10]).unwrap();
        }
        assert_eq!(read("ggs.log").len(), 140);
        fs::remove_dir_all(&folder).unwrap();
    }
}
