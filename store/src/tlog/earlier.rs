//! The thread that compares the beginning of a long journal with the tree, while the service answers already.

use std::sync::Arc;
use std::time::{Duration, Instant};

use plybook_tlog::{Builder, Sink};

use super::check::{Comparing, Full, READ_EVENTS, grow};
use super::files::LEAVES_BELOW;
use super::{Shared, TlogError};
use crate::log::Log;
use crate::priority::let_others_go_first;

/// How long it works before it rests for as long, so that it takes half a core at most.
const TURN: Duration = Duration::from_millis(20);

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
        let (files, size) = (&self.shared.files, self.shared.signed().checkpoint.size);
        let mut comparing = Comparing::new(files, size);
        let Some(found) = self.read(&mut comparing, |_| Ok(()))? else { return Ok(()) };
        if found.root() != self.believed.root() {
            let (events, signed, is_shared) = (comparing.first, size, self.log.is_shared());
            return Err(TlogError::Changed { events, signed, path: files.checkpoint_path(), is_shared });
        }
        if comparing.wrong > 0 {
            let tiles = comparing.wrong;
            tracing::warn!(tiles, "tiles of the transparency log are missing or damaged, and are written again");
            self.read(&mut Full::default(), |full| full.write(files))?;
        }
        self.remove_leaves(size);
        Ok(())
    }

    /// Removes the tiles of level 0 that a process that was stopped has left of a tree of `size` leaves.
    fn remove_leaves(&self, size: u64) {
        let mut begun = Instant::now();
        for above in 0..size / LEAVES_BELOW {
            self.shared.files.remove_leaves(above);
            if begun.elapsed() >= TURN {
                tracing::info!(tiles = above + 1, "tiles of leaves are removed, which can be made from the journal");
                if !self.shared.rest(begun.elapsed()) {
                    return;
                }
                begun = Instant::now();
            }
        }
    }

    /// The tree of the same events of the journal; `None` if this was ended.
    fn read<S: Sink>(
        &self,
        sink: &mut S,
        mut after_each: impl FnMut(&mut S) -> Result<(), TlogError>,
    ) -> Result<Option<Builder>, TlogError> {
        let (mut builder, mut begun) = (Builder::default(), Instant::now());
        while builder.len() < self.believed.len() {
            let until = self.believed.len().min(builder.len() + READ_EVENTS as u64);
            grow(&mut builder, &self.log, until, sink, &mut after_each)?;
            if begun.elapsed() >= TURN {
                if !self.shared.rest(begun.elapsed()) {
                    return Ok(None);
                }
                begun = Instant::now();
            }
        }
        Ok(Some(builder))
    }
}

#[cfg(test)]
pub(super) mod tests;
