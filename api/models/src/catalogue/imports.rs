//! What was imported: by log, from the marks in the journal.

use std::collections::HashMap;

use plybook_events::body::Imported;
use plybook_events::{Event, Hash, LogId, Timestamp, Who};
use serde::{Deserialize, Serialize};

/// One import of events of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// When they were imported.
    pub at: Timestamp,
    /// Who imported them, if anybody is known.
    pub who: Option<Who>,
    /// The name of the file that they came in, or other words for it.
    pub source: Option<String>,
    /// SHA-256 of that file.
    pub file: Hash,
    /// The seq of the first of them.
    pub first: u64,
    /// The seq of the last.
    pub last: u64,
}

/// All imports.
#[derive(Default, Serialize, Deserialize)]
pub struct KnownImports {
    /// In order.
    by_log: HashMap<LogId, Vec<Import>>,
}

impl KnownImports {
    /// Applies a mark. It comes before the events that it is about.
    pub(super) fn apply(&mut self, event: &Event, mark: &Imported) {
        let known = self.by_log.entry(mark.log).or_default();
        // A mark that is applied again, after a start, is known.
        if known.last().is_none_or(|import| import.last < mark.first) {
            let (source, file) = (mark.source.clone(), mark.file);
            known.push(Import { at: event.at, who: event.who, source, file, first: mark.first, last: mark.last });
        }
    }

    /// The imports of events of a log, in order.
    pub fn of(&self, log: LogId) -> &[Import] {
        self.by_log.get(&log).map_or(&[], |known| known)
    }

    /// When the log was recorded here, if it was begun by an import.
    pub(super) fn begun_at(&self, log: LogId) -> Option<Timestamp> {
        self.of(log).first().filter(|import| import.first == 0).map(|import| import.at)
    }
}
