//! Bringing the index to where the journal is, whatever became of its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::database::{Database, Unsound};
use crate::index::{self, Index};
use crate::lock::Lock;
use crate::log::Tips;
use crate::table::{self, Table};
use crate::totals::Totals;
use crate::{Entry, Journal, OpenError, disk};

/// How many events are read from the journal at once.
const READ_EVENTS: usize = 4096;

/// An index and the ends of all logs, at the journal's end.
pub(crate) struct Recovered {
    pub database: Arc<Database>,
    pub table: Table,
    pub tips: Tips,
}

/// Opens the index, compares it with the journal, and catches it up; an index that is not what the
/// journal says is set aside, and a new one is made.
pub(crate) fn recover(
    journal: &dyn Journal,
    dir: &Path,
    cache_bytes: u64,
    lock: &Arc<Lock>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovered, OpenError> {
    let open = || Opened::open(dir, cache_bytes, lock);
    let opened = open();
    let applied = opened.as_ref().map_or(0, |opened| opened.table.position());
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
    let Opened { database, table, .. } = opened;
    let mut recovered = Recovered { database, table, tips };
    recovered.catch_up(journal, progress)?;
    Ok(recovered)
}

/// An index that has not been compared with anything yet.
struct Opened {
    table: Table,
    database: Arc<Database>,
    /// Whether its files are those of a clean close.
    is_clean: bool,
}

/// What an index is, seen from the journal.
enum Verdict {
    /// It holds the journal's first events, and every table has all its rows.
    Sound,
    /// It holds all of the journal's events and more, up to this position: the journal was cut.
    Beyond { position: u64 },
    /// It holds something else.
    Other,
}

impl Opened {
    fn open(dir: &Path, cache_bytes: u64, lock: &Arc<Lock>) -> Result<Self, Unsound> {
        let (database, is_clean) = Database::open(dir, cache_bytes, lock)?;
        let table = Table::open(&database, index::TREE)?;
        Ok(Self { table, database, is_clean })
    }

    /// Compares it with the totals that the journal says it should have.
    fn compare(&self, journal_len: u64, expected: Totals) -> Result<Verdict, Unsound> {
        let found = *self.table.totals();
        if found.position > journal_len {
            let is_same = self.events_before(journal_len)? == expected;
            let position = found.position;
            return Ok(if is_same { Verdict::Beyond { position } } else { Verdict::Other });
        }
        let is_sound = found == expected && (self.is_clean || self.is_whole()?);
        Ok(if is_sound { Verdict::Sound } else { Verdict::Other })
    }

    /// Counts every table.
    fn is_whole(&self) -> Result<bool, Unsound> {
        for name in self.database.tree_names()? {
            if !table::is_whole(&self.database, &name)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The totals of the events before a journal position.
    fn events_before(&self, position: u64) -> Result<Totals, Unsound> {
        let mut totals = Totals::default();
        for entry in Index::all(&self.table) {
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
    /// Feeds the index all that it has not got.
    pub(crate) fn catch_up(
        &mut self,
        journal: &dyn Journal,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), OpenError> {
        let total = journal.len();
        let mut position = self.table.position();
        while position < total {
            let entries = entries(journal, position)?;
            let known = self.tips.len();
            for entry in entries.iter().filter(|entry| entry.position >= known) {
                self.tips.push(entry);
            }
            position += entries.len() as u64;
            self.table.add(entries.iter().map(index::row), position)?;
            progress(position, total);
        }
        Ok(())
    }
}

/// Keeps an index under another name, for those who want to look.
fn set_aside(dir: &Path, why: &str) -> Result<(), OpenError> {
    let io = |source| OpenError::Io { path: dir.to_owned(), source };
    let mut names = (1..).map(|n| PathBuf::from(format!("{}.damaged-{n}", dir.display())));
    let aside = names.find(|name| !name.exists()).expect("numbers do not run out");
    tracing::error!(why, aside = %aside.display(), "the index is damaged and is made anew");
    fs::rename(dir, &aside).map_err(io)?;
    dir.parent().map_or(Ok(()), disk::sync_dir).map_err(io)
}

/// Reads the whole journal: the ends of all logs, and the totals that an index has that applied
/// `applied` events of it.
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
