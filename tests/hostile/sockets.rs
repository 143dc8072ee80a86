//! Sockets that take all they can get, and subscriptions that nobody reads.

use std::io::Write;

use plybook_api::access::Role;
use plybook_api::http::{Limits, Share, Shares, SocketLimits};
use plybook_api::load::{Allowance, LoadLimits};
use serde_json::{Value, json};
use tungstenite::protocol::Message;

use crate::house::{House, read_answer};
use crate::rounds;

/// Nobody reads: one page is held for each subscription, however long the log is.
#[test]
fn unread_subscriptions_hold_a_page_of_the_log() {
    let shares = Shares { subscriptions: Share { all: 20_000, client: 20_000, kept: 0 }, ..roomy() };
    let socket = SocketLimits { unread_ms: 600_000, ..SocketLimits::default() };
    // All of them belong to one client, which may ask for as much as it likes.
    let client = Allowance { burst: None, ..LoadLimits::default().client };
    let load = LoadLimits { waiting: 100_000, client, ..LoadLimits::default() };
    let house = House::new(Limits { shares, socket, load, ..Limits::default() });
    let game = house.game(3_047);
    let (sockets, each) = (rounds(20, 200), rounds(20, 50));
    let before = resident();
    let mut open: Vec<_> = (0..sockets).map(|_| house.socket(None).unwrap()).collect();
    for socket in &mut open {
        for id in 0..each {
            socket.subscribe(&id.to_string(), &format!("subscription {{ gameEvents(game: \"{game}\") {{ bytes }} }}"));
        }
    }
    let subscriptions = (sockets * each) as i64;
    house.wait_for("plybook_subscriptions_open", |open| open == subscriptions);
    assert_eq!(house.ask(None, "{ __typename }")["data"]["__typename"], "Query", "others are answered");
    // Each holds the fixed part of an operation, its text, and a page of its log.
    let held = house.wait_for("plybook_request_memory_bytes", |held| held > subscriptions * 20_000);
    assert!(held < subscriptions * 32_000, "{held} bytes for {subscriptions} subscriptions");
    report("unread subscriptions", subscriptions, before);
    drop(open);
    house.wait_for("plybook_subscriptions_open", |open| open == 0);
    house.wait_for("plybook_request_memory_bytes", |held| held == 0);
}

/// A client that reads gets every event, however many pages there are.
#[test]
fn a_long_log_arrives_whole() {
    let house = House::new(Limits::default());
    let game = house.game(500);
    let mut socket = house.socket(None).unwrap();
    socket.subscribe("a", &format!("subscription {{ gameEvents(game: \"{game}\") {{ seq }} }}"));
    for seq in 0..500 {
        assert_eq!(socket.hear().unwrap()["payload"]["data"]["gameEvents"]["seq"], seq);
    }
}

#[test]
fn a_client_has_its_share_of_sockets_and_an_administrator_gets_in() {
    let shares = Shares { sockets: Share { all: 6, client: 3, kept: 2 }, ..Shares::default() };
    let house = House::new(Limits { shares, ..Limits::default() });
    let (chief, one, other) = (house.token(Role::Admin), house.token(Role::Player), house.token(Role::Player));
    let mut open: Vec<_> = (0..3).map(|_| house.socket(None).unwrap()).collect();
    let (status, body) = house.socket(None).err().unwrap();
    assert_eq!((status, code(&body["errors"][0])), (429, "RATE_LIMITED"));
    assert_eq!(body["errors"][0]["message"], "you have as many sockets as one client may have: 3");
    open.push(house.socket(Some(&one)).unwrap());
    let (status, body) = house.socket(Some(&other)).err().unwrap();
    assert_eq!((status, code(&body["errors"][0])), (503, "RATE_LIMITED"));
    open.push(house.socket(Some(&chief)).expect("places are kept for administrators"));
    assert_eq!(house.count("plybook_refused_total{what=\"sockets\",share=\"client\"}"), 1);
    assert_eq!(house.count("plybook_refused_total{what=\"sockets\",share=\"all\"}"), 1);
    drop(open);
    house.wait_for("plybook_sockets_open", |open| open == 0);
    house.socket(Some(&other)).unwrap();
}

/// A token that comes with `connection_init` frees the place of the address.
#[test]
fn a_token_moves_a_socket_to_another_client() {
    let shares = Shares { sockets: Share { all: 9, client: 1, kept: 0 }, ..Shares::default() };
    let house = House::new(Limits { shares, ..Limits::default() });
    let token = house.token(Role::Player);
    let mut socket = house.open_socket(None).unwrap();
    assert!(house.socket(None).is_err(), "the socket has its address's place until a token comes");
    socket.say(&json!({ "type": "connection_init", "payload": { "token": token } }));
    assert_eq!(socket.hear(), Some(json!({ "type": "connection_ack" })));
    let _open = house.socket(None).unwrap();
    assert!(house.socket(None).is_err() && house.socket(Some(&token)).is_err());
    drop(socket);
    house.wait_for("plybook_sockets_open", |open| open == 1);
    house.socket(Some(&token)).unwrap();
}

#[test]
fn a_client_has_its_share_of_subscriptions_over_all_its_sockets() {
    let shares = Shares { subscriptions: Share { all: 9, client: 3, kept: 0 }, ..Shares::default() };
    let house = House::new(Limits { shares, ..Limits::default() });
    let game = house.game(2);
    let query = format!("subscription {{ gameUpdated(game: \"{game}\") {{ id }} }}");
    let mut sockets = [house.socket(None).unwrap(), house.socket(None).unwrap()];
    for (n, socket) in [0, 1, 0].into_iter().zip(["a", "b", "c"]) {
        sockets[n].subscribe(socket, &query);
        assert_eq!(sockets[n].hear().unwrap()["type"], "next");
    }
    sockets[1].subscribe("d", &query);
    let refused = sockets[1].hear().unwrap();
    assert_eq!((&refused["type"], code(&refused["payload"][0])), (&json!("error"), "RATE_LIMITED"));
    sockets[0].say(&json!({ "type": "complete", "id": "a" }));
    house.wait_for("plybook_subscriptions_open", |open| open == 2);
    sockets[1].subscribe("d", &query);
    assert_eq!(sockets[1].hear().unwrap()["type"], "next");
}

/// A refused upgrade has the status and body it should, whatever encoding the client accepts.
#[test]
fn a_refused_upgrade_is_not_compressed() {
    let house = House::new(Limits::default());
    let mut stream = house.connect();
    let head =
        format!("GET /graphql HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n", house.addr);
    let more = "accept-encoding: gzip\r\norigin: https://evil.example\r\n\r\n";
    stream.write_all(format!("{head}{more}").as_bytes()).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(2))).unwrap();
    let (status, body) = read_answer(&mut stream);
    let error: Value = serde_json::from_str(&body).expect("it is JSON, neither compressed nor in chunks");
    assert_eq!((status, code(&error["errors"][0])), (403, "FORBIDDEN"));
}

#[test]
fn directives_that_do_not_exist_or_are_too_many_are_refused() {
    let house = House::new(Limits::default());
    let told = house.ask(None, &format!("{{ rules {} {{ kind }} }}", "@x".repeat(300)));
    assert_eq!(code(&told["errors"][0]), "BAD_INPUT");
    let told = house.ask(None, &format!("{{ __typename {} }}", "@skip ".repeat(3_000)));
    assert_eq!(code(&told["errors"][0]), "TOO_COMPLEX");
}

#[test]
fn a_flood_of_pings_ends_the_socket() {
    let house = House::new(Limits::default());
    let mut gentle = house.socket(None).unwrap();
    for _ in 0..rounds(1, 20) {
        let mut socket = house.socket(None).unwrap();
        for _ in 0..20_000 {
            if socket.0.write(Message::Ping(vec![0; 100].into())).is_err() {
                break;
            }
        }
        let _ = socket.0.flush();
        let code = socket.close_code();
        assert!(matches!(code, Some(1008) | None), "{code:?}");
    }
    house.wait_for("plybook_sockets_open", |open| open == 1);
    gentle.say(&json!({ "type": "ping" }));
    assert_eq!(gentle.hear(), Some(json!({ "type": "pong" })));
}

/// Frames of a message that never ends: what has arrived is counted, and one message is the maximum.
#[test]
fn endless_messages_are_bounded() {
    let socket = SocketLimits { message_bytes: 64 << 10, ..SocketLimits::default() };
    let shares = Shares { memory: Share { all: 1 << 20, client: 1 << 20, kept: 0 }, ..Shares::default() };
    let house = House::new(Limits { socket, shares, ..Limits::default() });
    // The first frame of a text message, masked with zeros, of 60,000 bytes, the last of which does not come.
    let mut frame = vec![0x01, 0x80 | 126];
    frame.extend_from_slice(&60_000_u16.to_be_bytes());
    frame.extend_from_slice(&[0; 4]);
    frame.extend_from_slice(&[b'x'; 59_999]);
    let mut open = Vec::new();
    for _ in 0..30 {
        let Ok(mut socket) = house.socket(None) else { break };
        // A socket that is closed meanwhile may not take all of it.
        let _ = socket.0.get_mut().write_all(&frame);
        open.push(socket);
    }
    house.wait_for("plybook_refused_total{what=\"bytes\",share=\"client\"}", |refused| refused > 0);
    let held = house.count("plybook_request_memory_bytes");
    assert!(held <= 1 << 20, "{held}");
    drop(open);
    house.wait_for("plybook_request_memory_bytes", |held| held == 0);
}

fn code(error: &Value) -> &str {
    error["extensions"]["code"].as_str().unwrap_or("none")
}

/// Shares large enough for a single client to run the long form of an attack.
fn roomy() -> Shares {
    let memory = Share { all: 1 << 30, client: 1 << 30, kept: 0 };
    Shares { memory, sockets: Share { all: 2_000, client: 2_000, kept: 0 }, ..Shares::default() }
}

/// The resident memory of this process, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Prints how much the process has grown; asserted only in the long form, where it runs alone.
fn report(what: &str, count: i64, before: u64) {
    let grown = resident().saturating_sub(before) / 1_024;
    println!("{what}: {count}, resident memory grew by {grown} MiB");
    assert!(rounds(0, 1) == 0 || grown <= 300, "{grown} MiB");
}
