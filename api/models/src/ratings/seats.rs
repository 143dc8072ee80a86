//! The seats of rated games, in columns.

use std::ops::Range;

use super::skill::Skill;

/// The seats of all rated games of a kind, one game after another: 21 bytes for a seat, and 29 where volatilities change.
#[derive(Default)]
pub(super) struct Seats {
    players: Vec<u32>,
    places: Vec<u8>,
    values: Vec<f64>,
    deviations: Vec<f64>,
    /// Empty as long as all have that of a player without games.
    volatilities: Vec<f64>,
}

/// A registered player in a rated game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimelineSeat {
    /// The number of the player.
    pub player: u32,
    /// See [`RatedSeat`](super::game::RatedSeat).
    pub place: u8,
    /// The player's skill after the game.
    pub after: Skill,
}

impl Seats {
    /// None yet, with room for so many.
    pub fn with_capacity(len: usize) -> Self {
        let numbers = || Vec::with_capacity(len);
        Self {
            players: Vec::with_capacity(len),
            places: Vec::with_capacity(len),
            values: numbers(),
            deviations: numbers(),
            volatilities: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.players.len()
    }

    pub fn push(&mut self, TimelineSeat { player, place, after }: TimelineSeat) {
        let unchanged = Skill::default().volatility;
        let is_changed = after.volatility.to_bits() != unchanged.to_bits();
        if self.volatilities.is_empty() && is_changed {
            self.volatilities.reserve_exact(self.players.capacity());
            self.volatilities.resize(self.len(), unchanged);
        }
        if !self.volatilities.is_empty() || is_changed {
            self.volatilities.push(after.volatility);
        }
        self.players.push(player);
        self.places.push(place);
        self.values.push(after.value);
        self.deviations.push(after.deviation);
    }

    pub fn get(&self, index: usize) -> TimelineSeat {
        let volatility = self.volatilities.get(index).copied().unwrap_or(Skill::default().volatility);
        let after = Skill { value: self.values[index], deviation: self.deviations[index], volatility };
        TimelineSeat { player: self.players[index], place: self.places[index], after }
    }

    /// The numbers of the players in some seats.
    pub fn players(&self, seats: Range<usize>) -> &[u32] {
        &self.players[seats]
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = TimelineSeat> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Removes those from an index on.
    pub fn truncate(&mut self, len: usize) {
        self.players.truncate(len);
        self.places.truncate(len);
        self.values.truncate(len);
        self.deviations.truncate(len);
        self.volatilities.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_what_was_pushed_whether_volatilities_change_or_not() {
        let unchanged = Skill::default();
        let seat = |n: u32, volatility| {
            let after = Skill { value: f64::from(n), deviation: f64::from(n) / 3.0, volatility };
            TimelineSeat { player: n % 7, place: n as u8, after }
        };
        for changing_from in [0, 1, 50, 100] {
            let mut seats = Seats::with_capacity(100);
            let expected: Vec<_> = (0..100)
                .map(|n| seat(n, if n < changing_from { unchanged.volatility } else { 0.1 / f64::from(n + 1) }))
                .collect();
            for seat in &expected {
                seats.push(*seat);
            }
            assert_eq!(seats.iter().collect::<Vec<_>>(), expected);
            assert_eq!(seats.volatilities.is_empty(), changing_from == 100);
            seats.truncate(60);
            seats.push(expected[99]);
            assert_eq!((seats.len(), seats.get(59), seats.get(60)), (61, expected[59], expected[99]));
            assert_eq!(seats.players(58..60), [58 % 7, 59 % 7]);
        }
    }
}
