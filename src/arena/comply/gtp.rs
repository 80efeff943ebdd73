//! The steps of GTP.

use super::{BLACK_PASSES, GAME_OVER, Talk, Tried, Trouble, fail, game, legal, note};
use crate::rules::{Color, Game, Move, Position, Rules};
use outflank_protocol::gtp::{Command, Reply};
use std::time::Duration;

type Step = fn(&mut Talk<'_>) -> Tried;

/// In the order in which they are tried.
pub const STEPS: [(&str, Step); 26] = [
    ("starts and says its protocol version", protocol_version),
    ("says its name", name),
    ("lists its commands", list),
    ("knows the commands that every engine must have", required),
    ("known_command tells what it knows", known_command),
    ("refuses commands that it does not know", unknown),
    ("gives back the number of a request", numbers),
    ("ignores comments and empty lines", comments),
    ("takes lines that end with CR LF", carriage_returns),
    ("takes a board of 8 and refuses others", board_sizes),
    ("plays given moves and finds legal ones", genmove),
    ("plays the move of genmove by itself", genmove_plays),
    ("takes moves and colours in either case", either_case),
    ("refuses illegal moves and keeps the position", illegal),
    ("answers genmove with a pass when it must", forced_pass),
    ("takes a forced pass as a move", explicit_pass),
    ("takes a forced pass as understood", implicit_pass),
    ("does not move for the wrong side", wrong_color),
    ("takes moves back", undo),
    ("refuses to take back what was not played", undo_nothing),
    ("reg_genmove does not play", reg_genmove),
    ("knows the score of a finished game", final_score),
    ("takes times", times),
    ("knows set_game Othello", set_game),
    ("ends on quit", quit),
    ("ends at the end of its input", end_of_input),
];

/// Sends one request; the text of the answer, or of the refusal, and its number.
fn exchange(talk: &mut Talk<'_>, line: &str, limit: Duration) -> Result<Reply, Trouble> {
    let written = talk.say(line)?;
    let mut text = String::new();
    loop {
        let Some(line_heard) = talk.hear(written + limit)? else {
            return fail(format!(
                "no answer to '{}' within {} s",
                line.trim(),
                limit.as_secs()
            ));
        };
        match (text.is_empty(), line_heard.trim().is_empty()) {
            (true, true) => {}
            (true, false) if !line_heard.starts_with(['=', '?']) => {
                return fail(format!(
                    "'{line_heard}' is no answer: it begins with neither = nor ?"
                ));
            }
            (false, true) => return text.parse().map_err(|e| Trouble::Fail(format!("{e}"))),
            _ => {
                text += &line_heard;
                text.push('\n');
            }
        }
    }
}

fn ask(talk: &mut Talk<'_>, line: &str) -> Result<Result<String, String>, Trouble> {
    let limit = if talk.process()?.1 {
        talk.limits.start
    } else {
        talk.limits.answer
    };
    exchange(talk, line, limit).map(|reply| reply.text)
}

/// A request that must not be refused.
fn must(talk: &mut Talk<'_>, line: &str) -> Result<String, Trouble> {
    ask(talk, line)?.or_else(|text| fail(format!("'{line}' was refused: {text}")))
}

/// A request that must be refused.
fn must_not(talk: &mut Talk<'_>, line: &str) -> Tried {
    match ask(talk, line)? {
        Ok(text) => fail(format!("'{line}' was answered with success: '{text}'")),
        Err(_) => Ok(()),
    }
}

fn commands(talk: &mut Talk<'_>) -> Result<Vec<String>, Trouble> {
    Ok(must(talk, "list_commands")?
        .split_whitespace()
        .map(str::to_lowercase)
        .collect())
}

/// Ends the step with a note if the engine does not know a command that it need not know.
fn optional(talk: &mut Talk<'_>, command: &str) -> Tried {
    match commands(talk)?.iter().any(|c| c == command) {
        true => Ok(()),
        false => note(format!("it does not know {command}")),
    }
}

/// A game on the engine's board.
fn set_up(talk: &mut Talk<'_>, game: &Game) -> Tried {
    must(talk, "clear_board")?;
    let mut color = game.start().mover;
    for &mv in game.history() {
        must(talk, &Command::Play(color.into(), mv.into()).to_string())?;
        color = color.opposite();
    }
    Ok(())
}

/// The engine's move, which must be legal.
fn move_in(talk: &mut Talk<'_>, game: &Game, command: &str) -> Result<Move, Trouble> {
    let limit = talk.limits.think;
    let letter = if game.position().mover == Color::Black {
        'b'
    } else {
        'w'
    };
    let reply = exchange(talk, &format!("{command} {letter}"), limit)?;
    let text = reply
        .text
        .or_else(|text| fail(format!("{command} was refused: {text}")))?;
    let mv: outflank_protocol::Move = text.parse().map_err(|e| Trouble::Fail(format!("{e}")))?;
    legal(game, mv.into())?;
    Ok(mv.into())
}

fn protocol_version(talk: &mut Talk<'_>) -> Tried {
    match must(talk, "protocol_version")?.as_str() {
        "2" => Ok(()),
        other => note(format!("'{other}' instead of '2'")),
    }
}

fn name(talk: &mut Talk<'_>) -> Tried {
    match must(talk, "name")?.is_empty() {
        true => fail("an empty name"),
        false => must(talk, "version").map(drop),
    }
}

fn list(talk: &mut Talk<'_>) -> Tried {
    match commands(talk)?.is_empty() {
        true => fail("an empty list"),
        false => Ok(()),
    }
}

fn required(talk: &mut Talk<'_>) -> Tried {
    let known = commands(talk)?;
    const REQUIRED: [&str; 10] = [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "play",
        "genmove",
    ];
    let missing: Vec<_> = REQUIRED
        .into_iter()
        .filter(|r| !known.iter().any(|k| k == r))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => fail(format!("not in list_commands: {}", missing.join(", "))),
    }
}

fn known_command(talk: &mut Talk<'_>) -> Tried {
    let answers = [
        must(talk, "known_command genmove")?,
        must(talk, "known_command no_such_thing")?,
    ];
    match answers.each_ref().map(String::as_str) {
        ["true", "false"] => Ok(()),
        [yes, no] => fail(format!("'{yes}' and '{no}' instead of 'true' and 'false'")),
    }
}

fn unknown(talk: &mut Talk<'_>) -> Tried {
    must_not(talk, "no_such_thing 1 2")?;
    must(talk, "name").map(drop)
}

fn numbers(talk: &mut Talk<'_>) -> Tried {
    talk.process()?;
    let limit = talk.limits.start;
    let reply = exchange(talk, "17 name", limit)?;
    if reply.id != Some(17) {
        return note("'= 17' or no number instead of '=17'");
    }
    match exchange(talk, "name", limit)?.id {
        None => Ok(()),
        Some(id) => fail(format!("number {id} in the answer to a request without one")),
    }
}

fn comments(talk: &mut Talk<'_>) -> Tried {
    must(talk, "name")?;
    talk.say("# a comment\n\n   \n")?;
    let limit = talk.limits.answer;
    let reply = exchange(talk, "23 name # and another", limit)?;
    match (reply.id, reply.text) {
        (None | Some(23), Ok(_)) => Ok(()),
        (id, text) => fail(format!("an answer to no request came: {id:?} {text:?}")),
    }
}

fn carriage_returns(talk: &mut Talk<'_>) -> Tried {
    must(talk, "clear_board\r")?;
    must(talk, "play b f5\r").map(drop)
}

fn board_sizes(talk: &mut Talk<'_>) -> Tried {
    must(talk, "boardsize 8")?;
    match ask(talk, "boardsize 19")? {
        Ok(_) => {
            must(talk, "boardsize 8")?;
            note("'boardsize 19' was answered with success")
        }
        Err(_) => Ok(()),
    }
}

fn genmove(talk: &mut Talk<'_>) -> Tried {
    for moves in ["", "f5", "f5d6c3d3c4f4f6f3e6e7"] {
        let game = game(moves);
        set_up(talk, &game)?;
        move_in(talk, &game, "genmove")?;
    }
    Ok(())
}

fn genmove_plays(talk: &mut Talk<'_>) -> Tried {
    let mut game = game("f5");
    set_up(talk, &game)?;
    for _ in 0..3 {
        let mv = move_in(talk, &game, "genmove")?;
        let _ = game.play(mv);
    }
    Ok(())
}

fn either_case(talk: &mut Talk<'_>) -> Tried {
    must(talk, "clear_board")?;
    must(talk, "play b F5")?;
    must(talk, "play w d6")?;
    for (line, undo) in [
        ("play BLACK C3", true),
        ("play B c3", true),
        ("play black c3", false),
    ] {
        if let Err(text) = ask(talk, line)? {
            return note(format!("'{line}' was refused: {text}"));
        }
        if undo {
            must(talk, "undo")?;
        }
    }
    Ok(())
}

fn illegal(talk: &mut Talk<'_>) -> Tried {
    let game = game("f5");
    set_up(talk, &game)?;
    for mv in ["a1", "f5", "z9", "f99", ""] {
        must_not(talk, &format!("play w {mv}"))?;
    }
    must_not(talk, "play green d6")?;
    move_in(talk, &game, "genmove").map(drop)
}

fn forced_pass(talk: &mut Talk<'_>) -> Tried {
    let game = game(BLACK_PASSES);
    set_up(talk, &game)?;
    move_in(talk, &game, "genmove").map(drop)
}

fn explicit_pass(talk: &mut Talk<'_>) -> Tried {
    let mut game = game(BLACK_PASSES);
    set_up(talk, &game)?;
    if let Err(text) = ask(talk, "play b pass")? {
        return note(format!("'play b pass' was refused: {text}"));
    }
    let _ = game.play(Move::Pass);
    move_in(talk, &game, "genmove").map(drop)
}

fn implicit_pass(talk: &mut Talk<'_>) -> Tried {
    let mut game = game(BLACK_PASSES);
    set_up(talk, &game)?;
    let _ = game.play(Move::Pass);
    move_in(talk, &game, "genmove").map(drop)
}

fn wrong_color(talk: &mut Talk<'_>) -> Tried {
    set_up(talk, &game(""))?;
    let limit = talk.limits.think;
    let reply = exchange(talk, "genmove w", limit)?;
    match reply.text {
        Err(_) => Ok(()),
        Ok(text) if text.eq_ignore_ascii_case("pass") => note("it passes for White, who is not to move"),
        Ok(text) => {
            let start = Position::start(Rules::Othello);
            let other = Position::new(Rules::Othello, start.board.pass(), Color::White);
            let legal = text
                .parse::<outflank_protocol::Move>()
                .is_ok_and(|mv| other.moves().contains(mv.into()));
            match legal {
                true => note(format!("it plays {text} for White, who is not to move")),
                false => fail(format!("'{text}' for White, who is not to move")),
            }
        }
    }
}

fn undo(talk: &mut Talk<'_>) -> Tried {
    optional(talk, "undo")?;
    set_up(talk, &game("f5d6"))?;
    must(talk, "undo")?;
    move_in(talk, &game("f5"), "genmove")?;
    must(talk, "undo")?;
    must(talk, "undo")?;
    move_in(talk, &game(""), "genmove").map(drop)
}

fn undo_nothing(talk: &mut Talk<'_>) -> Tried {
    optional(talk, "undo")?;
    must(talk, "clear_board")?;
    must_not(talk, "undo")
}

fn reg_genmove(talk: &mut Talk<'_>) -> Tried {
    optional(talk, "reg_genmove")?;
    let game = game("f5d6");
    set_up(talk, &game)?;
    move_in(talk, &game, "reg_genmove")?;
    move_in(talk, &game, "genmove").map(drop)
}

fn final_score(talk: &mut Talk<'_>) -> Tried {
    optional(talk, "final_score")?;
    set_up(talk, &game(GAME_OVER))?;
    match must(talk, "final_score")?.to_ascii_uppercase() {
        // Thirteen discs, or all the squares to the winner.
        score if ["B+13", "B+64", "B+13.0", "B+64.0"].contains(&score.as_str()) => Ok(()),
        other => fail(format!("'{other}' for 13 black discs and no white one")),
    }
}

fn times(talk: &mut Talk<'_>) -> Tried {
    optional(talk, "time_settings")?;
    optional(talk, "time_left")?;
    let game = game("f5");
    set_up(talk, &game)?;
    must(talk, "time_settings 300 0 0")?;
    must(talk, "time_left b 290 0")?;
    must(talk, "time_left w 3 0")?;
    move_in(talk, &game, "genmove")?;
    must(talk, "time_settings 60 10 5")?;
    must(talk, "time_left b 8 3")?;
    must_not(talk, "time_settings 1 x")
}

fn set_game(talk: &mut Talk<'_>) -> Tried {
    optional(talk, "set_game")?;
    must(talk, "set_game Othello")?;
    must_not(talk, "set_game Go")
}

fn quit(talk: &mut Talk<'_>) -> Tried {
    must(talk, "name")?;
    talk.must_part(Some("quit"))
}

fn end_of_input(talk: &mut Talk<'_>) -> Tried {
    must(talk, "name")?;
    talk.must_part(None)
}
