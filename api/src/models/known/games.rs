//! All games: by id, by kind and number, by parent, and with deadlines.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use plybook_events::{Body, Event, LogId, Timestamp};
use roaring::RoaringBitmap;

use super::kind::KindGames;
use super::order::{Branch, branch};
use super::rows::{By, Row};
use super::selection::Selection;
use super::summary::Summary;
use super::terms::Term;
use crate::models::filter::Filter;

/// All games, including lines of analysis.
#[derive(Default)]
pub struct KnownGames {
    by_id: HashMap<LogId, KnownGame>,
    rows: Rows,
    by_parent: HashMap<LogId, BTreeSet<Branch>>,
    /// The running games with a deadline, by the time.
    by_due: BTreeSet<(Timestamp, LogId)>,
    /// The number of lines of analysis of each game, including hidden ones.
    by_root: HashMap<LogId, usize>,
    /// The games that are not yet found as they are now, with the [changing terms](Summary::changing_terms) by which they
    /// are found; `None` for games that are not found at all.
    unsettled: BTreeMap<LogId, Option<Vec<Term>>>,
    /// The games that have changed since they were saved.
    changed: BTreeSet<LogId>,
}

/// The games by kind.
#[derive(Default)]
pub struct Rows {
    kinds: Vec<KindGames>,
    by_name: HashMap<String, usize>,
}

/// A game, and where its row is.
struct KnownGame {
    summary: Arc<Summary>,
    /// The index of its kind.
    kind: usize,
    number: u32,
}

impl Rows {
    /// The games of a kind, by their numbers.
    pub fn of(&self, kind: &str) -> &[Row] {
        self.kind(kind).map_or(&[], KindGames::rows)
    }

    /// The games of a kind; `None` if there are none.
    pub fn kind(&self, name: &str) -> Option<&KindGames> {
        self.by_name.get(name).map(|index| &self.kinds[*index])
    }

    /// The index of a kind, which is added if it is new.
    fn index(&mut self, name: &str) -> usize {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        self.kinds.push(KindGames::new(name));
        self.by_name.insert(name.to_owned(), self.kinds.len() - 1);
        self.kinds.len() - 1
    }
}

impl KnownGames {
    /// Adds a game after all others of its kind, and returns its number. A game that is known stays as it is. It is found
    /// once it is [settled](Self::settle).
    pub(super) fn load(&mut self, game: Summary) -> u32 {
        if let Some(known) = self.by_id.get(&game.id) {
            return known.number;
        }
        let kind = self.rows.index(&game.kind);
        let number = self.rows.kinds[kind].push(&game);
        self.by_due.extend(due(&game));
        if let Some((parent, branch)) = branch(&game) {
            self.by_parent.entry(parent).or_default().insert(branch);
            *self.by_root.entry(game.root).or_default() += 1;
        }
        self.unsettled.insert(game.id, None);
        self.by_id.insert(game.id, KnownGame { summary: Arc::new(game), kind, number });
        number
    }

    /// Applies an event of a game's log. `begun_at` says when it was imported, if an import began it; `survivor` who
    /// stands for a player. The game is found as before until it is [settled](Self::settle).
    pub(super) fn apply(&mut self, event: &Event, begun_at: Option<Timestamp>, survivor: impl Fn(LogId) -> LogId) {
        if let Body::Created(created) = &event.body {
            let parent = created.fork.as_ref().and_then(|fork| self.get(fork.game));
            self.load(Summary::new(event, created, begun_at, parent.map(Arc::as_ref), survivor));
            self.changed.insert(event.log);
        } else if self.get(event.log).is_some_and(|game| event.seq >= game.standing.events) {
            self.change(event.log, |game| game.standing.apply(event));
        }
    }

    /// Notes that events of a game are imported, if it is known already.
    pub(super) fn note_import(&mut self, game: LogId) {
        self.change(game, |game| game.is_imported = true);
    }

    /// Updates the seats in the games of one player after a merge or its undoing. `survivor` says who stands
    /// for a player now.
    pub(super) fn reseat(&mut self, player: LogId, survivor: impl Fn(LogId) -> LogId) {
        self.settle();
        let games: Vec<LogId> = self.of_player(player).map(|game| game.id).collect();
        for game in games {
            self.change(game, |game| {
                game.players = game.seats.iter().map(|seat| seat.player.map(&survivor)).collect();
            });
        }
    }

    fn change(&mut self, game: LogId, change: impl FnOnce(&mut Summary)) {
        let Some(KnownGame { summary, .. }) = self.by_id.get_mut(&game) else { return };
        let (branch_before, due_before) = (branch(summary), due(summary));
        self.unsettled.entry(game).or_insert_with(|| Some(summary.changing_terms()));
        change(Arc::make_mut(summary));
        if due(summary) != due_before {
            if let Some(before) = due_before {
                self.by_due.remove(&before);
            }
            self.by_due.extend(due(summary));
        }
        if let (Some((parent, before)), Some((_, now))) = (branch_before, branch(summary))
            && before != now
        {
            let siblings = self.by_parent.entry(parent).or_default();
            siblings.remove(&before);
            siblings.insert(now);
        }
        self.changed.insert(game);
    }

    /// Has all games found as they are now. This comes after all events that are applied at once: in sets and orders, a game
    /// with fifty of them moves once.
    pub(super) fn settle(&mut self) {
        for (game, before) in std::mem::take(&mut self.unsettled) {
            let KnownGame { summary, kind, number } = &self.by_id[&game];
            let games = &mut self.rows.kinds[*kind];
            match before {
                Some(before) => games.update(*number, &before, summary),
                None => games.enter(*number, summary),
            }
        }
    }

    /// Notes the mean rating of a game's players.
    pub(super) fn set_rating(&mut self, game: LogId, rating: Option<f32>) {
        self.settle();
        if let Some(KnownGame { kind, number, .. }) = self.by_id.get(&game) {
            self.rows.kinds[*kind].set_rating(*number, rating);
        }
    }

    /// The games of each kind, numbered.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// What most queries ask about a game.
    pub fn row(&self, game: LogId) -> Option<&Row> {
        self.by_id.get(&game).map(|known| &self.rows.kinds[known.kind].rows()[known.number as usize])
    }

    /// The number of a game among those of its kind.
    pub fn number(&self, id: LogId) -> Option<u32> {
        self.by_id.get(&id).map(|known| known.number)
    }

    /// The game with this id.
    pub fn get(&self, id: LogId) -> Option<&Arc<Summary>> {
        self.by_id.get(&id).map(|known| &known.summary)
    }

    /// All games, lines of analysis included, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Summary>> {
        self.by_id.values().map(|known| &known.summary)
    }

    /// The number of games, including lines of analysis.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The games of a player, oldest first.
    pub fn of_player(&self, player: LogId) -> impl Iterator<Item = &Arc<Summary>> {
        let of_kind = |kind: &KindGames| {
            let seats = kind.seats_of(player);
            let numbers = seats.fold(RoaringBitmap::new(), |numbers, seat| numbers | &*seat.set());
            numbers.iter().map(|number| kind.rows()[number as usize]).collect::<Vec<_>>()
        };
        let mut rows: Vec<Row> = self.rows.kinds.iter().flat_map(of_kind).collect();
        rows.sort_unstable_by_key(|row| row.key(By::Created));
        rows.into_iter().filter_map(|row| self.get(row.id))
    }

    /// The games with a round that is due at a time, the earliest first.
    pub fn due(&self, now: Timestamp) -> impl Iterator<Item = LogId> {
        self.by_due.iter().take_while(move |(due, _)| *due <= now).map(|(_, game)| *game)
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

    /// The games that a filter accepts.
    pub fn select<'a>(&'a self, filter: &'a Filter) -> Selection<'a> {
        let kinds = self.rows.kinds.iter().filter(|kind| filter.kind.as_ref().is_none_or(|name| *name == kind.name));
        Selection::new(self, kinds.map(|kind| filter.query(kind)).collect())
    }

    /// The numbers of the games of a kind that a filter accepts, among all of them or among some.
    pub fn matching(&self, kind: &str, filter: &Filter, among: Option<&RoaringBitmap>) -> RoaringBitmap {
        self.rows.kind(kind).map(|kind| filter.query(kind).numbers(among)).unwrap_or_default()
    }

    /// Finds games by id, those that a filter accepts.
    pub fn finder<'a>(&'a self, filter: &'a Filter) -> impl Fn(LogId) -> Option<&'a Arc<Summary>> {
        let queries: Vec<_> = self.rows.kinds.iter().map(|kind| filter.query(kind)).collect();
        move |id| {
            let KnownGame { summary, kind, number } = self.by_id.get(&id)?;
            queries[*kind].accepts(*number).then_some(summary)
        }
    }

    /// How many games have changed since [`take_changed`](Self::take_changed) was last called.
    pub(super) fn changed(&self) -> usize {
        self.changed.len()
    }

    /// The games that have changed since the last call, with their numbers.
    pub(super) fn take_changed(&mut self) -> Vec<(u32, Arc<Summary>)> {
        let changed = std::mem::take(&mut self.changed);
        let games = changed.iter().filter_map(|id| self.by_id.get(id));
        games.map(|game| (game.number, Arc::clone(&game.summary))).collect()
    }
}

/// When the running round of a game is due, and the game.
fn due(game: &Summary) -> Option<(Timestamp, LogId)> {
    game.standing.due().map(|due| (due, game.id))
}
