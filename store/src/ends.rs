//! The ends of all logs as they were at some moment, so that a start need not read the whole journal, and what is in memory of
//! logs is what has changed since: a table in the folder `heads` of the index's folder.
//!
//! The key of a pair is the first half of ids, its value a row for each log whose id begins with it: the other half (8 bytes), and
//! the end: seq of the last event (8), its hash (32), its position in the journal (8), its time (24, as in the event). The manifest
//! of the folder says which table counts:
//!
//! ```text
//! "plybook/ends/v1\0"
//! events          number of events (8 bytes) and their event sum (16)
//! logs            number of logs (8)
//! table           its number (8) and check (32)
//! ```
//!
//! Numbers are big-endian. The table is believed if the journal has the same event sum up to there: then it was made from these
//! very events. Its blocks are checked as they are read.

use std::collections::BTreeMap;
use std::io;
use std::iter::Peekable;
use std::path::Path;

use plybook_events::{Hash, LogId};
use quick_cache::sync::Cache;

use crate::TableError;
use crate::event_sum::EventSum;
use crate::log::{Tip, Tips};
use crate::tables::{Table, TableId, TableWriter, Tables};

/// The name of the folder.
pub(crate) const FOLDER: &str = "heads";

const MAGIC: &[u8; 16] = b"plybook/ends/v1\0";

/// Half of an id.
const HALF_BYTES: usize = 8;
const ROW_BYTES: usize = HALF_BYTES + Tip::BYTES;

/// How many ends that were read are kept for those who ask next; some 2 MB.
const KEPT: usize = 16_384;

/// The ends of all logs on disk.
pub(crate) struct SavedEnds {
    table: Table,
    logs: usize,
    kept: Cache<LogId, Option<Tip>>,
}

/// Where the ends of all logs are kept.
pub(crate) struct EndsFiles {
    index: Box<Path>,
}

impl SavedEnds {
    fn new(table: Table, logs: usize) -> Self {
        Self { table, logs, kept: Cache::new(KEPT) }
    }

    /// The number of logs.
    pub(crate) fn logs_len(&self) -> usize {
        self.logs
    }

    /// The end of a log; `None` if there is no such log.
    pub(crate) fn get(&self, log: LogId) -> Result<Option<Tip>, TableError> {
        self.kept.get_or_insert_with(&log, || {
            let (upper, lower) = halves(log);
            let rows = self.table.get((upper, 0))?.unwrap_or_default();
            let mut ends = self.ends(upper, &rows)?;
            Ok(ends.find(|(id, _)| halves(*id).1 == lower).map(|(_, tip)| tip))
        })
    }

    /// The ends of at most `limit` logs that follow `after` in the order of ids.
    pub(crate) fn after(&self, after: Option<LogId>, limit: usize) -> Result<Vec<(LogId, Tip)>, TableError> {
        let mut cursor = self.table.cursor_from((after.map_or(0, |after| halves(after).0), 0))?;
        let mut found = Vec::new();
        while let Some((upper, _)) = cursor.key().filter(|_| found.len() < limit) {
            found.extend(self.ends(upper, cursor.value())?.filter(|(log, _)| Some(*log) > after));
            cursor.advance()?;
        }
        found.truncate(limit);
        Ok(found)
    }

    /// The ends in a value.
    fn ends<'r>(&self, upper: u64, rows: &'r [u8]) -> Result<impl Iterator<Item = (LogId, Tip)> + use<'r>, TableError> {
        let (rows, rest) = rows.as_chunks::<ROW_BYTES>();
        if !rest.is_empty() {
            return Err(self.table.damaged());
        }
        let end = move |row: &[u8; ROW_BYTES]| {
            let (lower, tip) = row.split_first_chunk::<HALF_BYTES>().expect("a row begins with half an id");
            let mut id = [0; 16];
            id[..HALF_BYTES].copy_from_slice(&upper.to_be_bytes());
            id[HALF_BYTES..].copy_from_slice(lower);
            (LogId::from_bytes(id), Tip::from_bytes(tip.first_chunk().expect("the rest is its end")))
        };
        Ok(rows.iter().map(end))
    }
}

impl EndsFiles {
    /// Those in the folder of an index.
    pub(crate) fn new(index: &Path) -> Self {
        Self { index: index.into() }
    }

    /// The number of logs when they were saved; 0 if that is not known.
    pub(crate) fn logs_len(&self) -> u64 {
        let folder = self.index.join(FOLDER);
        let tables = folder.exists().then(|| Tables::open(folder).ok()).flatten();
        tables.and_then(|tables| Manifest::of(&tables)).map_or(0, |manifest| manifest.logs)
    }

    /// What was saved; `None` if there is nothing, or it is not whole.
    pub(crate) fn read(&self) -> Option<Tips> {
        let folder = self.index.join(FOLDER);
        if !folder.exists() {
            return None;
        }
        let tables = Tables::open(folder).ok()?;
        let manifest = Manifest::of(&tables)?;
        let table = tables.table(&manifest.table).inspect_err(|why| {
            tracing::warn!(%why, "the ends of logs cannot be read, and the journal is read instead");
        });
        Some(Tips::saved(SavedEnds::new(table.ok()?, manifest.logs as usize), manifest.events))
    }

    /// Replaces what was saved, if anything was, by that with newer ends. A power cut leaves the old or the new one.
    ///
    /// # Errors
    /// What was saved is damaged; or the disk has no room to spare or refuses it, and what was saved remains.
    pub(crate) fn write(
        &self,
        saved: Option<&SavedEnds>,
        newer: &BTreeMap<LogId, Tip>,
        events: EventSum,
    ) -> Result<SavedEnds, TableError> {
        let io = |source| TableError::Io { path: self.index.join(FOLDER), source };
        let tables = Tables::open(self.index.join(FOLDER)).map_err(io)?;
        let old = saved.map_or(0, |saved| saved.table.bytes());
        let mut writer = Writer::new(tables.writer(old + (newer.len() * ROW_BYTES) as u64).map_err(io)?);
        let mut newer = newer.iter().map(|(log, tip)| (*log, *tip)).peekable();
        if let Some(saved) = saved {
            let mut cursor = saved.table.cursor()?;
            while let Some((upper, _)) = cursor.key() {
                for (log, tip) in saved.ends(upper, cursor.value())? {
                    writer.push_before(log, &mut newer).map_err(io)?;
                    let moved = newer.next_if(|(newer, _)| *newer == log);
                    writer.push(log, moved.map_or(tip, |(_, tip)| tip)).map_err(io)?;
                }
                cursor.advance()?;
            }
        }
        newer.try_for_each(|(log, tip)| writer.push(log, tip)).map_err(io)?;
        let (table, logs) = writer.finish().map_err(io)?;
        let read = SavedEnds::new(tables.table(&table)?, logs);
        tables.set_manifest(&Manifest { events, logs: logs as u64, table }.to_bytes()).map_err(io)?;
        tables.remove(|number| number != table.number).map_err(io)?;
        Ok(read)
    }
}

/// Which table counts, and for what.
#[derive(Debug, PartialEq)]
struct Manifest {
    events: EventSum,
    logs: u64,
    table: TableId,
}

impl Manifest {
    /// That of a folder; `None` if there is none.
    fn of(tables: &Tables) -> Option<Self> {
        Self::from_bytes(&tables.manifest()?)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let Self { events: EventSum { position, sum }, logs, table: TableId { number, check } } = self;
        [
            MAGIC.as_slice(),
            &position.to_be_bytes(),
            &sum.to_be_bytes(),
            &logs.to_be_bytes(),
            &number.to_be_bytes(),
            &check.0,
        ]
        .concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (position, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        let (sum, rest) = rest.split_first_chunk()?;
        let (logs, rest) = rest.split_first_chunk()?;
        let (number, check) = rest.split_first_chunk()?;
        let table = TableId { number: u64::from_be_bytes(*number), check: Hash(check.try_into().ok()?) };
        let events = EventSum { position: u64::from_be_bytes(*position), sum: u128::from_be_bytes(*sum) };
        Some(Self { events, logs: u64::from_be_bytes(*logs), table })
    }
}

/// Writes ends in the order of ids.
struct Writer {
    table: TableWriter,
    /// The first half of the ids that come now, and their rows.
    upper: u64,
    rows: Vec<u8>,
    logs: usize,
}

impl Writer {
    fn new(table: TableWriter) -> Self {
        Self { table, upper: 0, rows: Vec::new(), logs: 0 }
    }

    /// Adds those that come before a log.
    fn push_before(&mut self, log: LogId, ends: &mut Peekable<impl Iterator<Item = (LogId, Tip)>>) -> io::Result<()> {
        while let Some((before, tip)) = ends.next_if(|(before, _)| *before < log) {
            self.push(before, tip)?;
        }
        Ok(())
    }

    fn push(&mut self, log: LogId, tip: Tip) -> io::Result<()> {
        let (upper, lower) = halves(log);
        if upper != self.upper {
            self.end_value()?;
            self.upper = upper;
        }
        self.rows.extend_from_slice(&lower.to_be_bytes());
        self.rows.extend_from_slice(&tip.to_bytes());
        self.logs += 1;
        Ok(())
    }

    fn end_value(&mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.table.push((self.upper, 0), &self.rows)?;
            self.rows.clear();
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<(TableId, usize)> {
        self.end_value()?;
        Ok((self.table.finish(&[])?, self.logs))
    }
}

/// The halves of an id.
fn halves(log: LogId) -> (u64, u64) {
    let id = u128::from_be_bytes(log.to_bytes());
    ((id >> 64) as u64, id as u64)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::log::Head;

    /// How long the note of a table is that has none, compressed.
    const EMPTY_NOTE_BYTES: usize = 9;

    fn tip(n: u64) -> Tip {
        let hash = Hash::of_parts(&[&n.to_be_bytes()]);
        Tip { head: Head { seq: n, hash, position: 2 * n }, at: *b"2026-11-24T22:45:17.348Z" }
    }

    /// Ids of which three have the same first half.
    fn id(n: u64) -> LogId {
        LogId::from_bytes((u128::from(n / 3) << 64 | u128::from(n)).to_be_bytes())
    }

    fn ends(of: impl IntoIterator<Item = (u64, u64)>) -> BTreeMap<LogId, Tip> {
        of.into_iter().map(|(log, seq)| (id(log), tip(seq))).collect()
    }

    fn all(saved: &SavedEnds) -> Vec<(LogId, Tip)> {
        saved.after(None, usize::MAX).unwrap()
    }

    #[test]
    fn what_is_written_is_read_and_newer_ends_count() {
        let dir = tempfile::tempdir().unwrap();
        let files = EndsFiles::new(dir.path());
        assert!(files.read().is_none());
        let old = files.write(None, &ends((0..3000).map(|n| (2 * n, n))), EventSum { position: 7, sum: 9 }).unwrap();
        assert_eq!((old.logs_len(), all(&old).len()), (3000, 3000));
        let newer = ends([(1, 11), (4, 14), (5, 15), (2999, 16), (7000, 17)]);
        let events = EventSum { position: 77, sum: 1 << 100 };
        files.write(Some(&old), &newer, events).unwrap();
        let read = files.read().unwrap();
        let mut expected = ends((0..3000).map(|n| (2 * n, n)));
        expected.extend(newer);
        assert_eq!((read.events(), read.logs_len()), (events, expected.len()));
        for n in 0..7100 {
            assert_eq!(read.get(id(n)).read(id(n)).unwrap(), expected.get(&id(n)).copied(), "{n}");
        }
        let expected: Vec<_> = expected.into_iter().collect();
        assert_eq!(read.after(None, usize::MAX).read().unwrap(), expected);
        for at in (0..expected.len()).step_by(7) {
            let (after, to) = (Some(expected[at].0), expected.len().min(at + 4));
            assert_eq!(read.after(after, 3).read().unwrap(), expected[at + 1..to], "{at}");
        }
        // The old one is still open.
        assert_eq!(all(&old).len(), 3000);
    }

    #[test]
    fn what_is_on_its_way_to_the_disk_counts_and_so_does_what_comes_later() {
        let dir = tempfile::tempdir().unwrap();
        let files = EndsFiles::new(dir.path());
        let saved = files.write(None, &ends([(1, 1), (3, 1), (5, 1)]), EventSum::default()).unwrap();
        let mut tips = Tips::saved(saved, EventSum::default());
        let check = |tips: &Tips, expected: &[(u64, u64)]| {
            let expected: Vec<_> = ends(expected.iter().copied()).into_iter().collect();
            assert_eq!(tips.after(None, 9).read().unwrap(), expected);
            for (log, tip) in expected {
                assert_eq!(tips.get(log).read(log).unwrap(), Some(tip));
            }
        };
        tips.change(id(3), tip(2));
        tips.change(id(4), tip(2));
        let (old, newer) = tips.begin_saving();
        tips.change(id(4), tip(3));
        tips.change(id(0), tip(3));
        check(&tips, &[(0, 3), (1, 1), (3, 2), (4, 3), (5, 1)]);
        let damaged = old.clone();
        let written = files.write(old.as_deref(), &newer, EventSum::default()).unwrap();
        drop(newer);
        tips.finish_saving(written);
        check(&tips, &[(0, 3), (1, 1), (3, 2), (4, 3), (5, 1)]);
        // The disk refused: what was to be saved is saved with what came later.
        drop(tips.begin_saving());
        tips.change(id(5), tip(4));
        let (_, newer) = tips.begin_saving();
        assert_eq!(*newer, ends([(0, 3), (4, 3), (5, 4)]));
        drop((newer, damaged));
        tips.replace_saved(ends([(0, 1), (1, 1), (3, 2), (4, 2), (5, 1)]));
        check(&tips, &[(0, 3), (1, 1), (3, 2), (4, 3), (5, 4)]);
    }

    /// Each changed byte is found: at once, or when the block is read that it is in. Only the note, which is empty, is never read.
    #[test]
    fn a_changed_file_is_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        let files = EndsFiles::new(dir.path());
        let expected = ends([(2, 2), (4, 4)]);
        files.write(None, &expected, EventSum { position: 9, sum: 5 }).unwrap();
        let paths = fs::read_dir(dir.path().join(FOLDER)).unwrap().map(|entry| entry.unwrap().path());
        let paths: Vec<_> = paths.collect();
        assert_eq!(paths.len(), 2, "a table and its manifest");
        for path in paths {
            let whole = fs::read(&path).unwrap();
            let believed = |bytes: &[u8]| {
                fs::write(&path, bytes).unwrap();
                files.read().and_then(|tips| tips.after(None, 9).read().ok())
            };
            let expected: Vec<_> = expected.clone().into_iter().collect();
            assert_eq!(believed(&whole), Some(expected.clone()));
            let mut unread = 0;
            for at in 0..whole.len() {
                let mut changed = whole.clone();
                changed[at] ^= 1 << (at % 8);
                if let Some(ends) = believed(&changed) {
                    assert_eq!(ends, expected, "{}, byte {at}", path.display());
                    unread += 1;
                }
                assert_eq!(believed(&whole[..at]), None, "{}, {at} bytes", path.display());
            }
            assert!(unread <= EMPTY_NOTE_BYTES, "{}: {unread}", path.display());
            fs::write(&path, &whole).unwrap();
        }
    }
}
