//! Blocks: consecutive events of a log, without what follows from the rest, compressed.
//!
//! ```text
//! form            1 byte: chained or verbatim
//! check           8 bytes: the beginning of the hash of the last event
//! events          number of events, as all numbers here seven bits a byte, the low ones first
//! bytes           number of bytes of the contents
//! contents        compressed with zstd and `events-1.dict`
//! ```
//!
//! The contents of a *chained* block leave out the log's id and the seq, which are in the key, and the hashes of all
//! events but the one before the first:
//!
//! ```text
//! prev            32 bytes: the hash of the event before the first
//! times           each event's milliseconds after those of the one before, as signed numbers
//! positions       the first event's position in the journal; of each other, how many lie between it and the one before
//! fronts          of each event, what stands between `"body":` and `,"game"`, and a line feed
//! backs           of each event, what stands after the digits of `seq`, and a line feed
//! ```
//!
//! Events that could not be put together again from that, byte for byte, are *verbatim*: the positions, and each event
//! after its length.

use std::sync::{Mutex, OnceLock, PoisonError};

use plybook_events::{Envelope, Hash, LogId, Timestamp};
use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};

use crate::numbers::{Numbers, push_number, signed, unsigned};
use crate::{Entry, EventBytes};

/// The most events of a block.
pub(super) const EVENTS_MAX: usize = 64;

/// A block of several events has at most this many bytes of them, so that its pair stays below the largest.
pub(super) const EVENT_BYTES_MAX: usize = 48 * 1024;

/// The most bytes of contents that are unpacked: more than a block of one event of any length has.
const CONTENT_BYTES_MAX: usize = 80 * 1024;

/// The levels for blocks of a few events, which are soon joined with others, and for those of at least [`MANY_EVENTS`].
const QUICK_LEVEL: i32 = 3;
const THOROUGH_LEVEL: i32 = 6;
const MANY_EVENTS: usize = 16;

/// Typical contents, from which zstd copies. What was compressed with it can only be read with it: another dictionary
/// needs another form.
const DICTIONARY: &[u8] = include_bytes!("events-1.dict");

const CHAINED: u8 = 1;
const VERBATIM: u8 = 2;

/// The first bytes of a hash that a block keeps of its last event's.
const CHECK_BYTES: usize = 8;

/// Where the front of an event begins.
const FRONT: usize = Envelope::START.len() + 24 + AFTER_AT.len();
const AFTER_AT: &str = "\",\"body\":";
const GAME: &str = ",\"game\":\"";
const PREV: &str = "\",\"prev\":\"";
const SEQ: &str = "\",\"seq\":";

/// Makes blocks.
pub(super) struct Packer {
    quick: Mutex<Compressor<'static>>,
    thorough: Mutex<Compressor<'static>>,
}

/// Reads blocks.
pub(super) struct Unpacker {
    decompressor: Decompressor<'static>,
}

/// What a block says about itself before it is unpacked.
pub(super) struct Header {
    form: u8,
    check: [u8; CHECK_BYTES],
    /// The number of its events.
    pub events: usize,
    /// The number of bytes of its contents.
    pub bytes: usize,
}

impl Packer {
    pub(super) fn new() -> Self {
        static PREPARED: OnceLock<[EncoderDictionary<'static>; 2]> = OnceLock::new();
        let levels = [QUICK_LEVEL, THOROUGH_LEVEL];
        let dictionaries = PREPARED.get_or_init(|| levels.map(|level| EncoderDictionary::copy(DICTIONARY, level)));
        let [quick, thorough] = dictionaries.each_ref().map(|dictionary| {
            Mutex::new(Compressor::with_prepared_dictionary(dictionary).expect("the dictionary is well"))
        });
        Self { quick, thorough }
    }

    /// A block of consecutive events, at least one.
    pub(super) fn pack(&self, entries: &[Entry]) -> Vec<u8> {
        let last = entries.last().expect("a block has events");
        let (form, contents) = match chained(entries) {
            Some(contents) => (CHAINED, contents),
            None => (VERBATIM, verbatim(entries)),
        };
        let mut block = vec![form];
        block.extend_from_slice(&last.hash.0[..CHECK_BYTES]);
        push_number(&mut block, entries.len() as u64);
        push_number(&mut block, contents.len() as u64);
        let compressor = if entries.len() < MANY_EVENTS { &self.quick } else { &self.thorough };
        let mut compressor = compressor.lock().unwrap_or_else(PoisonError::into_inner);
        block.extend(compressor.compress(&contents).expect("there is memory for a block"));
        block
    }
}

impl Unpacker {
    pub(super) fn new() -> Self {
        static PREPARED: OnceLock<DecoderDictionary<'static>> = OnceLock::new();
        let dictionary = PREPARED.get_or_init(|| DecoderDictionary::copy(DICTIONARY));
        Self { decompressor: Decompressor::with_prepared_dictionary(dictionary).expect("the dictionary is well") }
    }

    /// The events of a block, whose key says which they are; `None` if they are not the recorded ones. If only the first one is
    /// before `until_seq`, it comes alone, and unchecked: as a witness, which itself is compared with the event before.
    pub(super) fn unpack(&mut self, log: LogId, first_seq: u64, until_seq: u64, block: &[u8]) -> Option<Vec<Entry>> {
        let (header, packed) = Header::read(block)?;
        let wanted = if until_seq.checked_sub(first_seq) == Some(1) { 1 } else { header.events };
        let contents = self.decompressor.decompress(packed, header.bytes).ok()?;
        if contents.len() != header.bytes {
            return None;
        }
        let entries = match header.form {
            CHAINED => unchained(log, first_seq, &contents, header.events, wanted),
            _ => as_recorded(log, first_seq, &contents, header.events, wanted),
        }?;
        let is_recorded = wanted < header.events || entries.last()?.hash.0[..CHECK_BYTES] == header.check;
        is_recorded.then_some(entries)
    }
}

impl Header {
    /// Reads the header, and returns what follows it.
    pub(super) fn read(block: &[u8]) -> Option<(Self, &[u8])> {
        let (form, rest) = block.split_first()?;
        let (check, rest) = rest.split_first_chunk()?;
        let mut numbers = Numbers(rest);
        let events = usize::try_from(numbers.next()?).ok()?;
        let bytes = usize::try_from(numbers.next()?).ok()?;
        let is_known = matches!(*form, CHAINED | VERBATIM);
        let is_bounded = (1..=EVENTS_MAX).contains(&events) && bytes <= CONTENT_BYTES_MAX;
        (is_known && is_bounded).then_some((Self { form: *form, check: *check, events, bytes }, numbers.0))
    }
}

/// The contents of a chained block; `None` if an event cannot be put together again from them.
fn chained(entries: &[Entry]) -> Option<Vec<u8>> {
    let mut prev = entries.first()?.prev()?;
    let mut contents = prev.0.to_vec();
    let (mut times, mut fronts, mut backs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut last_ms, mut again) = (0, Vec::new());
    for entry in entries {
        let at: Timestamp = std::str::from_utf8(&entry.at()).ok()?.parse().ok()?;
        let (front, back) = cut(entry)?;
        again.clear();
        put_together(&mut again, at, front, entry.log, prev, entry.seq, back);
        if again != *entry.bytes || front.contains(&b'\n') || back.contains(&b'\n') {
            return None;
        }
        push_number(&mut times, unsigned(at.as_millis() - last_ms));
        fronts.extend_from_slice(front);
        fronts.push(b'\n');
        backs.extend_from_slice(back);
        backs.push(b'\n');
        (last_ms, prev) = (at.as_millis(), entry.hash);
    }
    contents.append(&mut times);
    push_positions(&mut contents, entries);
    contents.append(&mut fronts);
    contents.append(&mut backs);
    Some(contents)
}

/// The first events of a chained block that has `count`, as many as are `wanted`.
fn unchained(log: LogId, first_seq: u64, contents: &[u8], count: usize, wanted: usize) -> Option<Vec<Entry>> {
    let (prev, rest) = contents.split_first_chunk()?;
    let mut numbers = Numbers(rest);
    let times = (0..count).map(|_| numbers.next().map(signed)).collect::<Option<Vec<_>>>()?;
    let positions = read_positions(&mut numbers, count)?;
    let mut lines = numbers.0.split(|byte| *byte == b'\n');
    let fronts: Vec<_> = lines.by_ref().take(count).collect();
    let (mut prev, mut ms) = (Hash(*prev), 0_i64);
    let (mut entries, mut text) = (Vec::with_capacity(count), Vec::new());
    for (n, (time, position)) in times.into_iter().zip(positions).enumerate().take(wanted) {
        ms = ms.checked_add(time)?;
        let at = Timestamp::from_millis(ms).ok()?;
        let (front, back) = (fronts.get(n)?, lines.next()?);
        let seq = first_seq.checked_add(n as u64)?;
        text.clear();
        put_together(&mut text, at, front, log, prev, seq, back);
        let hash = Hash::of_event(&text);
        entries.push(Entry { position, log, seq, hash, bytes: EventBytes::from(text.as_slice()) });
        prev = hash;
    }
    // After the last line feed.
    (wanted < count || lines.next() == Some(b"") && lines.next().is_none()).then_some(entries)
}

/// The contents of a verbatim block.
fn verbatim(entries: &[Entry]) -> Vec<u8> {
    let mut contents = Vec::new();
    push_positions(&mut contents, entries);
    for entry in entries {
        push_number(&mut contents, entry.bytes.len() as u64);
        contents.extend_from_slice(&entry.bytes);
    }
    contents
}

/// The first events of a verbatim block that has `count`, as many as are `wanted`.
fn as_recorded(log: LogId, first_seq: u64, contents: &[u8], count: usize, wanted: usize) -> Option<Vec<Entry>> {
    let mut numbers = Numbers(contents);
    let positions = read_positions(&mut numbers, count)?;
    let mut entries = Vec::with_capacity(count);
    for (seq, position) in (first_seq..).zip(positions).take(wanted) {
        let len = usize::try_from(numbers.next()?).ok()?;
        let (bytes, rest) = numbers.0.split_at_checked(len)?;
        numbers = Numbers(rest);
        entries.push(Entry::of(position, bytes.into()).filter(|entry| (entry.log, entry.seq) == (log, seq))?);
    }
    (wanted < count || numbers.0.is_empty()).then_some(entries)
}

fn push_positions(to: &mut Vec<u8>, entries: &[Entry]) {
    let mut next = 0;
    for entry in entries {
        push_number(to, entry.position.wrapping_sub(next));
        next = entry.position.wrapping_add(1);
    }
}

fn read_positions(numbers: &mut Numbers<'_>, count: usize) -> Option<Vec<u64>> {
    let mut next = 0_u64;
    let mut position = || {
        let position = next.wrapping_add(numbers.next()?);
        next = position.wrapping_add(1);
        Some(position)
    };
    (0..count).map(|_| position()).collect()
}

/// The front and the back of an event.
fn cut(entry: &Entry) -> Option<(&[u8], &[u8])> {
    let bytes = &*entry.bytes;
    let envelope = Envelope::split(bytes).ok()?;
    let by = ",\"by\":\"".len() + envelope.by.len() + 1;
    let (front, rest) = bytes.get(FRONT..)?.split_at_checked(envelope.body.len() + by)?;
    let members = GAME.len() + 36 + PREV.len() + 64 + SEQ.len();
    let digits = entry.seq.checked_ilog10().unwrap_or(0) as usize + 1;
    Some((front, rest.get(members + digits..)?))
}

/// The bytes of an event.
fn put_together(to: &mut Vec<u8>, at: Timestamp, front: &[u8], log: LogId, prev: Hash, seq: u64, back: &[u8]) {
    let (at, log, prev, seq) = (at.to_text(), log.to_text(), prev.to_hex(), seq.to_string());
    let start = [Envelope::START, &at, AFTER_AT.as_bytes(), front, GAME.as_bytes(), &log];
    let end = [PREV.as_bytes(), &prev, SEQ.as_bytes(), seq.as_bytes(), back];
    for part in start.into_iter().chain(end) {
        to.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use plybook_events::body::Acted;
    use plybook_events::{Body, By, Event};

    use super::*;

    /// Events of a log from a seq on, each chained to the one before it.
    fn entries(first_seq: u64, actions: &[&str]) -> Vec<Entry> {
        let (mut prev, log) = (Hash([u8::from(first_seq > 0); 32]), LogId::from_bytes([7; 16]));
        let entry = |(seq, action): (u64, &&str)| {
            let action = (*action).to_owned();
            let at = Timestamp::from_millis(1_790_000_000_000 - 7 * seq as i64 % 5).unwrap();
            let body = Body::Acted(Acted { action, clock_ms: Some(seq), fair: false });
            let event = Event { at, by: By::Seat(1), log, prev, seq, body, who: None, signature: None };
            let entry = Entry::of(seq * seq + 3, event.to_bytes().unwrap().into()).unwrap();
            prev = entry.hash;
            entry
        };
        (first_seq..).zip(actions).map(entry).collect()
    }

    fn unpack(entries: &[Entry], block: &[u8]) -> Option<Vec<Entry>> {
        Unpacker::new().unpack(entries[0].log, entries[0].seq, u64::MAX, block)
    }

    /// A block gives these events, and the first alone if that is wanted.
    fn assert_has(block: &[u8], entries: &[Entry]) {
        assert_eq!(unpack(entries, block).unwrap(), entries);
        let first = Unpacker::new().unpack(entries[0].log, entries[0].seq, entries[0].seq + 1, block);
        assert_eq!(first.unwrap(), entries[..1]);
    }

    #[test]
    fn events_come_out_of_a_block_as_they_were_recorded() {
        let packer = Packer::new();
        for (first_seq, actions) in [(0, &["a1-b2"][..]), (9, &["a", "\"\n\u{1f3b2}", ""]), (99, &["x"; EVENTS_MAX])] {
            let entries = entries(first_seq, actions);
            let block = packer.pack(&entries);
            assert_eq!(block[0], CHAINED);
            assert_has(&block, &entries);
        }
        // The program writes neither: another time, and a hash that is not that of the event before.
        let mut other = entries(3, &["a", "b", "c"]);
        let text = std::str::from_utf8(&other[1].bytes).unwrap();
        let [at, hash] = [text.replace("2026-", "2026_"), text.replace(&other[0].hash.to_string(), &"0".repeat(64))];
        for bytes in [at, hash] {
            other[1] = Entry::of(15, bytes.into_bytes().into()).unwrap();
            other[1].seq = 4;
            let block = packer.pack(&other);
            assert_eq!(block[0], VERBATIM);
            assert_has(&block, &other);
        }
    }

    #[test]
    fn the_largest_event_fits() {
        let largest = "x".repeat(64 * 1024 - 300);
        let entries = entries(1, &[&largest]);
        assert!(entries[0].bytes.len() > 65_000);
        assert_eq!(unpack(&entries, &Packer::new().pack(&entries)).unwrap(), entries);
    }

    /// No bytes make it panic, and whatever it returns ends in the event that the block was made of.
    #[test]
    fn a_changed_block_is_refused() {
        let entries = entries(5, &["a1-b2", "b2-c3", "c3-d4", "d4-e5"]);
        let block = Packer::new().pack(&entries);
        for at in 0..block.len() {
            for bit in 0..8 {
                let mut changed = block.clone();
                changed[at] ^= 1 << bit;
                // Positions are not in the hash: who reads a log does not rely on them.
                let read = unpack(&entries, &changed);
                let is_same = |read: &Vec<Entry>| read.iter().map(|e| e.hash).eq(entries.iter().map(|e| e.hash));
                assert!(read.as_ref().is_none_or(is_same), "byte {at}, bit {bit}");
            }
            assert_eq!(unpack(&entries, &block[..at]), None, "{at} bytes");
        }
        assert_eq!(Unpacker::new().unpack(LogId::from_bytes([8; 16]), 5, u64::MAX, &block), None, "of another log");
        assert_eq!(Unpacker::new().unpack(entries[0].log, 6, u64::MAX, &block), None, "of another place");
    }
}
