use super::super::segment::READ_BYTES;
use super::*;

fn event(n: u64) -> EventBytes {
    format!("{{\"at\":\"{n}\",\"v\":1}}").into_bytes().into()
}

/// Files that fail: the first on writing (no space left), the second on syncing (invalid argument).
#[test]
fn after_a_failed_write_or_sync_nothing_is_written_and_all_is_read() {
    for refusing in ["/dev/full", "/dev/null"] {
        let dir = tempfile::tempdir().unwrap();
        let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
        journal.append(journal.len(), &[event(0), event(1)]).unwrap();
        let refusing = OpenOptions::new().append(true).open(refusing).unwrap();
        let real = journal.writer.lock().unwrap().segment.replace(refusing).unwrap();
        assert!(matches!(journal.append(journal.len(), &[event(2)]), Err(JournalError::ReadOnly)));
        assert!(journal.writer.lock().unwrap().segment.is_none(), "it must not try again");
        assert!(matches!(journal.append(journal.len(), &[event(2)]), Err(JournalError::ReadOnly)));
        assert_eq!(journal.read(0, 9).unwrap(), [event(0), event(1)]);
        assert_eq!(journal.len(), 2);
        drop((journal, real));
        let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
        journal.append(journal.len(), &[event(2)]).unwrap();
        assert_eq!(journal.read(1, 9).unwrap(), [event(1), event(2)]);
    }
}

#[test]
fn however_many_are_asked_for_no_more_is_read_than_fits_into_memory() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 1 << 30).unwrap();
    let event = format!(r#"{{"at":"{}","v":1}}"#, "x".repeat((64 << 10) - 15));
    let group = vec![EventBytes::from(event.into_bytes()); 256];
    (0..3).for_each(|_| journal.append(journal.len(), &group).unwrap());
    let in_groups = |from| journal.read(from, usize::MAX).unwrap().len() / group.len();
    assert_eq!([0, 256, 512, 768].map(in_groups), [2, 2, 1, 0]);
    assert_eq!(2 * group.len() * group[0].len(), READ_BYTES);
}

/// Otherwise, each of many short reads would begin at the beginning of its segment.
#[test]
fn a_closed_segment_of_text_is_read_through_once() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 64 << 10).unwrap();
    let event = format!(r#"{{"at":"{}","v":1}}"#, "x".repeat(1_000));
    (0..200).for_each(|_| journal.append(journal.len(), &[EventBytes::from(event.clone().into_bytes())]).unwrap());
    drop(journal);
    let journal = FileJournal::open_to_read(dir.path()).unwrap();
    let mark = || journal.segments.read().unwrap()[0].mark(40);
    assert_eq!(mark(), None);
    assert_eq!(journal.read(40, 1).unwrap().len(), 1);
    assert!(mark().is_some_and(|(position, offset)| (20..=40).contains(&position) && offset > 20_000), "{:?}", mark());
    for position in 0..200 {
        assert_eq!(journal.read(position, 1).unwrap(), [EventBytes::from(event.clone().into_bytes())]);
    }
}
