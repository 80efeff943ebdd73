//! Score of a position without search.
