//! The catalogue, made anew from the journal.

use plybook_store::{Entry, Store};

use super::contents::Contents;
use super::files::CatalogueFiles;
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

    /// Applies the next entries.
    pub fn apply(&mut self, entries: &[Entry]) -> Result<(), ModelError> {
        self.known.apply_all(entries);
        if CatalogueFiles::is_full(&self.known) { self.save() } else { Ok(()) }
    }

    /// Saves everything.
    pub fn finish(mut self) -> Result<(), ModelError> {
        self.save()
    }

    fn save(&mut self) -> Result<(), ModelError> {
        let Some(files) = &mut self.files else { return Ok(()) };
        Ok(files.save(&mut self.known)?)
    }
}
