//! Rotations of the key, as the journal tells them.

use std::fmt;

use plybook_events::body::KeyRotated;
use plybook_events::{Body, Event, Hash, LogId, Timestamp};
use plybook_tlog::VerifierKey;

use super::TlogError;
use crate::entry::{Entry, EventBytes};
use crate::log::Log;
use crate::operator;

/// A rotation of the key that is recorded in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// Its place in the journal, and so in the tree.
    pub position: u64,
    /// When it was recorded.
    pub at: Timestamp,
    /// The keys.
    pub keys: KeyRotated,
    /// The exact bytes of the event.
    pub bytes: EventBytes,
}

impl Rotation {
    /// The rotation that brought a key; `None` if none is recorded, as for a log's first key.
    pub(super) fn find(log: &Log, key: &str) -> Result<Option<Self>, TlogError> {
        let entry = log.entry(id(key), 0)?;
        Ok(entry.and_then(|Entry { position, bytes, .. }| {
            let event = Event::parse(&bytes).ok()?;
            let Body::KeyRotated(keys) = event.body else { return None };
            Some(Self { position, at: event.at, keys, bytes })
        }))
    }

    /// Records that a key replaces another one. Repeated, it changes nothing.
    pub(super) fn record(log: &Log, old: &VerifierKey, key: &VerifierKey, dropped: bool) -> Result<Self, TlogError> {
        let key = key.to_string();
        if let Some(recorded) = Self::find(log, &key)? {
            return Ok(recorded);
        }
        let (log_id, at) = (id(&key), operator::now());
        let keys = KeyRotated { key, old: old.to_string(), dropped };
        let event = operator::statement(log_id, at, Body::KeyRotated(keys.clone()));
        let bytes = event.to_bytes().expect("keys are short and plain");
        let appended = log.append(log_id, None, vec![bytes.clone()])?;
        Ok(Self { position: appended.position, at, keys, bytes: bytes.into() })
    }
}

/// The position, a space, and the event.
impl fmt::Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.position, String::from_utf8_lossy(&self.bytes))
    }
}

/// The log of the rotation that brings a key.
fn id(key: &str) -> LogId {
    LogId::from_hash(&Hash::of_parts(&[b"plybook/rotation/v1\0", key.as_bytes()]))
}
