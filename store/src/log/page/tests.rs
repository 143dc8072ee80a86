use plybook_events::body::PlayerCreated;
use plybook_events::{Body, By, Event, LogId, Timestamp};

use super::*;

/// Events of a log, each chained to the one before it.
fn entries(names: &[&str]) -> Vec<Entry> {
    let (mut prev, log) = (Hash::ZERO, LogId::from_bytes([7; 16]));
    let at = Timestamp::from_millis(1_790_000_000_000).unwrap();
    let entry = |(seq, name): (u64, &&str)| {
        let body = Body::PlayerCreated(PlayerCreated { name: (*name).to_owned() });
        let bytes = Event { at, by: By::Service, log, prev, seq, body, who: None, signature: None, request: None }
            .to_bytes()
            .unwrap();
        prev = Hash::of_event(&bytes);
        Entry::of(seq, bytes.into()).unwrap()
    };
    (0..).zip(names).map(entry).collect()
}

fn checked(entries: &[Entry], events_max: usize, from_seq: u64, head: &Entry) -> Option<usize> {
    let mut page = Page::new(events_max, usize::MAX);
    assert!(page.fill(entries.iter().cloned().map(Some)));
    page.checked(from_seq, Head::of(head)).map(|entries| entries.len())
}

#[test]
fn an_event_that_is_not_the_recorded_one_is_noticed() {
    let whole = entries(&["a", "b", "c", "d"]);
    let head = &whole[3];
    assert_eq!(checked(&whole, 9, 0, head), Some(4));
    assert_eq!(checked(&whole, 2, 0, head), Some(2));
    let other = entries(&["a", "x", "c", "d"]);
    for place in 0..4 {
        let mut changed = whole.clone();
        changed[place] = other[place].clone();
        assert_eq!(checked(&changed, 9, 0, head), (place == 0).then_some(4), "event {place}");
        // The witness tells of the last event of a page.
        assert_eq!(checked(&changed, 2, 0, head).is_some(), place == 0 || place == 3, "event {place}");
    }
    assert_eq!(checked(&whole[..3], 9, 0, head), None, "the end is missing");
    assert_eq!(checked(&whole[1..], 9, 0, head), None, "the beginning is missing");
    assert_eq!(checked(&[whole[0].clone(), whole[2].clone(), whole[3].clone()], 9, 0, head), None, "a gap");
}
