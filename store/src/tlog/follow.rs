//! The thread that adds what is recorded to the tree.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use plybook_tlog::{Builder, Checkpoint, Sink};

use super::check::{READ_EVENTS, Unwritten, grow};
use super::keys::Keys;
use super::sharing::Sharing;
use super::{Published, Shared, TlogError};
use crate::log::Log;

/// The time between checkpoints. An event waits this long at most, and then for the checkpoint to be made.
const INTERVAL: Duration = Duration::from_millis(500);

/// Adds events to the tree and signs checkpoints.
pub(super) struct Follower {
    log: Log,
    shared: Arc<Shared>,
    keys: Keys,
    /// The tree of the last checkpoint.
    builder: Builder,
    /// What nodes share of it, unless this one is on its own.
    sharing: Option<Sharing>,
}

impl Follower {
    pub(super) fn new(log: Log, shared: Arc<Shared>, keys: Keys, builder: Builder, sharing: Option<Sharing>) -> Self {
        Self { log, shared, keys, builder, sharing }
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
                Err(why @ TlogError::Changed { .. }) => {
                    tracing::error!(%why, "no checkpoint is signed any more");
                    self.shared.refuse();
                    return;
                }
                Err(why) if is_failing => tracing::debug!(%why, "no checkpoint can be made yet"),
                Err(why) => {
                    is_failing = true;
                    tracing::error!(%why, "no checkpoint can be made until this is mended");
                }
            }
            if is_over {
                return;
            }
        }
    }

    /// Follows the checkpoints of other nodes, and signs one of everything that is recorded, if that is anything and it is this
    /// node's turn; also now and then on a long way.
    fn catch_up(&mut self) -> Result<(), TlogError> {
        self.adopt()?;
        while self.builder.len() < self.log.len() {
            let is_turn = self.sharing.as_mut().is_none_or(Sharing::is_turn);
            if !is_turn || !self.sign()? {
                break;
            }
        }
        if let Some(sharing) = &mut self.sharing {
            let public = self.shared.published.read().unwrap_or_else(PoisonError::into_inner).checkpoint.size;
            self.shared.may_ask(sharing.asks(self.builder.len(), public));
        }
        Ok(())
    }

    /// Takes the checkpoints that other nodes have signed, as far as this one has come in the journal.
    fn adopt(&mut self) -> Result<(), TlogError> {
        let Some(sharing) = &self.sharing else { return Ok(()) };
        if let Some((published, revision)) = sharing.next_signed(&self.keys)? {
            let (Checkpoint { size, root, .. }, path) = (published.checkpoint.clone(), Sharing::path());
            if size > self.log.len() {
                return Ok(());
            }
            let grown = if size < self.builder.len() { None } else { Some(self.grown(size, None)?) };
            let Some(builder) = grown.filter(|builder| builder.root() == root) else {
                return Err(TlogError::Changed { events: None, signed: size, path, is_shared: true });
            };
            self.settle(builder, published)?;
            if let Some(sharing) = &mut self.sharing {
                sharing.adopted(revision);
            }
        }
        let quorum = self.shared.cosigning.quorum();
        if let Some(sharing) = &mut self.sharing
            && let Some(cosigned) = sharing.next_cosigned(&self.keys, quorum, self.builder.len())?
        {
            self.shared.files.write_cosigned(&cosigned.note)?;
            self.shared.publish(Arc::new(cosigned));
        }
        Ok(())
    }

    /// Signs a checkpoint of what is recorded, or of the beginning of it on a long way. Returns whether it counts: another node may
    /// have been first.
    fn sign(&mut self) -> Result<bool, TlogError> {
        let builder = self.grown(self.log.len(), Some(INTERVAL))?;
        let origin = self.keys.current().name().to_owned();
        let checkpoint = Checkpoint { origin, size: builder.len(), root: builder.root() };
        let signed = Published::sign(checkpoint, &self.keys.signing());
        if let Some(sharing) = &mut self.sharing
            && !sharing.publish(&signed)?
        {
            return Ok(false);
        }
        self.settle(builder, signed)?;
        Ok(true)
    }

    /// Stores the next checkpoint, and makes it public if no witness has to cosign it.
    fn settle(&mut self, builder: Builder, signed: Published) -> Result<(), TlogError> {
        self.shared.files.write_checkpoint(&signed.note)?;
        self.builder = builder;
        self.shared.take_signed(signed);
        Ok(())
    }

    /// The tree with the next events, up to `size`, or fewer after some time. Its tiles are written.
    fn grown(&self, size: u64, patience: Option<Duration>) -> Result<Builder, TlogError> {
        let (mut builder, mut full, begun) = (self.builder.clone(), Unwritten::default(), Instant::now());
        while builder.len() < size {
            let until = size.min(builder.len() + READ_EVENTS as u64);
            grow(&mut builder, &self.log, until, &mut full)?;
            if patience.is_some_and(|patience| begun.elapsed() >= patience) {
                break;
            }
        }
        for (tile, hashes) in builder.partial() {
            full.take(tile, hashes);
        }
        full.write(&self.shared.files)?;
        Ok(builder)
    }
}

#[cfg(test)]
mod tests;
