//! Feeds that nobody reads, too many of them, and requests for feeds that make no sense.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use plybook_api::http::{Limits, Share, Shares, SocketLimits};
use serde_json::Value;

use crate::house::{House, read_answer};

fn open(house: &House, path: &str, more: &str) -> TcpStream {
    let mut stream = house.connect();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{more}\r\n", house.addr);
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

fn get(house: &House, path: &str, more: &str) -> (u16, String) {
    read_answer(&mut open(house, path, more))
}

/// The lines of a stream that start with this.
fn lines<'a>(stream: &'a TcpStream, start: &'a str) -> impl Iterator<Item = String> + 'a {
    BufReader::new(stream).lines().map_while(Result::ok).filter(move |line| line.starts_with(start))
}

/// Limits under which a quiet connection is soon found to be dead.
fn lively() -> Limits {
    Limits { socket: SocketLimits { ping_ms: 50, ..SocketLimits::default() }, ..Limits::default() }
}

/// The number of lines of an answer in chunks.
fn told(body: &str) -> usize {
    body.lines().filter(|line| line.starts_with('{')).count()
}

/// The cursor in the last line of an answer in chunks.
fn cursor(body: &str) -> String {
    let last = body.lines().rfind(|line| line.starts_with('{')).unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert!(last.get("event").is_none());
    last["cursor"].as_str().unwrap().to_owned()
}

/// However long the journal is, a feed holds a few pages, and arrives completely.
#[test]
fn a_feed_that_nobody_reads_holds_a_few_pages() {
    let house = House::new(lively());
    let events = 30_000;
    house.game(events);
    for (path, start) in [
        ("/changes.ndjson", "{\"cursor\":"),
        ("/changes.ndjson?follow=true", "{\"cursor\":"),
        ("/changes.sse", "data: "),
    ] {
        let stream = open(&house, path, "");
        // It is stuck once the buffers of the connection are full.
        let held = house.wait_for("plybook_request_memory_bytes", |held| held > 0);
        assert!(held < 100 << 10, "{path} holds {held} bytes");
        let events = usize::try_from(events).unwrap();
        let found = lines(&stream, start).filter(|line| line.contains("\"seq\":")).take(events);
        assert!(found.enumerate().all(|(seq, line)| line.contains(&format!("\"seq\":{seq},"))), "{path}");
        drop(stream);
        house.wait_for("plybook_request_memory_bytes", |held| held == 0);
    }
}

/// An index tells that no game matches: the journal is not read for it.
#[test]
fn a_filter_that_matches_nothing_reads_a_page() {
    let house = House::new(Limits::default());
    house.game(30_000);
    let (_, all) = get(&house, "/changes.ndjson", "");
    for filter in ["tag=a=b", "kind=tri", "origin=analysis", "round=1"] {
        let (status, body) = get(&house, &format!("/changes.ndjson?{filter}"), "");
        assert_eq!((status, told(&body)), (200, 2), "{filter}: how far it has come, and that this is the end");
        assert_eq!(cursor(&body), cursor(&all), "{filter}");
    }
}

#[test]
fn a_client_has_its_share_of_feeds() {
    let shares = Shares { subscriptions: Share { all: 9, client: 3, kept: 0 }, ..Shares::default() };
    let house = House::new(Limits { shares, ..lively() });
    house.game(2);
    let paths = ["/changes.sse", "/changes.ndjson?follow=true", "/changes.ndjson?wait=60&after=now"];
    let streams = paths.map(|path| open(&house, path, ""));
    house.wait_for("plybook_subscriptions_open", |open| open == 3);
    for path in paths {
        let (status, body) = get(&house, path, "");
        assert!(status == 429 && body.contains("RATE_LIMITED"), "{status} {body}");
    }
    assert_eq!(get(&house, "/changes.ndjson", "").0, 200, "what ends at once needs no place");
    // A quiet connection shows that it is alive, and notices that the client has gone.
    assert_eq!(lines(&streams[0], "id: ").filter(|id| id.len() > 10).take(5).count(), 5);
    drop(streams);
    house.game(2);
    house.wait_for("plybook_subscriptions_open", |open| open == 0);
    house.wait_for("plybook_request_memory_bytes", |held| held == 0);
}

#[test]
fn a_feed_without_memory_is_refused() {
    let memory = Share { all: 1 << 20, client: 10 << 10, kept: 0 };
    let house = House::new(Limits { shares: Shares { memory, ..Shares::default() }, ..Limits::default() });
    let (status, body) = get(&house, "/changes.sse", "");
    assert!(status == 429 && body.contains("RATE_LIMITED"), "{status} {body}");
}

#[test]
fn a_poll_waits_for_something_to_happen() {
    let house = House::new(Limits::default());
    let (status, body) = get(&house, "/changes.ndjson?wait=0", "");
    assert_eq!((status, told(&body)), (200, 1));
    let mut waiting = open(&house, &format!("/changes.ndjson?wait=60&after={}", cursor(&body)), "");
    house.wait_for("plybook_subscriptions_open", |open| open == 1);
    let token = house.token(plybook_api::access::Role::Recorder);
    house.ask(Some(&token), "mutation { createGame(input: { kind: \"triangulate\", seats: [{}, {}] }) { id } }");
    let (status, body) = read_answer(&mut waiting);
    assert_eq!((status, body.matches("\"type\":\"created\"").count()), (200, 1), "{body}");
    let (status, body) = get(&house, &format!("/changes.ndjson?after={}", cursor(&body)), "");
    assert_eq!((status, told(&body)), (200, 1), "nothing comes twice");
}

/// Answers that do not end are sent as they are, however the client would like them.
#[test]
fn a_live_feed_is_not_compressed() {
    let house = House::new(Limits::default());
    house.game(300);
    for path in ["/changes.sse", "/changes.ndjson?follow=true"] {
        let stream = open(&house, path, "accept-encoding: gzip, zstd\r\n");
        let events = BufReader::new(&stream).lines().map_while(Result::ok).filter(|line| line.contains("\"seq\":"));
        assert_eq!(events.take(300).count(), 300, "{path}");
    }
}

/// When the service stops, feeds end in good order.
#[test]
fn feeds_end_with_the_service() {
    let house = House::new(Limits::default());
    let mut stream = open(&house, "/changes.sse", "");
    house.wait_for("plybook_subscriptions_open", |open| open == 1);
    drop(house);
    let (status, body) = read_answer(&mut stream);
    assert!(status == 200 && body.contains("\nid: ") && body.ends_with("\r\n0\r\n\r\n"), "{status} {body:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (house, other) = (House::new(Limits::default()), House::new(Limits::default()));
    house.game(5);
    other.game(2);
    let (_, body) = get(&house, "/changes.ndjson", "");
    assert_eq!(get(&other, &format!("/changes.ndjson?after={}", cursor(&body)), "").0, 404);
    for (path, more, says) in [
        ("/changes.ndjson?after=x", "", "`now`"),
        ("/changes.ndjson?after=", "", "`now`"),
        ("/changes.ndjson?wait=61", "", "0 to 60"),
        ("/changes.ndjson?wait=-1", "", "`wait` is a number of seconds"),
        ("/changes.ndjson?follow=1", "", "`follow` is true or false"),
        ("/changes.ndjson?wait=1&follow=true", "", "not both"),
        ("/changes.ndjson?status=running", "", "unknown field"),
        ("/changes.ndjson?kind=chess", "", "chess"),
        ("/changes.ndjson?origin=x", "", "analysis"),
        ("/changes.ndjson?round=0", "", "`round`"),
        ("/changes.ndjson?player=x", "", "`player` is an id"),
        ("/changes.ndjson?tag=", "", "tag"),
        ("/changes.sse?wait=1", "", "/changes.ndjson"),
        ("/changes.sse?after=now", "last-event-id: x\r\n", "`now`"),
        ("/changes.sse", "last-event-id: \u{e9}\r\n", "`now`"),
    ] {
        let (status, body) = get(&house, path, more);
        assert!(status == 400 && body.contains(says) && body.contains("BAD_INPUT"), "{path}: {status} {body}");
    }
    house.wait_for("plybook_subscriptions_open", |open| open == 0);
}
