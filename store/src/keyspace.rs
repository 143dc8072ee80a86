//! Ordered keyspaces: trees of sled, each with the position of the journal that it has applied.
//!
//! The position stands under the empty key, and changes in the same atomic batch as the pairs.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::database::{Database, Unsound};

/// An ordered map from bytes to bytes that holds a read model: it can be dropped and rebuilt at any
/// time. Clones refer to the same keyspace.
///
/// Keys are ordered byte by byte and are not empty. After a power cut, a keyspace may be empty, with position 0.
#[derive(Clone)]
pub struct Keyspace {
    // Dropped before the database, which its last owner closes.
    tree: sled::Tree,
    written: Arc<Written>,
    database: Arc<Database>,
}

struct Written {
    position: AtomicU64,
    /// Held while pairs are written.
    writing: Mutex<()>,
}

/// Why a keyspace cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum KeyspaceError {
    /// sled failed. Answer without the read model and restart; the read model will be rebuilt.
    #[error("the keyspace is damaged, and will be rebuilt after a restart: {0}")]
    Damaged(String),
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
}

/// The key of the position.
const POSITION: &[u8] = b"";

impl Keyspace {
    pub(crate) fn open(database: &Arc<Database>, name: &str) -> Result<Self, Unsound> {
        let tree = database.tree(name)?;
        let position = match database.guard(|| tree.get(POSITION))? {
            None => 0,
            Some(bytes) => {
                let bytes = <[u8; 8]>::try_from(&*bytes).map_err(|_| {
                    database.distrust();
                    Unsound::Damaged("a position cannot be read".to_owned())
                })?;
                u64::from_be_bytes(bytes)
            }
        };
        let written = Arc::new(Written { position: AtomicU64::new(position), writing: Mutex::default() });
        Ok(Self { tree, written, database: Arc::clone(database) })
    }

    /// The value of a key.
    ///
    /// # Errors
    /// [`KeyspaceError::Damaged`].
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, KeyspaceError> {
        Ok(self.value(key)?)
    }

    /// The value of a key; an error also tells what to think of the files.
    pub(crate) fn value(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Unsound> {
        let value = self.database.guard(|| self.tree.get(key))?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// The pairs whose keys start with this prefix, in the order of keys. Ends after an error.
    pub fn prefix(&self, prefix: &[u8]) -> impl Iterator<Item = Result<Pair, KeyspaceError>> + use<> {
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
        let from = if prefix.is_empty() { Bound::Excluded(POSITION) } else { Bound::Included(prefix) };
        self.range(from, to).map(|pair| Ok(pair?))
    }

    /// The pairs between two keys, in the order of keys.
    pub(crate) fn range(&self, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Pairs {
        let iter = self.tree.range::<&[u8], _>((from, to));
        Pairs { iter, database: Arc::clone(&self.database), has_failed: false }
    }

    /// The journal position of the next event to apply; 0 for a new keyspace.
    pub fn position(&self) -> u64 {
        self.written.position.load(Ordering::Acquire)
    }

    /// Applies all changes and the new journal position, or nothing. Does not wait for the disk: a crash
    /// may lose both, but never one without the other.
    ///
    /// # Errors
    /// [`KeyspaceError::Damaged`].
    pub fn apply(&self, changes: &Changes, position: u64) -> Result<(), KeyspaceError> {
        Ok(self.write(changes, Some(position))?)
    }

    /// Writes a pair, without changing the position.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn put(&self, key: &[u8], value: &[u8]) -> Result<(), KeyspaceError> {
        let mut changes = Changes::new();
        changes.put(key, value);
        Ok(self.write(&changes, None)?)
    }

    /// Removes a pair, without changing the position.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn delete(&self, key: &[u8]) -> Result<(), KeyspaceError> {
        let mut changes = Changes::new();
        changes.delete(key);
        Ok(self.write(&changes, None)?)
    }

    pub(crate) fn write(&self, changes: &Changes, position: Option<u64>) -> Result<(), Unsound> {
        let mut batch = sled::Batch::default();
        for (key, value) in &changes.pairs {
            assert!(key != POSITION, "no pair of a keyspace has an empty key");
            match value {
                Some(value) => batch.insert(key.as_slice(), value.as_slice()),
                None => batch.remove(key.as_slice()),
            }
        }
        let _one_at_a_time = self.written.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let position = position.unwrap_or_else(|| self.position());
        batch.insert(POSITION, &position.to_be_bytes());
        self.database.guard(|| self.tree.apply_batch(batch))?;
        self.written.position.store(position, Ordering::Release);
        Ok(())
    }

    pub(crate) fn database(&self) -> &Arc<Database> {
        &self.database
    }
}

/// A key and its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// An iterator over pairs of a keyspace. Ends after an error, which also tells what to think of the files.
pub(crate) struct Pairs {
    // Dropped before the database, as in [`Keyspace`].
    iter: sled::Iter,
    database: Arc<Database>,
    has_failed: bool,
}

impl Iterator for Pairs {
    type Item = Result<Pair, Unsound>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        match self.database.guard(|| self.iter.next().transpose()) {
            Ok(pair) => pair.map(|(key, value)| Ok((key.to_vec(), value.to_vec()))),
            Err(why) => {
                self.has_failed = true;
                Some(Err(why))
            }
        }
    }
}
