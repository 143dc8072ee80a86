//! Canonical JSON: writing and checking agree, and each value has only one form.

use std::collections::BTreeMap;

use plybook_events::canonical::{self, CanonicalError, DEPTH_MAX, INTEGER_MAX};
use plybook_events::fair::Dice;
use plybook_events::{Hash, LogId};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// Random values from a seed.
struct Random(Dice);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Dice::new(&Hash::of_parts(&[b"canonical"]), LogId::from_bytes([0; 16]), seed))
    }

    fn value(&mut self, depth: u32) -> Value {
        match self.0.below(if depth > 4 { 4 } else { 6 }) {
            0 => Value::Null,
            1 => (self.0.below(2) == 1).into(),
            2 => self.integer().into(),
            3 => self.text().into(),
            4 => (0..self.0.below(5)).map(|_| self.value(depth + 1)).collect(),
            _ => {
                let members = (0..self.0.below(5)).map(|_| (self.key(), self.value(depth + 1)));
                members.collect::<Map<_, _>>().into()
            }
        }
    }

    fn integer(&mut self) -> i64 {
        let wide = i64::from(self.0.below(1 << 21)) << 32 | i64::from(self.0.below(u32::MAX));
        let narrow = wide >> self.0.below(53);
        if self.0.below(2) == 0 { narrow } else { -narrow }
    }

    fn text(&mut self) -> String {
        (0..self.0.below(12))
            .map(|_| match self.0.below(4) {
                0 => char::from(self.0.below(0x20) as u8),
                1 => {
                    ['"', '\\', '/', '\u{7f}', '\u{80}', '\u{2028}', '\u{fffd}', '\u{10ffff}'][self.0.below(8) as usize]
                }
                2 => char::from_u32(0xa0 + self.0.below(0xd000)).expect("below the surrogates"),
                _ => char::from(b' ' + self.0.below(95) as u8),
            })
            .collect()
    }

    fn key(&mut self) -> String {
        let plain = (b' '..=b'~').filter(|b| !matches!(b, b'"' | b'\\')).map(char::from).collect::<Vec<_>>();
        (0..self.0.below(4)).map(|_| plain[self.0.below(plain.len() as u32) as usize]).collect()
    }
}

/// A value whose objects are written with their last member first.
struct Backwards<'a>(&'a Value);

impl Serialize for Backwards<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(items) => serializer.collect_seq(items.iter().map(Backwards)),
            Value::Object(members) => {
                serializer.collect_map(members.iter().rev().map(|(key, value)| (key, Backwards(value))))
            }
            plain => plain.serialize(serializer),
        }
    }
}

#[test]
fn members_are_sorted_whatever_their_order() {
    for seed in 0..3_000 {
        let value = Random::new(seed).value(0);
        assert_eq!(canonical::to_bytes(&Backwards(&value)), canonical::to_bytes(&value), "seed {seed}: {value}");
    }
    let seats = BTreeMap::from([(2, "b"), (10, "a")]);
    assert_eq!(canonical::to_bytes(&seats).unwrap(), br#"{"10":"a","2":"b"}"#);
    let nested = |inner| (0..DEPTH_MAX).fold(inner, |inner, _| json!([inner]));
    for value in [json!({ "b": 0.5, "a": 1 }), json!({ "\u{e9}": 1, "a": 1 }), nested(json!({ "b": 1, "a": 1 }))] {
        assert_eq!(canonical::to_bytes(&Backwards(&value)), canonical::to_bytes(&value), "{value}");
        assert!(canonical::to_bytes(&value).is_err(), "{value}");
    }
}

/// A struct whose members are not in the order of their names.
#[derive(serde::Serialize)]
struct Unsorted<'t> {
    b: &'t str,
    a: &'t str,
}

/// What is written through its `Display`.
struct Shown(&'static str);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// An object with a name that is none.
struct Named<N>(N);

impl<N: Serialize> Serialize for Named<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(&self.0, "value")])
    }
}

/// An object with the same name twice.
struct Twice;

impl Serialize for Twice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("a", 1), ("a", 2)])
    }
}

#[test]
fn names_are_plain() {
    let keys = (BTreeMap::from([('a', 1_u64)]), BTreeMap::from([(true, "")]), BTreeMap::from([(-5, 'x')]));
    assert_eq!(canonical::to_bytes(&keys).unwrap(), br#"[{"a":1},{"true":""},{"-5":"x"}]"#);
    assert_eq!(canonical::to_bytes(&BTreeMap::from([(vec![1], 1)])), Err(CanonicalError::Key));
    assert_eq!(canonical::to_bytes(&BTreeMap::from([((), 1)])), Err(CanonicalError::Key));
    for name in ["\"", "\\", "a\"b", "\n", "\u{7f}", "\u{e9}"] {
        assert_eq!(canonical::to_bytes(&Named(name)), Err(CanonicalError::Key), "{name:?}");
        assert_eq!(canonical::to_bytes(&Named(Shown(name))), Err(CanonicalError::Key), "{name:?}");
        let unsorted = json!({ "b": name, "a": [name] });
        assert_eq!(canonical::to_bytes(&Named((name, unsorted))), Err(CanonicalError::Key), "{name:?}");
        assert_eq!(canonical::to_bytes(&Named(Unsorted { b: name, a: name })), Err(CanonicalError::Key), "{name:?}");
    }
    // What follows a name is escaped again.
    let value = BTreeMap::from([("name", "\"")]);
    assert_eq!(canonical::to_bytes(&value).unwrap(), br#"{"name":"\""}"#);
    assert_eq!(canonical::to_bytes(&1.0), Err(CanonicalError::Number));
    assert_eq!(canonical::to_bytes(&u64::MAX), Err(CanonicalError::Number));
    // Of members with the same name, the last one counts.
    assert_eq!(canonical::to_bytes(&Twice).unwrap(), br#"{"a":2}"#);
}

#[test]
fn random_values_are_written_checked_and_read_back() {
    for seed in 0..3_000 {
        let value = Random::new(seed).value(0);
        let bytes = canonical::to_bytes(&value).unwrap();
        assert_eq!(canonical::check(&bytes), Ok(()), "seed {seed}: {value}");
        let read: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(read, value, "seed {seed}");
    }
}

#[test]
fn what_passes_the_check_is_what_would_be_written() {
    let mut passed = 0;
    for seed in 0..400 {
        let bytes = canonical::to_bytes(&Random::new(seed).value(0)).unwrap();
        for at in 0..bytes.len() {
            for new in *b" \"+,-.019:E[\\]abu{}\x1f\x7f\xc3" {
                let mut changed = bytes.clone();
                changed[at] = new;
                if canonical::check(&changed).is_ok() {
                    passed += 1;
                    let value: Value = serde_json::from_slice(&changed).expect("what passes is JSON");
                    assert_eq!(canonical::to_bytes(&value).unwrap(), changed, "seed {seed} byte {at}");
                }
            }
        }
    }
    assert!(passed > 1_000, "only {passed} passed");
}

#[test]
fn the_limits_are_the_same_both_ways() {
    for n in [INTEGER_MAX, -INTEGER_MAX, 0] {
        let text = n.to_string();
        assert_eq!(canonical::to_bytes(&json!(n)).unwrap(), text.as_bytes());
        assert_eq!(canonical::check(text.as_bytes()), Ok(()));
    }
    for n in [INTEGER_MAX + 1, -INTEGER_MAX - 1] {
        assert_eq!(canonical::to_bytes(&json!(n)), Err(CanonicalError::Number));
        assert_eq!(canonical::check(n.to_string().as_bytes()), Err(CanonicalError::Number));
    }
    assert_eq!(canonical::to_bytes(&json!(0.5)), Err(CanonicalError::Number));
    assert_eq!(canonical::to_bytes(&json!({"\u{e9}": 1})), Err(CanonicalError::Key));
    let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    for (depth, expected) in [(DEPTH_MAX, Ok(())), (DEPTH_MAX + 1, Err(CanonicalError::Depth))] {
        let value = nested(depth);
        assert_eq!(canonical::to_bytes(&value).map(|_| ()), expected);
        assert_eq!(canonical::check(value.to_string().as_bytes()), expected);
    }
}

#[test]
fn other_spellings_are_refused() {
    for text in [
        "",
        " 1",
        "1 ",
        "1.0",
        "1e0",
        "-0",
        "01",
        "+1",
        "9007199254740992",
        "\"\\u0041\"",
        "\"\\/\"",
        "\"\\u001F\"",
        "\"\\u000a\"",
        "\"\\ud83d\\ude00\"",
        "\"\n\"",
        "\"",
        "[1,]",
        "[1, 2]",
        "{\"b\":1,\"a\":2}",
        "{\"a\":1,\"a\":2}",
        "{\"\\u0061\":1}",
        "{\"é\":1}",
        "{\"a\":1,}",
        "nul",
        "truefalse",
        "[1][2]",
        "\u{feff}1",
    ] {
        assert!(canonical::check(text.as_bytes()).is_err(), "{text:?}");
    }
    assert!(canonical::check(b"\"\xff\"").is_err());
    assert!(canonical::check(b"\"\xed\xa0\x80\"").is_err());
}
