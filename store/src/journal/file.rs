//! The journal as files: segments in one directory, named by the position of their first event.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::closed::{self, Closed, OTHER, Pace};
use super::compress::{compress, remove_text, settle};
use super::segment::Segment;
use super::text::Text;
use super::writer::SegmentWriter;
use super::{Journal, JournalError, first_of, frame};
use crate::event_sum::EventSum;
use crate::lock::Lock;
use crate::{EventBytes, disk};

/// A journal in a directory of segment files: text that can be read with `less`, copied while it grows, and
/// checked by a script. `docs/journal.md` describes it byte by byte.
///
/// Every append is one write and one `fdatasync`, and now and then a write of zeros for the next ones.
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
    /// Of the last segment; `None` after a failed write, and in a journal that is open for reading.
    segment: Option<SegmentWriter>,
    /// The text of a group, kept to reuse its memory.
    text: Vec<u8>,
}

impl FileJournal {
    /// Opens the journal in a directory; creates it if it does not exist. Every byte of the last segment is checked, and of
    /// others that were not read before. A group at the end that was being written when the machine stopped was never
    /// acknowledged, and is cut off. A segment is closed when it exceeds `segment_bytes` bytes.
    ///
    /// A journal may be open only once at a time; [`Store::open`](crate::Store::open) ensures that.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] if anything else differs from what was written.
    pub fn open(dir: &Path, segment_bytes: u64) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: dir.to_owned(), source };
        disk::make_dir(dir).map_err(io)?;
        settle(dir)?;
        let Checked { mut segments, torn, has_news } = check(dir)?;
        let writer = match segments.last() {
            Some(last) if last.blocks.is_none() => {
                last.cut(torn)?;
                disk::sync_dir(dir).map_err(io)?;
                SegmentWriter::open(&last.path, segment_bytes).map_err(io)?
            }
            last => {
                let segment = Segment::new(dir, last.map_or(0, |last| last.next));
                let writer = SegmentWriter::create(&segment.path, segment_bytes).map_err(io)?;
                segments.push(segment);
                writer
            }
        };
        if has_news {
            closed::write(dir, segments.iter().filter_map(|segment| segment.closed.as_ref()));
        }
        Ok(Self::new(dir, segment_bytes, segments, Some(writer)))
    }

    /// Opens the journal in a directory for reading, as it is at this moment: nothing is cut or written, and
    /// another process may be writing to it. An incomplete group at the end does not count.
    ///
    /// # Errors
    /// As for [`open`](Self::open); also if there is no journal.
    pub fn open_to_read(dir: &Path) -> Result<Self, JournalError> {
        let Checked { mut segments, torn, .. } = check(dir)?;
        if torn > 0 {
            tracing::warn!(dir = %dir.display(), bytes = torn, "the end of the journal is torn and left out");
        }
        if segments.is_empty() {
            segments.push(Segment::new(dir, 0));
        }
        Ok(Self::new(dir, u64::MAX, segments, None))
    }

    fn new(dir: &Path, segment_bytes: u64, segments: Vec<Segment>, segment: Option<SegmentWriter>) -> Self {
        let writer = Mutex::new(Writer { segment, text: Vec::new() });
        Self { dir: dir.to_owned(), segment_bytes, segments: RwLock::new(segments), writer, _lock: None }
    }

    /// The same journal, holding a lock until it is dropped.
    pub(crate) fn locked(self, lock: &Arc<Lock>) -> Self {
        Self { _lock: Some(Arc::clone(lock)), ..self }
    }

    /// Writes a group to the last segment, or to a new one if the last is full.
    fn write(&self, writer: &mut Writer, events: &[EventBytes]) -> std::io::Result<()> {
        let (next, bytes) = self.with_last(|last| (last.next, last.bytes));
        let last = writer.segment.as_mut().expect("the caller looked");
        let full = (bytes > self.segment_bytes).then(|| Segment::new(&self.dir, next));
        if let Some(segment) = &full {
            *last = SegmentWriter::create(&segment.path, self.segment_bytes)?;
        }
        writer.text.clear();
        if full.is_some() || bytes == 0 {
            writer.text.extend_from_slice(frame::header(next).as_bytes());
        }
        let header = writer.text.len() as u64;
        frame::write_group(next, events, &mut writer.text);
        last.append(&writer.text)?;

        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        segments.extend(full);
        let last = segments.last_mut().expect("there is always one");
        last.bytes += header;
        last.push(events.len() as u64, writer.text.len() as u64 - header);
        Ok(())
    }

    /// The sum of all events before the segment that an event is in, or would be in next: as far as it is known without reading
    /// them.
    pub(crate) fn known_sum(&self, position: u64) -> EventSum {
        let mut known = EventSum::default();
        for closed in self.closed().iter().take_while(|closed| closed.next <= position) {
            if closed.first != known.position {
                break;
            }
            known = EventSum { position: closed.next, sum: known.sum.wrapping_add(closed.sum) };
        }
        known
    }

    /// The first closed segment that has not been read yet, or, if `compresses`, that is not compressed;
    /// of those that are wanted.
    pub(super) fn unfinished(&self, compresses: bool, is_wanted: impl Fn(u64) -> bool) -> Option<u64> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        let (_, closed) = segments.split_last()?;
        let is_unfinished = |segment: &&Segment| segment.closed.is_none() || compresses && !segment.is_compressed();
        closed.iter().filter(is_unfinished).map(|segment| segment.first).find(|first| is_wanted(*first))
    }

    /// What is known of the closed segments.
    pub(super) fn closed(&self) -> Vec<Closed> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        segments.iter().filter_map(|segment| segment.closed).collect()
    }

    /// The number of closed segments, and how many of them are compressed.
    pub(super) fn closed_counts(&self) -> (u64, u64) {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        let compressed = segments.iter().filter(|segment| segment.is_compressed()).count();
        (segments.len() as u64 - 1, compressed as u64)
    }

    /// Compresses a closed segment. Returns whether the pace let it end.
    pub(super) fn compress(&self, first: u64, pace: Pace<'_>) -> Result<bool, JournalError> {
        let segment = self.segment(first);
        let Some((closed, blocks)) = compress(&self.dir, &segment, pace)? else { return Ok(false) };
        self.keep(Segment::closed(&self.dir, closed, Some(blocks)));
        if let Err(why) = remove_text(&self.dir, first) {
            tracing::warn!(%why, "the text of a compressed segment stays until the next start");
        }
        Ok(true)
    }

    /// Closes and compresses all segments, so that none of their files is changed any more; a journal that is opened there again
    /// begins a new one. Returns the sum of all events, read from the compressed files.
    pub(super) fn finish(self) -> Result<EventSum, JournalError> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner).clone();
        for segment in segments.iter().filter(|segment| !segment.is_compressed()) {
            if segment.next > segment.first {
                self.compress(segment.first, &mut |_| true)?;
            } else {
                let removed = fs::remove_file(&segment.path).and_then(|()| disk::sync_dir(&self.dir));
                removed.map_err(|source| JournalError::Io { path: segment.path.clone(), source })?;
            }
        }
        Ok(self.known_sum(u64::MAX))
    }

    /// Reads a segment that was closed, and checks that it is what was written. Returns whether the pace let it end.
    pub(super) fn read_closed(&self, first: u64, pace: Pace<'_>) -> Result<bool, JournalError> {
        let segment = self.segment(first);
        let mut text = Text::open(&self.dir, first)?;
        let Some(found) = Closed::read(&mut text, first, pace)? else { return Ok(false) };
        if !segment.has_the_text_of(&found) {
            return Err(text.damaged(0, OTHER));
        }
        let blocks = text.blocks().cloned();
        self.keep(Segment::closed(&self.dir, found, blocks));
        Ok(true)
    }

    /// A closed segment.
    fn segment(&self, first: u64) -> Segment {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        segments.iter().find(|segment| segment.first == first).expect("a segment stays").clone()
    }

    /// Keeps what is known now of a closed segment.
    fn keep(&self, segment: Segment) {
        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        let place = segments.iter_mut().find(|old| old.first == segment.first);
        *place.expect("a segment stays") = segment;
        drop(segments);
        closed::write(&self.dir, self.closed().iter());
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

    fn closed_until(&self) -> u64 {
        self.with_last(|last| last.first)
    }

    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.segment.is_none() {
            return Err(JournalError::ReadOnly);
        }
        JournalError::unless_next(at, self.len())?;
        self.write(&mut writer, events).map_err(|why| {
            tracing::error!(%why, dir = %self.dir.display(), "cannot write to the journal");
            writer.segment = None;
            JournalError::ReadOnly
        })
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        let (mut text, mark, end) = {
            let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
            let after = segments.partition_point(|segment| segment.first <= from);
            let Some(segment) = segments[..after].last().filter(|segment| from < segment.next) else {
                return Ok(Vec::new());
            };
            let text = Text::open_with(&self.dir, segment.first, segment.blocks.as_ref())?;
            (text, segment.mark(from), segment.bytes)
        };
        let mark = mark.map_or_else(|| text.near(from, end), Ok)?;
        Segment::read(&mut text, mark, end, from, limit)
    }
}

/// The segments in a directory, after they were checked.
struct Checked {
    segments: Vec<Segment>,
    /// The number of torn bytes at the end of the last one.
    torn: u64,
    /// Whether some were read that were not known.
    has_news: bool,
}

/// Checks the segments in a directory, those that are closed and known only by their looks.
fn check(dir: &Path) -> Result<Checked, JournalError> {
    let (firsts, known) = (segments_in(dir)?, closed::read(dir));
    if let Some(gone) = known.values().find(|known| firsts.binary_search(&known.first).is_err()) {
        return Err(JournalError::Missing { file: dir.join(gone.file_name()), first: gone.first, next: gone.next });
    }
    let mut checked = Checked { segments: Vec::with_capacity(firsts.len()), torn: 0, has_news: false };
    for (n, first) in firsts.iter().enumerate() {
        let mut text = Text::open(dir, *first)?;
        let before = checked.segments.last().map_or(0, |before| before.next);
        let missing = text.damaged(0, "the segment before it is missing or cut");
        if n + 1 == firsts.len() && text.blocks().is_none() {
            let (segment, torn) = Segment::open_last(dir, &mut text, *first)?;
            checked.segments.push(segment);
            checked.torn = torn;
        } else {
            let closed = match known.get(first) {
                Some(known) if known.looks_like(&mut text)? => *known,
                _ => {
                    checked.has_news = true;
                    Closed::read(&mut text, *first, &mut |_| true)?.expect("nothing ends it")
                }
            };
            checked.segments.push(Segment::closed(dir, closed, text.blocks().cloned()));
        }
        if *first != before {
            return Err(missing);
        }
    }
    Ok(checked)
}

/// The positions at which the segments in a directory start, in order.
pub(super) fn segments_in(dir: &Path) -> Result<Vec<u64>, JournalError> {
    let io = |source| JournalError::Io { path: dir.to_owned(), source };
    let mut firsts = Vec::new();
    for entry in fs::read_dir(dir).map_err(io)? {
        firsts.extend(entry.map_err(io)?.file_name().to_str().and_then(first_of));
    }
    firsts.sort_unstable();
    firsts.dedup();
    Ok(firsts)
}

#[cfg(test)]
mod tests {
    use super::super::segment::READ_BYTES;
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
            journal.append(journal.len(), &[event(0), event(1)]).unwrap();
            let refusing = SegmentWriter::open(Path::new(refusing), 1 << 20).unwrap();
            let real = journal.writer.lock().unwrap().segment.replace(refusing).unwrap();
            assert!(matches!(journal.append(journal.len(), &[event(2)]), Err(JournalError::ReadOnly)));
            assert!(journal.writer.lock().unwrap().segment.is_none(), "it must not try again");
            assert!(matches!(journal.append(journal.len(), &[event(2)]), Err(JournalError::ReadOnly)));
            assert_eq!(journal.read(0, 9).unwrap(), [event(0), event(1)]);
            assert_eq!(journal.len(), 2);
            drop((journal, real));
            let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
            journal.append(journal.len(), &[event(2)]).unwrap();
            assert_eq!(journal.read(1, 9).unwrap(), [event(1), event(2)]);
        }
    }

    #[test]
    fn however_many_are_asked_for_no_more_is_read_than_fits_into_memory() {
        let dir = tempfile::tempdir().unwrap();
        let journal = FileJournal::open(dir.path(), 1 << 30).unwrap();
        let event = format!(r#"{{"at":"{}","v":1}}"#, "x".repeat((64 << 10) - 15));
        let group = vec![EventBytes::from(event.into_bytes()); 256];
        (0..3).for_each(|_| journal.append(journal.len(), &group).unwrap());
        let in_groups = |from| journal.read(from, usize::MAX).unwrap().len() / group.len();
        assert_eq!([0, 256, 512, 768].map(in_groups), [2, 2, 1, 0]);
        assert_eq!(2 * group.len() * group[0].len(), READ_BYTES);
    }
}
