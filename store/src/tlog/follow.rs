//! The thread that adds what is recorded to the tree.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use plybook_tlog::{Builder, Checkpoint, leaf_hash};

use super::check::{Full, READ_EVENTS, grow};
use super::fresh::Fresh;
use super::keys::Keys;
use super::{Shared, TlogError};
use crate::Log;

/// The time between checkpoints. An event waits this long at most, and then for the checkpoint to be made.
const INTERVAL: Duration = Duration::from_millis(500);

/// How long the thread waits for events before it checks whether it should end.
const PATIENCE: Duration = Duration::from_millis(200);

/// Adds events to the tree and signs checkpoints.
pub(super) struct Follower {
    log: Log,
    fresh: Fresh,
    shared: Arc<Shared>,
    keys: Keys,
    builder: Builder,
    full: Full,
}

impl Follower {
    pub(super) fn new(log: Log, shared: Arc<Shared>, keys: Keys, builder: Builder) -> Self {
        Self { fresh: Fresh::of(&log), log, shared, keys, builder, full: Full::default() }
    }

    /// Follows the journal until told to end. What fails is tried again: nothing is public before it is complete.
    pub(super) fn run(mut self) {
        let mut is_failing = false;
        loop {
            let is_over = !self.shared.rest(INTERVAL);
            if self.shared.is_refused.load(Ordering::Acquire) {
                return;
            }
            match self.catch_up() {
                Ok(()) => is_failing = false,
                Err(why) if is_failing => tracing::debug!(%why, "no checkpoint can be made yet"),
                Err(why) => {
                    is_failing = true;
                    tracing::error!(%why, "no checkpoint can be made until this is mended");
                }
            }
            if is_over {
                return;
            }
            self.log.wait_beyond(self.builder.len(), PATIENCE);
        }
    }

    /// Adds everything that is recorded, and signs a checkpoint if that is anything; also now and then on a long way.
    fn catch_up(&mut self) -> Result<(), TlogError> {
        self.full.write(&self.shared.files)?;
        let (first, fresh) = self.fresh.take();
        self.read_until(if fresh.is_empty() { self.log.len() } else { first })?;
        // The journal may have been read beyond the first of them.
        let known = usize::try_from(self.builder.len() - first).unwrap_or(usize::MAX);
        for event in fresh.iter().skip(known) {
            self.builder.push(leaf_hash(event), &mut self.full);
        }
        self.full.write(&self.shared.files)?;
        self.publish()
    }

    /// Adds events from the journal, up to this many in all.
    fn read_until(&mut self, size: u64) -> Result<(), TlogError> {
        let mut begun = Instant::now();
        while self.builder.len() < size {
            let until = size.min(self.builder.len() + READ_EVENTS as u64);
            let files = &self.shared.files;
            grow(&mut self.builder, &self.log, until, &mut self.full, |full| full.write(files))?;
            if begun.elapsed() >= INTERVAL {
                self.publish()?;
                begun = Instant::now();
            }
        }
        Ok(())
    }

    fn publish(&self) -> Result<(), TlogError> {
        let size = self.builder.len();
        let last = self.shared.signed();
        if last.checkpoint.size == size {
            return Ok(());
        }
        for (tile, hashes) in self.builder.partial() {
            self.shared.files.write(tile, hashes)?;
        }
        let checkpoint = Checkpoint { origin: last.checkpoint.origin.clone(), size, root: self.builder.root() };
        self.shared.take_signed(self.shared.files.sign(checkpoint, &self.keys.signing())?);
        Ok(())
    }
}
