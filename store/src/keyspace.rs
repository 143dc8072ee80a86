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
    sums: Arc<Mutex<Sums>>,
    database: Arc<Database>,
}

/// What is known about the pairs.
#[derive(Clone, Default)]
struct Sums {
    totals: Totals,
    /// What has been counted again so far; `None` while nothing is.
    recount: Option<Recount>,
}

/// Some of the pairs, counted again.
#[derive(Clone, Default)]
struct Recount {
    /// Its last key; the pairs up to it are counted.
    last: Vec<u8>,
    counted: Totals,
}

impl Sums {
    /// Adds a pair that is about to be written.
    fn add(&mut self, key: &[u8], value: &[u8]) {
        self.totals.add(key, value);
        if let Some(recount) = self.recount.as_mut().filter(|recount| key <= recount.last.as_slice()) {
            recount.counted.add(key, value);
        }
    }

    /// Subtracts a pair that is about to be removed.
    fn subtract(&mut self, key: &[u8], value: &[u8]) {
        self.totals.subtract(key, value);
        if let Some(recount) = self.recount.as_mut().filter(|recount| key <= recount.last.as_slice()) {
            recount.counted.subtract(key, value);
        }
    }
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

/// The number of pairs counted at once, while nobody can write.
const RECOUNT_PAIRS: usize = 256;

/// The key of the totals.
pub(crate) const TOTALS: &[u8] = b"";

impl Keyspace {
    pub(crate) fn open(database: &Arc<Database>, name: &str) -> Result<Self, Unsound> {
        let tree = database.tree(name)?;
        let totals = stored_totals(database, &tree)?;
        let (sums, database) = (Arc::new(Mutex::new(Sums { totals, recount: None })), Arc::clone(database));
        let keyspace = Self { tree, sums, database };
        {
            let mut sums = keyspace.sums();
            if sums.totals.position == Totals::CLEARING {
                keyspace.finish_clearing(&mut sums)?;
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

    /// How often pairs that are read together are looked at, all in all, so that sled notices what it keeps.
    pub const LOOKS: usize = 8;

    /// Has sled keep within its limit what was read for pairs: looks at one of them some more times.
    ///
    /// sled collects accesses in a list for each of 256 shards, and lets go of pages only when such a list has 64. Of pages that are
    /// looked at once, it keeps up to 16,384 more than it may, with eight pairs or more each.
    pub fn look_again(&self, key: &[u8], times: usize) {
        for _ in 0..times {
            // Whatever is wrong, who reads the pair is told.
            let _ = self.database.guard(|| self.tree.contains_key(key));
        }
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
        let mut sums = self.sums();
        let mut after = sums.clone();
        after.totals.position = position;
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
        Ok(self.write(batch, &mut sums, after)?)
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
        let mut sums = self.sums();
        let mut clearing = sums.clone();
        clearing.totals.position = Totals::CLEARING;
        self.write(sled::Batch::default(), &mut sums, clearing)?;
        Ok(self.finish_clearing(&mut sums)?)
    }

    fn finish_clearing(&self, sums: &mut Sums) -> Result<(), Unsound> {
        loop {
            let mut after = sums.clone();
            let mut batch = sled::Batch::default();
            let mut pairs = self.range(Bound::Unbounded, Bound::Unbounded).checked().take(CLEAR_PAIRS).peekable();
            if pairs.peek().is_none() {
                // A count that is under way begins again.
                return self.write(batch, sums, Sums::default());
            }
            for pair in pairs {
                let (key, value) = pair?;
                after.subtract(&key, &value);
                batch.remove(key);
            }
            self.write(batch, sums, after)?;
        }
    }

    /// Replaces pairs that are known by others whose keys are not in use otherwise.
    pub(crate) fn exchange(&self, old: &[Pair], new: Vec<Pair>, position: u64) -> Result<(), Unsound> {
        let mut sums = self.sums();
        let mut after = sums.clone();
        after.totals.position = position;
        let mut batch = sled::Batch::default();
        for (key, value) in old {
            after.subtract(key, value);
            batch.remove(key.as_slice());
        }
        for (key, value) in new {
            after.add(&key, &value);
            batch.insert(key, value);
        }
        self.write(batch, &mut sums, after)
    }

    /// Shows every pair, in the order of keys, and counts them: whether they are all there, as they were written. Nobody may write
    /// meanwhile. Stops when `each` returns `false`, and then says nothing of the rest.
    ///
    /// # Errors
    /// [`KeyspaceError::Damaged`].
    pub fn load(&self, mut each: impl FnMut(&[u8], &[u8]) -> bool) -> Result<bool, KeyspaceError> {
        let stored = self.totals();
        let mut counted = Totals { position: stored.position, ..Totals::default() };
        for pair in self.range(Bound::Unbounded, Bound::Unbounded) {
            let (key, value) = pair?;
            counted.add(&key, &value);
            if !each(&key, &value) {
                return Ok(true);
            }
        }
        if counted != stored {
            self.database.distrust();
        }
        Ok(counted == stored)
    }

    /// Counts the next pairs, while others may write. Returns whether all of them agree with the totals, once all are counted.
    pub(crate) fn recount(&self) -> Result<Option<bool>, Unsound> {
        let mut sums = self.sums();
        let mut recount = sums.recount.take().unwrap_or_default();
        let pairs = self.range(Bound::Excluded(&recount.last), Bound::Unbounded).checked();
        let mut counted = 0;
        for pair in pairs.take(RECOUNT_PAIRS) {
            let (key, value) = pair?;
            self.look_again(&key, 2);
            recount.counted.add(&key, &value);
            recount.last = key;
            counted += 1;
        }
        if counted == RECOUNT_PAIRS {
            sums.recount = Some(recount);
            return Ok(None);
        }
        let counted = Totals { position: sums.totals.position, ..recount.counted };
        Ok(Some(counted == sums.totals))
    }

    fn totals(&self) -> Totals {
        self.sums().totals
    }

    fn sums(&self) -> MutexGuard<'_, Sums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    fn write(&self, mut batch: sled::Batch, sums: &mut Sums, after: Sums) -> Result<(), Unsound> {
        batch.insert(TOTALS, after.totals.to_bytes());
        self.database.guard(|| self.tree.apply_batch(batch))?;
        *sums = after;
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
    use crate::lock::Lock;

    #[test]
    fn clearing_that_was_interrupted_is_finished() {
        let database = Database::temporary().unwrap();
        let keyspace = Keyspace::open(&database, "t").unwrap();
        let mut changes = Changes::new();
        (0..10_000_u32).for_each(|n| changes.put(n.to_be_bytes(), "pair"));
        keyspace.apply(&changes, 10_000).unwrap();
        let mut sums = keyspace.sums();
        let mut clearing = sums.clone();
        clearing.totals.position = Totals::CLEARING;
        keyspace.write(sled::Batch::default(), &mut sums, clearing).unwrap();
        drop(sums);
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

    /// How many bytes this thread has read from files, from the disk or not.
    fn bytes_read() -> u64 {
        let told = std::fs::read_to_string("/proc/thread-self/io").unwrap();
        told.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse().ok()).unwrap()
    }

    /// sled has some 4,000 pages for these pairs, fewer than it would keep if each were looked at once.
    #[test]
    fn what_was_counted_is_not_all_kept() {
        const PAIRS: u32 = 32_000;
        const VALUE: [u8; 100] = [7; 100];
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("journal")).unwrap();
        let lock = Arc::new(Lock::take(dir.path()).unwrap());
        let open = || {
            let (database, _) = Database::open(&dir.path().join("sled"), 1 << 16, &lock).unwrap();
            Keyspace::open(&database, "t").unwrap()
        };
        let mut changes = Changes::new();
        (0..PAIRS).for_each(|n| changes.put(n.to_be_bytes(), VALUE));
        open().apply(&changes, 1).unwrap();
        let keyspace = open();
        while keyspace.recount().unwrap().is_none() {}
        let before = bytes_read();
        assert!(keyspace.load(|_, _| true).unwrap());
        let read = bytes_read() - before;
        let all = u64::from(PAIRS) * VALUE.len() as u64;
        assert!(read > all / 4, "{read} of {all} bytes were read again");
    }

    #[test]
    fn pairs_are_counted_while_others_write() {
        for loses_a_pair in [false, true] {
            let database = Database::temporary().unwrap();
            let keyspace = Keyspace::open(&database, "t").unwrap();
            let mut changes = Changes::new();
            (0..2_000_u32).for_each(|n| changes.put(n.to_be_bytes(), "pair"));
            keyspace.apply(&changes, 1).unwrap();
            if loses_a_pair {
                keyspace.tree.remove(1_500_u32.to_be_bytes()).unwrap();
            }
            let mut found = None;
            // Changes before, in and after what has been counted.
            for n in 0_u32.. {
                found = keyspace.recount().unwrap();
                if found.is_some() {
                    break;
                }
                let mut changes = Changes::new();
                changes.put((n * 300).to_be_bytes(), format!("other {n}"));
                changes.put((n * 190 + 1).to_be_bytes(), "other");
                changes.delete((n * 190 + 2).to_be_bytes());
                changes.put([&n.to_be_bytes()[..], b"new"].concat(), "new");
                keyspace.apply(&changes, 2).unwrap();
                let old = (3_u32 + n).to_be_bytes().to_vec();
                let value = keyspace.get(&old).unwrap().unwrap();
                keyspace.exchange(&[(old.clone(), value)], vec![(old, b"exchanged".to_vec())], 3).unwrap();
            }
            assert_eq!(found, Some(!loses_a_pair));
            assert_eq!(keyspace.load(|_, _| true).unwrap(), !loses_a_pair);
        }
    }
}
