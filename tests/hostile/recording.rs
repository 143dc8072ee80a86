//! Interrupted recording: a child process records games and prints what was acknowledged.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use plybook_api::service::{NewGame, NewSeat, Service};
use plybook_events::{Actor, Event, Hash, LogId};
use plybook_rules::log::UnopenedCommitment;
use plybook_rules::{kind, log};
use plybook_store::{Memory, Options, Store};

use crate::tournament;

/// The directory that a child records in; without it, this process is not a child.
const CHILD: &str = "PLYBOOK_HOSTILE_RECORDS";

/// How many games a child records at once.
const WRITERS: u64 = 16;

/// How many tournaments a child plays at once, besides those games.
const TOURNAMENTS: u64 = 4;

/// The recorded kinds: with secrets and dice, with dice, with neither.
const KINDS: [&str; 3] = ["thrones", "triforce", "triangulate"];

/// The kinds played in tournaments: with secrets, and without.
const TOURNAMENT_KINDS: [&str; 2] = ["thrones", "triangulate"];

/// Small segments, so that there are many ends.
pub(crate) fn options() -> Options {
    Options { segment_bytes: 100_000, memory: Memory::of(128 << 20), ..Options::DEFAULT }
}

/// Numbers that are the same in every run (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

/// What was acknowledged: the hash of each event.
#[derive(Default)]
pub(crate) struct Acknowledged(pub(crate) BTreeMap<(LogId, u64), Hash>);

impl Acknowledged {
    /// Adds what a child printed; returns whether it had opened the directory.
    pub(crate) fn hear(&mut self, said: &str) -> bool {
        for line in said.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let words: Vec<&str> = line.trim_end().split(' ').collect();
            if let ["ack", log, seq, hash] = words[..] {
                self.0.insert((log.parse().unwrap(), seq.parse().unwrap()), hash.parse().unwrap());
            }
        }
        said.contains("opened\n")
    }

    /// Checks a directory: every acknowledged event is there, and every commitment can be opened.
    pub(crate) fn check(&self, dir: &Path, what: &str) {
        let store = Store::open_to_read(dir, None, &mut |_, _| ()).unwrap_or_else(|why| panic!("{what}: {why}"));
        let mut logs: HashMap<LogId, Vec<Event>> = HashMap::new();
        let mut hashes: HashMap<LogId, Vec<Hash>> = HashMap::new();
        let mut after = None;
        loop {
            let page = store.log().logs_after(after, 500).unwrap();
            for id in &page {
                let lines = store.log().read(*id, 0).unwrap();
                hashes.insert(*id, lines.iter().map(|line| Hash::of_event(line)).collect());
                logs.insert(*id, lines.iter().map(|line| Event::parse(line).unwrap()).collect());
            }
            after = page.last().copied();
            if after.is_none() {
                break;
            }
        }
        assert_eq!(hashes.values().map(Vec::len).sum::<usize>() as u64, store.log().len(), "{what}");
        for ((log, seq), hash) in &self.0 {
            let found = hashes.get(log).and_then(|hashes| hashes.get(*seq as usize));
            assert_eq!(found, Some(hash), "{what}: event {seq} of {log}");
        }
        tournament::check(&logs, &hashes, what);
        for (id, events) in &logs {
            for unopened in UnopenedCommitment::of(events) {
                let kept = store.vault().get(*id, &unopened.key());
                assert!(kept.is_some_and(|kept| unopened.is_opened_by(&kept)), "{what}: {id}: {unopened} is lost");
            }
        }
    }
}

/// A child that records until it is killed.
pub(crate) struct Recorder {
    child: Mutex<Child>,
    said: Arc<Mutex<Vec<u8>>>,
    errors: Arc<Mutex<Vec<u8>>>,
    reading: [JoinHandle<()>; 2],
}

impl Recorder {
    pub(crate) fn start(dir: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "recording::child", "--nocapture", "--quiet"]).env(CHILD, dir);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (said, saying) = collect(child.stdout.take().unwrap());
        let (errors, erring) = collect(child.stderr.take().unwrap());
        Self { child: Mutex::new(child), said, errors, reading: [saying, erring] }
    }

    /// What it has printed so far.
    pub(crate) fn said(&self) -> String {
        String::from_utf8(self.said.lock().unwrap().clone()).unwrap()
    }

    /// Waits until it has printed something.
    pub(crate) fn wait_for(&self, what: &str) {
        let until = Instant::now() + Duration::from_secs(300);
        while !self.said().contains(what) {
            let has_ended = self.child.lock().unwrap().try_wait().unwrap().is_some();
            let errors = || String::from_utf8_lossy(&self.errors.lock().unwrap()).into_owned();
            assert!(!has_ended && Instant::now() < until, "it says only {}{}", self.said(), errors());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills it, and returns everything that it has printed.
    pub(crate) fn kill(self) -> String {
        let mut child = self.child.into_inner().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        for reading in self.reading {
            reading.join().unwrap();
        }
        String::from_utf8(std::mem::take(&mut self.said.lock().unwrap())).unwrap()
    }
}

/// What a child prints, and the thread that reads it.
fn collect(mut from: impl Read + Send + 'static) -> (Arc<Mutex<Vec<u8>>>, JoinHandle<()>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&heard);
    let reading = thread::spawn(move || {
        let mut piece = vec![0; 1 << 16];
        while let Ok(len @ 1..) = from.read(&mut piece) {
            into.lock().unwrap().extend_from_slice(&piece[..len]);
        }
    });
    (heard, reading)
}

/// The child's main function.
#[test]
fn child() {
    let Some(dir) = std::env::var_os(CHILD) else { return };
    let store = Store::open(Path::new(&dir), &options(), &mut |_, _| ()).unwrap();
    let service = Service::start(store).unwrap();
    assert!(service.losses().is_empty() && !service.is_read_only());
    say("opened\n");
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let service = &service;
            scope.spawn(move || record(service, writer));
        }
        for number in 0..TOURNAMENTS {
            let service = &service;
            scope.spawn(move || record_tournaments(service, number));
        }
    });
}

/// Records one game after another, forever.
fn record(service: &Service, writer: u64) {
    let mut dice = Dice(writer ^ u64::from(std::process::id()) << 8);
    loop {
        let name = KINDS[dice.below(KINDS.len())];
        let rules = kind(name).unwrap();
        let setup = rules.complete(&serde_json::json!({}), &mut |n| dice.below(n as usize) as u32).unwrap();
        let seats = rules.start(&setup).unwrap().seats();
        let seats = vec![NewSeat::default(); usize::from(seats)];
        let live = service.create_game(&NewGame { kind: name.to_owned(), seats, ..NewGame::default() }).unwrap();
        let id = live.replay().log();
        acknowledge(service, id, 0);
        for _ in 0..30 {
            let replay = live.replay();
            let Some(actor) = replay.position().to_act().iter().next() else { break };
            let before = replay.events();
            if actor == Actor::Chance {
                service.roll(&live, None).unwrap();
            } else {
                let action = replay.position().sample(actor, &mut |n| dice.below(n as usize) as u32);
                service.command(&live, &[log::Command::Act { actor, action, clock_ms: None }], None).unwrap();
            }
            acknowledge(service, id, before);
        }
    }
}

/// Plays one tournament after another, forever.
fn record_tournaments(service: &Arc<Service>, number: u64) {
    let mut dice = Dice(number ^ u64::from(std::process::id()) << 16);
    loop {
        let kind = TOURNAMENT_KINDS[dice.below(TOURNAMENT_KINDS.len())];
        let mut said: HashMap<LogId, u64> = HashMap::new();
        tournament::play(service, kind, &mut dice, &mut |logs| {
            for id in logs {
                let known = said.entry(*id).or_default();
                *known += acknowledge(service, *id, *known);
            }
        });
    }
}

/// Prints which events of a log, from a seq on, are recorded, and returns their number.
fn acknowledge(service: &Service, id: LogId, from: u64) -> u64 {
    let lines = service.log().read(id, from).unwrap();
    let line = |(seq, bytes): (u64, &plybook_store::EventBytes)| format!("ack {id} {seq} {}\n", Hash::of_event(bytes));
    say(&(from..).zip(&lines).map(line).collect::<String>());
    lines.len() as u64
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).unwrap();
    out.flush().unwrap();
}
