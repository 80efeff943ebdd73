//! The file of games: a line for each match, added as it ends.

use crate::date::Date;
use outflank_protocol::ggf;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file of GGF matches that only grows.
#[derive(Debug)]
pub struct GameFile(File);

impl GameFile {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().create(true).append(true).open(path).map(Self)
    }

    /// Adds a match, dated now where it has no date. When this returns the line is on the disk.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn add(&mut self, mut found: ggf::Match) -> io::Result<()> {
        let date = as_the_server(Date::now());
        for game in &mut found.games {
            if game.date.is_empty() {
                game.date.clone_from(&date);
            }
        }
        // One write: two programs that share the file do not cut each other's lines.
        self.0.write_all(format!("{found}\n").as_bytes())?;
        self.0.sync_data()
    }
}

/// `2026.11.29_20:09:06.UTC`, as the server dates its records.
fn as_the_server(date: Date) -> String {
    let Date {
        year,
        month,
        day,
        hour,
        minute,
        second,
    } = date;
    format!("{year}.{month:02}.{day:02}_{hour:02}:{minute:02}:{second:02}.UTC")
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_protocol::vocab::Diagram;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn dates_are_written_as_the_server_does() {
        let date = Date::from(UNIX_EPOCH + Duration::from_secs(1_071_491_598));
        assert_eq!(as_the_server(date), "2003.12.15_12:33:18.UTC");
    }

    #[test]
    fn games_are_added_and_can_be_read() {
        let path = std::env::temp_dir().join(format!("outflank-games-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let game = ggf::Game::new(Diagram::standard());
        for games in [vec![game.clone()], vec![game.clone(), game]] {
            GameFile::open(&path).unwrap().add(ggf::Match { games }).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let found: Vec<_> = ggf::matches(&text)
            .map(|found| found.unwrap().games.len())
            .collect();
        assert_eq!(found, [1, 2]);
        assert_eq!(text.matches(".UTC").count(), 3);
        std::fs::remove_file(&path).unwrap();
    }
}
