//! What several integration tests need.

use std::path::PathBuf;

/// A folder or file of the reference data: `$OUTFLANK_DATA/name`, by default `../shared/data/name` beside the repository.
///
/// `None`, with a line that says so, where there is no reference data.
///
/// # Panics
/// If the data are missing although `CI` is set.
pub fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("OUTFLANK_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data")),
        PathBuf::from,
    );
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "no reference data at {}",
        path.display()
    );
    println!("skipped: no reference data");
    None
}
