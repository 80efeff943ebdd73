//! Files of weights: reading them, and writing them over nothing else.

use std::path::Path;

use crate::eval::weights::{self, Weights};
use crate::files;

/// The weights of a file.
///
/// # Errors
/// If it can't be read or holds something else.
pub fn read(path: &Path) -> Result<Weights, String> {
    let weights = files::data(path).map_err(weights::Error::Io);
    let weights = weights.and_then(|bytes| Weights::from_bytes(&bytes));
    match weights {
        Ok((weights, _)) => Ok(weights),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// Asked before the work begins.
///
/// # Errors
/// If the file exists and holds something else than weights, such as games whose name stands in the wrong place, or can be no file.
pub fn may_write(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("{}: is a folder", path.display()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("{}: there is no such folder", folder.display()));
    }
    let foreign = path.is_file()
        && files::data(path).is_ok_and(|bytes| !bytes.is_empty() && weights::name(&bytes).is_err());
    match foreign {
        true => Err(format!(
            "{}: is there, and no file of weights: it would be overwritten",
            path.display()
        )),
        false => Ok(()),
    }
}

/// Writes weights.
///
/// # Errors
/// If the system does not.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    files::replace(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
