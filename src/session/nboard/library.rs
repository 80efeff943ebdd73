//! The games that `learn` keeps.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use outflank_protocol::ggf;

/// A folder with an append-only file of games, `games.ggf`, one a line.
#[derive(Debug)]
pub struct Library {
    folder: PathBuf,
    file: PathBuf,
}

impl Library {
    /// Neither the folder nor the file needs to exist yet.
    pub fn new(folder: PathBuf) -> Self {
        let file = folder.join("games.ggf");
        Self { folder, file }
    }

    /// Where the games are.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Adds a game; when this returns it is on the disk. Several processes may add to the same file.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub fn add(&self, game: &ggf::Game) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        // One write, so that lines of two processes do not mix.
        file.write_all(format!("{game}\n").as_bytes())?;
        file.sync_data()
    }
}
