//! The catalogue, made anew from the journal.

use plybook_store::Store;

use super::contents::Contents;
use super::files::CatalogueFiles;
use crate::digests::ParsedEntry;
use crate::error::ModelError;

/// The catalogue on its way from the journal to the disk.
pub(crate) struct Rebuilding {
    known: Contents,
    files: Option<CatalogueFiles>,
}

impl Rebuilding {
    /// Removes what is on disk.
    pub fn begin(store: &Store) -> Result<Self, ModelError> {
        let mut files = CatalogueFiles::open(store)?;
        files.as_mut().map_or(Ok(()), CatalogueFiles::clear)?;
        let known = files.as_ref().map_or_else(Contents::default, CatalogueFiles::empty);
        Ok(Self { known, files })
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
        match &self.files {
            Some(files) if CatalogueFiles::is_full(&self.known) => Ok(files.spill(&mut self.known)?),
            _ => Ok(()),
        }
    }

    /// Saves everything.
    pub fn finish(mut self) -> Result<(), ModelError> {
        let Some(files) = &mut self.files else { return Ok(()) };
        Ok(files.save(&mut self.known)?)
    }
}
