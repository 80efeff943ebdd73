//! What goes into the state machine and what comes out of it.

use super::secret::Secret;
use crate::clock::Budget;
use crate::rules::{Move, Position};
use outflank_protocol::ggf;
use outflank_protocol::ggs::{Command, Event, MatchId};
use std::fmt;
use std::time::Duration;

/// A time: how long the program has been running.
pub type Moment = Duration;

/// Names a search; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub u64);

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The move; `None` if the search failed.
    pub best: Option<Move>,
    /// Expected disc difference for the mover.
    pub discs: f64,
    /// The score is proven.
    pub exact: bool,
}

/// What happens.
#[derive(Debug)]
pub enum Input {
    /// Some time has passed; at least once a second.
    Tick,
    /// The connection that was asked for stands.
    Connected,
    /// It could not be made, or it broke.
    Lost {
        /// What the system says; `None` if the server closed it without a word.
        error: Option<String>,
    },
    /// The server says something.
    Event(Box<Event>),
    /// A search is done.
    Thought(Token, Verdict),
    /// The program is to end: after the matches in progress the first time, at once the second time.
    Leave,
    /// The program is to end at once.
    LeaveNow,
}

/// A line to the server.
#[derive(Clone, PartialEq)]
pub enum Out {
    /// The login name.
    Login(String),
    /// The password: sent, but never logged.
    Password(Secret),
    /// Anything else.
    Command(Command),
}

impl Out {
    /// What is sent, without its line end. Not for a log.
    pub fn line(&self) -> String {
        match self {
            Self::Login(name) => name.clone(),
            Self::Password(secret) => secret.reveal().to_owned(),
            Self::Command(command) => command.to_string(),
        }
    }
}

/// For a log.
impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Login(name) => f.write_str(name),
            Self::Password(secret) => write!(f, "{secret:?}"),
            Self::Command(command) => write!(f, "{command}"),
        }
    }
}

/// What is to be done, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Make a connection. The answer is [`Input::Connected`] or [`Input::Lost`].
    Connect,
    /// Give the connection up. There is no answer.
    Disconnect,
    /// Send a line.
    Send(Out),
    /// Search for a move; the answer is [`Input::Thought`]. The engine stops whatever else it does.
    Think {
        /// Names the search.
        token: Token,
        /// Which engine.
        slot: usize,
        /// The position.
        position: Position,
        /// How long, counted from now.
        budget: Budget,
    },
    /// Think about a position in which the opponent is to move, without an answer, until something else is to be done.
    Ponder {
        /// Which engine.
        slot: usize,
        /// The position.
        position: Position,
    },
    /// The engine stops and forgets the match.
    Rest {
        /// Which engine.
        slot: usize,
    },
    /// Add a match to the file of games; its date is filled in there.
    Save(ggf::Match),
    /// Keep a match safe of which one game has ended and the other goes on; without a record there is nothing to keep any more.
    Draft(MatchId, Option<ggf::Match>),
    /// The program ends.
    Exit(Exit),
}

/// Why the program ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It was asked to.
    Done,
    /// There is no point in trying again.
    Failed(String),
}
