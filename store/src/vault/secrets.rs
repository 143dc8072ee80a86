//! Secrets in memory, a few bytes more than their keys and values take.

use std::collections::BTreeMap;

use plybook_events::LogId;

use crate::numbers::{Numbers, push_number};

/// Values by log and key.
#[derive(Default)]
pub(super) struct Secrets {
    /// Of each log its secrets in the order of their keys, each as the length of the key, the key, the sequence of its batch, the
    /// length of the value, and the value.
    logs: BTreeMap<LogId, Box<[u8]>>,
    len: usize,
}

/// A secret of a log.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    pub key: &'a str,
    pub value: &'a [u8],
    /// The sequence of its batch; 0 in a file.
    pub at: u64,
}

impl Secrets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The secret with a key.
    pub fn get(&self, log: LogId, key: &str) -> Option<Kept<'_>> {
        self.of(log).find(|kept| kept.key == key)
    }

    /// All secrets of a log, in the order of their keys.
    pub fn of(&self, log: LogId) -> impl Iterator<Item = Kept<'_>> {
        unpack(self.logs.get(&log).map_or(&[], |packed| packed))
    }

    /// All secrets, log by log.
    pub fn all(&self) -> impl Iterator<Item = (LogId, Kept<'_>)> {
        self.logs.iter().flat_map(|(log, packed)| unpack(packed).map(|kept| (*log, kept)))
    }

    /// Adds a secret, or replaces the one with its key.
    pub fn insert(&mut self, log: LogId, secret: Kept<'_>) {
        let packed = self.logs.entry(log).or_default();
        let mut fresh = Vec::with_capacity(packed.len() + secret.key.len() + secret.value.len() + 4);
        let (mut before, mut is_new) = (true, true);
        for kept in unpack(packed) {
            if before && kept.key >= secret.key {
                push(&mut fresh, secret);
                (before, is_new) = (false, kept.key != secret.key);
            }
            if kept.key != secret.key {
                push(&mut fresh, kept);
            }
        }
        if before {
            push(&mut fresh, secret);
        }
        *packed = fresh.into();
        self.len += usize::from(is_new);
    }
}

fn push(packed: &mut Vec<u8>, Kept { key, value, at }: Kept<'_>) {
    push_number(packed, key.len() as u64);
    packed.extend_from_slice(key.as_bytes());
    push_number(packed, at);
    push_number(packed, value.len() as u64);
    packed.extend_from_slice(value);
}

fn unpack(packed: &[u8]) -> impl Iterator<Item = Kept<'_>> {
    let mut rest = Numbers(packed);
    std::iter::from_fn(move || {
        let key = take(&mut rest)?;
        let (key, at) = (str::from_utf8(key).expect("it was a text"), rest.next()?);
        Some(Kept { key, value: take(&mut rest)?, at })
    })
}

/// As many bytes as the number before them says.
fn take<'a>(from: &mut Numbers<'a>) -> Option<&'a [u8]> {
    let len = from.next()?;
    let (bytes, rest) = from.0.split_at_checked(len as usize)?;
    from.0 = rest;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_kept_as_in_a_map() {
        let (mut secrets, mut expected) = (Secrets::default(), BTreeMap::new());
        for step in 0..500_u32 {
            let (log, key) = (LogId::from_bytes([(step * 7 % 11) as u8; 16]), format!("key-{}", step * 13 % 29));
            let value = vec![step as u8; (step % 300) as usize];
            secrets.insert(log, Kept { key: &key, value: &value, at: step.into() });
            expected.insert((log, key), (value, u64::from(step)));
            assert_eq!(secrets.len(), expected.len(), "step {step}");
        }
        let all = secrets.all().map(|(log, kept)| ((log, kept.key.to_owned()), (kept.value.to_vec(), kept.at)));
        assert!(all.eq(expected.clone()));
        for ((log, key), (value, at)) in &expected {
            let kept = secrets.get(*log, key).unwrap();
            assert_eq!((kept.value, kept.at), (&value[..], *at));
        }
        assert!(secrets.get(LogId::from_bytes([0; 16]), "another").is_none());
        assert_eq!(secrets.of(LogId::from_bytes([99; 16])).count(), 0);
    }
}
