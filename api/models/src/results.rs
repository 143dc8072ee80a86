//! Who won a game, and counts of games by who won.

use serde::{Deserialize, Serialize};

/// Who won a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// It has no outcome that counts, or all seats lost.
    #[default]
    Open,
    /// Nobody won.
    Drawn,
    /// These seats won: bit 0 is seat 1.
    Won(u16),
}

impl GameResult {
    /// The seats that won.
    pub(super) fn seats(self) -> impl Iterator<Item = u8> {
        let mut seats = if let Self::Won(seats) = self { seats } else { 0 };
        std::iter::from_fn(move || {
            let index = (seats > 0).then(|| seats.trailing_zeros() as u8)?;
            seats &= seats - 1;
            Some(index + 1)
        })
    }
}

/// Games counted by who won.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// By seat, seat 1 first: the games it won, alone or with others. Trailing zeros are omitted.
    pub wins: Vec<u32>,
    /// Games that nobody won.
    pub draws: u32,
    /// Games without an outcome that counts, and those that all seats lost.
    pub other: u32,
}

impl Results {
    /// Adds a game.
    pub fn add(&mut self, result: GameResult) {
        match result {
            GameResult::Open => self.other += 1,
            GameResult::Drawn => self.draws += 1,
            GameResult::Won(seats) => {
                let last = 16 - seats.leading_zeros() as usize;
                if self.wins.len() < last {
                    self.wins.resize(last, 0);
                }
                result.seats().for_each(|seat| self.wins[usize::from(seat) - 1] += 1);
            }
        }
    }
}
