//! The three rule sets, and a game with its history.
