//! Bodies that are announced but never sent, or sent and never finished.

use std::io::Write;
use std::net::TcpStream;
use std::num::NonZeroU32;

use plybook_api::access::Role;
use plybook_api::http::{Limits, Share, Shares};
use plybook_api::load::{Allowance, LoadLimits};
use serde_json::{Value, json};

use crate::house::{House, read_answer};
use crate::rounds;

/// A connection that announces a body of `announced` bytes and sends `sent` of them.
fn begin(house: &House, announced: usize, sent: usize, more: &str) -> TcpStream {
    let mut stream = house.connect();
    stream.write_all(house.head(announced, more).as_bytes()).unwrap();
    stream.write_all(&vec![b' '; sent]).unwrap();
    stream
}

/// An announced body costs nothing until it is sent; what was sent costs its size.
#[test]
fn announced_bodies_cost_nothing() {
    let many = Share { all: 10_000, client: 10_000, kept: 0 };
    let limits =
        Limits { body_idle_ms: 60_000, shares: Shares { connections: many, ..Shares::default() }, ..Limits::default() };
    let house = House::new(limits);
    let count = rounds(300, 1_000);
    let open: Vec<_> = (0..count).map(|_| begin(&house, 1 << 20, 100, "")).collect();
    let least = 100 * count as i64;
    let held = house.wait_for("plybook_request_memory_bytes", |held| held >= least);
    assert!(held < 3 * least, "{held} bytes for {count} times 100");
    assert_eq!(house.ask(None, "{ __typename }")["data"]["__typename"], "Query", "others are answered");
    drop(open);
    house.wait_for("plybook_request_memory_bytes", |held| held == 0);
}

/// What a body holds does not depend on the pieces in which it arrives: no network makes a request dearer.
#[test]
fn a_body_costs_the_same_in_any_pieces() {
    let house = House::new(Limits { body_idle_ms: 60_000, ..Limits::default() });
    let sent = 240 << 10;
    for piece in [900, 7_000, 30_000, 100_000, sent] {
        let mut stream = begin(&house, 1 << 20, 0, "");
        let mut held = 0;
        for begun in (0..sent).step_by(piece) {
            let length = piece.min(sent - begun);
            stream.write_all(&vec![b' '; length]).unwrap();
            let least = (begun + length) as i64;
            held = house.wait_for("plybook_request_memory_bytes", |held| held >= least);
        }
        assert_eq!(held, 256 << 10, "in pieces of {piece}");
        drop(stream);
        house.wait_for("plybook_request_memory_bytes", |held| held == 0);
    }
}

/// One client's bodies use up only its own share of the memory.
#[test]
fn a_client_has_its_share_of_the_memory() {
    let memory = Share { all: 1 << 20, client: 400 << 10, kept: 0 };
    let house = House::new(Limits { shares: Shares { memory, ..Shares::default() }, ..Limits::default() });
    let token = house.token(Role::Player);
    let _open: Vec<_> = (0..3).map(|_| begin(&house, 1 << 20, 100 << 10, "")).collect();
    house.wait_for("plybook_request_memory_bytes", |held| held >= 300 << 10);
    let large = json!({ "query": "{ __typename }", "variables": { "x": "x".repeat(60 << 10) } }).to_string();
    let (status, body) = house.post(None, &large);
    let error: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &error["errors"][0]["extensions"]["code"]), (429, &json!("RATE_LIMITED")), "{body}");
    assert_eq!(house.post(Some(&token), &large).0, 200);
    assert_eq!(house.count("plybook_refused_total{what=\"bytes\",share=\"client\"}"), 1);
}

/// The bodies of many clients use up all of it: new clients are told to come back later, but an administrator
/// is served.
#[test]
fn the_memory_of_all_is_bounded_and_some_is_kept_for_administrators() {
    let memory = Share { all: 800 << 10, client: 2 << 20, kept: 400 << 10 };
    let house = House::new(Limits { shares: Shares { memory, ..Shares::default() }, ..Limits::default() });
    let chief = house.token(Role::Admin);
    let _open = begin(&house, 1 << 20, 240 << 10, "");
    house.wait_for("plybook_request_memory_bytes", |held| held >= 240 << 10);
    let mut late = house.connect();
    let body = json!({ "query": "{ __typename }", "variables": { "x": "x".repeat(60 << 10) } }).to_string();
    late.write_all(format!("{}{body}", house.head(body.len(), "")).as_bytes()).unwrap();
    let (status, told) = read_answer(&mut late);
    assert_eq!(status, 503, "{told}");
    assert_eq!(house.post(Some(&chief), &body).0, 200);
    assert!(house.count("plybook_request_memory_bytes") <= 800 << 10);
}

/// A list of numbers takes more memory when it is parsed than as text, and that counts.
#[test]
fn what_is_parsed_counts() {
    let memory = Share { all: 8 << 20, client: 8 << 20, kept: 0 };
    let house = House::new(Limits { shares: Shares { memory, ..Shares::default() }, ..Limits::default() });
    let with = |variable: String| format!("{{\"query\":\"{{ __typename }}\",\"variables\":{{\"x\":{variable}}}}}");
    assert_eq!(house.post(None, &with(format!("\"{}\"", "x".repeat(400_000)))).0, 200);
    assert_eq!(house.post(None, &with(format!("[{}0]", "0,".repeat(200_000)))).0, 429);
    // Nothing has to separate values in a document but a space.
    let literal = |count| format!("{{\"query\":\"{{__typename(a:[{}])}}\"}}", "0 ".repeat(count));
    assert_ne!(house.post(None, &literal(20_000)).0, 429);
    assert_eq!(house.post(None, &literal(200_000)).0, 429);
}

/// Reading a body is paid for, also if nothing comes of it: 20 milliseconds of a network thread would be what others wait for.
#[test]
fn what_is_read_is_paid_for() {
    let client = Allowance { burst: NonZeroU32::new(20_000), refill: NonZeroU32::MIN };
    let (numbers, names) = ("0,".repeat(300_000), (0..50_000).map(|n| format!("\"n{n}\":0,")).collect::<String>());
    for body in [
        format!("{{\"query\":\"{{__typename}}\",\"variables\":{{\"x\":[{numbers}0]}}}}"),
        format!("{{\"query\":\"{{__typename}}\",\"extensions\":{{\"x\":[{numbers}0]}}}}"),
        format!("{{\"query\":\"{{__typename}}\",\"unknown\":[{numbers}0]}}"),
        format!("{{\"query\":\"{{__typename}}\",\"variables\":{{{names}\"n\":0}}}}"),
        format!("[{numbers}0]"),
        format!("{{\"query\":\"{{{}}}\"}}", "__typename ".repeat(7_000)),
        format!("{{\"query\":\"{{{}}}\"}}", "a ".repeat(3_500)),
        format!("{{\"query\":\"{{__typename #{}\\n}}\"}}", "x".repeat(900_000)),
        format!("{{\"query\":\"{{{}}}\"}}", "a".repeat(900_000)),
    ] {
        let house = House::new(Limits { load: LoadLimits { client, ..LoadLimits::default() }, ..Limits::default() });
        let first = house.post(None, &body);
        assert_ne!(first.0, 429, "{}", first.1);
        // At the price of the query alone, twenty thousand would be answered.
        let refused = (0..500).map(|_| house.post(None, &body)).find(|(status, _)| *status == 429);
        assert!(refused.is_some_and(|(_, told)| told.contains("RATE_LIMITED")), "to {}", &body[..40]);
        assert_eq!(house.post(Some(&house.token(Role::Player)), &body).0, first.0, "others have their own budget");
    }
}

/// A client that stops sending its body is dropped.
#[test]
fn a_body_that_stops_is_given_up() {
    let house = House::new(Limits { body_idle_ms: 300, body_ms: 600_000, ..Limits::default() });
    let mut open: Vec<_> = (0..rounds(20, 500)).map(|_| begin(&house, 1 << 20, 1_000, "")).collect();
    for stream in &mut open {
        assert_eq!(read_answer(stream).0, 408);
    }
    house.wait_for("plybook_request_memory_bytes", |held| held == 0);
}
