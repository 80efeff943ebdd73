//! Records of matches for the file of games.

use super::playing::Match;
use super::secret::Secret;
use super::table::Table;
use outflank_protocol::ggf;
use outflank_protocol::ggs::{GameEnd, MatchLine, MatchResult, PlayedMove};
use outflank_protocol::played::Played;
use outflank_protocol::vocab::Color;

/// All discs of a board.
const MOST_DISCS: f64 = 64.0;

/// Who keeps the records.
#[derive(Clone, Copy)]
pub(super) struct Keeper<'a> {
    /// Our name.
    pub me: &'a str,
    /// What no record may hold, whatever name a server makes of it.
    pub secret: &'a Secret,
}

/// The record of a match; `None` if not a single move was made. `end` is missing if the connection or the service broke. The
/// date is left to whoever has a calendar.
pub(super) fn games(
    found: &Match,
    end: Option<(&MatchLine, &MatchResult)>,
    keeper: Keeper<'_>,
) -> Option<ggf::Match> {
    let mut tables: Vec<&Table> = found.tables.iter().collect();
    tables.sort_by_key(|table| table.id);
    let games: Vec<ggf::Game> = tables.into_iter().map(|table| game(table, end, keeper)).collect();
    games
        .iter()
        .any(|game| !game.moves.is_empty())
        .then_some(ggf::Match { games })
}

fn game(table: &Table, end: Option<(&MatchLine, &MatchResult)>, keeper: Keeper<'_>) -> ggf::Game {
    let Keeper { me, secret } = keeper;
    let mut game = ggf::Game::new(table.start.clone());
    game.place = "GGS/os".to_owned();
    game.kind = table.match_type;
    game.komi = table.komi;
    let [black, white] = &table.players;
    game.result = outcome(table, end, &black.name);
    [game.black, game.white] = [black, white].map(|player| ggf::Player {
        // Our own name is no secret, even if the password is the same.
        name: match player.name == me {
            true => player.name.clone(),
            false => secret.hide(&player.name).into_owned(),
        },
        rating: Some(player.rating),
        clock: player.clock,
        bid: table.bid.filter(|_| player.name == me).map(step),
    });
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

/// The result from Black's view. What the server says counts: it knows of penalties and agreements. It does not say how a game
/// ended before the board was full; that is in the record only if it is known.
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
        None => end.map(of_match),
    };
    let over = table.position.is_over();
    match told {
        // The result of a synchro match is the mean of its games, which says nothing of one.
        Some((first_is_black, MatchResult::Score(score)))
            if table.end.is_some() || !table.match_type.synchro =>
        {
            let discs = if first_is_black { score } else { 0.0 - score };
            let whole_board = (discs + table.komi.unwrap_or(0.0)).abs() >= MOST_DISCS;
            ggf::Outcome {
                discs: Some(discs),
                ending: match () {
                    () if table.flagged => Some(ggf::Ending::Timeout),
                    () if over => None,
                    () if table.score_offered => Some(ggf::Ending::Agreed),
                    // A resignation costs all discs.
                    () if whole_board => Some(ggf::Ending::Resigned),
                    () => None,
                },
            }
        }
        _ if over => ggf::Outcome {
            discs: Some(on_the_board(table)),
            ending: None,
        },
        Some((_, MatchResult::Left(_))) => ggf::Outcome {
            discs: None,
            ending: Some(ggf::Ending::Adjourned),
        },
        Some((_, MatchResult::Score(_) | MatchResult::Aborted)) | None => ggf::Outcome::default(),
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
