//! What is wrong with the files of a journal, and which logs are affected.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use plybook_events::{Envelope, LogId};

use super::JournalError;
use super::frame::{self, Flaw};
use super::segment::segments_in;
use super::text::Text;

/// A group of events that differs from what was written, or a segment that does not start where the previous
/// one ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The segment.
    pub file: PathBuf,
    /// Where the damaged group starts, in bytes from the start of the file; in a compressed segment, where its block does.
    pub offset: u64,
    /// What is wrong.
    pub why: &'static str,
    /// The journal position of its first event.
    pub first: u64,
    /// The position after its last event; `None` if nothing after the damage tells it.
    pub next: Option<u64>,
    /// The logs that events in it belong to, as far as they can be read.
    pub logs: BTreeSet<LogId>,
}

/// What a journal holds, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    /// The number of events, damaged ones included as far as they can be counted.
    pub events: u64,
    /// The number of segments.
    pub segments: usize,
    /// The number of bytes at the end that belong to a group that was never acknowledged; opening the journal
    /// cuts them off.
    pub torn_bytes: u64,
    /// In the order of positions.
    pub damages: Vec<Damage>,
}

/// Why a segment is no good that is whole, but does not follow the one before it.
pub(super) const GAP: &str = "the segment before it is missing or cut: restore that one";

impl Damage {
    /// Whether the file is whole, and the one before it is what has to be restored.
    pub fn is_before(&self) -> bool {
        self.why == GAP
    }
}

/// Reads a journal in a directory from end to end, past everything that is damaged; changes nothing.
///
/// # Errors
/// A file cannot be read.
pub fn examine(dir: &Path) -> Result<Examination, JournalError> {
    let firsts = segments_in(dir)?;
    let mut found = Examination { segments: firsts.len(), ..Examination::default() };
    for (n, first) in firsts.iter().enumerate() {
        segment(dir, *first, firsts.get(n + 1).copied(), &mut found)?;
    }
    Ok(found)
}

/// Reads the segment that starts at `first`, before the one that starts at `following`.
fn segment(dir: &Path, first: u64, following: Option<u64>, found: &mut Examination) -> Result<(), JournalError> {
    let mut text = match Text::open(dir, first) {
        Err(JournalError::Damaged { file, offset, why }) => {
            let logs = BTreeSet::new();
            found.damages.push(Damage { file, offset, why, first, next: following, logs });
            found.events = following.unwrap_or(first);
            return Ok(());
        }
        opened => opened?,
    };
    if let Err(why @ JournalError::OtherVersion { .. }) = text.check_header() {
        return Err(why);
    }
    if first != found.events {
        found.push(Place::Text(text.path()), 0, GAP, found.events, Some(first), BTreeSet::new());
    }
    found.events = first;
    if text.blocks().is_some() {
        blocks(&mut text, found)
    } else {
        let mut all = vec![0; usize::try_from(text.len()?).unwrap_or(usize::MAX)];
        text.read_exact_at(&mut all, 0)?;
        groups(Place::Text(text.path()), &all, true, following.is_none(), found);
        Ok(())
    }
}

/// Where a text is.
#[derive(Clone, Copy)]
enum Place<'a> {
    /// In this file as it is.
    Text(&'a Path),
    /// In this file, compressed, in a block at this offset.
    Block(&'a Path, u64),
}

impl Examination {
    fn push(
        &mut self,
        place: Place<'_>,
        at: usize,
        why: &'static str,
        first: u64,
        next: Option<u64>,
        logs: BTreeSet<LogId>,
    ) {
        let (file, offset) = match place {
            Place::Text(file) => (file.to_owned(), at as u64),
            Place::Block(file, offset) => (file.to_owned(), offset),
        };
        self.damages.push(Damage { file, offset, why, first, next, logs });
    }
}

/// Reads a compressed segment, block by block.
fn blocks(text: &mut Text, found: &mut Examination) -> Result<(), JournalError> {
    let blocks = text.blocks().cloned().expect("the caller looked");
    for n in 0..blocks.len() {
        let (start, end) = (blocks.start(n), blocks.start(n + 1));
        let place = text.path().to_owned();
        let place = Place::Block(&place, start.offset);
        let mut all = vec![0; (end.text_offset - start.text_offset) as usize];
        found.events = start.position;
        match text.read_exact_at(&mut all, start.text_offset) {
            Err(JournalError::Damaged { why, .. }) => {
                found.push(place, 0, why, start.position, Some(end.position), BTreeSet::new());
            }
            read => {
                read?;
                groups(place, &all, n == 0, false, found);
            }
        }
        found.events = end.position;
    }
    Ok(())
}

/// Reads the groups of a text, which start at the position `found.events`; whether its first line is that of a segment.
fn groups(place: Place<'_>, text: &[u8], has_header: bool, is_last: bool, found: &mut Examination) {
    let first = found.events;
    let header = frame::header(first);
    let mut offset = if has_header { header.len() } else { 0 };
    if has_header && !text.starts_with(header.as_bytes()) {
        if is_last && frame::is_torn_start(text, first) {
            found.torn_bytes = text.len() as u64;
            return;
        }
        let why = "it does not start as a segment of this position";
        found.push(place, 0, why, first, Some(first), BTreeSet::new());
        offset = text.iter().position(|b| *b == b'\n').map_or(text.len(), |at| at + 1);
    }
    while offset < text.len() {
        let rest = &text[offset..];
        let flaw = match frame::read_group(rest, found.events) {
            Ok(group) => {
                found.events = found.events.saturating_add(group.events.len() as u64);
                offset += group.len;
                continue;
            }
            Err(flaw) => flaw,
        };
        if is_last && frame::is_torn(rest, found.events, flaw) {
            found.torn_bytes = rest.len() as u64;
            return;
        }
        let why = match flaw {
            Flaw::Unfinished => "it ends in the middle of a group of events",
            Flaw::Wrong(_, why) => why,
        };
        let end = group_end(rest, found.events);
        let (len, next) = end.map_or((rest.len(), None), |(len, next)| (len, Some(next)));
        let lines = rest[..len].split(|b| *b == b'\n');
        let logs = lines.filter_map(|line| Envelope::split(line).ok()?.log().ok()).collect();
        let first = found.events;
        found.push(place, offset, why, first, next, logs);
        found.events = next.unwrap_or(first);
        offset += len;
    }
}

/// Finds the end of a damaged group, and the position after it: the first `#commit` line that is followed by a
/// sound group or by the end of the file.
fn group_end(text: &[u8], first: u64) -> Option<(usize, u64)> {
    let mut len = 0;
    for line in text.split_inclusive(|b| *b == b'\n') {
        len += line.len();
        let Some(next) = frame::ends_at(line).filter(|next| *next > first) else { continue };
        let follows = frame::read_group(&text[len..], next);
        if len == text.len() || follows.is_ok() {
            return Some((len, next));
        }
    }
    None
}
