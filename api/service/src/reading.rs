//! Events, as they are read from a log.

use std::iter;

use plybook_events::{Event, LogId};
use plybook_store::Log;

use crate::error::Problem;

/// How many bytes of a log are read at once; a single event may exceed this.
const PAGE_BYTES: usize = 1 << 20;

/// How many events of a log are read at once: whole blocks of the index.
const PAGE_EVENTS: usize = 256;

/// The events of a log, starting at a seq.
pub(super) fn events(log: &Log, id: LogId, from: u64) -> Result<Vec<Event>, Problem> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        // Page by page, so that the bytes of a long log are not in memory together with its events.
        let page = log.read_page(id, from + events.len() as u64, usize::MAX, PAGE_BYTES)?;
        if page.is_empty() {
            return Ok(events);
        }
        for line in &page {
            events.push(Event::parse(line).map_err(Problem::internal)?);
        }
    }
}

/// Hands the events of a log to `fold`, from the first up to the one with seq `last`. Each is parsed when it is taken.
///
/// # Errors
/// The log cannot be read; otherwise those of `fold`.
pub(super) fn fold_events<T>(
    log: &Log,
    id: LogId,
    last: u64,
    fold: impl FnOnce(&mut dyn Iterator<Item = Event>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let (mut page, mut seq, mut failed) = (Vec::new().into_iter(), 0, None);
    let mut next = || -> Result<Option<Event>, Problem> {
        if seq > last {
            return Ok(None);
        }
        if page.len() == 0 {
            page = log.read_page(id, seq, PAGE_EVENTS, PAGE_BYTES)?.into_iter();
        }
        seq += 1;
        page.next().map(|line| Event::parse(&line)).transpose().map_err(Problem::internal)
    };
    let taken = || next().map_err(|why| failed = Some(why)).ok()?;
    let folded = fold(&mut iter::from_fn(taken));
    failed.map_or(folded, Err)
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
            let event = Event { at, by: By::Arbiter, log, prev, seq, body, who: None, signature: None, request: None };
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
    fn what_is_folded_is_what_the_log_holds() {
        const PAGE: u64 = PAGE_EVENTS as u64;
        let (store, log) = store(5 * PAGE + 3, None);
        let all = events(store.log(), log, 0).unwrap();
        for last in [0, 1, PAGE - 1, PAGE, PAGE + 1, 5 * PAGE + 2] {
            let read = fold_events(store.log(), log, last, |events| Ok(events.collect::<Vec<_>>())).unwrap();
            assert_eq!(read, all[..=last as usize], "up to {last}");
        }
        // A caller that has enough takes no more.
        let first = fold_events(store.log(), log, 5 * PAGE + 2, |events| Ok(events.next())).unwrap();
        assert_eq!(first.as_ref(), all.first());
    }

    #[test]
    fn what_cannot_be_read_is_not_taken_for_the_end() {
        for (events, unknown) in [(1_000, 0), (1_000, 3), (1_000, 700), (100, 0), (100, 99)] {
            let (store, log) = store(events, Some(unknown));
            let read = fold_events(store.log(), log, events - 1, |events| Ok(events.count()));
            assert!(matches!(read, Err(Problem::Internal)), "{read:?}");
        }
        let (store, log) = store(1_000, None);
        let folded = fold_events(store.log(), log, 999, |_| Err::<(), _>(Problem::no_game(log)));
        assert!(matches!(folded, Err(Problem::NotFound(_))), "{folded:?}");
    }
}
