//! The ends of logs as earlier versions kept them, in one file:
//!
//! ```text
//! "plybook/ends/v1\0"
//! events          number of events (8 bytes) and their event sum (16)
//! logs            number of logs (8)
//! for each log    its id (16) and its end, as in a row of now (72)
//! check           SHA-256 of everything before it (32)
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use plybook_events::LogId;
use sha2::{Digest, Sha256};

use crate::event_sum::EventSum;
use crate::log::Tip;

/// The name of the file.
pub(super) const NAME: &str = "ends";

const MAGIC: &[u8; 16] = b"plybook/ends/v1\0";
const CHECK_BYTES: usize = 32;
const ROW_BYTES: usize = 16 + Tip::BYTES;

/// The ends in a file, and the events after which they were that; `None` if there is no file.
pub(super) fn read(path: &Path) -> io::Result<Option<(BTreeMap<LogId, Tip>, EventSum)>> {
    match fs::read(path) {
        Ok(bytes) => parse(&bytes).map(Some).ok_or_else(|| ErrorKind::InvalidData.into()),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(why),
    }
}

fn parse(bytes: &[u8]) -> Option<(BTreeMap<LogId, Tip>, EventSum)> {
    let (said, check) = bytes.split_last_chunk::<CHECK_BYTES>()?;
    if Sha256::digest(said).as_slice() != check {
        return None;
    }
    let (position, rest) = said.strip_prefix(MAGIC)?.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let (logs, rest) = rest.split_first_chunk()?;
    let (rows, rest) = rest.as_chunks::<ROW_BYTES>();
    if !rest.is_empty() || u64::from_be_bytes(*logs) != rows.len() as u64 {
        return None;
    }
    let end = |row: &[u8; ROW_BYTES]| {
        let (id, end) = row.split_first_chunk()?;
        Some((LogId::from_bytes(*id), Tip::from_bytes(end.try_into().ok()?)))
    };
    let ends = rows.iter().map(end).collect::<Option<_>>()?;
    Some((ends, EventSum { position: u64::from_be_bytes(*position), sum: u128::from_be_bytes(*sum) }))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The file that an earlier version made of ends.
    pub(in crate::ends) fn bytes(ends: &BTreeMap<LogId, Tip>, events: EventSum) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(events.position.to_be_bytes());
        bytes.extend(events.sum.to_be_bytes());
        bytes.extend((ends.len() as u64).to_be_bytes());
        for (log, end) in ends {
            bytes.extend(log.to_bytes());
            bytes.extend(end.to_bytes());
        }
        let check = Sha256::digest(&bytes);
        bytes.extend(check);
        bytes
    }
}
