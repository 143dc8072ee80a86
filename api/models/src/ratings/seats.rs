//! The seats of rated games, in columns.

use std::ops::Range;

use super::skill::Skill;

/// The seats of all rated games of a kind, one game after another: 13 bytes for a seat, and 17 where volatilities change.
///
/// Numbers are rounded to 24 binary digits, a tenth of a thousandth of a point. What comes later is rated from the rounded
/// ones, so that it does not depend on what is in memory.
#[derive(Default)]
pub(super) struct Seats {
    players: Vec<u32>,
    places: Vec<u8>,
    values: Vec<f32>,
    deviations: Vec<f32>,
    /// Empty as long as all have that of a player without games.
    volatilities: Vec<f32>,
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

/// The volatility of a player without games, rounded.
fn unchanged() -> f32 {
    Skill::default().volatility as f32
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
        let volatility = after.volatility as f32;
        let is_changed = volatility.to_bits() != unchanged().to_bits();
        if self.volatilities.is_empty() && is_changed {
            self.volatilities.reserve_exact(self.players.capacity());
            self.volatilities.resize(self.len(), unchanged());
        }
        if !self.volatilities.is_empty() || is_changed {
            self.volatilities.push(volatility);
        }
        self.players.push(player);
        self.places.push(place);
        self.values.push(after.value as f32);
        self.deviations.push(after.deviation as f32);
    }

    pub fn get(&self, index: usize) -> TimelineSeat {
        let volatility = self.volatilities.get(index).copied().unwrap_or_else(unchanged);
        let [value, deviation, volatility] = [self.values[index], self.deviations[index], volatility].map(f64::from);
        let after = Skill { value, deviation, volatility };
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
    fn a_seat_is_what_was_pushed_rounded_whether_volatilities_change_or_not() {
        let seat = |n: u32, volatility: f32| {
            let after = Skill { value: f64::from(n), deviation: f64::from(n) / 4.0, volatility: volatility.into() };
            TimelineSeat { player: n % 7, place: n as u8, after }
        };
        for changing_from in [0, 1, 50, 100] {
            let mut seats = Seats::with_capacity(100);
            let expected: Vec<_> =
                (0..100).map(|n| seat(n, if n < changing_from { unchanged() } else { 0.1 / (n + 1) as f32 })).collect();
            for seat in &expected {
                let value = seat.after.value * (1.0 + 1e-9);
                seats.push(TimelineSeat { after: Skill { value, ..seat.after }, ..*seat });
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
