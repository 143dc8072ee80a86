//! Bringing the index to where the journal is, whatever became of its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::database::{Database, Unsound};
use crate::index::{self, Index};
use crate::log::Tips;
use crate::table::{self, Table, Totals};
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
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Recovered, OpenError> {
    let opened = open(dir, cache_bytes);
    let applied = opened.as_ref().map_or(0, |(_, table, _)| table.position());
    let (tips, expected) = read_through(journal, applied)?;
    let believed = opened.and_then(|(database, table, is_clean)| {
        let found = *table.totals();
        if found.position > journal.len() {
            let is_same = events_before(&table, journal.len())? == expected;
            return Ok(Believed::Ahead {
                is_same,
                position: found.position,
            });
        }
        let is_whole = found == expected && (is_clean || are_whole(&database)?);
        Ok(if is_whole {
            Believed::Yes(database, table)
        } else {
            Believed::No
        })
    });
    let (database, table) = match believed {
        Ok(Believed::Yes(database, table)) => (database, table),
        Ok(Believed::Ahead {
            is_same: true,
            position,
        }) => {
            let (journal, dir) = (journal.len(), dir.to_owned());
            return Err(OpenError::Cut {
                journal,
                index: position,
                dir,
            });
        }
        Ok(Believed::Ahead { .. } | Believed::No) => fresh(dir, cache_bytes, "it lost rows")?,
        Err(why) => fresh(dir, cache_bytes, &why.0)?,
    };
    let mut recovered = Recovered {
        database,
        table,
        tips,
    };
    recovered.catch_up(journal, progress)?;
    Ok(recovered)
}

/// What is to be thought of an index.
enum Believed {
    Yes(Arc<Database>, Table),
    No,
    /// It holds events beyond the journal's end; whether those before are the journal's.
    Ahead {
        is_same: bool,
        position: u64,
    },
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

/// Opens what is there. Also says whether it was closed cleanly.
fn open(dir: &Path, cache_bytes: u64) -> Result<(Arc<Database>, Table, bool), Unsound> {
    let (database, is_clean) = Database::open(dir, cache_bytes)?;
    let table = Table::open(&database, index::TREE)?;
    Ok((database, table, is_clean))
}

/// Makes a new index, and keeps what is there under another name for those who want to look.
fn fresh(dir: &Path, cache_bytes: u64, why: &str) -> Result<(Arc<Database>, Table), OpenError> {
    let io = |source| OpenError::Io {
        path: dir.to_owned(),
        source,
    };
    let aside = (1..).map(|n| PathBuf::from(format!("{}.damaged-{n}", dir.display())));
    let aside = aside
        .into_iter()
        .find(|aside| !aside.exists())
        .expect("numbers do not run out");
    tracing::error!(why, aside = %aside.display(), "the index is damaged; rebuilding it");
    fs::rename(dir, &aside).map_err(io)?;
    if let Some(parent) = dir.parent() {
        disk::sync_dir(parent).map_err(io)?;
    }
    let (database, table, _) = open(dir, cache_bytes)?;
    Ok((database, table))
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
    let entry =
        |(position, bytes)| Entry::of(position, bytes).ok_or(OpenError::NotAnEvent { position });
    (from..).zip(events).map(entry).collect()
}

/// Counts every table.
fn are_whole(database: &Arc<Database>) -> Result<bool, Unsound> {
    for name in database.tree_names()? {
        if !table::is_whole(database, &name)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The totals of the index's events before a journal position.
fn events_before(table: &Table, position: u64) -> Result<Totals, Unsound> {
    let mut totals = Totals {
        position,
        ..Totals::default()
    };
    for entry in Index::all(table) {
        let entry = entry?;
        if entry.position < position {
            index::count(&mut totals, &entry);
        }
    }
    totals.position = position;
    Ok(totals)
}
