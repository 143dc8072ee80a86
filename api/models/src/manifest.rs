//! Manifests: which tables in a folder count, and for which event of the journal.

use std::collections::HashSet;
use std::io;

use plybook_events::Hash;
use plybook_store::{Log, TableId, Tables};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Which tables count. It is replaced as a whole, so until then the old ones do.
#[derive(Serialize, Deserialize)]
pub(super) struct Manifest<T> {
    version: String,
    #[serde(flatten)]
    pub applied: Applied,
    /// The tables.
    #[serde(flatten)]
    pub listed: T,
}

/// What has been applied: everything before a position of this journal, and of no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Applied {
    /// The journal position of the next event to apply.
    pub position: u64,
    /// The hash of the event before.
    event: Hash,
}

/// A table in a manifest.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct ListedTable {
    table: u64,
    check: Hash,
}

impl<T: Serialize + DeserializeOwned> Manifest<T> {
    /// The manifest of a folder; `None` if there is none of this version and this journal.
    pub fn read(tables: &Tables, version: &str, log: &Log) -> Option<Self> {
        let manifest: Self = serde_json::from_slice(&tables.manifest()?).ok()?;
        (manifest.version == version && manifest.applied.is_of(log)).then_some(manifest)
    }

    /// Has these tables count from now on.
    pub fn write(tables: &Tables, version: String, applied: Applied, listed: T) -> io::Result<()> {
        let manifest = Self { version, applied, listed };
        tables.set_manifest(&serde_json::to_vec(&manifest).expect("a manifest is plain data"))
    }
}

impl Applied {
    /// Everything before a position; `None` if that is nothing, or cannot be read.
    pub fn before(position: u64, log: &Log) -> Option<Self> {
        let entries = log.entries(position.checked_sub(1)?, 1).ok()?;
        Some(Self { position, event: entries.first()?.hash })
    }

    /// Whether it is of this journal.
    fn is_of(self, log: &Log) -> bool {
        Self::before(self.position, log) == Some(self)
    }
}

impl From<TableId> for ListedTable {
    fn from(TableId { number, check }: TableId) -> Self {
        Self { table: number, check }
    }
}

impl ListedTable {
    /// What identifies the table.
    pub fn id(self) -> TableId {
        TableId { number: self.table, check: self.check }
    }
}

/// Removes all tables but these.
pub(super) fn keep_only(tables: &Tables, kept: impl Iterator<Item = ListedTable>) {
    let kept: HashSet<u64> = kept.map(|table| table.table).collect();
    if let Err(why) = tables.remove(|number| !kept.contains(&number)) {
        tracing::warn!(%why, "tables that do not count any more cannot be removed");
    }
}
