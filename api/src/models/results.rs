//! Games counted by who won.

use super::rows::Result as GameResult;

/// Games counted by who won.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// By seat, seat 1 first: games it won, alone or with others. As many as are needed.
    pub wins: Vec<u32>,
    /// Games that nobody won.
    pub draws: u32,
    /// Games without an outcome that counts.
    pub other: u32,
}

impl Results {
    fn count(&mut self, result: GameResult, by: i32) {
        let add = |to: &mut u32| *to = to.wrapping_add_signed(by);
        match result {
            GameResult::Open => add(&mut self.other),
            GameResult::Drawn => add(&mut self.draws),
            GameResult::Won(seats) => {
                let last = 16 - seats.leading_zeros() as usize;
                if self.wins.len() < last {
                    self.wins.resize(last, 0);
                }
                let won = self.wins.iter_mut().enumerate().filter(|(seat, _)| seats & 1 << seat != 0);
                won.for_each(|(_, wins)| add(wins));
            }
        }
    }

    /// Counts one more game.
    pub fn add(&mut self, result: GameResult) {
        self.count(result, 1);
    }

    /// Counts one game less.
    pub(super) fn remove(&mut self, result: GameResult) {
        self.count(result, -1);
    }
}
