//! Personal data, which must be possible to erase and is therefore never in a log.
//!
//! One file that only its owner can read, `<data>/personal.json`: values by log and name, and a checksum over
//! all of them. Every change writes a new file and renames it into place, so what was erased is gone from the
//! file. Nodes of a stream share the same contents as a [`Document`], whose last version is the only one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use plybook_events::{Hash, LogId};
use plybook_stream::{Document, StreamError, Version};
use serde::{Deserialize, Serialize};

use crate::disk;

/// The name of the file in a data directory.
pub(crate) const PERSONAL: &str = "personal.json";

/// Personal data by log and name. Each change is durable before the call returns. All of it is also in
/// memory.
pub struct Personal {
    held: Mutex<Held>,
    place: Place,
}

/// The values as they were read last.
#[derive(Default)]
struct Held {
    values: Values,
    /// The revision of the document that they were read from; 0 if there is none.
    revision: u64,
}

/// Values by log and name.
type Values = BTreeMap<LogId, BTreeMap<String, String>>;

/// Where they are kept.
enum Place {
    Memory,
    File(PathBuf),
    Shared(Document),
    /// A file opened for reading only.
    Closed,
}

/// A change: the log, a name, and the new value, or `None` to erase it.
pub type PersonalChange<'a> = (LogId, &'a str, Option<String>);

/// The contents of the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    /// The first 16 hex digits of SHA-256 over a domain string and the values as compact JSON.
    check: String,
    values: Values,
}

/// Why personal data cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PersonalError {
    /// The file was changed by another program. Restore it from a copy, or delete it and lose what it held.
    #[error("{} is damaged: restore it from a copy, or delete it to go on without personal data", .0.display())]
    Damaged(PathBuf),
    /// The store is open for reading only.
    #[error("the store is open for reading")]
    ReadOnly,
    /// The servers that keep what nodes share are away, or refuse.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The operating system refused. Check the permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl Personal {
    /// The name of the document that nodes share.
    pub const DOCUMENT: &str = "personal";

    /// The personal data of a data directory; empty if there is no file.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn open(path: &Path) -> Result<Self, PersonalError> {
        Ok(Self::new(read(path)?, Place::File(path.to_owned())))
    }

    /// Like [`open`](Self::open), but refuses changes.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn open_to_read(path: &Path) -> Result<Self, PersonalError> {
        Ok(Self::new(read(path)?, Place::Closed))
    }

    /// The personal data that nodes share. If there is none yet, they begin with the data in a file, if that is there.
    ///
    /// # Errors
    /// It is damaged, or the servers are away.
    pub fn open_shared(document: Document, file: &Path) -> Result<Self, PersonalError> {
        if document.latest().is_none() {
            let values = read(file)?;
            let is_given = |found: Option<&Version>| found.is_none() && !values.is_empty();
            document.update(|found| Ok::<_, PersonalError>((is_given(found).then(|| bytes_of(&values)), ())))?;
        }
        let latest = document.latest();
        let values = latest.as_deref().map_or(Ok(Values::new()), values_of_version)?;
        let revision = latest.map_or(0, |version| version.revision);
        Ok(Self { held: Mutex::new(Held { values, revision }), place: Place::Shared(document) })
    }

    /// Personal data in memory, which is gone when it is dropped.
    pub fn in_memory() -> Self {
        Self::new(Values::new(), Place::Memory)
    }

    fn new(values: Values, place: Place) -> Self {
        Self { held: Mutex::new(Held { values, revision: 0 }), place }
    }

    /// A value of a log.
    pub fn get(&self, log: LogId, name: &str) -> Option<String> {
        self.held().values.get(&log)?.get(name).cloned()
    }

    /// Applies changes, all or none. They are durable when this returns; a change that changes nothing is
    /// free.
    ///
    /// # Errors
    /// A write failed and nothing was changed, the store is open for reading only, or the servers that keep what nodes share
    /// are away; then it may be changed or not.
    pub fn change(&self, changes: &[PersonalChange<'_>]) -> Result<(), PersonalError> {
        if let Place::Shared(document) = &self.place {
            return document.update(|version| {
                let values = version.map_or(Ok(Values::new()), values_of_version)?;
                let changed = changed(&values, changes);
                Ok(((changed != values).then(|| bytes_of(&changed)), ()))
            });
        }
        let mut held = self.held();
        let changed = changed(&held.values, changes);
        if changed == held.values {
            return Ok(());
        }
        match &self.place {
            Place::Memory | Place::Shared(_) => {}
            Place::Closed => return Err(PersonalError::ReadOnly),
            Place::File(path) => {
                let written = disk::replace(path, &bytes_of(&changed), 0o600);
                written.map_err(|source| PersonalError::Io { path: path.clone(), source })?;
            }
        }
        held.values = changed;
        Ok(())
    }

    /// The values, read again if another node has changed them.
    fn held(&self) -> MutexGuard<'_, Held> {
        let mut held = self.lock();
        if let Place::Shared(document) = &self.place
            && let Some(version) = document.latest().filter(|version| version.revision > held.revision)
        {
            match values_of_version(&version) {
                Ok(values) => held.values = values,
                Err(why) => tracing::error!(%why, "the personal data stays as it was"),
            }
            held.revision = version.revision;
        }
        held
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn changed(values: &Values, changes: &[PersonalChange<'_>]) -> Values {
    let mut changed = values.clone();
    for (log, name, value) in changes {
        let of_log = changed.entry(*log).or_default();
        match value {
            Some(value) => drop(of_log.insert((*name).to_owned(), value.clone())),
            None => drop(of_log.remove(*name)),
        }
        if of_log.is_empty() {
            changed.remove(log);
        }
    }
    changed
}

fn bytes_of(values: &Values) -> Vec<u8> {
    let contents = Contents { check: check(values), values: values.clone() };
    serde_json::to_vec_pretty(&contents).expect("values are plain data")
}

fn values_of_version(version: &Version) -> Result<Values, PersonalError> {
    values_of(Path::new("what nodes share as personal data"), &version.bytes)
}

fn read(path: &Path) -> Result<Values, PersonalError> {
    let json = match fs::read(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Values::new()),
        read => read.map_err(|source| PersonalError::Io { path: path.to_owned(), source })?,
    };
    values_of(path, &json)
}

/// Checks the bytes of the file.
///
/// # Errors
/// [`PersonalError::Damaged`], naming `path`.
pub(crate) fn check_bytes(path: &Path, json: &[u8]) -> Result<(), PersonalError> {
    values_of(path, json).map(drop)
}

fn values_of(path: &Path, json: &[u8]) -> Result<Values, PersonalError> {
    let held: Contents = serde_json::from_slice(json).map_err(|_| PersonalError::Damaged(path.to_owned()))?;
    if held.check == check(&held.values) { Ok(held.values) } else { Err(PersonalError::Damaged(path.to_owned())) }
}

fn check(values: &Values) -> String {
    let json = serde_json::to_vec(values).expect("values are plain data");
    Hash::of_parts(&[b"plybook/personal/v1\0", &json]).to_string()[..16].to_owned()
}

#[cfg(test)]
mod tests;
