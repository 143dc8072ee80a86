//! The digests of the games that a batch of journal entries changes.

use std::collections::HashMap;

use plybook_events::{Event, LogId};
use plybook_store::{Changes, Entry, Log};
use rayon::prelude::*;

use super::digest::Digest;
use super::growing::{GrowingDigest, GrowingDigests};

/// The most events in a batch.
pub(crate) const BATCH: usize = 65_536;

/// The rows of the games that a batch changes, for a keyspace that has none of them yet.
pub(crate) fn parts_of(log: &Log, entries: &[Entry]) -> Changes {
    let mut changes = Changes::new();
    for (id, digest) in digests(log, entries, true, &mut GrowingDigests::new()) {
        digest.inspect(|digest| digest.put(id, 0, &mut changes));
    }
    changes
}

/// The digests of the games that a batch changes, in the order of their first entries; `None` for a game
/// without a digest. If `is_more`, more entries follow this batch, and games that they change again are left
/// for later; otherwise running games are kept in `growing`, and go on from there. Uses all cores.
pub(super) fn digests(
    log: &Log,
    entries: &[Entry],
    is_more: bool,
    growing: &mut GrowingDigests,
) -> Vec<(LogId, Option<Digest>)> {
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
    let before: Vec<_> = order.into_iter().map(|id| (id, growing.take(id))).collect();
    let digested: Vec<_> =
        before.into_par_iter().map(|(id, before)| (id, digest(log, id, &changed[&id], before))).collect();
    let finish = |(id, game): (LogId, Option<GrowingDigest>)| match game {
        Some(game) if game.is_running() && !is_more => {
            let digest = game.digest();
            growing.keep(id, game);
            (id, Some(digest))
        }
        game => (id, game.map(GrowingDigest::into_digest)),
    };
    digested.into_iter().map(finish).collect()
}

/// Digests a game, from these entries alone if they are its complete log or what followed `before`.
fn digest(log: &Log, id: LogId, entries: &[&Entry], before: Option<GrowingDigest>) -> Option<GrowingDigest> {
    let parse = |bytes: &[u8]| Event::parse(bytes).ok();
    let recorded = || entries.iter().map(|entry| parse(&entry.bytes)).collect::<Option<Vec<Event>>>();
    let first = entries.first().map(|entry| entry.seq);
    if let Some(before) = before.filter(|before| Some(before.events()) == first)
        && let Some(grown) = before.extend(&recorded()?)
    {
        return Some(grown);
    }
    if first == Some(0) {
        return GrowingDigest::begin(&recorded()?);
    }
    let lines = log.read(id, 0).inspect_err(|why| tracing::error!(%id, %why, "a log cannot be read")).ok()?;
    GrowingDigest::begin(&lines.iter().map(|line| parse(line)).collect::<Option<Vec<Event>>>()?)
}
