//! Time controls and how much of the clock a move may take: pure functions.
