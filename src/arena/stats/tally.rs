//! Counts of results.

use super::Sample;

/// How a game ended for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side lost.
    Loss,
    /// Neither won.
    Draw,
    /// The side won.
    Win,
}

impl Outcome {
    /// From a final disc difference, seen by the side.
    pub fn of_discs(difference: i32) -> Self {
        match difference {
            0 => Self::Draw,
            1.. => Self::Win,
            _ => Self::Loss,
        }
    }

    /// Half points: 0, 1, 2.
    pub fn half_points(self) -> usize {
        self as usize
    }

    /// The same game seen from the other side.
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Results of one side against another, in games and in pairs of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by half points of the two games: 0, 1, 2, 3, 4 (the pentanomial).
    pub pairs: [u64; 5],
    /// Of `pairs[2]` those with two draws; the rest are a win and a loss.
    pub double_draws: u64,
}

impl Tally {
    /// Adds the two games of a pair.
    pub fn add(&mut self, pair: [Outcome; 2]) {
        for outcome in pair {
            match outcome {
                Outcome::Win => self.wins += 1,
                Outcome::Draw => self.draws += 1,
                Outcome::Loss => self.losses += 1,
            }
        }
        self.pairs[pair[0].half_points() + pair[1].half_points()] += 1;
        self.double_draws += u64::from(pair == [Outcome::Draw; 2]);
    }

    /// Only wins, draws and losses, for games that were not played in pairs.
    pub fn of_games(wins: u64, draws: u64, losses: u64) -> Self {
        Self {
            wins,
            draws,
            losses,
            ..Self::default()
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points of the games: win 1, draw ½.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The pairs where there are any, else the games.
    pub fn sample(&self) -> Sample {
        if self.pairs == [0; 5] {
            Sample::games(self)
        } else {
            Sample::pairs(self.pairs)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Draw, Loss, Win};

    #[test]
    fn counts_games_and_pairs() {
        let mut tally = Tally::default();
        for pair in [
            [Win, Win],
            [Win, Loss],
            [Draw, Draw],
            [Loss, Draw],
            [Draw, Win],
            [Loss, Loss],
            [Loss, Win],
        ] {
            tally.add(pair);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (5, 4, 5));
        assert_eq!(tally.pairs, [1, 1, 3, 1, 1]);
        assert_eq!(tally.double_draws, 1);
        assert_eq!(tally.points(), 7.0);
        assert_eq!(Outcome::of_discs(-2), Loss);
        assert_eq!(Outcome::of_discs(2), Loss.reversed());
    }
}
