//! All games, in the orders they are listed in.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use plybook_events::{Body, Event, LogId, Timestamp};
use plybook_rules::log::Status;
use roaring::RoaringBitmap;
use serde_json::Value;

use super::Summary;
use super::rows::{Row, Rows};

/// The games that are asked for; what is not said accepts all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// The game that is played.
    pub kind: Option<String>,
    /// Whether a recorded game or a line of analysis.
    pub is_analysis: Option<bool>,
    /// Who asks, where hidden lines are left out.
    pub audience: Option<Audience>,
    /// Where it stands.
    pub status: Option<Status>,
    /// The tournament it belongs to.
    pub tournament: Option<LogId>,
    /// Players who all sit in it.
    pub players: Vec<LogId>,
    /// The seat in which the first of the players sits.
    pub seat: Option<u8>,
    /// A player who won it; nobody wins a game that is void.
    pub winner: Option<LogId>,
    /// The reason of the outcome.
    pub reason: Option<String>,
    /// Created at this time or later.
    pub since: Option<Timestamp>,
    /// Created before this time.
    pub until: Option<Timestamp>,
    /// At least so many actions.
    pub ply_min: Option<u32>,
    /// At most so many actions.
    pub ply_max: Option<u32>,
    /// Members that the setup has with these values.
    pub setup: Option<Value>,
    /// A tag: its name, or `name=value`.
    pub tag: Option<String>,
}

/// Which hidden lines somebody is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// None.
    Everybody,
    /// Those that this player keeps.
    Owner(LogId),
    /// All.
    Recorder,
}

impl Audience {
    /// Whether they are shown a game or a line.
    pub fn sees(self, game: &Summary) -> bool {
        match self {
            Self::Everybody => !game.is_hidden,
            Self::Owner(player) => !game.is_hidden || game.owner == Some(player),
            Self::Recorder => true,
        }
    }
}

/// How games are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By creation, the newest first.
    CreatedDesc,
    /// By creation, the oldest first.
    CreatedAsc,
    /// By their end, the last first; running games after them.
    FinishedDesc,
    /// By actions, the most first.
    PlyDesc,
    /// By actions, the fewest first.
    PlyAsc,
}

/// The place of a game in an order: ascending is the order of listing.
pub type OrderKey = (i64, [u8; 16]);

/// The place of a game in the order of creation.
type Place = (Timestamp, LogId);

/// The place of a line among those of its parent: the ply it forks from, its rank, its creation.
pub type Branch = (u32, i64, Timestamp, LogId);

/// All games.
#[derive(Default)]
pub struct Games {
    by_id: HashMap<LogId, Arc<Summary>>,
    by_created: BTreeSet<Place>,
    by_player: HashMap<LogId, BTreeSet<Place>>,
    by_parent: HashMap<LogId, BTreeSet<Branch>>,
    /// How many lines of analysis belong to each game, hidden ones included.
    by_root: HashMap<LogId, usize>,
    /// How many of them are lines of analysis.
    lines: usize,
    rows: Rows,
    changed: BTreeSet<LogId>,
}

impl Games {
    pub(super) fn load(&mut self, game: Summary) {
        self.rows.set(&game);
        let key = (game.created_at, game.id);
        self.by_created.insert(key);
        for player in game.seats.iter().filter_map(|seat| seat.player) {
            self.by_player.entry(player).or_default().insert(key);
        }
        if let Some((parent, branch)) = branch(&game)
            && self.by_parent.entry(parent).or_default().insert(branch)
        {
            self.lines += 1;
            *self.by_root.entry(game.root).or_default() += 1;
        }
        self.by_id.insert(game.id, Arc::new(game));
    }

    pub(super) fn apply(&mut self, event: &Event) {
        if let Body::Created(created) = &event.body {
            let parent = created.fork.as_ref().and_then(|fork| self.by_id.get(&fork.game));
            self.load(Summary::new(event, created, parent.map(Arc::as_ref)));
        } else if let Some(game) = self.by_id.get_mut(&event.log) {
            if event.seq < game.events {
                return;
            }
            let before = branch(game);
            Arc::make_mut(game).apply(event);
            let now = branch(game);
            self.rows.set(game);
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

    pub(super) fn take_changed(&mut self) -> Vec<Arc<Summary>> {
        let changed = std::mem::take(&mut self.changed);
        changed.iter().filter_map(|id| self.by_id.get(id)).cloned().collect()
    }

    /// The game with an id.
    pub fn get(&self, id: LogId) -> Option<&Arc<Summary>> {
        self.by_id.get(&id)
    }

    /// How many games there are, lines of analysis included.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The lines that fork from this very log: by the ply they leave it at, those of one ply by their
    /// rank, then by their creation.
    pub fn lines(&self, parent: LogId) -> impl DoubleEndedIterator<Item = &Arc<Summary>> {
        self.by_parent.get(&parent).into_iter().flatten().map(|(_, _, _, id)| &self.by_id[id])
    }

    /// How many lines belong to a recorded game, hidden ones included.
    pub fn lines_len(&self, root: LogId) -> usize {
        self.by_root.get(&root).copied().unwrap_or_default()
    }

    /// Whether a player sits in a game that a filter accepts; looks at no more games than it must.
    pub fn is_any_of(&self, player: LogId, filter: &Filter) -> bool {
        let among = self.by_player.get(&player).into_iter().flatten();
        among.into_iter().any(|(_, id)| filter.accepts(&self.by_id[id]))
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

    /// The games that a filter accepts between two places of an order by creation, both left out:
    /// [`Order::CreatedDesc`], or else [`Order::CreatedAsc`]. Only what is taken is looked at.
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

    /// The numbers of the games of a kind that a filter accepts, of all or of some.
    pub fn matching(&self, kind: &str, filter: &Filter, of: Option<&RoaringBitmap>) -> RoaringBitmap {
        let rows = self.rows.of(kind);
        let asked = self.rows.asked(filter);
        let fits = |number: &u32| {
            rows.get(*number as usize)
                .is_some_and(|row| asked.fits(row) && (!asked.is_more || filter.accepts(&self.by_id[&row.id])))
        };
        if let Some(player) = filter.players.first().or(filter.winner.as_ref()) {
            let numbers = |(_, id): &Place| {
                let number = self.rows.number(*id)?;
                rows.get(number as usize).filter(|row| row.id == *id).map(|_| number)
            };
            let own = self.by_player.get(player).into_iter().flatten().filter_map(numbers);
            return own.filter(|number| of.is_none_or(|of| of.contains(*number))).filter(fits).collect();
        }
        match of {
            Some(of) => of.iter().filter(fits).collect(),
            None => (0..rows.len() as u32).filter(fits).collect(),
        }
    }

    /// How many games a filter accepts; known at once where it asks for nothing but the origin.
    pub fn count(&self, filter: &Filter) -> usize {
        let (is_analysis, audience) = (filter.is_analysis, filter.audience);
        let leaves_lines_out = is_analysis == Some(false);
        if filter.players.first().or(filter.winner.as_ref()).is_some() {
            return self.created(filter, None, None).count();
        }
        if leaves_lines_out && *filter == (Filter { is_analysis, audience, ..Filter::default() }) {
            return self.len() - self.lines;
        }
        let asked = self.rows.asked(filter);
        let is_more = asked.is_more || (audience.is_some() && !leaves_lines_out);
        let fits = |row: &&Row| asked.fits(row) && (!is_more || filter.accepts(&self.by_id[&row.id]));
        self.rows.kinds(filter.kind.as_deref()).flatten().filter(fits).count()
    }

    /// The games that a filter accepts, the oldest first, between two places that are left out.
    fn created<'a>(
        &'a self,
        filter: &'a Filter,
        after: Option<Place>,
        before: Option<Place>,
    ) -> impl DoubleEndedIterator<Item = &'a Arc<Summary>> {
        let first_id = LogId::from_bytes([0; 16]);
        let since = (filter.since.unwrap_or(Timestamp::MIN), first_id);
        let until = (filter.until.unwrap_or(Timestamp::MAX), first_id);
        let to = before.map_or(until, |before| before.min(until));
        let from = match after {
            Some(after) if after >= since => Bound::Excluded(after),
            _ => Bound::Included(since),
        };
        let is_some = after.is_none_or(|after| after < to) && since < to;
        let player = filter.players.first().or(filter.winner.as_ref());
        let among = player.map_or(Some(&self.by_created), |player| self.by_player.get(player));
        let places = among.filter(|_| is_some).map(|among| among.range((from, Bound::Excluded(to))));
        places.into_iter().flatten().map(|place| &self.by_id[&place.1]).filter(|game| filter.accepts(game))
    }
}

/// The parent of a line, and its place there.
fn branch(game: &Summary) -> Option<(LogId, Branch)> {
    let fork = game.fork.as_ref()?;
    Some((fork.game, (fork.ply, game.rank, game.created_at, game.id)))
}

/// The place that a key of [`Order::CreatedAsc`] names; beyond the years there are, their end.
fn place((millis, id): OrderKey) -> Place {
    let end = if millis < 0 { Timestamp::MIN } else { Timestamp::MAX };
    (Timestamp::from_millis(millis).unwrap_or(end), LogId::from_bytes(id))
}

impl Order {
    /// The place of a game in this order.
    pub fn key(self, game: &Summary) -> OrderKey {
        let id = game.id.to_bytes();
        let backwards = id.map(|b| !b);
        match self {
            Self::CreatedDesc => (-game.created_at.as_millis(), backwards),
            Self::CreatedAsc => (game.created_at.as_millis(), id),
            Self::FinishedDesc => (game.finished_at.map_or(i64::MAX, |at| -at.as_millis()), backwards),
            Self::PlyDesc => (-i64::from(game.ply), backwards),
            Self::PlyAsc => (i64::from(game.ply), id),
        }
    }
}

impl Filter {
    /// Whether a game is asked for.
    pub fn accepts(&self, game: &Summary) -> bool {
        let is = |wanted: &Option<String>, found: Option<&str>| wanted.is_none() || wanted.as_deref() == found;
        let sits = |player: &LogId| game.seats.iter().any(|seat| seat.player == Some(*player));
        is(&self.kind, Some(&game.kind))
            && self.is_analysis.is_none_or(|analysis| analysis == game.fork.is_some())
            && self.audience.is_none_or(|audience| audience.sees(game))
            && self.status.is_none_or(|status| status == game.status())
            && (self.tournament.is_none() || self.tournament == game.tournament)
            && self.players.iter().all(sits)
            && self.sits_in_seat(game)
            && self.winner.is_none_or(|winner| game.is_won_by(winner))
            && is(&self.reason, game.outcome.as_ref().map(|outcome| outcome.reason.as_str()))
            && self.ply_min.is_none_or(|least| game.ply >= least)
            && self.ply_max.is_none_or(|most| game.ply <= most)
            && self.setup.as_ref().is_none_or(|setup| agrees(setup, &game.setup))
            && self.tag.as_deref().is_none_or(|tag| is_tagged(game, tag))
    }

    fn sits_in_seat(&self, game: &Summary) -> bool {
        let Some(seat) = self.seat else { return true };
        let entry = usize::from(seat).checked_sub(1).and_then(|index| game.seats.get(index));
        entry.is_some_and(|entry| self.players.first().is_none_or(|player| entry.player == Some(*player)))
    }
}

/// Whether a setup has all members that are asked for.
fn agrees(asked: &Value, setup: &Value) -> bool {
    match asked.as_object() {
        Some(members) => members.iter().all(|(key, value)| setup.get(key) == Some(value)),
        None => asked == setup,
    }
}

fn is_tagged(game: &Summary, tag: &str) -> bool {
    match tag.split_once('=') {
        None => game.tags.contains_key(tag),
        Some((name, wanted)) => match game.tags.get(name) {
            Some(Value::String(text)) => text == wanted,
            Some(other) => format!("{other}") == wanted,
            None => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use plybook_events::body::{Created, Fork, SeatEntry};
    use plybook_events::{By, Hash};

    use super::*;

    fn id(n: u64) -> LogId {
        LogId::from_bytes(u128::from(n).to_be_bytes())
    }

    /// Sixty games, two a minute; every fifth is a line of analysis, every third one of player 1.
    fn games() -> Games {
        let mut games = Games::default();
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
            games.apply(&Event { at, by: By::Service, log: id(n), prev: Hash::ZERO, seq: 0, body });
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
                // Places of games, of none, and beyond all times.
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
