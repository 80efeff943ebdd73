//! The report for people.

use super::super::stats::Interval;
use super::pairing::Range;
use super::{EngineReport, PairingReport, Report, SprtReport};
use std::fmt;

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, low, high } = *self;
        let interval = Interval { value, low, high };
        match interval.margin().is_finite() && value.is_finite() {
            true => write!(f, "{interval} [{low:+.2}, {high:+.2}]"),
            false => write!(f, "{interval} (all pairs alike)"),
        }
    }
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = self.bounds;
        writeln!(
            f,
            "SPRT       {} Elo {} against {}, alpha {}, beta {}, bounds [{low:.2}, {high:.2}]",
            self.model, self.elo0, self.elo1, self.alpha, self.beta
        )?;
        if let (Some(pairs), Some(llr)) = (self.stopped_at, self.stopped_llr) {
            writeln!(
                f,
                "  stopped at pair {pairs}: {} accepted, LLR {llr:+.2}",
                self.decision
            )?;
        }
        write!(f, "  final      LLR {:+.2}", self.final_llr)?;
        if self.stopped_at.is_none() {
            write!(f, ", undecided")?;
        }
        if self.held_back > 0 {
            write!(f, "; {} pairs wait for one scheduled before them", self.held_back)?;
        }
        writeln!(f)
    }
}

impl fmt::Display for PairingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.wins + self.draws + self.losses;
        write!(f, "{} against {}: ", self.first, self.second)?;
        let Some(score) = self.score else {
            return writeln!(f, "no games yet");
        };
        writeln!(
            f,
            "{} wins, {} draws, {} losses in {games} games, {:.2} %",
            self.wins,
            self.draws,
            self.losses,
            score * 100.0
        )?;
        let [p0, p1, p2, p3, p4] = self.pairs;
        writeln!(
            f,
            "Pairs      0: {p0}  ½: {p1}  1: {p2} ({} of two draws)  1½: {p3}  2: {p4}",
            self.double_draws
        )?;
        let sides = [self.with_black, self.with_white].map(|[w, d, l]| format!("{w}-{d}-{l}"));
        writeln!(f, "Colours    with Black {}, with White {}", sides[0], sides[1])?;
        for (label, range) in [
            ("Elo", self.elo),
            ("nElo", self.normalised_elo),
            ("Discs", self.discs),
        ] {
            if let Some(range) = range {
                writeln!(f, "{label:<10} {range}")?;
            }
        }
        if let Some(los) = self.los {
            writeln!(f, "LOS        {:.2} %", los * 100.0)?;
        }
        if self.solved > 0 || self.solved_otherwise > 0 {
            writeln!(
                f,
                "Solved     {} games ended by the solver; of those played on {} had another winner",
                self.solved, self.solved_otherwise
            )?;
        }
        if let Some(sprt) = &self.sprt {
            write!(f, "{sprt}")?;
        }
        Ok(())
    }
}

impl fmt::Display for EngineReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let identity = self
            .identity
            .as_deref()
            .map(|i| format!(" ({i})"))
            .unwrap_or_default();
        write!(f, "{}{identity}, {}: {} games", self.name, self.pace, self.games)?;
        let forfeits: Vec<_> = self
            .forfeits
            .iter()
            .map(|x| format!("{} {}", x.games, x.kind))
            .collect();
        match forfeits.is_empty() {
            true => writeln!(f, ", none forfeited")?,
            false => writeln!(f, ", forfeited: {}", forfeits.join(", "))?,
        }
        if let Some(t) = self.time {
            write!(
                f,
                "  ms a move: mean {:.3}, median {:.3}, 95 % {:.3}, 99 % {:.3}, most {:.3} ({} moves)",
                t.mean_ms, t.p50_ms, t.p95_ms, t.p99_ms, t.max_ms, t.moves
            )?;
            if let Some(left) = self.least_left_ms {
                write!(f, "; least left on the clock {left:.0} ms")?;
            }
            if let Some(nps) = self.nps {
                write!(f, "; {nps:.0} nodes/s")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Match of {} UTC, {} rules, seed {}: {} of {} pairs",
            self.started, self.rules, self.seed, self.pairs, self.pairs_planned
        )?;
        for pairing in &self.pairings {
            write!(f, "\n{pairing}")?;
        }
        writeln!(f)?;
        for engine in &self.engines {
            write!(f, "{engine}")?;
        }
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        Ok(())
    }
}
