//! Values that nodes share and replace as a whole: tokens, personal data, the last checkpoint.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::StreamError;
use crate::bucket::{Bucket, Entry};
use crate::stream::{PATIENCE, PAUSE};

/// A value that nodes share.
#[derive(Clone)]
pub struct Document {
    documents: Arc<Documents>,
    name: &'static str,
}

/// One version of a document.
#[derive(Debug, PartialEq, Eq)]
pub struct Version {
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Tells versions apart, from 1; later ones have larger numbers.
    pub revision: u64,
}

/// All documents, as they were heard of last.
pub struct Documents {
    bucket: Bucket,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    versions: BTreeMap<String, Arc<Version>>,
    /// The revision up to which everything is known.
    until: u64,
}

impl Documents {
    /// Reads all documents.
    ///
    /// # Errors
    /// The servers are away, or a value is damaged.
    pub fn open(bucket: Bucket) -> Result<Arc<Self>, StreamError> {
        let documents = Self { bucket, known: Mutex::default() };
        documents.refresh()?;
        Ok(Arc::new(documents))
    }

    /// One of them.
    pub fn document(self: &Arc<Self>, name: &'static str) -> Document {
        Document { documents: Arc::clone(self), name }
    }

    /// Takes in what was written meanwhile, by whomever.
    ///
    /// # Errors
    /// The servers are away, or a value is damaged.
    pub fn refresh(&self) -> Result<(), StreamError> {
        loop {
            let until = self.known().until;
            let Some(entry) = self.bucket.next(until + 1)? else { return Ok(()) };
            let revision = entry.revision;
            self.take(entry)?;
            self.known().until = revision;
        }
    }

    /// Takes in a version, unless a later one is known.
    fn take(&self, entry: Entry) -> Result<Arc<Version>, StreamError> {
        let Entry { key, value, revision } = entry;
        let version = Arc::new(Version { bytes: self.bucket.unpack(&value, revision)?, revision });
        let mut known = self.known();
        let latest = known.versions.entry(key).or_insert_with(|| Arc::clone(&version));
        if latest.revision < revision {
            *latest = Arc::clone(&version);
        }
        Ok(version)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Document {
    /// The latest version that was heard of; another node's is heard of within a second, as long as the servers answer.
    pub fn latest(&self) -> Option<Arc<Version>> {
        self.documents.known().versions.get(self.name).cloned()
    }

    /// The latest version there is.
    ///
    /// # Errors
    /// The servers are away, or the value is damaged.
    pub fn read(&self) -> Result<Option<Arc<Version>>, StreamError> {
        let entry = self.documents.bucket.get(self.name)?;
        entry.map(|entry| self.documents.take(entry)).transpose()
    }

    /// Writes a version after the one with the revision `after`, which is 0 for the first. It is on a quorum of the servers
    /// when this returns its revision; `None` if another node was first.
    ///
    /// # Errors
    /// It is too large, or the servers are away; then it may be written or not.
    pub fn replace(&self, bytes: &[u8], after: u64) -> Result<Option<u64>, StreamError> {
        let bucket = &self.documents.bucket;
        let value = bucket.pack(bytes)?;
        let Some(revision) = bucket.put(self.name, &value, after)? else { return Ok(None) };
        self.documents.take(Entry { key: self.name.to_owned(), value, revision })?;
        Ok(Some(revision))
    }

    /// Changes a document, however many nodes do so at the same time. `change` makes the next version of the present one, or
    /// `None` if nothing changes, and something to return; it is called again if another node was first.
    ///
    /// # Errors
    /// Those of `change` and of [`replace`](Self::replace).
    pub fn update<T, E: From<StreamError>>(
        &self,
        mut change: impl FnMut(Option<&Version>) -> Result<(Option<Vec<u8>>, T), E>,
    ) -> Result<T, E> {
        let (begun, mut pause) = (Instant::now(), Duration::ZERO);
        loop {
            let present = self.read()?;
            let (next, done) = change(present.as_deref())?;
            let after = present.map_or(0, |version| version.revision);
            match next {
                Some(next) if self.replace(&next, after)?.is_none() => {}
                _ => return Ok(done),
            }
            if begun.elapsed() >= PATIENCE {
                let stream = self.documents.bucket.stream_name().to_owned();
                let why = format!("{}: others are always first", self.name);
                return Err(StreamError::Unanswered { stream, why }.into());
            }
            thread::sleep(pause);
            pause = PAUSE;
        }
    }
}
