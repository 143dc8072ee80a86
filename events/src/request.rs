//! Which request wrote an event.

use std::fmt;
use std::str::FromStr;

use crate::Hash;

/// Tells a request with an idempotency key from all others, and tells nothing else to anybody who does not know its
/// sender and key; written as 32 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestId {
    /// The start of a hash of the sender and the key: no two requests of a service have the same.
    pub key: [u8; 12],
    /// The start of a hash that covers what is asked for, too, so that another request with the same key is noticed.
    pub content: [u8; 4],
}

/// Ids of requests are written as 32 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the id of a request is 32 lower-case hex digits")]
pub struct RequestIdError;

impl RequestId {
    /// The number of hex digits.
    pub(crate) const LEN: usize = 32;

    /// The id of a request that a client sends with a key.
    pub fn new(client: &Hash, key: &str, content: &[u8]) -> Self {
        let parts: [&[u8]; 5] = [b"plybook/request/v1\0", &client.0, key.as_bytes(), b"\0", content];
        let (key, whole) = (Hash::of_parts(&parts[..3]), Hash::of_parts(&parts));
        let (key, content) = (key.0.first_chunk(), whole.0.first_chunk());
        Self { key: *key.expect("a hash has 32 bytes"), content: *content.expect("a hash has 32 bytes") }
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.iter().chain(&self.content).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for RequestId {
    type Err = RequestIdError;

    fn from_str(text: &str) -> Result<Self, RequestIdError> {
        let mut bytes = [0; Self::LEN / 2];
        let is_ours = text.len() == Self::LEN && !text.bytes().any(|b| b.is_ascii_uppercase());
        if !is_ours || const_hex::decode_to_slice(text, &mut bytes).is_err() {
            return Err(RequestIdError);
        }
        let (key, content) = bytes.split_first_chunk().expect("it has 16 bytes");
        Ok(Self { key: *key, content: content.try_into().expect("4 bytes are left") })
    }
}
