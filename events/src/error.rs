//! Why bytes are not an event.

use crate::canonical::CanonicalError;

/// The most bytes of an event.
pub const EVENT_BYTES_MAX: usize = 64 * 1024;

/// Why bytes are not an event, or why an event cannot be written as bytes.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// More than [`EVENT_BYTES_MAX`] bytes; shorten the contents.
    #[error("an event has at most {EVENT_BYTES_MAX} bytes, this one has {0}")]
    TooLarge(usize),
    /// The members are not those of an event in their order.
    #[error("not laid out as an event: {0}")]
    Layout(&'static str),
    /// The value of a member is invalid.
    #[error("bad `{member}`: {why}")]
    Member {
        /// The member's name.
        member: &'static str,
        /// What is wrong.
        why: String,
    },
    /// The body is not canonical JSON.
    #[error("body: {0}")]
    Canonical(#[from] CanonicalError),
}
