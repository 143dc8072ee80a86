//! Journals in streams: two that write, messages that are too large, servers that are away or unsafe.

use std::fs;

use plybook_store::{JetStreamJournal, JournalError, NatsAccess, NatsAddress, StreamError};

use crate::journals::{Place, event, fill, large, made, read};
use crate::nats::Nats;

#[test]
fn of_two_that_append_to_a_stream_one_is_first_and_the_other_is_told() {
    for count in [1, 3] {
        let place = Place::Stream(Nats::start(count));
        let (one, other) = (place.open(), place.open());
        one.append(0, &[event(0), event(1)]).unwrap();
        assert_eq!((one.len(), other.len()), (2, 0));
        let refused = other.append(0, &[event(7)]);
        assert!(matches!(refused, Err(JournalError::Conflict { at: 0, len: 2 })), "{refused:?}");
        assert_eq!(other.len(), 2);
        other.append(2, &[event(2)]).unwrap();
        // A read sees what the other appended, and the length follows.
        assert_eq!(read(&*one, 2, 9), made(2..3));
        assert_eq!(one.len(), 3);
        one.append(3, &[event(3)]).unwrap();
        assert_eq!(read(&*other, 0, 9), made(0..4));
    }
}

#[test]
fn an_append_that_fits_into_no_message_is_refused_and_harms_nothing() {
    let place = Place::Stream(Nats::start(1));
    let journal = place.open();
    let refused = journal.append(0, &vec![large('a'); 16]);
    assert!(matches!(refused, Err(JournalError::TooLarge { bytes: 1_048_592, .. })), "{refused:?}");
    fill(&*journal, 5);
}

#[test]
fn servers_that_are_away_or_unsafe_and_streams_that_are_not_there_are_named() {
    let why = |address: &str, access: &NatsAccess| {
        let address: NatsAddress = address.parse().unwrap();
        match JetStreamJournal::open(&address, access) {
            Err(JournalError::Remote { why, .. }) => *why.downcast::<StreamError>().unwrap(),
            other => panic!("{address}: {:?}", other.err()),
        }
    };
    let away = why("nats://127.0.0.1:1/games", &NatsAccess::default());
    assert!(matches!(away, StreamError::Unanswered { .. }), "{away}");

    let nats = Nats::start(1);
    let missing = why(&nats.address("missing").to_string(), &nats.access());
    assert!(matches!(missing, StreamError::NotThere(_)), "{missing}");
    // Without credentials, or with others.
    for credentials in [None, Some("plybook:other")] {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), credentials.unwrap_or_default()).unwrap();
        let access = NatsAccess { credentials: credentials.map(|_| file.path().to_owned()), authorities: None };
        let refused = why(&nats.address("games").to_string(), &access).to_string();
        assert!(refused.contains("authorization") && !refused.contains("other"), "{refused}");
    }
    // A stream with one replica, where three are wanted.
    drop(JetStreamJournal::create(&nats.address("games"), &nats.access()).unwrap());
    let wanted = nats.address("games").to_string().replace("?replicas=1", "");
    let told = why(&wanted, &nats.access()).to_string();
    assert!(told.contains("num_replicas is 1 and has to be at least 3"), "{told}");

    let late = Nats::start_with(1, "\"2m\"");
    let told = JetStreamJournal::create(&late.address("games"), &late.access()).err().unwrap().to_string();
    assert!(told.contains("sync_interval") && told.contains("120s") && told.contains("always"), "{told}");
}
