//! The catalogue of the games of one kind: rows in columns with zone maps, and bitmap indexes of terms.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::sync::OnceLock;

use plybook_events::{LogId, SEATS_MAX, Timestamp};
use plybook_rules::log::Status;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::bitmaps::{Bitmap, BitmapIndexes};
use super::row_columns::RowColumns;
use super::rows::{By, Key, Row};
use super::summary::Summary;
use super::terms::Term;
use crate::columns::{Column, Distribution, Scan};
use crate::results::Results;
use crate::snapshot::numbers;

/// Results of fewer games are added up one by one.
const FEW: u64 = 64;

/// The games of one kind. A game's number is its index among them, in the order in which the journal begins them: it never
/// changes, and is the same after every rebuild.
#[derive(Serialize, Deserialize)]
pub struct KindGames {
    /// The kind.
    pub(crate) name: String,
    rows: RowColumns,
    /// By game: how many events of its log its summary has applied.
    #[serde(with = "numbers")]
    events: Vec<u32>,
    sets: BitmapIndexes,
    /// The reasons for which games have ended.
    reasons: BTreeSet<Box<str>>,
    /// The games that were played in each month.
    months: BTreeMap<Month, RoaringBitmap>,
    /// The games that count in statistics, whose sums are kept: those that are no lines, not void, and recorded.
    summed: RoaringBitmap,
    plies: Column,
    /// Of all games that count, until a game changes.
    #[serde(skip)]
    durations_ms: OnceLock<Distribution>,
}

/// A month, UTC, as `YYYY-MM`.
type Month = [u8; 7];

/// A part of an order: the games between two keys, from one end or the other, and no more than so many.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    pub from: Bound<Key>,
    pub to: Bound<Key>,
    pub len: usize,
    pub is_backwards: bool,
}

impl KindGames {
    /// No games yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            rows: RowColumns::default(),
            events: Vec::new(),
            sets: BitmapIndexes::default(),
            reasons: BTreeSet::new(),
            months: BTreeMap::new(),
            summed: RoaringBitmap::new(),
            plies: Column::default(),
            durations_ms: OnceLock::new(),
        }
    }

    /// Adds a game, and returns its number. It is found once it has been [entered](Self::enter).
    pub(super) fn push(&mut self, game: &Summary) -> u32 {
        self.rows.push(Row::of(game));
        self.events.push(game.standing.events as u32);
        self.rows.len() as u32 - 1
    }

    /// How many events of a game's log its summary has applied.
    pub(super) fn events(&self, number: u32) -> u32 {
        self.events[number as usize]
    }

    /// Notes how many events of a game's log its summary has applied.
    pub(super) fn set_events(&mut self, number: u32, events: u32) {
        self.events[number as usize] = events;
    }

    /// Enters a game that was added into sets and columns.
    pub(super) fn enter(&mut self, number: u32, game: &Summary) {
        for term in game.lasting_terms().into_iter().chain(game.changing_terms()) {
            self.sets.insert(term, number);
        }
        self.rows.set(number, Row::of(game));
        self.note_reason(game);
        self.months.entry(month(self.rows.played_ms(number))).or_default().insert(number);
        self.sum(number);
    }

    /// Changes a game, whose [changing terms](Summary::changing_terms) were these.
    pub(super) fn update(&mut self, number: u32, before: &[Term], game: &Summary) {
        let now = game.changing_terms();
        let is_recounted = before.contains(&Term::Unrecorded) != now.contains(&Term::Unrecorded);
        if now != before {
            for term in before {
                self.sets.remove(*term, number);
            }
            for term in now {
                self.sets.insert(term, number);
            }
            self.note_reason(game);
        }
        let (old, mut row) = (self.rows.get(number), Row::of(game));
        row.set_rating(old.rating());
        self.rows.set(number, row);
        if is_recounted || (old.ply, old.duration_ms(), old.status) != (row.ply, row.duration_ms(), row.status) {
            self.sum(number);
        }
    }

    /// Notes the mean rating of a game's players, which is known later than everything else.
    pub(super) fn set_rating(&mut self, number: u32, rating: Option<f32>) {
        let mut row = self.rows.get(number);
        row.set_rating(rating);
        self.rows.set(number, row);
    }

    fn note_reason(&mut self, game: &Summary) {
        if let Some(outcome) = game.standing.outcome().filter(|outcome| !self.reasons.contains(&*outcome.reason)) {
            self.reasons.insert(outcome.reason.as_str().into());
        }
    }

    /// Notes in columns what the row of a game says, and whether it counts.
    fn sum(&mut self, number: u32) {
        if self.summed.remove(number) {
            self.plies.discount(number);
        }
        let is_out = [Term::Line, Term::Unrecorded].into_iter().any(|term| self.is(term, number));
        let is_counted = self.rows.status(number) != Status::Void && !is_out;
        self.plies.set(number, Some(self.rows.ply(number).into()));
        self.durations_ms.take();
        if is_counted {
            self.summed.insert(number);
            self.plies.count(number);
        }
    }

    /// What is known of the games, by number.
    pub fn rows(&self) -> &RowColumns {
        &self.rows
    }

    /// The games with a term; `None` if there are none.
    pub(crate) fn with(&self, term: Term) -> Option<&Bitmap> {
        self.sets.get(term)
    }

    /// The games of a player, by seat.
    pub(super) fn seats_of(&self, player: LogId) -> impl Iterator<Item = &Bitmap> {
        (1..=SEATS_MAX).filter_map(move |seat| self.with(Term::Seat(player, seat)))
    }

    /// Whether a player has a seat in a game.
    pub fn is_seated(&self, player: LogId, seat: u8, number: u32) -> bool {
        self.is(Term::Seat(player, seat), number)
    }

    /// Whether a game belongs to a tournament.
    pub fn is_of_tournament(&self, number: u32) -> bool {
        self.is(Term::OfTournament, number)
    }

    /// Whether a game has a term.
    fn is(&self, term: Term, number: u32) -> bool {
        self.with(term).is_some_and(|games| games.contains(number))
    }

    /// How many games of a set have a term.
    fn count(&self, games: &RoaringBitmap, term: Term) -> u64 {
        self.with(term).map_or(0, |with| with.among(games))
    }

    /// The results of the games of a set.
    pub fn results(&self, games: &RoaringBitmap) -> Results {
        if games.len() < FEW {
            let mut results = Results::default();
            games.iter().for_each(|number| results.add(self.rows.result(number)));
            return results;
        }
        let count = |term| self.count(games, term) as u32;
        let mut wins: Vec<u32> = (1..=SEATS_MAX).map(|seat| count(Term::Won(seat))).collect();
        wins.truncate(wins.iter().rposition(|wins| *wins > 0).map_or(0, |last| last + 1));
        Results { wins, draws: count(Term::Drawn), other: count(Term::Open) }
    }

    /// The reasons for which games of a set have ended, with the number of games, in alphabetical order.
    pub fn reasons(&self, games: &RoaringBitmap) -> impl Iterator<Item = (&str, u64)> {
        let counts = self.reasons.iter().map(|reason| (&**reason, self.count(games, Term::reason(reason))));
        counts.filter(|(_, count)| *count > 0)
    }

    /// The actions on the mainlines of the games of a set.
    pub fn plies(&self, games: &RoaringBitmap) -> Distribution {
        self.plies.distribution(&Scan::new(games.clone(), &self.summed))
    }

    /// The time from creation to end of the games of a set that are over, in milliseconds.
    pub fn durations_ms(&self, games: &RoaringBitmap) -> Distribution {
        let of = || {
            let durations = games.iter().filter_map(|number| self.rows.duration_ms(number));
            Distribution::of(durations.map(|millis| millis as f64).collect())
        };
        if *games == self.summed { self.durations_ms.get_or_init(of).clone() } else { of() }
    }

    /// The months in which games of a set were played, as `YYYY-MM`, with the number of games, ascending.
    pub fn months(&self, games: &RoaringBitmap) -> impl Iterator<Item = (&str, u64)> {
        let name = |month| str::from_utf8(month).expect("digits and a hyphen");
        let counts = self.months.iter().map(move |(month, of)| (name(month), of.intersection_len(games)));
        counts.filter(|(_, count)| *count > 0)
    }

    /// The player in a seat of a game. Looks at all sets.
    pub(super) fn sitter(&self, number: u32, seat: u8) -> Option<LogId> {
        self.sets.all().find_map(|(term, games)| match term {
            Term::Seat(player, of) if *of == seat && games.contains(number) => Some(*player),
            _ => None,
        })
    }

    /// Whether any game of a set is between two keys of an order.
    pub(super) fn has_between(&self, set: &RoaringBitmap, by: By, from: Bound<Key>, to: Bound<Key>) -> bool {
        let in_values = values(from, to);
        let mut zones = self.rows.zones().filter(|zone| self.rows.may_be_within(zone.start, by, &in_values));
        zones.any(|zone| set.range(zone).any(|number| (from, to).contains(&self.rows.key(number, by))))
    }

    /// The games of a set in a stretch of an order, with their keys, in the direction of the stretch. Zones are looked at in that
    /// direction, so that most are refused by their zone maps once enough games are found.
    pub(super) fn stretch(&self, set: &RoaringBitmap, by: By, stretch: Stretch) -> Vec<(Key, u32)> {
        let Stretch { mut from, mut to, len, is_backwards } = stretch;
        let direction = |one: &(Key, u32), other: &(Key, u32)| {
            if is_backwards { other.cmp(one) } else { one.cmp(other) }
        };
        let mut found: Vec<(Key, u32)> = Vec::new();
        let mut in_values = values(from, to);
        let mut zones: Vec<_> =
            self.rows.zones().filter(|zone| self.rows.may_be_within(zone.start, by, &in_values)).collect();
        zones.sort_by_cached_key(|zone| {
            let (least, most) = self.rows.zone(zone.start, by);
            if is_backwards { (most.saturating_neg(), u32::MAX - zone.start) } else { (least, zone.start) }
        });
        for zone in zones {
            if !self.rows.may_be_within(zone.start, by, &in_values) {
                continue;
            }
            for number in set.range(zone) {
                // Most are refused by their values, and their ids are not read.
                if !in_values.contains(&self.rows.value(number, by)) {
                    continue;
                }
                let game = (self.rows.key(number, by), number);
                if !(from, to).contains(&game.0) {
                    continue;
                }
                found.push(game);
                // Now and then, those that come too late are dropped.
                if found.len() > len.saturating_mul(2).saturating_add(64) {
                    found.select_nth_unstable_by(len, direction);
                    found.truncate(len);
                    if let Some((last, _)) = found.iter().copied().max_by(direction) {
                        *if is_backwards { &mut from } else { &mut to } = Bound::Included(last);
                        in_values = values(from, to);
                    }
                }
            }
        }
        found.sort_unstable_by(direction);
        found.truncate(len);
        found
    }
}

#[cfg(test)]
impl KindGames {
    /// The games that count in statistics.
    pub(crate) fn summed(&self) -> &RoaringBitmap {
        &self.summed
    }

    /// Sets the row of a game, or adds it, with no terms but those of its result.
    pub(crate) fn set_row(&mut self, number: u32, row: Row) {
        if number as usize == self.rows.len() {
            self.rows.push(row);
        }
        for term in Term::of_result(self.rows.result(number)) {
            self.sets.remove(term, number);
        }
        self.rows.set(number, row);
        for term in Term::of_result(row.result) {
            self.sets.insert(term, number);
        }
    }
}

/// The values that keys between two others can have.
fn values(from: Bound<Key>, to: Bound<Key>) -> RangeInclusive<i64> {
    let value = |bound, unbounded| match bound {
        Bound::Included((value, _)) | Bound::Excluded((value, _)) => value,
        Bound::Unbounded => unbounded,
    };
    value(from, i64::MIN)..=value(to, i64::MAX)
}

/// The month of a time.
fn month(played_ms: i64) -> Month {
    *Timestamp::from_millis(played_ms).expect("rows are dated").to_text().first_chunk().expect("it is longer")
}
