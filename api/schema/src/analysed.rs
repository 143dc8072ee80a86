//! What the engine says of many games.

use async_graphql::{Context, Object, SimpleObject};
use plybook_service::analysis::{AnalysisFigures, PHASES, PhaseFigures, SeatFigures};
use plybook_service::error::Problem;

use super::hold;

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

/// What the engine says of games, as far as their analyses are complete and not stale; see docs/statistics.md. Running
/// tournament games are left out. In a player's statistics, the play of the player's own seats is counted.
#[Object]
impl AnalysisStatistics {
    /// The number of games with such an analysis.
    async fn games(&self) -> u64 {
        self.games
    }

    /// The mean accuracy of all seats in these games, from 0 to 100; null if nobody had a choice.
    async fn accuracy(&self) -> Option<f64> {
        let add = |all: Mean, seat: &Mean| Mean { sum: all.sum + seat.sum, count: all.count + seat.count };
        self.accuracy.iter().fold(Mean::default(), add).rounded(1)
    }

    /// The mean accuracy of each seat; index 0 is seat 1.
    async fn accuracy_by_seat(&self) -> Vec<Option<f64>> {
        self.accuracy.iter().map(|mean| mean.rounded(1)).collect()
    }

    /// How the actions were marked in each third of the games, the first third first.
    async fn phases(&self) -> Vec<MarkedActions> {
        let marked = |of: &PhaseFigures| MarkedActions {
            actions: of.actions,
            dubious: of.dubious,
            mistakes: of.mistakes,
            blunders: of.blunders,
        };
        self.phases.iter().map(marked).collect()
    }

    /// The mean chances at the first 300 plies, from ply 0.
    async fn chances(&self, ctx: &Context<'_>) -> Result<&[MeanChances], Problem> {
        let seats = self.chances.first().map_or(0, |at| at.seats.len());
        hold(ctx, self.chances.len() * (ctx.field().selection_set().count() + seats))?;
        Ok(&self.chances)
    }
}

/// How the actions of a phase were marked.
#[derive(SimpleObject)]
struct MarkedActions {
    /// The actions where the seat had a choice.
    actions: u64,
    /// Those marked `?!`.
    dubious: u64,
    /// Those marked `?`.
    mistakes: u64,
    /// Those marked `??`.
    blunders: u64,
}

/// The mean chances of the seats at a ply.
#[Object]
impl MeanChances {
    /// The ply.
    async fn ply(&self) -> usize {
        self.ply
    }

    /// The number of games that came there.
    async fn games(&self) -> u64 {
        self.games
    }

    /// The mean chance of each seat to win, from 0 to 1; index 0 is seat 1.
    async fn chances(&self) -> Vec<f64> {
        self.seats.iter().filter_map(|mean| mean.rounded(4)).collect()
    }

    /// The mean chance of a draw, from 0 to 1.
    async fn draw(&self) -> f64 {
        self.draw.rounded(4).unwrap_or_default()
    }
}
