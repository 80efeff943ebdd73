//! Matches with the shipped binary: engines that misbehave, kills, parts, tests, ratings, compliance.

mod comply;
mod foreign;
mod lifecycle;
mod misdeeds;
mod results;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs};

/// The shipped binary.
fn outflank() -> Command {
    Command::new(env!("CARGO_BIN_EXE_outflank"))
}

/// The path of the shipped binary with its arguments, for a shell-like splitter.
fn engine(arguments: &str) -> String {
    format!("'{}' {arguments}", env!("CARGO_BIN_EXE_outflank"))
}

/// The program of tests/mock, built when first wanted: `cargo test --test arena` alone does not build examples.
fn mock(arguments: &str) -> String {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let here = env::current_exe().unwrap();
        // target/PROFILE/deps/arena-HASH
        let profile = here.parent().unwrap().parent().unwrap();
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--example", "mock_engine", "--target-dir"]);
        cargo
            .arg(profile.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success(), "cannot build the mock engine");
        profile
            .join("examples")
            .join(format!("mock_engine{}", env::consts::EXE_SUFFIX))
    });
    format!("'{}' {arguments}", path.display())
}

/// An empty folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("outflank-arena-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs `outflank` with these arguments in a folder; its output, and its exit code.
fn run(folder: &Folder, arguments: &[&str]) -> (Output, i32) {
    let output = outflank()
        .args(arguments)
        .current_dir(&folder.0)
        .output()
        .unwrap();
    let code = output.status.code().unwrap_or(-1);
    (output, code)
}

/// The same for a run that must end with this code; its standard output.
fn expect(folder: &Folder, arguments: &[&str], code: i32) -> String {
    let (output, found) = run(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(found, code, "{arguments:?}\n{out}\n{err}");
    out
}

/// The lines of a journal after the first.
fn pairs(journal: &Path) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap();
    text.lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The report of journals as JSON.
fn report(folder: &Folder, journals: &[&str]) -> Value {
    let arguments = [&["match", "report", "--json"], journals].concat();
    let (output, _) = run(folder, &arguments);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    value["report"].clone()
}

/// A report without what is never the same twice: dates and times.
fn timeless(mut report: Value) -> Value {
    report["started"].take();
    for engine in report["engines"].as_array_mut().unwrap() {
        for key in ["time", "least_left_ms", "nps"] {
            engine[key].take();
        }
    }
    report
}
