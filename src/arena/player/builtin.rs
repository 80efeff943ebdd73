//! Players that need no engine.

use super::super::fault::Failure;
use super::super::seed::SplitMix;
use super::{Player, Thought, Turn};
use crate::rules::{Move, Position};
use std::time::Instant;

/// Plays any legal move.
pub struct Random;

/// Plays a move that turns over the most discs, any of those; never passes of its own will.
pub struct Greedy;

impl Player for Random {
    fn begin(&mut self) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        answer(turn, |position| position.moves().iter().collect())
    }
}

impl Player for Greedy {
    fn begin(&mut self) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        answer(turn, |position| {
            let gain = |mv: &Move| match mv {
                Move::Place(_) => -position.play(*mv).discs(),
                Move::Pass => i32::MIN,
            };
            let best = position.moves().iter().map(|mv| gain(&mv)).max();
            position
                .moves()
                .iter()
                .filter(|mv| Some(gain(mv)) == best)
                .collect()
        })
    }
}

/// Any of the candidates. The choice depends on the seed and the ply only, so that a game can be played again.
fn answer(turn: &Turn<'_>, candidates: impl FnOnce(&Position) -> Vec<Move>) -> Result<Thought, Failure> {
    let start = Instant::now();
    let moves = candidates(turn.game.position());
    let ply = turn.game.history().len() as u64;
    let mv = moves[SplitMix::new(turn.seed, &[ply]).below(moves.len())];
    Ok(Thought {
        mv,
        elapsed: start.elapsed(),
        eval: None,
        nodes: None,
    })
}
