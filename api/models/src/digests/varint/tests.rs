use super::*;

#[test]
fn numbers_read_back() {
    let mut bytes = Vec::new();
    let all = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
    for number in all {
        push_number(&mut bytes, number);
    }
    let mut numbers = Numbers(&bytes);
    assert!(all.iter().all(|number| numbers.next() == Some(*number)));
    assert_eq!(numbers.next(), None);
    for number in [0, -1, 1, i64::MIN, i64::MAX] {
        assert_eq!(signed(unsigned(number)), number);
    }
    assert_eq!((unsigned(-1), unsigned(1)), (1, 2));
}

#[test]
fn what_is_no_number_is_refused() {
    for bytes in [&[][..], &[0x80], &[0xff; 9], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], &[0xff; 11]]
    {
        assert_eq!(Numbers(bytes).next(), None, "{bytes:?}");
    }
}
