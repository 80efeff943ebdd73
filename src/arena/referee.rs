//! One game between two players: clocks, legality, endings.

use super::fault::{Failure, Fault, Kind};
use super::pace::{Charged, GameClock, Pace};
use super::player::{Player, Turn};
use super::record::{Ending, GameRecord, Solved, moves_text};
use crate::rules::{Color, Counting, Game, Move, Position};
use crate::session::words;
use std::time::Duration;

/// The terms of a game.
pub struct Terms<'a> {
    /// The opening, already on the board.
    pub opening: Game,
    /// Names, Black's first.
    pub names: [&'a str; 2],
    /// Limits, Black's first.
    pub paces: [Pace; 2],
    /// A move late by no more is in time.
    pub margin: Duration,
    /// An engine hangs so long after its time is up.
    pub stall: Duration,
    /// An engine without a time limit hangs after this.
    pub untimed_stall: Duration,
    /// Seeds of random players, Black's first.
    pub seeds: [u64; 2],
    /// Solve at so many empties, and whether the game then goes on.
    pub adjudicate: Option<(u32, bool)>,
}

/// Exact final disc difference for the side to move; none if the match was broken off meanwhile.
pub type Solve<'a> = &'a mut dyn FnMut(&Game) -> Option<i32>;

/// A failure that is not a loss, with the side whose player reported it.
pub type Trouble = (Color, Failure);

/// The score of a forfeited game for the winner: the most there is, as on GGS.
const FORFEIT: i32 = 64;
/// The best that a side can reach that has used its extension (GGS, 8x8).
const EXTENDED_BEST: i32 = -2;

/// Plays a game; players in the order Black, White.
///
/// # Errors
/// If a player can't be used at all, or the match was broken off.
pub fn play(
    terms: &Terms<'_>,
    players: [&mut dyn Player; 2],
    solve: Solve<'_>,
) -> Result<GameRecord, Trouble> {
    let mut table = Table::new(terms);
    // Both are made ready before either clock runs.
    for color in Color::BOTH {
        if let Err(failure) = players[color.index()].begin() {
            table.forfeit(color, failure)?;
        }
    }
    while table.forfeit.is_none() && !table.game.is_over() {
        if table
            .adjudicate(solve)
            .map_err(|failure| (table.game.position().mover, failure))?
        {
            break;
        }
        if table.game.moves().must_pass() {
            table.play(Move::Pass, Duration::ZERO, None);
            continue;
        }
        let color = table.game.position().mover;
        if let Err(failure) = table.ask(color, players[color.index()]) {
            table.forfeit(color, failure)?;
        }
    }
    Ok(table.record())
}

/// A game under way.
struct Table<'a> {
    terms: &'a Terms<'a>,
    game: Game,
    clocks: [GameClock; 2],
    times: Vec<Option<Duration>>,
    evals: Vec<Option<f64>>,
    nodes: [u64; 2],
    solved: Option<Solved>,
    extended: Option<Color>,
    forfeit: Option<(Color, Fault)>,
}

impl<'a> Table<'a> {
    fn new(terms: &'a Terms<'a>) -> Self {
        Self {
            terms,
            game: terms.opening.clone(),
            clocks: terms.paces.map(GameClock::new),
            times: vec![None; terms.opening.history().len()],
            evals: Vec::new(),
            nodes: [0; 2],
            solved: None,
            extended: None,
            forfeit: None,
        }
    }

    /// Moves since the opening.
    fn plies(&self) -> usize {
        self.evals.len()
    }

    /// Solves the game if it is time to; true if it ends with that.
    fn adjudicate(&mut self, solve: &mut dyn FnMut(&Game) -> Option<i32>) -> Result<bool, Failure> {
        let Some((empties, play_on)) = self.terms.adjudicate else {
            return Ok(false);
        };
        let position = self.game.position();
        if self.solved.is_some() || position.board.empties() > empties {
            return Ok(false);
        }
        let score = solve(&self.game).ok_or(Failure::Aborted)?;
        let score = if position.mover == Color::Black {
            score
        } else {
            -score
        };
        self.solved = Some(Solved {
            ply: self.plies(),
            score,
        });
        Ok(!play_on)
    }

    /// One move of a player, in the order: answer, legality, clock. An illegal move that also came late is an illegal move.
    fn ask(&mut self, color: Color, player: &mut dyn Player) -> Result<(), Failure> {
        let index = color.index();
        let hard_limit = self.clocks[index]
            .allowance()
            .map_or(self.terms.untimed_stall, |allowance| {
                allowance + self.terms.margin + self.terms.stall
            });
        let turn = Turn {
            game: &self.game,
            times: &self.times,
            clocks: &self.clocks,
            names: self.terms.names,
            hard_limit,
            seed: self.terms.seeds[index],
        };
        let thought = player.think(&turn)?;
        if let Err(illegal) = self.game.clone().play(thought.mv) {
            let position = self.game.position();
            let other = Position::new(position.rules, position.board.pass(), color.opposite());
            let kind = if other.moves().contains(thought.mv) && thought.mv != Move::Pass {
                Kind::WrongColor
            } else {
                Kind::Illegal
            };
            let board = words::diagram(position);
            return Err(Fault::new(kind, format!("{illegal} in {board}")).into());
        }
        match self.clocks[index].charge(thought.elapsed, self.terms.margin) {
            Charged::InTime => {}
            Charged::Extended => {
                self.extended.get_or_insert(color);
            }
            Charged::Late(by) => {
                let late = format!("{} came {:.3} s late", thought.mv, by.as_secs_f64());
                return Err(Fault::new(Kind::Time, late).into());
            }
        }
        self.nodes[index] += thought.nodes.unwrap_or(0);
        self.play(thought.mv, thought.elapsed, thought.eval);
        Ok(())
    }

    fn play(&mut self, mv: Move, time: Duration, eval: Option<f64>) {
        let played = self.game.play(mv);
        debug_assert!(played.is_ok());
        self.times.push((!time.is_zero()).then_some(time));
        self.evals.push(eval);
    }

    fn forfeit(&mut self, color: Color, failure: Failure) -> Result<(), Trouble> {
        match failure {
            Failure::Fault(fault) => {
                self.forfeit.get_or_insert((color, fault));
                Ok(())
            }
            other => Err((color, other)),
        }
    }

    fn record(self) -> GameRecord {
        let skip = self.terms.opening.history().len();
        let discs = self
            .game
            .position()
            .tally(Counting::Tournament)
            .difference(Color::Black);
        let (score, ending) = match self.forfeit {
            Some((color, fault)) => {
                let score = if color == Color::Black { -FORFEIT } else { FORFEIT };
                (
                    score,
                    Ending::Forfeit {
                        loser: color.into(),
                        kind: fault.kind,
                        detail: fault.detail,
                    },
                )
            }
            None => {
                let (score, ending) = match self.solved {
                    Some(solved) => (solved.score, Ending::Solved),
                    None => (discs, Ending::Board),
                };
                let score = match self.extended {
                    Some(Color::Black) => score.min(EXTENDED_BEST),
                    Some(Color::White) => score.max(-EXTENDED_BEST),
                    None => score,
                };
                (score, ending)
            }
        };
        let us = self.times[skip..].iter().map(|t| t.map_or(0, micros)).collect();
        let evals = if self.evals.iter().all(Option::is_none) {
            Vec::new()
        } else {
            self.evals
        };
        let [black, white] = self.terms.names.map(str::to_owned);
        GameRecord {
            black,
            white,
            moves: moves_text(&self.game.history()[skip..]),
            us,
            evals,
            nodes: self.nodes,
            score,
            discs,
            ending,
            solved: self.solved,
            extended: self.extended.map(Into::into),
        }
    }
}

/// Whole microseconds, at least one: 0 stands for a forced pass.
fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::super::player::Thought;
    use super::super::record::Side;
    use super::*;
    use crate::rules::Rules;

    /// Answers from a list; then any legal move.
    struct Scripted(Vec<Result<Thought, Failure>>);

    fn thought(word: &str, ms: u64) -> Result<Thought, Failure> {
        let mv = word.parse::<outflank_protocol::Move>().unwrap().into();
        Ok(Thought {
            mv,
            elapsed: Duration::from_millis(ms),
            eval: None,
            nodes: Some(7),
        })
    }

    impl Player for Scripted {
        fn begin(&mut self) -> Result<Option<String>, Failure> {
            Ok(None)
        }

        fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
            match self.0.is_empty() {
                false => self.0.remove(0),
                true => thought(&turn.game.moves().iter().next().unwrap().to_string(), 1),
            }
        }
    }

    fn game(
        black: Vec<Result<Thought, Failure>>,
        change: impl FnOnce(&mut Terms<'_>),
    ) -> Result<GameRecord, Trouble> {
        let mut terms = Terms {
            opening: Game::new(Rules::Othello),
            names: ["a", "b"],
            paces: ["1".parse().unwrap(), Pace::NONE],
            margin: Duration::ZERO,
            stall: Duration::from_secs(1),
            untimed_stall: Duration::from_secs(1),
            seeds: [0, 1],
            adjudicate: None,
        };
        change(&mut terms);
        play(
            &terms,
            [&mut Scripted(black), &mut Scripted(Vec::new())],
            &mut |g| Some(g.position().discs()),
        )
    }

    fn lost_by(record: &GameRecord) -> Kind {
        match &record.ending {
            Ending::Forfeit {
                loser: Side::Black,
                kind,
                ..
            } => *kind,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ends_on_the_board() {
        let record = game(Vec::new(), |_| {}).unwrap();
        assert_eq!((record.ending, record.score), (Ending::Board, record.discs));
        assert_eq!(record.moves.len(), 2 * record.us.len());
        assert!(record.nodes[0] > 100 && record.evals.is_empty());
    }

    #[test]
    fn every_fault_is_a_typed_loss() {
        for (word, ms, kind) in [
            ("f5", 1001, Kind::Time),
            ("a1", 1, Kind::Illegal),
            ("pa", 1, Kind::Illegal),
            // e3 is White's move; that it is late as well does not matter.
            ("e3", 5000, Kind::WrongColor),
        ] {
            let record = game(vec![thought(word, ms)], |_| {}).unwrap();
            assert_eq!((lost_by(&record), record.score), (kind, -64), "{word}");
        }
        let crash = Fault::new(Kind::Crash, "x").into();
        assert_eq!(lost_by(&game(vec![Err(crash)], |_| {}).unwrap()), Kind::Crash);
        let setup = game(vec![Err(Failure::Setup("no file".into()))], |_| {});
        assert_eq!(
            setup.unwrap_err(),
            (Color::Black, Failure::Setup("no file".into()))
        );
    }

    #[test]
    fn solved_games() {
        let stop = game(Vec::new(), |t| t.adjudicate = Some((20, false))).unwrap();
        let solved = stop.solved.unwrap();
        assert_eq!(
            (stop.score, &stop.ending, stop.us.len()),
            (solved.score, &Ending::Solved, solved.ply)
        );
        let on = game(Vec::new(), |t| t.adjudicate = Some((20, true))).unwrap();
        assert_eq!(on.solved, stop.solved);
        assert_eq!(on.score, solved.score);
        assert_eq!(on.discs, game(Vec::new(), |_| {}).unwrap().discs);
    }

    #[test]
    fn extension_costs_the_win() {
        let pace = "1 ext 60".parse().unwrap();
        let record = game(vec![thought("f5", 1500)], |t| t.paces[0] = pace).unwrap();
        assert_eq!(record.extended, Some(Side::Black));
        assert_eq!(record.score, record.discs.min(-2));
    }
}
