//! Bakes the commit into the binary. Works without git and in a source archive.

use std::process::Command;

/// `git archive` replaces this (see .gitattributes).
const ARCHIVED: &str = "$Format:%h$";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Everything is built anew when this script says something else: a test build must not be, at every commit.
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        println!("cargo:rustc-env=OUTFLANK_COMMIT=development");
        return;
    }
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=protocol/src");
    println!("cargo:rerun-if-changed=Cargo.lock");
    // Every commit and checkout adds a line there.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    println!("cargo:rustc-env=OUTFLANK_COMMIT={}", commit());
}

/// Abbreviated commit, with `-dirty` if tracked files differ from it; `unknown` where there is no way to tell.
fn commit() -> String {
    // The tree may lie unpacked inside somebody else's repository: ours has its root here.
    if git(&["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix.is_empty())
        && let Some(commit) = git(&["describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"])
    {
        return commit;
    }
    if ARCHIVED.starts_with('$') {
        "unknown".into()
    } else {
        ARCHIVED.into()
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
