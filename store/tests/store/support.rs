//! Stores to test, and events to put into them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plybook_events::body::Acted;
use plybook_events::chain::Chain;
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::{Entry, Head, JournalPlace, Memory, MemoryJournal, OpenError, Options, Store, VaultKey};
use tempfile::TempDir;

use crate::nats::Nats;
use crate::tier::size;

/// A place where a store can be opened more than once.
pub enum House {
    Memory(Arc<MemoryJournal>),
    File(TempDir),
    Stream(TempDir, Nats),
}

impl House {
    /// One of each kind; streams only with `tests/run all`.
    pub fn all() -> impl Iterator<Item = Self> {
        let dir = || TempDir::new().unwrap();
        let houses = [Self::Memory(Arc::default()), Self::File(dir())];
        houses.into_iter().chain(streams().map(move |servers| Self::Stream(dir(), Nats::start(servers))))
    }

    pub fn open(&self) -> Store {
        match self {
            Self::Memory(journal) => Store::over(journal.clone()).unwrap(),
            Self::File(dir) => open(dir.path()).unwrap(),
            Self::Stream(dir, nats) => open_node(dir.path(), nats, "games").unwrap(),
        }
    }
}

/// How many servers the streams of a test are on.
pub fn streams() -> impl Iterator<Item = usize> {
    size::<&[usize]>(&[], &[1, 3], &[1, 3]).iter().copied()
}

/// Opens a data directory with small segments, so that there are several.
pub fn open(dir: &Path) -> Result<Store, OpenError> {
    let options = Options { segment_bytes: 20_000, memory: Memory::of(128 << 20), ..Options::DEFAULT };
    Store::open(dir, &options, &mut |_, _| ())
}

/// The key that all nodes of a stream have.
pub fn vault_key(nats: &Nats) -> VaultKey {
    VaultKey::read(&nats.key_file()).unwrap()
}

/// Opens a data directory whose journal is in a stream.
pub fn open_node(dir: &Path, nats: &Nats, stream: &str) -> Result<Store, OpenError> {
    let journal = JournalPlace::Stream(nats.address(stream), nats.access());
    let vault_key = Some(vault_key(nats));
    let options = Options { journal, memory: Memory::of(128 << 20), vault_key, ..Options::DEFAULT };
    Store::open(dir, &options, &mut |_, _| ())
}

pub fn log_id(n: u64) -> LogId {
    let mut bytes = [3; 16];
    bytes[..8].copy_from_slice(&n.to_be_bytes());
    LogId::from_bytes(bytes)
}

/// The event that follows a head; `what` distinguishes it from others that follow the same head.
pub fn event(log: LogId, head: Option<&Head>, what: &str) -> Vec<u8> {
    events(log, head, &[what]).remove(0)
}

/// Events that follow a head.
pub fn events(log: LogId, head: Option<&Head>, what: &[&str]) -> Vec<Vec<u8>> {
    let mut seq = head.map_or(0, |head| head.seq() + 1);
    let mut prev = head.map_or(Hash::ZERO, Head::hash);
    let event = |what: &&str| {
        let event = Event {
            at: Timestamp::from_millis(1_790_000_000_000 + seq as i64).unwrap(),
            by: By::Seat(1),
            log,
            prev,
            seq,
            body: Body::Acted(Acted { action: (*what).to_owned(), clock_ms: None, fair: false }),
            who: None,
            signature: None,
            request: None,
        };
        let bytes = event.to_bytes().unwrap();
        prev = Hash::of_event(&bytes);
        seq += 1;
        bytes
    };
    what.iter().map(event).collect()
}

/// Appends one event after whatever the head is.
pub fn push(store: &Store, log: LogId, what: &str) -> Head {
    let head = store.log().head(log);
    let bytes = event(log, head.as_ref(), what);
    store.log().append(log, head.as_ref(), vec![bytes]).unwrap().head
}

/// Every event of a store, in the order of the journal.
pub fn all_entries(store: &Store) -> Vec<Entry> {
    let mut all = Vec::new();
    while (all.len() as u64) < store.log().len() {
        all.extend(store.log().entries(all.len() as u64, usize::MAX).unwrap());
    }
    all
}

/// Every log of a store, checked from its first event to its head.
pub fn all_logs(store: &Store) -> Vec<(LogId, Vec<Vec<u8>>)> {
    let logs = store.log().logs_after(None, usize::MAX).unwrap();
    assert_eq!(logs.len(), store.log().logs_len());
    let read = |log: LogId| {
        let events = store.log().read(log, 0).unwrap();
        let mut chain = Chain::new(log);
        for bytes in &events {
            chain.check(bytes).unwrap();
        }
        let head = store.log().head(log).unwrap();
        assert_eq!((chain.len(), chain.head()), (head.seq() + 1, head.hash()));
        (log, events.iter().map(|bytes| bytes.to_vec()).collect())
    };
    let all: Vec<(LogId, Vec<Vec<u8>>)> = logs.into_iter().map(read).collect();
    let events: usize = all.iter().map(|(_, events)| events.len()).sum();
    assert_eq!(events as u64, store.log().len());
    all
}

pub fn copy_dir(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_dir(&path, &to);
        } else {
            std::fs::copy(&path, to).unwrap();
        }
    }
}

/// Numbers that look random but are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Sets a flag when it is dropped: threads that work until then end, also if the test fails, which would otherwise wait for
/// them forever.
pub struct Ending<'a>(pub &'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
