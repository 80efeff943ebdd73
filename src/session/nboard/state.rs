//! The game that the board program shows, with its record and its clocks.

use std::time::Duration;

use outflank_protocol::clock::{ClockPart, ClockSetting};
use outflank_protocol::ggf::{self, Unplayable};
use outflank_protocol::played::Played;
use outflank_protocol::vocab::{self, Diagram};

use crate::clock::{Clock, Control};
use crate::rules::{Color, Counting, Game, IllegalMove, Move, Rules};
use crate::session::words;

/// A well-formed command that cannot be obeyed in this state; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// `move`.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A move in `set game`.
    #[error("move {number} of the game: {reason}")]
    Record {
        /// From 1, passes included.
        number: usize,
        /// What is wrong with it.
        reason: IllegalMove,
    },
    /// A game that is not played on this board.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
}

/// The current game. Everything in it is what `set game` and `move` said.
#[derive(Clone, Debug)]
pub struct State {
    game: Game,
    /// The same moves with names, evaluations and times.
    record: ggf::Game,
    /// What each player has left, by [`Color::index`]; `None` for a game without a clock.
    clocks: [Option<Clock>; 2],
    /// The last move that we chose: the number of moves before it, the move, and the time from request to reply.
    answered: Option<(usize, Move, Duration)>,
}

/// The clock at the start of the game; none if the record has none or says that the game is played without. What it leaves
/// out is as on GGS and in NBoard: no increment, two minutes of grace.
fn clock(setting: Option<ClockSetting>) -> Option<Clock> {
    let setting = setting
        .filter(|setting| !setting.is_untimed())?
        .or(ClockSetting::SERVER_DEFAULT);
    let time = |part: Option<ClockPart>| part.map(|part| part.time.duration()).unwrap_or_default();
    let control = Control {
        main: time(setting.main),
        increment: time(setting.increment),
        extension: time(setting.extension),
    };
    Some(control.start())
}

impl State {
    /// A game from the start position of `rules`, without players and clocks.
    pub fn new(rules: Rules) -> Self {
        Self {
            game: Game::new(rules),
            record: ggf::Game::new(Diagram::standard()),
            clocks: [None; 2],
            answered: None,
        }
    }

    /// The game of a record, all its moves played.
    ///
    /// # Errors
    /// If it is not an 8x8 game or has a move that `rules` do not allow.
    pub fn from_record(rules: Rules, mut record: ggf::Game) -> Result<Self, Refusal> {
        let playable = record.playable()?;
        // Every move is played below, and comes back with it.
        record.moves.clear();
        let clocks = [clock(record.black.clock), clock(record.white.clock)];
        let game = Game::from_position(words::position(rules, &playable.start));
        let mut state = Self {
            game,
            record,
            clocks,
            answered: None,
        };
        for (index, turn) in playable.moves.iter().enumerate() {
            let number = |reason| Refusal::Record {
                number: index + 1,
                reason,
            };
            // Passes should be written, but not every program does. The letter decides nothing else: there are boards on
            // which it contradicts the side to move.
            let skipped = Color::from(turn.color) != state.mover() && turn.played.mv != vocab::Move::Pass;
            if skipped && state.game.moves().must_pass() {
                state.play(Played::bare(vocab::Move::Pass)).map_err(number)?;
            }
            state.play(turn.played).map_err(number)?;
        }
        Ok(state)
    }

    /// Plays a move of the side to move, and takes its time off the clock. A move of ours that comes back without a time took
    /// as long as we know.
    ///
    /// # Errors
    /// If the move is not legal; nothing is changed then.
    pub fn play(&mut self, played: Played<vocab::Move>) -> Result<(), IllegalMove> {
        let (mover, before) = (self.mover(), self.game.history().len());
        let mv = Move::from(played.mv);
        self.game.play(mv)?;
        self.record.push(mover.into(), played);
        let said = played
            .seconds
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let known = || {
            self.answered
                .filter(|&(ply, ours, _)| (ply, ours) == (before, mv))
                .map(|(_, _, spent)| spent)
        };
        let spent = said.or_else(known).unwrap_or_default();
        let [black, white] = &mut self.clocks;
        let clock = if mover == Color::Black { black } else { white };
        *clock = clock.map(|clock| clock.after_move(spent));
        Ok(())
    }

    /// Remembers the move that we chose, which took `spent` from request to reply.
    pub fn answer(&mut self, mv: Move, spent: Duration) {
        self.answered = Some((self.game.history().len(), mv, spent));
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Who moves.
    pub fn mover(&self) -> Color {
        self.game.position().mover
    }

    /// What the side to move has left; `None` without a clock.
    pub fn clock(&self) -> Option<Clock> {
        let [black, white] = self.clocks;
        if self.mover() == Color::Black {
            black
        } else {
            white
        }
    }

    /// The record as it is to be kept, with the result if the board decides it.
    pub fn record(&self) -> ggf::Game {
        let mut record = self.record.clone();
        if record.result.discs.is_none() {
            let tally = self.game.result(Counting::Tournament);
            record.result.discs = tally.map(|tally| f64::from(tally.difference(Color::Black)));
        }
        record
    }

    /// The game after each number of moves, from none to all.
    pub fn stages(&self) -> Vec<Game> {
        let mut stage = Game::from_position(*self.game.start());
        let mut stages = vec![stage.clone()];
        for &mv in self.game.history() {
            if let Err(error) = stage.play(mv) {
                // A game replays, or it would not have been played.
                log::error!("replaying the game: {error}");
                break;
            }
            stages.push(stage.clone());
        }
        stages
    }
}
