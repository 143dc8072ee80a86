//! Who may act.

use plybook_events::{Actor, SEATS_MAX};
use serde::{Deserialize, Serialize};

/// A set of actors, iterated with seats ascending and chance last; empty when the game is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Actors(u16);

impl Actors {
    /// Nobody: the game is over.
    pub const NONE: Self = Self(0);

    /// Only chance.
    pub const CHANCE: Self = Self(1);

    /// Only this seat.
    pub fn seat(seat: u8) -> Self {
        Self::NONE.with(Actor::Seat(seat))
    }

    /// This set with one more actor.
    #[must_use]
    pub fn with(self, actor: Actor) -> Self {
        Self(self.0 | bit(actor))
    }

    /// This set without an actor.
    #[must_use]
    pub fn without(self, actor: Actor) -> Self {
        Self(self.0 & !bit(actor))
    }

    /// Whether the actor may act.
    pub fn contains(self, actor: Actor) -> bool {
        self.0 & bit(actor) != 0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of actors.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The only actor in the set; `None` if there are several or none.
    pub fn only(self) -> Option<Actor> {
        if self.len() == 1 { self.iter().next() } else { None }
    }

    /// The actors: seats ascending, then chance.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Actor> {
        // Chance moves to the highest bit, and seat N to bit N - 1.
        let mut left = self.0.rotate_right(1);
        std::iter::from_fn(move || {
            let number = left.trailing_zeros() as u8;
            left &= left.checked_sub(1)?;
            Some(if u32::from(number) == u16::BITS - 1 { Actor::Chance } else { Actor::Seat(number + 1) })
        })
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
