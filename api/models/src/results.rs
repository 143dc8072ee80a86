//! Who won a game, and counts of games by who won.

/// Who won a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// As a number: 0 is open, 1 is drawn; otherwise the seats that won, shifted by two, plus 2.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Open => 0,
            Self::Drawn => 1,
            Self::Won(seats) => u32::from(seats) << 2 | 2,
        }
    }

    /// The result with this number; `None` if there is none.
    pub(super) fn from_number(number: u32) -> Option<Self> {
        match (number, number & 3) {
            (0, _) => Some(Self::Open),
            (1, _) => Some(Self::Drawn),
            (_, 2) => Some(Self::Won(u16::try_from(number >> 2).ok()?)),
            _ => None,
        }
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
                result.seats().for_each(|seat| add(&mut self.wins[usize::from(seat) - 1]));
            }
        }
    }

    /// Adds a game.
    pub fn add(&mut self, result: GameResult) {
        self.count(result, 1);
    }

    /// Removes a game that was added.
    pub(super) fn remove(&mut self, result: GameResult) {
        self.count(result, -1);
    }

    /// Adds games that were counted elsewhere.
    pub(super) fn add_all(&mut self, other: &Self) {
        if self.wins.len() < other.wins.len() {
            self.wins.resize(other.wins.len(), 0);
        }
        self.wins.iter_mut().zip(&other.wins).for_each(|(wins, more)| *wins += more);
        self.draws += other.draws;
        self.other += other.other;
    }
}
