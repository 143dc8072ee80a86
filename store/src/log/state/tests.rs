use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, Timestamp};

use super::super::index::Place;
use super::super::{Append, Log, Rows, TREE};
use super::*;
use crate::database::Database;
use crate::journal::MemoryJournal;
use crate::keyspace::Keyspace;

/// Events of a log, in a journal of their own.
fn events(log: LogId, count: u64) -> (Arc<dyn Journal>, Vec<Entry>) {
    let mut prev = Hash::ZERO;
    let event = |seq: u64| {
        let body = Body::Acted(Acted { action: seq.to_string(), clock_ms: None, fair: false });
        let at = Timestamp::from_millis(seq as i64).unwrap();
        let event = Event { at, by: By::Seat(1), log, prev, seq, body, who: None, signature: None, request: None };
        let bytes = event.to_bytes().unwrap();
        prev = Hash::of_event(&bytes);
        EventBytes::from(bytes)
    };
    let events: Vec<_> = (0..count).map(event).collect();
    let journal = MemoryJournal::default();
    journal.append(0, &events).unwrap();
    (Arc::new(journal), (0..).zip(events).map(|(n, bytes)| Entry::of(n, bytes).unwrap()).collect())
}

/// An index in sled of these groups of events, and its keyspace.
fn index(journal: &Arc<dyn Journal>, groups: &[&[Entry]]) -> (Index, Keyspace) {
    let database = Database::temporary().unwrap();
    let rows = Rows::open(&database).unwrap();
    for group in groups {
        rows.add(group).unwrap();
    }
    (Index::kept(journal, rows), Keyspace::open(&database, TREE).unwrap())
}

#[test]
fn a_page_ends_at_either_bound_and_holds_at_least_one_event() {
    let log = LogId::from_bytes([1; 16]);
    let (journal, entries) = events(log, 20);
    let (index, _) = index(&journal, &[&entries[..15]]);
    let shared = Shared::new(journal, 20, index, false);
    // The index lags behind, as it does while events are being written.
    shared.state_mut().fresh.insert(log, entries[15..].to_vec());
    let size = |from: usize, until: usize| entries[from..until].iter().map(|entry| entry.bytes.len()).sum();
    for (from, events_max, bytes_max, until) in [
        (0, 4, usize::MAX, 4),
        (12, 6, usize::MAX, 18),
        (16, 10, usize::MAX, 20),
        (0, 100, size(0, 7), 7),
        (13, 100, size(13, 18) + 1, 18),
        (5, 100, 0, 6),
        (5, 0, usize::MAX, 6),
        (19, 100, 1, 20),
    ] {
        let page = shared.page(log, from as u64, events_max, bytes_max).unwrap();
        assert_eq!(page, entries[from..until], "{from}, {events_max} events, {bytes_max} bytes");
    }
    assert!(shared.page(log, 20, 4, 4).unwrap().is_empty());
}

/// sled may lose or change pairs while it is open; no reader may see that.
#[test]
fn a_lying_index_is_found_out() {
    let log = LogId::from_bytes([1; 16]);
    let (journal, entries) = events(log, 5);
    for damage in 0..7 {
        // A block for each event.
        let (index, keyspace) = index(&journal, &entries.chunks(1).collect::<Vec<_>>());
        let shared = Shared::new(Arc::clone(&journal), 5, index, false);
        let keys: Vec<_> = keyspace.prefix(&[1]).map(|pair| pair.unwrap().0).collect();
        assert_eq!(keys.len(), 5);
        if let Some(key) = keys.get(damage) {
            keyspace.delete(key).unwrap();
        } else {
            let mut other = keyspace.get(&keys[1]).unwrap().unwrap();
            if damage == 6 {
                *other.last_mut().unwrap() ^= 1;
            }
            keyspace.put(&keys[2], &other).unwrap();
        }
        for from in 0..5 {
            let read = shared.read(log, from).unwrap();
            assert_eq!(read, entries[from as usize..], "damage {damage}, from {from}");
            for len in 1..5 {
                let page = shared.page(log, from, len, usize::MAX).unwrap();
                let until = 5.min(from as usize + len);
                assert_eq!(page, entries[from as usize..until], "damage {damage}, {len} from {from}");
            }
        }
    }
}

/// Where sled fails, all logs are in memory from then on, with what is recorded later.
#[test]
fn an_index_that_fails_is_replaced() {
    let (one, other) = (LogId::from_bytes([1; 16]), LogId::from_bytes([2; 16]));
    let (journal, entries) = events(one, 70);
    let (index, keyspace) = index(&journal, &[&entries[..60]]);
    let shared = Shared::new(Arc::clone(&journal), 70, index, false);
    let head = keyspace.prefix(&[0]).next().unwrap().unwrap().0;
    keyspace.put(&head, b"no head").unwrap();
    assert_eq!(shared.head(one).unwrap(), Some(Head::of(&entries[59])));
    assert_eq!(shared.head(other).unwrap(), None);
    shared.index(&entries[60..]).unwrap();
    assert_eq!(shared.head(one).unwrap(), Some(Head::of(&entries[69])));
    assert_eq!((shared.read(one, 0).unwrap(), shared.logs_after(None, 9).unwrap()), (entries, vec![one]));
}

/// The index may say nothing sensible of a request. Only that request is refused, whatever the log that it is sent for.
#[test]
fn a_request_whose_place_cannot_be_read_stops_nobody_else() {
    let log = LogId::from_bytes([1; 16]);
    let (journal, entries) = events(log, 4);
    let wrong_event = [&log.to_bytes()[..], &1_u64.to_be_bytes()].concat();
    for place in [b"no place".to_vec(), wrong_event] {
        let (index, keyspace) = index(&journal, &[&entries[..2]]);
        let [damaged, other] = ["damaged", "other"].map(|key| RequestId::new(&Hash::ZERO, key, b""));
        keyspace.put(&[&[2], &damaged.key[..]].concat(), &place).unwrap();
        let writes = MemoryJournal::default();
        writes.append(0, &journal.read(0, 2).unwrap()).unwrap();
        let log_of = Log::start(Arc::new(writes), 2, index, false);
        let next = |from: &Entry, request| {
            let event = Event { request: Some(request), ..Event::parse(&from.bytes).unwrap() };
            Append { log, expected: log_of.head(log), events: vec![event.to_bytes().unwrap()] }
        };
        let refused = log_of.append_once(damaged, &[next(&entries[2], damaged)]);
        assert!(matches!(refused, Err(AppendError::Read(ReadError::Request) | AppendError::Repeated)), "{refused:?}");
        assert!(matches!(log_of.written_by(&damaged), Err(ReadError::Request)));
        assert!(!log_of.is_read_only());
        log_of.append_once(other, &[next(&entries[2], other)]).unwrap();
        assert_eq!(log_of.written_by(&other).unwrap().unwrap().seq, 2);
        assert!(matches!(&*log_of.shared().index.place(), Place::Kept(_)), "the journal was read through");
    }
}

/// Every event belongs to one log, so a head that is lost or old is noticed when the index is opened.
#[test]
fn heads_that_are_lost_or_old_are_noticed() {
    let (journal, entries) = events(LogId::from_bytes([1; 16]), 9);
    for (until, bytes) in [(4, entries[3].clone()), (9, entries[8].clone())] {
        let database = Database::temporary().unwrap();
        let rows = Rows::open(&database).unwrap();
        rows.add(&entries).unwrap();
        drop((rows, &journal));
        let keyspace = Keyspace::open(&database, TREE).unwrap();
        let key = keyspace.prefix(&[0]).next().unwrap().unwrap().0;
        keyspace.put(&key, &Head::of(&bytes).to_bytes()).unwrap();
        assert_eq!(Rows::open(&database).is_ok(), until == 9);
        keyspace.delete(&key).unwrap();
        assert!(Rows::open(&database).is_err());
    }
}
