//! Where imports come from: each is marked in the journal, before what is imported.

use plybook_events::body::Imported;
use plybook_events::{Body, By, Event, Hash, LogId, is_unprintable};
use plybook_store::Append;

use super::Service;
use crate::error::Problem;

/// The most characters of a source's name.
const NAME_CHARS_MAX: usize = 200;

/// What is imported from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportSource {
    /// SHA-256 of the file.
    pub file: Hash,
    /// Its name, or other words for it.
    pub name: Option<String>,
}

/// Judges whether an import may add events to a log that is already recorded here.
pub type MayExtend<'a> = &'a dyn Fn(LogId) -> Result<(), Problem>;

/// An import: where it comes from, and what it may do.
pub struct Importing<'a> {
    /// Where it comes from.
    pub source: ImportSource,
    /// Whether it may extend a log.
    pub may_extend: MayExtend<'a>,
}

impl ImportSource {
    /// A file with these bytes.
    pub fn of(file: &[u8]) -> Self {
        Self { file: Hash::of_parts(&[file]), name: None }
    }

    /// The same with a name.
    ///
    /// # Errors
    /// The name is empty, too long or cannot be printed.
    pub fn named(self, name: &str) -> Result<Self, Problem> {
        let name = name.trim();
        if !(1..=NAME_CHARS_MAX).contains(&name.chars().count()) || name.chars().any(is_unprintable) {
            return Err(Problem::BadInput(format!("`source` has 1 to {NAME_CHARS_MAX} printable characters")));
        }
        Ok(Self { name: Some(name.to_owned()), ..self })
    }
}

impl Importing<'static> {
    /// An import of a file without a name, which may extend any log.
    pub fn of(file: &str) -> Self {
        Self { source: ImportSource::of(file.as_bytes()), may_extend: &|_| Ok(()) }
    }
}

impl Service {
    /// The mark of events that are to be imported, the first of which gets this seq. It has to be written before them.
    ///
    /// # Errors
    /// The marks of that log cannot be read.
    pub(super) fn mark(
        &self,
        log: LogId,
        first: u64,
        events: &[Vec<u8>],
        source: &ImportSource,
    ) -> Result<Append, Problem> {
        let marks = Imported::marks_of(log);
        let head = self.log().head(marks);
        let last = events.last().ok_or_else(|| Problem::internal("nothing is imported"))?;
        let mut at = self.clock().now();
        if let Some(head) = head {
            let before = self.log().read(marks, head.seq())?;
            let before = before.first().and_then(|bytes| Event::parse(bytes).ok());
            at = before.map_or(at, |before| at.max(before.at));
        }
        let body = Body::Imported(Imported {
            log,
            first,
            last: first + events.len() as u64 - 1,
            head: Hash::of_event(last),
            file: source.file,
            source: source.name.clone(),
        });
        let (prev, seq) = head.map_or((Hash::ZERO, 0), |head| (head.hash(), head.seq() + 1));
        let event = Event {
            at,
            by: By::Service,
            log: marks,
            prev,
            seq,
            body,
            who: self.context.who,
            signature: None,
            request: None,
        };
        let bytes = event.to_bytes().map_err(Problem::internal)?;
        Ok(Append { log: marks, expected: head, events: vec![bytes] })
    }
}
