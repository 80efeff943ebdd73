//! The text of the Generic Game Server (GGS) and of its Othello service `/os`.
//!
//! From the network to a value: [`Assembler`] turns TCP fragments into [`Message`]s (a header line with the lines that
//! begin with `|`), [`Event::parse`] turns a message into an [`Event`]. Whatever has no other meaning is kept as text, so
//! no message is lost. Back to the network: every [`Command`] and every [`Event`] prints as the text that it stands for.
//!
//! Names and texts come from strangers. Only the place of a word in a message gives it a meaning, never its content: a
//! player named `READY`, or a chat line that looks like a service message, is read as the player and the chat that it is.

mod board;
mod clock;
mod command;
mod event;
mod ids;
mod lines;
mod matches;
mod message;
mod notice;
mod os;
mod request;
mod words;

pub use board::{Join, Seat, Snapshot, Update};
pub use clock::{RunningClock, RunningPart};
pub use command::{Command, CommandError, Offer, OsCommand, Switch};
pub use event::{Central, Chat, Event, Place};
pub use ids::{GameId, IdError, MatchId, RequestId, StoredId};
pub use lines::{LineAssembler, MAX_LINE};
pub use matches::{GameEnd, MatchLine, MatchResult, Player, Rated, StoredMatch};
pub use message::{Assembler, MAX_MESSAGE, Message};
pub use notice::{
    Audience, MatchChat, PlayError, PlayRefusal, Proposal, RatingChange, TimeOut, TrustViolation,
};
pub use os::Os;
pub use request::{Request, RequestKind};

/// A move as it is sent and as boards list it: `f5/-2.5/0.8`. The evaluation is a disc difference from its player's view;
/// servers round it and the time to hundredths.
pub type PlayedMove = crate::played::Played<crate::vocab::Move>;
