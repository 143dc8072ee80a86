//! The journal as files: segments in one directory, named by the position of their first event.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::compress::{GoesOn, compress, remove_text, settle};
use super::examine::GAP;
use super::segment::{Segment, segments_in};
use super::text::Text;
use super::{Journal, JournalError, frame};
use crate::disk;
use crate::entry::EventBytes;
use crate::lock::Lock;

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
    /// The first damage found in each segment, by the segment's first position.
    damages: Mutex<BTreeMap<u64, String>>,
    /// Released with the journal, which logs may keep open longer than their store.
    _lock: Option<Arc<Lock>>,
}

struct Writer {
    /// Of the last segment; `None` after a failed write, and in a journal that is open for reading.
    segment: Option<File>,
    /// The text of a group, kept to reuse its memory.
    text: Vec<u8>,
}

impl FileJournal {
    /// Opens the journal in a directory; creates it if it does not exist. Every byte of the last segment is checked. A group at
    /// the end that was being written when the machine stopped was never acknowledged, and is cut off. A segment is closed when it
    /// exceeds `segment_bytes` bytes.
    ///
    /// A journal may be open only once at a time; [`Store::open`](crate::Store::open) ensures that.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] if anything else differs from what was written.
    pub fn open(dir: &Path, segment_bytes: u64) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: dir.to_owned(), source };
        disk::make_dir(dir).map_err(io)?;
        settle(dir)?;
        let (mut segments, torn) = check(dir)?;
        let writer = match segments.last() {
            Some(last) if !last.is_compressed => {
                last.cut(torn)?;
                disk::sync_dir(dir).map_err(io)?;
                OpenOptions::new().append(true).open(&last.path).map_err(io)?
            }
            last => {
                let segment = Segment::new(dir, last.map_or(0, |last| last.next));
                let writer = create(&segment.path).map_err(io)?;
                segments.push(segment);
                writer
            }
        };
        Ok(Self::new(dir, segment_bytes, segments, Some(writer)))
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

    fn new(dir: &Path, segment_bytes: u64, segments: Vec<Segment>, segment: Option<File>) -> Self {
        let writer = Mutex::new(Writer { segment, text: Vec::new() });
        let damages = Mutex::default();
        Self { dir: dir.to_owned(), segment_bytes, segments: RwLock::new(segments), writer, damages, _lock: None }
    }

    /// The same journal, holding a lock until it is dropped.
    pub(crate) fn locked(self, lock: &Arc<Lock>) -> Self {
        Self { _lock: Some(Arc::clone(lock)), ..self }
    }

    /// Writes a group to the last segment, or to a new one if the last is full.
    fn write(&self, writer: &mut Writer, events: &[EventBytes]) -> io::Result<()> {
        let (next, bytes, mut path) = self.with_last(|last| (last.next, last.bytes, last.path.clone()));
        let last = writer.segment.as_mut().expect("the caller looked");
        let full = (bytes > self.segment_bytes).then(|| Segment::new(&self.dir, next));
        if let Some(segment) = &full {
            *last = create(&segment.path)?;
            path.clone_from(&segment.path);
        }
        writer.text.clear();
        if full.is_some() || bytes == 0 {
            writer.text.extend_from_slice(frame::header(next).as_bytes());
        }
        let header = writer.text.len() as u64;
        frame::write_group(next, events, &mut writer.text);
        disk::append(last, &path, &writer.text)?;

        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        segments.extend(full);
        let last = segments.last_mut().expect("there is always one");
        last.bytes += header;
        last.push(events.len() as u64, writer.text.len() as u64 - header);
        Ok(())
    }

    /// The first closed segment that is not compressed, of those that are wanted.
    pub(super) fn uncompressed(&self, is_wanted: impl Fn(u64) -> bool) -> Option<u64> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        let (_, closed) = segments.split_last()?;
        closed
            .iter()
            .filter(|segment| !segment.is_compressed)
            .map(|segment| segment.first)
            .find(|first| is_wanted(*first))
    }

    /// The number of closed segments, and how many of them are compressed.
    pub(super) fn closed_counts(&self) -> (u64, u64) {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        let compressed = segments.iter().filter(|segment| segment.is_compressed).count();
        (segments.len() as u64 - 1, compressed as u64)
    }

    /// The position and the offset of a group at or before an event in a closed segment of text, which is read once as a whole for
    /// that. `None` if the segment is compressed or damaged.
    fn marked(&self, first: u64, text: &mut Text, from: u64) -> Option<(u64, u64)> {
        let is_damaged = self.damages.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&first);
        if is_damaged || text.blocks().is_some() {
            return None;
        }
        let (whole, _) =
            Segment::open_last(&self.dir, text, first).inspect_err(|why| self.note_finding(first, why)).ok()?;
        let mark = whole.mark(from);
        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        segments.iter_mut().find(|segment| segment.first == first)?.take_marks(whole);
        mark
    }

    /// The damages found so far, one for each segment.
    pub(super) fn damages(&self) -> Vec<String> {
        self.damages.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    fn note_finding(&self, first: u64, why: &JournalError) {
        if why.is_finding() {
            self.note_damage(first, why);
        }
    }

    /// Keeps why a segment is damaged.
    pub(super) fn note_damage(&self, first: u64, why: &JournalError) {
        let mut damages = self.damages.lock().unwrap_or_else(PoisonError::into_inner);
        damages.entry(first).or_insert_with(|| why.to_string());
    }

    /// Compresses a closed segment, unless it is not to go on.
    pub(super) fn compress(&self, first: u64, goes_on: GoesOn<'_>) -> Result<(), JournalError> {
        let is_it = |segment: &&Segment| segment.first == first;
        let segment = self.segments.read().unwrap_or_else(PoisonError::into_inner).iter().find(is_it).cloned();
        if !compress(&self.dir, &segment.expect("a segment stays"), goes_on)? {
            return Ok(());
        }
        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        segments.iter_mut().find(|segment| segment.first == first).expect("a segment stays").is_compressed = true;
        drop(segments);
        if let Err(why) = remove_text(&self.dir, first) {
            tracing::warn!(%why, "the text of a compressed segment stays until the next start");
        }
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
        let (first, mut text, mark, end) = {
            let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
            let after = segments.partition_point(|segment| segment.first <= from);
            let Some(segment) = segments[..after].last().filter(|segment| from < segment.next) else {
                return Ok(Vec::new());
            };
            (segment.first, Text::open(&self.dir, segment.first)?, segment.mark(from), segment.bytes)
        };
        let mark = mark.or_else(|| self.marked(first, &mut text, from)).unwrap_or_else(|| text.near(from));
        Segment::read(&mut text, mark, end, from, limit).inspect_err(|why| self.note_finding(first, why))
    }
}

/// The segments in a directory, and the number of torn bytes at the end of the last one, all of which is checked. Of those that
/// are closed, only the beginning and the end are looked at.
fn check(dir: &Path) -> Result<(Vec<Segment>, u64), JournalError> {
    let firsts = segments_in(dir)?;
    let (mut segments, mut torn) = (Vec::<Segment>::with_capacity(firsts.len()), 0);
    for (n, first) in firsts.iter().enumerate() {
        let mut text = Text::open(dir, *first)?;
        if *first != segments.last().map_or(0, |before| before.next) {
            return Err(text.damaged(0, GAP));
        }
        let following = firsts.get(n + 1).copied();
        segments.push(if following.is_none() && text.blocks().is_none() {
            let last;
            (last, torn) = Segment::open_last(dir, &mut text, *first)?;
            last
        } else {
            Segment::open_closed(dir, &mut text, *first, following)?
        });
    }
    Ok((segments, torn))
}

/// Creates the file of a segment, so that its name survives a power cut.
fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).create_new(true).open(path)?;
    disk::sync_dir(disk::parent(path))?;
    Ok(file)
}

#[cfg(test)]
mod tests;
