//! What tells the events of two copies of a journal apart, without comparing them.

use plybook_events::Hash;
use serde::{Deserialize, Serialize};

use crate::Entry;

/// The number of events from the beginning of the journal, and a sum over them: the first 16 bytes of each event's
/// hash, big-endian, times twice its position plus one, modulo 2^128. The position counts, so that events in another
/// order have another sum.
///
/// Written in hexadecimal: 8 bytes number, 16 bytes sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct EventSum {
    /// The number of events, which is the position of the next one.
    pub position: u64,
    /// The sum.
    pub sum: u128,
}

impl EventSum {
    /// What an event adds to the sum.
    pub fn term(hash: &Hash, position: u64) -> u128 {
        let half = u128::from_be_bytes(*hash.0.first_chunk().expect("a hash is longer"));
        half.wrapping_mul(2 * u128::from(position) + 1)
    }

    /// Adds the journal's next event.
    pub fn push(&mut self, entry: &Entry) {
        self.position = entry.position;
        self.add(&entry.hash);
    }

    /// Adds the journal's next event, which has this hash.
    pub fn add(&mut self, hash: &Hash) {
        self.sum = self.sum.wrapping_add(Self::term(hash, self.position));
        self.position += 1;
    }
}

impl From<EventSum> for String {
    fn from(EventSum { position, sum }: EventSum) -> Self {
        format!("{position:016x}{sum:032x}")
    }
}

impl TryFrom<String> for EventSum {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (position, sum) = text.split_at_checked(16).ok_or("an event sum has 48 digits")?;
        let is_plain = text.len() == 48 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let position = u64::from_str_radix(position, 16).ok().filter(|_| is_plain);
        let sum = u128::from_str_radix(sum, 16).ok();
        let (position, sum) = position.zip(sum).ok_or("an event sum has 48 digits")?;
        Ok(Self { position, sum })
    }
}
