//! What statistics count of the analysis of a game.

use plybook_events::Hash;
use serde::{Deserialize, Serialize};

use super::ply::{Glyph, PlyAnalysis, accuracy};

/// How many plies of a game are counted for the chances by ply.
const PLIES: usize = 300;

/// The phases of a game: thirds of its actions.
pub const PHASES: usize = 3;

/// What statistics count of an analysis. Chances are in ten-thousandths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysisFigures {
    /// The last event of the game that it was made of.
    pub head: Hash,
    /// At each of the first plies: the chance of each seat, then that of a draw.
    pub chances: Vec<Vec<u16>>,
    /// Index 0 is seat 1.
    pub seats: Vec<SeatFigures>,
}

/// What is counted of a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatFigures {
    /// Its accuracy, from 0 to 100; `None` if it never had a choice.
    pub accuracy: Option<f64>,
    /// The opening, the middle and the end.
    pub phases: [PhaseFigures; PHASES],
}

/// What is counted of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseFigures {
    /// The actions where there was a choice.
    pub actions: u64,
    /// Those among them that are marked `?!`.
    pub dubious: u64,
    /// `?`
    pub mistakes: u64,
    /// `??`
    pub blunders: u64,
}

impl AnalysisFigures {
    /// What is counted of a complete analysis.
    pub fn of(head: Hash, plies: &[impl AsRef<PlyAnalysis>]) -> Self {
        let whole = |share: f64| (share * 1e4).round() as u16;
        let chances = plies.iter().take(PLIES).map(AsRef::as_ref).map(|ply| {
            let seats = ply.chances();
            seats.into_iter().chain([ply.draw()]).map(whole).collect()
        });
        let none = |accuracy| SeatFigures { accuracy, phases: Default::default() };
        let mut seats: Vec<SeatFigures> = accuracy(plies).into_iter().map(none).collect();
        let actions = plies.len().saturating_sub(1);
        for ply in plies.iter().map(AsRef::as_ref) {
            let Some(seat) = ply.seat.and_then(|seat| seats.get_mut(usize::from(seat) - 1)) else { continue };
            let phase = &mut seat.phases[(ply.ply * PHASES / actions.max(1)).min(PHASES - 1)];
            phase.actions += 1;
            match ply.glyph {
                Some(Glyph::Dubious) => phase.dubious += 1,
                Some(Glyph::Mistake) => phase.mistakes += 1,
                Some(Glyph::Blunder) => phase.blunders += 1,
                Some(Glyph::Brilliant) | None => {}
            }
        }
        Self { head, chances: chances.collect(), seats }
    }
}

impl PhaseFigures {
    /// Adds those of another game or seat.
    pub fn add(&mut self, other: Self) {
        self.actions += other.actions;
        self.dubious += other.dubious;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
    }
}
