//! Positions of WTHOR files, for the subcommands that measure and verify.

use std::error::Error;
use std::path::Path;

use outflank_protocol::wthor::{Database, Game};

use crate::board::{Board, Square};
use crate::files;

/// The files (.wtb) of a folder, in the order of their names.
///
/// # Errors
/// If the folder or a file cannot be read, or is no WTHOR file: the message names it.
pub fn read(folder: &Path) -> Result<Vec<Database>, Box<dyn Error>> {
    let name = folder.display();
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| format!("{name}: {error}"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "wtb") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(format!("{name}: no files that end with .wtb").into());
    }
    paths.sort_unstable();
    let read = |path: &std::path::PathBuf| -> Result<Database, Box<dyn Error>> {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = files::data(path).map_err(|error| at(&error))?;
        Ok(Database::parse(&bytes).map_err(|error| at(&error))?)
    };
    paths.iter().map(read).collect()
}

/// The position before the move that a game plays with this many empty squares, and whether Black is to move; `None` if it
/// has no such move, or an illegal one before.
pub fn position(game: &Game, empties: u32) -> Option<(Board, bool)> {
    let (mut board, mut black) = (Board::START, true);
    for square in &game.moves {
        let square = Square::new(square.index());
        if board.moves() & square.bit() == 0 {
            (board, black) = (board.pass(), !black);
            if board.moves() & square.bit() == 0 {
                return None;
            }
        }
        if board.empties() == empties {
            return Some((board, black));
        }
        (board, black) = (board.play(square), !black);
    }
    None
}
