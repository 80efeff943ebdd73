//! Records of matches for the file of games.

use super::playing::Match;
use super::table::Table;
use outflank_protocol::ggf;
use outflank_protocol::ggs::{GameEnd, MatchLine, MatchResult, PlayedMove, Proposal};
use outflank_protocol::played::Played;
use outflank_protocol::vocab::Color;

/// The record of a match; `None` if not a single move was made. `end` is missing if the connection or the service broke. The
/// date is left to whoever has a calendar.
pub(super) fn games(found: &Match, end: Option<(&MatchLine, &MatchResult)>, me: &str) -> Option<ggf::Match> {
    let mut tables: Vec<&Table> = found.tables.iter().collect();
    tables.sort_by_key(|table| table.id);
    let games: Vec<ggf::Game> = tables.into_iter().map(|table| game(table, end, me)).collect();
    games
        .iter()
        .any(|game| !game.moves.is_empty())
        .then_some(ggf::Match { games })
}

fn game(table: &Table, end: Option<(&MatchLine, &MatchResult)>, me: &str) -> ggf::Game {
    let mut game = ggf::Game::new(table.start.clone());
    game.place = "GGS/os".to_owned();
    game.kind = table.match_type;
    game.komi = table.komi;
    let [black, white] = table.players.each_ref().map(|player| ggf::Player {
        name: player.name.clone(),
        rating: Some(player.rating),
        clock: player.clock,
        bid: table.bid.filter(|_| player.name == me).map(step),
    });
    game.result = outcome(table, end, &black.name);
    (game.black, game.white) = (black, white);
    let mut color = table.start.mover;
    for &played in &table.moves {
        game.push(color, played);
        color = color.opposite();
    }
    game
}

fn step(played: PlayedMove) -> Played<ggf::Step> {
    let Played { mv, eval, seconds } = played;
    Played {
        mv: mv.into(),
        eval,
        seconds,
    }
}

/// The result from Black's view. What the server says counts: it knows of penalties and agreements.
fn outcome(table: &Table, end: Option<(&MatchLine, &MatchResult)>, black: &str) -> ggf::Outcome {
    let of_game = |end: &GameEnd| {
        let [first, _] = &end.players;
        (first == black, end.result.clone())
    };
    let of_match = |(line, result): (&MatchLine, &MatchResult)| {
        let [first, _] = &line.players;
        (first.name == black, result.clone())
    };
    let told = match &table.end {
        Some(end) => Some(of_game(end)),
        // The result of a synchro match is the mean of its games, which says nothing of one.
        None if table.match_type.synchro => None,
        None => end.map(of_match),
    };
    let over = table.position.is_over();
    match told {
        Some((first_is_black, MatchResult::Score(score))) => ggf::Outcome {
            discs: Some(if first_is_black { score } else { 0.0 - score }),
            ending: match () {
                () if table.flagged => Some(ggf::Ending::Timeout),
                () if over => None,
                () if table.proposed == Some(Proposal::Score) => Some(ggf::Ending::Agreed),
                () => Some(ggf::Ending::Resigned),
            },
        },
        None if over => ggf::Outcome {
            discs: Some(on_the_board(table)),
            ending: None,
        },
        Some((_, MatchResult::Left(_))) => ggf::Outcome {
            discs: None,
            ending: Some(ggf::Ending::Adjourned),
        },
        Some((_, MatchResult::Aborted)) | None => ggf::Outcome::default(),
    }
}

/// Black's result of a finished game.
fn on_the_board(table: &Table) -> f64 {
    let score = f64::from(table.position.score());
    let black = if Color::from(table.position.mover) == Color::Black {
        score
    } else {
        0.0 - score
    };
    black - table.komi.unwrap_or(0.0)
}
