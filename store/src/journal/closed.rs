//! What is known of closed segments, so that they need not be read again: the file `closed` beside them.
//!
//! Text, a line for each segment:
//!
//! ```text
//! <first position> <next position> <bytes of the file> <SHA-256 of the file> <bytes of the text> <SHA-256 of the text>
//!     <event sum> <check>
//! ```
//!
//! The *event sum* is over the events of the segment (see [`EventSum`]). `check` is the first 16 hex digits of
//! `SHA-256("plybook/closed/v1" || 0 || the line up to and including the space before the check)`. A line that is not whole is as good as none: its segment is read again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use plybook_events::Hash;
use sha2::{Digest, Sha256};

use super::groups::each_group_of;
use super::text::Text;
use super::{JournalError, compressed_name, frame, segment_name};
use crate::disk;
use crate::event_sum::EventSum;

/// The name of the file.
pub(crate) const NAME: &str = "closed";

const DOMAIN: &[u8] = b"plybook/closed/v1\0";

/// The file is longer only if it was changed, in bytes: this is enough for a million segments.
const BYTES_MAX: u64 = 512 << 20;

/// How many bytes of a file are hashed at once.
const HASH_BYTES: usize = 1 << 18;

/// What is said of a segment that was changed, but not damaged.
pub(super) const OTHER: &str = "it is not the file that was read before";

/// A closed segment, all of which was read once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    /// The position of its first event.
    pub first: u64,
    /// The position after its last event.
    pub next: u64,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The hash of the file.
    pub sha256: Hash,
    /// The length of its text in bytes.
    pub text_bytes: u64,
    /// The hash of its text.
    pub text_sha256: Hash,
    /// What its events add to the event sum.
    pub sum: u128,
}

/// Told how many bytes of a file were read just now; whoever does not want to read on returns `false`.
pub(super) type Pace<'a> = &'a mut dyn FnMut(u64) -> bool;

impl Closed {
    /// Reads the whole segment and checks every group. `None` if the pace ended it.
    pub(super) fn read(text: &mut Text, first: u64, pace: Pace<'_>) -> Result<Option<Self>, JournalError> {
        let (mut position, mut sum, mut hasher) = (first, 0_u128, Sha256::new());
        hasher.update(frame::header(first));
        let end = text.len()?;
        let mut goes_on = true;
        let next = each_group_of(text, first, None, end, |group| {
            hasher.update(group.text);
            for event in &group.events {
                sum = sum.wrapping_add(EventSum::term(&Hash::of_event(event), position));
                position += 1;
            }
            goes_on = pace(group.text.len() as u64);
            Ok::<bool, JournalError>(goes_on)
        })?;
        if !goes_on {
            return Ok(None);
        }
        let text_sha256 = finish(hasher);
        if let Some(blocks) = text.blocks()
            && (blocks.next, blocks.text_sha256) != (next, text_sha256)
        {
            return Err(text.damaged(0, "its text is not that of its index"));
        }
        let sha256 = if text.blocks().is_some() { hash_file(text.path())? } else { text_sha256 };
        let bytes = text.file_bytes()?;
        Ok(Some(Self { first, next, bytes, sha256, text_bytes: end, text_sha256, sum }))
    }

    /// Whether a file looks like the one that was read, without reading all of it: by its length, and how it begins and ends.
    pub(super) fn looks_like(&self, text: &mut Text) -> Result<bool, JournalError> {
        if text.file_bytes()? != self.bytes {
            return Ok(false);
        }
        match text.blocks() {
            Some(blocks) => {
                Ok((blocks.next, blocks.text_bytes, blocks.text_sha256)
                    == (self.next, self.text_bytes, self.text_sha256))
            }
            None => Ok((self.bytes, self.sha256) == (self.text_bytes, self.text_sha256)
                && text.check_header().is_ok()
                && text.said_next()? == Some(self.next)),
        }
    }

    /// Whether the file is the text itself.
    fn is_text(&self) -> bool {
        self.sha256 == self.text_sha256
    }

    /// The name of the file.
    pub(super) fn file_name(&self) -> String {
        if self.is_text() { segment_name(self.first) } else { compressed_name(self.first) }
    }

    fn line(&self) -> String {
        let Self { first, next, bytes, sha256, text_bytes, text_sha256, sum } = self;
        let mut line = format!("{first} {next} {bytes} {sha256} {text_bytes} {text_sha256} {sum:032x} ");
        let check = Hash::of_parts(&[DOMAIN, line.as_bytes()]).to_string();
        line.push_str(&check[..16]);
        line.push('\n');
        line
    }

    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let [first, next, bytes, sha256, text_bytes, text_sha256, sum, _] = words[..] else { return None };
        let closed = Self {
            first: first.parse().ok()?,
            next: next.parse().ok()?,
            bytes: bytes.parse().ok()?,
            sha256: sha256.parse().ok()?,
            text_bytes: text_bytes.parse().ok()?,
            text_sha256: text_sha256.parse().ok()?,
            sum: u128::from_str_radix(sum, 16).ok()?,
        };
        (closed.line().strip_suffix('\n') == Some(line)).then_some(closed)
    }
}

/// What is known of the closed segments in a directory, by their first positions. What cannot be read is not known.
pub(super) fn read(dir: &Path) -> BTreeMap<u64, Closed> {
    let path = dir.join(NAME);
    let mut bytes = Vec::new();
    match fs::File::open(&path).and_then(|file| file.take(BYTES_MAX).read_to_end(&mut bytes)) {
        Err(why) if why.kind() == ErrorKind::NotFound => {}
        Err(why) => tracing::warn!(path = %path.display(), %why, "closed segments are read again"),
        Ok(_) => {}
    }
    let lines = bytes.split(|b| *b == b'\n').filter_map(|line| Closed::parse(str::from_utf8(line).ok()?));
    lines.map(|closed| (closed.first, closed)).collect()
}

/// Replaces what is known. If that fails, the segments are read again at the next start.
pub(super) fn write<'a>(dir: &Path, closed: impl Iterator<Item = &'a Closed>) {
    let text: String = closed.map(Closed::line).collect();
    let path = dir.join(NAME);
    if let Err(why) = disk::replace(&path, text.as_bytes(), 0o644) {
        tracing::warn!(path = %path.display(), %why, "what is known of closed segments is not kept");
    }
}

/// The hash of a file.
pub(super) fn hash_file(path: &Path) -> Result<Hash, JournalError> {
    let io = |source| JournalError::Io { path: path.to_owned(), source };
    let mut file = fs::File::open(path).map_err(io)?;
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; HASH_BYTES]);
    loop {
        match file.read(&mut piece).map_err(io)? {
            0 => return Ok(finish(hasher)),
            read => hasher.update(&piece[..read]),
        }
    }
}

/// The hash of what was put in.
pub(super) fn finish(hasher: Sha256) -> Hash {
    Hash(hasher.finalize().into())
}
