//! What an operator can do who may write everything in a data directory: the journal written anew, with right
//! checks, and logs with right hashes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plybook_events::body::Fork;
use plybook_events::{Body, Event, Hash, LogId};
use plybook_store::{FileJournal, Journal};

/// The size of a segment, in bytes.
const SEGMENT: u64 = 256 << 20;

/// The events of a journal, in its order.
pub fn journal(data: &Path) -> Vec<Event> {
    let journal = FileJournal::open_to_read(&data.join("journal")).unwrap();
    let mut events = Vec::new();
    while (events.len() as u64) < journal.len() {
        let read = journal.read(events.len() as u64, 1000).unwrap();
        events.extend(read.iter().map(|bytes| Event::parse(bytes).unwrap()));
    }
    events
}

/// Writes the journal anew, whole and with right checks. Everything that is made from it is left as it is.
pub fn write_journal(data: &Path, events: &[Event]) {
    let folder = data.join("journal");
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    let journal = FileJournal::open(&folder, SEGMENT).unwrap();
    for event in events {
        journal.append(journal.len(), &[event.to_bytes().unwrap().into()]).unwrap();
    }
}

/// Changes the journal: numbers and hashes of every log are computed again.
pub fn rewrite(data: &Path, change: impl FnOnce(&mut Vec<Event>)) {
    let mut events = journal(data);
    change(&mut events);
    hash_again(&mut events);
    write_journal(data, &events);
}

/// Computes the numbers and hashes of all logs again, and what marks of imports say of them.
pub fn hash_again(events: &mut [Event]) {
    let heads = chain_again(events);
    for event in &mut *events {
        if let Body::Imported(mark) = &mut event.body
            && let Some((seq, hash)) = heads.get(&mark.log)
        {
            (mark.last, mark.head) = (*seq, *hash);
        }
    }
    chain_again(events);
}

/// Computes the numbers and hashes of all logs again, and returns their heads.
fn chain_again(events: &mut [Event]) -> BTreeMap<LogId, (u64, Hash)> {
    let mut heads: BTreeMap<LogId, (u64, Hash)> = BTreeMap::new();
    for event in events {
        let start = match &event.body {
            Body::Created(created) => created.fork.as_ref().map_or(Hash::ZERO, |fork: &Fork| fork.hash),
            _ => Hash::ZERO,
        };
        (event.seq, event.prev) = heads.get(&event.log).map_or((0, start), |(seq, hash)| (seq + 1, *hash));
        heads.insert(event.log, (event.seq, Hash::of_event(&event.to_bytes().unwrap())));
    }
    heads
}

/// Removes everything that is made from the journal, so that nothing is compared with it.
pub fn forget_index(data: &Path) {
    fs::remove_dir_all(data.join("sled")).unwrap();
}
