//! The catalogue of all games: by id, by kind and number, by parent, and with deadlines.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;
use plybook_events::{Body, Event, LogId, SEATS_MAX, Timestamp};
use plybook_store::Log;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::kind::KindGames;
use super::order::{Branch, branch};
use super::row_columns::RowColumns;
use super::rows::Row;
use super::selection::Selection;
use super::summaries::{GameKey, Summaries};
use super::summary::Summary;
use super::terms::Term;
use crate::filter::Filter;

/// About how many bytes of JSON a summary has whose JSON is lost.
const REMADE_BYTES: usize = 1024;

/// All games, including lines of analysis.
#[derive(Default, Serialize, Deserialize)]
pub struct KnownGames {
    /// The kind of each game, and its number.
    #[serde(skip)]
    by_id: HashMap<LogId, GameKey>,
    rows: Rows,
    summaries: Summaries,
    /// Where games are read again whose summaries are lost.
    #[serde(skip)]
    log: Option<Log>,
    by_parent: HashMap<LogId, BTreeSet<Branch>>,
    /// The running games with a deadline, by the time.
    by_due: BTreeSet<(Timestamp, LogId)>,
    /// The number of lines of analysis of each game, including hidden ones.
    by_root: HashMap<LogId, usize>,
    /// The games that are not yet found as they are now, with the [changing terms](Summary::changing_terms) by which they
    /// are found; `None` for games that are not found at all.
    #[serde(skip)]
    unsettled: BTreeMap<LogId, Option<Vec<Term>>>,
    /// How often a rating was noted.
    #[serde(skip)]
    ratings_noted: u64,
}

/// The games by kind.
#[derive(Default, Serialize, Deserialize)]
pub struct Rows {
    kinds: IndexMap<String, KindGames>,
}

impl Rows {
    /// The names of the kinds that have games.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kinds.keys().map(String::as_str)
    }

    /// The games of a kind, by their numbers.
    pub fn of(&self, kind: &str) -> &RowColumns {
        static NONE: LazyLock<RowColumns> = LazyLock::new(RowColumns::default);
        self.kind(kind).map_or(&NONE, KindGames::rows)
    }

    /// The games of a kind; `None` if there are none.
    pub fn kind(&self, name: &str) -> Option<&KindGames> {
        self.kinds.get(name)
    }

    /// The index of a kind, which is added if it is new.
    fn index(&mut self, name: &str) -> usize {
        let known = self.kinds.get_index_of(name);
        known.unwrap_or_else(|| self.kinds.insert_full(name.to_owned(), KindGames::new(name)).0)
    }

    fn at(&self, (kind, _): GameKey) -> &KindGames {
        &self.kinds[usize::from(kind)]
    }

    fn at_mut(&mut self, (kind, _): GameKey) -> &mut KindGames {
        &mut self.kinds[usize::from(kind)]
    }
}

impl KnownGames {
    /// Has games found that were saved. Those whose summaries are lost will be read from a log.
    pub(super) fn index(&mut self, log: &Log) {
        self.by_id.reserve(self.rows.kinds.values().map(|games| games.rows().len()).sum());
        for (kind, games) in (0..).zip(self.rows.kinds.values()) {
            let numbered = games.rows().ids().iter().zip(0..);
            self.by_id.extend(numbered.map(|(id, number)| (*id, (kind, number))));
        }
        self.log = Some(log.clone());
    }

    /// Adds a game after all others of its kind, and returns its number. A game that is known stays as it is. It is found
    /// once it is [settled](Self::settle).
    pub(super) fn load(&mut self, game: Summary) -> u32 {
        if let Some((_, number)) = self.known(game.id) {
            return number;
        }
        let kind = self.rows.index(&game.kind);
        let number = self.rows.kinds[kind].push(&game);
        self.by_due.extend(due(&game));
        if let Some((parent, branch)) = branch(&game) {
            self.by_parent.entry(parent).or_default().insert(branch);
            *self.by_root.entry(game.root).or_default() += 1;
        }
        self.unsettled.insert(game.id, None);
        self.by_id.insert(game.id, (kind as u16, number));
        self.summaries.put((kind as u16, number), Arc::new(game));
        number
    }

    /// Applies an event of a game's log. `begun_at` says when it was imported, if an import began it; `survivor` who
    /// stands for a player. The game is found as before until it is [settled](Self::settle).
    pub(super) fn apply(&mut self, event: &Event, begun_at: Option<Timestamp>, survivor: impl Fn(LogId) -> LogId) {
        if let Body::Created(created) = &event.body {
            let parent = created.fork.as_ref().and_then(|fork| self.get(fork.game));
            self.load(Summary::new(event, created, begun_at, parent.as_deref(), survivor));
        } else if self.known(event.log).is_some_and(|game| event.seq >= self.events(game).into()) {
            self.change(event.log, |game| game.apply(event));
            if matches!(&event.body, Body::Arranged(arranged) if arranged.hidden.is_some()) {
                self.hide_below(event.log);
            }
        }
    }

    /// Has lines found or not as the log is that they continue.
    fn hide_below(&mut self, log: LogId) {
        let mut open = vec![log];
        while let Some(parent) = open.pop() {
            let is_hidden = self.get(parent).is_some_and(|parent| parent.is_hidden());
            for line in self.line_ids(parent).collect::<Vec<_>>() {
                if self.get(line).is_some_and(|line| line.is_below_hidden != is_hidden) {
                    self.change(line, |line| line.is_below_hidden = is_hidden);
                    open.push(line);
                }
            }
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
        for id in self.ids_of(player) {
            self.change(id, |game| {
                game.players = game.seats.iter().map(|seat| seat.player.map(&survivor)).collect();
            });
        }
    }

    fn change(&mut self, game: LogId, change: impl FnOnce(&mut Summary)) {
        let Some(known) = self.known(game) else { return };
        let taken = self.summaries.take(known);
        let Some(mut summary) = taken.or_else(|| self.remake(known)) else { return };
        let (branch_before, due_before) = (branch(&summary), due(&summary));
        self.unsettled.entry(game).or_insert_with(|| Some(summary.changing_terms()));
        change(Arc::make_mut(&mut summary));
        if due(&summary) != due_before {
            if let Some(before) = due_before {
                self.by_due.remove(&before);
            }
            self.by_due.extend(due(&summary));
        }
        if let (Some((parent, before)), Some((_, now))) = (branch_before, branch(&summary))
            && before != now
        {
            let siblings = self.by_parent.entry(parent).or_default();
            siblings.remove(&before);
            siblings.insert(now);
        }
        self.rows.at_mut(known).set_events(known.1, summary.standing.events as u32);
        self.summaries.put(known, summary);
    }

    /// Has all games found as they are now. This comes after all events that are applied at once: in sets and orders, a game
    /// with fifty of them moves once.
    pub(super) fn settle(&mut self) {
        for (game, before) in std::mem::take(&mut self.unsettled) {
            let known = self.known(game).expect("what is unsettled is known");
            let (summary, games) = (&self.summaries.changed()[&known], self.rows.at_mut(known));
            match before {
                Some(before) => games.update(known.1, &before, summary),
                None => games.enter(known.1, summary),
            }
        }
    }

    /// Notes the mean rating of a game's players.
    pub(super) fn set_rating(&mut self, game: LogId, rating: Option<f32>) {
        self.settle();
        self.ratings_noted += 1;
        if let Some(known) = self.known(game) {
            self.rows.at_mut(known).set_rating(known.1, rating);
        }
    }

    fn known(&self, id: LogId) -> Option<GameKey> {
        self.by_id.get(&id).copied()
    }

    /// The number of events that the summary of a game has applied.
    fn events(&self, game: GameKey) -> u32 {
        self.rows.at(game).events(game.1)
    }

    /// The games of each kind, numbered.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// What most queries ask about a game.
    pub fn row(&self, game: LogId) -> Option<Row> {
        self.known(game).map(|known| self.rows.at(known).rows().get(known.1))
    }

    /// The kind of a game, and its number among the games of that kind.
    pub fn place(&self, id: LogId) -> Option<(&str, u32)> {
        let known = self.known(id)?;
        Some((&self.rows.at(known).name, known.1))
    }

    /// The number of a game among those of its kind.
    pub fn number(&self, id: LogId) -> Option<u32> {
        self.known(id).map(|(_, number)| number)
    }

    /// The kind of a game.
    pub fn kind(&self, id: LogId) -> Option<&str> {
        self.place(id).map(|(kind, _)| kind)
    }

    /// Whether there is a game with this id.
    pub fn has(&self, id: LogId) -> bool {
        self.known(id).is_some()
    }

    /// The game with this id. Also `None`, and an error in the log, if its summary and its log cannot be read.
    pub fn get(&self, id: LogId) -> Option<Arc<Summary>> {
        let known = self.known(id)?;
        self.summaries.get(known).or_else(|| self.remake(known))
    }

    /// Makes a summary that is lost again, from the events that it had applied.
    fn remake(&self, known: GameKey) -> Option<Arc<Summary>> {
        let row = self.rows.at(known).rows().get(known.1);
        let remade = self.remade(known, &row);
        if remade.is_none() {
            tracing::error!(game = %row.id, "what is known of a game cannot be read");
        }
        let remade = Arc::new(remade?);
        self.summaries.keep(known, &remade, REMADE_BYTES);
        Some(remade)
    }

    fn remade(&self, known: GameKey, row: &Row) -> Option<Summary> {
        let lines = self.log.as_ref()?.read(row.id, 0).ok()?;
        let events = lines.iter().take(self.events(known) as usize).map(|line| Event::parse(line).ok());
        let events: Vec<Event> = events.collect::<Option<_>>()?;
        let first = events.first()?;
        let Body::Created(created) = &first.body else { return None };
        let is_earlier = |parent: &LogId| self.known(*parent).is_some_and(|(_, number)| number < known.1);
        let parent = created.fork.as_ref().map(|fork| fork.game).filter(is_earlier).and_then(|parent| self.get(parent));
        let begun_at = Timestamp::from_millis(row.created_ms()).ok();
        let mut game = Summary::new(first, created, begun_at, parent.as_deref(), |player| player);
        events[1..].iter().for_each(|event| game.apply(event));
        let kind = self.rows.at(known);
        let has = |term| kind.with(term).is_some_and(|games| games.contains(known.1));
        game.is_imported = has(Term::Imported);
        for (seat, player) in (1..=SEATS_MAX).zip(&mut game.players) {
            *player = player.map(|stated| {
                if has(Term::Seat(stated, seat)) { stated } else { kind.sitter(known.1, seat).unwrap_or(stated) }
            });
        }
        Some(game)
    }

    /// All games, lines of analysis included, by kind and number.
    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = Arc<Summary>> {
        self.rows.kinds.values().flat_map(|kind| kind.rows().ids()).filter_map(|id| self.get(*id))
    }

    /// The number of games, including lines of analysis.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The games of a player, oldest first.
    pub fn of_player(&self, player: LogId) -> impl Iterator<Item = Arc<Summary>> {
        self.ids_of(player).into_iter().filter_map(|id| self.get(id))
    }

    /// The ids of the games of a player, oldest first.
    fn ids_of(&self, player: LogId) -> Vec<LogId> {
        let of_kind = |kind: &KindGames| {
            let numbers = kind.seats_of(player).fold(RoaringBitmap::new(), |numbers, seat| numbers | &*seat.set());
            numbers.iter().map(|number| (kind.rows().created_ms(number), kind.rows().id(number))).collect::<Vec<_>>()
        };
        let mut games: Vec<(i64, LogId)> = self.rows.kinds.values().flat_map(of_kind).collect();
        games.sort_unstable();
        games.into_iter().map(|(_, id)| id).collect()
    }

    /// The games with a round that is due at a time, the earliest first.
    pub fn due(&self, now: Timestamp) -> impl Iterator<Item = LogId> {
        self.by_due.iter().take_while(move |(due, _)| *due <= now).map(|(_, game)| *game)
    }

    /// The lines that fork directly from a log, by the ply at which they leave it, then by rank, then by
    /// creation.
    pub fn lines(&self, parent: LogId) -> impl DoubleEndedIterator<Item = Arc<Summary>> {
        self.line_ids(parent).filter_map(|id| self.get(id))
    }

    /// The ids of these lines.
    pub fn line_ids(&self, parent: LogId) -> impl DoubleEndedIterator<Item = LogId> {
        self.by_parent.get(&parent).into_iter().flatten().map(|(_, _, _, id)| *id)
    }

    /// The number of lines of a recorded game, including hidden ones.
    pub fn lines_len(&self, root: LogId) -> usize {
        self.by_root.get(&root).copied().unwrap_or_default()
    }

    /// The games that a filter accepts.
    pub fn select<'a>(&'a self, filter: &'a Filter) -> Selection<'a> {
        let kinds = self.rows.kinds.values().filter(|kind| filter.kind.as_ref().is_none_or(|name| *name == kind.name));
        Selection::new(self, kinds.map(|kind| filter.query(kind)).collect())
    }

    /// The numbers of the games of a kind that a filter accepts, among all of them or among some.
    pub fn matching(&self, kind: &str, filter: &Filter, among: Option<&RoaringBitmap>) -> RoaringBitmap {
        self.rows.kind(kind).map(|kind| filter.query(kind).numbers(among)).unwrap_or_default()
    }

    /// Finds games by id, those that a filter accepts.
    pub fn finder<'a>(&'a self, filter: &'a Filter) -> impl Fn(LogId) -> Option<Arc<Summary>> {
        let queries: Vec<_> = self.rows.kinds.values().map(|kind| filter.query(kind)).collect();
        move |id| {
            let (kind, number) = self.known(id)?;
            queries[usize::from(kind)].accepts(number).then(|| self.get(id)).flatten()
        }
    }

    /// How often a rating was noted; whether one has changed can be told by it.
    pub(super) fn ratings_noted(&self) -> u64 {
        self.ratings_noted
    }

    /// The summaries.
    pub(super) fn summaries(&self) -> &Summaries {
        &self.summaries
    }

    /// The summaries, to go on with others.
    pub(super) fn summaries_mut(&mut self) -> &mut Summaries {
        &mut self.summaries
    }
}

/// When the running round of a game is due, and the game.
fn due(game: &Summary) -> Option<(Timestamp, LogId)> {
    game.standing.due().map(|due| (due, game.id))
}
