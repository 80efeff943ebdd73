//! The file of games: a line for each match, added as it ends.

use crate::date::Date;
use crate::files;
use outflank_protocol::ggf;
use outflank_protocol::ggs::MatchId;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of GGF matches that only grows.
///
/// Matches of which one game has ended and the other goes on wait in a file beside it, so that the game that has ended is
/// not lost should the program be killed: the next one that opens the file of games moves them there.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    /// Lines that the disk has not taken yet.
    pending: String,
    drafts: BTreeMap<MatchId, String>,
    drafts_path: PathBuf,
}

impl GameFile {
    /// Opens the file, or makes it. `login` tells programs apart that share it.
    ///
    /// # Errors
    /// If the file cannot be written to, or what an earlier program left beside it cannot be read.
    pub fn open(path: &Path, login: &str) -> io::Result<Self> {
        let word: String = login
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{word}.unfinished"));
        let mut games = Self {
            path: path.to_owned(),
            pending: String::new(),
            drafts: BTreeMap::new(),
            drafts_path: name.into(),
        };
        let fault = |what: &str, path: &Path, error: io::Error| {
            io::Error::new(error.kind(), format!("cannot {what} {}: {error}", path.display()))
        };
        let games_fault = |error| fault("write to the file of games", path, error);
        games.file().map_err(games_fault)?;
        match fs::read_to_string(&games.drafts_path) {
            Ok(left) => {
                games.pending = left;
                games.flush().map_err(games_fault)?;
                fs::remove_file(&games.drafts_path).map_err(|error| {
                    fault(
                        "remove what has been moved to the file of games,",
                        &games.drafts_path,
                        error,
                    )
                })?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // The next pair of games would overwrite it.
            Err(error) => {
                return Err(fault(
                    "read the games of an unfinished match in",
                    &games.drafts_path,
                    error,
                ));
            }
        }
        Ok(games)
    }

    /// The file, opened anew for each writing: somebody may have moved it away.
    fn file(&self) -> io::Result<File> {
        OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(&self.path)
    }

    /// Adds a match, dated now where it has no date. When this returns the line is on the disk.
    ///
    /// # Errors
    /// If the disk does not take it; it is kept for the next [`GameFile::flush`].
    pub fn add(&mut self, found: ggf::Match) -> io::Result<()> {
        self.pending.push_str(&line(found));
        self.flush()
    }

    /// Writes what the disk did not take before.
    ///
    /// # Errors
    /// If it still does not.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut file = self.file()?;
        if is_torn(&mut file) {
            file.write_all(b"\n")?;
        }
        // One write: two programs that share the file do not cut each other's lines.
        file.write_all(self.pending.as_bytes())?;
        file.sync_data().or_else(|error| match error.kind() {
            // A pipe or a device keeps nothing that could be lost.
            io::ErrorKind::InvalidInput => Ok(()),
            _ => Err(error),
        })?;
        self.pending.clear();
        Ok(())
    }

    /// Says which matches an error keeps from the file, with all that is known of them: there may be no other copy.
    pub fn loss(&self, error: &io::Error) -> String {
        format!(
            "{} match(es) could not be written to {}: {error}\n{}",
            self.pending.lines().count(),
            self.path.display(),
            self.pending.trim_end()
        )
    }

    /// Keeps a match that has not ended beside the file of games, in place of what was kept of it before, or no longer.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn draft(&mut self, id: MatchId, found: Option<ggf::Match>) -> io::Result<()> {
        match found {
            Some(found) => self.drafts.insert(id, line(found)),
            None => self.drafts.remove(&id),
        };
        if self.drafts.is_empty() {
            return match fs::remove_file(&self.drafts_path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let text: String = self.drafts.values().map(String::as_str).collect();
        files::replace(&self.drafts_path, text.as_bytes())
    }
}

/// The file ends in the middle of a line: the disk was full, or the power failed.
fn is_torn(file: &mut File) -> bool {
    let mut last = [0];
    // An empty file has no such place, and neither has a pipe.
    file.seek(SeekFrom::End(-1)).is_ok() && matches!(file.read(&mut last), Ok(1)) && last != *b"\n"
}

/// A match as a line, its games dated now where they have no date.
fn line(mut found: ggf::Match) -> String {
    let date = as_the_server(Date::now());
    for game in &mut found.games {
        if game.date.is_empty() {
            game.date.clone_from(&date);
        }
    }
    format!("{found}\n")
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

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("outflank-games-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn games(&self) -> PathBuf {
            self.0.join("games.ggf")
        }

        /// The numbers of games in the matches that can be read.
        fn read(&self) -> Vec<usize> {
            let text = fs::read_to_string(self.games()).unwrap();
            ggf::matches(&text)
                .flatten()
                .map(|found| found.games.len())
                .collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn found(games: usize) -> ggf::Match {
        ggf::Match {
            games: vec![ggf::Game::new(Diagram::standard()); games],
        }
    }

    #[test]
    fn games_are_added_and_can_be_read() {
        let folder = Folder::new("added");
        for games in [1, 2] {
            let mut file = GameFile::open(&folder.games(), "me").unwrap();
            file.add(found(games)).unwrap();
        }
        assert_eq!(folder.read(), [1, 2]);
        let text = fs::read_to_string(folder.games()).unwrap();
        assert_eq!(text.matches(".UTC").count(), 3);
    }

    #[test]
    fn a_line_that_was_cut_off_takes_no_other_with_it() {
        let folder = Folder::new("torn");
        let mut file = GameFile::open(&folder.games(), "me").unwrap();
        file.add(found(1)).unwrap();
        drop(file);
        let mut text = fs::read_to_string(folder.games()).unwrap();
        text.push_str("2 (;GM[Othello]PC[GGS");
        fs::write(folder.games(), text).unwrap();
        let mut file = GameFile::open(&folder.games(), "me").unwrap();
        file.add(found(2)).unwrap();
        drop(file);
        let text = fs::read_to_string(folder.games()).unwrap();
        let last = text.lines().last().unwrap();
        assert_eq!(ggf::matches(last).flatten().next().unwrap().games.len(), 2);
        assert!(text.starts_with("1 (;") && text.lines().count() == 3, "{text}");
    }

    #[test]
    fn half_a_match_is_not_lost_with_the_program() {
        let folder = Folder::new("half");
        let files = || fs::read_dir(&folder.0).unwrap().count();
        let mut file = GameFile::open(&folder.games(), "me/2").unwrap();
        file.draft(MatchId(1), Some(found(2))).unwrap();
        file.draft(MatchId(2), Some(found(2))).unwrap();
        // Another program that shares the file leaves them alone.
        GameFile::open(&folder.games(), "other").unwrap();
        assert_eq!((folder.read().len(), files()), (0, 2));
        file.draft(MatchId(1), None).unwrap();
        drop(file);
        let mut file = GameFile::open(&folder.games(), "me/2").unwrap();
        assert_eq!((folder.read(), files()), (vec![2], 1));
        // One that ends in peace leaves nothing behind.
        file.draft(MatchId(1), Some(found(2))).unwrap();
        file.add(found(2)).unwrap();
        file.draft(MatchId(1), None).unwrap();
        file.draft(MatchId(1), None).unwrap();
        assert_eq!((folder.read(), files()), (vec![2, 2], 1));
    }

    #[test]
    fn a_file_that_was_moved_away_is_begun_again() {
        let folder = Folder::new("moved");
        let mut file = GameFile::open(&folder.games(), "me").unwrap();
        file.add(found(1)).unwrap();
        fs::rename(folder.games(), folder.0.join("old")).unwrap();
        file.add(found(2)).unwrap();
        assert_eq!(folder.read(), [2]);
    }

    #[test]
    fn what_was_left_and_cannot_be_read_is_not_overwritten() {
        let folder = Folder::new("unread");
        let left = folder.0.join("games.ggf.me.unfinished");
        fs::write(&left, b"1 (;\xff;)\n").unwrap();
        let error = GameFile::open(&folder.games(), "me").unwrap_err().to_string();
        assert!(error.contains("games.ggf.me.unfinished"), "{error}");
        assert_eq!(fs::read(&left).unwrap(), b"1 (;\xff;)\n");
        fs::remove_file(&left).unwrap();
        fs::create_dir(&left).unwrap();
        let error = GameFile::open(&folder.games(), "me").unwrap_err().to_string();
        assert!(error.contains("games.ggf.me.unfinished"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_that_keeps_nothing_will_do() {
        let mut file = GameFile::open(Path::new("/dev/null"), "me").unwrap();
        file.add(found(1)).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_full_disk_does_not_take_is_kept() {
        let folder = Folder::new("full");
        let mut file = GameFile::open(&folder.games(), "me").unwrap();
        let good = std::mem::replace(&mut file.path, "/dev/full".into());
        assert!(file.add(found(1)).is_err());
        let error = file.add(found(2)).unwrap_err();
        let loss = file.loss(&error);
        assert!(loss.starts_with("2 match(es) could not be written to ") && loss.contains("(;GM[Othello]"));
        file.path = good;
        file.flush().unwrap();
        file.flush().unwrap();
        assert_eq!(folder.read(), [1, 2]);
    }
}
