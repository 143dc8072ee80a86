//! How far a reader of the feed has come.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use plybook_events::Hash;
use plybook_store::Entry;

use crate::error::Problem;

/// A place in the journal: the position of the next event, and a check that tells the event before it from any
/// other. So a cursor is not taken for one of another data directory, nor of events that were lost when an older
/// copy was restored.
///
/// The check does not reveal the event's hash, as the event may be none that the reader gets.
///
/// As text: base64url of `<position>.<check in 16 hex digits>`, without meaning for clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedCursor {
    position: u64,
    check: u64,
}

/// Where a feed starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedStart {
    /// With the first event ever recorded.
    Beginning,
    /// With what is recorded from now on.
    Now,
    /// After the event of a cursor.
    After(FeedCursor),
}

/// The text is not a cursor of the feed.
#[derive(Debug, thiserror::Error)]
#[error("not a cursor of the feed")]
pub struct FeedCursorError;

/// The domain of the check.
const DOMAIN: &[u8] = b"plybook/feed/v1\0";

impl FeedCursor {
    /// Before the first event.
    pub const START: Self = Self { position: 0, check: 0 };

    /// After an event.
    pub fn after(entry: &Entry) -> Self {
        let Hash(check) = Hash::of_parts(&[DOMAIN, &entry.hash.0]);
        let check = check.first_chunk().expect("a hash is longer");
        Self { position: entry.position + 1, check: u64::from_be_bytes(*check) }
    }

    /// The journal position of the next event.
    pub fn position(&self) -> u64 {
        self.position
    }
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(format!("{}.{:016x}", self.position, self.check)))
    }
}

impl FromStr for FeedCursor {
    type Err = FeedCursorError;

    /// Accepts only what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, FeedCursorError> {
        let read = || {
            let plain = String::from_utf8(BASE64.decode(text).ok()?).ok()?;
            let (position, check) = plain.split_once('.')?;
            Some(Self { position: position.parse().ok()?, check: u64::from_str_radix(check, 16).ok()? })
        };
        read().filter(|cursor| cursor.to_string() == text).ok_or(FeedCursorError)
    }
}

impl FeedStart {
    /// Reads what a client gives as `after`: a cursor, `now`, or nothing for the beginning.
    ///
    /// # Errors
    /// It is something else.
    pub fn read(after: Option<&str>) -> Result<Self, Problem> {
        match after {
            None => Ok(Self::Beginning),
            Some("now") => Ok(Self::Now),
            Some(text) => text.parse().map(Self::After).map_err(|_| {
                Problem::BadInput(
                    "`after` is a `cursor` of this feed, or `now` for what is recorded from now on".into(),
                )
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_has_one_spelling() {
        for cursor in [FeedCursor::START, FeedCursor { position: u64::MAX, check: 17 }] {
            assert_eq!(cursor.to_string().parse::<FeedCursor>().ok(), Some(cursor));
        }
        let plain =
            ["", ".", "7", "7.", ".7", "07.0000000000000007", "7.7", "+7.0000000000000007", "7.000000000000000G"];
        for text in plain.map(|plain| BASE64.encode(plain)).iter().map(String::as_str).chain(["x", "💥", "Ny4"]) {
            assert!(text.parse::<FeedCursor>().is_err(), "{text}");
        }
    }
}
