//! All hostile connections at once, with an innocent client among them.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use plybook_api::http::{Limits, Share, Shares, SocketLimits};
use plybook_api::load::{Allowance, LoadLimits};
use tungstenite::protocol::Message;

use crate::house::House;
use crate::rounds;

/// The number of the innocent client's requests.
const ASKED: usize = 200;

#[test]
fn an_innocent_client_is_answered_alongside_all_of_them() {
    let plenty = |all| Share { all, client: all, kept: 0 };
    // All of them share one address here; the limits for one client are tested elsewhere.
    let shares = Shares {
        memory: plenty(1 << 30),
        sockets: plenty(2_000),
        subscriptions: plenty(20_000),
        connections: plenty(10_000),
    };
    let socket = SocketLimits { unread_ms: 600_000, ..SocketLimits::default() };
    let client = Allowance { burst: None, ..LoadLimits::default().client };
    let load = LoadLimits { waiting: 100_000, client, ..LoadLimits::default() };
    let house = House::new(Limits { shares, socket, load, body_idle_ms: 30_000, ..Limits::default() });
    let game = house.game(3_047);
    let (sockets, each) = (rounds(10, 200), rounds(10, 50));
    let mut open: Vec<_> = (0..sockets).map(|_| house.socket(None).unwrap()).collect();
    for socket in &mut open {
        for id in 0..each {
            socket.subscribe(&id.to_string(), &format!("subscription {{ gameEvents(game: \"{game}\") {{ bytes }} }}"));
        }
    }
    let begin = |sent: &str| {
        let mut stream = house.connect();
        stream.write_all(sent.as_bytes()).unwrap();
        stream
    };
    let announced = format!("{}some of it", house.head(1 << 20, ""));
    let _bodies: Vec<_> = (0..rounds(50, 1_000)).map(|_| begin(&announced)).collect();
    let _heads: Vec<_> = (0..rounds(50, 1_000)).map(|_| begin("GET / HTTP/1.1\r\nhost: ")).collect();
    let is_over = AtomicBool::new(false);
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        for _ in 0..rounds(1, 4) {
            scope.spawn(|| {
                let mut socket = None;
                while !is_over.load(Ordering::Relaxed) {
                    // Each connection is closed soon, and the next one takes its place.
                    let open = socket.get_or_insert_with(|| house.socket(None).unwrap());
                    if open.0.send(Message::Ping(vec![0; 100].into())).is_err() {
                        socket = None;
                    }
                }
            });
        }
        let ask = |_| {
            let start = Instant::now();
            assert_eq!(house.ask(None, "{ __typename }")["data"]["__typename"], "Query");
            start.elapsed()
        };
        let times = (0..ASKED).map(ask).collect();
        is_over.store(true, Ordering::Relaxed);
        times
    });
    times.sort_unstable();
    let (median, late) = (times[ASKED / 2], times[ASKED * 99 / 100]);
    println!("innocent client: median {median:?}, p99 {late:?} over {ASKED} requests");
    let held = house.count("plybook_request_memory_bytes");
    assert!(held < (sockets * each) as i64 * 32_000 + (16 << 20), "{held} bytes");
}
