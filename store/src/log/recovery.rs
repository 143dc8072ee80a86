//! Brings the index up to the end of the journal, whatever state its files are in. Only an index that is whole and was made
//! from another journal stops it: then it is the journal that was changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use plybook_events::LogId;

use super::page::Page;
use super::{Index, ReadError, Rows, entries_of};
use crate::database::{Database, Unsound};
use crate::disk;
use crate::entry::Entry;
use crate::history::HistoryChange;
use crate::journal::Journal;
use crate::lock::Lock;
use crate::open_error::OpenError;

/// How many events are read from the journal at once.
const READ_EVENTS: usize = 16_384;

/// How many events are added to the index at once, so that those of a game are often together.
const ADD_EVENTS: usize = 32_768;

/// How many of the last events of an index are compared with the journal.
const COMPARED_EVENTS: u64 = 4096;

/// How often it is said how far the index is.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// An index at the journal's end.
pub(crate) struct Recovered {
    pub index: Index,
    /// `None` if the index is in memory.
    pub database: Option<Arc<Database>>,
    /// The number of events.
    pub len: u64,
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

/// Opens the index. This takes a while, and needs no journal.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Rows, Unsound> {
    Rows::open(&Database::open(opening.dir, opening.cache_bytes, opening.lock)?)
}

/// Compares an index that was just [opened](open) with the journal, and catches it up; one that is damaged is made again. If
/// the system refuses something that sled needs, the index is left as it is, and one in memory is used until the next start.
///
/// # Errors
/// The index was made from another journal: the journal was changed, and that is not accepted.
pub(crate) fn recover(
    journal: &Arc<dyn Journal>,
    opening: &Opening<'_>,
    opened: Result<Rows, Unsound>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovered, OpenError> {
    let mut recovered = compare(journal, opening, opened, progress);
    if let Err(Stop::Sled(Unsound::Damaged(why))) = &recovered {
        recovered = match disk::probe(disk::parent(opening.dir)) {
            Ok(()) => {
                tracing::error!(why, "the index is damaged and is made again");
                compare(journal, opening, open(opening), progress)
            }
            // sled may panic on a full disk.
            Err(refusal) => Err(Unsound::Refused(format!("{refusal} ({why})")).into()),
        };
    }
    match recovered {
        Ok(recovered) => Ok(recovered),
        Err(Stop::Open(why)) => Err(why),
        Err(Stop::Sled(Unsound::InUse)) => Err(Lock::in_use(disk::parent(opening.dir)).into()),
        Err(Stop::Sled(why)) => {
            tracing::error!(%why, "the index cannot be used: until the next start there is one in memory");
            in_memory(journal, progress)
        }
    }
}

fn compare(
    journal: &Arc<dyn Journal>,
    opening: &Opening<'_>,
    opened: Result<Rows, Unsound>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovered, Stop> {
    let mut rows = opened?;
    if journal.is_shared() {
        tracing::info!(events = journal.len(), indexed = rows.position(), "the journal is open");
    }
    if let Some(change) = change_of(&**journal, &rows)? {
        let index = rows.position();
        drop(rows);
        accept(&**journal, opening, change, index)?;
        rows = open(opening)?;
    }
    catch_up(&**journal, &rows, progress)?;
    let (database, len) = (Some(Arc::clone(rows.database())), rows.position());
    Ok(Recovered { index: Index::kept(journal, rows), database, len })
}

/// Reads the whole journal into an index in memory.
pub(crate) fn in_memory(
    journal: &Arc<dyn Journal>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovered, OpenError> {
    let len = journal.len();
    Ok(Recovered { index: Index::in_memory(journal, len, progress)?, database: None, len })
}

impl From<ReadError> for OpenError {
    fn from(why: ReadError) -> Self {
        match why {
            ReadError::Journal(why) => why.into(),
            ReadError::NotAnEvent { position } => Self::NotAnEvent { position },
            why @ (ReadError::Lost { .. } | ReadError::Request) => Self::Index(why.to_string()),
        }
    }
}

/// Why an index is not opened, or not used.
enum Stop {
    Open(OpenError),
    Sled(Unsound),
}

impl From<OpenError> for Stop {
    fn from(why: OpenError) -> Self {
        Self::Open(why)
    }
}

impl From<ReadError> for Stop {
    fn from(why: ReadError) -> Self {
        Self::Open(why.into())
    }
}

impl From<Unsound> for Stop {
    fn from(why: Unsound) -> Self {
        Self::Sled(why)
    }
}

/// The first event that the journal has no more as the index has it, if the journal ends earlier, or one of the last events
/// of the index is another. Changes before these are found by the transparency log.
fn change_of(journal: &dyn Journal, rows: &Rows) -> Result<Option<HistoryChange>, Stop> {
    let (applied, len) = (rows.position(), journal.len());
    if applied <= len {
        let mut position = applied.saturating_sub(COMPARED_EVENTS);
        let mut is_same = true;
        while is_same && position < applied {
            match page(journal, position, applied) {
                // What cannot be read does not differ: readers get the error.
                Err(ReadError::Journal(why)) => {
                    tracing::error!(%why, "the index cannot be compared with the journal");
                    return Ok(None);
                }
                page => {
                    let page = page?;
                    position += page.len() as u64;
                    is_same = first_difference(rows, &page)?.is_none();
                }
            }
        }
        if is_same {
            return Ok(None);
        }
    }
    let (end, mut position) = (applied.min(len), 0);
    while position < end {
        let page = page(journal, position, end)?;
        if let Some(found) = first_difference(rows, &page)? {
            return Ok(Some(HistoryChange::at(found.position, rows.at(found.position)?.as_ref(), Some(found))));
        }
        position += page.len() as u64;
    }
    Ok(Some(HistoryChange::at(end, rows.at(end)?.as_ref(), None)))
}

/// The next events before a position; at least one.
fn page(journal: &dyn Journal, from: u64, end: u64) -> Result<Vec<Entry>, ReadError> {
    let left = usize::try_from(end - from).unwrap_or(usize::MAX);
    let entries = entries_of(journal, from, left.min(READ_EVENTS))?;
    if entries.is_empty() { Err(ReadError::NotAnEvent { position: from }) } else { Ok(entries) }
}

/// The first of these events that an index has not, or not so.
fn first_difference<'e>(rows: &Rows, entries: &'e [Entry]) -> Result<Option<&'e Entry>, Unsound> {
    let mut by_log: BTreeMap<LogId, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        by_log.entry(entry.log).or_default().push(entry);
    }
    let mut first: Option<&Entry> = None;
    for (log, entries) in by_log {
        let seqs = entries.iter().map(|entry| entry.seq);
        let (from, until) = (seqs.clone().min().unwrap_or(0), seqs.max().map_or(0, |last| last.saturating_add(1)));
        let mut recorded = BTreeMap::new();
        for entry in rows.read(log, from, until.min(from.saturating_add(entries.len() as u64))) {
            let entry = entry.ok_or_else(|| rows.damaged("a block cannot be read"))?;
            recorded.insert(entry.seq, entry);
        }
        let differs = entries.into_iter().find(|entry| recorded.get(&entry.seq) != Some(*entry));
        if differs.is_some_and(|entry| !is_whole(rows, log, entry.seq)) {
            return Err(rows.damaged("a log is not as it was recorded"));
        }
        first = first.into_iter().chain(differs).min_by_key(|entry| entry.position);
    }
    Ok(first)
}

/// Whether an index has the events of a log from a seq up to its head, each with the hash of the one before.
fn is_whole(rows: &Rows, log: LogId, from_seq: u64) -> bool {
    let Ok(Some(head)) = rows.head(log) else { return true };
    let mut page = Page::new(usize::MAX, usize::MAX);
    from_seq > head.seq || page.fill(rows.read(log, from_seq, head.seq + 1)) && page.checked(from_seq, head).is_some()
}

/// Goes on with a journal that was changed, if that is accepted: this is recorded, and only then is the index put away, with
/// the files of read models beside it. `index` is the number of events that the index has.
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

/// Adds the missing events to the index.
fn catch_up(journal: &dyn Journal, rows: &Rows, progress: &mut dyn FnMut(u64, u64)) -> Result<(), Stop> {
    let total = journal.len();
    let mut told = Instant::now();
    while rows.position() < total {
        let mut added = Vec::new();
        let mut position = rows.position();
        while added.len() < ADD_EVENTS && position < total {
            added.extend(page(journal, position, total)?);
            position = added.last().map_or(total, |entry: &Entry| entry.position + 1);
        }
        rows.add(&added)?;
        progress(position, total);
        if told.elapsed() > TOLD_EVERY {
            told = Instant::now();
            tracing::info!(events = position, of = total, "the index is made");
        }
    }
    Ok(())
}
