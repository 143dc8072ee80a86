//! Checks that a log is intact: layout, order, hashes and times.

use crate::body::Created;
use crate::canonical;
use crate::envelope::{AtText, Envelope};
use crate::error::EventError;
use crate::{Hash, LogId};

/// How far a log was checked, and what its next event has to carry.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The log's id, as its events write it.
    game: [u8; 36],
    next_seq: u64,
    head: Hash,
    at: AtText,
}

/// The first thing wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The bytes are not an event.
    #[error("event {seq}: {source}")]
    Event {
        /// The seq it should have had.
        seq: u64,
        /// What is wrong with the bytes.
        source: EventError,
    },
    /// It belongs to another log.
    #[error("event {seq} belongs to log {found}")]
    OtherLog {
        /// The seq it should have had.
        seq: u64,
        /// The id it carries.
        found: String,
    },
    /// An event is missing, repeated or moved.
    #[error("event {seq} is numbered {found}")]
    Seq {
        /// The seq it should have had.
        seq: u64,
        /// The seq it carries.
        found: u64,
    },
    /// It does not follow the previous event: one of the two was changed.
    #[error("event {seq} does not carry the hash of the event before it")]
    Prev {
        /// Its seq.
        seq: u64,
    },
    /// It is dated before the previous event.
    #[error("event {seq} is dated before the event before it")]
    Time {
        /// Its seq.
        seq: u64,
    },
}

impl ChainError {
    /// The seq of the first event that is wrong.
    pub fn seq(&self) -> u64 {
        match self {
            Self::Event { seq, .. }
            | Self::OtherLog { seq, .. }
            | Self::Seq { seq, .. }
            | Self::Prev { seq }
            | Self::Time { seq } => *seq,
        }
    }
}

impl Chain {
    /// A log before its first event.
    pub fn new(log: LogId) -> Self {
        Self { game: log.to_text(), next_seq: 0, head: Hash::ZERO, at: AtText::default() }
    }

    /// A log that was checked up to the event `seq`, which has this hash.
    pub fn after(log: LogId, seq: u64, hash: Hash) -> Self {
        Self { next_seq: seq + 1, head: hash, ..Self::new(log) }
    }

    /// The number of events checked.
    pub fn len(&self) -> u64 {
        self.next_seq
    }

    /// Whether nothing has been checked yet.
    pub fn is_empty(&self) -> bool {
        self.next_seq == 0
    }

    /// The hash of the last event.
    pub fn head(&self) -> Hash {
        self.head
    }

    /// Checks the log's next event and returns its hash.
    ///
    /// Costs one pass of SHA-256 and one of the canonical scanner over the bytes.
    ///
    /// # Errors
    /// The first thing wrong; nothing after it can be trusted.
    pub fn check(&mut self, bytes: &[u8]) -> Result<Hash, ChainError> {
        let seq = self.next_seq;
        let wrong = |source| ChainError::Event { seq, source };
        let envelope = Envelope::split(bytes).map_err(wrong)?;
        canonical::check(envelope.body).map_err(|why| wrong(why.into()))?;
        if *envelope.game != self.game {
            return Err(ChainError::OtherLog { seq, found: String::from_utf8_lossy(envelope.game).into_owned() });
        }
        if envelope.seq != seq {
            return Err(ChainError::Seq { seq, found: envelope.seq });
        }
        let expected = if seq == 0 { origin(&envelope) } else { self.head };
        if *envelope.prev != expected.to_hex() {
            return Err(ChainError::Prev { seq });
        }
        if *envelope.at < self.at {
            return Err(ChainError::Time { seq });
        }
        self.at = *envelope.at;
        self.head = Hash::of_event(bytes);
        self.next_seq += 1;
        Ok(self.head)
    }
}

/// The `prev` of a first event: zeros, or the hash of the event from which its line forks.
fn origin(envelope: &Envelope<'_>) -> Hash {
    let created: Option<Created> =
        if envelope.type_name == "created" { serde_json::from_slice(envelope.body).ok() } else { None };
    created.and_then(|created| created.fork).map_or(Hash::ZERO, |fork| fork.hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Acted;
    use crate::{Body, By, Event};

    fn log(n: u64) -> (LogId, Vec<Vec<u8>>) {
        let id: LogId = "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5".parse().unwrap();
        let mut prev = Hash::ZERO;
        let events = (0..n).map(|seq| {
            let event = Event {
                at: crate::Timestamp::from_millis(1_790_000_000_000 + seq as i64).unwrap(),
                by: By::Seat(1),
                log: id,
                prev,
                seq,
                body: Body::Acted(Acted { action: format!("a{seq}"), clock_ms: None, fair: false }),
                who: None,
                signature: None,
                request: None,
            };
            let bytes = event.to_bytes().unwrap();
            prev = Hash::of_event(&bytes);
            bytes
        });
        (id, events.collect())
    }

    fn first_bad(id: LogId, events: &[Vec<u8>]) -> Option<u64> {
        let mut chain = Chain::new(id);
        events.iter().find_map(|bytes| chain.check(bytes).err()).map(|why| why.seq())
    }

    #[test]
    fn a_whole_log_checks() {
        let (id, events) = log(20);
        assert_eq!(first_bad(id, &events), None);
    }

    #[test]
    fn any_changed_byte_is_found_at_once_or_by_the_next_event() {
        let (id, events) = log(3);
        for n in 0..2 {
            for at in 0..events[n].len() {
                let mut changed = events.clone();
                changed[n][at] ^= 1;
                let bad = first_bad(id, &changed).expect("the change must be found");
                assert!(bad == n as u64 || bad == n as u64 + 1, "event {n} byte {at}: {bad}");
            }
        }
    }

    #[test]
    fn missing_doubled_and_swapped_events_are_found() {
        let (id, events) = log(4);
        let pick = |order: &[usize]| order.iter().map(|n| events[*n].clone()).collect::<Vec<_>>();
        assert_eq!(first_bad(id, &pick(&[0, 2, 3])), Some(1));
        assert_eq!(first_bad(id, &pick(&[0, 1, 1, 2])), Some(2));
        assert_eq!(first_bad(id, &pick(&[0, 2, 1, 3])), Some(1));
        assert_eq!(first_bad(id, &pick(&[1, 2, 3])), Some(0));
    }
}
