use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, Timestamp};

use super::*;

const LOG: LogId = LogId::from_bytes([7; 16]);

/// Consecutive events, of which `action` says what the body has: its seq and the hash of the event before it go in.
fn entries(count: u64, action: impl Fn(u64, Hash) -> String) -> Vec<Entry> {
    let mut prev = Hash::ZERO;
    let entry = |seq: u64| {
        let at = Timestamp::from_millis(1_790_000_000_000 + seq as i64 * 12_345).unwrap();
        let body = Body::Acted(Acted { action: action(seq, prev), clock_ms: None, fair: false });
        let event = Event { at, by: By::Seat(1), log: LOG, prev, seq, body, who: None, signature: None, request: None };
        // An action cannot have a tab, but a journal that somebody else wrote may have anything.
        let bytes = String::from_utf8(event.to_bytes().unwrap()).unwrap().replace("TAB", "\t");
        prev = Hash::of_event(bytes.as_bytes());
        Entry::of(3 * seq + 5, bytes.into_bytes().into()).unwrap()
    };
    (0..count).map(entry).collect()
}

#[test]
fn a_block_gives_back_the_exact_bytes() {
    for entries in [
        entries(1, |_, _| "a1-b2".to_owned()),
        entries(64, |seq, _| format!("a{seq}-b2")),
        entries(20, |_, prev| format!("{prev} TAB {prev}")),
        entries(20, |seq, _| "TAB".repeat(seq as usize)),
    ] {
        let mut compressor = Compressor::new(LEVEL).unwrap();
        // A block may begin anywhere in a log.
        for from in [0, entries.len() / 2] {
            let block = pack(&mut compressor, &entries[from..]);
            assert_eq!(unpack(&mut decompressor(), LOG, from as u64, &block).unwrap(), entries[from..]);
        }
    }
}

#[test]
fn the_hashes_between_events_take_no_room() {
    let entries = entries(64, |seq, _| format!("a{seq}-b2"));
    let block = pack(&mut Compressor::new(LEVEL).unwrap(), &entries);
    assert!(block.len() < 64 * 24, "{} bytes", block.len());
}

#[test]
fn a_block_of_another_log_or_place_is_refused() {
    let entries = entries(9, |seq, _| format!("a{seq}-b2"));
    let block = pack(&mut Compressor::new(LEVEL).unwrap(), &entries);
    assert!(unpack(&mut decompressor(), LogId::from_bytes([8; 16]), 0, &block).is_none());
    assert!(unpack(&mut decompressor(), LOG, 1, &block).is_none());
    assert!(unpack(&mut decompressor(), LOG, 0, &block[..block.len() - 1]).is_none());
}
