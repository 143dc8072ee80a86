//! The games of one kind: by number, by what they have in common, and in order.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::{Bound, ControlFlow, RangeBounds, RangeInclusive};
use std::sync::OnceLock;

use plybook_events::{LogId, SEATS_MAX, Timestamp};
use plybook_rules::log::Status;
use plybook_store::TableError;
use roaring::RoaringBitmap;

use super::ordered::Ordered;
use super::row_columns::RowColumns;
use super::rows::{By, Key, Row};
use super::sets::{Numbers, Sets};
use super::summary::Summary;
use super::terms::Term;
use crate::blocks::{BlockReader, BlockWriter};
use crate::columns::{Column, Distribution, Scan};
use crate::results::Results;

/// The most rows in a block; few in tests, so that they have several.
const BLOCK_ROWS: usize = if cfg!(test) { 8 } else { 1 << 16 };

/// The games of one kind. A game's number is its index among them, in the order in which the journal begins them: it never
/// changes, and is the same after every rebuild.
pub struct KindGames {
    /// The kind.
    pub(crate) name: String,
    rows: RowColumns,
    /// By game: how many events of its log its summary has applied.
    events: Vec<u32>,
    sets: Sets,
    orders: [Ordered; By::ALL.len()],
    /// The reasons for which games have ended.
    reasons: BTreeSet<Box<str>>,
    /// The games that were played in each month.
    months: BTreeMap<Month, RoaringBitmap>,
    /// The games that count in statistics, whose sums are kept: those that are no lines, not void, and recorded.
    summed: RoaringBitmap,
    plies: Column,
    /// Of all games that count, until a game changes.
    durations_ms: OnceLock<Distribution>,
    ends: Ends,
    /// How often a row has changed.
    changes: u64,
}

/// The milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

/// A month, UTC, as `YYYY-MM`.
type Month = [u8; 7];

/// How all games that count have ended, until terms of a game change.
#[derive(Default)]
struct Ends {
    results: OnceLock<Results>,
    /// The number of games for each of the reasons, in their order.
    reasons: OnceLock<Vec<u64>>,
}

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
            sets: Sets::default(),
            orders: By::ALL.map(Ordered::new),
            reasons: BTreeSet::new(),
            months: BTreeMap::new(),
            summed: RoaringBitmap::new(),
            plies: Column::default(),
            durations_ms: OnceLock::new(),
            ends: Ends::default(),
            changes: 0,
        }
    }

    /// Writes the games in blocks.
    pub(super) fn write(&self, to: &mut BlockWriter) -> io::Result<()> {
        to.push(self.name.as_bytes())?;
        to.push(&(self.rows.len() as u32).to_be_bytes())?;
        let mut numbers = 0..;
        for events in self.events.chunks(BLOCK_ROWS) {
            let rows = events.iter().zip(&mut numbers).map(|(events, number)| self.rows.get(number).to_bytes(*events));
            to.push(rows.collect::<Vec<[u8; 64]>>().as_flattened())?;
        }
        for order in &self.orders {
            let numbers: Vec<[u8; 4]> = order.all().map(u32::to_be_bytes).collect();
            to.push(numbers.as_flattened())?;
        }
        // Others are left from ends that were corrected.
        to.push_list(self.reasons.iter().filter(|reason| self.with(Term::reason(reason)).is_some()))?;
        self.sets.write(to)
    }

    /// Reads what was written.
    pub(super) fn read(from: &mut BlockReader<'_>) -> Result<Self, TableError> {
        let name = from.read(|name| Some(str::from_utf8(name).ok()?.to_owned()))?;
        let len = from.read(|len| Some(u32::from_be_bytes(len.try_into().ok()?)))?;
        let (mut rows, mut events) = (RowColumns::with_capacity(len as usize), Vec::with_capacity(len as usize));
        while rows.len() < len as usize {
            from.read(|block| {
                let (block, rest) = block.as_chunks();
                for row in block {
                    let (row, of_log) = Row::from_bytes(row)?;
                    rows.push(row);
                    events.push(of_log);
                }
                (rest.is_empty() && !block.is_empty() && rows.len() <= len as usize).then_some(())
            })?;
        }
        let mut orders = By::ALL.map(Ordered::new);
        for (order, by) in orders.iter_mut().zip(By::ALL) {
            *order = from.read(|numbers| {
                let numbers: Vec<u32> =
                    numbers.as_chunks().0.iter().map(|number| u32::from_be_bytes(*number)).collect();
                numbers.iter().all(|number| *number < len).then(|| Ordered::of(by, &numbers))
            })?;
        }
        let mut reasons = BTreeSet::new();
        from.read_list(|reason| {
            reasons.insert(reason);
        })?;
        let mut games = Self { rows, events, sets: Sets::read(from, len)?, orders, reasons, ..Self::new(&name) };
        games.enter_all_columns();
        Ok(games)
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

    /// Enters a game that was added into sets and orders.
    pub(super) fn enter(&mut self, number: u32, game: &Summary) {
        for term in game.lasting_terms().into_iter().chain(game.changing_terms()) {
            self.sets.insert(term, number);
        }
        self.rows.set(number, Row::of(game));
        self.changes += 1;
        for by in By::ALL {
            self.order(by, number);
        }
        self.note_reason(game);
        self.enter_columns(number);
    }

    /// Enters what the row of a game says into its month and into columns.
    fn enter_columns(&mut self, number: u32) {
        self.months.entry(month(self.rows.played_ms(number))).or_default().insert(number);
        self.sum(number);
    }

    /// Does the same for all games, once.
    fn enter_all_columns(&mut self) {
        let Self { rows, months, .. } = self;
        let len = rows.len() as u32;
        // The games of a day are mostly next to each other.
        let day = |number: u32| rows.played_ms(number).div_euclid(DAY_MS);
        let mut first = 0;
        while first < len {
            let end = (first + 1..len).find(|number| day(*number) != day(first)).unwrap_or(len);
            months.entry(month(rows.played_ms(first))).or_default().insert_range(first..end);
            first = end;
        }
        let mut summed = RoaringBitmap::new();
        summed.insert_range(0..len);
        for uncounted in [Term::Line, Term::Status(Status::Void), Term::Unrecorded] {
            if let Some(games) = self.with(uncounted) {
                summed -= &*games.set();
            }
        }
        self.plies = Column::of((0..len).map(|number| self.rows.ply(number).into()), &summed);
        self.summed = summed;
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
            self.ends = Ends::default();
        }
        let mut row = Row::of(game);
        row.set_rating(self.rows.rating(number));
        self.set(number, row);
        if is_recounted {
            self.sum(number);
        }
    }

    /// Notes the mean rating of a game's players, which is known later than everything else.
    pub(super) fn set_rating(&mut self, number: u32, rating: Option<f32>) {
        let mut row = self.rows.get(number);
        row.set_rating(rating);
        self.set(number, row);
    }

    fn note_reason(&mut self, game: &Summary) {
        if let Some(outcome) = game.standing.outcome().filter(|outcome| !self.reasons.contains(&*outcome.reason)) {
            self.reasons.insert(outcome.reason.as_str().into());
        }
    }

    fn set(&mut self, number: u32, row: Row) {
        let old = self.rows.get(number);
        let has_moved = |by: &By| old.value(*by) != row.value(*by);
        for by in By::ALL.into_iter().filter(has_moved) {
            self.orders[by as usize].remove(number, &self.rows);
        }
        self.rows.set(number, row);
        self.changes += 1;
        for by in By::ALL.into_iter().filter(has_moved) {
            self.order(by, number);
        }
        if (old.ply, old.duration_ms(), old.status) != (row.ply, row.duration_ms(), row.status) {
            self.sum(number);
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
        self.ends = Ends::default();
        if is_counted {
            self.summed.insert(number);
            self.plies.count(number);
        }
    }

    fn order(&mut self, by: By, number: u32) {
        // Games that are not rated have no place among the others.
        if by != By::Rating || self.rows.rating(number).is_some() {
            self.orders[by as usize].insert(number, &self.rows);
        }
    }

    /// What is known of the games, by number.
    pub fn rows(&self) -> &RowColumns {
        &self.rows
    }

    /// How often a row has changed; what was made of rows is right as long as this is the same.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// The games that count in statistics: those that are no lines, not void, and recorded.
    pub(crate) fn summed(&self) -> &RoaringBitmap {
        &self.summed
    }

    /// The games with a term; `None` if there are none.
    pub(crate) fn with(&self, term: Term) -> Option<&Numbers> {
        self.sets.get(term)
    }

    /// The games of a player, by seat.
    pub(super) fn seats_of(&self, player: LogId) -> impl Iterator<Item = &Numbers> {
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

    /// What is told of a set of games; that of all games that count is kept.
    fn kept<T: Clone>(&self, games: &RoaringBitmap, kept: &OnceLock<T>, of: impl FnOnce() -> T) -> T {
        if *games == self.summed { kept.get_or_init(of).clone() } else { of() }
    }

    /// The results of the games of a set.
    pub fn results(&self, games: &RoaringBitmap) -> Results {
        self.kept(games, &self.ends.results, || {
            let count = |term| self.count(games, term) as u32;
            let mut wins: Vec<u32> = (1..=SEATS_MAX).map(|seat| count(Term::Won(seat))).collect();
            wins.truncate(wins.iter().rposition(|wins| *wins > 0).map_or(0, |last| last + 1));
            Results { wins, draws: count(Term::Drawn), other: count(Term::Open) }
        })
    }

    /// The reasons for which games of a set have ended, with the number of games, in alphabetical order.
    pub fn reasons(&self, games: &RoaringBitmap) -> impl Iterator<Item = (&str, u64)> {
        let counts = || self.reasons.iter().map(|reason| self.count(games, Term::reason(reason))).collect();
        let counts: Vec<u64> = self.kept(games, &self.ends.reasons, counts);
        self.reasons.iter().map(|reason| &**reason).zip(counts).filter(|(_, count)| *count > 0)
    }

    /// The actions on the mainlines of the games of a set.
    pub fn plies(&self, games: &RoaringBitmap) -> Distribution {
        self.plies.distribution(&Scan::new(games.clone(), &self.summed))
    }

    /// The time from creation to end of the games of a set that are over, in milliseconds.
    pub fn durations_ms(&self, games: &RoaringBitmap) -> Distribution {
        self.kept(games, &self.durations_ms, || {
            let durations = games.iter().filter_map(|number| self.rows.duration_ms(number));
            Distribution::of(durations.map(|millis| millis as f64).collect())
        })
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

    /// The games in an order.
    pub(super) fn by(&self, by: By) -> &Ordered {
        &self.orders[by as usize]
    }

    /// The games of a set in a stretch of an order, with their keys, in the direction of the stretch.
    pub(super) fn stretch(&self, set: &RoaringBitmap, by: By, stretch: Stretch) -> Vec<(Key, u32)> {
        let Stretch { from, to, len, is_backwards } = stretch;
        let blocks = self.by(by).between(&self.rows, from, to);
        // Where many games match, the next ones are not far, unless the order has to do with the filter; where few do, it is
        // faster to look at those alone.
        let is_wide = set.len() * 8 >= self.rows.len() as u64;
        let steps = (set.len() as usize / 16).max(if is_wide { len.saturating_mul(8) } else { 0 });
        let walked = if is_backwards {
            walk(blocks.rev().flat_map(|block| block.iter().rev()), set, len, steps)
        } else {
            walk(blocks.flatten(), set, len, steps)
        };
        match walked {
            Some(found) => found.into_iter().map(|number| (self.rows.key(number, by), number)).collect(),
            None => self.select(set, by, stretch),
        }
    }

    /// Like [`stretch`](Self::stretch), from the games of the set alone.
    fn select(&self, set: &RoaringBitmap, by: By, stretch: Stretch) -> Vec<(Key, u32)> {
        let Stretch { mut from, mut to, len, is_backwards } = stretch;
        let direction = |one: &(Key, u32), other: &(Key, u32)| {
            if is_backwards { other.cmp(one) } else { one.cmp(other) }
        };
        let mut found: Vec<(Key, u32)> = Vec::new();
        // Most are refused by their zones or their values, and their ids are not read.
        let mut in_values = values(from, to);
        let mut zones = self.rows.zones();
        while let Some(zone) = if is_backwards { zones.next_back() } else { zones.next() } {
            if !self.rows.may_be_within(zone.start, by, &in_values) {
                continue;
            }
            for number in set.range(zone) {
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

/// The first of these games that are in a set, and no more than so many; `None` if that takes too many steps.
fn walk<'a>(
    mut games: impl Iterator<Item = &'a u32>,
    set: &RoaringBitmap,
    len: usize,
    mut steps: usize,
) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    let is_over = games.try_for_each(|number| {
        if found.len() == len {
            return ControlFlow::Break(true);
        }
        if steps == 0 {
            return ControlFlow::Break(false);
        }
        steps -= 1;
        if set.contains(*number) {
            found.push(*number);
        }
        ControlFlow::Continue(())
    });
    (is_over != ControlFlow::Break(false)).then_some(found)
}
