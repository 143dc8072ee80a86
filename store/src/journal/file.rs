//! The journal as files: segments in one directory, named by the position of their first event.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::segment::Segment;
use super::{Journal, JournalError, frame};
use crate::lock::Lock;
use crate::{EventBytes, disk};

/// A journal in a directory of segment files: text that can be read with `less`, copied while it grows, and
/// checked by a script. `docs/journal.md` describes it byte by byte.
///
/// Every append is one write and one `fdatasync`.
pub struct FileJournal {
    dir: PathBuf,
    segment_bytes: u64,
    /// In the order of positions, at least one; the last one is being written.
    segments: RwLock<Vec<Segment>>,
    writer: Mutex<Writer>,
    /// Released with the journal, which logs may keep open longer than their store.
    _lock: Option<Arc<Lock>>,
}

struct Writer {
    /// The last segment; `None` after a failed write, and in a journal that is open for reading.
    file: Option<File>,
    /// The text of a group, kept to reuse its memory.
    text: Vec<u8>,
}

impl FileJournal {
    /// Opens the journal in a directory; creates it if it does not exist. Every byte is checked. A group at
    /// the end that was being written when the machine stopped was never acknowledged, and is cut off. A
    /// segment is closed when it exceeds `segment_bytes` bytes.
    ///
    /// A journal may be open only once at a time; [`Store::open`](crate::Store::open) ensures that.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] if anything else differs from what was written.
    pub fn open(dir: &Path, segment_bytes: u64) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: dir.to_owned(), source };
        disk::make_dir(dir).map_err(io)?;
        let (mut segments, torn) = check(dir)?;
        let file = if let Some(last) = segments.last() {
            last.cut(torn)?;
            disk::sync_dir(dir).map_err(io)?;
            OpenOptions::new().append(true).open(&last.path).map_err(io)?
        } else {
            segments.push(Segment::new(dir, 0));
            create(&segments[0], dir).map_err(io)?
        };
        Ok(Self::new(dir, segment_bytes, segments, Some(file)))
    }

    /// Opens the journal in a directory for reading, as it is at this moment: nothing is cut or written, and
    /// another process may be writing to it. An incomplete group at the end does not count.
    ///
    /// # Errors
    /// As for [`open`](Self::open); also if there is no journal.
    pub fn open_to_read(dir: &Path) -> Result<Self, JournalError> {
        let (mut segments, torn) = check(dir)?;
        if torn > 0 {
            tracing::warn!(dir = %dir.display(), bytes = torn, "the end of the journal is torn and left out");
        }
        if segments.is_empty() {
            segments.push(Segment::new(dir, 0));
        }
        Ok(Self::new(dir, u64::MAX, segments, None))
    }

    fn new(dir: &Path, segment_bytes: u64, segments: Vec<Segment>, file: Option<File>) -> Self {
        let writer = Mutex::new(Writer { file, text: Vec::new() });
        Self { dir: dir.to_owned(), segment_bytes, segments: RwLock::new(segments), writer, _lock: None }
    }

    /// The same journal, holding a lock until it is dropped.
    pub(crate) fn locked(self, lock: &Arc<Lock>) -> Self {
        Self { _lock: Some(Arc::clone(lock)), ..self }
    }

    /// Writes a group to the last segment, or to a new one if the last is full.
    fn write(&self, writer: &mut Writer, events: &[EventBytes]) -> std::io::Result<()> {
        let (next, bytes) = self.with_last(|last| (last.next, last.bytes));
        let file = writer.file.as_mut().expect("the caller looked");
        let full = (bytes > self.segment_bytes).then(|| Segment::new(&self.dir, next));
        if let Some(segment) = &full {
            *file = create(segment, &self.dir)?;
        }
        writer.text.clear();
        if full.is_some() || bytes == 0 {
            writer.text.extend_from_slice(frame::header(next).as_bytes());
        }
        let header = writer.text.len() as u64;
        frame::write_group(next, events, &mut writer.text);
        file.write_all(&writer.text)?;
        file.sync_data()?;

        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        segments.extend(full);
        let last = segments.last_mut().expect("there is always one");
        last.bytes += header;
        last.push(events.len() as u64, writer.text.len() as u64 - header);
        Ok(())
    }

    fn with_last<T>(&self, look: impl FnOnce(&Segment) -> T) -> T {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        look(segments.last().expect("there is always one"))
    }
}

impl Journal for FileJournal {
    fn len(&self) -> u64 {
        self.with_last(|last| last.next)
    }

    fn append(&self, events: &[EventBytes]) -> Result<(), JournalError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.file.is_none() {
            return Err(JournalError::ReadOnly);
        }
        self.write(&mut writer, events).map_err(|why| {
            // The kernel may have dropped what it could not write, and a second sync could then succeed
            // without it. So nothing is retried.
            tracing::error!(%why, dir = %self.dir.display(), "cannot write to the journal");
            writer.file = None;
            JournalError::ReadOnly
        })
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        let (path, mark, end) = {
            let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
            let after = segments.partition_point(|segment| segment.first <= from);
            let Some(segment) = segments[..after].last().filter(|segment| from < segment.next) else {
                return Ok(Vec::new());
            };
            (segment.path.clone(), segment.mark(from), segment.bytes)
        };
        Segment::read(&path, mark, end, from, limit)
    }
}

/// Checks all segments in a directory. Returns them, and the number of torn bytes at the end of the last one.
fn check(dir: &Path) -> Result<(Vec<Segment>, u64), JournalError> {
    let firsts = segments_in(dir).map_err(|source| JournalError::Io { path: dir.to_owned(), source })?;
    let mut segments: Vec<Segment> = Vec::with_capacity(firsts.len());
    let mut torn = 0;
    for (n, first) in firsts.iter().enumerate() {
        let (segment, after) = Segment::open(dir, *first, n + 1 == firsts.len())?;
        if *first != segments.last().map_or(0, |before| before.next) {
            return Err(segment.damaged(0, "the segment before it is missing or cut"));
        }
        segments.push(segment);
        torn = after;
    }
    Ok((segments, torn))
}

/// The first positions of the segments in a directory, ascending.
pub(super) fn segments_in(dir: &Path) -> std::io::Result<Vec<u64>> {
    let mut firsts = Vec::new();
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name();
        let digits = name.to_str().and_then(|name| name.strip_suffix(".log"));
        firsts.extend(digits.filter(|digits| digits.len() == 20).and_then(|d| d.parse::<u64>().ok()));
    }
    firsts.sort_unstable();
    Ok(firsts)
}

/// Creates the file of a segment, and syncs the directory.
fn create(segment: &Segment, dir: &Path) -> std::io::Result<File> {
    let file = OpenOptions::new().append(true).create_new(true).open(&segment.path)?;
    disk::sync_dir(dir)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(n: u64) -> EventBytes {
        format!("{{\"at\":\"{n}\",\"v\":1}}").into_bytes().into()
    }

    /// Files that fail: the first on writing (no space left), the second on syncing (invalid argument).
    #[test]
    fn after_a_failed_write_or_sync_nothing_is_written_and_all_is_read() {
        for refusing in ["/dev/full", "/dev/null"] {
            let dir = tempfile::tempdir().unwrap();
            let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
            journal.append(&[event(0), event(1)]).unwrap();
            let file = OpenOptions::new().append(true).open(refusing).unwrap();
            let real = journal.writer.lock().unwrap().file.replace(file).unwrap();
            assert!(matches!(journal.append(&[event(2)]), Err(JournalError::ReadOnly)));
            assert!(journal.writer.lock().unwrap().file.is_none(), "it must not try again");
            assert!(matches!(journal.append(&[event(2)]), Err(JournalError::ReadOnly)));
            assert_eq!(journal.read(0, 9).unwrap(), [event(0), event(1)]);
            assert_eq!(journal.len(), 2);
            drop((journal, real));
            let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
            journal.append(&[event(2)]).unwrap();
            assert_eq!(journal.read(1, 9).unwrap(), [event(1), event(2)]);
        }
    }
}
