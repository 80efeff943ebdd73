//! Kills, interrupts, parts.

use super::{Folder, expect, mock, outflank, pairs, report, run, timeless};
use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

/// Two processes whose games are the same every time, at the same pace in this test as in a real match.
fn match_of(engines: [&str; 2], pairs: &str, journal: &str) -> Vec<String> {
    let mut arguments: Vec<String> = ["match", "--quiet", "--seed", "7", "--concurrency", "2"]
        .map(Into::into)
        .to_vec();
    for engine in engines {
        arguments.extend(["--engine".to_owned(), engine.to_owned()]);
    }
    arguments.extend(["--pairs", pairs, "--journal", journal].map(Into::into));
    arguments
}

#[test]
fn killed_ten_times() {
    let folder = Folder::new("killed");
    let process = format!("mock=nboard:{}", mock("nboard"));
    let engines = [process.as_str(), "random"];
    let words = |list: &[String]| list.to_vec();
    let undisturbed = words(&match_of(engines, "400", "calm.jsonl"));
    expect(
        &folder,
        &undisturbed.iter().map(String::as_str).collect::<Vec<_>>(),
        0,
    );

    let mut arguments = match_of(engines, "400", "killed.jsonl");
    let mut counts = Vec::new();
    for round in 0..10u64 {
        let mut child = outflank()
            .args(&arguments)
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // At least one pair more each time, so that there is something left for the last.
        let before = counts.last().copied().unwrap_or(0);
        while count(&folder) < before + 1 + round as usize * 2 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        counts.push(count(&folder));
        arguments = ["match", "resume", "--quiet", "killed.jsonl"]
            .map(Into::into)
            .to_vec();
    }
    assert!(
        counts.windows(2).all(|w| w[0] <= w[1]) && counts[9] < 400,
        "{counts:?}"
    );
    // And one line torn in the middle, as a crash of the machine would leave it.
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(folder.path("killed.jsonl"))
        .unwrap();
    file.write_all(b"{\"pair\":399,\"first\":\"mock\",\"sec").unwrap();
    drop(file);
    expect(&folder, &["match", "resume", "--quiet", "killed.jsonl"], 0);
    let [calm, killed] = ["calm.jsonl", "killed.jsonl"].map(|j| timeless(report(&folder, &[j])));
    assert_eq!(killed, calm);
    assert_eq!(killed["pairs"], 400);
    assert_eq!(
        pairs(&folder.path("killed.jsonl")).len(),
        400,
        "no pair was played twice"
    );
}

/// Whole lines of pairs in the journal.
fn count(folder: &Folder) -> usize {
    let text = fs::read(folder.path("killed.jsonl")).unwrap_or_default();
    text.iter().filter(|&&b| b == b'\n').count().saturating_sub(1)
}

#[test]
fn parts_add_up() {
    let folder = Folder::new("parts");
    let engines = ["random", "greedy"];
    let play = |journal: &str, shard: &str| {
        let mut arguments = match_of(engines, "30", journal);
        arguments.extend(["--shard".to_owned(), shard.to_owned()]);
        expect(
            &folder,
            &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
            0,
        );
    };
    play("all.jsonl", "1/1");
    for i in 1..=3 {
        play(&format!("part{i}.jsonl"), &format!("{i}/3"));
    }
    let parts = ["part3.jsonl", "part1.jsonl", "part2.jsonl"];
    let all = timeless(report(&folder, &["all.jsonl"]));
    assert_eq!(timeless(report(&folder, &parts)), all);
    // The same part twice is noticed and changes nothing else.
    let mut twice = timeless(report(&folder, &[&parts[..], &["part1.jsonl"]].concat()));
    assert!(
        twice["warnings"][0]
            .as_str()
            .unwrap()
            .starts_with("10 pairs were played more than once")
    );
    twice["warnings"] = all["warnings"].clone();
    assert_eq!(twice, all);
    // Two parts merged can be resumed, which plays the third.
    expect(
        &folder,
        &[
            "match",
            "merge",
            "--out",
            "merged.jsonl",
            "part1.jsonl",
            "part3.jsonl",
        ],
        0,
    );
    assert_eq!(pairs(&folder.path("merged.jsonl")).len(), 20);
    expect(&folder, &["match", "resume", "merged.jsonl"], 0);
    assert_eq!(timeless(report(&folder, &["merged.jsonl"])), all);
    // Another match is not mixed in.
    let mut other = match_of(engines, "30", "other.jsonl");
    other.extend(["--seed".to_owned(), "8".to_owned()]);
    other.retain(|word| word != "7");
    let seed = other.iter().position(|word| word == "--seed").unwrap();
    other.remove(seed);
    expect(&folder, &other.iter().map(String::as_str).collect::<Vec<_>>(), 0);
    let (output, code) = run(&folder, &["match", "report", "all.jsonl", "other.jsonl"]);
    assert_eq!(code, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("not of the same match: their settings differ"));
}

#[test]
fn broken_journals_are_refused_with_the_line() {
    let folder = Folder::new("broken");
    let arguments = match_of(["random", "greedy"], "3", "m.jsonl");
    expect(
        &folder,
        &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
        0,
    );
    let text = fs::read_to_string(folder.path("m.jsonl")).unwrap();
    let error = |text: &str| {
        fs::write(folder.path("bad.jsonl"), text).unwrap();
        let (output, code) = run(&folder, &["match", "report", "bad.jsonl"]);
        assert_eq!(code, 1);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    // The second pair to finish, whichever that was.
    let mut lines: Vec<_> = text.lines().collect();
    let broken = lines[2].replacen("\"pair\":", "\"pair\":x", 1);
    lines[2] = &broken;
    assert!(error(&lines.join("\n")).contains("line 3"));
    assert!(error("").contains("line 1"));
    assert!(error("{\"a\":1}\n").contains("line 1"));
    assert!(error(&text.replacen("journal\":1", "journal\":2", 1)).contains("reads format 1"));
    // An existing journal is never written over.
    let (output, code) = run(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 1);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("'m.jsonl': the file is there already; `outflank match resume`"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(folder.path("m.jsonl")).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_how_to_go_on() {
    let folder = Folder::new("interrupt");
    let stalling = format!("stalling=nboard:{}", mock("nboard stall 30"));
    let arguments = match_of(["random", &stalling], "5", "with blank.jsonl");
    let child = outflank()
        .args(&arguments)
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.path("with blank.jsonl").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    let pid = child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(11));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("broken off; go on with: outflank match resume 'with blank.jsonl'"),
        "{said}"
    );
}
