//! The text of a journal segment.
//!
//! ```text
//! #plybook-journal 1 <position of the first event>
//! <event>
//! <event>
//! #commit <position after the last event> <count> <check>
//! <event>
//! #commit …
//! ```
//!
//! Every line ends with a line feed. The events between two lines that start with `#` are a group: they were
//! written at once, and count only together with their `#commit` line. `check` is the first 16 hex digits of
//! `SHA-256("plybook/journal/v1" || 0 || the group's text, from its first event up to and including the space
//! before the check)`. An event is canonical JSON, which starts with `{` and contains no line feed, so lines
//! cannot be mistaken for one another. None of them contains a zero byte.

use std::ops::Range;

use memchr::memchr;
use plybook_events::{Envelope, Hash};

use crate::disk::is_unwritten;
use crate::entry::EventBytes;

const DOMAIN: &[u8] = b"plybook/journal/v1\0";
/// The start of the line that ends a group.
const COMMIT: &[u8] = b"#commit ";

/// No line that ends a group is longer, in bytes.
pub(super) const COMMIT_BYTES_MAX: usize = COMMIT.len() + 20 + 1 + 20 + 1 + 16 + 1;

/// The version of the format of a data directory.
pub(super) const VERSION: u64 = 1;

/// The start of a segment's first line.
const HEADER: &str = "#plybook-journal ";

/// The first line of a segment.
pub(super) fn header(first: u64) -> String {
    format!("{HEADER}{VERSION} {first}\n")
}

/// The version that a segment's first line names; `None` if it is no such line.
pub(super) fn version(start: &[u8]) -> Option<u64> {
    let rest = start.strip_prefix(HEADER.as_bytes())?;
    let digits = rest.iter().position(|b| *b == b' ')?;
    str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

/// Appends the text of a group whose first event has this position.
pub(super) fn write_group(first: u64, events: &[EventBytes], out: &mut Vec<u8>) {
    let start = out.len();
    for event in events {
        out.extend_from_slice(event);
        out.push(b'\n');
    }
    let commit = commit(first, events.len(), &out[start..]);
    out.extend_from_slice(commit.as_bytes());
}

/// A group, as ranges of the text it was read from.
pub(super) struct Group {
    /// The ranges of its events, in order; at least one.
    pub events: Vec<Range<usize>>,
    /// Its length in bytes.
    pub len: usize,
}

/// Why no group was read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flaw {
    /// The text ends before the group does, and is sound up to its end.
    Unfinished,
    /// The text at this offset is not what belongs there.
    Wrong(usize, &'static str),
}

/// Reads the group at the start of the text, whose first event has the position `first`.
pub(super) fn read_group(text: &[u8], first: u64) -> Result<Group, Flaw> {
    let mut events = Vec::new();
    let mut start = 0;
    while let Some(len) = memchr(b'\n', &text[start..]) {
        let line = start..start + len;
        start += len + 1;
        if text[line.start..].starts_with(b"#") {
            let expected = commit(first, events.len(), &text[..line.start]);
            if events.is_empty() || text[line.start..start] != *expected.as_bytes() {
                return Err(Flaw::Wrong(0, "a group of events does not match its commit line"));
            }
            return Ok(Group { events, len: start });
        }
        if !Envelope::fits(&text[line.clone()]) {
            return Err(Flaw::Wrong(line.start, "a line holds no event"));
        }
        events.push(line);
    }
    // An unfinished line is sound if it could be the start of a line: an event can continue in any way, a
    // commit line in only one.
    let rest = &text[start..];
    let is_start = match rest.first() {
        Some(b'#') => commit(first, events.len(), &text[..start]).as_bytes().starts_with(rest),
        Some(_) => rest.iter().zip(Envelope::START).all(|(found, expected)| found == expected),
        None => true,
    };
    if is_start { Err(Flaw::Unfinished) } else { Err(Flaw::Wrong(start, "a line holds no event")) }
}

/// Whether the text is a group that was being written when the machine stopped: it ends early, or has blocks
/// that were never written and is not followed by a group. Anything else was changed later.
pub(super) fn is_torn(text: &[u8], first: u64, flaw: Flaw) -> bool {
    if matches!(flaw, Flaw::Unfinished) {
        return true;
    }
    let mut ends = text.split_inclusive(|b| *b == b'\n').filter(|line| line.starts_with(COMMIT));
    let (end, has_more) = (ends.next(), ends.next().is_some());
    // The line that ends the group may itself be torn.
    let is_own = |end: &[u8]| starts_at(end) == Some(first) || end.contains(&0) || !end.ends_with(b"\n");
    let is_own = end.is_none_or(|end| is_own(end) && written(text).ends_with(written(end)));
    is_own && !has_more && is_unwritten(text)
}

/// The text without the zeros at its end, which were never written.
fn written(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1)]
}

/// Whether the text of a segment that does not start with its header was being written when the machine
/// stopped: the header is short, or it and perhaps more of the first group was never written.
pub(super) fn is_torn_start(text: &[u8], first: u64) -> bool {
    let header = header(first);
    let is_empty = |text: &[u8]| text.iter().all(|b| *b == 0);
    if text.len() <= header.len() {
        return header.as_bytes().starts_with(text) || is_empty(text);
    }
    let (start, rest) = text.split_at(header.len());
    // A block is longer than the header, and nobody writes zeros.
    is_empty(start) && is_torn(rest, first, Flaw::Wrong(0, "")) || is_empty(text)
}

/// The position of the first event of the group that this line ends.
fn starts_at(commit: &[u8]) -> Option<u64> {
    let count: u64 = std::str::from_utf8(commit).ok()?.split(' ').nth(2)?.parse().ok()?;
    ends_at(commit)?.checked_sub(count)
}

/// The position after the group that this line ends; `None` if the line does not end a group.
pub(super) fn ends_at(commit: &[u8]) -> Option<u64> {
    let words = std::str::from_utf8(commit.strip_prefix(COMMIT)?).ok()?;
    words.split(' ').next()?.parse().ok()
}

/// The line that ends a group with this text.
fn commit(first: u64, count: usize, text: &[u8]) -> String {
    // A file may claim any position.
    let mut line = format!("#commit {} {count} ", first.saturating_add(count as u64));
    let check = Hash::of_parts(&[DOMAIN, text, line.as_bytes()]).to_string();
    line.push_str(&check[..16]);
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
