//! Self-play, game files, fitting of the evaluation.
