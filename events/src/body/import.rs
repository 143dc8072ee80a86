//! The event that marks an import.

use serde::{Deserialize, Serialize, de};

use super::member::present;
use crate::{Hash, LogId};

/// Events of a log were imported: recorded elsewhere or at another time, whatever times they carry. It is written
/// together with them, before them, in a log of its own; see [`Imported::marks_of`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The log that they belong to.
    pub log: LogId,
    /// The seq of the first of them.
    pub first: u64,
    /// The seq of the last.
    pub last: u64,
    /// The hash of the last.
    pub head: Hash,
    /// SHA-256 of the file that they came in.
    pub file: Hash,
    /// What that was, in the words of the importer: the name of a file, for instance.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub source: Option<String>,
}

/// Reads a mark of at least one event.
pub(super) fn some_imported(json: &[u8]) -> serde_json::Result<Imported> {
    let imported: Imported = serde_json::from_slice(json)?;
    if imported.first > imported.last {
        return Err(de::Error::custom("`last` is not less than `first`"));
    }
    Ok(imported)
}

impl Imported {
    /// The id of the log with the marks of everything that was imported of a log.
    ///
    /// # Source
    /// `FORMAT.md`, *`imported`*.
    pub fn marks_of(log: LogId) -> LogId {
        LogId::from_hash(&Hash::of_parts(&[b"plybook/imports/v1\0", &log.to_bytes()]))
    }
}
