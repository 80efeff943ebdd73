//! The facade: give it a game and limits, get a stream of reports and one answer; cancel it at any time.
