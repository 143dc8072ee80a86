//! How many 300-byte events per second become durable on three NATS servers on loopback, each of which syncs before it
//! acknowledges, with one append per event: the log over a stream, compared with plain publishing to such a stream in the same
//! run, in rounds of each in turn. And how fast another node reads them, or joins with them. Every answer is checked during the run.
//!
//! `cargo bench -p plybook-store --bench jetstream`; `TMPDIR` chooses the disk.

#![expect(clippy::cast_precision_loss, reason = "counts of events are far below 2^52")]

#[path = "../tests/store/nats.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod nats;

use std::sync::Arc;
use std::time::Instant;

use async_nats::{Client, ConnectOptions, HeaderMap};
use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::{JetStreamJournal, Journal, JournalError, JournalPlace, Options, Store, VaultKey, check_journal};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use self::nats::Nats;

/// How often each is run, in turn.
const ROUNDS: usize = 5;

const WRITERS: u64 = 64;

/// How many events each writer appends.
const EVENTS: u64 = 100;

/// The message before is not written yet, as far as the lock of a subject knows: ask again.
const STILL_IN_PROCESS: u64 = 10164;

/// How many nodes append to one stream at once.
const NODES: u64 = 3;

fn main() {
    let nats = Nats::start(3);
    let runtime = Runtime::new().expect("a process can start threads");
    let client = runtime.block_on(async {
        let options = ConnectOptions::with_user_and_password("plybook".into(), "secret".into());
        options.retry_on_initial_connect().connect(nats.servers()).await.expect("servers answer")
    });
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let plain = runtime.block_on(publish(&client, &format!("plain-{round}"), false));
        let locked = runtime.block_on(publish(&client, &format!("locked-{round}"), true));
        let logs = append(&nats, &format!("log-{round}"));
        let alone = append_alone(&nats, &format!("alone-{round}"));
        let nodes = race(&nats, &format!("nodes-{round}"));
        let stores = append_to_nodes(&nats, &format!("stores-{round}"));
        rounds.push([plain, locked, logs, stores, alone, nodes]);
    }
    println!("{:<64} {:>10} {:>8}", "", "events/s", "x plain");
    for (n, name) in [
        "64 writers: a message each, no lock",
        "64 writers: a message each, a subject and a lock per log",
        "64 writers: Log over JetStreamJournal",
        "64 writers: three nodes, each a Log over JetStreamJournal",
        "1 writer: JetStreamJournal",
        "3 nodes, one writer each: JetStreamJournal, all together",
    ]
    .into_iter()
    .enumerate()
    {
        let rate = median(rounds.iter().map(|round| round[n]));
        let ratio = median(rounds.iter().map(|round| round[n] / round[0]));
        println!("{name:<64} {rate:>10.0} {ratio:>8.2}");
    }
    read(&nats);
}

/// Publishes one message per event, and waits for each answer.
async fn publish(client: &Client, stream: &str, is_locked: bool) -> f64 {
    let config = json!({ "name": stream, "subjects": [format!("{stream}.*")], "storage": "file", "num_replicas": 3 });
    // There may be no leader yet, of the servers or of the stream.
    while ask(client, &format!("$JS.API.STREAM.CREATE.{stream}"), HeaderMap::new(), &config.to_string()).await["did_create"]
        != true
    {}
    while ask(client, &format!("{stream}.first"), HeaderMap::new(), "").await["seq"].is_null() {}
    let games: Vec<Vec<Vec<u8>>> = (0..WRITERS).map(|n| game(n, EVENTS).1).collect();
    let begun = Instant::now();
    let tasks = games.into_iter().enumerate().map(|(n, events)| {
        let (client, subject) = (client.clone(), format!("{stream}.{n}"));
        tokio::spawn(async move {
            let mut last = 0;
            for event in events {
                let mut headers = HeaderMap::new();
                if is_locked {
                    headers.insert("Nats-Expected-Last-Subject-Sequence", last.to_string());
                }
                let answer = loop {
                    let answer = ask(&client, &subject, headers.clone(), &event).await;
                    if answer["error"]["err_code"] != STILL_IN_PROCESS {
                        break answer;
                    }
                };
                last = answer["seq"].as_u64().filter(|seq| *seq > last).unwrap_or_else(|| panic!("{answer}"));
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.expect("it does not panic");
    }
    (WRITERS * EVENTS) as f64 / begun.elapsed().as_secs_f64()
}

/// Asks, and reads the answer; nothing if there is none.
async fn ask(client: &Client, subject: &str, headers: HeaderMap, payload: impl AsRef<[u8]>) -> Value {
    let payload = payload.as_ref().to_vec().into();
    let answer = client.request_with_headers(subject.to_owned(), headers, payload).await;
    answer.map(|answer| serde_json::from_slice(&answer.payload).expect("JSON")).unwrap_or_default()
}

/// Appends to 64 logs at once, one event each time.
fn append(nats: &Nats, stream: &str) -> f64 {
    append_to(nats, stream, 1)
}

/// The same to three nodes, of which each takes in what the others write.
fn append_to_nodes(nats: &Nats, stream: &str) -> f64 {
    append_to(nats, stream, NODES)
}

fn append_to(nats: &Nats, stream: &str, nodes: u64) -> f64 {
    let open = |_| Store::over(Arc::new(create(nats, stream))).expect("it opens");
    let stores: Vec<Store> = (0..nodes).map(open).collect();
    // The stream's leader may not be there yet.
    let (first, events) = game(WRITERS, 1);
    stores[0].log().append(first, None, events).expect("it is appended");
    let games: Vec<(LogId, Vec<Vec<u8>>)> = (0..WRITERS).map(|n| game(n, EVENTS)).collect();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for (n, (log, events)) in games.into_iter().enumerate() {
            let store = &stores[n % stores.len()];
            scope.spawn(move || {
                let mut head = None;
                for event in events {
                    let appended = store.log().append(log, head.as_ref(), vec![event]);
                    head = Some(appended.expect("it is appended").head);
                }
            });
        }
    });
    let rate = (WRITERS * EVENTS) as f64 / begun.elapsed().as_secs_f64();
    let found = check_journal(&create(nats, stream), &mut |_, _| ()).expect("the chains are right");
    assert_eq!((found.events, found.logs as u64), (WRITERS * EVENTS + 1, WRITERS + 1));
    rate
}

/// Appends one event after another.
fn append_alone(nats: &Nats, stream: &str) -> f64 {
    let journal = create(nats, stream);
    let events = game(0, 5 * EVENTS).1;
    let mut events = events.into_iter();
    journal.append(0, &[events.next().expect("there are some").into()]).expect("it is appended");
    let (count, begun) = (events.len(), Instant::now());
    for event in events {
        journal.append(journal.len(), &[event.into()]).expect("it is appended");
    }
    count as f64 / begun.elapsed().as_secs_f64()
}

/// Several nodes append to one stream: of those that follow the same event, one is first.
fn race(nats: &Nats, stream: &str) -> f64 {
    create(nats, stream).append(0, &[game(NODES, 1).1.remove(0).into()]).expect("it is appended");
    let nodes: Vec<_> = (0..NODES).map(|n| (create(nats, stream), game(n, 2 * EVENTS).1)).collect();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for (journal, events) in nodes {
            scope.spawn(move || {
                for event in events {
                    let event = [event.into()];
                    loop {
                        match journal.append(journal.len(), &event) {
                            Ok(()) => break,
                            Err(JournalError::Conflict { .. }) => {}
                            Err(why) => panic!("{why}"),
                        }
                    }
                }
            });
        }
    });
    let rate = (NODES * 2 * EVENTS) as f64 / begun.elapsed().as_secs_f64();
    let found = check_journal(&create(nats, stream), &mut |_, _| ()).expect("the chains are right");
    assert_eq!((found.events, found.logs as u64), (NODES * 2 * EVENTS + 1, NODES + 1));
    rate
}

/// Reads streams whose messages have one event, and as many as a busy node puts into one.
fn read(nats: &Nats) {
    for (events, per_message) in [(5_000, 1), (100_000, 32), (200_000, 512)] {
        let stream = format!("read-{per_message}");
        let journal = create(nats, &stream);
        for n in 0..events / per_message {
            let group: Vec<_> = game(n, per_message).1.into_iter().map(Into::into).collect();
            journal.append(journal.len(), &group).expect("it is appended");
        }
        let journal = create(nats, &stream);
        let len = journal.len();
        let begun = Instant::now();
        let mut position = 0;
        while position < len {
            position += journal.read(position, 16_384).expect("it is read").len() as u64;
        }
        let rate = len as f64 / begun.elapsed().as_secs_f64();
        println!("read {len} events, {per_message} in a message: {rate:.0} events/s");
        join(nats, &stream, len);
    }
}

/// A node that joins with an empty directory, and after that starts again.
fn join(nats: &Nats, stream: &str, len: u64) {
    let dir = tempfile::tempdir().expect("there is a folder");
    let journal = JournalPlace::Stream(nats.address(stream), nats.access());
    let options = Options {
        journal,
        vault_key: Some(VaultKey::read(&nats.key_file()).expect("it is there")),
        ..Options::DEFAULT
    };
    for what in ["joins", "starts again"] {
        let begun = Instant::now();
        let store = Store::open(dir.path(), &options, &mut |_, _| ()).expect("it opens");
        let elapsed = begun.elapsed();
        assert_eq!(store.log().len(), len);
        println!("a node {what}: {elapsed:.1?}, {:.0} events/s", len as f64 / elapsed.as_secs_f64());
    }
}

fn create(nats: &Nats, stream: &str) -> JetStreamJournal {
    JetStreamJournal::create(&nats.address(stream), &nats.access()).expect("it opens")
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A log and its events.
fn game(n: u64, events: u64) -> (LogId, Vec<Vec<u8>>) {
    let mut id = [7; 16];
    id[..8].copy_from_slice(&n.to_be_bytes());
    let (log, mut prev) = (LogId::from_bytes(id), Hash::ZERO);
    let event = |seq: u64| {
        let at = Timestamp::from_millis(1_790_000_000_000 + seq as i64).expect("in range");
        let body = Body::Acted(Acted { action: format!("a1-b2x{seq:057}"), clock_ms: Some(600_000), fair: false });
        let event = Event { at, by: By::Seat(1), log, prev, seq, body, who: None, signature: None, request: None };
        let bytes = event.to_bytes().expect("a small event");
        prev = Hash::of_event(&bytes);
        bytes
    };
    (log, (0..events).map(event).collect())
}
