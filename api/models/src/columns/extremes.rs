//! Minima and maxima of each game, with zone maps.

use serde::{Deserialize, Serialize};

use crate::snapshot::numbers;

/// How many games a zone has; few in tests, so that there are several.
const ZONE: usize = if cfg!(test) { 8 } else { 256 };

/// As many numbers of each game, in turn the minimum and the maximum of something, by the game's number; and of each zone of
/// consecutive games the least minima and the greatest maxima, which only ever widen.
#[derive(Default, Serialize, Deserialize)]
pub struct Extremes {
    /// How many numbers each game has.
    width: usize,
    #[serde(with = "numbers")]
    games: Vec<i16>,
    #[serde(with = "numbers")]
    zones: Vec<i16>,
}

impl Extremes {
    /// Sets the numbers of a game, as many as of each before.
    pub fn set(&mut self, number: u32, extremes: &[i16]) {
        let Self { width, games, zones } = self;
        if *width == 0 {
            *width = extremes.len();
        }
        if extremes.is_empty() {
            return;
        }
        assert_eq!(extremes.len(), *width, "all games have as many numbers");
        let (at, zone) = (number as usize * *width, number as usize / ZONE * *width);
        games.resize(games.len().max(at + *width), 0);
        games[at..][..*width].copy_from_slice(extremes);
        if zones.len() < zone + *width {
            zones.extend([i16::MAX, i16::MIN].into_iter().cycle().take(zone + *width - zones.len()));
        }
        for (index, (of_zone, extreme)) in zones[zone..].iter_mut().zip(extremes).enumerate() {
            *of_zone = if index.is_multiple_of(2) { (*of_zone).min(*extreme) } else { (*of_zone).max(*extreme) };
        }
    }

    /// The numbers of a game; none if none were set of it or of a later one.
    pub fn get(&self, number: u32) -> Option<&[i16]> {
        self.games.get(number as usize * self.width..)?.get(..self.width).filter(|extremes| !extremes.is_empty())
    }

    /// Those of the zone that a game is in, which hold for each game in it.
    pub fn zone(&self, number: u32) -> Option<&[i16]> {
        self.zones.get(number as usize / ZONE * self.width..)?.get(..self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_holds_what_its_games_have() {
        let mut extremes = Extremes::default();
        assert_eq!(extremes.get(0), None);
        let of = |number: u32| [number as i16 % 13, number as i16 % 17 + 20];
        for number in (0..60).rev().filter(|number| number % 3 > 0) {
            extremes.set(number, &of(number));
        }
        for number in (0..60).filter(|number| number % 3 > 0) {
            assert_eq!(extremes.get(number), Some(&of(number)[..]));
            let zone = extremes.zone(number).unwrap();
            assert!(zone[0] <= of(number)[0] && zone[1] >= of(number)[1]);
        }
        assert_eq!(extremes.zone(1), Some(&[1, 27][..]));
        assert_eq!((extremes.get(60), extremes.zone(64)), (None, None));
    }
}
