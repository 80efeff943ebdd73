//! Everything that a client can be told.

use super::message::{Message, is_prompt};
use super::os::Os;
use super::words::{line, parsed, rest, word};
use nom::Parser;
use nom::combinator::opt;
use std::fmt;

/// A message with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// `READY` or `ALERT`: what came before is complete.
    Prompt {
        /// The server is short of resources.
        alert: bool,
    },
    /// The login dialogue wants the name.
    AskLogin,
    /// The login dialogue wants the password.
    AskPassword,
    /// `: ...`: the central server speaks.
    Central(Central),
    /// `/os: ...`: the Othello service speaks.
    Os(Os),
    /// Somebody speaks.
    Chat(Chat),
    /// Anything else, with all its lines.
    Text(String),
}

/// What the central server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Central {
    /// `: ERR text`.
    Refused(String),
    /// `: + name level`, `: - name level`: somebody whom we notify came or went. The reply to `notify + name` looks the same
    /// without a level.
    Presence {
        /// Came, or is there.
        here: bool,
        /// Who; services have a leading `/`.
        name: String,
        /// His level, if it is told.
        level: Option<u32>,
    },
    /// Anything else.
    Text(String),
}

/// Where somebody speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// To us alone.
    Private,
    /// In a channel (`.name`) or a group (`_name`), with its sign.
    Room(String),
}

/// What somebody says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Who: a user, or a service other than `/os`.
    pub from: String,
    /// Where.
    pub place: Place,
    /// The text; further lines after line feeds.
    pub text: String,
}

impl Event {
    /// The meaning of a message.
    pub fn parse(message: &Message) -> Self {
        // What was cut has lost its end, and with it its meaning.
        if message.is_cut() {
            return Self::Text(message.text().to_owned());
        }
        let header = message.header();
        if is_prompt(header) {
            return Self::Prompt {
                alert: header.starts_with("ALERT"),
            };
        }
        if let Some(after) = header.strip_prefix("/os:") {
            if after.is_empty() || after.starts_with(' ') {
                return Self::Os(Os::read(after, message.text()));
            }
        } else if let Some(after) = header.strip_prefix(": ") {
            return Self::central(after, message);
        }
        match chat(header) {
            Some(mut chat) => {
                for line in message.body() {
                    chat.text.push('\n');
                    chat.text.push_str(line);
                }
                Self::Chat(chat)
            }
            None => Self::Text(message.text().to_owned()),
        }
    }

    fn central(after: &str, message: &Message) -> Self {
        if after.starts_with("Enter login") {
            return Self::AskLogin;
        }
        if after.starts_with("Enter your password") {
            return Self::AskPassword;
        }
        let text = || {
            let mut kept = after.trim_matches(' ').to_owned();
            for line in message.text().split('\n').skip(1) {
                kept.push('\n');
                kept.push_str(line);
            }
            kept
        };
        let Ok((rest, first)) = word(after) else {
            return Self::Central(Central::Text(text()));
        };
        Self::Central(match first {
            "ERR" => Central::Refused(text().trim_start_matches("ERR").trim_matches(' ').to_owned()),
            "+" | "-" => match line((word, opt(parsed)), rest) {
                Some((name, level)) => Central::Presence {
                    here: first == "+",
                    name: name.to_owned(),
                    level,
                },
                None => Central::Text(text()),
            },
            _ => Central::Text(text()),
        })
    }
}

/// `name: text`, `.chan name: text`, `_group name: text`.
fn chat(header: &str) -> Option<Chat> {
    let (after, first) = word.parse(header).ok().filter(|_| !header.starts_with(' '))?;
    let speech = |place, name: &str, after| {
        let from = name.strip_suffix(':').filter(|name| !name.is_empty())?;
        Some(Chat {
            from: from.to_owned(),
            place,
            text: rest(after).ok()?.1.to_owned(),
        })
    };
    if first.starts_with(['.', '_']) {
        let (after, name) = word(after).ok()?;
        return speech(Place::Room(first.to_owned()), name, after);
    }
    speech(Place::Private, first, after)
}

/// The message as a server sends it, lines joined by line feeds.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prompt { alert } => f.write_str(if *alert { "ALERT" } else { "READY" }),
            Self::AskLogin => f.write_str(": Enter login (2 to 8 letters)."),
            Self::AskPassword => f.write_str(": Enter your password."),
            Self::Central(Central::Refused(text)) => write!(f, ": ERR {text}"),
            Self::Central(Central::Presence { here, name, level }) => {
                write!(f, ": {} {name}", if *here { '+' } else { '-' })?;
                level.map_or(Ok(()), |level| write!(f, " {level}"))
            }
            Self::Central(Central::Text(text)) => write!(f, ": {text}"),
            Self::Os(os) => write!(f, "/os: {os}"),
            Self::Chat(Chat { from, place, text }) => {
                if let Place::Room(room) = place {
                    write!(f, "{room} ")?;
                }
                write!(f, "{from}: {}", text.replace('\n', "\n|"))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}
