//! Brings the index up to the end of the journal, whatever state its files are in. Only an index that is whole and
//! was made from another journal stops it: then it is the journal that was changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::database::{Database, Unsound};
use crate::history::HistoryChange;
use crate::index::{self, Index};
use crate::keyspace::{self, Keyspace};
use crate::lock::Lock;
use crate::log::Tips;
use crate::totals::Totals;
use crate::{Entry, Journal, OpenError, disk};

/// How many events are read from the journal at once.
const READ_EVENTS: usize = 4096;

/// How many damaged indexes are kept for examination; the newest is `sled.damaged-1`.
const ASIDE_MAX: u32 = 2;

/// An index and the ends of all logs, at the journal's end.
pub(crate) struct Recovery {
    /// `None` if the index is in memory.
    pub database: Option<Arc<Database>>,
    pub index: Index,
    pub tips: Tips,
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

/// Opens the index, compares it with the journal, and catches it up. An index that is not whole is set aside and
/// replaced by a new one. If the system refuses something that sled needs, the index is left as it is, and one in
/// memory is used until the next start.
///
/// # Errors
/// The index is whole, and was made from another journal: the journal was changed, and that is not accepted.
pub(crate) fn recover(
    journal: &Arc<dyn Journal>,
    opening: &Opening<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovery, OpenError> {
    let dir = opening.dir;
    let open = || OpenedIndex::open(opening).map_err(|why| why.asking(dir));
    let opened = open();
    let applied = opened.as_ref().map_or(0, |opened| opened.keyspace.position());
    let (tips, expected) = read_through(&**journal, applied)?;
    let believed = opened.and_then(|opened| {
        let verdict = opened.compare(&**journal, expected).map_err(|why| why.asking(dir))?;
        Ok((opened, verdict))
    });
    let opened = match believed {
        Ok((opened, Verdict::Sound)) => Ok(opened),
        Ok((opened, Verdict::Changed(change))) => {
            let index = opened.keyspace.position();
            drop(opened);
            accept(&**journal, opening, change, index)?;
            open()
        }
        Ok((opened, Verdict::Torn)) => {
            drop(opened);
            set_aside(dir, "it is not whole")?;
            open()
        }
        Err(Unsound::Damaged(why)) => {
            set_aside(dir, &why)?;
            open()
        }
        Err(why) => Err(why),
    };
    let recovered = match opened {
        Ok(opened) => opened.catch_up(&**journal, tips, progress),
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
    journal.append(&[change.accepted()])?;
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
    Ok(Recovery { database: None, index, tips })
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
    keyspace: Keyspace,
    database: Arc<Database>,
    /// Whether its files are those of a clean close.
    is_clean: bool,
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
        let (database, is_clean) = Database::open(opening.dir, opening.cache_bytes, opening.lock)?;
        let keyspace = Keyspace::open(&database, index::TREE)?;
        Ok(Self { keyspace, database, is_clean })
    }

    /// An empty index that is gone when it is dropped.
    pub(crate) fn temporary() -> Result<Self, Unsound> {
        let database = Database::temporary()?;
        let keyspace = Keyspace::open(&database, index::TREE)?;
        Ok(Self { keyspace, database, is_clean: true })
    }

    /// Compares it with the journal, and with the totals that the journal yields for its position.
    fn compare(&self, journal: &dyn Journal, expected: Totals) -> Result<Verdict, Unsound> {
        let found = *self.keyspace.totals();
        if found == expected {
            return Ok(if self.is_clean || self.is_whole()? { Verdict::Sound } else { Verdict::Torn });
        }
        // Whatever happened to sled, an index that is whole holds what the journal held once.
        if !keyspace::is_whole(&self.database, index::TREE)? {
            return Ok(Verdict::Torn);
        }
        Ok(Verdict::Changed(self.first_change(journal)?))
    }

    /// The first event of the journal that is not the one in the index.
    fn first_change(&self, journal: &dyn Journal) -> Result<HistoryChange, Unsound> {
        let end = journal.len().min(self.keyspace.position());
        let mut position = 0;
        while position < end {
            // What cannot be read now was read before.
            let entries = entries(journal, position).map_err(|why| Unsound::Refused(why.to_string()))?;
            for entry in entries.iter().filter(|entry| entry.position < end) {
                let (key, value) = index::pair(entry);
                if self.keyspace.get(&key).map_err(|why| Unsound::Damaged(why.to_string()))? != Some(value) {
                    return HistoryChange::at(entry.position, Some(entry), &self.keyspace);
                }
            }
            position += entries.len() as u64;
        }
        HistoryChange::at(end, None, &self.keyspace)
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
        let mut position = self.keyspace.position();
        while position < total {
            let entries = entries(journal, position)?;
            let known = tips.len();
            for entry in entries.iter().filter(|entry| entry.position >= known) {
                tips.push(entry);
            }
            position += entries.len() as u64;
            self.keyspace.add(entries.iter().map(index::pair), position)?;
            progress(position, total);
        }
        Ok(Recovery { database: Some(self.database), index: Index::new(self.keyspace), tips })
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

/// Reads the whole journal. Returns the ends of all logs, and the totals of an index to which the first
/// `applied` events were applied.
pub(crate) fn read_through(journal: &dyn Journal, applied: u64) -> Result<(Tips, Totals), OpenError> {
    let mut tips = Tips::default();
    let mut totals = Totals::default();
    while tips.len() < journal.len() {
        for entry in entries(journal, tips.len())? {
            if entry.position < applied {
                index::count(&mut totals, &entry);
            }
            tips.push(&entry);
        }
    }
    Ok((tips, totals))
}

fn entries(journal: &dyn Journal, from: u64) -> Result<Vec<Entry>, OpenError> {
    let events = journal.read(from, READ_EVENTS)?;
    let entry = |(position, bytes)| Entry::of(position, bytes).ok_or(OpenError::NotAnEvent { position });
    (from..).zip(events).map(entry).collect()
}
