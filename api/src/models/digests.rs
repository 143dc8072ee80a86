//! The read model of digests: what every recorded game went through and measured, kept in a table,
//! and in memory as an index of positions and columns of figures.
//!
//! A thread of its own follows the journal, so that no writer waits for it; whoever asks waits
//! until what was recorded before the question is in ([`Digests::ask`]). A game is digested from
//! its log whenever it has changed; running games with secrets are left out until they are over.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use plybook_events::{Event, Hash, LogId};
use plybook_rules::kinds;
use plybook_store::{Changes, Entry, Log, Store, Table};

use super::digest::{Digest, split_key};
use super::figures::Figures;
use super::nodes::Nodes;
use super::{Known, Models};
use crate::error::Problem;
use crate::parallel;

/// The version of the rows.
const VERSION: &str = "v1";

/// The most events that are applied at once.
pub(super) const BATCH: usize = 65_536;

/// How long a question waits for what was recorded before it.
const WAIT: Duration = Duration::from_secs(5);

/// The digests of all recorded games.
pub struct Digests {
    inner: Arc<Inner>,
    worker: Option<JoinHandle<()>>,
}

struct Inner {
    log: Log,
    table: Table,
    models: Arc<Models>,
    kinds: RwLock<BTreeMap<String, Kind>>,
    progress: Mutex<Progress>,
    changed: Condvar,
    is_over: AtomicBool,
}

/// How far the model has come.
#[derive(Default)]
struct Progress {
    /// The journal position of the next event to apply.
    position: u64,
    /// Whether nothing more will be applied.
    is_stuck: bool,
}

/// What is known of the games of a kind; games go by their numbers in [`super::Rows`].
#[derive(Default)]
pub struct Kind {
    /// What was played from which position.
    pub nodes: Nodes,
    /// What was counted.
    pub figures: Figures,
}

/// The models at one moment.
pub struct Asked<'a> {
    /// Games and players.
    pub known: RwLockReadGuard<'a, Known>,
    kinds: RwLockReadGuard<'a, BTreeMap<String, Kind>>,
    /// Events that were recorded before the question and are not counted; 0 nearly always.
    pub pending: u64,
}

impl Asked<'_> {
    /// What is known of a kind; `None` where no game of it was recorded.
    pub fn kind(&self, kind: &str) -> Option<&Kind> {
        self.kinds.get(kind)
    }
}

impl Digests {
    /// Begins to load the table and to follow the journal, on a thread of its own.
    ///
    /// # Errors
    /// The table cannot be opened.
    pub fn open(store: &Store, models: &Arc<Models>) -> Result<Self, Problem> {
        let inner = Arc::new(Inner {
            log: store.log().clone(),
            table: store.table(&table_name()).map_err(Problem::internal)?,
            models: Arc::clone(models),
            kinds: RwLock::default(),
            progress: Mutex::default(),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
        });
        let told = Arc::downgrade(&inner);
        store.log().watch(move |_| {
            if let Some(inner) = told.upgrade() {
                inner.changed.notify_all();
            }
        });
        let follower = Arc::clone(&inner);
        let worker = thread::spawn(move || follower.follow());
        Ok(Self { inner, worker: Some(worker) })
    }

    /// The models as they stand once everything is in that was recorded before; after five seconds
    /// as they stand then.
    pub fn ask(&self) -> Asked<'_> {
        let inner = &self.inner;
        let wanted = inner.log.len();
        let until = Instant::now() + WAIT;
        let mut progress = inner.progress();
        // Who was told of an append before it began to wait has not heard of it.
        inner.changed.notify_all();
        while progress.position < wanted && !progress.is_stuck {
            let Some(left) = until.checked_duration_since(Instant::now()) else { break };
            progress = inner.changed.wait_timeout(progress, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(progress);
        self.now()
    }

    /// The models as they stand. To be held for a moment and not twice by one thread: it keeps
    /// writers out.
    pub fn now(&self) -> Asked<'_> {
        let inner = &self.inner;
        let pending = inner.log.len().saturating_sub(inner.progress().position);
        let known = inner.models.known();
        let kinds = inner.kinds.read().unwrap_or_else(PoisonError::into_inner);
        Asked { known, kinds, pending }
    }

    /// The digest of a game, from the table; `None` where it has none yet.
    ///
    /// # Errors
    /// The table is damaged.
    pub fn get(&self, game: LogId) -> Result<Option<Digest>, Problem> {
        Ok(self.inner.stored(game)?.map(|(digest, _)| digest))
    }
}

impl Drop for Digests {
    fn drop(&mut self) {
        self.inner.is_over.store(true, Ordering::SeqCst);
        drop(self.inner.progress());
        self.inner.changed.notify_all();
        if let Some(worker) = self.worker.take()
            && worker.join().is_err()
        {
            tracing::error!("the digests ended in a panic");
        }
    }
}

impl Inner {
    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follow(&self) {
        if let Err(why) = self.load().and_then(|()| self.apply_all()) {
            tracing::error!(%why, "explorer and statistics stand still; `plybook rebuild` makes them anew");
            self.progress().is_stuck = true;
            self.changed.notify_all();
        }
    }

    /// Loads what the table has.
    fn load(&self) -> Result<(), Problem> {
        let mut loaded: Option<(LogId, Digest)> = None;
        let mut lost = false;
        for row in self.table.prefix(b"") {
            let (key, value) = row.map_err(Problem::internal)?;
            let Some((id, number)) = split_key(&key) else { continue };
            if loaded.as_ref().is_none_or(|(last, _)| *last != id)
                && let Some((id, digest)) = loaded.replace((id, Digest::default()))
            {
                self.place(id, None, Some(&digest));
            }
            lost |= loaded.as_mut().is_none_or(|(_, digest)| digest.read_row(number, &value).is_none());
            if lost || self.is_over.load(Ordering::SeqCst) {
                break;
            }
        }
        if let Some((id, digest)) = loaded {
            self.place(id, None, Some(&digest));
        }
        if lost {
            tracing::warn!("the digests cannot be read and are made anew");
            self.kinds.write().unwrap_or_else(PoisonError::into_inner).clear();
            self.table.clear().map_err(Problem::internal)?;
        }
        self.progress().position = self.table.position();
        self.changed.notify_all();
        Ok(())
    }

    /// Applies what the journal has, and what it gets, until it is over.
    fn apply_all(&self) -> Result<(), Problem> {
        loop {
            let mut progress = self.progress();
            // What the summaries do not know yet is left for the next round.
            let end = loop {
                if self.is_over.load(Ordering::SeqCst) {
                    return Ok(());
                }
                let end = self.models.known().position;
                if progress.position < end {
                    break end;
                }
                let waited = self.changed.wait_timeout(progress, Duration::from_millis(200));
                progress = waited.unwrap_or_else(PoisonError::into_inner).0;
            };
            let from = progress.position;
            drop(progress);
            let mut entries = self.log.entries(from, BATCH)?;
            entries.retain(|entry| entry.position < end);
            if let Some(last) = entries.last() {
                let position = last.position + 1;
                self.apply(&entries, position, position < end)?;
            }
        }
    }

    /// Takes entries in; where more wait to be applied, games that change in them again are left.
    fn apply(&self, entries: &[Entry], position: u64, is_more: bool) -> Result<(), Problem> {
        let mut changes = Changes::new();
        let mut placed = Vec::new();
        for (id, digest) in digests(&self.log, entries, is_more) {
            let stored = self.stored(id)?;
            let (old, had) = stored.map_or((None, 0), |(digest, rows)| (Some(digest), rows));
            match &digest {
                Some(digest) => digest.put(id, had, &mut changes),
                None => (0..had).for_each(|gone| changes.delete(super::digest::row_key(id, gone))),
            }
            placed.push((id, old, digest));
        }
        self.table.apply(&changes, position).map_err(Problem::internal)?;
        for (id, old, digest) in &placed {
            self.place(*id, old.as_ref(), digest.as_ref());
        }
        self.progress().position = position;
        self.changed.notify_all();
        Ok(())
    }

    /// Puts what a digest says in the place of what the old one said.
    fn place(&self, id: LogId, old: Option<&Digest>, new: Option<&Digest>) {
        let known = self.models.known();
        let Some((game, number)) = known.games.get(id).zip(known.games.rows().number(id)) else { return };
        let rows = known.games.rows().of(&game.kind);
        let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        let kind = kinds.entry(game.kind.clone()).or_default();
        if let Some(old) = old {
            kind.nodes.remove(number, &old.keys, &old.words, rows);
        }
        kind.figures.set(number, new);
        if let Some(new) = new.filter(|_| !game.is_void) {
            kind.nodes.add(number, &new.keys, &new.words, rows);
        }
    }

    /// A game's digest in the table, and how many rows it has.
    fn stored(&self, id: LogId) -> Result<Option<(Digest, u16)>, Problem> {
        let mut digest = Digest::default();
        let mut rows = 0;
        for row in self.table.prefix(&id.to_bytes()) {
            let (key, value) = row.map_err(Problem::internal)?;
            let (_, number) = split_key(&key).ok_or_else(|| Problem::internal("a digest has a key of its own"))?;
            digest.read_row(number, &value).ok_or_else(|| Problem::internal("a digest cannot be read"))?;
            rows += 1;
        }
        Ok((rows > 0).then_some((digest, rows)))
    }
}

/// The name of the table, with the version of what is in it and a hash of what the kinds measure: a
/// table of another name is built from the journal, so that a new measure covers everything recorded.
pub fn table_name() -> String {
    let mut measured = Vec::new();
    for rules in kinds() {
        let names = [rules.measures(), rules.heat(), rules.luck()].concat();
        let names: Vec<&str> = names.iter().map(|label| label.name).chain(rules.places().iter().copied()).collect();
        measured.push(format!("{} {}: {}", rules.about().kind, rules.about().version, names.join(" ")));
    }
    let hash = Hash::of_parts(&[measured.join("\n").as_bytes()]).to_string();
    format!("digests/{VERSION}/{}", &hash[..16])
}

/// The rows of the games that some entries of the journal change, for a table that has none of them.
pub(super) fn fresh(log: &Log, entries: &[Entry]) -> Changes {
    let mut changes = Changes::new();
    for (id, digest) in digests(log, entries, true) {
        digest.inspect(|digest| digest.put(id, 0, &mut changes));
    }
    changes
}

/// The digests of the games that some entries of the journal change, in the order in which they
/// come; `None` where a game has none. Where `is_more`, a game that changes again later is left for
/// that time. Made on all cores.
fn digests(log: &Log, entries: &[Entry], is_more: bool) -> Vec<(LogId, Option<Digest>)> {
    let mut order = Vec::new();
    let mut changed: HashMap<LogId, Vec<&Entry>> = HashMap::new();
    for entry in entries {
        let of_game = changed.entry(entry.log).or_insert_with(|| {
            order.push(entry.log);
            Vec::new()
        });
        of_game.push(entry);
    }
    let is_last = |id: &LogId| log.head(*id).is_none_or(|head| changed[id].last().is_none_or(|e| e.seq >= head.seq()));
    order.retain(|id| !is_more || is_last(id));
    let digests = parallel::map(&order, |id| digest(log, *id, &changed[id]));
    order.into_iter().zip(digests).collect()
}

/// Digests a game, from the entries at hand if they are its whole log.
fn digest(log: &Log, id: LogId, entries: &[&Entry]) -> Option<Digest> {
    let parse = |bytes: &[u8]| Event::parse(bytes).ok();
    let events: Option<Vec<Event>> = if entries.first().is_some_and(|entry| entry.seq == 0) {
        entries.iter().map(|entry| parse(&entry.bytes)).collect()
    } else {
        let lines = log.read(id, 0).inspect_err(|why| tracing::error!(%id, %why, "a log cannot be read")).ok()?;
        lines.iter().map(|line| parse(line)).collect()
    };
    Digest::of(&events?)
}
