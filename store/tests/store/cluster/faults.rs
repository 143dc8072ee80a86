//! Servers of a stream killed while several processes append to it: nothing that was acknowledged is lost, and nothing is there
//! twice.
//!
//! `PLYBOOK_FAULT_ROUNDS=300 cargo test -p plybook-store --test store cluster::faults` is the long run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use plybook_store::{EventBytes, JetStreamJournal, Journal, JournalError, NatsAccess, NatsAddress};

use crate::nats::Nats;
use crate::support::{Ending, Random};

const ROUNDS: &str = "PLYBOOK_FAULT_ROUNDS";
const WRITERS: u64 = 4;

/// How many appends must be acknowledged between two faults.
const APPENDS: usize = 20;

/// How long they may take: an append is tried for ten seconds, and a journal is then opened again.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a writer was told of an append.
#[derive(Clone, Copy, Debug)]
enum Told {
    /// It is at this position.
    Acknowledged(u64),
    /// Nobody knows.
    Unknown,
}

/// The two events of an append.
fn events(writer: u64, n: u64) -> [EventBytes; 2] {
    [0, 1].map(|part| format!("{{\"writer\":{writer},\"n\":{n},\"part\":{part}}}").into_bytes().into())
}

#[test]
fn no_acknowledged_append_is_lost_or_there_twice_when_leaders_are_killed() {
    let rounds: u64 = std::env::var(ROUNDS).map_or(4, |n| n.parse().expect("a number of rounds"));
    let mut nats = Nats::start(3);
    let (address, access) = (nats.address("games"), nats.access());
    drop(JetStreamJournal::create(&address, &access).unwrap());
    let told = Mutex::new(BTreeMap::new());
    let is_over = AtomicBool::new(false);
    let (tell, acknowledged) = mpsc::channel();
    let mut longest = Duration::ZERO;
    thread::scope(|scope| {
        let ending = Ending(&is_over);
        for writer in 0..WRITERS {
            let (tell, told, is_over, address, access) = (tell.clone(), &told, &is_over, &address, &access);
            scope.spawn(move || {
                // Others may have come so far that a server was killed.
                let mut journal = open_again(address, access);
                let mut n = 0;
                while !is_over.load(Ordering::Relaxed) {
                    let at = journal.len();
                    let answer = match journal.append(at, &events(writer, n)) {
                        Ok(()) => Told::Acknowledged(at),
                        // It was not written, so it is tried again.
                        Err(JournalError::Conflict { .. }) => continue,
                        Err(_) => {
                            journal = open_again(address, access);
                            Told::Unknown
                        }
                    };
                    told.lock().unwrap().insert((writer, n), answer);
                    if matches!(answer, Told::Acknowledged(_)) {
                        let _ = tell.send(());
                    }
                    n += 1;
                }
            });
        }
        let mut random = Random(0x5eed);
        for round in 0..rounds {
            (0..APPENDS).for_each(|_| acknowledged.recv_timeout(PATIENCE).expect("writers go on"));
            thread::sleep(Duration::from_millis(random.below(200) as u64));
            // Every fourth time, all at once.
            let killed: Vec<usize> = if round % 4 == 3 { (0..3).collect() } else { vec![leader(&nats)] };
            let killed_at = Instant::now();
            for n in &killed {
                nats.kill(*n);
            }
            while acknowledged.try_recv().is_ok() {}
            if killed.len() == 1 {
                acknowledged.recv_timeout(PATIENCE).expect("the others go on");
                longest = longest.max(killed_at.elapsed());
            }
            for n in &killed {
                nats.run(*n);
            }
        }
        (0..APPENDS).for_each(|_| acknowledged.recv_timeout(PATIENCE).expect("writers go on"));
        drop(ending);
    });
    let journal = open_again(&address, &access);
    let mut found: BTreeMap<EventBytes, Vec<u64>> = BTreeMap::new();
    let mut position = 0;
    while position < journal.len() {
        for event in journal.read(position, 1000).unwrap() {
            found.entry(event).or_default().push(position);
            position += 1;
        }
    }
    let (mut unknown, mut written) = (0, 0);
    for ((writer, n), told) in &*told.lock().unwrap() {
        let places = events(*writer, *n).map(|event| found.remove(&event).unwrap_or_default());
        match told {
            Told::Acknowledged(at) => assert_eq!(places, [[*at], [at + 1]], "append {n} of {writer}"),
            Told::Unknown => {
                unknown += 1;
                assert!(
                    places[0].len() < 2 && places[1].len() == places[0].len(),
                    "append {n} of {writer}: {places:?}"
                );
                written += places[0].len();
            }
        }
    }
    assert!(found.is_empty(), "what nobody appended is there: {found:?}");
    let acknowledged = told.lock().unwrap().len() - unknown;
    println!(
        "{rounds} faults, {acknowledged} appends acknowledged, 0 lost, 0 twice; {unknown} unknown, {written} of them written; \
         writes went on {:.1} s after the death of a leader at most",
        longest.as_secs_f64()
    );
}

/// A bit that flips on the disk of one server may hide a message there, or change it; the others have it.
#[test]
fn a_damaged_replica_is_noticed_and_passed_over() {
    for damaged in 0..3 {
        let mut nats = Nats::start(3);
        let (address, access) = (nats.address("games"), nats.access());
        let journal = JetStreamJournal::create(&address, &access).unwrap();
        let all: Vec<EventBytes> = (0..20).flat_map(|n| events(7, n)).collect();
        for n in 0..20 {
            journal.append(2 * n, &events(7, n)).unwrap();
        }
        nats.kill(damaged);
        flip_a_bit(&nats.dir.path().join(damaged.to_string()), &events(7, 11)[1]);
        nats.run(damaged);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(3) {
            let journal = JetStreamJournal::open(&address, &access).unwrap();
            for from in [0, 22, 23] {
                assert!(journal.read(from, 100).unwrap() == all[from as usize..], "from {from} with {damaged} damaged");
            }
        }
    }
}

/// Changes a bit of a text in the messages that a server has in this folder.
fn flip_a_bit(folder: &Path, text: &[u8]) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let mut bytes = fs::read(&path).unwrap();
            let is_of_stream = path.components().any(|part| part.as_os_str() == "streams");
            if is_of_stream && let Some(at) = bytes.windows(text.len()).position(|part| part == text) {
                bytes[at + text.len() / 2] ^= 1;
                return fs::write(path, bytes).unwrap();
            }
        }
    }
    panic!("the server has no such message");
}

/// The server that leads the stream.
fn leader(nats: &Nats) -> usize {
    let begun = Instant::now();
    loop {
        match nats.leader("games") {
            Some(leader) => return leader,
            None => assert!(begun.elapsed() < PATIENCE, "there is no leader"),
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn open_again(address: &NatsAddress, access: &NatsAccess) -> JetStreamJournal {
    let begun = Instant::now();
    loop {
        match JetStreamJournal::open(address, access) {
            Ok(journal) => return journal,
            Err(why) => assert!(begun.elapsed() < PATIENCE, "{why}"),
        }
    }
}
