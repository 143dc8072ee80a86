//! The thread that compares the beginning of a long journal with the tree, while the service answers already.

use std::time::Duration;

use plybook_tlog::Builder;

use super::check::{Comparing, READ_EVENTS, grow};
use super::{Shared, TlogError};
use crate::log::Log;
use crate::priority::let_others_go_first;

/// Compares the events that a start believed, unless told to end; `believed` is their tree, to which the last checkpoint leads.
pub(super) fn compare_earlier(log: &Log, shared: &Shared, believed: &Builder) {
    let_others_go_first();
    match compare(log, shared, believed) {
        Ok(()) => {}
        Err(why @ (TlogError::Changed { .. } | TlogError::Cut { .. })) => {
            tracing::error!(%why, "no checkpoint is signed any more");
            shared.refuse();
        }
        Err(why) => tracing::error!(%why, "the journal cannot be compared with the transparency log"),
    }
}

fn compare(log: &Log, shared: &Shared, believed: &Builder) -> Result<(), TlogError> {
    let (files, signed) = (&shared.files, shared.signed().checkpoint.size);
    let (mut found, mut comparing) = (Builder::default(), Comparing::new(files));
    while found.len() < believed.len() {
        let until = believed.len().min(found.len() + READ_EVENTS as u64);
        grow(&mut found, log, until, &mut comparing)?;
        if !shared.rest(Duration::ZERO) {
            return Ok(());
        }
    }
    if found.root() != believed.root() {
        let (events, path, is_shared) = (comparing.first, files.checkpoint_path(), log.is_shared());
        return Err(TlogError::Changed { events, signed, path, is_shared });
    }
    comparing.wrong.write_again(files)
}

#[cfg(test)]
pub(super) mod tests;
