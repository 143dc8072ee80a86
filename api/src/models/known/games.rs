//! All games: by id, by player, by parent, and in the order of their creation.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use plybook_events::{Body, Event, LogId, Timestamp};
use roaring::RoaringBitmap;

use super::order::{Branch, Order, OrderKey, Place, branch, place};
use super::rows::{Row, RowIndex, Rows};
use super::summary::Summary;
use crate::models::filter::{Filter, Predicate};

/// All games, including lines of analysis.
#[derive(Default)]
pub struct KnownGames {
    by_id: HashMap<LogId, KnownGame>,
    by_created: BTreeSet<Place>,
    by_player: HashMap<LogId, BTreeSet<Place>>,
    by_parent: HashMap<LogId, BTreeSet<Branch>>,
    /// The running games with a deadline, by the time.
    by_due: BTreeSet<(Timestamp, LogId)>,
    /// The number of lines of analysis of each game, including hidden ones.
    by_root: HashMap<LogId, usize>,
    /// The number of lines of analysis among the games.
    lines: usize,
    rows: Rows,
    changed: BTreeSet<LogId>,
}

/// A game, and the place of its row.
struct KnownGame {
    summary: Arc<Summary>,
    row: RowIndex,
}

impl KnownGames {
    /// Adds a game after all others of its kind, or updates it, and returns its number.
    pub(super) fn load(&mut self, game: Summary) -> u32 {
        let row = match self.by_id.get(&game.id).map(|known| known.row) {
            Some(row) => {
                self.rows.set(row, &game);
                row
            }
            None => self.rows.push(&game),
        };
        let key = (game.created_at, game.id);
        self.by_created.insert(key);
        self.by_due.extend(due(&game));
        for player in game.players.iter().flatten() {
            self.by_player.entry(*player).or_default().insert(key);
        }
        if let Some((parent, branch)) = branch(&game)
            && self.by_parent.entry(parent).or_default().insert(branch)
        {
            self.lines += 1;
            *self.by_root.entry(game.root).or_default() += 1;
        }
        self.by_id.insert(game.id, KnownGame { summary: Arc::new(game), row });
        row.number
    }

    /// Applies an event of a game's log. `begun_at` says when it was imported, if an import began it; `survivor` who
    /// stands for a player.
    pub(super) fn apply(&mut self, event: &Event, begun_at: Option<Timestamp>, survivor: impl Fn(LogId) -> LogId) {
        if let Body::Created(created) = &event.body {
            let parent = created.fork.as_ref().and_then(|fork| self.get(fork.game));
            self.load(Summary::new(event, created, begun_at, parent.map(Arc::as_ref), survivor));
        } else if let Some(KnownGame { summary, row }) = self.by_id.get_mut(&event.log) {
            if event.seq < summary.standing.events {
                return;
            }
            let (before, due_before) = (branch(summary), due(summary));
            Arc::make_mut(summary).standing.apply(event);
            let now = branch(summary);
            if due(summary) != due_before {
                if let Some(before) = due_before {
                    self.by_due.remove(&before);
                }
                self.by_due.extend(due(summary));
            }
            self.rows.set(*row, summary);
            if let (Some((parent, before)), Some((_, now))) = (before, now)
                && before != now
            {
                let siblings = self.by_parent.entry(parent).or_default();
                siblings.remove(&before);
                siblings.insert(now);
            }
        }
        self.changed.insert(event.log);
    }

    /// Notes that events of a game are imported, if it is known already.
    pub(super) fn note_import(&mut self, game: LogId) {
        if let Some(KnownGame { summary, row }) = self.by_id.get_mut(&game) {
            Arc::make_mut(summary).is_imported = true;
            self.rows.set(*row, summary);
            self.changed.insert(game);
        }
    }

    /// Updates the seats in the games of one player after a merge or its undoing. `survivor` says who stands
    /// for a player now.
    pub(super) fn reseat(&mut self, player: LogId, survivor: impl Fn(LogId) -> LogId) {
        for place in self.by_player.remove(&player).unwrap_or_default() {
            let Some(KnownGame { summary, .. }) = self.by_id.get_mut(&place.1) else { continue };
            let players = summary.seats.iter().map(|seat| seat.player.map(&survivor)).collect();
            Arc::make_mut(summary).players = players;
            for player in summary.players.iter().flatten() {
                self.by_player.entry(*player).or_default().insert(place);
            }
            self.changed.insert(place.1);
        }
    }

    /// Notes the mean rating of a game's players.
    pub(super) fn set_rating(&mut self, game: LogId, rating: Option<f32>) {
        if let Some(known) = self.by_id.get(&game) {
            self.rows.set_rating(known.row, rating);
        }
    }

    /// What most queries ask about a game.
    pub fn row(&self, game: LogId) -> Option<&Row> {
        self.by_id.get(&game).map(|known| self.rows.get(known.row))
    }

    /// All games, lines of analysis included, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Summary>> {
        self.by_id.values().map(|known| &known.summary)
    }

    /// The games of a player, oldest first.
    pub fn of_player(&self, player: LogId) -> impl Iterator<Item = &Arc<Summary>> {
        self.by_player.get(&player).into_iter().flatten().map(|(_, id)| &self.by_id[id].summary)
    }

    /// The games that have changed since the last call, with their numbers.
    pub(super) fn take_changed(&mut self) -> Vec<(u32, Arc<Summary>)> {
        let changed = std::mem::take(&mut self.changed);
        let games = changed.iter().filter_map(|id| self.by_id.get(id));
        games.map(|game| (game.row.number, Arc::clone(&game.summary))).collect()
    }

    /// The games with a round that is due at a time, the earliest first.
    pub fn due(&self, now: Timestamp) -> impl Iterator<Item = LogId> {
        self.by_due.iter().take_while(move |(due, _)| *due <= now).map(|(_, game)| *game)
    }

    /// The game with this id.
    pub fn get(&self, id: LogId) -> Option<&Arc<Summary>> {
        self.by_id.get(&id).map(|known| &known.summary)
    }

    /// Finds games by id, those that a filter accepts.
    pub fn finder<'a>(&'a self, filter: &'a Filter) -> impl Fn(LogId) -> Option<&'a Arc<Summary>> {
        let predicate = filter.predicate(&self.rows);
        move |id| self.by_id.get(&id).filter(|game| self.accepts(&predicate, game)).map(|game| &game.summary)
    }

    /// The number of a game among those of its kind.
    pub fn number(&self, id: LogId) -> Option<u32> {
        self.by_id.get(&id).map(|known| known.row.number)
    }

    /// The number of games, including lines of analysis.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The lines that fork directly from a log, by the ply at which they leave it, then by rank, then by
    /// creation.
    pub fn lines(&self, parent: LogId) -> impl DoubleEndedIterator<Item = &Arc<Summary>> {
        self.by_parent.get(&parent).into_iter().flatten().map(|(_, _, _, id)| &self.by_id[id].summary)
    }

    /// The number of lines of a recorded game, including hidden ones.
    pub fn lines_len(&self, root: LogId) -> usize {
        self.by_root.get(&root).copied().unwrap_or_default()
    }

    /// Whether a player takes part in a game that a filter accepts. Stops at the first such game.
    pub fn is_any_of(&self, player: LogId, filter: &Filter) -> bool {
        let predicate = filter.predicate(&self.rows);
        let mut places = self.by_player.get(&player).into_iter().flatten();
        places.any(|(_, id)| self.accepts(&predicate, &self.by_id[id]))
    }

    /// The games that a filter accepts, in an order.
    pub fn list(&self, filter: &Filter, order: Order) -> Vec<Arc<Summary>> {
        let games = self.created(filter, None, None).cloned();
        let mut games: Vec<_> = if order == Order::CreatedDesc { games.rev().collect() } else { games.collect() };
        if !matches!(order, Order::CreatedDesc | Order::CreatedAsc) {
            games.sort_by_cached_key(|game| order.key(game));
        }
        games
    }

    /// The games that a filter accepts between two places, both excluded, in [`Order::CreatedDesc`] if
    /// `is_descending`, otherwise in [`Order::CreatedAsc`]. Lazy: reads no more games than are taken.
    pub fn walk<'a>(
        &'a self,
        filter: &'a Filter,
        is_descending: bool,
        after: Option<OrderKey>,
        before: Option<OrderKey>,
    ) -> Box<dyn DoubleEndedIterator<Item = &'a Arc<Summary>> + 'a> {
        if !is_descending {
            return Box::new(self.created(filter, after.map(place), before.map(place)));
        }
        let place = |(millis, id): OrderKey| place((millis.saturating_neg(), id.map(|b| !b)));
        Box::new(self.created(filter, before.map(place), after.map(place)).rev())
    }

    /// The games of each kind, numbered.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The numbers of the games of a kind that a filter accepts, among all of them or among some.
    pub fn matching(&self, kind: &str, filter: &Filter, among: Option<&RoaringBitmap>) -> RoaringBitmap {
        let rows = self.rows.of(kind);
        let predicate = filter.predicate(&self.rows);
        let accepts = |number: &u32| {
            let row = rows.get(*number as usize);
            row.is_some_and(|row| predicate.accepts(row, || &self.by_id[&row.id].summary))
        };
        if let Some(player) = filter.sitter() {
            let number = |(_, id): &Place| {
                let number = self.number(*id)?;
                rows.get(number as usize).filter(|row| row.id == *id).map(|_| number)
            };
            let own = self.by_player.get(&player).into_iter().flatten().filter_map(number);
            return own.filter(|number| among.is_none_or(|among| among.contains(*number))).filter(accepts).collect();
        }
        match among {
            Some(among) => among.iter().filter(accepts).collect(),
            None => (0..rows.len() as u32).filter(accepts).collect(),
        }
    }

    /// The number of games that a filter accepts. A filter that asks only for recorded games is answered
    /// without counting.
    pub fn count(&self, filter: &Filter) -> usize {
        if filter.sitter().is_some() {
            return self.created(filter, None, None).count();
        }
        let (is_analysis, audience) = (Some(false), filter.audience);
        if *filter == (Filter { is_analysis, audience, ..Filter::default() }) {
            return self.len() - self.lines;
        }
        let predicate = filter.predicate(&self.rows);
        let accepts = |row: &&Row| predicate.accepts(row, || &self.by_id[&row.id].summary);
        match &filter.kind {
            Some(kind) => self.rows.of(kind).iter().filter(accepts).count(),
            None => self.rows.all().filter(accepts).count(),
        }
    }

    fn accepts(&self, predicate: &Predicate<'_>, game: &KnownGame) -> bool {
        predicate.accepts(self.rows.get(game.row), || &game.summary)
    }

    /// The games that a filter accepts, oldest first, between two places, both excluded.
    fn created<'a>(
        &'a self,
        filter: &'a Filter,
        after: Option<Place>,
        before: Option<Place>,
    ) -> impl DoubleEndedIterator<Item = &'a Arc<Summary>> {
        let first_id = LogId::from_bytes([0; 16]);
        // No game is played after it was created, but it may have been played long before.
        let since = (filter.since.unwrap_or(Timestamp::MIN), first_id);
        let end = (Timestamp::MAX, LogId::from_bytes([u8::MAX; 16]));
        let to = before.unwrap_or(end);
        let from = match after {
            Some(after) if after >= since => Bound::Excluded(after),
            _ => Bound::Included(since),
        };
        let is_some = after.is_none_or(|after| after < to) && since < to;
        let among = filter.sitter().map_or(Some(&self.by_created), |player| self.by_player.get(&player));
        let places = among.filter(|_| is_some).map(|among| among.range((from, Bound::Excluded(to))));
        let predicate = filter.predicate(&self.rows);
        let games = places.into_iter().flatten().map(|(_, id)| &self.by_id[id]);
        games.filter(move |game| self.accepts(&predicate, game)).map(|game| &game.summary)
    }
}

/// When the running round of a game is due, and the game.
fn due(game: &Summary) -> Option<(Timestamp, LogId)> {
    game.standing.due().map(|due| (due, game.id))
}

#[cfg(test)]
mod tests {
    use plybook_events::body::{Created, Fork, SeatEntry};
    use plybook_events::{By, Hash};

    use super::*;

    fn id(n: u64) -> LogId {
        LogId::from_bytes(u128::from(n).to_be_bytes())
    }

    /// Sixty games, two a minute; every fifth is a line of analysis, every third one of player 1's.
    fn games() -> KnownGames {
        let mut games = KnownGames::default();
        for n in 0..60_u64 {
            let fork = n.is_multiple_of(5).then(|| Fork { game: id(1_000), ply: 0, seq: 0, hash: Hash::ZERO });
            let created = Created {
                kind: "any".to_owned(),
                rules: "v1".to_owned(),
                seats: vec![SeatEntry { name: String::new(), player: n.is_multiple_of(3).then(|| id(1)) }],
                fork,
                ..Created::default()
            };
            let at = Timestamp::from_millis(60_000 * (n / 2) as i64).unwrap();
            let body = Body::Created(created);
            games.apply(
                &Event { at, by: By::Service, log: id(n), prev: Hash::ZERO, seq: 0, body, who: None, signature: None },
                None,
                |player| player,
            );
        }
        games
    }

    fn filters() -> Vec<Filter> {
        let minute = |n: i64| Some(Timestamp::from_millis(60_000 * n).unwrap());
        let all = Filter::default;
        vec![
            all(),
            Filter { is_analysis: Some(false), ..all() },
            Filter { is_analysis: Some(true), ..all() },
            Filter { players: vec![id(1)], ..all() },
            Filter { players: vec![id(2)], ..all() },
            Filter { since: minute(10), until: minute(20), ..all() },
            Filter { since: minute(20), until: minute(10), ..all() },
        ]
    }

    #[test]
    fn what_is_walked_is_what_is_listed() {
        let games = games();
        for filter in filters() {
            for order in [Order::CreatedDesc, Order::CreatedAsc] {
                let listed = games.list(&filter, order);
                assert!(listed.is_sorted_by_key(|game| order.key(game)));
                // Places of games, places of no game, and places beyond all times.
                let mut places: Vec<OrderKey> =
                    games.list(&Filter::default(), order).iter().map(|g| order.key(g)).collect();
                places.extend([
                    (i64::MIN, [9; 16]),
                    (i64::MAX, [9; 16]),
                    (60_000 * 7, [9; 16]),
                    (-60_000 * 7, [9; 16]),
                ]);
                let places: Vec<Option<OrderKey>> =
                    [None].into_iter().chain(places.into_iter().step_by(3).map(Some)).collect();
                for after in &places {
                    for before in &places {
                        let is_within = |key: OrderKey| after.is_none_or(|a| key > a) && before.is_none_or(|b| key < b);
                        let expected: Vec<_> = listed.iter().filter(|game| is_within(order.key(game))).collect();
                        let walked = games.walk(&filter, order == Order::CreatedDesc, *after, *before);
                        assert_eq!(walked.collect::<Vec<_>>(), expected, "{filter:?} {order:?} {after:?} {before:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn games_are_counted_as_they_are_listed() {
        let games = games();
        let counts: Vec<usize> = filters().iter().map(|filter| games.count(filter)).collect();
        let listed: Vec<usize> = filters().iter().map(|filter| games.list(filter, Order::PlyAsc).len()).collect();
        assert_eq!(counts, listed);
        assert_eq!(counts[..3], [60, 48, 12]);
    }
}
