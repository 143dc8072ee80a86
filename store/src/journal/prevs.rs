//! Leaves `prev` out of the events in a compressed block, where it follows from the block itself, and puts it in again.
//!
//! `prev` is the hash of the event before in the same log: 64 digits that do not compress, more than all the rest of an event
//! takes. If that event is in the block too, one byte that no event contains stands for them.

use std::collections::HashMap;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr_iter};
use plybook_events::Hash;

/// What stands for a `prev` that is left out. Canonical JSON has no such byte.
const LEFT_OUT: u8 = 1;

/// What is between the id of an event's log and `prev`. Nothing that follows `prev` contains it.
const BEFORE_PREV: &[u8] = b"\",\"prev\":\"";

/// The length of a log's id, and of a hash in hexadecimal, in bytes.
const ID_BYTES: usize = 36;
const HASH_BYTES: usize = 64;

type LogId = [u8; ID_BYTES];

/// The last event of each log in a text, as a range of it.
#[derive(Default)]
struct LastEvents {
    /// The log whose event came last: logs have mostly several events in a row.
    last: Option<(LogId, Range<usize>)>,
    others: HashMap<LogId, Range<usize>>,
}

impl LastEvents {
    /// The last event of a log.
    fn of(&self, log: &LogId) -> Option<Range<usize>> {
        match &self.last {
            Some((last, event)) if last == log => Some(event.clone()),
            _ => self.others.get(log).cloned(),
        }
    }

    /// Notes an event.
    fn push(&mut self, log: &LogId, event: Range<usize>) {
        match &mut self.last {
            Some((last, before)) if last == log => *before = event,
            last => self.others.extend(last.replace((*log, event))),
        }
    }
}

/// Leaves out every `prev` that [`put_in`] can put in again. `None` if the text is not that of a journal.
pub(super) fn leave_out(text: &[u8]) -> Option<Vec<u8>> {
    if memchr(LEFT_OUT, text).is_some() {
        return None;
    }
    let (mut out, mut kept, mut last) = (Vec::with_capacity(text.len()), 0, LastEvents::default());
    for line in lines(text) {
        let Some((log, prev)) = place_of_prev(&text[line.clone()]) else { continue };
        let prev = line.start + prev;
        let before = last.of(log);
        last.push(log, line);
        if before.is_some_and(|before| text[prev..].starts_with(&Hash::of_event(&text[before]).to_hex())) {
            out.extend_from_slice(&text[kept..prev]);
            out.push(LEFT_OUT);
            kept = prev + HASH_BYTES;
        }
    }
    out.extend_from_slice(&text[kept..]);
    Some(out)
}

/// Puts in what was left out of a text of `len` bytes. `None` if no such text has become this.
pub(super) fn put_in(text: &[u8], len: usize) -> Option<Vec<u8>> {
    let (mut out, mut put, mut last) = (Vec::with_capacity(len), 0, LastEvents::default());
    for line in lines(text) {
        let Some((log, prev)) = place_of_prev(&text[line.clone()]) else { continue };
        let start = out.len() + (line.start - put);
        if text[line.start + prev] == LEFT_OUT {
            out.extend_from_slice(&text[put..line.start + prev]);
            let hash = Hash::of_event(&out[last.of(log)?]);
            out.extend_from_slice(&hash.to_hex());
            put = line.start + prev + 1;
        }
        out.extend_from_slice(&text[put..line.end]);
        put = line.end;
        last.push(log, start..out.len());
        if out.len() > len {
            return None;
        }
    }
    out.extend_from_slice(&text[put..]);
    (out.len() == len).then_some(out)
}

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let ends = memchr_iter(b'\n', text);
    ends.scan(0, |start, end| Some(std::mem::replace(start, end + 1)..end))
}

/// The id of an event's log, and where `prev` is in the event. `None` if the line is no event.
fn place_of_prev(line: &[u8]) -> Option<(&LogId, usize)> {
    let is_place = |at: &usize| line[..*at].ends_with(BEFORE_PREV);
    let prev = memrchr_iter(b'"', line).map(|quote| quote + 1).find(is_place)?;
    let log = line[..prev - BEFORE_PREV.len()].last_chunk()?;
    (line.starts_with(b"{") && prev < line.len()).then_some((log, prev))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event with this `prev`, as far as it matters here.
    fn event(log: u8, prev: &str, body: &str) -> String {
        format!(r#"{{"body":{body},"by":"service","game":"{log:036}","prev":"{prev}","seq":1,"type":"acted","v":1}}"#)
    }

    /// Events of several logs in turn, each with the hash of the one before.
    fn text(logs: &[u8]) -> Vec<u8> {
        let (mut text, mut heads) = (String::from("#plybook-journal 1 0\n"), HashMap::new());
        for (n, log) in logs.iter().enumerate() {
            let head = heads.get(log).map_or_else(|| "0".repeat(64), Hash::to_string);
            let event = event(*log, &head, &format!(r#"{{"text":"{n} \",\"prev\":\""}}"#));
            heads.insert(*log, Hash::of_event(event.as_bytes()));
            text.extend([&event, "\n#commit 1 1 0123456789abcdef\n"]);
        }
        text.into_bytes()
    }

    #[test]
    fn only_what_follows_from_the_text_is_left_out() {
        let whole = text(&[1, 2, 1, 1, 2]);
        let less = leave_out(&whole).unwrap();
        assert_eq!(less.len(), whole.len() - 3 * 63);
        let rest =
            whole.iter().position(|b| *b == b'\n').unwrap() + 1 + whole.split(|b| *b == b'\n').nth(1).unwrap().len();
        assert_eq!(leave_out(&whole[rest..]).unwrap().len(), whole.len() - rest - 2 * 63);
        let fork = event(3, &"ab".repeat(32), "{}") + "\n" + &event(3, &"cd".repeat(32), "{}") + "\n";
        assert_eq!(leave_out(fork.as_bytes()).unwrap(), fork.as_bytes());
        assert_eq!(leave_out(b"{\"a\":\"\x01\"}\n"), None);
    }

    #[test]
    fn what_is_left_out_of_nothing_cannot_be_put_in() {
        let less = event(1, "\u{1}", "{}") + "\n";
        assert_eq!(put_in(less.as_bytes(), less.len() + 63), None);
        let whole = text(&[1, 1]);
        let less = leave_out(&whole).unwrap();
        for len in [0, less.len(), whole.len() - 1, whole.len() + 1] {
            assert_eq!(put_in(&less, len), None, "{len}");
        }
    }

    /// Texts of every length, with every log at every place.
    #[test]
    fn what_is_left_out_is_put_in_again() {
        for n in 0..3_u32.pow(6) {
            let logs: Vec<u8> = (0..6).map(|at| (n / 3_u32.pow(at) % 3) as u8).collect();
            let whole = text(&logs);
            assert_eq!(put_in(&leave_out(&whole).unwrap(), whole.len()), Some(whole), "{logs:?}");
        }
        let whole = text(&[1, 2, 1, 1, 2, 3, 2, 1]);
        for len in 0..whole.len() {
            let cut = &whole[..len];
            assert_eq!(put_in(&leave_out(cut).unwrap(), len).unwrap(), cut, "{len}");
        }
    }

    #[test]
    fn any_bytes_are_survived() {
        let whole = text(&[1, 2, 1, 1]);
        let less = leave_out(&whole).unwrap();
        for at in 0..less.len() {
            for byte in [0, LEFT_OUT, b'\n', b'"', b'{', 0xff] {
                let mut changed = less.clone();
                changed[at] = byte;
                assert!(put_in(&changed, whole.len()).is_none_or(|made| made.len() == whole.len()), "{at} {byte}");
                assert!(leave_out(&changed).is_none_or(|made| made.len() <= changed.len()), "{at} {byte}");
            }
        }
    }
}
