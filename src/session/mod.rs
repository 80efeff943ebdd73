//! Conversations with the outside world: a line stream in, a line sink out, one engine.
