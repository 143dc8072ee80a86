//! Brings the index to the journal's end, whatever state its files are in.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::database::{Database, Unsound};
use crate::index::{self, Index};
use crate::keyspace::{self, Keyspace};
use crate::lock::Lock;
use crate::log::Tips;
use crate::totals::Totals;
use crate::{Entry, Journal, OpenError, disk};

/// How many events are read from the journal at once.
const READ_EVENTS: usize = 4096;

/// An index and the ends of all logs, at the journal's end.
pub(crate) struct Recovered {
    pub database: Arc<Database>,
    pub keyspace: Keyspace,
    pub tips: Tips,
}

/// Opens the index, compares it with the journal, and catches it up. An index that contradicts the
/// journal is set aside and replaced by a new one.
pub(crate) fn recover(
    journal: &dyn Journal,
    dir: &Path,
    cache_bytes: u64,
    lock: &Arc<Lock>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovered, OpenError> {
    let open = || Opened::open(dir, cache_bytes, lock);
    let opened = open();
    let applied = opened.as_ref().map_or(0, |opened| opened.keyspace.position());
    let (tips, expected) = read_through(journal, applied)?;
    let believed = opened.and_then(|opened| {
        let verdict = opened.compare(journal.len(), expected)?;
        Ok((opened, verdict))
    });
    let opened = match believed {
        Ok((opened, Verdict::Sound)) => opened,
        Ok((_, Verdict::Beyond { position })) => {
            let (journal, dir) = (journal.len(), dir.to_owned());
            return Err(OpenError::Cut { journal, index: position, dir });
        }
        Ok((opened, Verdict::Other)) => {
            drop(opened);
            set_aside(dir, "it does not hold what the journal says")?;
            open()?
        }
        Err(why) => {
            set_aside(dir, &why.0)?;
            open()?
        }
    };
    let Opened { database, keyspace, .. } = opened;
    let mut recovered = Recovered { database, keyspace, tips };
    recovered.catch_up(journal, progress)?;
    Ok(recovered)
}

/// An index that has not been compared with the journal yet.
struct Opened {
    keyspace: Keyspace,
    database: Arc<Database>,
    /// Whether its files are those of a clean close.
    is_clean: bool,
}

/// How an index compares with the journal.
enum Verdict {
    /// It holds the journal's first events, and every keyspace is complete.
    Sound,
    /// It holds all of the journal's events and more, up to this position: the journal was truncated.
    Beyond { position: u64 },
    /// It holds something else.
    Other,
}

impl Opened {
    fn open(dir: &Path, cache_bytes: u64, lock: &Arc<Lock>) -> Result<Self, Unsound> {
        let (database, is_clean) = Database::open(dir, cache_bytes, lock)?;
        let keyspace = Keyspace::open(&database, index::TREE)?;
        Ok(Self { keyspace, database, is_clean })
    }

    /// Compares it with the totals that the journal yields.
    fn compare(&self, journal_len: u64, expected: Totals) -> Result<Verdict, Unsound> {
        let found = *self.keyspace.totals();
        if found.position > journal_len {
            let is_same = self.events_before(journal_len)? == expected;
            let position = found.position;
            return Ok(if is_same { Verdict::Beyond { position } } else { Verdict::Other });
        }
        let is_sound = found == expected && (self.is_clean || self.is_whole()?);
        Ok(if is_sound { Verdict::Sound } else { Verdict::Other })
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

    /// The totals of the events before a journal position.
    fn events_before(&self, position: u64) -> Result<Totals, Unsound> {
        let mut totals = Totals::default();
        for entry in Index::all(&self.keyspace) {
            let entry = entry?;
            if entry.position < position {
                index::count(&mut totals, &entry);
            }
        }
        totals.position = position;
        Ok(totals)
    }
}

impl Recovered {
    /// Feeds the index the events that it lacks.
    pub(crate) fn catch_up(
        &mut self,
        journal: &dyn Journal,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), OpenError> {
        let total = journal.len();
        let mut position = self.keyspace.position();
        while position < total {
            let entries = entries(journal, position)?;
            let known = self.tips.len();
            for entry in entries.iter().filter(|entry| entry.position >= known) {
                self.tips.push(entry);
            }
            position += entries.len() as u64;
            self.keyspace.add(entries.iter().map(index::pair), position)?;
            progress(position, total);
        }
        Ok(())
    }
}

/// Renames a damaged index, so that it can be examined.
fn set_aside(dir: &Path, why: &str) -> Result<(), OpenError> {
    let io = |source| OpenError::Io { path: dir.to_owned(), source };
    let mut names = (1..).map(|n| PathBuf::from(format!("{}.damaged-{n}", dir.display())));
    let aside = names.find(|name| !name.exists()).expect("numbers do not run out");
    tracing::error!(why, aside = %aside.display(), "the index is damaged and is made anew");
    fs::rename(dir, &aside).map_err(io)?;
    dir.parent().map_or(Ok(()), disk::sync_dir).map_err(io)
}

/// Reads the whole journal. Returns the ends of all logs, and the totals of an index to which the first
/// `applied` events were applied.
fn read_through(journal: &dyn Journal, applied: u64) -> Result<(Tips, Totals), OpenError> {
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
