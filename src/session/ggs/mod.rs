//! Playing on the Generic Game Server, unattended for weeks.
//!
//! [`Client`] is a pure state machine: what happens goes in ([`Input`]), what is to be done comes out ([`Action`]), and the
//! time is told to it, so that whole weeks can be played in a test. [`run`] is the driver around it: one TCP connection,
//! one thread with an engine for each match, the log and the file of games.

mod accept;
mod action;
mod client;
mod config;
mod driver;
mod game_file;
mod link;
mod log_file;
mod offers;
mod playing;
mod record;
mod secret;
mod table;
mod timing;
mod upkeep;
mod worker;

pub use accept::{Accept, Refusal, Wanted};
pub use action::{Action, Exit, Input, Moment, Out, Token, Verdict};
pub use client::{Client, Mode};
pub use config::{Agree, Answers, Config, ConfigError, LogFile, Play, Ponder, StandingOffer, Unplayable};
pub use driver::{Options, run};
pub use game_file::GameFile;
pub use log_file::RotatingFile;
pub use secret::{PASSWORD_VARIABLE, Secret, SecretError, SecretFault};
pub use worker::{Make, Thinker};
