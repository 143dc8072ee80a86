use super::*;

fn message() -> Message {
    Message::new(7, &[b"{\"at\":\"1\"}".as_slice().into(), b"{\"at\":\"2\"}".as_slice().into()])
}

#[test]
fn a_message_reads_back() {
    let message = message();
    let read = Message::read(Some("7"), Some(&message.id), message.payload.clone()).unwrap();
    assert_eq!(read, message);
    assert_eq!(read.events().collect::<Vec<_>>(), [b"{\"at\":\"1\"}", b"{\"at\":\"2\"}"]);
    assert_eq!((read.next(), &message.id[..16]), (9, "59ec9f9f6e0b67e9"));
}

#[test]
fn no_changed_bit_and_no_other_position_is_accepted() {
    let message = message();
    for at in 0..message.payload.len() {
        for bit in 0..8 {
            let mut changed = message.payload.to_vec();
            changed[at] ^= 1 << bit;
            assert!(Message::read(Some("7"), Some(&message.id), changed.into()).is_err(), "byte {at} bit {bit}");
        }
    }
    for (position, id) in [(Some("8"), Some(&*message.id)), (None, Some(&*message.id)), (Some("7"), None)] {
        assert!(Message::read(position, id, message.payload.clone()).is_err(), "{position:?}, {id:?}");
    }
}
