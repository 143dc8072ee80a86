//! The digests of the games that a batch of journal entries changes.

use std::collections::HashMap;

use plybook_events::{Envelope, Event, EventError, LogId};
use plybook_store::{EventBytes, Log};
use rayon::prelude::*;

use super::digest::Digest;
use super::growing::{GrowingDigest, GrowingDigests};
use crate::error::ModelError;

/// The most events in a batch.
pub(crate) const BATCH: usize = 16_384;

/// A batch of fewer events takes less time than it takes to wake threads for it.
const MANY_EVENTS: usize = 16;

/// An entry of the journal whose event is parsed.
pub(crate) struct ParsedEntry {
    /// Its place in the journal.
    pub position: u64,
    /// The log it belongs to, and its index there; `None` if it is not laid out as an event.
    place: Option<(LogId, u64)>,
    /// The event; or why it cannot be read.
    pub event: Result<Event, EventError>,
}

/// Parses events that follow one another in the journal from a position on, using all cores if there are many.
pub(crate) fn parse(from: u64, events: &[EventBytes]) -> Vec<ParsedEntry> {
    let parse = |(n, bytes): (usize, &EventBytes)| {
        let event = Event::parse(bytes);
        let place = match &event {
            Ok(event) => Some((event.log, event.seq)),
            Err(_) => Envelope::split(bytes).ok().and_then(|envelope| Some((envelope.log().ok()?, envelope.seq))),
        };
        ParsedEntry { position: from + n as u64, place, event }
    };
    let numbered: Vec<_> = events.iter().enumerate().collect();
    map_all(numbered, events.len(), parse)
}

/// Does something with each of the items that a batch of so many events gives, using all cores if these are many.
fn map_all<T: Send, R: Send>(items: Vec<T>, events: usize, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if events < MANY_EVENTS { items.into_iter().map(work).collect() } else { items.into_par_iter().map(work).collect() }
}

/// The digests of the games of which this batch has the last entry.
///
/// # Errors
/// As for [`digests`].
pub(crate) fn last_digests(log: &Log, entries: &[ParsedEntry]) -> Result<Vec<(LogId, Option<Digest>)>, ModelError> {
    let games = digests(log, entries, true, &mut GrowingDigests::new())?;
    Ok(games.into_iter().map(|(id, game)| (id, game.map(GrowingDigest::into_digest))).collect())
}

/// The games that a batch changes, digested, in the order of their first entries; `None` for a game without a digest. If
/// `is_more`, more entries follow this batch, and games that they change again are left for later. Those that are in `growing`
/// are taken out of it, and go on from there. Uses all cores if there are many events.
///
/// # Errors
/// A log cannot be read now, and perhaps later.
pub(super) fn digests(
    log: &Log,
    entries: &[ParsedEntry],
    is_more: bool,
    growing: &mut GrowingDigests,
) -> Result<Vec<(LogId, Option<GrowingDigest>)>, ModelError> {
    let mut order = Vec::new();
    let mut changed: HashMap<LogId, Vec<&ParsedEntry>> = HashMap::new();
    for entry in entries {
        let Some((log, _)) = entry.place else { continue };
        let of_game = changed.entry(log).or_insert_with(|| {
            order.push(log);
            Vec::new()
        });
        of_game.push(entry);
    }
    let last_seq = |id: &LogId| changed[id].last().and_then(|entry| Some(entry.place?.1));
    let is_last = |id: &LogId| log.head(*id).is_none_or(|head| last_seq(id) >= Some(head.seq()));
    order.retain(|id| !is_more || is_last(id));
    let before: Vec<_> = order.into_iter().map(|id| (id, growing.take(id))).collect();
    let digested = map_all(before, entries.len(), |(id, before)| Ok((id, digest(log, id, &changed[&id], before)?)));
    digested.into_iter().collect()
}

/// Digests a game, from these entries alone if they are its complete log or what followed `before`.
fn digest(
    log: &Log,
    id: LogId,
    entries: &[&ParsedEntry],
    before: Option<GrowingDigest>,
) -> Result<Option<GrowingDigest>, ModelError> {
    let recorded = entries.iter().map(|entry| entry.event.as_ref().ok()).collect::<Option<Vec<&Event>>>();
    let Some(recorded) = recorded else { return Ok(None) };
    let first = entries.first().and_then(|entry| Some(entry.place?.1));
    if let Some(before) = before.filter(|before| Some(before.events()) == first)
        && let Some(grown) = before.extend(&recorded)
    {
        return Ok(Some(grown));
    }
    if first == Some(0) {
        return Ok(GrowingDigest::begin(&recorded));
    }
    let lines = match log.read(id, 0).map_err(ModelError::from) {
        Ok(lines) => lines,
        Err(why) if why.is_passing() => return Err(why),
        Err(why) => {
            tracing::error!(%id, %why, "a log cannot be read");
            return Ok(None);
        }
    };
    let events = lines.iter().map(|line| Event::parse(line).ok()).collect::<Option<Vec<Event>>>();
    Ok(events.and_then(|events| GrowingDigest::begin(&events.iter().collect::<Vec<_>>())))
}
