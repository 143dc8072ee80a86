//! A column store of the rows of games, with zone maps.

use std::ops::{Range, RangeInclusive};

use plybook_events::LogId;
use plybook_rules::log::Status;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::rows::{By, Key, RUNNING, Row, rating_value};
use crate::results::GameResult;
use crate::snapshot::{ids, numbers};

/// The games in a zone; few in tests, so that there are several.
const ZONE: u32 = if cfg!(test) { 8 } else { 1024 };

/// The rows of games, by their numbers: 61 bytes a game. A question about one thing reads one column, and skips the zones that are
/// wholly inside a range or outside it. With dates, these are nearly all, as most games are recorded in the order they are played in.
#[derive(Default, Serialize, Deserialize)]
pub struct RowColumns {
    #[serde(with = "ids")]
    ids: Vec<LogId>,
    #[serde(with = "numbers")]
    played_ms: Vec<i64>,
    #[serde(with = "numbers")]
    created_ms: Vec<i64>,
    #[serde(with = "numbers")]
    finished_ms: Vec<i64>,
    #[serde(with = "numbers")]
    durations_ms: Vec<i64>,
    #[serde(with = "numbers")]
    plies: Vec<u32>,
    #[serde(with = "numbers")]
    ratings: Vec<f32>,
    results: Vec<GameResult>,
    statuses: Vec<Status>,
    /// Zone maps: the minimum and the maximum of what games are ordered by, for each zone. They only ever widen.
    zones: [Vec<(i64, i64)>; By::ALL.len()],
}

impl RowColumns {
    /// The number of games.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub(crate) fn push(&mut self, row: Row) {
        self.ids.push(row.id);
        self.played_ms.push(row.played_ms);
        self.created_ms.push(row.created_ms);
        self.finished_ms.push(row.finished_ms);
        self.durations_ms.push(row.duration_ms);
        self.plies.push(row.ply);
        self.ratings.push(row.rating);
        self.results.push(row.result);
        self.statuses.push(row.status);
        self.widen(self.len() as u32 - 1);
    }

    pub(crate) fn set(&mut self, number: u32, row: Row) {
        let at = number as usize;
        self.ids[at] = row.id;
        self.played_ms[at] = row.played_ms;
        self.created_ms[at] = row.created_ms;
        self.finished_ms[at] = row.finished_ms;
        self.durations_ms[at] = row.duration_ms;
        self.plies[at] = row.ply;
        self.ratings[at] = row.rating;
        self.results[at] = row.result;
        self.statuses[at] = row.status;
        self.widen(number);
    }

    /// Widens the zones of a game to hold what it is ordered by.
    fn widen(&mut self, number: u32) {
        let at = (number / ZONE) as usize;
        for by in By::ALL {
            let value = self.value(number, by);
            let zones = &mut self.zones[by as usize];
            match zones.get_mut(at) {
                Some((least, most)) => (*least, *most) = (value.min(*least), value.max(*most)),
                None => zones.push((value, value)),
            }
        }
    }

    /// The row of a game. Who asks for one thing of many games asks for that alone.
    pub fn get(&self, number: u32) -> Row {
        let at = number as usize;
        Row {
            id: self.ids[at],
            played_ms: self.played_ms[at],
            created_ms: self.created_ms[at],
            finished_ms: self.finished_ms[at],
            duration_ms: self.durations_ms[at],
            ply: self.plies[at],
            rating: self.ratings[at],
            result: self.results[at],
            status: self.statuses[at],
        }
    }

    /// The ids of all games, by number.
    pub fn ids(&self) -> &[LogId] {
        &self.ids
    }

    /// The id of a game.
    pub fn id(&self, number: u32) -> LogId {
        self.ids[number as usize]
    }

    /// When a game was played, in milliseconds since 1970.
    pub fn played_ms(&self, number: u32) -> i64 {
        self.played_ms[number as usize]
    }

    /// When a game was recorded here, in milliseconds since 1970.
    pub fn created_ms(&self, number: u32) -> i64 {
        self.created_ms[number as usize]
    }

    /// The time from a game's creation to its end, in milliseconds; `None` while it runs.
    pub fn duration_ms(&self, number: u32) -> Option<i64> {
        Some(self.durations_ms[number as usize]).filter(|millis| *millis != RUNNING)
    }

    /// The actions on a game's mainline.
    pub fn ply(&self, number: u32) -> u32 {
        self.plies[number as usize]
    }

    /// The mean rating of a game's players before it, of those who had one; `None` if it is not rated.
    pub fn rating(&self, number: u32) -> Option<f32> {
        Some(self.ratings[number as usize]).filter(|rating| !rating.is_nan())
    }

    /// Who won a game.
    pub fn result(&self, number: u32) -> GameResult {
        self.results[number as usize]
    }

    /// The status of a game.
    pub fn status(&self, number: u32) -> Status {
        self.statuses[number as usize]
    }

    /// The place of a game in an order.
    pub(super) fn key(&self, number: u32, by: By) -> Key {
        (self.value(number, by), u128::from_be_bytes(self.id(number).to_bytes()))
    }

    /// What a game is ordered by, as a number.
    #[inline]
    pub(super) fn value(&self, number: u32, by: By) -> i64 {
        let at = number as usize;
        match by {
            By::Created => self.created_ms[at],
            By::Played => self.played_ms[at],
            By::Finished => self.finished_ms[at],
            By::Ply => self.plies[at].into(),
            By::Rating => rating_value(self.ratings[at]),
        }
    }

    /// The games whose value is in a range.
    pub(super) fn within(&self, by: By, range: &RangeInclusive<i64>) -> RoaringBitmap {
        let of_times = |times: &[i64]| self.column_within(times, by, range, |time| time);
        match by {
            By::Created => of_times(&self.created_ms),
            By::Played => of_times(&self.played_ms),
            By::Finished => of_times(&self.finished_ms),
            By::Ply => self.column_within(&self.plies, by, range, i64::from),
            By::Rating => self.column_within(&self.ratings, by, range, rating_value),
        }
    }

    /// The games whose value is in a range, which goes with a column.
    fn column_within<T: Copy>(
        &self,
        column: &[T],
        by: By,
        range: &RangeInclusive<i64>,
        value: impl Fn(T) -> i64,
    ) -> RoaringBitmap {
        let (start, end) = (*range.start(), *range.end());
        // Both are compared, without a jump between them: that takes a third of the time.
        let bit = |of: T| u8::from(start <= value(of)) & u8::from(value(of) <= end);
        let mut bits: Vec<u8> = Vec::with_capacity(column.len().div_ceil(8));
        for (zone, of_zone) in (0..).zip(column.chunks(ZONE as usize)) {
            match self.zone_within(zone, by, range) {
                Some(is_all) if of_zone.len() == ZONE as usize => {
                    bits.resize(bits.len() + of_zone.len() / 8, if is_all { u8::MAX } else { 0 });
                }
                _ => {
                    let byte = |eight: &[T]| eight.iter().rev().fold(0, |byte, of| byte << 1 | bit(*of));
                    bits.extend(of_zone.chunks(8).map(byte));
                }
            }
        }
        RoaringBitmap::from_lsb0_bytes(0, &bits)
    }

    /// The numbers of the games in each zone.
    pub(super) fn zones(&self) -> impl DoubleEndedIterator<Item = Range<u32>> {
        let len = self.len() as u32;
        (0..len.div_ceil(ZONE)).map(move |zone| zone * ZONE..len.min((zone + 1) * ZONE))
    }

    /// Those of some games whose value is in a range.
    pub(super) fn some_within(&self, games: &RoaringBitmap, by: By, range: &RangeInclusive<i64>) -> RoaringBitmap {
        let (mut zone, mut of_zone) = (u32::MAX, None);
        let found = games.iter().filter(|number| {
            if number / ZONE != zone {
                zone = number / ZONE;
                of_zone = self.zone_within(zone, by, range);
            }
            of_zone.unwrap_or_else(|| range.contains(&self.value(*number, by)))
        });
        RoaringBitmap::from_sorted_iter(found).expect("they are sorted")
    }

    /// The zone map of the zone that begins with this game.
    pub(super) fn zone(&self, first: u32, by: By) -> (i64, i64) {
        self.zones[by as usize][(first / ZONE) as usize]
    }

    /// Whether a value in the zone that begins with this game can be in a range.
    pub(super) fn may_be_within(&self, first: u32, by: By, range: &RangeInclusive<i64>) -> bool {
        self.zone_within(first / ZONE, by, range) != Some(false)
    }

    /// Whether the values of all games in a zone are in a range, or those of none; `None` if each has to be looked at.
    fn zone_within(&self, zone: u32, by: By, range: &RangeInclusive<i64>) -> Option<bool> {
        let (least, most) = self.zone(zone * ZONE, by);
        if range.contains(&least) && range.contains(&most) {
            Some(true)
        } else if *range.start() > most || *range.end() < least {
            Some(false)
        } else {
            None
        }
    }
}
