//! What comes out: verdicts, ratings, records, reports.

use super::{Folder, engine, expect, pairs, report, run};
use outflank_protocol::ggf;
use serde_json::Value;
use std::fs;

#[test]
fn sequential_tests_end_with_their_exit_code() {
    let folder = Folder::new("sprt");
    let play = |first: &str, second: &str, journal: &str, sprt: &str, code: i32| {
        let mut arguments = vec!["match", "--engine", first, "--engine", second, "--pairs", "300"];
        arguments.extend(["--sprt", sprt, "--journal", journal, "--pace", "depth 2"]);
        arguments.extend(["--hash", "1"]);
        expect(&folder, &arguments, code)
    };
    let text = play("outflank", "random", "h1.jsonl", "0,400", 0);
    assert!(
        text.contains("H1 accepted") && text.contains("stopped at pair"),
        "{text}"
    );
    let text = play("random", "outflank", "h0.jsonl", "0,400", 10);
    assert!(text.contains("H0 accepted"), "{text}");
    let stopped = report(&folder, &["h0.jsonl"])["pairings"][0]["sprt"]["stopped_at"]
        .as_u64()
        .unwrap();
    let played = pairs(&folder.path("h0.jsonl")).len() as u64;
    // One game at a time, so that no pair is held back while others go on. At the verdict one more pair may wait to be
    // written, one more may be finished, and one more begun.
    assert!(stopped < 200 && played <= stopped + 3, "{stopped} {played}");
    // A match that has its verdict stays as it is.
    expect(&folder, &["match", "resume", "h0.jsonl"], 10);
    assert_eq!(pairs(&folder.path("h0.jsonl")).len() as u64, played);
    // Undecided at the end, and then by a coarser test.
    let mut arguments = vec![
        "match",
        "--engine",
        "random",
        "--engine",
        "other=random",
        "--pairs",
        "20",
    ];
    arguments.extend(["--sprt", "0,2", "--journal", "open.jsonl"]);
    assert!(expect(&folder, &arguments, 11).contains("undecided"));
    let (_, code) = run(&folder, &["match", "report", "--sprt=-1500,1500", "open.jsonl"]);
    assert!([0, 10].contains(&code), "{code}");
}

#[test]
fn counts_on_the_command_line() {
    let folder = Folder::new("counts");
    let text = expect(
        &folder,
        &["match", "sprt", "0,2", "--pairs", "365,16618,36229,16974,390"],
        11,
    );
    assert!(text.contains("LLR   +2.25 in [-2.94, 2.94]: undecided"), "{text}");
    let text = expect(&folder, &["match", "sprt", "0,10", "--games", "4250,0,0"], 0);
    assert!(text.contains("LLR   +120.5"), "{text}");
    let text = expect(
        &folder,
        &[
            "match",
            "sprt",
            "0.5,2.5",
            "--sprt-model",
            "logistic",
            "--pairs",
            "223,9863,21279,10037,246",
            "--json",
        ],
        10,
    );
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["decision"], "H0");
    assert_eq!(run(&folder, &["match", "sprt", "5,0", "--games", "1,1,1"]).1, 2);
    let (output, code) = run(&folder, &["match", "sprt", "0,5"]);
    let usage = String::from_utf8_lossy(&output.stderr);
    assert_eq!(code, 2, "{usage}");
    assert!(usage.contains("--pairs") && usage.contains("--games"), "{usage}");
    let text = expect(&folder, &["match", "plan", "0,5"], 0);
    assert!(text.contains("50.0 %") && text.contains("pairs"), "{text}");
}

#[test]
fn ratings_of_four_players() {
    let folder = Folder::new("rate");
    let mut arguments = vec![
        "rate",
        "--engine",
        "random",
        "--engine",
        "greedy",
        "--engine",
        "d1=outflank",
    ];
    arguments.extend([
        "--engine",
        "d4=outflank",
        "--pace-of",
        "d1=depth 1",
        "--pace-of",
        "d4=depth 4",
    ]);
    arguments.extend([
        "--pairs",
        "12",
        "--concurrency",
        "2",
        "--anchor",
        "random=0",
        "--hash",
        "1",
    ]);
    arguments.extend(["--svg", "table.svg", "--journal", "r.jsonl"]);
    let text = expect(&folder, &arguments, 0);
    assert!(text.contains("'random' is held at 0"), "{text}");
    let svg = fs::read_to_string(folder.path("table.svg")).unwrap();
    assert!(svg.contains(">d4</text>") && !svg.contains("NaN"));
    let json = expect(
        &folder,
        &["rate", "report", "--json", "--anchor", "random=1000", "r.jsonl"],
        0,
    );
    let value: Value = serde_json::from_str(&json).unwrap();
    let rows = value["ratings"]["ratings"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["d4", "d1"], "{json}");
    let random = rows.iter().find(|r| r["name"] == "random").unwrap();
    assert_eq!(
        (random["rating"].as_f64(), random["margin"].as_f64()),
        (Some(1000.0), Some(0.0))
    );
    assert_eq!(random["games"], 72);
    assert_eq!(pairs(&folder.path("r.jsonl")).len(), 72);
    assert_eq!(
        run(&folder, &["rate", "report", "--anchor", "nobody=1", "r.jsonl"]).1,
        1
    );
}

#[test]
fn games_as_records() {
    let folder = Folder::new("export");
    let nboard = format!("own=nboard:{}", engine("--hash 4"));
    let mut arguments = vec!["match", "--engine", &nboard, "--engine", "greedy", "--pairs", "2"];
    arguments.extend([
        "--pace-of",
        "own=nodes 500",
        "--journal",
        "m.jsonl",
        "--adjudicate",
        "6",
        "--play-on",
    ]);
    expect(&folder, &arguments, 0);
    let text = expect(&folder, &["match", "export", "m.jsonl"], 0);
    let games: Vec<ggf::Game> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(games.len(), 4);
    let journal = pairs(&folder.path("m.jsonl"));
    let recorded = journal.iter().flat_map(|p| p["games"].as_array().unwrap());
    for (game, record) in games.iter().zip(recorded) {
        assert_eq!(game.black.name, record["black"].as_str().unwrap());
        assert_eq!(game.result.discs, record["score"].as_f64());
        outflank::session::record::game(outflank::rules::Rules::Othello, game).unwrap();
        let opening = 8;
        assert_eq!(game.moves.len(), opening + record["us"].as_array().unwrap().len());
        let own = |ply: usize| (game.black.name == "own") == ply.is_multiple_of(2);
        let first = if own(opening) { opening } else { opening + 1 };
        assert!(game.moves[first].played.eval.is_some() && game.moves[first].played.seconds.is_some());
        // Solved at six empty squares and played on: both results are there.
        assert_eq!(record["solved"]["score"], record["score"], "{record}");
        assert!(record["us"].as_array().unwrap().len() > record["solved"]["ply"].as_u64().unwrap() as usize);
    }
    // Records that other programs can read are openings for the next match.
    fs::write(folder.path("games.ggf"), text).unwrap();
    let mut again = vec![
        "match",
        "--engine",
        "random",
        "--engine",
        "greedy",
        "--openings",
        "games.ggf",
    ];
    again.extend([
        "--opening-plies",
        "10",
        "--pairs",
        "4",
        "--journal",
        "again.jsonl",
    ]);
    expect(&folder, &again, 0);
    assert!(
        pairs(&folder.path("again.jsonl"))
            .iter()
            .all(|p| p["opening"]["moves"].as_str().unwrap().len() == 20)
    );
}

#[test]
fn all_rule_sets() {
    let folder = Folder::new("rules");
    let nboard = format!("own=nboard:{}", engine("--hash 4"));
    let gtp = format!("gtp=gtp:{}", engine("gtp --hash 4"));
    for (number, rules) in outflank::rules::Rules::ALL.into_iter().enumerate() {
        let (journal, rules) = (format!("{number}.jsonl"), rules.to_string());
        let mut arguments = vec![
            "match", "--rules", &rules, "--engine", &nboard, "--engine", "greedy",
        ];
        arguments.extend(["--engine", &gtp, "--pairs", "1", "--journal", &journal]);
        arguments.extend([
            "--pace-of",
            "own=depth 2",
            "--pace-of",
            "gtp=20ms/move",
            "--margin",
            "20",
        ]);
        let text = expect(&folder, &arguments, 0);
        assert_eq!(text.matches("none forfeited").count(), 3, "{rules}\n{text}");
    }
}

#[test]
fn the_same_game_twice_is_told() {
    let folder = Folder::new("twice");
    let mut arguments = vec![
        "match",
        "--engine",
        "a=outflank",
        "--engine",
        "b=outflank",
        "--pace",
        "depth 1",
    ];
    arguments.extend([
        "--pairs",
        "3",
        "--no-openings",
        "--journal",
        "m.jsonl",
        "--hash",
        "1",
    ]);
    let text = expect(&folder, &arguments, 0);
    assert!(
        text.contains("warning: 4 games are the same, move by move"),
        "{text}"
    );
    assert!(text.contains("warning: no openings"), "{text}");
}

#[test]
fn events_as_json() {
    let folder = Folder::new("json");
    let arguments = [
        "match",
        "--engine",
        "random",
        "--engine",
        "greedy",
        "--pairs",
        "3",
        "--json",
        "--journal",
        "m",
    ];
    let text = expect(&folder, &arguments, 0);
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names: Vec<_> = events.iter().map(|e| e["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["pair", "pair", "pair", "report"]);
    assert_eq!(events[3]["report"]["pairs"], 3);
}

#[test]
fn a_match_in_a_file() {
    let folder = Folder::new("toml");
    let toml = "pairs = 2\npace = 'depth 1'\nformat = 'gauntlet'\n[openings]\nfiles = ['o.txt']\nin-order = true\n\
                [[engine]]\nname = 'a'\nkind = 'outflank'\nhash = 1\n[[engine]]\nname = 'b'\nkind = 'greedy'\n\
                [[engine]]\nname = 'c'\nkind = 'random'\n";
    fs::write(folder.path("m.toml"), toml).unwrap();
    fs::write(folder.path("o.txt"), "f5d6c3\nd3c3c4\nf5f6\n").unwrap();
    let text = expect(
        &folder,
        &["match", "--config", "m.toml", "--journal", "m.jsonl"],
        0,
    );
    assert!(
        text.contains("a against b") && text.contains("a against c") && !text.contains("b against c"),
        "{text}"
    );
    let openings: Vec<_> = pairs(&folder.path("m.jsonl"))
        .iter()
        .map(|p| p["opening"]["moves"].clone())
        .collect();
    assert_eq!(openings.iter().filter(|o| *o == "f5d6c3").count(), 2);
    // The second list is not the first.
    fs::write(folder.path("o.txt"), "f5d6\n").unwrap();
    let (output, code) = run(&folder, &["match", "resume", "m.jsonl"]);
    assert_eq!(code, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("has a file changed?"));
    fs::write(folder.path("m.toml"), toml.replace("pairs", "pears")).unwrap();
    let (output, code) = run(&folder, &["match", "--config", "m.toml"]);
    assert_eq!(code, 1);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("'m.toml'") && said.contains("pears"), "{said}");
}
