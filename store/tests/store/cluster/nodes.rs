//! Several stores on one stream, as nodes of a service are: whatever they write at the same time, and whatever happens to the
//! servers meanwhile, they come to hold the same, and nothing that was acknowledged is lost or there twice.
//!
//! `PLYBOOK_FAULT_ROUNDS=100 cargo test -p plybook-store --test store cluster::nodes` is the long run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::EVENT_BYTES_MAX;
use plybook_store::{AppendError, Head, JetStreamJournal, OpenError, Store, check_journal};
use tempfile::TempDir;

use crate::nats::Nats;
use crate::support::{Ending, Random, all_logs, event, events, log_id, open_node, push};

const WRITERS: u64 = 32;

/// They write to few logs, so that they get into each other's way.
const LOGS: u64 = 12;

/// The longest that anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// What a writer was told of an event.
struct Told {
    event: Vec<u8>,
    begun: Instant,
    answered: Instant,
    /// Its position; `None` if nobody knows whether it was written.
    position: Option<u64>,
}

struct Nodes {
    nats: Nats,
    dirs: Vec<TempDir>,
    stores: Vec<Store>,
}

impl Nodes {
    fn start(servers: usize, nodes: usize) -> Self {
        let nats = Nats::start(servers);
        let dirs: Vec<TempDir> = (0..nodes).map(|_| TempDir::new().unwrap()).collect();
        let stores = dirs.iter().map(|dir| open_node(dir.path(), &nats, "games").unwrap()).collect();
        Self { nats, dirs, stores }
    }

    /// Has writers append to all nodes while `meanwhile` runs; each until that is over, and for `least` events at least.
    fn write(&mut self, least: usize, meanwhile: impl FnOnce(&mut Nats, &Counts)) -> Vec<Told> {
        let (told, is_over, counts) = (Mutex::new(Vec::new()), AtomicBool::new(false), Counts::default());
        let Self { nats, stores, .. } = self;
        thread::scope(|scope| {
            let ending = Ending(&is_over);
            for writer in 0..WRITERS {
                let (store, told, is_over, counts) =
                    (&stores[writer as usize % stores.len()], &told, &is_over, &counts);
                scope.spawn(move || {
                    let mut random = Random(writer + 1);
                    let (mut n, mut acknowledged) = (0, 0);
                    while acknowledged < least || !is_over.load(Ordering::Relaxed) {
                        n += 1;
                        let answer =
                            append(store, log_id(random.below(LOGS as usize) as u64), &format!("{writer}-{n}"));
                        match answer {
                            Some(answer) => {
                                acknowledged += usize::from(answer.position.is_some());
                                counts
                                    .acknowledged
                                    .fetch_add(usize::from(answer.position.is_some()), Ordering::Relaxed);
                                told.lock().unwrap().push(answer);
                            }
                            None => thread::sleep(Duration::from_millis(20)),
                        }
                    }
                });
            }
            meanwhile(nats, &counts);
            drop(ending);
        });
        told.into_inner().unwrap()
    }

    /// Waits until all nodes have the same number of events, and checks that they hold the same, and what they must.
    fn check(&self, told: &[Told]) {
        let first = &self.stores[0];
        let begun = Instant::now();
        while self.stores.iter().any(|store| store.log().len() != first.log().len() || store.log().is_read_only()) {
            let lens: Vec<_> = self.stores.iter().map(|store| (store.log().len(), store.log().away())).collect();
            assert!(begun.elapsed() < PATIENCE, "nodes stay behind: {lens:?}");
            thread::sleep(Duration::from_millis(20));
        }
        let logs = all_logs(first);
        let entries = first.log().entries(0, usize::MAX).unwrap();
        for store in &self.stores[1..] {
            assert!(all_logs(store) == logs);
            assert!(store.log().entries(0, usize::MAX).unwrap() == entries);
        }
        let journal = JetStreamJournal::open(&self.nats.address("games"), &self.nats.access()).unwrap();
        assert_eq!(check_journal(&journal, &mut |_, _| ()).unwrap().events, entries.len() as u64);
        let mut places: HashMap<Vec<u8>, Vec<u64>> = HashMap::new();
        for entry in &entries {
            places.entry(entry.bytes.to_vec()).or_default().push(entry.position);
        }
        for told in told {
            let found = places.remove(&told.event).unwrap_or_default();
            match told.position {
                Some(position) => assert_eq!(found, [position]),
                None => assert!(found.len() <= 1, "{found:?}"),
            }
        }
        assert!(places.is_empty(), "what nobody appended is there");
        check_order(told);
    }
}

#[derive(Default)]
struct Counts {
    acknowledged: AtomicUsize,
}

impl Counts {
    fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::Relaxed)
    }

    /// Waits until so many more are acknowledged.
    fn await_more(&self, count: usize) {
        let (begun, until) = (Instant::now(), self.acknowledged() + count);
        while self.acknowledged() < until {
            assert!(begun.elapsed() < PATIENCE, "writers do not go on");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Appends an event after what the node knows as the head; `None` if another was first, or nothing can be written.
fn append(store: &Store, log: plybook_events::LogId, what: &str) -> Option<Told> {
    let head = store.log().head(log);
    let bytes = event(log, head.as_ref(), what);
    let begun = Instant::now();
    let answer = store.log().append(log, head.as_ref(), vec![bytes.clone()]);
    let position = match answer {
        Ok(appended) => {
            // Whoever wrote reads it at once.
            assert!(
                store.log().len() > appended.position && store.log().head(log).unwrap().seq() >= appended.head.seq()
            );
            Some(appended.position)
        }
        Err(AppendError::Unknown) => None,
        Err(AppendError::Conflict { .. } | AppendError::Away) => return None,
        Err(why) => panic!("{why}"),
    };
    Some(Told { event: bytes, begun, answered: Instant::now(), position })
}

/// The journal is linearizable: what was begun after something was acknowledged comes after it.
fn check_order(told: &[Told]) {
    let known = |told: &&Told| told.position.is_some();
    let (mut begun, mut answered): (Vec<&Told>, Vec<&Told>) =
        (told.iter().filter(known).collect(), told.iter().filter(known).collect());
    begun.sort_by_key(|told| told.begun);
    answered.sort_by_key(|told| told.answered);
    let (mut before, mut last) = (answered.into_iter().peekable(), None);
    for told in begun {
        while let Some(earlier) = before.next_if(|earlier| earlier.answered < told.begun) {
            last = last.max(earlier.position);
        }
        assert!(told.position > last, "an event comes before one that was acknowledged before it was begun");
    }
}

#[test]
fn nodes_that_write_at_the_same_time_come_to_hold_the_same() {
    for (servers, nodes) in [(1, 2), (3, 3)] {
        let mut nodes = Nodes::start(servers, nodes);
        let begun = Instant::now();
        let told = nodes.write(20, |_, _| ());
        let (acknowledged, elapsed) = (told.len(), begun.elapsed());
        println!("{servers} servers: {acknowledged} appends in {elapsed:?}");
        nodes.check(&told);
        // Each of them is the same after a start, which reads only what is new, and so is one that joins empty.
        let logs = all_logs(&nodes.stores[0]);
        nodes.stores.clear();
        for dir in nodes.dirs.iter().chain([&TempDir::new().unwrap()]) {
            let store = open_node(dir.path(), &nodes.nats, "games").unwrap();
            assert!(all_logs(&store) == logs);
        }
    }
}

#[test]
fn what_one_node_writes_the_others_are_shown_in_order_and_soon() {
    let nodes = Nodes::start(1, 2);
    let [one, other] = &nodes.stores[..] else { unreachable!() };
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watched = Arc::clone(&seen);
    assert_eq!(other.log().watch(move |entries| watched.lock().unwrap().extend_from_slice(entries)), 0);
    let mut slowest = Duration::ZERO;
    for n in 0..50 {
        push(one, log_id(n % 7), "a");
        let begun = Instant::now();
        while other.log().len() <= n && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
        slowest = slowest.max(begun.elapsed());
    }
    assert!(*seen.lock().unwrap() == one.log().entries(0, usize::MAX).unwrap());
    println!("the slowest took {slowest:?}");
    // A writer whose node has not heard of it yet is told of the conflict, and of the head.
    let stale = other.log().head(log_id(0)).unwrap();
    push(one, log_id(0), "b");
    let refused = other.log().append(log_id(0), Some(&stale), vec![event(log_id(0), Some(&stale), "c")]);
    let newest = one.log().head(log_id(0));
    assert!(matches!(refused, Err(AppendError::Conflict { head, .. }) if head == newest), "{refused:?}");
}

#[test]
fn what_fits_into_no_message_is_refused_and_the_node_goes_on() {
    let nodes = Nodes::start(1, 1);
    let store = &nodes.stores[0];
    let text = "x".repeat(EVENT_BYTES_MAX - 400);
    let large = |log, count| events(log, None, &vec![text.as_str(); count]);
    let refused = store.log().append(log_id(0), None, large(log_id(0), 17));
    assert!(matches!(refused, Err(AppendError::TooLarge { .. })), "{refused:?}");
    assert!(store.log().is_empty() && !store.log().is_read_only());
    // Appends that wait together are more than one message then.
    thread::scope(|scope| {
        for n in 1..9 {
            let large = &large;
            scope.spawn(move || store.log().append(log_id(n), None, large(log_id(n), 7)).unwrap());
        }
    });
    assert_eq!(all_logs(store).len(), 8);
}

#[test]
fn without_servers_writes_are_refused_at_once_and_go_on_without_a_restart() {
    for servers in [1, 3] {
        let mut nodes = Nodes::start(servers, 1);
        let log = log_id(1);
        push(&nodes.stores[0], log, "a");
        for n in 0..servers {
            nodes.nats.kill(n);
        }
        let store = &nodes.stores[0];
        let head = store.log().head(log);
        let lost = event(log, head.as_ref(), "b");
        let answer = store.log().append(log, head.as_ref(), vec![lost.clone()]);
        assert!(matches!(answer, Err(AppendError::Unknown)), "{answer:?}");
        // None of them is tried for ten seconds: its outcome would not be known.
        for n in 0..100 {
            let answer = store.log().append(log_id(n + 2), None, vec![event(log_id(n + 2), None, "a")]);
            assert!(matches!(answer, Err(AppendError::Away)), "{answer:?}");
        }
        assert!(store.log().away().is_some() && store.log().is_read_only());
        assert_eq!(store.log().read(log, 0).unwrap().len(), 1, "reading goes on");
        for n in 0..servers {
            nodes.nats.run(n);
        }
        // Servers that have just started may elect another leader.
        let begun = Instant::now();
        let write = |expected: Option<Head>, event: Vec<u8>| loop {
            match store.log().append(log, expected.as_ref(), vec![event.clone()]) {
                Err(AppendError::Away) if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
                written => return written.unwrap().head,
            }
        };
        // The append whose outcome was unknown can be repeated, and is there once.
        let written = write(head, lost.clone());
        println!("{servers} servers: it writes {:?} after they started", begun.elapsed());
        write(Some(written), event(log, Some(&written), "c"));
        let all = store.log().read(log, 0).unwrap();
        assert_eq!((all.len(), &*all[1]), (3, &*lost));
        let entries = store.log().entries(0, usize::MAX).unwrap();
        assert_eq!(entries.len(), 3);
    }
}

#[test]
fn an_index_of_another_stream_is_refused() {
    let nodes = Nodes::start(1, 1);
    push(&nodes.stores[0], log_id(1), "a");
    push(&nodes.stores[0], log_id(2), "a");
    let Nodes { nats, dirs, stores } = nodes;
    drop(stores);
    // It has fewer events, then others, then those and more.
    let shorter = open_node(dirs[0].path(), &nats, "other").err();
    assert!(matches!(shorter, Some(OpenError::Cut { journal: 0, index: 2, .. })), "{shorter:?}");
    let dir = TempDir::new().unwrap();
    let other = open_node(dir.path(), &nats, "other").unwrap();
    for n in [3, 4, 5] {
        push(&other, log_id(n), "a");
    }
    let changed = open_node(dirs[0].path(), &nats, "other").err();
    assert!(matches!(&changed, Some(OpenError::Changed(change)) if change.position == 0), "{changed:?}");
    let mut own = open_node(dirs[0].path(), &nats, "games").unwrap();
    push(&own, log_id(3), "a");
    drop(own);
    own = open_node(dirs[0].path(), &nats, "games").unwrap();
    assert_eq!(all_logs(&own).len(), 3);
}

#[test]
fn nothing_acknowledged_is_lost_or_there_twice_when_servers_die_or_stop_under_several_nodes() {
    let rounds: usize = std::env::var("PLYBOOK_FAULT_ROUNDS").map_or(4, |n| n.parse().expect("a number of rounds"));
    let mut nodes = Nodes::start(3, 3);
    let told = nodes.write(1, |nats, counts| {
        let mut random = Random(0xfa17);
        for round in 0..rounds {
            counts.await_more(100);
            thread::sleep(Duration::from_millis(random.below(100) as u64));
            let one = random.below(3);
            match round % 4 {
                // One is killed.
                0 => {
                    nats.kill(one);
                    counts.await_more(20);
                    nats.run(one);
                }
                // One stops for a while, and goes on as if nothing had been.
                1 => {
                    nats.pause(one);
                    counts.await_more(20);
                    nats.resume(one);
                }
                // All stop, for longer than an append is tried.
                2 => {
                    (0..3).for_each(|n| nats.pause(n));
                    thread::sleep(Duration::from_secs(12));
                    (0..3).for_each(|n| nats.resume(n));
                }
                // All are killed, again for so long.
                _ => {
                    (0..3).for_each(|n| nats.kill(n));
                    thread::sleep(Duration::from_secs(12));
                    (0..3).for_each(|n| nats.run(n));
                }
            }
        }
        counts.await_more(100);
    });
    let unknown = told.iter().filter(|told| told.position.is_none()).count();
    println!("{rounds} faults: {} appends acknowledged, {unknown} unknown", told.len() - unknown);
    nodes.check(&told);
}
