//! Everything that a client can say.

use super::PlayedMove;
use super::ids::{GameId, MatchId, RequestId, StoredId};
use super::notice::Audience;
use super::words::{keyword, line, parsed, real, rest, word};
use crate::clock::ClockSetting;
use crate::match_type::MatchType;
use nom::Parser;
use nom::combinator::opt;
use std::fmt;
use std::str::FromStr;

/// A line to the central server. Prints without its line end. The lines of the login dialogue are bare words and not here:
/// a password must not pass through anything that prints itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line, answered by a prompt alone: keeps the connection alive.
    Nothing,
    /// `vt100 -`: no escape sequences.
    NoVt100,
    /// `bell -t ...`: which messages ring.
    Bell(String),
    /// `verbose -news ...`: which texts come unasked.
    Verbose(String),
    /// `chann %`: leave all channels.
    LeaveChannels,
    /// `notify + name`: tell when somebody comes and goes.
    Notify(String),
    /// `tell name text`.
    Tell {
        /// A user, `.channel`, or several with commas between them.
        to: String,
        /// What is said.
        text: String,
    },
    /// `tell /os ...`.
    Os(OsCommand),
    /// `quit`.
    Quit,
}

/// What is asked for with `ask`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The type of match.
    pub match_type: MatchType,
    /// Our clock, and the opponent's too unless the next field says otherwise.
    pub clock: Option<ClockSetting>,
    /// The opponent's clock; only beside a clock of our own.
    pub opponent_clock: Option<ClockSetting>,
    /// Who is asked; `None`: anyone.
    pub opponent: Option<String>,
}

/// A setting of the service that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// Our reported times are charged instead of the server's.
    Trust,
    /// What we ask for is rated.
    Rated,
    /// Boards come in compact form.
    Client,
    /// Escape sequences.
    Vt100,
    /// Requests of others are shown.
    Request,
}

impl Switch {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Trust, "trust"),
        (Self::Rated, "rated"),
        (Self::Client, "client"),
        (Self::Vt100, "vt100"),
        (Self::Request, "request"),
    ];

    fn word(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(switch, _)| *switch == self)
            .map_or("", |(_, word)| word)
    }
}

/// A command to the Othello service.
#[derive(Clone, Debug, PartialEq)]
pub enum OsCommand {
    /// `open n`: at most this many matches at once.
    Open(u32),
    /// `ask type ...`.
    Ask(Offer),
    /// `ask .n`: resume a stored match.
    AskStored(StoredId),
    /// `continue`: resume all stored matches.
    Continue,
    /// `accept .n`.
    Accept(RequestId),
    /// `decline .n`.
    Decline(RequestId),
    /// `cancel .n`: withdraw a request of our own.
    Cancel(RequestId),
    /// `aform`: requests that the service accepts for us; empty: none.
    AcceptFormula(String),
    /// `dform`: requests that the service declines for us; empty: none.
    DeclineFormula(String),
    /// `play .g move`.
    Play {
        /// The game; may be missing in the only match that is not synchro.
        game: Option<GameId>,
        /// The move with evaluation and time.
        played: PlayedMove,
    },
    /// `resign .m`: in synchro both games.
    Resign(GameId),
    /// `abort .m`: propose or agree to stop without a result.
    Abort(GameId),
    /// `break .m`: adjourn.
    Break(GameId),
    /// `undo .g`: propose or agree to take the last move back.
    Undo(GameId),
    /// `score .g value`: propose or agree to a result, from our view.
    Score(GameId, f64),
    /// `moves .m`: send the whole game again.
    Moves(GameId),
    /// `match name`: list running matches.
    Match(String),
    /// `watch + .m`, `watch - .m`.
    Watch(bool, MatchId),
    /// `notify + name`, `notify - name`: starts and ends of matches of this player; `*`: of all.
    Notify(bool, String),
    /// `finger name`.
    Finger(String),
    /// `stored`: list stored matches.
    Stored,
    /// `history`.
    History,
    /// `look .n`: the record of an archived game.
    Look(StoredId),
    /// `tell a .m text`: speak at a match.
    Tell(Audience, MatchId, String),
    /// A setting.
    Switch(Switch, bool),
    /// `bell -r ...`: which messages ring.
    Bell(String),
}

/// The line is no command that is known here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a GGS command")]
pub struct CommandError {
    /// What was found, shortened if it was long.
    pub text: String,
}

/// Free text in a command: a backslash would break the line, `$` would be replaced by the server.
struct Said<'a>(&'a str);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.split(|c: char| c.is_control() || c == '\\' || c == '$') {
            f.write_str(part)?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::NoVt100 => f.write_str("vt100 -"),
            Self::Bell(flags) => write!(f, "bell {flags}"),
            Self::Verbose(flags) => write!(f, "verbose {flags}"),
            Self::LeaveChannels => f.write_str("chann %"),
            Self::Notify(name) => write!(f, "notify + {name}"),
            Self::Tell { to, text } => write!(f, "tell {to} {}", Said(text)),
            Self::Os(command) => write!(f, "tell /os {command}"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

const fn sign(on: bool) -> char {
    if on { '+' } else { '-' }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.match_type)?;
        if let Some(clock) = self.clock {
            write!(f, " {clock}")?;
            if let Some(clock) = self.opponent_clock {
                write!(f, " {clock}")?;
            }
        }
        match &self.opponent {
            Some(name) => write!(f, " {name}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for OsCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(matches) => write!(f, "open {matches}"),
            Self::Ask(offer) => write!(f, "ask {offer}"),
            Self::AskStored(id) => write!(f, "ask {id}"),
            Self::Continue => f.write_str("continue"),
            Self::Accept(id) => write!(f, "accept {id}"),
            Self::Decline(id) => write!(f, "decline {id}"),
            Self::Cancel(id) => write!(f, "cancel {id}"),
            Self::AcceptFormula(formula) => write!(f, "aform {}", Said(formula)),
            Self::DeclineFormula(formula) => write!(f, "dform {}", Said(formula)),
            Self::Play { game, played } => match game {
                Some(game) => write!(f, "play {game} {played}"),
                None => write!(f, "play {played}"),
            },
            Self::Resign(game) => write!(f, "resign {game}"),
            Self::Abort(game) => write!(f, "abort {game}"),
            Self::Break(game) => write!(f, "break {game}"),
            Self::Undo(game) => write!(f, "undo {game}"),
            Self::Score(game, value) => write!(f, "score {game} {value:.2}"),
            Self::Moves(game) => write!(f, "moves {game}"),
            Self::Match(name) => write!(f, "match {name}"),
            Self::Watch(on, id) => write!(f, "watch {} {id}", sign(*on)),
            Self::Notify(on, name) => write!(f, "notify {} {name}", sign(*on)),
            Self::Finger(name) => write!(f, "finger {name}"),
            Self::Stored => f.write_str("stored"),
            Self::History => f.write_str("history"),
            Self::Look(id) => write!(f, "look {id}"),
            Self::Tell(audience, id, text) => {
                write!(
                    f,
                    "tell {} {id} {}",
                    audience.letter().to_ascii_lowercase(),
                    Said(text)
                )
            }
            Self::Switch(switch, on) => write!(f, "{} {}", switch.word(), sign(*on)),
            Self::Bell(flags) => write!(f, "bell {flags}"),
        }
    }
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(s: &str) -> Result<Self, CommandError> {
        read(s).ok_or_else(|| unknown(s))
    }
}

fn read(text: &str) -> Option<Command> {
    let Ok((after, first)) = word(text) else {
        return Some(Command::Nothing);
    };
    let all = || after.trim_matches(' ').to_owned();
    Some(match first {
        "vt100" => line(keyword("-"), after).map(|_| Command::NoVt100)?,
        "bell" => Command::Bell(all()),
        "verbose" => Command::Verbose(all()),
        "chann" => line(keyword("%"), after).map(|_| Command::LeaveChannels)?,
        "notify" => Command::Notify(line((keyword("+"), word), after)?.1.to_owned()),
        "tell" => {
            let (text, to) = word(after).ok()?;
            match to {
                "/os" => Command::Os(text.parse().ok()?),
                _ => Command::Tell {
                    to: to.to_owned(),
                    text: text.trim_matches(' ').to_owned(),
                },
            }
        }
        "quit" => Command::Quit,
        _ => return None,
    })
}

fn unknown(text: &str) -> CommandError {
    CommandError {
        text: text.chars().take(40).collect(),
    }
}

impl FromStr for OsCommand {
    type Err = CommandError;

    fn from_str(s: &str) -> Result<Self, CommandError> {
        read_os(s).ok_or_else(|| unknown(s))
    }
}

fn on_off(input: &str) -> nom::IResult<&str, bool> {
    nom::branch::alt((
        nom::combinator::value(true, keyword("+")),
        nom::combinator::value(false, keyword("-")),
    ))
    .parse(input)
}

fn read_offer(after: &str) -> Option<Offer> {
    let parser = (
        parsed,
        opt(parsed::<ClockSetting>),
        opt(parsed::<ClockSetting>),
        opt(word),
    );
    let (match_type, clock, opponent_clock, opponent) = line(parser, after)?;
    Some(Offer {
        match_type,
        clock,
        opponent_clock,
        opponent: opponent.map(str::to_owned),
    })
}

fn read_os(text: &str) -> Option<OsCommand> {
    let (after, first) = word(text).ok()?;
    let all = || after.trim_matches(' ').to_owned();
    let game = || line(parsed::<GameId>, after);
    if let Some((switch, _)) = Switch::ALL.iter().find(|(_, word)| *word == first) {
        return line(on_off, after).map(|on| OsCommand::Switch(*switch, on));
    }
    Some(match first {
        "open" => OsCommand::Open(line(parsed, after)?),
        "ask" => match line(parsed, after) {
            Some(stored) => OsCommand::AskStored(stored),
            None => OsCommand::Ask(read_offer(after)?),
        },
        "continue" => OsCommand::Continue,
        "accept" => OsCommand::Accept(line(parsed, after)?),
        "decline" => OsCommand::Decline(line(parsed, after)?),
        "cancel" => OsCommand::Cancel(line(parsed, after)?),
        "aform" => OsCommand::AcceptFormula(all()),
        "dform" => OsCommand::DeclineFormula(all()),
        "play" => {
            let (game, played) = line((opt(parsed), parsed), after)?;
            OsCommand::Play { game, played }
        }
        "resign" => OsCommand::Resign(game()?),
        "abort" => OsCommand::Abort(game()?),
        "break" => OsCommand::Break(game()?),
        "undo" => OsCommand::Undo(game()?),
        "score" => line((parsed, real), after).map(|(game, value)| OsCommand::Score(game, value))?,
        "moves" => OsCommand::Moves(game()?),
        "match" => OsCommand::Match(all()),
        "watch" => line((on_off, parsed), after).map(|(on, id)| OsCommand::Watch(on, id))?,
        "notify" => line((on_off, word), after).map(|(on, name)| OsCommand::Notify(on, name.to_owned()))?,
        "finger" => OsCommand::Finger(all()),
        "stored" if all().is_empty() => OsCommand::Stored,
        "history" => OsCommand::History,
        "look" => OsCommand::Look(line(parsed, after)?),
        "tell" => {
            let (audience, id, text) = line((word, parsed, rest), after)?;
            let audience = match audience {
                "a" => Audience::All,
                "o" => Audience::Observers,
                "p" => Audience::Players,
                _ => return None,
            };
            OsCommand::Tell(audience, id, text.to_owned())
        }
        "bell" => OsCommand::Bell(all()),
        _ => return None,
    })
}
