//! Events, as they are read from a log.

use std::sync::mpsc::sync_channel;
use std::{iter, thread};

use plybook_events::{Event, LogId};
use plybook_store::{EventBytes, Log};

use crate::error::Problem;

/// How many bytes of a log are read at once; a single event may exceed this.
const PAGE_BYTES: usize = 1 << 20;

/// How many events are read ahead at once: whole blocks of the index. The first ones are few, so that they can soon be folded.
const AHEAD_EVENTS: usize = 256;
const FIRST_EVENTS: usize = 64;

/// How many times as many are read ahead at most, and again parsed ahead.
const AHEAD_PAGES: usize = 4;

/// The events of a log, starting at a seq.
pub(super) fn events(log: &Log, id: LogId, from: u64) -> Result<Vec<Event>, Problem> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        // Page by page, so that the bytes of a long log are not in memory together with its events.
        let page = log.read_page(id, from + events.len() as u64, usize::MAX, PAGE_BYTES)?;
        if page.is_empty() {
            return Ok(events);
        }
        events.extend(parse(&page)?);
    }
}

/// Hands the events of a log to `fold`, from the first up to the one with seq `last`, each parsed when it is taken. Those of a
/// long log are read by one thread and parsed by another meanwhile: each of the three takes about as long.
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
        let lines = log.read_page(id, 0, AHEAD_EVENTS, usize::MAX)?;
        let mut failed = None;
        let parse = |line: &EventBytes| Event::parse(line).map_err(|why| failed = Some(why)).ok();
        let folded = fold(&mut lines.iter().map_while(parse).take_while(|event| event.seq <= last));
        return failed.map_or(folded, |why| Err(Problem::internal(why)));
    }
    let (read, to_parse) = sync_channel(AHEAD_PAGES);
    let (parsed, ahead) = sync_channel(AHEAD_PAGES);
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut from = 0;
            while from <= last {
                let lines = log.read_page(id, from, if from == 0 { FIRST_EVENTS } else { AHEAD_EVENTS }, PAGE_BYTES);
                from += lines.as_ref().map_or(0, |lines| lines.len() as u64);
                let is_last = lines.as_ref().map_or(true, Vec::is_empty);
                // Whoever folds has given up if it is not wanted.
                if read.send(lines).is_err() || is_last {
                    return;
                }
            }
        });
        scope.spawn(move || {
            for lines in to_parse {
                let events = lines.map_err(Problem::from).and_then(|lines| parse(&lines));
                if parsed.send(events).is_err() {
                    return;
                }
            }
        });
        let mut failed = None;
        let mut pages = iter::from_fn(|| ahead.recv().ok()?.map_err(|why| failed = Some(why)).ok());
        let folded = fold(&mut pages.by_ref().flatten().take_while(|event| event.seq <= last));
        // Before it waits for the other threads, which may have more to send.
        drop(ahead);
        failed.map_or(folded, Err)
    })
}

fn parse(lines: &[EventBytes]) -> Result<Vec<Event>, Problem> {
    lines.iter().map(|bytes| Event::parse(bytes).map_err(Problem::internal)).collect()
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
        for (events, unknown) in [(1_000, 0), (1_000, 3), (1_000, 700), (100, 0), (100, 99)] {
            let (store, log) = store(events, Some(unknown));
            let read = read_ahead(store.log(), log, events - 1, |events| Ok(events.count()));
            assert!(matches!(read, Err(Problem::Internal)), "{read:?}");
        }
        let (store, log) = store(1_000, None);
        let folded = read_ahead(store.log(), log, 999, |_| Err::<(), _>(Problem::no_game(log)));
        assert!(matches!(folded, Err(Problem::NotFound(_))), "{folded:?}");
    }
}
