//! One game on the server: rules, clocks, komi, result, and its text.

use super::clock::{Charged, GameClock};
use outflank::rules::{Color, Move, Position};
use outflank::session::words;
use outflank_protocol::clock::ClockSetting;
use outflank_protocol::ggs::{GameId, Join, PlayedMove, Seat, Snapshot, Update};
use outflank_protocol::match_type::MatchType;
use std::time::Duration;

/// A bid for the side to move: the first move with an evaluation.
pub type Bids = [Option<(PlayedMove, Duration)>; 2];

#[derive(Clone, Debug)]
pub struct Game {
    pub id: GameId,
    pub match_type: MatchType,
    /// Names and ratings, the match's first player first.
    pub names: [String; 2],
    pub ratings: [f64; 2],
    /// Index of the player with Black; `None` until komi is settled.
    pub black: Option<usize>,
    pub start: Position,
    pub position: Position,
    pub moves: Vec<PlayedMove>,
    /// By player.
    pub clocks: [GameClock; 2],
    /// When the clock of the side to move was started.
    pub since: Duration,
    pub bids: Bids,
    pub komi: Option<f64>,
    /// The first player to overrun his main time.
    pub soft: Option<usize>,
    /// The player who lost on time or resigned.
    pub lost: Option<usize>,
    /// A score that both agreed to, from the first player's view.
    pub agreed: Option<f64>,
    pub scores: [Option<f64>; 2],
    pub undo: [bool; 2],
    /// The last move is withheld from the other player (synchro).
    pub withheld: bool,
    /// It is over and everybody has been told.
    pub closed: bool,
}

impl Game {
    pub fn new(
        id: GameId,
        match_type: MatchType,
        names: [String; 2],
        ratings: [f64; 2],
        black: Option<usize>,
        start: Position,
        settings: [ClockSetting; 2],
    ) -> Self {
        Self {
            id,
            match_type,
            names,
            ratings,
            black,
            start,
            position: start,
            moves: Vec::new(),
            clocks: settings.map(GameClock::new),
            since: Duration::ZERO,
            bids: [None; 2],
            komi: None,
            soft: None,
            lost: None,
            agreed: None,
            scores: [None; 2],
            undo: [false; 2],
            withheld: false,
            closed: false,
        }
    }

    /// Index of the player to move; `None` while bids are open.
    pub fn to_move(&self) -> Option<usize> {
        let black = self.black?;
        Some(if self.position.mover == Color::Black {
            black
        } else {
            1 - black
        })
    }

    pub fn is_over(&self) -> bool {
        self.lost.is_some() || self.agreed.is_some() || (self.black.is_some() && self.position.is_over())
    }

    /// True if the clock of this player runs.
    fn runs(&self, player: usize) -> bool {
        match self.to_move() {
            Some(mover) => mover == player && !self.is_over() && !self.withheld,
            None => self.bids[player].is_none(),
        }
    }

    /// A player whose clock, with five seconds of grace, has run out.
    pub fn flagged(&self, now: Duration) -> Option<usize> {
        let grace = Duration::from_secs(5);
        (0..2).find(|&player| self.runs(player) && now > self.since + self.clocks[player].all() + grace)
    }

    /// The earliest time at which [`Game::flagged`] can say something.
    pub fn deadline(&self) -> Option<Duration> {
        let grace = Duration::from_millis(5001);
        (0..2)
            .filter(|&player| self.runs(player))
            .map(|player| self.since + self.clocks[player].all() + grace)
            .min()
    }

    /// Plays a legal move that is charged with a time.
    pub fn play(&mut self, player: usize, played: PlayedMove, charged: Duration) -> Charged {
        let outcome = self.clocks[player].charge(charged);
        self.overrun(player, outcome);
        if self.lost.is_none() {
            self.position = self.position.play(Move::from(played.mv));
            self.moves.push(played);
        }
        self.undo = [false; 2];
        self.scores = [None; 2];
        outcome
    }

    fn overrun(&mut self, player: usize, outcome: Charged) {
        match outcome {
            Charged::Fine => {}
            Charged::Soft => {
                self.soft.get_or_insert(player);
            }
            Charged::Fatal => self.lost = Some(player),
        }
    }

    /// Settles komi when both bids are in: the higher bidder gets the side to move and his move is played.
    pub fn settle(&mut self, coin: bool) {
        let [Some(first), Some(second)] = self.bids else {
            return;
        };
        let value = |bid: (PlayedMove, Duration)| bid.0.eval.unwrap_or(0.0);
        let winner = match value(first).partial_cmp(&value(second)) {
            Some(std::cmp::Ordering::Greater) => 0,
            Some(std::cmp::Ordering::Less) => 1,
            _ => usize::from(coin),
        };
        let mean = (value(first) + value(second)) / 2.0;
        let komi = (mean * 200.0).round() / 200.0;
        let black_moves = self.position.mover == Color::Black;
        self.komi = Some(if black_moves { komi } else { 0.0 - komi });
        self.black = Some(if black_moves { winner } else { 1 - winner });
        for (player, bid) in [first, second].into_iter().enumerate() {
            if player != winner {
                let outcome = self.clocks[player].charge(bid.1);
                self.overrun(player, outcome);
            }
        }
        let (played, spent) = [first, second][winner];
        self.play(winner, played, spent);
    }

    /// The result from the first player's view.
    pub fn result(&self) -> f64 {
        let black = self.black.unwrap_or(0);
        let komi = self.komi.unwrap_or(0.0);
        // From now on in Black's view.
        let for_black = |player: usize| if player == black { 1.0 } else { -1.0 };
        let score = if let Some(agreed) = self.agreed {
            agreed * for_black(0)
        } else if let Some(loser) = self.lost {
            -64.0 * for_black(loser) - komi
        } else {
            let score = f64::from(self.position.score());
            let board = if self.position.mover == Color::Black {
                score
            } else {
                0.0 - score
            };
            let board = if self.match_type.anti { 0.0 - board } else { board } - komi;
            match self.soft {
                Some(player) if player == black => board.min(-2.0),
                Some(_) => board.max(2.0),
                None => board,
            }
        };
        score * for_black(0) + 0.0
    }

    fn seats<C: Copy>(&self, clock: impl Fn(usize) -> C) -> [Seat<C>; 2] {
        let first = self.black.unwrap_or(0);
        [first, 1 - first].map(|player| Seat {
            name: self.names[player].clone(),
            rating: self.ratings[player],
            color: self.black.map(|black| {
                outflank_protocol::Color::from(if player == black {
                    Color::Black
                } else {
                    Color::White
                })
            }),
            clock: clock(player),
        })
    }

    fn snapshot(&self, now: Duration) -> Snapshot<outflank_protocol::ggs::RunningClock> {
        Snapshot {
            seats: self.seats(|player| {
                // A clock that runs has always run for a moment.
                let running = if self.runs(player) {
                    now.saturating_sub(self.since).max(Duration::from_millis(1))
                } else {
                    Duration::ZERO
                };
                self.clocks[player].shown(running)
            }),
            board: words::diagram(&self.position),
        }
    }

    pub fn join(&self, now: Duration) -> Join {
        Join {
            game: self.id,
            match_type: self.match_type,
            komi: self.komi,
            start: (!self.moves.is_empty()).then(|| Snapshot {
                seats: self.seats(|player| self.clocks[player].setting()),
                board: words::diagram(&self.start),
            }),
            moves: self.moves.clone(),
            state: self.snapshot(now),
        }
    }

    /// The position before the last move, which the other player must not see yet.
    pub fn without_last(&self) -> Self {
        let mut before = self.clone();
        before.moves.pop();
        before.position = before
            .moves
            .iter()
            .fold(before.start, |position, played| position.play(played.mv.into()));
        before.withheld = false;
        before
    }

    pub fn update(&self, now: Duration) -> Option<Update> {
        Some(Update {
            game: self.id,
            match_type: self.match_type,
            komi: self.komi,
            ply: self.moves.len() as u32,
            played: *self.moves.last()?,
            state: self.snapshot(now),
        })
    }

    /// Takes the last move back.
    pub fn take_back(&mut self, now: Duration) {
        self.moves.pop();
        self.position = self
            .moves
            .iter()
            .fold(self.start, |position, played| position.play(played.mv.into()));
        self.undo = [false; 2];
        self.since = now;
    }
}
