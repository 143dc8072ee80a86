use super::*;

fn group() -> Vec<u8> {
    let event = |n| format!("{{\"at\":\"{n}\",\"v\":1}}").into_bytes().into();
    let mut text = Vec::new();
    write_group(7, &[event(1), event(2)], &mut text);
    text
}

#[test]
fn a_group_reads_back() {
    let text = group();
    let read = read_group(&text, 7).unwrap();
    assert_eq!((read.events.len(), read.len), (2, text.len()));
    assert!(text.ends_with(b"#commit 9 2 878217d3cb64cb6c\n"), "{}", text.escape_ascii());
}

#[test]
fn every_start_of_a_group_is_torn_and_no_changed_byte_is() {
    let text = group();
    for len in 0..text.len() {
        let flaw = read_group(&text[..len], 7).map(|_| ()).unwrap_err();
        assert!(is_torn(&text[..len], 7, flaw), "{len}");
    }
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut changed = text.clone();
            changed[at] ^= 1 << bit;
            let flaw = read_group(&changed, 7).map(|_| ()).unwrap_err();
            assert!(!is_torn(&changed, 7, flaw), "byte {at} bit {bit}");
        }
    }
}

#[test]
fn unwritten_blocks_are_torn_unless_something_follows() {
    for unwritten in [1..33, 1..60] {
        let mut text = group();
        text[unwritten].fill(0);
        let flaw = read_group(&text, 7).map(|_| ()).unwrap_err();
        assert!(is_torn(&text, 7, flaw));
        assert!(is_torn(&[&text[..], &[0; 40]].concat(), 7, flaw));
        let event: EventBytes = b"{\"at\":\"3\",\"v\":1}".as_slice().into();
        write_group(9, &[event], &mut text);
        assert!(!is_torn(&text, 7, flaw));
    }
}
