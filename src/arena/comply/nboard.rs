//! The steps of NBoard.

use super::{BLACK_PASSES, GAME_OVER, Talk, Tried, Trouble, fail, game, legal, note};
use crate::rules::{Game, Move};
use crate::session::words;
use outflank_protocol::ggf;
use outflank_protocol::nboard::{Command, Reply};
use outflank_protocol::played::Played;
use std::time::{Duration, Instant};

type Step = fn(&mut Talk<'_>) -> Tried;

/// In the order in which they are tried.
pub const STEPS: [(&str, Step); 21] = [
    ("starts and answers a ping", starts),
    ("says its name", name),
    ("answers go with a legal move", go),
    ("does not play the move of go by itself", go_twice),
    ("follows move", follows_move),
    ("takes numbers after a move", numbers),
    ("takes a game with moves", whole_game),
    ("passes when it must", passes),
    ("goes on after a pass", after_pass),
    ("answers a ping while it thinks", ping_while_thinking),
    ("says nothing stale after a pong", nothing_stale),
    ("gives hints", hints),
    ("answers at set depth changes", depth_changes),
    ("keeps to the clock of the game", clock),
    ("survives go when the game is over", game_over),
    ("ignores lines that it does not know", unknown),
    ("takes lines that end with CR LF", carriage_returns),
    ("takes names that are not ASCII", names),
    ("keeps its standard error quiet", standard_error),
    ("ends on quit", quit),
    ("ends at the end of its input", end_of_input),
];

/// A ping and everything heard up to its pong.
fn ping(talk: &mut Talk<'_>) -> Result<Vec<String>, Trouble> {
    let new = talk.process()?.1;
    if new {
        talk.say("nboard 2\nset depth 2")?;
    }
    let number = i64::from(talk.next_number());
    let written = talk.say(&Command::Ping(number).to_string())?;
    let limit = if new {
        talk.limits.start
    } else {
        talk.limits.answer
    };
    let mut heard = Vec::new();
    loop {
        let Some(line) = talk.hear(written + limit)? else {
            return fail(format!("no 'pong {number}' within {} s", limit.as_secs()));
        };
        if line == format!("pong {number}") {
            return Ok(heard);
        }
        if line.starts_with("pong") {
            return fail(format!("'{line}' instead of 'pong {number}'"));
        }
        heard.push(line);
    }
}

fn record(game: &Game) -> ggf::Game {
    let mut record = ggf::Game::new(words::diagram(game.start()));
    let mut color = game.start().mover;
    for &mv in game.history() {
        record.push(color.into(), Played::bare(mv.into()));
        color = color.opposite();
    }
    record
}

/// Sets a game up, at the smallest depth.
fn set(talk: &mut Talk<'_>, game: &Game) -> Tried {
    ping(talk)?;
    let lines = [Command::SetDepth(1), Command::SetGame(Box::new(record(game)))];
    talk.say(&lines.map(|l| l.to_string()).join("\n"))?;
    ping(talk).map(drop)
}

/// What `go` says: the move, if one comes before the limit.
fn ask(talk: &mut Talk<'_>, limit: Duration) -> Result<Option<Move>, Trouble> {
    let written = talk.say("go")?;
    while let Some(line) = talk.hear(written + limit)? {
        match line.parse() {
            Ok(Reply::Move(played)) => return Ok(Some(played.mv.into())),
            Err(error) if line.trim_start().starts_with("=== ") => return fail(error.to_string()),
            _ => {}
        }
    }
    Ok(None)
}

/// A move in the game as it is set up, which must be legal.
fn move_in(talk: &mut Talk<'_>, game: &Game) -> Result<Move, Trouble> {
    let limit = talk.limits.think;
    let Some(mv) = ask(talk, limit)? else {
        return fail(format!("no '===' within {} s at depth 1", limit.as_secs()));
    };
    legal(game, mv).map(|()| mv)
}

fn starts(talk: &mut Talk<'_>) -> Tried {
    ping(talk).map(drop)
}

fn name(talk: &mut Talk<'_>) -> Tried {
    talk.drop_process();
    let mut heard = ping(talk)?;
    talk.say("set depth 1")?;
    heard.extend(ping(talk)?);
    match heard.iter().any(|l| matches!(l.parse(), Ok(Reply::MyName(_)))) {
        true => Ok(()),
        false => note("no 'set myname' after 'nboard' or 'set depth'"),
    }
}

fn go(talk: &mut Talk<'_>) -> Tried {
    let game = game("");
    set(talk, &game)?;
    move_in(talk, &game).map(drop)
}

fn go_twice(talk: &mut Talk<'_>) -> Tried {
    let game = game("f5");
    set(talk, &game)?;
    move_in(talk, &game)?;
    move_in(talk, &game).map(drop)
}

fn follows_move(talk: &mut Talk<'_>) -> Tried {
    set(talk, &game(""))?;
    talk.say("move F5")?;
    ping(talk)?;
    move_in(talk, &game("f5")).map(drop)
}

fn numbers(talk: &mut Talk<'_>) -> Tried {
    set(talk, &game(""))?;
    talk.say("move F5//4.355\nmove D6/1.23/0.3\nmove C3/-1.00")?;
    ping(talk)?;
    move_in(talk, &game("f5d6c3")).map(drop)
}

fn whole_game(talk: &mut Talk<'_>) -> Tried {
    let game = game("f5d6c3d3c4f4f6f3e6e7");
    set(talk, &game)?;
    move_in(talk, &game).map(drop)
}

fn passes(talk: &mut Talk<'_>) -> Tried {
    let game = game(BLACK_PASSES);
    set(talk, &game)?;
    move_in(talk, &game).map(drop)
}

fn after_pass(talk: &mut Talk<'_>) -> Tried {
    let mut game = game(BLACK_PASSES);
    set(talk, &game)?;
    talk.say("move PA")?;
    let _ = game.play(Move::Pass);
    ping(talk)?;
    move_in(talk, &game)?;
    set(talk, &game)?;
    move_in(talk, &game).map(drop)
}

/// A think that takes long, then the time from a ping to its pong and what was heard before and after.
fn interrupted(talk: &mut Talk<'_>) -> Result<Duration, Trouble> {
    set(talk, &game("f5d6c3d3c4"))?;
    talk.say("set depth 60")?;
    ping(talk)?;
    talk.say("go")?;
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    ping(talk)?;
    Ok(start.elapsed())
}

fn ping_while_thinking(talk: &mut Talk<'_>) -> Tried {
    let took = interrupted(talk)?;
    match took < Duration::from_secs(1) {
        true => Ok(()),
        false => note(format!("it took {:.1} s to stop", took.as_secs_f64())),
    }
}

fn nothing_stale(talk: &mut Talk<'_>) -> Tried {
    interrupted(talk)?;
    let until = Instant::now() + Duration::from_millis(500);
    while let Some(line) = talk.hear(until)? {
        if matches!(
            line.parse(),
            Ok(Reply::Move(_) | Reply::Search(_) | Reply::Book { .. })
        ) {
            return fail(format!("'{line}' came after the pong and would be believed"));
        }
    }
    Ok(())
}

fn hints(talk: &mut Talk<'_>) -> Tried {
    let game = game("f5");
    set(talk, &game)?;
    let written = talk.say("hint 3")?;
    let limit = talk.limits.think;
    while let Some(line) = talk.hear(written + limit)? {
        match line.parse() {
            Ok(Reply::Search(found) | Reply::Book { candidate: found, .. }) => {
                let first = found.pv.first().copied();
                ping(talk)?;
                return first.map_or_else(|| fail("a hint without a move"), |mv| legal(&game, mv.into()));
            }
            Err(error) if line.trim_start().starts_with("search ") => return fail(error.to_string()),
            _ => {}
        }
    }
    fail(format!("no 'search' line within {} s", limit.as_secs()))
}

fn depth_changes(talk: &mut Talk<'_>) -> Tried {
    let game = game("f5d6");
    set(talk, &game)?;
    for depth in [1, 4, 1] {
        talk.say(&Command::SetDepth(depth).to_string())?;
        ping(talk)?;
        move_in(talk, &game)?;
    }
    Ok(())
}

fn clock(talk: &mut Talk<'_>) -> Tried {
    ping(talk)?;
    talk.say("set game (;GM[Othello]PC[check]PB[a]PW[b]RE[?]TI[0:02//0:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//0.5];)\nset depth 60")?;
    ping(talk)?;
    let start = Instant::now();
    if ask(talk, Duration::from_secs(4))?.is_none() {
        return note("two seconds for the game, and no move after four: it plays by depth only");
    }
    match start.elapsed() < Duration::from_secs(2) {
        true => Ok(()),
        false => note("two seconds for the game were all used for one move"),
    }
}

fn game_over(talk: &mut Talk<'_>) -> Tried {
    set(talk, &game(GAME_OVER))?;
    let mv = ask(talk, Duration::from_secs(1))?;
    ping(talk)?;
    match mv {
        None | Some(Move::Pass) => Ok(()),
        Some(mv) => fail(format!("'=== {mv}' though nobody moves any more")),
    }
}

fn unknown(talk: &mut Talk<'_>) -> Tried {
    ping(talk)?;
    talk.say("hello there\nset colour blue\n\nset\nmove Z9\nhint\nset depth\nset game (;")?;
    ping(talk)?;
    go(talk)
}

fn carriage_returns(talk: &mut Talk<'_>) -> Tried {
    let game = game("f5");
    ping(talk)?;
    talk.say(&format!(
        "set depth 1\r\nset game {}\r\nmove D6//0.5\r",
        record(&game)
    ))?;
    ping(talk)?;
    move_in(talk, &super::game("f5d6")).map(drop)
}

fn names(talk: &mut Talk<'_>) -> Tried {
    let game = game("f5");
    ping(talk)?;
    let text = record(&game).to_string().replace("PB[]", "PB[Émile Łukasz 太郎]");
    talk.say(&format!("set depth 1\nset game {text}"))?;
    ping(talk)?;
    move_in(talk, &game).map(drop)
}

/// NBoard reads an engine's standard error as if it were its output.
fn standard_error(talk: &mut Talk<'_>) -> Tried {
    go(talk)?;
    const WORDS: [&str; 8] = [
        "search",
        "book",
        "===",
        "pong",
        "set",
        "nodestats",
        "analysis",
        "status",
    ];
    let text = talk.text();
    let mut lines = text
        .lines()
        .filter_map(|line| line.split_once(" ! ").map(|(_, said)| said));
    let taken = |line: &&str| WORDS.iter().any(|w| line.split_whitespace().next() == Some(w));
    match lines.clone().find(taken) {
        Some(line) => fail(format!(
            "'{line}' on its standard error would be taken for an answer"
        )),
        None if lines.next().is_some() => note("it writes to its standard error, which NBoard reads"),
        None => Ok(()),
    }
}

fn quit(talk: &mut Talk<'_>) -> Tried {
    ping(talk)?;
    talk.must_part(Some("quit"))
}

fn end_of_input(talk: &mut Talk<'_>) -> Tried {
    ping(talk)?;
    talk.must_part(None)
}
