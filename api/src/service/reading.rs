//! Events, as they are read from a log.

use std::sync::mpsc::sync_channel;
use std::{iter, thread};

use plybook_events::{Event, LogId};
use plybook_store::Log;

use crate::error::Problem;

/// How many bytes of a log are read at once; a single event may exceed this.
const PAGE_BYTES: usize = 1 << 20;

/// How many events are read ahead at once: whole blocks of the index. The first ones are few, so that they can soon be folded.
const AHEAD_EVENTS: usize = 256;
const FIRST_EVENTS: usize = 64;

/// How many times as many are read ahead at most.
const AHEAD_PAGES: usize = 4;

/// The events of a log, starting at a seq.
pub(super) fn events(log: &Log, id: LogId, from: u64) -> Result<Vec<Event>, Problem> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        // Page by page, so that the bytes of a long log are not in memory together with its events.
        let page = page(log, id, from + events.len() as u64, usize::MAX)?;
        if page.is_empty() {
            return Ok(events);
        }
        events.extend(page);
    }
}

/// Hands the events of a log to `fold`, from the first up to the one with seq `last`. Another thread reads and parses those of a
/// long log meanwhile, which takes about as long as folding them.
///
/// # Errors
/// The log cannot be read; otherwise those of `fold`.
pub(super) fn read_ahead<T>(
    log: &Log,
    id: LogId,
    last: u64,
    fold: impl FnOnce(&mut dyn Iterator<Item = Event>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    if last < AHEAD_EVENTS as u64 {
        let events = events(log, id, 0)?;
        return fold(&mut events.into_iter().take_while(|event| event.seq <= last));
    }
    let (pages, ahead) = sync_channel(AHEAD_PAGES);
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut from = 0;
            while from <= last {
                let page = page(log, id, from, if from == 0 { FIRST_EVENTS } else { AHEAD_EVENTS });
                from += page.as_ref().map_or(0, |events| events.len() as u64);
                let is_last = page.as_ref().map_or(true, Vec::is_empty);
                // Whoever folds has given up if it does not want it.
                if pages.send(page).is_err() || is_last {
                    return;
                }
            }
        });
        let mut failed = None;
        let mut pages = iter::from_fn(|| ahead.recv().ok()?.map_err(|why| failed = Some(why)).ok());
        let folded = fold(&mut pages.by_ref().flatten().take_while(|event| event.seq <= last));
        // Before it waits for the other thread, which may have more to send.
        drop(ahead);
        failed.map_or(folded, Err)
    })
}

/// The next events of a log: at most `events_max`, and none after the last.
fn page(log: &Log, id: LogId, from: u64, events_max: usize) -> Result<Vec<Event>, Problem> {
    let page = log.read_page(id, from, events_max, PAGE_BYTES)?;
    page.iter().map(|bytes| Event::parse(bytes).map_err(Problem::internal)).collect()
}

#[cfg(test)]
mod tests {
    use plybook_events::body::Annotated;
    use plybook_events::{Body, By, Hash, Timestamp};
    use plybook_store::Store;

    use super::*;

    /// A log of so many events; of one of them, the body is none that this program knows.
    fn store(events: u64, unknown: Option<u64>) -> (Store, LogId) {
        let (store, log) = (Store::in_memory().unwrap(), LogId::from_bytes([7; 16]));
        let mut prev = Hash::ZERO;
        let event = |seq: u64| {
            let body = Body::Annotated(Annotated { ply: 1, comment: Some(seq.to_string()), glyphs: Vec::new() });
            let at = Timestamp::from_millis(1_790_000_000_000 + seq as i64).unwrap();
            let event = Event { at, by: By::Arbiter, log, prev, seq, body, who: None, signature: None };
            let mut bytes = event.to_bytes().unwrap();
            if unknown == Some(seq) {
                bytes = String::from_utf8(bytes).unwrap().replace("annotated", "hummed").into_bytes();
            }
            prev = Hash::of_event(&bytes);
            bytes
        };
        store.log().append(log, None, (0..events).map(event).collect()).unwrap();
        (store, log)
    }

    #[test]
    fn what_is_read_ahead_is_what_the_log_holds() {
        const PAGE: u64 = AHEAD_EVENTS as u64;
        let (store, log) = store(5 * PAGE + 3, None);
        let all = events(store.log(), log, 0).unwrap();
        for last in [0, 1, PAGE - 1, PAGE, PAGE + 1, 5 * PAGE + 2] {
            let read = read_ahead(store.log(), log, last, |events| Ok(events.collect::<Vec<_>>())).unwrap();
            assert_eq!(read, all[..=last as usize], "up to {last}");
        }
        // Whoever has enough takes no more, and nothing waits for the rest.
        let first = read_ahead(store.log(), log, 5 * PAGE + 2, |events| Ok(events.next())).unwrap();
        assert_eq!(first.as_ref(), all.first());
    }

    #[test]
    fn what_cannot_be_read_is_not_taken_for_the_end() {
        for unknown in [0, 3, 700] {
            let (store, log) = store(1_000, Some(unknown));
            let read = read_ahead(store.log(), log, 999, |events| Ok(events.count()));
            assert!(matches!(read, Err(Problem::Internal)), "{read:?}");
        }
        let (store, log) = store(1_000, None);
        let folded = read_ahead(store.log(), log, 999, |_| Err::<(), _>(Problem::no_game(log)));
        assert!(matches!(folded, Err(Problem::NotFound(_))), "{folded:?}");
    }
}
