//! What is wrong with the files of a journal, and which logs are affected.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use plybook_events::{Envelope, LogId};

use super::file::segments_in;
use super::frame::{self, Flaw};
use super::{JournalError, segment_name};

/// A group of events that differs from what was written, or a segment that does not start where the previous
/// one ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The segment.
    pub file: PathBuf,
    /// Where the damaged group starts, in bytes from the start of the file.
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

/// Reads a journal in a directory from end to end, past everything that is damaged; changes nothing.
///
/// # Errors
/// A file cannot be read.
pub fn examine(dir: &Path) -> Result<Examination, JournalError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| JournalError::Io { path, source }
    };
    let firsts = segments_in(dir).map_err(io(dir))?;
    let mut found = Examination { segments: firsts.len(), ..Examination::default() };
    for (n, first) in firsts.iter().enumerate() {
        let file = dir.join(segment_name(*first));
        let text = fs::read(&file).map_err(io(&file))?;
        if *first != found.events {
            let why = "the segment before it is missing or cut";
            let next = Some(*first);
            found.damages.push(Damage {
                file: file.clone(),
                offset: 0,
                why,
                first: found.events,
                next,
                logs: BTreeSet::new(),
            });
        }
        found.events = *first;
        segment(&file, &text, n + 1 == firsts.len(), &mut found);
    }
    Ok(found)
}

/// Reads one segment, which starts at the position `found.events`.
fn segment(file: &Path, text: &[u8], is_last: bool, found: &mut Examination) {
    let first = found.events;
    let header = frame::header(first);
    let mut offset = header.len();
    if !text.starts_with(header.as_bytes()) {
        if is_last && frame::is_torn_start(text, first) {
            found.torn_bytes = text.len() as u64;
            return;
        }
        let why = "it does not start as a segment of this position";
        found.damages.push(Damage {
            file: file.to_owned(),
            offset: 0,
            why,
            first,
            next: Some(first),
            logs: BTreeSet::new(),
        });
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
        found.damages.push(Damage { file: file.to_owned(), offset: offset as u64, why, first, next, logs });
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
