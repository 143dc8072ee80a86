//! Ordered keyspaces. Each one knows how far it has applied the journal, and whether it is complete.
//!
//! A keyspace is a sled tree. Under the empty key it keeps its [`Totals`]: the journal position it has
//! applied, its number of pairs, and the sum of their hashes. They change in the same atomic batch as the
//! pairs, so a keyspace that has lost pairs is recognised.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::database::{Database, Unsound};
use crate::totals::Totals;

/// The most bytes of a key and a value together; sled keeps larger ones in files that it never syncs.
const PAIR_BYTES_MAX: usize = 100 * 1024;

/// The number of pairs removed at once when a keyspace is cleared.
const CLEAR_PAIRS: usize = 4096;

/// An ordered map from bytes to bytes that holds a read model: it can be dropped and rebuilt at any
/// time. Clones refer to the same keyspace.
///
/// Keys are ordered byte by byte and are not empty. When the store is opened, a damaged keyspace is emptied
/// and set to position 0; it never lacks only some of its pairs.
#[derive(Clone)]
pub struct Keyspace {
    // Dropped before the database, which its last owner closes.
    tree: sled::Tree,
    totals: Arc<Mutex<Totals>>,
    database: Arc<Database>,
}

/// Why a keyspace cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum KeyspaceError {
    /// sled failed. Answer without the read model and restart; the read model will be rebuilt.
    #[error("the keyspace is damaged, and will be rebuilt after a restart: {0}")]
    Damaged(String),
    /// An empty key, or a pair of more than 100 KiB: a bug in the caller.
    #[error("a pair has a non-empty key and at most {PAIR_BYTES_MAX} bytes, this one has {0}")]
    Pair(usize),
}

impl From<Unsound> for KeyspaceError {
    fn from(why: Unsound) -> Self {
        Self::Damaged(why.to_string())
    }
}

/// Pairs to write and to remove in one step. If a key is changed several times, the last change wins.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pairs: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Changes {
    /// No changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a pair, replacing any with the same key.
    pub fn put(&mut self, key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) {
        self.pairs.insert(key.into(), Some(value.into()));
    }

    /// Removes a pair, if it exists.
    pub fn delete(&mut self, key: impl Into<Vec<u8>>) {
        self.pairs.insert(key.into(), None);
    }

    /// The value that these changes give to a key: `None` if they do not touch it, `Some(None)` if they
    /// remove it.
    pub fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
        self.pairs.get(key).map(Option::as_deref)
    }

    /// The number of changed pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// The key of the totals.
pub(crate) const TOTALS: &[u8] = b"";

impl Keyspace {
    pub(crate) fn open(database: &Arc<Database>, name: &str) -> Result<Self, Unsound> {
        let tree = database.tree(name)?;
        let totals = stored_totals(database, &tree)?;
        let (totals, database) = (Arc::new(Mutex::new(totals)), Arc::clone(database));
        let keyspace = Self { tree, totals, database };
        {
            let mut totals = keyspace.totals();
            if totals.position == Totals::CLEARING {
                keyspace.finish_clearing(&mut totals)?;
            }
        }
        Ok(keyspace)
    }

    /// The value of a key.
    ///
    /// # Errors
    /// [`KeyspaceError::Damaged`].
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, KeyspaceError> {
        if key == TOTALS {
            return Ok(None);
        }
        Ok(self.value(key)?)
    }

    /// The value of a key; an error also tells what to think of the files.
    pub(crate) fn value(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Unsound> {
        let value = self.database.guard(|| self.tree.get(key))?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// The pairs between two keys, in the order of keys; `.rev()` reads from the other end.
    pub fn range(&self, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs {
        let from = match from {
            Bound::Unbounded => Bound::Excluded(TOTALS),
            Bound::Included(key) if key == TOTALS => Bound::Excluded(TOTALS),
            bound => bound,
        };
        Pairs::new(&self.database, &self.tree, from, to)
    }

    /// The pairs whose keys start with this prefix, in the order of keys; `.rev()` reads from the other end.
    pub fn prefix(&self, prefix: &[u8]) -> Pairs {
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

    /// The number of pairs.
    pub fn len(&self) -> u64 {
        self.totals().pairs
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The journal position of the next event to apply; 0 for a keyspace that is new, cleared, or was found
    /// damaged.
    pub fn position(&self) -> u64 {
        self.totals().position
    }

    /// Applies all changes and the new journal position, or nothing. Does not wait for the disk: a crash
    /// may lose both, but never one without the other.
    ///
    /// # Errors
    /// [`KeyspaceError::Pair`] before anything is written, or [`KeyspaceError::Damaged`].
    pub fn apply(&self, changes: &Changes, position: u64) -> Result<(), KeyspaceError> {
        for (key, value) in &changes.pairs {
            let bytes = key.len() + value.as_ref().map_or(0, Vec::len);
            if key.is_empty() || bytes > PAIR_BYTES_MAX {
                return Err(KeyspaceError::Pair(bytes));
            }
        }
        let mut totals = self.totals();
        let mut after = Totals { position, ..*totals };
        let mut batch = sled::Batch::default();
        for (key, value) in &changes.pairs {
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

    /// Writes a pair, without changing the position.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn put(&self, key: &[u8], value: &[u8]) -> Result<(), KeyspaceError> {
        let mut changes = Changes::new();
        changes.put(key, value);
        self.apply(&changes, self.position())
    }

    /// Removes a pair, without changing the position.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn delete(&self, key: &[u8]) -> Result<(), KeyspaceError> {
        let mut changes = Changes::new();
        changes.delete(key);
        self.apply(&changes, self.position())
    }

    /// Removes all pairs and sets the position to 0. If this is interrupted, opening the keyspace again
    /// completes it.
    ///
    /// # Errors
    /// [`KeyspaceError::Damaged`].
    pub fn clear(&self) -> Result<(), KeyspaceError> {
        let mut totals = self.totals();
        let clearing = Totals { position: Totals::CLEARING, ..*totals };
        self.write(sled::Batch::default(), &mut totals, clearing)?;
        Ok(self.finish_clearing(&mut totals)?)
    }

    fn finish_clearing(&self, totals: &mut Totals) -> Result<(), Unsound> {
        loop {
            let mut after = *totals;
            let mut batch = sled::Batch::default();
            let mut pairs = self.range(Bound::Unbounded, Bound::Unbounded).checked().take(CLEAR_PAIRS).peekable();
            if pairs.peek().is_none() {
                return self.write(batch, totals, Totals::default());
            }
            for pair in pairs {
                let (key, value) = pair?;
                after.subtract(&key, &value);
                batch.remove(key);
            }
            self.write(batch, totals, after)?;
        }
    }

    /// Replaces pairs that are known by others whose keys are not in use otherwise.
    pub(crate) fn exchange(&self, old: &[Pair], new: Vec<Pair>, position: u64) -> Result<(), Unsound> {
        let mut totals = self.totals();
        let mut after = Totals { position, ..*totals };
        let mut batch = sled::Batch::default();
        for (key, value) in old {
            after.subtract(key, value);
            batch.remove(key.as_slice());
        }
        for (key, value) in new {
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

/// Counts a keyspace, and returns whether its pairs agree with its totals.
pub(crate) fn is_whole(database: &Arc<Database>, name: &str) -> Result<bool, Unsound> {
    let tree = database.tree(name)?;
    let stored = stored_totals(database, &tree)?;
    let mut counted = Totals { position: stored.position, ..Totals::default() };
    for pair in Pairs::new(database, &tree, Bound::Excluded(TOTALS), Bound::Unbounded).checked() {
        let (key, value) = pair?;
        counted.add(&key, &value);
    }
    Ok(counted == stored)
}

fn stored_totals(database: &Database, tree: &sled::Tree) -> Result<Totals, Unsound> {
    match database.guard(|| tree.get(TOTALS))? {
        None => Ok(Totals::default()),
        Some(bytes) => Totals::from_bytes(&bytes).ok_or_else(|| Unsound::Damaged("totals cannot be read".to_owned())),
    }
}

/// A key and its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// An iterator over pairs of a keyspace. Ends after an error.
pub struct Pairs {
    // Dropped before the database, as in [`Keyspace`].
    iter: sled::Iter,
    database: Arc<Database>,
    has_failed: bool,
}

impl Pairs {
    fn new(database: &Arc<Database>, tree: &sled::Tree, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Self {
        let iter = tree.range::<&[u8], _>((from, to));
        Self { iter, database: Arc::clone(database), has_failed: false }
    }

    /// The same pairs; an error of sled also tells what to think of the files.
    pub(crate) fn checked(mut self) -> impl Iterator<Item = Result<Pair, Unsound>> {
        std::iter::from_fn(move || self.advance(Iterator::next))
    }

    /// Like [`checked`](Self::checked), from the other end.
    pub(crate) fn checked_back(mut self) -> impl Iterator<Item = Result<Pair, Unsound>> {
        std::iter::from_fn(move || self.advance(DoubleEndedIterator::next_back))
    }

    fn advance(
        &mut self,
        next: impl FnOnce(&mut sled::Iter) -> Option<sled::Result<(sled::IVec, sled::IVec)>>,
    ) -> Option<Result<Pair, Unsound>> {
        if self.has_failed {
            return None;
        }
        match self.database.guard(|| next(&mut self.iter).transpose()) {
            Ok(pair) => pair.map(|(key, value)| Ok((key.to_vec(), value.to_vec()))),
            Err(why) => {
                self.has_failed = true;
                Some(Err(why))
            }
        }
    }
}

impl Iterator for Pairs {
    type Item = Result<Pair, KeyspaceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance(Iterator::next).map(|pair| Ok(pair?))
    }
}

impl DoubleEndedIterator for Pairs {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.advance(DoubleEndedIterator::next_back).map(|pair| Ok(pair?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_that_was_interrupted_is_finished() {
        let database = Database::temporary().unwrap();
        let keyspace = Keyspace::open(&database, "t").unwrap();
        let mut changes = Changes::new();
        (0..10_000_u32).for_each(|n| changes.put(n.to_be_bytes(), "pair"));
        keyspace.apply(&changes, 10_000).unwrap();
        let mut totals = keyspace.totals();
        let clearing = Totals { position: Totals::CLEARING, ..*totals };
        keyspace.write(sled::Batch::default(), &mut totals, clearing).unwrap();
        drop(totals);
        let keyspace = Keyspace::open(&database, "t").unwrap();
        assert_eq!((keyspace.len(), keyspace.position()), (0, 0));
        assert!(is_whole(&database, "t").unwrap());
        assert_eq!(keyspace.range(Bound::Unbounded, Bound::Unbounded).count(), 0);
    }

    #[test]
    fn a_lost_or_changed_row_is_noticed() {
        let database = Database::temporary().unwrap();
        let keyspace = Keyspace::open(&database, "t").unwrap();
        keyspace.put(b"a", b"1").unwrap();
        keyspace.put(b"b", b"1").unwrap();
        assert!(is_whole(&database, "t").unwrap());
        keyspace.tree.insert(b"b", b"2").unwrap();
        assert!(!is_whole(&database, "t").unwrap());
        keyspace.tree.insert(b"b", b"1").unwrap();
        assert!(is_whole(&database, "t").unwrap());
        keyspace.tree.remove(b"a").unwrap();
        assert!(!is_whole(&database, "t").unwrap());
        keyspace.tree.remove(TOTALS).unwrap();
        assert!(!is_whole(&database, "t").unwrap());
    }
}
