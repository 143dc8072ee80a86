//! All games: by id, by kind and number, by parent, and with deadlines.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::{Arc, LazyLock};

use hashbrown::HashTable;
use plybook_events::{Body, Event, LogId, SEATS_MAX, Timestamp};
use plybook_store::{Log, Memory, TableError};
use roaring::RoaringBitmap;

use super::kind::KindGames;
use super::order::{Branch, branch};
use super::row_columns::RowColumns;
use super::rows::Row;
use super::selection::Selection;
use super::summaries::Summaries;
use super::summary::Summary;
use super::terms::Term;
use crate::blocks::{BlockReader, BlockWriter};
use crate::filter::Filter;
use crate::game_run::{GameKey, GameRun};

/// About how many bytes of JSON a summary has whose JSON is lost.
const REMADE_BYTES: usize = 1024;

/// All games, including lines of analysis.
#[derive(Default)]
pub struct KnownGames {
    by_id: ById,
    rows: Rows,
    summaries: Summaries,
    /// Where games are read again whose summaries are lost.
    log: Option<Log>,
    by_parent: HashMap<LogId, BTreeSet<Branch>>,
    /// The running games with a deadline, by the time.
    by_due: BTreeSet<(Timestamp, LogId)>,
    /// The number of lines of analysis of each game, including hidden ones.
    by_root: HashMap<LogId, usize>,
    /// The games that are not yet found as they are now, with the [changing terms](Summary::changing_terms) by which they
    /// are found; `None` for games that are not found at all.
    unsettled: BTreeMap<LogId, Option<Vec<Term>>>,
    /// How often a rating was noted.
    ratings_noted: u64,
}

/// The games by kind.
#[derive(Default)]
pub struct Rows {
    kinds: Vec<KindGames>,
    by_name: HashMap<String, usize>,
}

/// Where the row of a game is.
#[derive(Clone, Copy)]
struct KnownGame {
    /// The index of its kind.
    kind: u16,
    number: u32,
}

/// All games by their ids, which are in their rows: some six bytes a game.
#[derive(Default)]
struct ById {
    /// Of each kind the numbers of its games.
    kinds: Vec<HashTable<u32>>,
    hasher: RandomState,
}

impl ById {
    /// Adds a kind, with room for the ids of so many games.
    fn add_kind(&mut self, games: usize) {
        self.kinds.push(HashTable::with_capacity(games));
    }

    fn get(&self, id: LogId, rows: &Rows) -> Option<KnownGame> {
        let hash = self.hasher.hash_one(id);
        (0..).zip(&self.kinds).zip(&rows.kinds).find_map(|((kind, numbers), games)| {
            let number = numbers.find(hash, |number| games.rows().id(*number) == id)?;
            Some(KnownGame { kind, number: *number })
        })
    }

    /// Adds a game that has a row. There is none with its id.
    fn insert(&mut self, KnownGame { kind, number }: KnownGame, rows: &Rows) {
        let Self { kinds, hasher } = self;
        let games = rows.kinds[usize::from(kind)].rows();
        let hash = |number: &u32| hasher.hash_one(games.id(*number));
        kinds[usize::from(kind)].insert_unique(hash(&number), number, hash);
    }

    fn len(&self) -> usize {
        self.kinds.iter().map(HashTable::len).sum()
    }
}

impl KnownGame {
    fn key(self) -> GameKey {
        u64::from(self.kind) << 32 | u64::from(self.number)
    }
}

impl Rows {
    /// The names of the kinds that have games.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().map(|kind| &*kind.name)
    }

    /// The games of a kind, by their numbers.
    pub fn of(&self, kind: &str) -> &RowColumns {
        static NONE: LazyLock<RowColumns> = LazyLock::new(RowColumns::default);
        self.kind(kind).map_or(&NONE, KindGames::rows)
    }

    /// The games of a kind; `None` if there are none.
    pub fn kind(&self, name: &str) -> Option<&KindGames> {
        self.by_name.get(name).map(|index| &self.kinds[*index])
    }

    /// The index of a kind, which is added if it is new.
    fn index(&mut self, name: &str) -> usize {
        match self.by_name.get(name) {
            Some(index) => *index,
            None => self.add(KindGames::new(name)),
        }
    }

    fn add(&mut self, kind: KindGames) -> usize {
        self.by_name.insert(kind.name.clone(), self.kinds.len());
        self.kinds.push(kind);
        self.kinds.len() - 1
    }

    fn row(&self, known: KnownGame) -> Row {
        self.kinds[usize::from(known.kind)].rows().get(known.number)
    }
}

impl KnownGames {
    /// No games. Those whose summaries are lost are read from a log; `memory` is for all read models.
    pub(super) fn new(log: &Log, memory: Memory) -> Self {
        Self { summaries: Summaries::new(memory), log: Some(log.clone()), ..Self::default() }
    }

    /// Writes all games, without their summaries. All of them are settled.
    pub(super) fn write(&self, to: &mut BlockWriter) -> io::Result<()> {
        to.push(&[self.rows.kinds.len() as u8])?;
        for kind in &self.rows.kinds {
            kind.write(to)?;
        }
        let lines = self.by_parent.iter().flat_map(|(parent, lines)| lines.iter().map(move |line| (parent, line)));
        to.push_list(lines.collect::<BTreeSet<_>>())?;
        to.push_list(self.by_root.iter().collect::<BTreeSet<_>>())?;
        to.push_list(&self.by_due)
    }

    /// Adds the games that were written, with the runs that have their summaries.
    pub(super) fn read(&mut self, from: &mut BlockReader<'_>, runs: Vec<GameRun>) -> Result<(), TableError> {
        let summaries: u64 = runs.iter().map(|run| run.games.len()).sum();
        let kinds = from.read(|kinds| kinds.first().copied())?;
        for kind in 0..kinds.into() {
            let games = KindGames::read(from)?;
            let numbers = 0..games.rows().len() as u32;
            self.by_id.add_kind(games.rows().len());
            self.rows.add(games);
            numbers.for_each(|number| self.by_id.insert(KnownGame { kind, number }, &self.rows));
        }
        from.read_list(|(parent, line): (LogId, Branch)| {
            self.by_parent.entry(parent).or_default().insert(line);
        })?;
        from.read_list(|(root, lines): (LogId, usize)| {
            self.by_root.insert(root, lines);
        })?;
        from.read_list(|due: (Timestamp, LogId)| {
            self.by_due.insert(due);
        })?;
        self.summaries.replace_runs(runs, &BTreeMap::new());
        if summaries == self.len() as u64 { Ok(()) } else { Err(from.damaged()) }
    }

    /// Adds a game after all others of its kind, and returns its number. A game that is known stays as it is. It is found
    /// once it is [settled](Self::settle).
    pub(super) fn load(&mut self, game: Summary) -> u32 {
        if let Some(known) = self.known(game.id) {
            return known.number;
        }
        let kind = self.rows.index(&game.kind);
        if kind == self.by_id.kinds.len() {
            self.by_id.add_kind(0);
        }
        let number = self.rows.kinds[kind].push(&game);
        self.by_due.extend(due(&game));
        if let Some((parent, branch)) = branch(&game) {
            self.by_parent.entry(parent).or_default().insert(branch);
            *self.by_root.entry(game.root).or_default() += 1;
        }
        self.unsettled.insert(game.id, None);
        let known = KnownGame { kind: kind as u16, number };
        self.by_id.insert(known, &self.rows);
        self.summaries.put(known.key(), Arc::new(game));
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
        let taken = self.summaries.take(known.key());
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
        self.rows.kinds[usize::from(known.kind)].set_events(known.number, summary.standing.events as u32);
        self.summaries.put(known.key(), summary);
    }

    /// Has all games found as they are now. This comes after all events that are applied at once: in sets and orders, a game
    /// with fifty of them moves once.
    pub(super) fn settle(&mut self) {
        for (game, before) in std::mem::take(&mut self.unsettled) {
            let known = self.known(game).expect("what is unsettled is known");
            let summary = &self.summaries.changed()[&known.key()];
            let games = &mut self.rows.kinds[usize::from(known.kind)];
            match before {
                Some(before) => games.update(known.number, &before, summary),
                None => games.enter(known.number, summary),
            }
        }
    }

    /// Notes the mean rating of a game's players.
    pub(super) fn set_rating(&mut self, game: LogId, rating: Option<f32>) {
        self.settle();
        self.ratings_noted += 1;
        if let Some(KnownGame { kind, number }) = self.known(game) {
            self.rows.kinds[usize::from(kind)].set_rating(number, rating);
        }
    }

    fn known(&self, id: LogId) -> Option<KnownGame> {
        self.by_id.get(id, &self.rows)
    }

    /// The number of events that the summary of a game has applied.
    fn events(&self, game: KnownGame) -> u32 {
        self.rows.kinds[usize::from(game.kind)].events(game.number)
    }

    /// The games of each kind, numbered.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// What most queries ask about a game.
    pub fn row(&self, game: LogId) -> Option<Row> {
        self.known(game).map(|known| self.rows.row(known))
    }

    /// The kind of a game, and its number among the games of that kind.
    pub fn place(&self, id: LogId) -> Option<(&str, u32)> {
        let known = self.known(id)?;
        Some((&self.rows.kinds[usize::from(known.kind)].name, known.number))
    }

    /// The number of a game among those of its kind.
    pub fn number(&self, id: LogId) -> Option<u32> {
        self.known(id).map(|known| known.number)
    }

    /// The kind of a game.
    pub fn kind(&self, id: LogId) -> Option<&str> {
        self.place(id).map(|(kind, _)| kind)
    }

    /// Whether there is a game with this id.
    pub fn has(&self, id: LogId) -> bool {
        self.known(id).is_some()
    }

    /// The game with this id. Also `None`, and an error in the log, if its table and its log cannot be read.
    pub fn get(&self, id: LogId) -> Option<Arc<Summary>> {
        let known = self.known(id)?;
        self.summaries.get(known.key()).or_else(|| self.remake(known))
    }

    /// Has the system begin to read these games, which are asked for next, so that they come from the disk together.
    pub fn prefetch(&self, games: &[LogId]) {
        games.iter().filter_map(|id| self.known(*id)).for_each(|known| self.summaries.prefetch(known.key()));
    }

    /// Makes a summary that is lost again, from the events that it had applied.
    fn remake(&self, known: KnownGame) -> Option<Arc<Summary>> {
        let row = self.rows.row(known);
        let remade = self.remade(known, &row);
        if remade.is_none() {
            tracing::error!(game = %row.id, "what is known of a game cannot be read");
        }
        let remade = Arc::new(remade?);
        self.summaries.keep(known.key(), &remade, REMADE_BYTES);
        Some(remade)
    }

    fn remade(&self, known: KnownGame, row: &Row) -> Option<Summary> {
        let lines = self.log.as_ref()?.read(row.id, 0).ok()?;
        let events = lines.iter().take(self.events(known) as usize).map(|line| Event::parse(line).ok());
        let events: Vec<Event> = events.collect::<Option<_>>()?;
        let first = events.first()?;
        let Body::Created(created) = &first.body else { return None };
        let is_earlier = |parent: &LogId| self.known(*parent).is_some_and(|parent| parent.number < known.number);
        let parent = created.fork.as_ref().map(|fork| fork.game).filter(is_earlier).and_then(|parent| self.get(parent));
        let begun_at = Timestamp::from_millis(row.created_ms()).ok();
        let mut game = Summary::new(first, created, begun_at, parent.as_deref(), |player| player);
        events[1..].iter().for_each(|event| game.apply(event));
        let kind = &self.rows.kinds[usize::from(known.kind)];
        let has = |term| kind.with(term).is_some_and(|games| games.contains(known.number));
        game.is_imported = has(Term::Imported);
        for (seat, player) in (1..=SEATS_MAX).zip(&mut game.players) {
            *player = player.map(|stated| {
                if has(Term::Seat(stated, seat)) { stated } else { kind.sitter(known.number, seat).unwrap_or(stated) }
            });
        }
        Some(game)
    }

    /// All games, lines of analysis included, by kind and number.
    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = Arc<Summary>> {
        self.rows.kinds.iter().flat_map(|kind| kind.rows().ids()).filter_map(|id| self.get(*id))
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
        let mut games: Vec<(i64, LogId)> = self.rows.kinds.iter().flat_map(of_kind).collect();
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
        let kinds = self.rows.kinds.iter().filter(|kind| filter.kind.as_ref().is_none_or(|name| *name == kind.name));
        Selection::new(self, kinds.map(|kind| filter.query(kind)).collect())
    }

    /// The numbers of the games of a kind that a filter accepts, among all of them or among some.
    pub fn matching(&self, kind: &str, filter: &Filter, among: Option<&RoaringBitmap>) -> RoaringBitmap {
        self.rows.kind(kind).map(|kind| filter.query(kind).numbers(among)).unwrap_or_default()
    }

    /// Finds games by id, those that a filter accepts.
    pub fn finder<'a>(&'a self, filter: &'a Filter) -> impl Fn(LogId) -> Option<Arc<Summary>> {
        let queries: Vec<_> = self.rows.kinds.iter().map(|kind| filter.query(kind)).collect();
        move |id| {
            let KnownGame { kind, number } = self.known(id)?;
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
