//! The ends of all logs as they were at some moment, so that a start need not read the whole journal: the file `ends` in the
//! index's folder.
//!
//! ```text
//! "plybook/ends/v1\0"
//! events          number of events (8 bytes) and their event sum (16)
//! logs            number of logs (8)
//! for each log, in the order of ids: id (16), seq of its last event (8), its hash (32), its position in the journal (8),
//!                 its time (24, as in the event)
//! check           SHA-256 of everything before it (32)
//! ```
//!
//! Numbers are big-endian. The file is believed if it is whole and the journal has the same event sum up to there: then it was
//! made from these very events.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use plybook_events::{Hash, LogId};
use sha2::{Digest, Sha256};

use crate::disk;
use crate::event_sum::EventSum;
use crate::log::{Tip, Tips};

/// The name of the file.
pub(crate) const NAME: &str = "ends";

const MAGIC: &[u8; 16] = b"plybook/ends/v1\0";
const HEADER_BYTES: usize = MAGIC.len() + 8 + 16 + 8;
const ID_BYTES: usize = 16;
const ROW_BYTES: usize = ID_BYTES + Tip::BYTES;
const CHECK_BYTES: usize = 32;

/// How much is written before it is synced, in bytes: so that those who append meanwhile never wait for all of it.
const SYNC_BYTES: usize = 4 << 20;

/// Where the ends of all logs are kept.
pub(crate) struct EndsFile {
    path: PathBuf,
}

impl EndsFile {
    /// The file in the folder of an index.
    pub(crate) fn new(index: &Path) -> Self {
        Self { path: index.join(NAME) }
    }

    /// What it holds; `None` if there is no file, or it is not whole.
    pub(crate) fn read(&self) -> Option<Tips> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(why) if why.kind() == ErrorKind::NotFound => return None,
            Err(why) => {
                tracing::warn!(path = %self.path.display(), %why, "it cannot be read, and the journal is read instead");
                return None;
            }
        };
        let tips = parse(file);
        tips.inspect_err(|why| {
            tracing::warn!(path = %self.path.display(), %why, "it is damaged, and the journal is read instead");
        })
        .ok()
    }

    /// Replaces it: by these ends, in order, where `newer` has no newer one, after these events. A power cut leaves the old or the
    /// new one.
    ///
    /// # Errors
    /// The disk has no room to spare or refuses it; the old one remains.
    pub(crate) fn write(&self, ends: &[(LogId, Tip)], newer: BTreeMap<LogId, Tip>, events: EventSum) -> io::Result<()> {
        disk::reserve(disk::parent(&self.path), ((ends.len() + newer.len()) * ROW_BYTES) as u64)?;
        let fresh = self.path.with_extension("new");
        let written = Writer::create(&fresh).and_then(|writer| writer.write(ends, newer, events));
        let named = written.and_then(|()| fs::rename(&fresh, &self.path));
        if named.is_err() {
            // It takes up room, and the next one replaces it.
            let _ = fs::remove_file(&fresh);
        }
        named.and_then(|()| disk::sync_dir(disk::parent(&self.path)))
    }
}

/// Reads a file, a piece at a time: all of it would take as much memory as its logs.
fn parse(file: File) -> io::Result<Tips> {
    let is_wrong = || io::Error::from(ErrorKind::InvalidData);
    let bytes = file.metadata()?.len();
    let (mut file, mut hasher) = (BufReader::with_capacity(1 << 18, file), Sha256::new());
    let mut header = [0; HEADER_BYTES];
    file.read_exact(&mut header)?;
    hasher.update(header);
    let number = |at: usize| u64::from_be_bytes(*header[at..].first_chunk().expect("it is in the header"));
    let sum = u128::from_be_bytes(*header[24..].first_chunk().expect("it is in the header"));
    let logs = number(40);
    let expected =
        logs.checked_mul(ROW_BYTES as u64).and_then(|rows| rows.checked_add((HEADER_BYTES + CHECK_BYTES) as u64));
    if !header.starts_with(MAGIC) || expected != Some(bytes) {
        return Err(is_wrong());
    }
    let mut rows = Vec::with_capacity(logs as usize);
    let mut row = [0; ROW_BYTES];
    for _ in 0..logs {
        file.read_exact(&mut row)?;
        hasher.update(row);
        let (id, tip) = row.split_first_chunk::<ID_BYTES>().expect("a row begins with an id");
        rows.push((LogId::from_bytes(*id), Tip::from_bytes(tip.first_chunk().expect("the rest is its end"))));
    }
    let mut check = [0; CHECK_BYTES];
    file.read_exact(&mut check)?;
    if hasher.finalize().as_slice() != check {
        return Err(is_wrong());
    }
    Ok(Tips::new(rows, EventSum { position: number(16), sum }))
}

/// Writes the file, and syncs it bit by bit.
struct Writer {
    file: BufWriter<File>,
    hasher: Sha256,
    unsynced: usize,
}

impl Writer {
    fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(1 << 18, File::create(path)?), hasher: Sha256::new(), unsynced: 0 })
    }

    fn write(mut self, ends: &[(LogId, Tip)], newer: BTreeMap<LogId, Tip>, events: EventSum) -> io::Result<()> {
        let begun = newer.keys().filter(|log| ends.binary_search_by_key(log, |(known, _)| known).is_err());
        let logs = (ends.len() + begun.count()) as u64;
        self.push(MAGIC)?;
        self.push(&events.position.to_be_bytes())?;
        self.push(&events.sum.to_be_bytes())?;
        self.push(&logs.to_be_bytes())?;
        let mut newer = newer.into_iter().peekable();
        for (log, tip) in ends {
            while let Some((begun, tip)) = newer.next_if(|(newer, _)| newer < log) {
                self.push_end(begun, tip)?;
            }
            let moved = newer.next_if(|(newer, _)| newer == log);
            self.push_end(*log, moved.map_or(*tip, |(_, tip)| tip))?;
        }
        for (log, tip) in newer {
            self.push_end(log, tip)?;
        }
        let check = Hash(self.hasher.clone().finalize().into());
        self.push(&check.0)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }

    fn push_end(&mut self, log: LogId, tip: Tip) -> io::Result<()> {
        self.push(&log.to_bytes())?;
        self.push(&tip.to_bytes())
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.file.write_all(bytes)?;
        self.unsynced += bytes.len();
        if self.unsynced >= SYNC_BYTES {
            self.unsynced = 0;
            self.file.flush()?;
            self.file.get_ref().sync_data()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Head;

    fn tip(n: u64) -> Tip {
        let hash = Hash::of_parts(&[&n.to_be_bytes()]);
        Tip { head: Head { seq: n, hash, position: 2 * n }, at: *b"2026-11-24T22:45:17.348Z" }
    }

    fn id(n: u8) -> LogId {
        LogId::from_bytes([n; 16])
    }

    #[test]
    fn what_is_written_is_read_and_newer_ends_count() {
        let dir = tempfile::tempdir().unwrap();
        let file = EndsFile::new(dir.path());
        assert_eq!(file.read(), None);
        let events = EventSum { position: 77, sum: 1 << 100 };
        let old = [(id(2), tip(2)), (id(4), tip(4)), (id(6), tip(6))];
        let newer = BTreeMap::from([(id(1), tip(11)), (id(4), tip(14)), (id(5), tip(15)), (id(9), tip(19))]);
        file.write(&old, newer, events).unwrap();
        let expected =
            [(1, 11), (2, 2), (4, 14), (5, 15), (6, 6), (9, 19)].map(|(log, seq): (u8, u64)| (id(log), tip(seq)));
        assert_eq!(file.read(), Some(Tips::new(expected, events)));
        file.write(&[], BTreeMap::new(), EventSum::default()).unwrap();
        assert_eq!(file.read(), Some(Tips::default()));
    }

    #[test]
    fn a_changed_file_is_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        let file = EndsFile::new(dir.path());
        file.write(&[(id(2), tip(2)), (id(4), tip(4))], BTreeMap::new(), EventSum { position: 9, sum: 5 }).unwrap();
        let whole = fs::read(&file.path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(&file.path, &changed).unwrap();
            assert_eq!(file.read(), None, "byte {at}");
            fs::write(&file.path, &whole[..at]).unwrap();
            assert_eq!(file.read(), None, "{at} bytes");
        }
    }
}
