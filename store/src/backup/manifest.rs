//! What a backup holds: its file `backup.json`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use plybook_events::{Hash, Timestamp};
use serde::{Deserialize, Serialize};

use crate::journal::segment_name;
use crate::operator;
use crate::personal::PERSONAL;
use crate::vault::VAULT;

/// The name of the file that makes a directory a backup.
pub const NAME: &str = "backup.json";

/// The folder of the segments, in a backup and in a data directory.
pub(super) const JOURNAL: &str = "journal";

/// The files besides the journal that cannot be made again, in the order in which they are looked at: the first six before
/// the journal. Not among them: the tiles, which are made from the journal, and the first administrator's token, which is to be
/// deleted and whose hash is in `tokens.jsonl`.
pub(super) const FILES: [&str; 9] = [
    "tlog/cosigned",
    "tlog/checkpoint",
    "tlog/key",
    "tlog/key.old",
    "tlog/key.next",
    "tlog/keys",
    VAULT,
    PERSONAL,
    "tokens.jsonl",
];

/// No manifest is longer, in bytes: this one has room for 400,000 segments.
pub(super) const BYTES_MAX: u64 = 64 << 20;

const FORMAT: &str = "plybook-backup/1";

/// The manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    format: String,
    /// How many backups were made into the folder; 0 if none is complete yet. Its state folder is named by it.
    pub run: u64,
    /// When it was made.
    at: Timestamp,
    /// The number of events in the journal.
    pub events: u64,
    /// The segments, in their order.
    pub journal: Vec<SegmentCopy>,
    /// The other files.
    pub files: Vec<FileCopy>,
}

/// What a manifest of any version has.
#[derive(Deserialize)]
struct Format {
    format: String,
}

/// A segment of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentCopy {
    /// The position of its first event.
    pub first: u64,
    /// How many bytes of the file count.
    pub bytes: u64,
    /// The hash of these bytes.
    pub sha256: Hash,
}

/// Another file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileCopy {
    /// Its name in the data directory.
    pub name: String,
    pub bytes: u64,
    pub sha256: Hash,
}

impl Manifest {
    /// The manifest of a backup that is made now.
    pub(super) fn new(run: u64, events: u64, journal: Vec<SegmentCopy>, files: Vec<FileCopy>) -> Self {
        Self { format: FORMAT.to_owned(), run, at: operator::now(), events, journal, files }
    }

    /// Reads the bytes of a manifest, or says what is wrong with them.
    pub(super) fn parse(json: &[u8]) -> Result<Self, String> {
        let Format { format } = serde_json::from_slice(json).map_err(|why| why.to_string())?;
        if format != FORMAT {
            return Err(format!("its format is {format:?}, and this program reads {FORMAT:?}"));
        }
        let manifest: Self = serde_json::from_slice(json).map_err(|why| why.to_string())?;
        let firsts: Vec<u64> = manifest.journal.iter().map(|segment| segment.first).collect();
        if firsts.first().is_some_and(|first| *first != 0) || !firsts.is_sorted_by(|a, b| a < b) {
            return Err("its segments are not in order".to_owned());
        }
        let names: BTreeSet<&str> = manifest.files.iter().map(|file| file.name.as_str()).collect();
        if names.len() < manifest.files.len() || names.iter().any(|name| !FILES.contains(name)) {
            return Err("it names files that no backup has".to_owned());
        }
        Ok(manifest)
    }

    /// Its bytes.
    pub(super) fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).expect("it is plain data");
        json.push(b'\n');
        json
    }

    /// The number of bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        let journal = self.journal.iter().map(|segment| segment.bytes);
        // A manifest may claim anything.
        journal.chain(self.files.iter().map(|file| file.bytes)).fold(0, u64::saturating_add)
    }

    /// The folder of the other files.
    pub(super) fn state(&self) -> String {
        state(self.run)
    }

    /// Another file.
    pub(super) fn file(&self, name: &str) -> Option<&FileCopy> {
        self.files.iter().find(|file| file.name == name)
    }
}

impl SegmentCopy {
    /// Its place in a backup or a data directory.
    pub(super) fn place(&self) -> PathBuf {
        PathBuf::from(JOURNAL).join(segment_name(self.first))
    }
}

/// The folder of the other files of a run.
pub(super) fn state(run: u64) -> String {
    format!("state-{run}")
}
