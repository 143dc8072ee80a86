//! One event: what happened, in which log, after what.

use serde_json::Value;

use crate::canonical::{self, CanonicalError};
use crate::{Body, By, Hash, LogId, Timestamp};

/// The most bytes of an event.
pub const EVENT_BYTES_MAX: usize = 64 * 1024;

/// One immutable fact of a log.
///
/// Its bytes are canonical JSON with these members in this order: `at`, `body`, `by`, `game`,
/// `prev`, `seq`, `type`, `v`; see `FORMAT.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it was recorded; never before the event before it.
    pub at: Timestamp,
    /// Who did it.
    pub by: By,
    /// The log it belongs to; `game` in the bytes.
    pub log: LogId,
    /// The hash of the event before; see [`Hash::ZERO`] for the first.
    pub prev: Hash,
    /// Its index in the log, from 0.
    pub seq: u64,
    /// What happened.
    pub body: Body,
}

/// Why bytes are not an event, or an event has no bytes.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// Over [`EVENT_BYTES_MAX`]; shorten what it carries.
    #[error("an event has at most {EVENT_BYTES_MAX} bytes, this one has {0}")]
    TooLarge(usize),
    /// The members are not the eight of an event in their order; where it was seen.
    #[error("not laid out as an event: {0}")]
    Layout(&'static str),
    /// A member holds something that cannot stand there.
    #[error("bad `{member}`: {why}")]
    Member {
        /// The member's name.
        member: &'static str,
        /// What is wrong.
        why: String,
    },
    /// The body is not canonical JSON.
    #[error("body: {0}")]
    Canonical(#[from] CanonicalError),
}

impl Event {
    /// The event's exact bytes.
    ///
    /// # Errors
    /// [`EventError::TooLarge`], and [`EventError::Canonical`] where a setup or a tag holds a
    /// value without canonical form.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EventError> {
        let body = serde_json::to_value(&self.body).expect("a body is plain data");
        let mut out = Vec::with_capacity(320);
        out.extend_from_slice(b"{\"at\":\"");
        out.extend_from_slice(self.at.to_string().as_bytes());
        out.extend_from_slice(b"\",\"body\":");
        canonical::write(&body, &mut out)?;
        let tail = format!(
            ",\"by\":\"{}\",\"game\":\"{}\",\"prev\":\"{}\",\"seq\":{},\"type\":\"{}\",\"v\":1}}",
            self.by,
            self.log,
            self.prev,
            self.seq,
            self.body.type_name()
        );
        out.extend_from_slice(tail.as_bytes());
        if out.len() > EVENT_BYTES_MAX { Err(EventError::TooLarge(out.len())) } else { Ok(out) }
    }

    /// Reads an event from its exact bytes; anything but the canonical form is refused.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, EventError> {
        let parts = Parts::split(bytes)?;
        canonical::check(parts.body)?;
        let member = |member, why: String| EventError::Member { member, why };
        let type_name = text(parts.type_name)?;
        let body = Body::parse(type_name, parts.body)
            .ok_or_else(|| member("type", format!("{type_name:?} is no type of event")))?
            .map_err(|why| member("body", why.to_string()))?;
        Ok(Self {
            at: text(parts.at)?.parse().map_err(|why: crate::TimestampError| member("at", why.to_string()))?,
            by: text(parts.by)?.parse().map_err(|why: crate::actor::ActorError| member("by", why.to_string()))?,
            log: text(parts.game)?.parse().map_err(|why: crate::IdError| member("game", why.to_string()))?,
            prev: text(parts.prev)?.parse().map_err(|why: crate::HashError| member("prev", why.to_string()))?,
            seq: parts.seq,
            body,
        })
    }

    /// The body as JSON.
    pub fn body_json(&self) -> Value {
        serde_json::to_value(&self.body).expect("a body is plain data")
    }
}

/// The members of an event, as they stand in its bytes. `game` and `prev` may hold anything of
/// their length: whoever uses them knows what has to be there.
pub(crate) struct Parts<'a> {
    pub at: &'a [u8; AT_LEN],
    pub body: &'a [u8],
    pub by: &'a [u8],
    pub game: &'a [u8; GAME_LEN],
    pub prev: &'a [u8; PREV_LEN],
    pub seq: u64,
    pub type_name: &'a [u8],
}

/// The bytes of a timestamp.
pub(crate) const AT_LEN: usize = 24;

/// The bytes of a log's id.
pub(crate) const GAME_LEN: usize = 36;

/// The digits of a hash.
const PREV_LEN: usize = 64;

impl<'a> Parts<'a> {
    /// Takes the bytes apart: `at` from the front, all after the body from the back, where no
    /// member can hold a quote.
    pub(crate) fn split(bytes: &'a [u8]) -> Result<Self, EventError> {
        if bytes.len() > EVENT_BYTES_MAX {
            return Err(EventError::TooLarge(bytes.len()));
        }
        let rest = bytes.strip_prefix(b"{\"at\":\"").ok_or(EventError::Layout("it starts with `at`"))?;
        let (at, rest) = rest.split_first_chunk().ok_or(EventError::Layout("`at` has 24 characters"))?;
        let rest = rest.strip_prefix(b"\",\"body\":").ok_or(EventError::Layout("`body` follows `at`"))?;
        let rest = rest.strip_suffix(b"\",\"v\":1}").ok_or(EventError::Layout("it ends with version 1"))?;
        let (rest, type_name) = cut_back(rest, b",\"type\":\"").ok_or(EventError::Layout("`type` before `v`"))?;
        let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (rest, seq) = rest.split_at(rest.len() - digits);
        let rest = rest.strip_suffix(b"\",\"seq\":").ok_or(EventError::Layout("`seq` before `type`"))?;
        let (rest, prev) = cut_chunk(rest, b"\",\"prev\":\"").ok_or(EventError::Layout("`prev` before `seq`"))?;
        let (rest, game) = cut_chunk(rest, b"\",\"game\":\"").ok_or(EventError::Layout("`game` before `prev`"))?;
        let (body, by) = cut_back(rest, b",\"by\":\"").ok_or(EventError::Layout("`by` before `game`"))?;
        if !body.starts_with(b"{") {
            return Err(EventError::Layout("`body` is an object"));
        }
        if !(is_plain(at) && is_plain(by) && is_plain(type_name)) {
            return Err(NOT_PLAIN);
        }
        Ok(Self { at, body, by, game, prev, seq: parse_seq(seq)?, type_name })
    }
}

const NOT_PLAIN: EventError = EventError::Layout("only `body` holds more than plain ASCII");

/// Cuts `name` and the text after it, which has no quote, off the end.
fn cut_back<'a>(bytes: &'a [u8], name: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let len = bytes.iter().rev().position(|b| *b == b'"')?;
    let (rest, value) = bytes.split_at(bytes.len() - len);
    Some((rest.strip_suffix(name)?, value))
}

/// Cuts `name` and the text of a fixed length after it off the end.
fn cut_chunk<'a, const N: usize>(bytes: &'a [u8], name: &[u8]) -> Option<(&'a [u8], &'a [u8; N])> {
    let (rest, value) = bytes.split_last_chunk()?;
    Some((rest.strip_suffix(name)?, value))
}

/// Whether a member is printable ASCII without quotes, backslashes and spaces.
#[allow(clippy::needless_bitwise_bool, reason = "without branches the loop runs over many bytes at once")]
fn is_plain(bytes: &[u8]) -> bool {
    // Without a way out early, which keeps the loop free of branches.
    bytes.iter().fold(0, |other, b| other | u8::from(!matches!(b, 0x21 | 0x23..=0x5b | 0x5d..=0x7e))) == 0
}

fn text(bytes: &[u8]) -> Result<&str, EventError> {
    std::str::from_utf8(bytes).ok().filter(|text| is_plain(text.as_bytes())).ok_or(NOT_PLAIN)
}

/// Reads digits and nothing else.
fn parse_seq(digits: &[u8]) -> Result<u64, EventError> {
    let is_padded = digits.len() > 1 && digits[0] == b'0';
    let seq = digits.iter().fold(0_u64, |seq, digit| seq.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    if digits.is_empty() || is_padded || seq > canonical::INTEGER_MAX as u64 {
        return Err(EventError::Layout("`seq` is a number"));
    }
    Ok(seq)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Acted;

    fn sample() -> Event {
        Event {
            at: "2026-11-20T14:03:11.123Z".parse().unwrap(),
            by: By::Seat(1),
            log: "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5".parse().unwrap(),
            prev: Hash::of_event(b""),
            seq: 10,
            body: Body::Acted(Acted { action: "b1-b2".into(), clock_ms: Some(5), fair: false }),
        }
    }

    #[test]
    fn bytes_round_trip() {
        let bytes = sample().to_bytes().unwrap();
        assert_eq!(Event::parse(&bytes).unwrap(), sample());
    }

    #[test]
    fn any_flipped_bit_gives_another_event_or_none() {
        let bytes = sample().to_bytes().unwrap();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                if let Ok(event) = Event::parse(&flipped) {
                    assert_ne!(event, sample(), "byte {at} bit {bit}");
                    assert_eq!(event.to_bytes().unwrap(), flipped, "byte {at} bit {bit}");
                }
            }
        }
    }

    #[test]
    fn other_spellings_of_the_same_event_are_refused() {
        let text = String::from_utf8(sample().to_bytes().unwrap()).unwrap();
        for (from, to) in [
            ("\"seq\":10", "\"seq\":010"),
            ("\"seq\":10", "\"seq\": 10"),
            ("{\"action\":\"b1-b2\",\"clock_ms\":5}", "{\"clock_ms\":5,\"action\":\"b1-b2\"}"),
            ("\"b1-b2\"", "\"b1\\u002db2\""),
            ("\"v\":1", "\"v\":2"),
            ("acted", "danced"),
            ("seat:1", "seat:01"),
            ("\"clock_ms\":5", "\"clock_ms\":5.0"),
            ("\"clock_ms\":5", "\"clock_ms\":5,\"extra\":1"),
            ("\"clock_ms\":5", "\"clock_ms\":null"),
            ("\"clock_ms\":5", "\"clock_ms\":5,\"fair\":false"),
        ] {
            let other = text.replacen(from, to, 1);
            assert_ne!(other, text);
            assert!(Event::parse(other.as_bytes()).is_err(), "{other}");
        }
    }
}
