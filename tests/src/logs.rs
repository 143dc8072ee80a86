//! Logs written by hand, as no service would write them.

use plybook_events::body::{Acted, Annotated, Created, SeatEntry};
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::Log;

/// How many events are appended at once: more do not fit into a message of a stream.
const APPENDED: usize = 2_000;

/// The lines of a log of Triangulate under a version of its rules; the actions, which may be illegal, alternate between
/// the seats. Lines end with a line feed.
pub fn triangulate(log: LogId, version: &str, actions: &[&str]) -> Vec<String> {
    let seat = |name: &str| SeatEntry { name: name.to_owned(), player: None };
    let created = Created {
        kind: "triangulate".to_owned(),
        rules: version.to_owned(),
        setup: serde_json::json!({}),
        seats: vec![seat("Ada"), seat("Bela")],
        ..Created::default()
    };
    let mut bodies = vec![(By::Service, Body::Created(created))];
    for (index, action) in actions.iter().enumerate() {
        let acted = Acted { action: (*action).to_owned(), clock_ms: None, fair: false };
        bodies.push((By::Seat(index as u8 % 2 + 1), Body::Acted(acted)));
    }
    let at = Timestamp::from_millis(0).expect("the clock begins there");
    let mut prev = Hash::ZERO;
    let mut lines = Vec::new();
    for (seq, (by, body)) in (0..).zip(bodies) {
        let event = Event { at, by, log, prev, seq, body, who: None, signature: None, request: None };
        let bytes = event.to_bytes().expect("the event has a form");
        prev = Hash::of_event(&bytes);
        lines.push(String::from_utf8(bytes).expect("events are UTF-8") + "\n");
    }
    lines
}

/// Adds comments to a game's log, as many as no service would take.
pub fn comment(to: &Log, log: LogId, count: u64) {
    let mut head = to.head(log).expect("the log exists");
    let (first, mut prev) = (head.seq() + 1, head.hash());
    let comment = |seq| {
        let comment = Some(format!("A remark of ordinary length, number {seq}."));
        let body = Body::Annotated(Annotated { ply: 0, comment, glyphs: Vec::new() });
        let at = Timestamp::parse_lenient("2100-01-01T00:00:00.000Z").expect("it is a time");
        let event = Event { at, by: By::Arbiter, log, prev, seq, body, who: None, signature: None, request: None };
        let bytes = event.to_bytes().expect("the event has a form");
        prev = Hash::of_event(&bytes);
        bytes
    };
    let comments: Vec<Vec<u8>> = (first..first + count).map(comment).collect();
    for comments in comments.chunks(APPENDED) {
        head = to.append(log, Some(&head), comments.to_vec()).expect("they follow").head;
    }
}
