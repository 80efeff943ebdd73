//! Conversations with the outside world: a line stream in, a line sink out, one engine.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod ggs;
pub mod gtp;
pub mod io;
pub mod job;
pub mod nboard;
pub mod record;
pub mod words;
