//! One game: what is on the board, whose turn it is, and what was done about it.

use super::action::{Moment, Token};
use super::timing::OwnClock;
use crate::clock::Budget;
use crate::rules::{Move, Position, Rules};
use crate::session::words;
use outflank_protocol::clock::ClockSetting;
use outflank_protocol::ggs::{
    GameEnd, GameId, Join, PlayedMove, RunningClock, Seat, Snapshot, TimeOut, Update,
};
use outflank_protocol::match_type::MatchType;
use outflank_protocol::vocab::{Color, Diagram};
use std::time::Duration;

/// No game has more moves: sixty discs, and never two passes in a row.
const MOST_PLIES: u32 = 120;

/// What we are doing in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nothing: it is the opponent's turn, or ours and nothing has been done yet.
    Idle,
    /// A search runs.
    Thinking {
        /// Which.
        token: Token,
        /// When it became our turn.
        since: Moment,
    },
    /// A move has been sent and not been shown yet.
    Sent {
        /// When.
        at: Moment,
        /// The move.
        mv: Move,
    },
    /// The whole game has been asked for, because something did not fit.
    Asked {
        /// When.
        at: Moment,
    },
}

/// Who sits there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Player {
    pub name: String,
    pub rating: f64,
    pub clock: Option<ClockSetting>,
}

/// One game.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub id: GameId,
    pub match_type: MatchType,
    pub komi: Option<f64>,
    /// We play here.
    pub ours: bool,
    /// Our colour; `None` until komi is settled, or if we only watch.
    pub color: Option<Color>,
    /// Black first, or in the order of the seats while nobody has a colour.
    pub players: [Player; 2],
    pub start: Diagram,
    pub position: Position,
    /// The moves made, as far as they are known.
    pub moves: Vec<PlayedMove>,
    /// Moves made, passes included. May exceed what is known of them.
    pub ply: u32,
    pub turn: Turn,
    /// Moves that the server refused in this position.
    pub refused: Vec<Move>,
    /// How often the whole game was asked for since the last move.
    pub asked: u32,
    /// When anything was last heard of it.
    pub heard: Moment,
    /// When our last move was shown.
    pub moved: Moment,
    /// The last search: expected disc difference from our view, and whether it is proven.
    pub expected: Option<(f64, bool)>,
    /// An undo was agreed to: the next whole game may have fewer moves.
    pub undoing: bool,
    /// A whole game that seemed out of date was left aside; the next one counts.
    pub doubted: bool,
    /// A player offered to end the game with a score.
    pub score_offered: bool,
    /// The first to overrun his main time.
    pub overran: Option<String>,
    /// Someone lost on time.
    pub flagged: bool,
    /// Its end, in a synchro match.
    pub end: Option<GameEnd>,
    /// Our bid for the side to move.
    pub bid: Option<PlayedMove>,
    /// What the opponent's clock allows him at most, as last shown.
    pub patience: Duration,
    own: OwnClock,
}

/// What became of a whole game or a move that was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The position is another one than before.
    Changed,
    /// It is what was known.
    Known,
    /// It is older than what is known.
    Stale,
    /// Something is missing: the whole game should be asked for.
    Gap,
}

impl Table {
    /// A game that is seen for the first time.
    pub fn new(join: &Join, me: &str, now: Moment) -> Self {
        let seats = &join.state.seats;
        let mut table = Self {
            id: join.game,
            match_type: join.match_type,
            komi: join.komi,
            ours: seats.iter().any(|seat| seat.name == me),
            color: None,
            players: seats.each_ref().map(|seat| Player {
                name: seat.name.clone(),
                rating: seat.rating,
                clock: None,
            }),
            start: join.state.board.clone(),
            position: words::position(Rules::Othello, &join.state.board),
            moves: Vec::new(),
            ply: 0,
            turn: Turn::Idle,
            refused: Vec::new(),
            asked: 0,
            heard: now,
            moved: now,
            expected: None,
            undoing: false,
            doubted: false,
            score_offered: false,
            overran: None,
            flagged: false,
            end: None,
            bid: None,
            patience: Duration::ZERO,
            own: OwnClock::default(),
        };
        table.take(join, me);
        if let Some(seat) = table.seat(&join.state, me) {
            table.own = OwnClock::shown(seat.clock, table.own_moves_made());
        }
        table
    }

    /// A whole game is shown again.
    pub fn join(&mut self, join: &Join, me: &str, now: Moment) -> Seen {
        self.heard = now;
        let made = made(join);
        if made < self.ply && !self.undoing && !self.doubted {
            self.doubted = true;
            return Seen::Stale;
        }
        self.doubted = false;
        self.undoing = false;
        let before = (self.position, self.ply, self.komi, self.color);
        self.take(join, me);
        if let Some(seat) = self.seat(&join.state, me) {
            self.own.shown_again(seat.clock, self.own_moves_made());
        }
        if before == (self.position, self.ply, self.komi, self.color) {
            Seen::Known
        } else {
            Seen::Changed
        }
    }

    fn take(&mut self, join: &Join, me: &str) {
        self.komi = join.komi;
        self.ply = made(join);
        self.moves.clone_from(&join.moves);
        let clocks = match &join.start {
            Some(start) => {
                self.start = start.board.clone();
                start.seats.each_ref().map(|seat| Some(seat.clock))
            }
            None => {
                self.start = join.state.board.clone();
                self.known_clocks(&join.state.seats)
            }
        };
        for (player, (seat, clock)) in self.players.iter_mut().zip(join.state.seats.iter().zip(clocks)) {
            *player = Player {
                name: seat.name.clone(),
                rating: seat.rating,
                clock,
            };
        }
        self.show(&join.state, me);
    }

    /// The clock settings that are known already, in the order of `seats`.
    fn known_clocks(&self, seats: &[Seat<RunningClock>; 2]) -> [Option<ClockSetting>; 2] {
        let [first, second] = &self.players;
        seats.each_ref().map(|seat| {
            if seat.name == first.name {
                first.clock
            } else {
                second.clock
            }
        })
    }

    /// A move is shown.
    pub fn update(&mut self, update: &Update, me: &str, now: Moment) -> Seen {
        self.heard = now;
        if update.ply > MOST_PLIES {
            return Seen::Stale;
        }
        if update.ply <= self.ply {
            let same = update.ply == self.ply
                && words::position(Rules::Othello, &update.state.board) == self.position;
            return if same { Seen::Known } else { Seen::Stale };
        }
        let mover = self.position.mover;
        let ours = self.color.is_some_and(|color| mover == color.into());
        let next = update.ply == self.ply + 1;
        self.ply = update.ply;
        self.komi = update.komi;
        self.moves.push(update.played);
        self.show(&update.state, me);
        if let Some(seat) = self.seat(&update.state, me) {
            // A time below half a hundredth is not shown.
            let charged = (ours && next).then(|| update.played.seconds.unwrap_or(0.0));
            self.own.update(seat.clock, self.own_moves_made(), charged);
        }
        if ours {
            self.moved = now;
        }
        if next { Seen::Changed } else { Seen::Gap }
    }

    fn show(&mut self, state: &Snapshot<RunningClock>, me: &str) {
        let position = words::position(Rules::Othello, &state.board);
        if position != self.position {
            self.refused.clear();
            self.asked = 0;
        }
        self.position = position;
        self.color = self.seat(state, me).and_then(|seat| seat.color);
        if let Some(seat) = state.seats.iter().find(|seat| seat.name != me) {
            let extension = seat
                .clock
                .extension
                .map_or(Duration::ZERO, |part| part.time.duration());
            self.patience = seat.clock.main.time.duration() + extension;
        }
    }

    fn seat<'a>(&self, state: &'a Snapshot<RunningClock>, me: &str) -> Option<&'a Seat<RunningClock>> {
        self.ours
            .then(|| state.seats.iter().find(|seat| seat.name == me))
            .flatten()
    }

    /// Black moves first from `start`, so the moves of a colour are every other one.
    fn own_moves_made(&self) -> u32 {
        let first_is_ours = self.color == Some(self.start.mover);
        if first_is_ours {
            self.ply.div_ceil(2)
        } else {
            self.ply / 2
        }
    }

    /// We are to move: in the open bidding for komi both sides are.
    pub fn is_our_turn(&self) -> bool {
        if !self.ours || self.position.is_over() {
            return false;
        }
        match self.color {
            Some(color) => self.position.mover == color.into(),
            None => self.is_bidding(),
        }
    }

    /// The first move of a komi game, with a bid, is to be sent.
    pub fn is_bidding(&self) -> bool {
        self.match_type.komi && self.ply == 0 && self.color.is_none()
    }

    /// The opponent is to move and we know it.
    pub fn is_their_turn(&self) -> bool {
        self.ours
            && !self.position.is_over()
            && self
                .color
                .is_some_and(|color| self.position.mover != color.into())
    }

    /// How long our move may be thought about.
    pub fn budget(&self, me: &str, reserve: Duration) -> Budget {
        let moves = self.position.moves();
        // A forced move needs no thought, and one after a refused one must come at once.
        if (moves.len() == 1 && !self.is_bidding()) || !self.refused.is_empty() {
            return Budget::per_move(Duration::ZERO);
        }
        let own_moves = self.position.board.empties().div_ceil(2);
        let extension_is_free = self.overran.as_ref().is_some_and(|name| name != me);
        self.own.budget(own_moves, extension_is_free, reserve)
    }

    /// Someone ran out of time.
    pub fn time_out(&mut self, time_out: &TimeOut, me: &str) {
        if time_out.fatal {
            self.flagged = true;
            return;
        }
        if time_out.name == me {
            self.own.overrun();
        }
        self.overran.get_or_insert_with(|| time_out.name.clone());
    }
}

/// Number of moves of a whole game.
fn made(join: &Join) -> u32 {
    u32::try_from(join.moves.len()).unwrap_or(u32::MAX)
}
