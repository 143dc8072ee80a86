//! The index of versions before blocks: a pair for each event. It is compared with the journal once more, and removed as
//! soon as there is one in blocks.
//!
//! Key: log id (16 bytes), seq (8, big-endian); value: journal position (8, big-endian), event.

use std::ops::Bound;

use crate::Entry;
use crate::database::Unsound;
use crate::keyspace::Keyspace;
use crate::totals::Totals;

/// The name of its keyspace, which no read model may use.
pub(crate) const TREE: &str = "events";

/// All its events, in the order of logs and seqs.
pub(crate) fn all(keyspace: &Keyspace) -> impl Iterator<Item = Result<Entry, Unsound>> {
    keyspace.range(Bound::Unbounded, Bound::Unbounded).checked().map(|pair| {
        let (_, value) = pair?;
        let entry = |(position, bytes): (&[u8; 8], &[u8])| Entry::of(u64::from_be_bytes(*position), bytes.into());
        let entry = value.split_first_chunk().and_then(entry);
        entry.ok_or_else(|| Unsound::Damaged("a pair holds no event".to_owned()))
    })
}

/// Adds the journal's next event to the totals that such an index has after exactly the events so far.
pub(crate) fn count(totals: &mut Totals, entry: &Entry) {
    let key = [&entry.log.to_bytes()[..], &entry.seq.to_be_bytes()].concat();
    let value = [&entry.position.to_be_bytes()[..], &entry.bytes].concat();
    totals.add(&key, &value);
    totals.position = entry.position + 1;
}
