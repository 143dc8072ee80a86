//! The thread that compares the beginning of a long journal with the tree, while the service answers already.

use std::sync::Arc;
use std::time::Duration;

use plybook_tlog::Builder;

use super::check::{Comparing, READ_EVENTS, grow};
use super::{Shared, TlogError};
use crate::log::Log;
use crate::priority::let_others_go_first;

/// Compares the events that a start believed.
pub(super) struct Earlier {
    log: Log,
    shared: Arc<Shared>,
    /// The tree of these events, to which the last checkpoint leads.
    believed: Builder,
}

impl Earlier {
    pub(super) fn new(log: Log, shared: Arc<Shared>, believed: Builder) -> Self {
        Self { log, shared, believed }
    }

    /// Compares them, unless told to end.
    pub(super) fn run(self) {
        let_others_go_first();
        match self.compare() {
            Ok(()) => {}
            Err(why @ (TlogError::Changed { .. } | TlogError::Cut { .. })) => {
                tracing::error!(%why, "no checkpoint is signed any more");
                self.shared.refuse();
            }
            Err(why) => tracing::error!(%why, "the journal cannot be compared with the transparency log"),
        }
    }

    fn compare(&self) -> Result<(), TlogError> {
        let (files, signed) = (&self.shared.files, self.shared.signed().checkpoint.size);
        let (mut found, mut comparing) = (Builder::default(), Comparing::new(files));
        while found.len() < self.believed.len() {
            let until = self.believed.len().min(found.len() + READ_EVENTS as u64);
            grow(&mut found, &self.log, until, &mut comparing)?;
            if !self.shared.rest(Duration::ZERO) {
                return Ok(());
            }
        }
        if found.root() != self.believed.root() {
            let (events, path, is_shared) = (comparing.first, files.checkpoint_path(), self.log.is_shared());
            return Err(TlogError::Changed { events, signed, path, is_shared });
        }
        comparing.wrong.write_again(files)
    }
}

#[cfg(test)]
pub(super) mod tests;
