//! Brings the index up to the end of the journal, whatever state its files are in. Only an index that is whole and
//! was made from another journal stops it: then it is the journal that was changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::database::{Database, Left, Unsound};
use crate::ends::EndsFiles;
use crate::event_sum::EventSum;
use crate::history::HistoryChange;
use crate::index::{self, Index, Rows};
use crate::keyspace::{self, Keyspace};
use crate::lock::Lock;
use crate::log::{Saver, Tip, Tips};
use crate::{Entry, FileJournal, Journal, OpenError, disk};

/// How many events are read from the journal at once.
const READ_EVENTS: usize = 16_384;

/// How many events are added to the index at once, so that those of a game are often together.
const ADD_EVENTS: usize = 32_768;

/// How often it is said how far the index is.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// How many damaged indexes are kept for examination; the newest is `sled.damaged-1`.
const ASIDE_MAX: u32 = 2;

/// An index and the ends of all logs, at the journal's end.
pub(crate) struct Recovery {
    /// `None` if the index is in memory.
    pub database: Option<Arc<Database>>,
    pub index: Index,
    pub tips: Tips,
    /// What keeps the ends of logs for the next start; `None` if nothing is kept.
    pub saver: Option<Saver>,
    /// The keyspace of the index, if it is still to be counted.
    pub uncounted: Option<Keyspace>,
}

/// How to open an index.
pub(crate) struct Opening<'a> {
    /// Its directory.
    pub dir: &'a Path,
    /// Roughly how many bytes sled keeps in memory.
    pub cache_bytes: u64,
    /// Whether a journal that was changed is accepted.
    pub accepts_change: bool,
    pub lock: &'a Arc<Lock>,
}

/// A journal, and what is known of it without reading it.
pub(crate) struct Known<'a> {
    journal: &'a Arc<dyn Journal>,
    /// The same, if it is in files.
    files: Option<&'a FileJournal>,
}

impl<'a> Known<'a> {
    pub(crate) fn of(journal: &'a Arc<dyn Journal>, files: Option<&'a FileJournal>) -> Self {
        Self { journal, files }
    }

    /// The sum of some first events: in files, those of closed segments; in a stream, all of which `ends` are the ends, if the
    /// stream has the last of them. An index has applied `applied` events, and no more are of use.
    fn sum(&self, ends: &Tips, applied: u64) -> Result<EventSum, OpenError> {
        match self.files {
            Some(files) => Ok(files.known_sum(ends.len().min(applied))),
            None if ends.len() <= applied && self.holds_last(ends)? => Ok(ends.events()),
            None => Ok(EventSum::default()),
        }
    }

    fn holds_last(&self, ends: &Tips) -> Result<bool, OpenError> {
        let Some(position) = ends.len().checked_sub(1) else { return Ok(false) };
        let found = self.journal.read(position, 1)?.pop().and_then(|bytes| Entry::of(position, bytes));
        let last = found.as_ref().and_then(|found| ends.get(found.log).read(found.log).ok()?);
        Ok(last.zip(found).is_some_and(|(last, found)| last == Tip::of(&found)))
    }
}

/// Opens the index. This takes a while, and needs no journal.
pub(crate) fn open(opening: &Opening<'_>) -> Result<OpenedIndex, Unsound> {
    OpenedIndex::open(opening).map_err(|why| why.asking(opening.dir))
}

/// Compares an index that was just [opened](open) with the journal, and catches it up. An index that is not whole is set aside and
/// replaced by a new one. If the system refuses something that sled needs, the index is left as it is, and one in
/// memory is used until the next start.
///
/// # Errors
/// The index is whole, and was made from another journal: the journal was changed, and that is not accepted.
pub(crate) fn recover(
    known: &Known<'_>,
    opening: &Opening<'_>,
    opened: Result<OpenedIndex, Unsound>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovery, OpenError> {
    let (journal, dir) = (known.journal, opening.dir);
    let applied = opened.as_ref().map_or(0, OpenedIndex::applied);
    let ends = EndsFiles::new(dir);
    let read = read_through(known, ends.read(), applied)?;
    if journal.is_shared() {
        tracing::info!(events = journal.len(), indexed = applied, read_from = read.from, "the journal is open");
    }
    let believed = opened.and_then(|opened| {
        let verdict = opened.compare(&**journal, &read).map_err(|why| why.asking(dir))?;
        Ok((opened, verdict))
    });
    let opened = match believed {
        Ok((opened, Verdict::Sound)) => Ok(opened),
        Ok((opened, Verdict::Changed(change))) => {
            drop(opened);
            accept(&**journal, opening, change, applied)?;
            open(opening)
        }
        Ok((opened, Verdict::Torn)) => {
            drop(opened);
            set_aside(dir, "it is not whole")?;
            open(opening)
        }
        Err(Unsound::Damaged(why)) => {
            set_aside(dir, &why)?;
            open(opening)
        }
        Err(why) => Err(why),
    };
    let recovered = match opened {
        Ok(opened) => {
            let saver = Some(Saver::new(ends, read.believed));
            opened.catch_up(&**journal, read.tips, progress).map(|recovery| Recovery { saver, ..recovery })
        }
        Err(Unsound::InUse) => Err(Lock::in_use(disk::parent(dir)).into()),
        Err(why) => Err(why.into()),
    };
    match recovered {
        Err(OpenError::Index(why)) => {
            tracing::error!(why, "the index cannot be used: until the next start there is one in memory");
            in_memory(journal, progress)
        }
        recovered => recovered,
    }
}

/// Goes on with a journal that was changed, if that is accepted: this is recorded, and only then is the index put
/// away. `index` is the number of events that the index has.
fn accept(journal: &dyn Journal, opening: &Opening<'_>, change: HistoryChange, index: u64) -> Result<(), OpenError> {
    if !opening.accepts_change {
        return Err(if change.found.is_none() {
            OpenError::Cut { journal: journal.len(), index, dir: opening.dir.to_owned() }
        } else {
            OpenError::Changed(Box::new(change))
        });
    }
    tracing::warn!(%change, "history was changed, and that is accepted");
    journal.append(journal.len(), &[change.accepted()])?;
    let aside = (1_u32..).map(|n| PathBuf::from(format!("{}.changed-{n}", opening.dir.display())));
    let aside = aside.into_iter().find(|aside| !aside.exists()).expect("not all numbers are taken");
    let moved = fs::rename(opening.dir, &aside).and_then(|()| disk::sync_dir(disk::parent(opening.dir)));
    moved.map_err(|source| OpenError::Io { path: aside, source })
}

/// Reads the whole journal into an index in memory.
pub(crate) fn in_memory(journal: &Arc<dyn Journal>, progress: &mut dyn FnMut(u64, u64)) -> Result<Recovery, OpenError> {
    let index = Index::in_memory(Arc::clone(journal));
    let (mut tips, total) = (Tips::default(), journal.len());
    while tips.len() < total {
        let entries = entries(&**journal, tips.len())?;
        index.apply(&entries);
        for entry in &entries {
            tips.push(entry);
        }
        progress(tips.len(), total);
    }
    Ok(Recovery { database: None, index, tips, saver: None, uncounted: None })
}

impl Unsound {
    /// If the disk refuses writes, a failure is blamed on that: sled may panic on a full disk.
    fn asking(self, dir: &Path) -> Self {
        match self {
            Self::Damaged(why) => match disk::probe(disk::parent(dir)) {
                Ok(()) => Self::Damaged(why),
                Err(refusal) => Self::Refused(format!("{refusal} ({why})")),
            },
            why => why,
        }
    }
}

/// An index that has not been compared with the journal yet.
pub(crate) struct OpenedIndex {
    rows: Rows,
    database: Arc<Database>,
    left: Left,
}

/// How an index compares with the journal.
enum Verdict {
    /// It holds the first events of the journal, and every keyspace is complete.
    Sound,
    /// It is complete, and what it has applied is not in the journal.
    Changed(HistoryChange),
    /// It is not complete.
    Torn,
}

impl OpenedIndex {
    fn open(opening: &Opening<'_>) -> Result<Self, Unsound> {
        let (database, left) = Database::open(opening.dir, opening.cache_bytes, opening.lock)?;
        Self::of(database, left)
    }

    /// An empty index that is gone when it is dropped.
    pub(crate) fn temporary() -> Result<Self, Unsound> {
        Self::of(Database::temporary()?, Left::Closed)
    }

    fn of(database: Arc<Database>, left: Left) -> Result<Self, Unsound> {
        let rows = Rows::open(Keyspace::open(&database, index::TREE)?)?;
        Ok(Self { rows, database, left })
    }

    /// The number of events that it has.
    fn applied(&self) -> u64 {
        self.rows.event_sum().position
    }

    /// Compares it with the journal.
    fn compare(&self, journal: &dyn Journal, read: &ReadThrough) -> Result<Verdict, Unsound> {
        if self.rows.event_sum() == read.applied {
            return Ok(if self.left != Left::Unknown || self.is_whole()? { Verdict::Sound } else { Verdict::Torn });
        }
        // Whatever happened to sled, an index that is whole holds what the journal held once.
        if !keyspace::is_whole(&self.database, index::TREE)? {
            return Ok(Verdict::Torn);
        }
        Ok(Verdict::Changed(first_change(journal, &self.rows)?))
    }

    /// Recounts every keyspace.
    fn is_whole(&self) -> Result<bool, Unsound> {
        for name in self.database.tree_names()? {
            if !keyspace::is_whole(&self.database, &name)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the missing events to the index; `tips` are the ends of the logs as far as they are known.
    pub(crate) fn catch_up(
        self,
        journal: &dyn Journal,
        mut tips: Tips,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Recovery, OpenError> {
        let total = journal.len();
        let mut position = self.rows.event_sum().position;
        let mut told = Instant::now();
        while position < total {
            let mut added = Vec::new();
            while added.len() < ADD_EVENTS && position < total {
                added.extend(entries(journal, position)?);
                position = added.last().map_or(total, |entry: &Entry| entry.position + 1);
            }
            let known = tips.len();
            for entry in added.iter().filter(|entry| entry.position >= known) {
                tips.push(entry);
            }
            self.rows.add(&added)?;
            progress(position, total);
            if told.elapsed() > TOLD_EVERY {
                told = Instant::now();
                tracing::info!(events = position, of = total, "the index is made");
            }
        }
        self.database.believe();
        let uncounted = (self.left == Left::Killed).then(|| self.rows.keyspace().clone());
        Ok(Recovery { database: Some(self.database), index: Index::Kept(self.rows), tips, saver: None, uncounted })
    }
}

/// Renames a damaged index, so that it can be examined. The oldest of those set aside is removed.
fn set_aside(dir: &Path, why: &str) -> Result<(), OpenError> {
    let io = |source| OpenError::Io { path: dir.to_owned(), source };
    let aside = |n: u32| PathBuf::from(format!("{}.damaged-{n}", dir.display()));
    tracing::error!(why, aside = %aside(1).display(), "the index is damaged and is rebuilt");
    for n in (1..=ASIDE_MAX).rev().filter(|n| aside(*n).exists()) {
        let moved = if n == ASIDE_MAX { fs::remove_dir_all(aside(n)) } else { fs::rename(aside(n), aside(n + 1)) };
        moved.map_err(io)?;
    }
    fs::rename(dir, aside(1)).map_err(io)?;
    disk::sync_dir(disk::parent(dir)).map_err(io)
}

/// What the journal yields up to the last event that an index has applied.
struct ReadThrough {
    /// The position from which on it was read.
    from: u64,
    /// The ends of all logs, after those events or more.
    tips: Tips,
    /// The number of events of which the ends were known; 0 if everything was read.
    believed: u64,
    /// The sum of the first events, as many as an index has.
    applied: EventSum,
}

/// Reads the journal up to the last event that an index has applied, from the place on after which something is not known: after
/// the events of which `ends` are the ends, or which the index has applied. Begins with the first event if there are no ends, or if
/// they are not of this journal.
fn read_through(known: &Known<'_>, mut ends: Option<Tips>, applied: u64) -> Result<ReadThrough, OpenError> {
    let mut sum = match &ends {
        Some(ends) => known.sum(ends, applied)?,
        None => EventSum::default(),
    };
    let begin = sum.position;
    let mut read = ReadThrough { from: begin, tips: Tips::default(), believed: 0, applied: EventSum::default() };
    let mut events = Vec::new().into_iter();
    loop {
        if sum.position <= applied {
            read.applied = sum;
        }
        if let Some(ends) = ends.take_if(|ends| ends.events() == sum) {
            read.believed = ends.len();
            read.tips = ends;
        }
        if sum.position >= applied && read.tips.len() == sum.position {
            break;
        }
        if events.len() == 0 {
            events = entries(&**known.journal, sum.position)?.into_iter();
        }
        let Some(entry) = events.next() else { break };
        sum.push(&entry);
        if read.tips.len() == entry.position {
            read.tips.push(&entry);
        }
    }
    if ends.is_some_and(|ends| ends.len() <= sum.position) {
        tracing::warn!("the ends of logs that were kept are not those of this journal, and all of it is read");
    }
    if begin > 0 && read.believed == 0 { read_through(known, None, applied) } else { Ok(read) }
}

/// The sum of the first events of a journal, as many as an index has applied, or all if there are fewer.
pub(crate) fn sum_of(journal: FileJournal, applied: u64) -> Result<EventSum, OpenError> {
    let journal: Arc<dyn Journal> = Arc::new(journal);
    Ok(read_through(&Known::of(&journal, None), None, applied)?.applied)
}

/// The first event of an index that the journal does not have there, in two passes over the index: one finds the piece of
/// the journal, the other the event.
fn first_change(journal: &dyn Journal, rows: &Rows) -> Result<HistoryChange, Unsound> {
    // What cannot be read now was read before.
    let entries = |position| entries(journal, position).map_err(|why| Unsound::Refused(why.to_string()));
    let piece = |position: u64| (position / READ_EVENTS as u64) as usize;
    let end = journal.len().min(rows.event_sum().position);
    let mut differences = vec![0_u128; piece(end) + 1];
    for entry in rows.all() {
        let entry = entry?;
        if entry.position < end {
            let difference = &mut differences[piece(entry.position)];
            *difference = difference.wrapping_add(EventSum::term(&entry.hash, entry.position));
        }
    }
    let mut position = 0;
    while position < end {
        for entry in entries(position)?.iter().filter(|entry| entry.position < end) {
            let difference = &mut differences[piece(entry.position)];
            *difference = difference.wrapping_sub(EventSum::term(&entry.hash, entry.position));
            position = entry.position + 1;
        }
    }
    let changed = differences.iter().position(|difference| *difference != 0);
    let start = changed.map_or(end, |piece| (piece * READ_EVENTS) as u64);
    let is_near = |entry: &Result<Entry, Unsound>| {
        let is_near = |position| (start..=end).contains(&position) && piece(position) == piece(start);
        entry.as_ref().map_or(true, |entry| is_near(entry.position))
    };
    let near = rows.all().filter(is_near).map(|entry| entry.map(|entry| (entry.position, entry)));
    let near: BTreeMap<u64, Entry> = near.collect::<Result<_, _>>()?;
    let mut position = start;
    while position < end {
        for found in entries(position)?.iter().filter(|found| found.position < end) {
            let recorded = near.get(&found.position);
            if recorded.is_none_or(|recorded| recorded.hash != found.hash) {
                return Ok(HistoryChange::at(found.position, recorded, Some(found)));
            }
            position = found.position + 1;
        }
    }
    Ok(HistoryChange::at(end, near.get(&end), None))
}

fn entries(journal: &dyn Journal, from: u64) -> Result<Vec<Entry>, OpenError> {
    let events = journal.read(from, READ_EVENTS)?;
    let entry = |(position, bytes)| Entry::of(position, bytes).ok_or(OpenError::NotAnEvent { position });
    (from..).zip(events).map(entry).collect()
}
