//! The digests of the games that a batch of journal entries changes.

use std::collections::HashMap;

use plybook_events::{Event, LogId};
use plybook_store::{Changes, Entry, Log};
use rayon::prelude::*;

use super::digest::Digest;

/// The most events in a batch.
pub(in crate::models) const BATCH: usize = 65_536;

/// The rows of the games that a batch changes, for a keyspace that has none of them yet.
pub(in crate::models) fn parts_of(log: &Log, entries: &[Entry]) -> Changes {
    let mut changes = Changes::new();
    for (id, digest) in digests(log, entries, true) {
        digest.inspect(|digest| digest.put(id, 0, &mut changes));
    }
    changes
}

/// The digests of the games that a batch changes, in the order of their first entries; `None` for a game
/// without a digest. If `is_more`, more entries follow this batch, and games that they change again are left
/// for later. Uses all cores.
pub(super) fn digests(log: &Log, entries: &[Entry], is_more: bool) -> Vec<(LogId, Option<Digest>)> {
    let mut order = Vec::new();
    let mut changed: HashMap<LogId, Vec<&Entry>> = HashMap::new();
    for entry in entries {
        let of_game = changed.entry(entry.log).or_insert_with(|| {
            order.push(entry.log);
            Vec::new()
        });
        of_game.push(entry);
    }
    let is_last = |id: &LogId| log.head(*id).is_none_or(|head| changed[id].last().is_none_or(|e| e.seq >= head.seq()));
    order.retain(|id| !is_more || is_last(id));
    order.into_par_iter().map(|id| (id, digest(log, id, &changed[&id]))).collect()
}

/// Digests a game, from these entries alone if they are its complete log.
fn digest(log: &Log, id: LogId, entries: &[&Entry]) -> Option<Digest> {
    let parse = |bytes: &[u8]| Event::parse(bytes).ok();
    let events: Option<Vec<Event>> = if entries.first().is_some_and(|entry| entry.seq == 0) {
        entries.iter().map(|entry| parse(&entry.bytes)).collect()
    } else {
        let lines = log.read(id, 0).inspect_err(|why| tracing::error!(%id, %why, "a log cannot be read")).ok()?;
        lines.iter().map(|line| parse(line)).collect()
    };
    Digest::of(&events?)
}
