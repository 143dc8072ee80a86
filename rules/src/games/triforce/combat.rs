//! Combat over one stack: who may exchange for a sword or a shield, who rolls what, and who loses.

use super::notation::Roll;
use super::place::Place;
use super::stack::{Owner, Stack};

/// A combat: its territory, and what has been exchanged in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Combat {
    /// The territory that is fought over.
    pub(super) at: Place,
    /// The seat that exchanged for the sword in this combat.
    pub(super) sword: Option<u8>,
    /// The seat that exchanged for the shield in this combat.
    pub(super) shield: Option<u8>,
    /// Whom the shield of an earlier combat serves.
    pub(super) serves: Serves,
}

/// Whom a shield left in a stack serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Serves {
    /// The lowest seat.
    Lowest,
    /// The seat that exchanged for it, as long as it has a piece there; 0 if there is no shield.
    Owner(u8),
}

/// An exchange that a seat may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// The seat that may choose.
    pub(super) seat: u8,
    /// Which of its pieces it may exchange: bit N for index N from the bottom. Never empty.
    pub(super) pieces: u32,
}

/// The dice of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// Its own d12.
    Plain,
    /// Its own d12 and the black one.
    Sword,
    /// The clear d20.
    Shield,
}

impl Hand {
    /// The number of sides of the first die.
    pub(super) fn sides(self) -> u8 {
        match self {
            Self::Plain | Self::Sword => 12,
            Self::Shield => 20,
        }
    }

    /// The dice, by their names in a prompt.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Plain => &["d12"],
            Self::Sword => &["d12", "d12"],
            Self::Shield => &["d20"],
        }
    }

    /// The form of its dice in a roll, as a regular expression.
    pub(super) fn pattern(self) -> &'static str {
        match self {
            Self::Plain => "([1-9]|1[0-2])",
            Self::Sword => "([1-9]|1[0-2])\\+([1-9]|1[0-2])",
            Self::Shield => "([1-9]|1[0-9]|20)",
        }
    }

    /// Its rank in a tie: the lower one loses.
    fn rank(self) -> u8 {
        match self {
            Self::Shield => 0,
            Self::Plain => 1,
            Self::Sword => 2,
        }
    }
}

impl Combat {
    /// A combat in which nothing has been exchanged yet.
    pub(super) fn new(at: Place, serves: Serves) -> Self {
        Self { at, sword: None, shield: None, serves }
    }

    /// The seat that fights with the sword, if there is one in the stack.
    pub(super) fn sword_user(self, stack: Stack) -> Option<u8> {
        self.sword.or_else(|| stack.find(Owner::Sword).and_then(|_| stack.top_seat()))
    }

    /// The seat that fights with the shield, if there is one in the stack. A seat with both uses the sword.
    pub(super) fn shield_user(self, stack: Stack) -> Option<u8> {
        let left = || match self.serves {
            Serves::Lowest => stack.find(Owner::Shield).and_then(|_| stack.bottom_seat()),
            Serves::Owner(seat) => Some(seat).filter(|seat| stack.seats() & 1 << seat != 0),
        };
        self.shield.or_else(left).filter(|seat| self.sword_user(stack) != Some(*seat))
    }

    /// What each seat with a piece in the stack rolls, seats ascending.
    pub(super) fn hands(self, stack: Stack) -> impl Iterator<Item = (u8, Hand)> {
        let (seats, sword, shield) = (stack.seats(), self.sword_user(stack), self.shield_user(stack));
        (1..=6).filter(move |seat| seats & 1 << seat != 0).map(move |seat| {
            let hand = match Some(seat) {
                user if user == sword => Hand::Sword,
                user if user == shield => Hand::Shield,
                _ => Hand::Plain,
            };
            (seat, hand)
        })
    }

    /// The seats that lose, with what they fought with.
    pub(super) fn losers(self, stack: Stack, roll: &Roll) -> impl Iterator<Item = (u8, Hand)> {
        let result = |(seat, hand): (u8, Hand)| (roll.total(seat), hand.rank());
        let lowest = self.hands(stack).map(result).min();
        self.hands(stack).filter(move |rolled| lowest == Some(result(*rolled)))
    }
}

impl Offer {
    /// The exchange for a sword that the owner of the topmost piece may make, given the swords left by size.
    pub(super) fn of_sword(stack: Stack, combat: Combat, left: [u8; 3]) -> Option<Self> {
        let seat = stack.top_seat()?;
        let has_both_ends = stack.bottom_seat() == Some(seat) && stack.find(Owner::Shield).is_some();
        if stack.find(Owner::Sword).is_some() || has_both_ends || combat.serves == Serves::Owner(seat) {
            return None;
        }
        offer(stack, seat, left)
    }

    /// The exchange for a shield that the owner of the bottommost piece may make.
    pub(super) fn of_shield(stack: Stack, combat: Combat, left: [u8; 3]) -> Option<Self> {
        let seat = stack.bottom_seat()?;
        if stack.find(Owner::Shield).is_some() || combat.sword_user(stack) == Some(seat) {
            return None;
        }
        offer(stack, seat, left)
    }
}

/// A seat with at least two pieces may exchange those whose size is left.
fn offer(stack: Stack, seat: u8, left: [u8; 3]) -> Option<Offer> {
    if stack.count(Owner::Seat(seat)) < 2 {
        return None;
    }
    let fits = |index: &usize| {
        let piece = stack.get(*index);
        piece.seat() == Some(seat) && left[piece.size() as usize] > 0
    };
    let pieces = (0..stack.len()).filter(fits).fold(0, |pieces, index| pieces | 1 << index);
    (pieces != 0).then_some(Offer { seat, pieces })
}
