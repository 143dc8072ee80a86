//! Who may act now.

use plybook_events::{Actor, SEATS_MAX};

/// A set of actors, in the order of seats, chance last; empty when the game is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Actors(u16);

impl Actors {
    /// Nobody: the game is over.
    pub const NONE: Self = Self(0);

    /// Chance alone.
    pub const CHANCE: Self = Self(1);

    /// One seat alone.
    pub fn seat(seat: u8) -> Self {
        Self::NONE.with(Actor::Seat(seat))
    }

    /// These, and one more.
    #[must_use]
    pub fn with(self, actor: Actor) -> Self {
        Self(self.0 | bit(actor))
    }

    /// These, without one.
    #[must_use]
    pub fn without(self, actor: Actor) -> Self {
        Self(self.0 & !bit(actor))
    }

    /// Whether this one may act.
    pub fn contains(self, actor: Actor) -> bool {
        self.0 & bit(actor) != 0
    }

    /// Whether nobody may act.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many may act.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The one that may act, where it is one.
    pub fn only(self) -> Option<Actor> {
        if self.len() == 1 { self.iter().next() } else { None }
    }

    /// Seats ascending, then chance.
    pub fn iter(self) -> impl Iterator<Item = Actor> {
        let seats = (1..=SEATS_MAX).map(Actor::Seat);
        seats.chain([Actor::Chance]).filter(move |actor| self.contains(*actor))
    }
}

/// Bit 0 is chance, bit N is seat N.
fn bit(actor: Actor) -> u16 {
    match actor {
        Actor::Chance => 1,
        Actor::Seat(seat) => {
            assert!((1..=SEATS_MAX).contains(&seat), "there is no seat {seat}");
            1 << seat
        }
    }
}

impl FromIterator<Actor> for Actors {
    fn from_iter<I: IntoIterator<Item = Actor>>(actors: I) -> Self {
        actors.into_iter().fold(Self::NONE, Self::with)
    }
}
