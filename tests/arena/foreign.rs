//! A real foreign engine: GRhino's `gtp-rhino`, Debian package grhino.

use super::{Folder, engine, expect, pairs};
use std::path::Path;

#[test]
fn twenty_games_against_grhino() {
    let Some(rhino) = ["/usr/games/gtp-rhino", "/usr/bin/gtp-rhino"]
        .into_iter()
        .find(|p| Path::new(p).exists())
    else {
        println!("SKIPPED: there is no gtp-rhino here (Debian: apt-get install grhino)");
        return;
    };
    let folder = Folder::new("rhino");
    let ours = format!("ours=gtp:{}", engine("gtp --hash 8"));
    let theirs = format!("grhino=gtp:{rhino} -l 1");
    // GRhino knows time_settings but no clock: its level is what holds it.
    let mut arguments = vec![
        "match",
        "--engine",
        &ours,
        "--engine",
        &theirs,
        "--pairs",
        "10",
        "--concurrency",
        "2",
    ];
    arguments.extend([
        "--pace-of",
        "ours=100ms/move",
        "--margin",
        "5",
        "--journal",
        "m.jsonl",
    ]);
    let text = expect(&folder, &arguments, 0);
    assert_eq!(text.matches("none forfeited").count(), 2, "{text}");
    let pairs = pairs(&folder.path("m.jsonl"));
    assert_eq!(pairs.len(), 10);
    // It refuses `play x pass`, so there should have been some to get right.
    let passes = |p: &serde_json::Value| {
        p["games"]
            .as_array()
            .unwrap()
            .iter()
            .any(|g| g["moves"].as_str().unwrap().contains("pa"))
    };
    println!(
        "{} of 10 pairs with a pass\n{text}",
        pairs.iter().filter(|p| passes(p)).count()
    );
}
