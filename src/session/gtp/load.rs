//! `loadsgf`: a game from a file, in GGF or SGF.

use std::fs::File;
use std::path::Path;

use outflank_protocol::{ggf, sgf};

use crate::files;
use crate::rules::{Game, Rules};
use crate::session::record;

/// Larger files are not records of games.
const MAX_BYTES: u64 = 64 << 20;

/// The first game of the file, up to the position before move number `before` (from 1), or all of it.
///
/// # Errors
/// A text that says what is wrong with the file or the game.
pub fn game(rules: Rules, file: &str, before: Option<u32>) -> Result<Game, String> {
    let moves = before.map_or(usize::MAX, |number| number.saturating_sub(1) as usize);
    let text = read(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
    let first = ggf::matches(&text).next();
    let found = match first {
        Some(Ok(found)) => found.games.into_iter().next().map(|mut record| {
            record.moves.truncate(moves);
            record::game(rules, &record).map_err(|error| error.to_string())
        }),
        // An SGF text looks like a GGF one with errors.
        Some(Err(no_ggf)) => Some(match text.parse::<sgf::Game>() {
            Ok(mut game) => {
                game.moves.truncate(moves);
                record::sgf(rules, &game).map_err(|error| error.to_string())
            }
            Err(error) if text.contains("GM[2]") => Err(error.to_string()),
            Err(_) => Err(no_ggf.to_string()),
        }),
        None => None,
    };
    found
        .unwrap_or_else(|| Err("no game in it".into()))
        .map_err(|error| format!("{file}: {error}"))
}

/// The text of a file, invalid UTF-8 replaced.
fn read(path: &Path) -> std::io::Result<String> {
    let file = File::open(path)?;
    // Reading a device or a pipe might never end.
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("not a file"));
    }
    let bytes = files::bounded(file, MAX_BYTES)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
