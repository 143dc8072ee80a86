//! Query plans: a filter over the games of a kind, as intersections of bitmaps and ranges of columns.

use std::borrow::Cow;
use std::ops::{Bound, RangeInclusive};

use plybook_rules::log::Status;
use roaring::{MultiOps, RoaringBitmap};

use super::bitmaps::Bitmap;
use super::kind::KindGames;
use super::rows::{By, Key, RUNNING};
use super::terms::Term;

/// Conditions on the games of a kind; all of them must hold.
pub(crate) struct Query<'a> {
    /// The games that are asked for.
    pub(super) games: &'a KindGames,
    conditions: Vec<Condition<'a>>,
    /// Parts of orders in which all games are for which the conditions hold.
    extents: Vec<(By, RangeInclusive<i64>)>,
}

enum Condition<'a> {
    /// In one of these sets.
    In(Vec<&'a Bitmap>),
    /// In both sets of one of these pairs.
    InBoth(Vec<[&'a Bitmap; 2]>),
    /// Not in the first set, or in the second.
    NotIn(&'a Bitmap, Option<&'a Bitmap>),
    /// In this set.
    Among(Cow<'a, RoaringBitmap>),
    /// With a value in this range.
    Within(By, RangeInclusive<i64>),
}

impl<'a> Query<'a> {
    /// All games.
    pub fn new(games: &'a KindGames) -> Self {
        Self { games, conditions: Vec::new(), extents: Vec::new() }
    }

    /// Only games with a term.
    pub fn has(&mut self, term: Term) {
        self.has_any([term]);
    }

    /// Only games with one of these terms.
    pub fn has_any(&mut self, terms: impl IntoIterator<Item = Term>) {
        let sets = terms.into_iter().filter_map(|term| self.games.with(term));
        self.conditions.push(Condition::In(sets.collect()));
    }

    /// Only games with both terms of one of these pairs.
    pub fn has_both(&mut self, pairs: impl IntoIterator<Item = [Term; 2]>) {
        let sets = pairs.into_iter().filter_map(|[one, other]| Some([self.games.with(one)?, self.games.with(other)?]));
        self.conditions.push(Condition::InBoth(sets.collect()));
    }

    /// Only games without a term.
    pub fn lacks(&mut self, term: Term) {
        self.conditions.extend(self.games.with(term).map(|set| Condition::NotIn(set, None)));
    }

    /// Only games without a term, or with another.
    pub fn lacks_or_has(&mut self, term: Term, other: Term) {
        let unless = self.games.with(other);
        self.conditions.extend(self.games.with(term).map(|set| Condition::NotIn(set, unless)));
    }

    /// Only games of this set.
    pub fn is_among(&mut self, set: Cow<'a, RoaringBitmap>) {
        self.conditions.push(Condition::Among(set));
    }

    /// Only games with a value in this range.
    pub fn is_within(&mut self, by: By, range: RangeInclusive<i64>) {
        self.extents.push((by, range.clone()));
        if by == By::Played {
            // No game is played after it was created, but it may have been played long before.
            self.extents.push((By::Created, *range.start()..=i64::MAX));
        }
        self.conditions.push(Condition::Within(by, range));
    }

    /// Only games with this status.
    pub fn has_status(&mut self, status: Status) {
        self.has(Term::Status(status));
        // Games without an end are beside all others.
        match status {
            Status::Running => self.extents.push((By::Finished, RUNNING..=RUNNING)),
            Status::Finished => self.extents.push((By::Finished, RUNNING + 1..=i64::MAX)),
            Status::Void => {}
        }
    }

    /// Whether the conditions hold for a game.
    pub fn accepts(&self, number: u32) -> bool {
        self.conditions.iter().all(|condition| match condition {
            Condition::In(sets) => sets.iter().any(|set| set.contains(number)),
            Condition::InBoth(pairs) => pairs.iter().any(|pair| pair.iter().all(|set| set.contains(number))),
            Condition::NotIn(set, unless) => {
                !set.contains(number) || unless.is_some_and(|unless| unless.contains(number))
            }
            Condition::Among(set) => set.contains(number),
            Condition::Within(by, range) => range.contains(&self.games.rows().value(number, *by)),
        })
    }

    /// The part of an order in which all games are for which they hold.
    pub fn extent(&self, by: By) -> [Bound<Key>; 2] {
        let extent = self.extents.iter().find(|(of, _)| *of == by);
        let (from, to) = extent.map_or((Bound::Unbounded, Bound::Unbounded), |(_, range)| bounds(range));
        [from, to]
    }

    /// The games for which they hold, of all or of some.
    pub fn numbers(&self, among: Option<&RoaringBitmap>) -> RoaringBitmap {
        let mut found = RoaringBitmap::new();
        found.insert_range(0..self.games.rows().len() as u32);
        if let Some(among) = among {
            found &= among;
        }
        // What leaves the fewest games comes first, so that the others have less to do.
        let mut conditions: Vec<_> =
            self.conditions.iter().map(|condition| (self.most(condition), condition)).collect();
        conditions.sort_by_key(|(most, _)| *most);
        for (_, condition) in conditions {
            if found.is_empty() {
                break;
            }
            self.narrow(&mut found, condition);
        }
        found
    }

    /// The most games for which a condition can hold.
    fn most(&self, condition: &Condition<'_>) -> u64 {
        match condition {
            Condition::In(sets) => sets.iter().map(|set| set.len()).sum(),
            Condition::InBoth(pairs) => pairs.iter().map(|[one, other]| one.len().min(other.len())).sum(),
            Condition::NotIn(..) | Condition::Within(..) => self.games.rows().len() as u64,
            Condition::Among(set) => set.len(),
        }
    }

    /// Removes the games for which a condition does not hold.
    fn narrow(&self, found: &mut RoaringBitmap, condition: &Condition<'_>) {
        match condition {
            Condition::In(sets) => match sets.as_slice() {
                [] => found.clear(),
                [set] => *found &= &*set.set(),
                // Each is narrowed first: a few games are found in large sets without reading those.
                sets => *found = sets.iter().map(|set| &*found & &*set.set()).union(),
            },
            Condition::InBoth(pairs) => {
                *found = pairs.iter().map(|[one, other]| &*found & &*one.set() & &*other.set()).union();
            }
            Condition::NotIn(set, None) => *found -= &*set.set(),
            Condition::NotIn(set, Some(unless)) => *found -= &*set.set() - &*unless.set(),
            Condition::Among(set) => *found &= &**set,
            // Looking at one game takes longer than passing one in the column.
            Condition::Within(by, range) if found.len() * 4 < self.games.rows().len() as u64 => {
                *found = self.games.rows().some_within(found, *by, range);
            }
            Condition::Within(by, range) => *found &= self.games.rows().within(*by, range),
        }
    }
}

/// The keys of the values in a range.
fn bounds(range: &RangeInclusive<i64>) -> (Bound<Key>, Bound<Key>) {
    (Bound::Included((*range.start(), 0)), Bound::Included((*range.end(), u128::MAX)))
}
