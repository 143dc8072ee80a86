//! What was imported: by log, from the marks in the journal.

use std::collections::{BTreeMap, HashMap};

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

/// All imports of events of one log, in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LogImports {
    /// The log.
    pub(super) log: LogId,
    imports: Vec<Import>,
}

/// All imports.
#[derive(Default)]
pub struct KnownImports {
    by_log: HashMap<LogId, LogImports>,
}

impl KnownImports {
    pub(super) fn load(&mut self, imports: LogImports) {
        self.by_log.insert(imports.log, imports);
    }

    /// Applies a mark. It comes before the events that it is about.
    pub(super) fn apply(&mut self, event: &Event, mark: &Imported) {
        let new = || LogImports { log: mark.log, imports: Vec::new() };
        let known = &mut self.by_log.entry(mark.log).or_insert_with(new).imports;
        // A mark that is applied again, after a start, is known.
        if known.last().is_none_or(|import| import.last < mark.first) {
            let (source, file) = (mark.source.clone(), mark.file);
            known.push(Import { at: event.at, who: event.who, source, file, first: mark.first, last: mark.last });
        }
    }

    /// The imports of events of a log, in order.
    pub fn of(&self, log: LogId) -> &[Import] {
        self.by_log.get(&log).map_or(&[], |known| &known.imports)
    }

    /// When the log was recorded here, if it was begun by an import.
    pub(super) fn begun_at(&self, log: LogId) -> Option<Timestamp> {
        self.of(log).first().filter(|import| import.first == 0).map(|import| import.at)
    }

    /// All imports, in the order of the logs' ids.
    pub(super) fn all(&self) -> impl Iterator<Item = &LogImports> {
        self.by_log.iter().collect::<BTreeMap<_, _>>().into_values()
    }
}
