//! The `outflank` program. Everything is in the library; this only starts it.

fn main() {}
