//! The server as a whole: startup and shutdown.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use plybook_http::{Doors, Readiness, Site, serve};
use serde_json::json;

use crate::over_socket::{Client, Heard, House, PROTOCOL};

fn send(addr: SocketAddr, query: &str) -> TcpStream {
    let body = json!({ "query": query }).to_string();
    let mut stream = TcpStream::connect(addr).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let head = format!("POST /graphql HTTP/1.1\r\nhost: {addr}\r\ncontent-type: application/json\r\n");
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_in_use_is_an_error() {
    let house = House::new();
    let site = Site::new(house.gate.clone(), Doors::default(), || Readiness::Ready);
    let again = serve(house.addr(), &site, |_| {});
    assert_eq!(again.err().map(|error| error.kind()), Some(std::io::ErrorKind::AddrInUse));
}

/// With Nagle's algorithm, an answer of more than one piece would wait 40 ms for the client to acknowledge the first.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_answer_is_sent_without_waiting_for_the_client() {
    let house = House::new();
    let mut stream = TcpStream::connect(house.addr()).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut ask = |length: usize| {
        let body = json!({ "query": format!("{{ echo(text: \"{}\") }}", "x".repeat(length)) }).to_string();
        let head = format!("POST /graphql HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n", house.addr());
        let request = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        let start = Instant::now();
        stream.write_all(request.as_bytes()).unwrap();
        let (mut answer, mut part) = (Vec::new(), vec![0; 1 << 17]);
        while !answer.ends_with(b"\"}}") {
            let count = stream.read(&mut part).unwrap();
            assert!(count > 0, "{}", String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&part[..count]);
        }
        start.elapsed()
    };
    let (small, large): (Vec<_>, Vec<_>) = (0..15).map(|_| (ask(30_000), ask(45_000))).unzip();
    // The fastest of each, which no other program has disturbed.
    let [small, large] = [small, large].map(|times| times.into_iter().min().unwrap());
    assert!(large < 8 * small, "{large:?} for half as much again, {small:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_finishes_requests_and_closes_sockets() {
    let house = House::new();
    let addr = house.addr();
    let mut client = Client::open(addr, &[PROTOCOL]).unwrap();
    client.say(&json!({ "type": "connection_init" }));
    client.hear();
    client.say(&json!({ "type": "subscribe", "id": "a", "payload": { "query": "subscription { silence }" } }));
    let mut idle = send(addr, "{ me }");
    let mut slow = send(addr, "{ slow(ms: 500) }");
    idle.read_exact(&mut [0; 12]).unwrap();
    house.wait_for_begun(1);

    let start = Instant::now();
    let heard = std::thread::spawn(move || client.hear());
    let answered = std::thread::spawn(move || {
        let mut text = String::new();
        slow.read_to_string(&mut text).unwrap();
        text
    });
    house.running.stop().await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(8), "an idle connection does not hold it up: {:?}", start.elapsed());
    assert_eq!(heard.join().unwrap(), Heard::Closed(1001));
    assert!(answered.join().unwrap().contains("{\"slow\":500}"));
    assert!(TcpStream::connect(addr).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mutation_is_finished_though_its_client_has_gone() {
    let house = House::new();
    let mut client = Client::open(house.addr(), &[PROTOCOL]).unwrap();
    client.say(&json!({ "type": "connection_init" }));
    client.hear();
    client.say(&json!({ "type": "subscribe", "id": "a", "payload": { "query": "mutation { work(ms: 3000) }" } }));
    house.wait_for_begun(1);
    drop(client);
    house.wait_for("plybook_sockets_open 0");
    assert_eq!(house.done.0.load(Ordering::SeqCst), 0, "the socket ends before the mutation does");
    let start = Instant::now();
    while house.done.0.load(Ordering::SeqCst) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "the mutation is not finished");
        std::thread::sleep(Duration::from_millis(10));
    }
}
