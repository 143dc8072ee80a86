//! The catalogue, made anew from the journal.

use plybook_store::Store;

use super::contents::Contents;
use super::saved::Saved;
use crate::digests::ParsedEntry;
use crate::error::ModelError;

/// The catalogue on its way from the journal to the disk.
pub(crate) struct Rebuilding {
    known: Contents,
    saved: Option<Saved>,
}

impl Rebuilding {
    /// Removes what is on disk.
    pub fn begin(store: &Store) -> Result<Self, ModelError> {
        let mut saved = Saved::open(store)?;
        let known = saved.as_mut().map_or_else(|| Ok(Contents::default()), |saved| saved.clear(store))?;
        Ok(Self { known, saved })
    }

    /// The journal position of the next event to apply.
    pub fn position(&self) -> u64 {
        self.known.position()
    }

    /// What is known so far.
    pub fn contents(&self) -> &Contents {
        &self.known
    }

    /// Applies the next entries.
    pub fn apply(&mut self, entries: &[ParsedEntry]) -> Result<(), ModelError> {
        self.known.apply_parsed(entries);
        Ok(self.known.flush_due()?)
    }

    /// Saves everything.
    pub fn finish(mut self) -> Result<(), ModelError> {
        self.known.games.summaries_mut().flush()?;
        Ok(self.saved.as_mut().map_or(Ok(()), |saved| saved.write(&self.known))?)
    }
}
