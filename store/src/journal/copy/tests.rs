use super::super::MemoryJournal;
use super::*;

#[test]
fn no_append_is_larger_than_it_may_be_unless_one_event_is() {
    let journal = Recorder::default();
    let sizes = [10, APPEND_BYTES, APPEND_BYTES + 1, APPEND_BYTES / 2, APPEND_BYTES / 2, 1];
    let events: Vec<EventBytes> = sizes.iter().map(|size| vec![b'x'; *size].into()).collect();
    append(&journal, &events).unwrap();
    append(&journal, &vec![events[0].clone(); APPEND_EVENTS + 1]).unwrap();
    assert_eq!(*journal.appends.lock().unwrap(), [1, 1, 1, 2, 1, APPEND_EVENTS, 1]);
    assert_eq!(journal.events.read(0, 6).unwrap(), events);
}

/// Remembers how many events each append has.
#[derive(Default)]
struct Recorder {
    events: MemoryJournal,
    appends: std::sync::Mutex<Vec<usize>>,
}

impl Journal for Recorder {
    fn len(&self) -> u64 {
        self.events.len()
    }

    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError> {
        self.appends.lock().unwrap().push(events.len());
        self.events.append(at, events)
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        self.events.read(from, limit)
    }
}
