//! The index in blocks: whatever the logs look like, it has what the journal has.

use std::collections::BTreeMap;

use plybook_events::LogId;
use plybook_store::{Append, IndexFiles, Options, Store, index_files};

use crate::support::{Random, all_entries, all_logs, events, log_id, open};
use crate::tier::size;

/// What the journal has, by log.
fn of_journal(store: &Store) -> Vec<(LogId, Vec<Vec<u8>>)> {
    let mut logs: BTreeMap<LogId, Vec<Vec<u8>>> = BTreeMap::new();
    for entry in all_entries(store) {
        logs.entry(entry.log).or_default().push(entry.bytes.to_vec());
    }
    logs.into_iter().collect()
}

/// Pages that begin and end anywhere.
fn check_pages(store: &Store, logs: &[(LogId, Vec<Vec<u8>>)], random: &mut Random) {
    for (log, events) in logs {
        for _ in 0..4 {
            let (from, len) = (random.below(events.len()), 1 + random.below(100));
            let page = store.log().read_page(*log, from as u64, len, usize::MAX).unwrap();
            let expected = &events[from..events.len().min(from + len)];
            assert!(page.iter().map(|bytes| &**bytes).eq(expected), "{len} events of {log} from {from}");
        }
    }
}

#[test]
fn logs_of_any_length_written_in_any_pieces_read_as_in_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(0xb10c);
    let store = open(dir.path()).unwrap();
    for _ in 0..size(120, 400, 400) {
        // A few long logs, and many short ones, several of them in one group.
        let mut appends = BTreeMap::new();
        for _ in 0..=random.below(4) {
            let log = log_id(if random.below(3) == 0 { random.below(3) } else { random.below(90) } as u64);
            let count = [1, 1, 1, 2, 7, 8, 9, 64, 130][random.below(9)];
            let long = "x".repeat([3, 3, 3, 200, 9_000][random.below(5)]);
            let head = store.log().head(log);
            let batch = events(log, head.as_ref(), &vec![long.as_str(); count]);
            appends.insert(log, Append { log, expected: head, events: batch });
        }
        store.log().append_together(&appends.into_values().collect::<Vec<_>>()).unwrap();
    }
    let logs = of_journal(&store);
    assert!(all_logs(&store) == logs);
    check_pages(&store, &logs, &mut random);
    drop(store);
    let store = open(dir.path()).unwrap();
    assert!(all_logs(&store) == logs, "opened again");
    check_pages(&store, &logs, &mut random);
    drop(store);
    let mut last = (0, 0);
    let store = Store::rebuild(dir.path(), &Options::DEFAULT, &mut |done, total| last = (done, total)).unwrap();
    assert_eq!(last, (store.log().len(), store.log().len()));
    assert!(all_logs(&store) == logs, "made anew");
    check_pages(&store, &logs, &mut random);
    drop(store);
    // Nothing above was read from the journal because a block was wrong: then there would be no stamp.
    assert_eq!(index_files(dir.path()), IndexFiles::Sound);
}
