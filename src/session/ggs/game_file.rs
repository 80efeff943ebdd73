//! The file of games: a line for each match, added as it ends.

use outflank_protocol::ggf;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

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
        let date = date(SystemTime::now());
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
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days of the proleptic Gregorian calendar, counted in years that begin in March so that leap days come last
    // (H. Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}.{month:02}.{day:02}_{hour:02}:{minute:02}:{second:02}.UTC")
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_protocol::vocab::Diagram;
    use std::time::Duration;

    #[test]
    fn dates() {
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970.01.01_00:00:00.UTC");
        assert_eq!(at(951_782_399), "2000.02.28_23:59:59.UTC");
        assert_eq!(at(951_782_400), "2000.02.29_00:00:00.UTC");
        assert_eq!(at(951_868_800), "2000.03.01_00:00:00.UTC");
        assert_eq!(at(1_071_491_598), "2003.12.15_12:33:18.UTC");
        assert_eq!(at(1_795_982_946), "2026.11.29_20:09:06.UTC");
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
