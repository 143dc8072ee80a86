//! What a search found.

use super::chances::{Chances, Sum, Winners};

/// How a game ends if all play as well as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub(super) winners: Winners,
    /// After how many actions, where the winner hurries and the others delay.
    pub plies: u16,
}

impl Proof {
    /// Whether the seat wins, and no other.
    pub fn wins(self, seat: u8) -> bool {
        self.winners == 1 << (seat - 1)
    }

    /// Whether the seat is among the winners.
    pub(super) fn shares(self, seat: u8) -> bool {
        self.winners >> (seat - 1) & 1 == 1
    }

    /// Whether it is a draw.
    pub fn is_draw(self) -> bool {
        self.winners == 0
    }

    /// The same seen one action earlier.
    pub(super) fn earlier(self) -> Self {
        Self { plies: self.plies.saturating_add(1), ..self }
    }

    /// The only winner; `None` in a draw, or if several seats win.
    pub fn winner(self) -> Option<u8> {
        self.winners.is_power_of_two().then(|| self.winners.trailing_zeros() as u8 + 1)
    }
}

/// What was found about one action.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The action, in canonical notation.
    pub action: String,
    /// How many playouts went through it.
    pub playouts: u32,
    /// What follows from it; `None` if that is not proved.
    pub proof: Option<Proof>,
    /// The actions that are likely to follow.
    pub line: Vec<String>,
    pub(super) sum: Sum,
    /// Its chances before any playout.
    pub(super) first: Chances,
    /// The sharpness of its chances, in percent.
    pub(super) sharpness: u32,
}

impl Finding {
    /// The chances of the seats after this action.
    pub fn chances(&self) -> Chances {
        self.raw_chances().sharpened(self.sharpness)
    }

    /// The same before calibration.
    pub fn raw_chances(&self) -> Chances {
        self.sum.mean().unwrap_or(self.first)
    }
}

/// What a search found for one actor: all actions that were looked at, best first.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The actions; never empty.
    pub actions: Vec<Finding>,
    /// The number of playouts.
    pub playouts: u32,
    /// What follows with best play; `None` if that is not proved.
    pub proof: Option<Proof>,
}

impl Findings {
    /// Adds what another search of the same position found.
    pub fn join(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.proof = self.proof.or(other.proof);
        for found in other.actions {
            match self.actions.iter_mut().find(|own| own.action == found.action) {
                Some(own) => {
                    if found.playouts > own.playouts {
                        own.line = found.line;
                    }
                    own.playouts += found.playouts;
                    own.proof = own.proof.or(found.proof);
                    own.sum.join(&found.sum);
                }
                None => self.actions.push(found),
            }
        }
    }

    /// Puts the best action of a seat first: the quickest win, then what was tried most, and the slowest loss last.
    pub fn sort(&mut self, seat: u8) {
        let rank = |found: &Finding| {
            let proved = found.proof.map_or(0, |proof| {
                let plies = i32::from(proof.plies);
                if proof.wins(seat) {
                    i32::MAX - plies
                } else if proof.shares(seat) || proof.is_draw() {
                    0
                } else {
                    i32::MIN + plies
                }
            });
            (proved, found.playouts, found.raw_chances().expected(seat))
        };
        self.actions.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.action.cmp(&b.action)));
    }

    /// The best action.
    pub fn best(&self) -> &Finding {
        &self.actions[0]
    }

    /// The chances of the seats with the best action, or what is proved.
    pub fn chances(&self) -> Chances {
        self.proved().unwrap_or_else(|| self.best().chances())
    }

    /// The same before calibration.
    pub fn raw_chances(&self) -> Chances {
        self.proved().unwrap_or_else(|| self.best().raw_chances())
    }

    fn proved(&self) -> Option<Chances> {
        self.proof.map(|proof| Chances::of_winners(self.best().raw_chances().teams(), proof.winners))
    }
}
