//! What the engine says of many games.

use std::sync::LazyLock;

use plybook_service::analysis::{AnalysisFigures, PHASES, PhaseFigures, SeatFigures};

use super::plain::{Members, Plain};

/// What the engine says of games, as far as their analyses are complete and not stale.
#[derive(Default)]
pub struct AnalysisStatistics {
    games: u64,
    /// Of each seat.
    accuracy: Vec<Mean>,
    phases: [PhaseFigures; PHASES],
    chances: Vec<MeanChances>,
}

/// The mean chances at a ply.
#[derive(Clone, Default)]
pub struct MeanChances {
    ply: usize,
    games: u64,
    seats: Vec<Mean>,
    draw: Mean,
}

/// A mean.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl AnalysisStatistics {
    /// Adds a game; `counts` says whether a seat, from 0, is one whose play is counted.
    pub(super) fn add(&mut self, game: &AnalysisFigures, counts: impl Fn(usize) -> bool) {
        self.games += 1;
        widen(&mut self.accuracy, game.seats.len());
        for (seat, SeatFigures { accuracy, phases }) in game.seats.iter().enumerate().filter(|(seat, _)| counts(*seat))
        {
            if let Some(accuracy) = accuracy {
                self.accuracy[seat].add(*accuracy);
            }
            self.phases.iter_mut().zip(phases).for_each(|(sum, phase)| sum.add(*phase));
        }
        widen(&mut self.chances, game.chances.len());
        for (ply, (sum, chances)) in self.chances.iter_mut().zip(&game.chances).enumerate() {
            let Some((draw, chances)) = chances.split_last() else { continue };
            sum.ply = ply;
            sum.games += 1;
            widen(&mut sum.seats, chances.len());
            sum.seats.iter_mut().zip(chances).for_each(|(sum, chance)| sum.add(f64::from(*chance) / 1e4));
            sum.draw.add(f64::from(*draw) / 1e4);
        }
    }

    /// The accuracy over all seats.
    fn accuracy(&self) -> Mean {
        let add = |all: Mean, seat: &Mean| Mean { sum: all.sum + seat.sum, count: all.count + seat.count };
        self.accuracy.iter().fold(Mean::default(), add)
    }
}

/// Makes a list at least so long.
fn widen<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    if list.len() < len {
        list.resize(len, T::default());
    }
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// With so many decimals; `None` of nothing.
    fn rounded(self, decimals: i32) -> Option<f64> {
        let scale = 10_f64.powi(decimals);
        (self.count > 0).then(|| (self.sum / f64::from(self.count) * scale).round() / scale)
    }
}

impl Plain for AnalysisStatistics {
    const NAME: &'static str = "AnalysisStatistics";
    const ABOUT: &'static str = "What the engine says of games, as far as their analyses are complete and not stale; see \
        docs/statistics.md. Running tournament games are left out. In a player's statistics, the play of the player's own \
        seats is counted.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<AnalysisStatistics>> = LazyLock::new(|| {
            Members::<AnalysisStatistics>::new()
                .value::<u64>("games", "The number of games with such an analysis.", |all, out| out.put(&all.games))
                .value::<Option<f64>>(
                    "accuracy",
                    "The mean accuracy of all seats in these games, from 0 to 100; null if nobody had a choice.",
                    |all, out| out.put(&all.accuracy().rounded(1)),
                )
                .value::<Vec<Option<f64>>>(
                    "accuracyBySeat",
                    "The mean accuracy of each seat; index 0 is seat 1.",
                    |all, out| out.put(&all.accuracy.iter().map(|mean| mean.rounded(1)).collect::<Vec<_>>()),
                )
                .objects(
                    "phases",
                    "How the actions were marked in each third of the games, the first third first.",
                    |all: &AnalysisStatistics| &all.phases,
                )
                .objects(
                    "chances",
                    "The mean chances at the first 300 plies, from ply 0.",
                    |all: &AnalysisStatistics| &all.chances,
                )
        });
        &MEMBERS
    }
}

impl Plain for PhaseFigures {
    const NAME: &'static str = "MarkedActions";
    const ABOUT: &'static str = "How the actions of a phase were marked.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<PhaseFigures>> = LazyLock::new(|| {
            Members::<PhaseFigures>::new()
                .value::<u64>("actions", "The actions where the seat had a choice.", |of, out| out.put(&of.actions))
                .value::<u64>("dubious", "Those marked `?!`.", |of, out| out.put(&of.dubious))
                .value::<u64>("mistakes", "Those marked `?`.", |of, out| out.put(&of.mistakes))
                .value::<u64>("blunders", "Those marked `??`.", |of, out| out.put(&of.blunders))
        });
        &MEMBERS
    }
}

impl Plain for MeanChances {
    const NAME: &'static str = "MeanChances";
    const ABOUT: &'static str = "The mean chances of the seats at a ply.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<MeanChances>> = LazyLock::new(|| {
            Members::<MeanChances>::new()
                .value::<usize>("ply", "The ply.", |at, out| out.put(&at.ply))
                .value::<u64>("games", "The number of games that came there.", |at, out| out.put(&at.games))
                .value::<Vec<f64>>(
                    "chances",
                    "The mean chance of each seat to win, from 0 to 1; index 0 is seat 1.",
                    |at, out| out.put(&at.seats.iter().filter_map(|mean| mean.rounded(4)).collect::<Vec<_>>()),
                )
                .value::<f64>("draw", "The mean chance of a draw, from 0 to 1.", |at, out| {
                    out.put(&at.draw.rounded(4).unwrap_or_default());
                })
        });
        &MEMBERS
    }
}
