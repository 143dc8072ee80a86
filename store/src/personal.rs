//! Personal data, which must be possible to erase and is therefore never in a log.
//!
//! One file that only its owner can read, `<data>/personal.json`: values by log and name, and a checksum over
//! all of them. Every change writes a new file and renames it into place, so what was erased is gone from the
//! file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use plybook_events::{Hash, LogId};
use serde::{Deserialize, Serialize};

use crate::disk;

/// Personal data by log and name. Each change is durable before the call returns. All of it is also in
/// memory.
pub struct Personal {
    values: Mutex<Values>,
    file: Place,
}

/// Values by log and name.
type Values = BTreeMap<LogId, BTreeMap<String, String>>;

/// Where they are kept.
enum Place {
    Memory,
    File(PathBuf),
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
    /// The personal data of a data directory; empty if there is no file.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn open(path: &Path) -> Result<Self, PersonalError> {
        Ok(Self { values: Mutex::new(read(path)?), file: Place::File(path.to_owned()) })
    }

    /// Like [`open`](Self::open), but refuses changes.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn open_to_read(path: &Path) -> Result<Self, PersonalError> {
        Ok(Self { values: Mutex::new(read(path)?), file: Place::Closed })
    }

    /// Personal data in memory, which is gone when it is dropped.
    pub fn in_memory() -> Self {
        Self { values: Mutex::default(), file: Place::Memory }
    }

    /// A value of a log.
    pub fn get(&self, log: LogId, name: &str) -> Option<String> {
        self.values().get(&log)?.get(name).cloned()
    }

    /// Applies changes, all or none. They are durable when this returns; a change that changes nothing is
    /// free.
    ///
    /// # Errors
    /// A write failed and nothing was changed, or the store is open for reading only.
    pub fn change(&self, changes: &[PersonalChange<'_>]) -> Result<(), PersonalError> {
        let mut values = self.values();
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
        if changed == *values {
            return Ok(());
        }
        match &self.file {
            Place::Memory => {}
            Place::Closed => return Err(PersonalError::ReadOnly),
            Place::File(path) => {
                let held = Contents { check: check(&changed), values: changed.clone() };
                let json = serde_json::to_vec_pretty(&held).expect("values are plain data");
                disk::replace(path, &json, 0o600).map_err(|source| PersonalError::Io { path: path.clone(), source })?;
            }
        }
        *values = changed;
        Ok(())
    }

    fn values(&self) -> MutexGuard<'_, Values> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
mod tests {
    use super::*;

    const ID: LogId = LogId::from_bytes([1; 16]);

    #[test]
    fn what_is_erased_is_gone_from_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("personal.json");
        let personal = Personal::open(&path).unwrap();
        personal.change(&[(ID, "born", Some("1987".to_owned())), (ID, "other", Some("x".to_owned()))]).unwrap();
        assert_eq!(Personal::open(&path).unwrap().get(ID, "born").as_deref(), Some("1987"));
        personal.change(&[(ID, "born", None)]).unwrap();
        assert_eq!(Personal::open(&path).unwrap().get(ID, "born"), None);
        assert!(!fs::read_to_string(&path).unwrap().contains("1987"));
        let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["personal.json"], "no copy is left");
    }

    #[test]
    fn a_changed_file_is_refused_and_a_missing_one_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("personal.json");
        assert_eq!(Personal::open(&path).unwrap().get(ID, "born"), None);
        Personal::open(&path).unwrap().change(&[(ID, "born", Some("1987".to_owned()))]).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        for damaged in [whole.replace("1987", "1988"), whole[..whole.len() / 2].to_owned(), String::new()] {
            fs::write(&path, damaged).unwrap();
            assert!(matches!(Personal::open(&path), Err(PersonalError::Damaged(_))));
        }
    }

    #[test]
    fn a_store_that_is_read_and_a_disk_that_is_full_change_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("personal.json");
        let change = [(ID, "born", Some("1987".to_owned()))];
        let read = Personal::open_to_read(&path).unwrap();
        assert!(matches!(read.change(&change), Err(PersonalError::ReadOnly)));
        let gone = Personal::open(&dir.path().join("no-such-folder/personal.json")).unwrap();
        assert!(matches!(gone.change(&change), Err(PersonalError::Io { .. })));
        assert_eq!((read.get(ID, "born"), gone.get(ID, "born")), (None, None));
    }
}
