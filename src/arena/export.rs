//! Games of a journal as records.

use super::fault::Kind;
use super::journal::Journal;
use super::record::{Ending, GameRecord, PairRecord};
use crate::session::words;
use outflank_protocol::ggf::{self, Outcome};
use outflank_protocol::played::Played;
use outflank_protocol::transcript::Transcript;

/// Every game in the order of the schedule. Error with the number of the pair whose moves are not legal: the journal was
/// changed by hand.
pub fn ggf(journal: &Journal) -> impl Iterator<Item = Result<ggf::Game, String>> {
    let pairs = journal.pairs.values();
    pairs.flat_map(move |pair| {
        pair.games
            .iter()
            .map(move |game| one(journal, pair, game).map_err(|error| format!("pair {}: {error}", pair.pair)))
    })
}

fn one(journal: &Journal, pair: &PairRecord, game: &GameRecord) -> Result<ggf::Game, String> {
    let config = &journal.header.config;
    let mut played = pair.opening.game(config.rules)?;
    let mut record = ggf::Game::new(words::diagram(played.start()));
    record.place = format!("outflank match, pair {}", pair.pair);
    record.date = format!("{} GMT", journal.header.started);
    for (player, name) in [(&mut record.black, &game.black), (&mut record.white, &game.white)] {
        player.name.clone_from(name);
        let spec = config.engines.iter().find(|e| e.name == *name);
        player.clock = spec
            .and_then(|spec| config.pace_of(spec).tc)
            .map(|tc| tc.setting());
    }
    let ending = match &game.ending {
        Ending::Board => None,
        Ending::Solved => Some(ggf::Ending::Agreed),
        Ending::Forfeit {
            kind: Kind::Time | Kind::Stall,
            ..
        } => Some(ggf::Ending::Timeout),
        Ending::Forfeit { .. } => Some(ggf::Ending::Resigned),
    };
    record.result = Outcome {
        discs: Some(f64::from(game.score)),
        ending,
    };
    let mut color = played.start().mover;
    for &mv in played.history() {
        record.push(color.into(), Played::bare(mv.into()));
        color = color.opposite();
    }
    let moves: Transcript = game.moves.parse().map_err(|e| format!("{e}"))?;
    for (ply, mv) in moves.moves.into_iter().enumerate() {
        let seconds = game.us.get(ply).filter(|&&us| us > 0).map(|&us| us as f64 / 1e6);
        let eval = game.evals.get(ply).copied().flatten();
        let color = played.position().mover;
        played.play(mv.into()).map_err(|e| e.to_string())?;
        record.push(color.into(), Played { mv, eval, seconds });
    }
    Ok(record)
}
