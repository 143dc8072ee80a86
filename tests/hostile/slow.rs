//! Slow clients: slow to send the head of a request, to read the answer, or to close the connection.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use plybook_api::access::Role;
use plybook_api::http::{Limits, Share, Shares};
use serde_json::json;

use crate::house::{House, read_answer};
use crate::rounds;

/// A client that does not finish the head of a request is dropped, and delays nobody in the meantime.
#[test]
fn heads_that_never_end_are_dropped() {
    let house = House::new(Limits::default());
    let mut open = Vec::new();
    for _ in 0..rounds(50, 900) {
        let mut stream = house.connect();
        stream.write_all(b"POST /graphql HTTP/1.1\r\nhost: ").unwrap();
        open.push(stream);
    }
    assert_eq!(house.ask(None, "{ __typename }")["data"]["__typename"], "Query");
    for stream in &mut open {
        assert!(matches!(read_answer(stream).0, 408 | 0));
    }
    house.wait_for("plybook_connections_open", |open| open == 0);
}

/// Answers that nobody reads: the connection is dropped, and its memory is released.
#[test]
fn answers_that_nobody_reads_are_dropped() {
    let house = House::new(Limits { unread_ms: 1_500, ..Limits::default() });
    let game = house.game(501);
    let query = format!("{{ game(id: \"{game}\") {{ events(first: 500) {{ nodes {{ bytes body hash prev }} }} }} }}");
    let body = json!({ "query": query }).to_string();
    let request = format!("{}{body}", house.head(body.len(), ""));
    let mut open: Vec<_> = (0..rounds(3, 100)).map(|_| house.connect()).collect();
    for stream in &mut open {
        // More answers than the system buffers for a connection, requested at once.
        stream.write_all(request.repeat(64).as_bytes()).unwrap();
    }
    house.wait_for("plybook_connections_open", |now| now == open.len() as i64);
    house.wait_for("plybook_request_memory_bytes", |held| held > 64 << 10);
    house.wait_for("plybook_connections_open", |now| now == 0);
    house.wait_for("plybook_request_memory_bytes", |held| held == 0);
    drop(open);
}

/// An answer larger than what is left of the client's memory is refused, and a smaller one is not.
#[test]
fn an_answer_that_does_not_fit_is_refused() {
    let memory = Share { all: 1 << 20, client: 150 << 10, kept: 0 };
    let house = House::new(Limits { shares: Shares { memory, ..Shares::default() }, ..Limits::default() });
    let game = house.game(501);
    let ask = |first: u32| {
        let query = format!("{{ game(id: \"{game}\") {{ events(first: {first}) {{ nodes {{ bytes body }} }} }} }}");
        house.post(None, &json!({ "query": query }).to_string())
    };
    let (status, body) = ask(500);
    assert!(status == 429 && body.contains("RATE_LIMITED"), "{status} {body}");
    assert_eq!(ask(50).0, 200);
    house.wait_for("plybook_request_memory_bytes", |held| held == 0);
}

/// However long a log is, its export holds one piece in memory, and arrives completely.
#[test]
fn an_export_that_nobody_reads_holds_a_piece() {
    let house = House::new(Limits::default());
    let events = 30_000;
    let game = house.game(events);
    for path in [format!("/games/{game}/log.ndjson"), "/export/games.ndjson?events=true".to_owned()] {
        let mut stream = house.connect();
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", house.addr);
        stream.write_all(request.as_bytes()).unwrap();
        let held = house.wait_for("plybook_request_memory_bytes", |held| held > 0);
        assert!(held < 1 << 20, "{path} holds {held} bytes");
        let (status, body) = read_answer(&mut stream);
        assert_eq!(status, 200, "{body:.200}");
        assert!(body.len() > 6 << 20, "more than the buffers of a connection");
        assert_eq!(body.matches("\\\"seq\\\":").count() + body.matches("\"seq\":").count(), events as usize, "{path}");
        house.wait_for("plybook_request_memory_bytes", |held| held == 0);
    }
}

/// A client that does not read what it has asked for hardly holds up a restart.
#[test]
fn an_export_that_nobody_reads_does_not_hold_up_the_end() {
    let house = House::new(Limits::default());
    let game = house.game(30_000);
    let mut stream = house.connect();
    stream
        .write_all(format!("GET /games/{game}/log.ndjson HTTP/1.1\r\nhost: {}\r\n\r\n", house.addr).as_bytes())
        .unwrap();
    house.wait_for("plybook_request_memory_bytes", |held| held > 0);
    let begun = Instant::now();
    drop(house);
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

/// A client without memory left gets no export, and is told so.
#[test]
fn an_export_that_does_not_fit_is_refused() {
    let memory = Share { all: 1 << 20, client: 100 << 10, kept: 0 };
    let house = House::new(Limits { shares: Shares { memory, ..Shares::default() }, ..Limits::default() });
    let mut stream = house.connect();
    let request = format!("GET /export/games.ndjson HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", house.addr);
    stream.write_all(request.as_bytes()).unwrap();
    let (status, body) = read_answer(&mut stream);
    assert!(status == 429 && body.contains("RATE_LIMITED"), "{status} {body}");
}

/// Whether a position is being evaluated: that has a thread of its own.
fn is_evaluating() -> bool {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok())
        .any(|name| name == "evaluation\n")
}

/// Who hangs up wants no answer, and nothing is searched for it any more.
#[test]
fn an_evaluation_ends_when_the_client_hangs_up() {
    let house = House::new(Limits::default());
    let token = house.token(Role::Recorder);
    let query = "{ evaluate(kind: \"thrones\", actions: [], playouts: 5000) { draw } }";
    let body = json!({ "query": query }).to_string();
    let begun = Instant::now();
    assert_eq!(house.post(Some(&token), &body).0, 200);
    let whole = begun.elapsed();
    let until = |is_right: bool| {
        let begun = Instant::now();
        while is_evaluating() != is_right {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "it is {} evaluated",
                if is_right { "not" } else { "still" }
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    until(false);
    let mut stream = house.connect();
    let head = house.head(body.len(), &format!("authorization: Bearer {token}\r\n"));
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    until(true);
    drop(stream);
    let hung_up = Instant::now();
    until(false);
    assert!(hung_up.elapsed() * 3 < whole, "{:?} of {whole:?}", hung_up.elapsed());
}

/// A slow reader gets all of its answer.
#[test]
fn an_answer_that_is_read_slowly_arrives_whole() {
    let house = House::new(Limits { unread_ms: 1_500, ..Limits::default() });
    let game = house.game(501);
    let query = format!("{{ game(id: \"{game}\") {{ events(first: 500) {{ nodes {{ bytes }} }} }} }}");
    let body = json!({ "query": query }).to_string();
    let mut stream = house.connect();
    stream.write_all(format!("{}{body}", house.head(body.len(), "connection: close\r\n")).as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut piece = vec![0; 16 << 10];
    while let Ok(read @ 1..) = stream.read(&mut piece) {
        answer.extend_from_slice(&piece[..read]);
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = String::from_utf8(answer).unwrap();
    assert!(text.len() > 64 << 10 && text.ends_with("]}}}}"), "{} bytes", text.len());
}

#[test]
fn an_address_has_its_share_of_connections() {
    let shares = Shares { connections: Share { all: 9, client: 4, kept: 0 }, ..Shares::default() };
    let house = House::new(Limits { shares, ..Limits::default() });
    let open: Vec<_> = (0..4).map(|_| house.connect()).collect();
    house.wait_for("plybook_connections_open", |open| open == 4);
    let mut refused = house.connect();
    assert!(matches!(refused.read(&mut [0]), Ok(0) | Err(_)), "it is closed");
    assert_eq!(house.count("plybook_refused_total{what=\"connections\",share=\"client\"}"), 1);
    drop(open);
    house.wait_for("plybook_connections_open", |open| open == 0);
    assert_eq!(house.ask(None, "{ __typename }")["data"]["__typename"], "Query");
}
