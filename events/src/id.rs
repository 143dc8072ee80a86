//! Ids of logs.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::Hash;

/// The id of a log: a game's, a line's, a player's or a tournament's. A UUID, written with hyphens in lower
/// case.
///
/// Ids that the service makes are version 7, so their byte order is the order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogId(Uuid);

crate::as_text!(LogId);

/// An id is a UUID in its 36-character lower-case form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is a UUID such as 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5")]
pub struct IdError;

impl LogId {
    /// The id with these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    /// The first 16 bytes of a hash, as a UUID of version 8.
    pub fn from_hash(hash: &Hash) -> Self {
        let mut id: [u8; 16] = *hash.0.first_chunk().expect("a hash is longer");
        id[6] = id[6] & 0x0f | 0x80;
        id[8] = id[8] & 0x3f | 0x80;
        Self::from_bytes(id)
    }

    /// The 16 bytes, big-endian: their order is the order of the ids.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.into_bytes()
    }

    /// The written form of the id, as 36 ASCII bytes.
    pub fn to_text(self) -> [u8; 36] {
        let mut text = [0; 36];
        self.0.as_hyphenated().encode_lower(&mut text);
        text
    }
}

impl From<Uuid> for LogId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl fmt::Display for LogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

impl fmt::Debug for LogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for LogId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let uuid = Uuid::try_parse(text).map_err(|_| IdError)?;
        let canonical = text.len() == 36 && !text.bytes().any(|b| b.is_ascii_uppercase());
        if canonical { Ok(Self(uuid)) } else { Err(IdError) }
    }
}
