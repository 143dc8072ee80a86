//! Result sets: the games that a filter accepts, counted, and in pages (keyset pagination).

use std::ops::Bound;
use std::sync::Arc;

use plybook_events::LogId;
use roaring::RoaringBitmap;

use super::games::KnownGames;
use super::kind::Stretch;
use super::order::{Order, OrderKey};
use super::query::Query;
use super::rows::Key;
use super::summary::Summary;

/// The games that a filter accepts, of each kind.
pub struct Selection<'a> {
    games: &'a KnownGames,
    by_kind: Vec<(Query<'a>, RoaringBitmap)>,
}

/// Some games of a list, as their summaries or as something else.
pub struct Page<T = Arc<Summary>> {
    /// The games, in the order of the list.
    pub games: Vec<T>,
    /// Whether games come before them.
    pub has_previous: bool,
    /// Whether games follow.
    pub has_next: bool,
}

/// The part of a list that is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Excerpt {
    /// Only games after this place.
    pub after: Option<OrderKey>,
    /// Only games before this place.
    pub before: Option<OrderKey>,
    /// The most games.
    pub len: usize,
    /// Whether to take the last of them instead of the first.
    pub is_last: bool,
}

/// A part of a list, from its start or its end.
#[derive(Clone, Copy)]
struct Part {
    from: Bound<OrderKey>,
    to: Bound<OrderKey>,
    len: usize,
    is_last: bool,
}

/// A game of a list: its place, its id, and its number among those of its kind.
pub type Listed = (OrderKey, LogId, u32);

/// Places before and after all games.
const START: OrderKey = (i64::MIN, [0; 16]);
const END: OrderKey = (i64::MAX, [u8::MAX; 16]);

impl<'a> Selection<'a> {
    pub(super) fn new(games: &'a KnownGames, queries: Vec<Query<'a>>) -> Self {
        let found = |query: Query<'a>| {
            let numbers = query.numbers(None);
            (query, numbers)
        };
        Self { games, by_kind: queries.into_iter().map(found).collect() }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.by_kind.iter().map(|(_, set)| set.len() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a player takes part in any of the games.
    pub fn has_any_of(&self, player: LogId) -> bool {
        let mut kinds = self.by_kind.iter();
        kinds.any(|(query, set)| query.games.seats_of(player).any(|seat| !seat.set().is_disjoint(set)))
    }

    /// The ids of the games of each kind, in the order in which the journal begins them.
    pub fn begun(&self) -> impl Iterator<Item = impl Iterator<Item = LogId>> {
        self.by_kind.iter().map(|(query, set)| set.iter().map(|number| query.games.rows().id(number)))
    }

    /// The ids of all the games in an order, or of those after a place.
    pub fn list(&self, order: Order, after: Option<OrderKey>) -> Vec<LogId> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let all = Part { from, to: Bound::Unbounded, len: usize::MAX, is_last: false };
        self.part(order, all).into_iter().map(|(_, game, _)| game).collect()
    }

    /// A page of the games in an order. Reads few more games than are on it.
    pub fn page(&self, order: Order, excerpt: Excerpt) -> Page {
        let Page { games, has_previous, has_next } = self.places(order, excerpt);
        Page { games: games.into_iter().filter_map(|(_, id, _)| self.games.get(id)).collect(), has_previous, has_next }
    }

    /// Like [`page`](Self::page), but reads no summaries.
    pub fn places(&self, order: Order, excerpt: Excerpt) -> Page<Listed> {
        let Excerpt { after, before, len, is_last } = excerpt;
        let excluded = |key: Option<OrderKey>| key.map_or(Bound::Unbounded, Bound::Excluded);
        let (from, to) = (excluded(after), excluded(before));
        // One more tells whether there are more.
        let mut found = self.part(order, Part { from, to, len: len.saturating_add(1), is_last });
        let is_more = found.len() > len;
        if is_more {
            found.remove(if is_last { 0 } else { len });
        }
        let [end, start] = match (found.first(), found.last()) {
            (Some((first, ..)), Some((last, ..))) => [Bound::Excluded(*first), Bound::Excluded(*last)],
            _ => excerpt.place(),
        };
        let has_previous = is_last && is_more || after.is_some() && self.has_between(order, Bound::Unbounded, end);
        let has_next = !is_last && is_more || before.is_some() && self.has_between(order, start, Bound::Unbounded);
        Page { games: found, has_previous, has_next }
    }

    /// The games of a part of the list.
    fn part(&self, order: Order, part: Part) -> Vec<Listed> {
        let mut found: Vec<Listed> = self.parts(order, part).flatten().collect();
        found.sort_unstable();
        if part.is_last {
            found.drain(..found.len().saturating_sub(part.len));
        } else {
            found.truncate(part.len);
        }
        found
    }

    /// Whether any game is between two places of an order.
    fn has_between(&self, order: Order, from: Bound<OrderKey>, to: Bound<OrderKey>) -> bool {
        let by = order.by().0;
        let (from, to) = order.keys_between(from, to);
        self.by_kind.iter().any(|(query, set)| query.games.has_between(set, by, from, to))
    }

    /// What each kind has of a part of the list, as if there were no others.
    fn parts(&self, order: Order, part: Part) -> impl Iterator<Item = Vec<Listed>> {
        let (by, is_descending) = order.by();
        let (from, to) = order.keys_between(part.from, part.to);
        self.by_kind.iter().map(move |(query, set)| {
            let [first, last] = query.extent(by);
            let (from, to) = (later(from, first), earlier(to, last));
            let stretch = Stretch { from, to, len: part.len, is_backwards: is_descending != part.is_last };
            let games = query.games.stretch(set, by, stretch);
            let rows = query.games.rows();
            games.into_iter().map(|(key, number)| (order.place(key), rows.id(number), number)).collect()
        })
    }
}

impl Excerpt {
    /// The ends of what comes before an excerpt without games, and of what follows.
    fn place(self) -> [Bound<OrderKey>; 2] {
        match (self.is_last, self.after, self.before) {
            (true, _, None) => [Bound::Unbounded, Bound::Excluded(END)],
            (true, after, Some(before)) if after.is_none_or(|after| after < before) => {
                [Bound::Excluded(before), Bound::Included(before)]
            }
            (_, Some(after), _) => [Bound::Included(after), Bound::Excluded(after)],
            (_, None, _) => [Bound::Excluded(START), Bound::Unbounded],
        }
    }
}

/// The bound of a beginning that leaves less.
fn later(one: Bound<Key>, other: Bound<Key>) -> Bound<Key> {
    match (one, other) {
        (Bound::Unbounded, bound) | (bound, Bound::Unbounded) => bound,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => {
            if a < b {
                other
            } else {
                one
            }
        }
    }
}

/// The bound of an end that leaves less.
fn earlier(one: Bound<Key>, other: Bound<Key>) -> Bound<Key> {
    match (one, other) {
        (Bound::Unbounded, bound) | (bound, Bound::Unbounded) => bound,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => {
            if a > b {
                other
            } else {
                one
            }
        }
    }
}
