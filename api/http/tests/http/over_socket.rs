//! GraphQL over WebSocket, against a server on a free port.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use plybook_http::{Doors, Gate, Limits, Metrics, Readiness, Server, Share, Shares, Site, SocketLimits, serve};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::{HeaderName, HeaderValue};
use tungstenite::protocol::Message;
use tungstenite::{Error, HandshakeError, WebSocket};

use crate::toy::{Done, gate_with};

pub const PROTOCOL: (&str, &str) = ("sec-websocket-protocol", "graphql-transport-ws");

/// A server, and what a test examines in it.
pub struct House {
    pub running: Server,
    pub gate: Gate,
    pub metrics: Metrics,
    pub done: Done,
    pub withdrawn: Done,
}

impl House {
    pub fn with(socket: SocketLimits) -> Self {
        Self::limited(Limits { socket, ..Limits::default() })
    }

    pub fn limited(limits: Limits) -> Self {
        let (done, withdrawn) = (Done::default(), Done::default());
        let metrics = Metrics::new();
        let gate = gate_with(limits, &done, &withdrawn, metrics.clone());
        let doors = Doors { origins: vec!["https://club.example".to_owned()], ..Doors::at([127, 0, 0, 1].into()) };
        let site = Site::new(gate.clone(), doors, || Readiness::Ready);
        let running = serve(([127, 0, 0, 1], 0).into(), &site, |_| {}).unwrap();
        Self { running, gate, metrics, done, withdrawn }
    }

    pub fn new() -> Self {
        Self::with(SocketLimits::default())
    }

    pub fn addr(&self) -> SocketAddr {
        self.running.addr()
    }

    fn open(&self) -> Client {
        let mut client = Client::open(self.addr(), &[PROTOCOL]).unwrap();
        client.say(&json!({ "type": "connection_init" }));
        assert_eq!(client.hear(), Heard::Said(json!({ "type": "connection_ack" })));
        client
    }

    /// Waits until a gauge has the value.
    pub fn wait_for(&self, gauge: &str) {
        self.wait_while(gauge, || std::thread::sleep(Duration::from_millis(10)));
    }

    /// The same, doing something meanwhile.
    fn wait_while(&self, gauge: &str, meanwhile: impl FnMut()) {
        let look = || {
            let text = self.metrics.text();
            if text.lines().any(|line| line == gauge) { Ok(()) } else { Err(format!("{gauge}, but\n{text}")) }
        };
        until(look, meanwhile);
    }

    /// Waits until this many slow operations have begun.
    pub fn wait_for_begun(&self, count: u32) {
        let look = || match self.done.1.load(Ordering::SeqCst) {
            begun if begun == count => Ok(()),
            begun => Err(format!("{begun} of {count} have begun")),
        };
        until(look, || std::thread::sleep(Duration::from_millis(10)));
    }
}

/// Waits for something; what is there instead says why it does not come.
fn until<W: std::fmt::Display>(look: impl Fn() -> Result<(), W>, mut meanwhile: impl FnMut()) {
    let start = Instant::now();
    while let Err(why) = look() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not come: {why}");
        meanwhile();
    }
}

/// A client that waits for messages.
pub struct Client(WebSocket<TcpStream>);

#[derive(Debug, PartialEq)]
pub enum Heard {
    Said(Value),
    Closed(u16),
    /// The connection ended without a closing frame.
    Lost,
}

impl Client {
    /// Opens a socket; the error is the HTTP status of the refusal.
    pub fn open(addr: SocketAddr, headers: &[(&'static str, &'static str)]) -> Result<Self, u16> {
        let mut request = format!("ws://{addr}/graphql").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let stream = TcpStream::connect(addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(HandshakeError::Failure(Error::Http(response))) => Err(response.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    pub fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    fn subscribe(&mut self, id: &str, query: &str) {
        self.say(&json!({ "type": "subscribe", "id": id, "payload": { "query": query } }));
    }

    pub fn hear(&mut self) -> Heard {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Heard::Said(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(Some(frame))) => return Heard::Closed(frame.code.into()),
                Ok(Message::Close(None)) => return Heard::Closed(1005),
                Ok(_) => {}
                Err(_) => return Heard::Lost,
            }
        }
    }
}

fn next(id: &str, data: &Value) -> Heard {
    Heard::Said(json!({ "type": "next", "id": id, "payload": { "data": data } }))
}

fn complete(id: &str) -> Heard {
    Heard::Said(json!({ "type": "complete", "id": id }))
}

/// The codes in an `error` message.
fn codes(heard: Heard) -> Vec<String> {
    match heard {
        Heard::Said(message) if message["type"] == "error" => {
            let errors = message["payload"].as_array().unwrap();
            errors.iter().map(|error| error["extensions"]["code"].as_str().unwrap().to_owned()).collect()
        }
        other => panic!("not an error: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn subscriptions_queries_and_mutations_are_executed() {
    let house = House::new();
    let mut client = house.open();
    client.subscribe("a", "subscription { count(to: 3) }");
    for number in 1..=3 {
        assert_eq!(client.hear(), next("a", &json!({ "count": number })));
    }
    assert_eq!(client.hear(), complete("a"));
    client.subscribe("a", "{ me }");
    assert_eq!((client.hear(), client.hear()), (next("a", &json!({ "me": null })), complete("a")));
    client.subscribe("b", "mutation { work }");
    assert_eq!((client.hear(), client.hear()), (next("b", &json!({ "work": 1 })), complete("b")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_to_an_upgrade_names_the_subprotocol_once() {
    let house = House::new();
    let mut stream = TcpStream::connect(house.addr()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let asked = "GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
        Sec-WebSocket-Protocol: graphql-ws, graphql-transport-ws\r\n\r\n";
    stream.write_all(asked.as_bytes()).unwrap();
    let head: Vec<String> =
        BufReader::new(stream).lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
    assert_eq!(head[0], "HTTP/1.1 101 Switching Protocols");
    let named: Vec<_> = head.iter().map(|line| line.to_lowercase()).filter(|line| line.contains("protocol:")).collect();
    assert_eq!(named, ["sec-websocket-protocol: graphql-transport-ws"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_executed_is_an_error_and_what_fails_is_a_result() {
    let house = House::new();
    let mut client = house.open();
    client.subscribe("a", "subscription { nope }");
    assert_eq!(codes(client.hear()), ["BAD_INPUT"]);
    client.subscribe("a", "{");
    assert_eq!(codes(client.hear()), ["BAD_INPUT"]);
    client.subscribe("a", &format!("{{ {} }}", "me ".repeat(2_001)));
    assert_eq!(codes(client.hear()), ["TOO_COMPLEX"]);
    client.subscribe("a", "{ dear }");
    assert_eq!(codes(client.hear()), ["TOO_COMPLEX"]);
    client.subscribe("a", "subscription { fail }");
    assert_eq!(codes(client.hear()), ["NOT_FOUND"]);
    client.subscribe("a", "{ panic }");
    let Heard::Said(message) = client.hear() else { panic!("no message") };
    let found = &message["payload"]["errors"][0]["extensions"]["code"];
    assert_eq!((&message["type"], found), (&json!("next"), &json!("INTERNAL")));
    assert_eq!(client.hear(), complete("a"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_is_ended_by_complete_and_its_id_is_free_again() {
    let house = House::new();
    let mut client = house.open();
    client.subscribe("a", "subscription { silence }");
    house.wait_for("plybook_subscriptions_open 1");
    client.say(&json!({ "type": "complete", "id": "a" }));
    client.say(&json!({ "type": "complete", "id": "never was" }));
    house.wait_for("plybook_subscriptions_open 0");
    client.subscribe("a", "{ me }");
    assert_eq!((client.hear(), client.hear()), (next("a", &json!({ "me": null })), complete("a")));
    client.subscribe("b", "subscription { silence }");
    house.wait_for("plybook_subscriptions_open 1");
    drop(client);
    house.wait_for("plybook_subscriptions_open 0");
    house.wait_for("plybook_sockets_open 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_messages_close_with_4400() {
    let house = House::new();
    let subscribe = |payload: Value| json!({ "type": "subscribe", "id": "a", "payload": payload });
    for message in [
        json!("text"),
        json!({}),
        json!({ "type": "nope" }),
        json!({ "type": "ping", "payload": 1 }),
        json!({ "type": "complete" }),
        json!({ "type": "subscribe", "payload": { "query": "{ me }" } }),
        json!({ "type": "subscribe", "id": "", "payload": { "query": "{ me }" } }),
        json!({ "type": "subscribe", "id": 1, "payload": { "query": "{ me }" } }),
        subscribe(json!({})),
        subscribe(json!("{ me }")),
        subscribe(json!({ "query": "{ me }", "variables": "x" })),
        subscribe(json!({ "query": "{ me }", "operationName": 1 })),
    ] {
        let mut client = house.open();
        client.say(&message);
        assert_eq!(client.hear(), Heard::Closed(4400), "{message}");
    }
    let mut client = house.open();
    client.0.send(Message::text("{")).unwrap();
    assert_eq!(client.hear(), Heard::Closed(4400));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_order_of_the_protocol_is_kept() {
    let house = House::new();
    let mut client = Client::open(house.addr(), &[PROTOCOL]).unwrap();
    client.subscribe("a", "{ me }");
    assert_eq!(client.hear(), Heard::Closed(4401), "subscribe before the acknowledgement");

    let mut client = house.open();
    client.say(&json!({ "type": "connection_init" }));
    assert_eq!(client.hear(), Heard::Closed(4429), "a second connection_init");

    let mut client = house.open();
    client.subscribe("a", "subscription { silence }");
    client.subscribe("a", "subscription { silence }");
    assert_eq!(client.hear(), Heard::Closed(4409), "an id twice");

    let mut client = Client::open(house.addr(), &[]).unwrap();
    assert_eq!(client.hear(), Heard::Closed(4406), "no subprotocol");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_is_initialised_in_time() {
    let house = House::with(SocketLimits { init_ms: 2_000, ..SocketLimits::default() });
    let mut initialised = house.open();
    let mut other = Client::open(house.addr(), &[PROTOCOL]).unwrap();
    assert_eq!(other.hear(), Heard::Closed(4408), "no connection_init");
    initialised.say(&json!({ "type": "ping" }));
    assert_eq!(initialised.hear(), Heard::Said(json!({ "type": "pong" })), "an initialised socket stays open");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_caller_is_known_by_header_or_by_payload() {
    let house = House::new();
    for payload in [
        json!({ "token": "good" }),
        json!({ "Authorization": "Bearer good" }),
        json!({ "authorization": "Bearer good", "token": null }),
    ] {
        let mut client = Client::open(house.addr(), &[PROTOCOL]).unwrap();
        client.say(&json!({ "type": "connection_init", "payload": payload }));
        client.hear();
        client.subscribe("a", "{ me }");
        assert_eq!(client.hear(), next("a", &json!({ "me": "Ann" })));
    }
    let mut client = Client::open(house.addr(), &[PROTOCOL, ("authorization", "Bearer good")]).unwrap();
    client.say(&json!({ "type": "connection_init" }));
    client.hear();
    client.subscribe("a", "{ me }");
    assert_eq!(client.hear(), next("a", &json!({ "me": "Ann" })));

    for payload in [
        json!({ "token": "forged" }),
        json!({ "token": 1 }),
        json!({ "token": "" }),
        json!({ "Authorization": "Bearer old" }),
        json!({ "Authorization": "good" }),
    ] {
        let mut client = Client::open(house.addr(), &[PROTOCOL]).unwrap();
        client.say(&json!({ "type": "connection_init", "payload": payload }));
        assert_eq!(client.hear(), Heard::Closed(4403), "{payload}");
    }
    assert_eq!(Client::open(house.addr(), &[PROTOCOL, ("authorization", "Bearer forged")]).err(), Some(401));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_revoked_ends_the_socket() {
    let house = House::new();
    let start = |operation: &str| {
        let mut client = Client::open(house.addr(), &[PROTOCOL]).unwrap();
        client.say(&json!({ "type": "connection_init", "payload": { "token": "brief" } }));
        client.hear();
        client.subscribe("a", operation);
        client
    };
    let [mut asking, mut silent] = [(); 2].map(|()| start("subscription { silence }"));
    house.wait_for("plybook_subscriptions_open 2");
    let mut answered = start("{ slow(ms: 300) }");
    house.wait_for_begun(1);
    house.withdrawn.0.store(1, Ordering::SeqCst);
    asking.subscribe("b", "{ me }");
    assert_eq!(asking.hear(), Heard::Closed(4403), "at the next operation");
    assert_eq!(answered.hear(), Heard::Closed(4403), "instead of an answer that was begun before");
    assert_eq!(silent.hear(), Heard::Closed(4403), "long before the next ping");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_are_refused() {
    let house = House::new();
    for (origin, refused) in [("https://evil.example", Some(403)), ("null", Some(403)), ("https://club.example", None)]
    {
        assert_eq!(Client::open(house.addr(), &[PROTOCOL, ("origin", origin)]).err(), refused, "{origin}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_and_operations_are_limited() {
    let shares = Shares { sockets: Share { all: 1, client: 1, kept: 0 }, ..Shares::default() };
    let socket = SocketLimits { operations: 2, ..SocketLimits::default() };
    let house = House::limited(Limits { socket, shares, ..Limits::default() });
    let mut client = house.open();
    for id in ["a", "b", "c"] {
        client.subscribe(id, "subscription { silence }");
    }
    assert_eq!(codes(client.hear()), ["RATE_LIMITED"]);
    assert_eq!(Client::open(house.addr(), &[PROTOCOL]).err(), Some(429));
    drop(client);
    house.wait_for("plybook_sockets_open 0");
    house.open();
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_text_of_limited_size() {
    let house = House::with(SocketLimits { message_bytes: 1_000, ..SocketLimits::default() });
    let mut client = house.open();
    client.0.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(client.hear(), Heard::Closed(1003));
    for size in [1_001, 500_000] {
        let mut client = house.open();
        client.0.send(Message::text("x".repeat(size))).unwrap();
        assert_eq!(client.hear(), Heard::Closed(1009), "{size}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_given_up() {
    let house = House::with(SocketLimits { unread_ms: 2_000, ..SocketLimits::default() });
    let mut late = house.open();
    let mut never = house.open();
    late.subscribe("a", "subscription { flood }");
    never.subscribe("a", "subscription { flood }");
    house.wait_for("plybook_subscriptions_open 2");
    house.wait_for("plybook_subscriptions_open 0");
    let end = std::iter::repeat_with(|| late.hear()).find(|heard| !matches!(heard, Heard::Said(_)));
    assert_eq!(end, Some(Heard::Closed(1013)));
    house.wait_for("plybook_sockets_open 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_not_there_any_more_is_dropped() {
    let house = House::with(SocketLimits { ping_ms: 500, ..SocketLimits::default() });
    let mut here = house.open();
    let gone = house.open();
    house.wait_for("plybook_sockets_open 2");
    // Reading answers the pings.
    let timeout = Some(Duration::from_millis(20));
    here.0.get_ref().set_read_timeout(timeout).unwrap();
    house.wait_while("plybook_sockets_open 1", || drop(here.0.read()));
    here.0.get_ref().set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    here.say(&json!({ "type": "ping" }));
    assert_eq!(here.hear(), Heard::Said(json!({ "type": "pong" })));
    drop(gone);
}
