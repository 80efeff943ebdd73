//! The game on the table, as a GTP controller sees it: moves by colour, passes said or left out.

use outflank_protocol::gtp::Failure;

use crate::rules::{Color, Game, IllegalMove, Move, Rules};

/// A game, and what one `undo` takes back of it.
#[derive(Clone, Debug)]
pub struct Table {
    game: Game,
    /// One entry for each move that the controller knows of.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A move of the game.
    Move,
    /// A move with the pass before it that nobody said.
    PassAndMove,
    /// A pass after the end of the game, which changes nothing.
    AfterEnd,
}

impl Table {
    /// A game, each of its moves known to the controller.
    pub fn new(game: Game) -> Self {
        let steps = vec![Step::Move; game.history().len()];
        Self { game, steps }
    }

    /// The game from the start.
    pub fn start(rules: Rules) -> Self {
        Self::new(Game::new(rules))
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game with `color` to move: where the side to move must pass, `color` may move at once. In a finished game anybody
    /// is.
    ///
    /// # Errors
    /// If the other side has a move; it is never passed over.
    pub fn turn_of(&self, color: Color) -> Result<Game, Failure> {
        let mut game = self.game.clone();
        if color != game.position().mover && !game.is_over() {
            if !game.moves().must_pass() {
                return Err(Failure::WrongColor(format!("{} is to move", color.opposite())));
            }
            game.play(Move::Pass).map_err(illegal)?;
        }
        Ok(game)
    }

    /// Plays a move. A pass after the end of the game is fine: controllers that know only Go wait for two of them.
    ///
    /// # Errors
    /// If the move is illegal or not of this colour; nothing is changed then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Failure> {
        if self.game.is_over() && mv == Move::Pass {
            self.steps.push(Step::AfterEnd);
            return Ok(());
        }
        let mut game = self.turn_of(color).map_err(|failure| match failure {
            Failure::WrongColor(why) => Failure::IllegalMove(format!("{mv}: {why}")),
            other => other,
        })?;
        game.play(mv).map_err(illegal)?;
        let plies = game.history().len() - self.game.history().len();
        self.steps
            .push(if plies == 1 { Step::Move } else { Step::PassAndMove });
        self.game = game;
        Ok(())
    }

    /// Takes back the last move, with the pass before it if nobody said that.
    ///
    /// # Errors
    /// At the start of the game.
    pub fn undo(&mut self) -> Result<(), Failure> {
        let plies = match self.steps.pop().ok_or(Failure::CannotUndo)? {
            Step::AfterEnd => 0,
            Step::Move => 1,
            Step::PassAndMove => 2,
        };
        for _ in 0..plies {
            self.game.undo();
        }
        Ok(())
    }
}

fn illegal(IllegalMove { mv, reason }: IllegalMove) -> Failure {
    Failure::IllegalMove(format!("{mv}: {reason}"))
}
