//! Plain ordered tables, each knowing how far it has read the journal and whether it is whole.
//!
//! A table is a sled tree. Under the empty key it keeps its [`Totals`]: the journal position it
//! has applied, how many rows it has and the sum of their hashes, changed in the same atomic batch
//! as the rows. So a table that lost rows can be told from one that has them all.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::database::{Database, Unsound};
use crate::totals::Totals;

/// The most bytes of a key and a value together; sled keeps larger ones in files it never syncs.
const ROW_BYTES_MAX: usize = 100 * 1024;
/// How many rows are removed at once when a table is cleared.
const CLEAR_ROWS: usize = 4096;

/// An ordered map of bytes to bytes, for a read model: it can be dropped and rebuilt at any time.
/// Clones are the same table.
///
/// Keys are ordered byte by byte and not empty. After damage a table is found empty at position 0
/// when the store is opened, never with some of its rows missing.
#[derive(Clone)]
pub struct Table {
    // Dropped before the database, which is closed by the last one to hold it.
    tree: sled::Tree,
    totals: Arc<Mutex<Totals>>,
    database: Arc<Database>,
}

/// Why a table does not answer.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// sled failed. Answer without the read model, and restart: it will be rebuilt.
    #[error("the table is damaged, and will be rebuilt after a restart: {0}")]
    Damaged(String),
    /// Keys are not empty, and a row has at most 100 KiB. A mistake of the caller's.
    #[error("a row has a key and at most {ROW_BYTES_MAX} bytes, this one has {0}")]
    Row(usize),
}

impl From<Unsound> for TableError {
    fn from(why: Unsound) -> Self {
        Self::Damaged(why.0)
    }
}

/// Rows to write and to remove, together. Of several changes to one key the last counts.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    rows: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Changes {
    /// No change.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a row over what was there.
    pub fn put(&mut self, key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) {
        self.rows.insert(key.into(), Some(value.into()));
    }

    /// Removes a row, if it is there.
    pub fn delete(&mut self, key: impl Into<Vec<u8>>) {
        self.rows.insert(key.into(), None);
    }

    /// What these changes make of a key: nothing if they leave it alone, `Some(None)` if they
    /// remove it.
    pub fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
        self.rows.get(key).map(Option::as_deref)
    }

    /// How many rows are changed.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// The key of the totals.
const TOTALS: &[u8] = b"";

impl Table {
    pub(crate) fn open(database: &Arc<Database>, name: &str) -> Result<Self, Unsound> {
        let tree = database.tree(name)?;
        let totals = stored_totals(database, &tree)?;
        let (totals, database) = (Arc::new(Mutex::new(totals)), Arc::clone(database));
        let table = Self { tree, totals, database };
        {
            let mut totals = table.totals();
            if totals.position == Totals::CLEARING {
                table.finish_clearing(&mut totals)?;
            }
        }
        Ok(table)
    }

    /// The value of a key.
    ///
    /// # Errors
    /// [`TableError::Damaged`].
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, TableError> {
        if key == TOTALS {
            return Ok(None);
        }
        let value = self.database.guard(|| self.tree.get(key))?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// The rows between two keys, in key order; from the other end with `.rev()`.
    pub fn range(&self, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Rows {
        let from = match from {
            Bound::Unbounded => Bound::Excluded(TOTALS),
            Bound::Included(key) if key == TOTALS => Bound::Excluded(TOTALS),
            bound => bound,
        };
        Rows::new(&self.database, &self.tree, from, to)
    }

    /// The rows whose keys start so, in key order; from the other end with `.rev()`.
    pub fn prefix(&self, prefix: &[u8]) -> Rows {
        let mut end = prefix.to_vec();
        while end.last() == Some(&u8::MAX) {
            end.pop();
        }
        let to = match end.last_mut() {
            Some(last) => {
                *last += 1;
                Bound::Excluded(end.as_slice())
            }
            None => Bound::Unbounded,
        };
        self.range(Bound::Included(prefix), to)
    }

    /// How many rows there are.
    pub fn len(&self) -> u64 {
        self.totals().rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The journal position of the next event to apply: 0 for a table that is new, cleared, or was
    /// found damaged.
    pub fn position(&self) -> u64 {
        self.totals().position
    }

    /// Makes all changes, and notes the journal position applied, or nothing of it; it may be lost
    /// again in a crash, rows and position together. Does not wait for the disk.
    ///
    /// # Errors
    /// [`TableError::Row`] before anything is written, or [`TableError::Damaged`].
    pub fn apply(&self, changes: &Changes, position: u64) -> Result<(), TableError> {
        for (key, value) in &changes.rows {
            let bytes = key.len() + value.as_ref().map_or(0, Vec::len);
            if key.is_empty() || bytes > ROW_BYTES_MAX {
                return Err(TableError::Row(bytes));
            }
        }
        let mut totals = self.totals();
        let mut after = Totals { position, ..*totals };
        let mut batch = sled::Batch::default();
        for (key, value) in &changes.rows {
            if let Some(old) = self.database.guard(|| self.tree.get(key))? {
                after.subtract(key, &old);
            }
            if let Some(value) = value {
                after.add(key, value);
                batch.insert(key.as_slice(), value.as_slice());
            } else {
                batch.remove(key.as_slice());
            }
        }
        Ok(self.write(batch, &mut totals, after)?)
    }

    /// Writes a row at the position as it is.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn put(&self, key: &[u8], value: &[u8]) -> Result<(), TableError> {
        let mut changes = Changes::new();
        changes.put(key, value);
        self.apply(&changes, self.position())
    }

    /// Removes a row at the position as it is.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn delete(&self, key: &[u8]) -> Result<(), TableError> {
        let mut changes = Changes::new();
        changes.delete(key);
        self.apply(&changes, self.position())
    }

    /// Removes all rows and goes back to position 0. If it is interrupted, it is finished when the
    /// table is opened again.
    ///
    /// # Errors
    /// [`TableError::Damaged`].
    pub fn clear(&self) -> Result<(), TableError> {
        let mut totals = self.totals();
        let clearing = Totals { position: Totals::CLEARING, ..*totals };
        self.write(sled::Batch::default(), &mut totals, clearing)?;
        Ok(self.finish_clearing(&mut totals)?)
    }

    fn finish_clearing(&self, totals: &mut Totals) -> Result<(), Unsound> {
        loop {
            let mut after = *totals;
            let mut batch = sled::Batch::default();
            let mut rows = self.range(Bound::Unbounded, Bound::Unbounded).take(CLEAR_ROWS).peekable();
            if rows.peek().is_none() {
                return self.write(batch, totals, Totals::default());
            }
            for row in rows {
                let (key, value) = row.map_err(|why| Unsound(why.to_string()))?;
                after.subtract(&key, &value);
                batch.remove(key);
            }
            self.write(batch, totals, after)?;
        }
    }

    /// Adds rows that are known to be new; saves looking for old ones.
    pub(crate) fn add(&self, rows: impl Iterator<Item = (Vec<u8>, Vec<u8>)>, position: u64) -> Result<(), Unsound> {
        let mut totals = self.totals();
        let mut after = Totals { position, ..*totals };
        let mut batch = sled::Batch::default();
        for (key, value) in rows {
            after.add(&key, &value);
            batch.insert(key, value);
        }
        self.write(batch, &mut totals, after)
    }

    pub(crate) fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    fn write(&self, mut batch: sled::Batch, totals: &mut Totals, after: Totals) -> Result<(), Unsound> {
        batch.insert(TOTALS, after.to_bytes());
        self.database.guard(|| self.tree.apply_batch(batch))?;
        *totals = after;
        Ok(())
    }
}

/// Counts a table: whether its rows are those its totals speak of.
pub(crate) fn is_whole(database: &Arc<Database>, name: &str) -> Result<bool, Unsound> {
    let tree = database.tree(name)?;
    let stored = stored_totals(database, &tree)?;
    let mut counted = Totals { position: stored.position, ..Totals::default() };
    for row in Rows::new(database, &tree, Bound::Excluded(TOTALS), Bound::Unbounded) {
        let (key, value) = row.map_err(|why| Unsound(why.to_string()))?;
        counted.add(&key, &value);
    }
    Ok(counted == stored)
}

fn stored_totals(database: &Database, tree: &sled::Tree) -> Result<Totals, Unsound> {
    match database.guard(|| tree.get(TOTALS))? {
        None => Ok(Totals::default()),
        Some(bytes) => Totals::from_bytes(&bytes).ok_or_else(|| Unsound("totals cannot be read".to_owned())),
    }
}

/// A key and its value.
pub type Row = (Vec<u8>, Vec<u8>);

/// Rows of a table. An error ends them.
pub struct Rows {
    // Dropped before the database, as in a table.
    iter: sled::Iter,
    database: Arc<Database>,
    has_failed: bool,
}

impl Rows {
    fn new(database: &Arc<Database>, tree: &sled::Tree, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Self {
        let iter = tree.range::<&[u8], _>((from, to));
        Self { iter, database: Arc::clone(database), has_failed: false }
    }

    fn take(
        &mut self,
        next: impl FnOnce(&mut sled::Iter) -> Option<sled::Result<(sled::IVec, sled::IVec)>>,
    ) -> Option<Result<Row, TableError>> {
        if self.has_failed {
            return None;
        }
        match self.database.guard(|| next(&mut self.iter).transpose()) {
            Ok(row) => row.map(|(key, value)| Ok((key.to_vec(), value.to_vec()))),
            Err(why) => {
                self.has_failed = true;
                Some(Err(why.into()))
            }
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Row, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.take(Iterator::next)
    }
}

impl DoubleEndedIterator for Rows {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.take(DoubleEndedIterator::next_back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_that_was_interrupted_is_finished() {
        let database = Database::temporary().unwrap();
        let table = Table::open(&database, "t").unwrap();
        let mut changes = Changes::new();
        (0..10_000_u32).for_each(|n| changes.put(n.to_be_bytes(), "row"));
        table.apply(&changes, 10_000).unwrap();
        let mut totals = table.totals();
        let clearing = Totals { position: Totals::CLEARING, ..*totals };
        table.write(sled::Batch::default(), &mut totals, clearing).unwrap();
        drop(totals);
        let table = Table::open(&database, "t").unwrap();
        assert_eq!((table.len(), table.position()), (0, 0));
        assert!(is_whole(&database, "t").unwrap());
        assert_eq!(table.range(Bound::Unbounded, Bound::Unbounded).count(), 0);
    }

    #[test]
    fn a_lost_or_changed_row_is_noticed() {
        let database = Database::temporary().unwrap();
        let table = Table::open(&database, "t").unwrap();
        table.put(b"a", b"1").unwrap();
        table.put(b"b", b"1").unwrap();
        assert!(is_whole(&database, "t").unwrap());
        table.tree.insert(b"b", b"2").unwrap();
        assert!(!is_whole(&database, "t").unwrap());
        table.tree.insert(b"b", b"1").unwrap();
        assert!(is_whole(&database, "t").unwrap());
        table.tree.remove(b"a").unwrap();
        assert!(!is_whole(&database, "t").unwrap());
        table.tree.remove(TOTALS).unwrap();
        assert!(!is_whole(&database, "t").unwrap());
    }
}
