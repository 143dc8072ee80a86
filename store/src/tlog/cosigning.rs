//! Collecting the cosignatures of witnesses.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plybook_tlog::{Cosignature, Note, NoteError, Quorum, WitnessKey};

use super::Published;

/// Which checkpoint witnesses are asked to cosign. It stays the same until enough of them have, as their cosignatures
/// count together only if they are of one tree.
pub(super) struct Cosigning {
    quorum: Quorum,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The last checkpoint that was signed.
    signed: Arc<Published>,
    /// The one that witnesses are asked for, with the cosignatures that it has so far.
    asked: Arc<Published>,
}

impl Cosigning {
    /// Begins with the last checkpoint that was signed, and the last one that is public.
    pub(super) fn new(quorum: Quorum, signed: Arc<Published>, published: Arc<Published>) -> Self {
        Self { quorum, state: Mutex::new(State { signed, asked: published }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn quorum(&self) -> &Quorum {
        &self.quorum
    }

    /// The last checkpoint that was signed.
    pub(super) fn signed(&self) -> Arc<Published> {
        Arc::clone(&self.state().signed)
    }

    /// Takes the next checkpoint that was signed.
    pub(super) fn take_signed(&self, signed: Arc<Published>) {
        self.state().signed = signed;
        self.changed.notify_all();
    }

    /// Waits for a checkpoint that this witness should cosign.
    pub(super) fn next(&self, witness: &WitnessKey, size: u64, patience: Duration) -> Option<Arc<Published>> {
        let is_idle = |state: &mut State| {
            let is_settled = state.asked.cosignatures.len() >= self.quorum.needed();
            let is_too_small = state.asked.checkpoint.size < size;
            if (is_settled || is_too_small) && state.asked.checkpoint.size < state.signed.checkpoint.size {
                state.asked = Arc::clone(&state.signed);
            }
            state.asked.checkpoint.size < size || state.asked.cosignatures.iter().any(|by| by.names(witness))
        };
        let waited = self.changed.wait_timeout_while(self.state(), patience, is_idle);
        let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        (!waited.timed_out()).then(|| Arc::clone(&state.asked))
    }

    /// Takes what a witness answered. Calls `publish` if the checkpoint now has enough cosignatures.
    pub(super) fn take(
        &self,
        asked: &Published,
        witness: &WitnessKey,
        answer: &str,
        publish: impl FnOnce(&Arc<Published>),
    ) -> Result<Cosignature, NoteError> {
        // The answer is lines of a note.
        let answered: Note = format!("{}\n{answer}", asked.note.text()).parse()?;
        let cosignature = answered.cosignature(witness)?;
        let mut state = self.state();
        if state.asked.checkpoint == asked.checkpoint {
            let mut next = Published::clone(&state.asked);
            next.cosignatures.retain(|other| !other.names(witness));
            next.cosignatures.push(cosignature.clone());
            next.note.add_cosignature(cosignature.clone());
            state.asked = Arc::new(next);
            if state.asked.cosignatures.len() >= self.quorum.needed() {
                publish(&state.asked);
            }
            drop(state);
            self.changed.notify_all();
        }
        Ok(cosignature)
    }
}
