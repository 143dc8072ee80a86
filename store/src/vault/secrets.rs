//! Secrets in memory, a few bytes more than their keys and values take.

use std::collections::BTreeMap;

use plybook_events::LogId;

use crate::numbers::{Numbers, push_number};

/// A piece that comes to have more bytes is divided in two. Few logs have several pieces; but a log may have a hundred thousand
/// secrets, and must not be copied as a whole for each of them.
const PIECE_BYTES: usize = 4 << 10;

/// Values by log and key.
#[derive(Default)]
pub(super) struct Secrets {
    /// Of each log its secrets in the order of their keys, in pieces, each secret as the length of the key, the key, the sequence
    /// of its batch, the length of the value, and the value.
    logs: BTreeMap<LogId, Vec<Box<[u8]>>>,
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

/// The secrets of a file, as they come. They are sorted once, and not put where they belong one by one.
#[derive(Default)]
pub(super) struct FileSecrets {
    /// One after another, as in a piece.
    packed: Vec<u8>,
    /// Of each its log, and where it begins.
    begins: Vec<(LogId, usize)>,
}

impl FileSecrets {
    /// Adds the next one.
    pub fn push(&mut self, log: LogId, key: &str, value: &[u8]) {
        self.begins.push((log, self.packed.len()));
        push(&mut self.packed, Kept { key, value, at: 0 });
    }

    /// All of them. Of those of a log with the same key, the last one counts.
    pub fn sorted(mut self) -> Secrets {
        let kept = |begin: usize| unpack(&self.packed[begin..]).next().expect("one begins there");
        self.begins.sort_by(|(log, begin), (other_log, other)| {
            log.cmp(other_log).then_with(|| kept(*begin).key.cmp(kept(*other).key))
        });
        let mut len = 0;
        let of_logs = self.begins.chunk_by(|(log, _), (other, _)| log == other).map(|of_log| {
            let (mut pieces, mut piece) = (Vec::with_capacity(1), Vec::new());
            for same in of_log.chunk_by(|(_, one), (_, other)| kept(*one).key == kept(*other).key) {
                let last = piece.len();
                push(&mut piece, kept(same[same.len() - 1].1));
                if last > 0 && piece.len() > PIECE_BYTES {
                    pieces.push(piece[..last].into());
                    piece.drain(..last);
                }
                len += 1;
            }
            pieces.push(piece.into());
            (of_log[0].0, pieces)
        });
        let logs = of_logs.collect();
        Secrets { logs, len }
    }
}

impl Secrets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The secret with a key.
    pub fn get(&self, log: LogId, key: &str) -> Option<Kept<'_>> {
        let pieces = self.pieces(log);
        unpack(pieces.get(piece_with(pieces, key))?).find(|kept| kept.key == key)
    }

    /// All secrets of a log, in the order of their keys.
    pub fn of(&self, log: LogId) -> impl Iterator<Item = Kept<'_>> {
        self.pieces(log).iter().flat_map(|piece| unpack(piece))
    }

    fn pieces(&self, log: LogId) -> &[Box<[u8]>] {
        self.logs.get(&log).map_or(&[], |pieces| pieces)
    }

    /// All secrets, log by log.
    pub fn all(&self) -> impl Iterator<Item = (LogId, Kept<'_>)> {
        let pieces = self.logs.iter().flat_map(|(log, pieces)| pieces.iter().map(|piece| (*log, piece)));
        pieces.flat_map(|(log, piece)| unpack(piece).map(move |kept| (log, kept)))
    }

    /// Adds a secret, or replaces the one with its key.
    pub fn insert(&mut self, log: LogId, secret: Kept<'_>) {
        let pieces = self.logs.entry(log).or_insert_with(|| vec![Box::default()]);
        let at = piece_with(pieces, secret.key);
        let mut all: Vec<Kept<'_>> = unpack(&pieces[at]).collect();
        match all.binary_search_by(|kept| kept.key.cmp(secret.key)) {
            Ok(known) => all[known] = secret,
            Err(place) => {
                all.insert(place, secret);
                self.len += 1;
            }
        }
        let packed = pack(&all);
        if packed.len() <= PIECE_BYTES || all.len() == 1 {
            pieces[at] = packed;
        } else {
            let (start, end) = all.split_at(all.len() / 2);
            let halves = [pack(start), pack(end)];
            pieces.splice(at..=at, halves);
        }
    }
}

/// The piece that a key is in, if it is in one.
fn piece_with(pieces: &[Box<[u8]>], key: &str) -> usize {
    pieces.partition_point(|piece| unpack(piece).next().is_none_or(|first| first.key <= key)).saturating_sub(1)
}

fn pack(secrets: &[Kept<'_>]) -> Box<[u8]> {
    let mut packed = Vec::new();
    for secret in secrets {
        push(&mut packed, *secret);
    }
    packed.into()
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
            let value = vec![step as u8; if step % 97 == 0 { 2 * PIECE_BYTES } else { step as usize % 300 }];
            secrets.insert(log, Kept { key: &key, value: &value, at: step.into() });
            expected.insert((log, key), (value, u64::from(step)));
            assert_eq!(secrets.len(), expected.len(), "step {step}");
        }
        assert!(secrets.logs.values().all(|pieces| pieces.len() > 1));
        let all = secrets.all().map(|(log, kept)| ((log, kept.key.to_owned()), (kept.value.to_vec(), kept.at)));
        assert!(all.eq(expected.clone()));
        let mut of_file = FileSecrets::default();
        for (log, key) in expected.keys() {
            of_file.push(*log, key, b"earlier");
        }
        for ((log, key), (value, _)) in &expected {
            of_file.push(*log, key, value);
        }
        let of_file = of_file.sorted();
        assert!(of_file.logs.values().flatten().all(|piece| piece.len() <= PIECE_BYTES || unpack(piece).count() == 1));
        assert_eq!(of_file.len(), secrets.len());
        let values = |secrets: &Secrets| {
            secrets.all().map(|(log, kept)| (log, kept.key.to_owned(), kept.value.to_vec())).collect::<Vec<_>>()
        };
        assert_eq!(values(&of_file), values(&secrets));
        for ((log, key), (value, at)) in &expected {
            let kept = secrets.get(*log, key).unwrap();
            assert_eq!((kept.value, kept.at), (&value[..], *at));
        }
        assert!(secrets.get(LogId::from_bytes([0; 16]), "another").is_none());
        assert_eq!(secrets.of(LogId::from_bytes([99; 16])).count(), 0);
    }
}
