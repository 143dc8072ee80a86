//! The envelope of an event: the members around its body, without reading the body.

use std::fmt::Display;
use std::str::FromStr;

use crate::canonical;
use crate::error::{EVENT_BYTES_MAX, EventError};
use crate::{Hash, LogId, RequestId};

/// The length of a timestamp, in bytes.
const AT_LEN: usize = 24;

/// The length of a log's id, in bytes.
const GAME_LEN: usize = 36;

/// The length of a signature: the digits of a key, a colon, and its own.
const SIGNATURE_LEN: usize = 64 + 1 + 128;

/// The number of digits of a hash.
const PREV_LEN: usize = 64;

/// When an event was recorded, as text from its bytes, which sorts by time.
pub type AtText = [u8; AT_LEN];

/// The members of an event, borrowed from its bytes.
///
/// Splitting checks the layout: the members in their order, and that everything but the body is plain
/// ASCII. It checks neither that the body is canonical nor that the members mean anything, and takes a small
/// part of the time that hashing the event takes.
///
/// ```
/// # use plybook_events::{Body, By, Envelope, Event, Hash, LogId, Timestamp, body::Acted};
/// # let event = Event {
/// #     at: Timestamp::from_millis(0)?,
/// #     by: By::Seat(1),
/// #     log: LogId::from_bytes([1; 16]),
/// #     prev: Hash::ZERO,
/// #     seq: 7,
/// #     body: Body::Acted(Acted { action: "b1-b2".into(), clock_ms: None, fair: false }),
/// #     who: None,
/// #     signature: None,
/// #     request: None,
/// # };
/// let bytes = event.to_bytes()?;
/// let envelope = Envelope::split(&bytes)?;
/// assert_eq!((envelope.log()?, envelope.seq, envelope.prev()?), (event.log, 7, Hash::ZERO));
/// assert_eq!((envelope.type_name, envelope.body), ("acted", &br#"{"action":"b1-b2"}"#[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Envelope<'a> {
    /// The text of `at`.
    pub at: &'a AtText,
    /// The bytes of `body`: starts with a brace, otherwise unchecked.
    pub body: &'a [u8],
    /// The text of `by`.
    pub by: &'a str,
    /// The text of `game`; [`log`](Self::log) reads it.
    pub(crate) game: &'a [u8; GAME_LEN],
    /// The text of `prev`; [`prev`](Self::prev) reads it.
    pub(crate) prev: &'a [u8; PREV_LEN],
    /// The value of `seq`.
    pub seq: u64,
    /// The text of `type`.
    pub type_name: &'a str,
    /// The text of `who`, if it is there.
    pub who: Option<&'a str>,
    /// The text of `signature`, if it is there.
    pub signature: Option<&'a str>,
    /// The text of `request`, if it is there; [`request`](Self::request) reads it.
    pub(crate) request: Option<&'a [u8; RequestId::LEN]>,
}

impl<'a> Envelope<'a> {
    /// Takes the bytes of an event apart: `at` from the front, and what follows the body from the back, where
    /// no member can contain a quote.
    ///
    /// # Errors
    /// [`EventError::TooLarge`] or [`EventError::Layout`].
    pub fn split(bytes: &'a [u8]) -> Result<Self, EventError> {
        if bytes.len() > EVENT_BYTES_MAX {
            return Err(EventError::TooLarge(bytes.len()));
        }
        let rest = bytes.strip_prefix(Self::START).ok_or(EventError::Layout("it starts with `at`"))?;
        let (at, rest) = rest.split_first_chunk().ok_or(EventError::Layout("`at` has 24 characters"))?;
        let rest = rest.strip_prefix(b"\",\"body\":").ok_or(EventError::Layout("`body` follows `at`"))?;
        let (rest, who) = cut_end(rest).ok_or(EventError::Layout("it ends with version 1, or `who` after it"))?;
        let (rest, type_name) = cut_back(rest, b",\"type\":\"").ok_or(EventError::Layout("`type` before `v`"))?;
        let (rest, signature) = cut_signature(rest);
        let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (rest, seq) = rest.split_at(rest.len() - digits);
        let rest = rest
            .strip_suffix(b"\",\"seq\":")
            .ok_or(EventError::Layout("`seq` before `type`, with at most `signature` between them"))?;
        let (rest, request) =
            cut_chunk(rest, b"\",\"request\":\"").map_or((rest, None), |(rest, request)| (rest, Some(request)));
        let (rest, prev) = cut_chunk(rest, b"\",\"prev\":\"")
            .ok_or(EventError::Layout("`prev` before `seq`, with at most `request` between them"))?;
        let (rest, game) = cut_chunk(rest, b"\",\"game\":\"").ok_or(EventError::Layout("`game` before `prev`"))?;
        let (body, by) = cut_back(rest, b",\"by\":\"").ok_or(EventError::Layout("`by` before `game`"))?;
        if !body.starts_with(b"{") {
            return Err(EventError::Layout("`body` is an object"));
        }
        if !is_plain(at) {
            return Err(NOT_PLAIN);
        }
        let seq = parse_seq(seq)?;
        Ok(Self {
            at,
            body,
            by: text(by)?,
            game,
            prev,
            seq,
            type_name: text(type_name)?,
            who: who.map(text).transpose()?,
            signature: signature.map(text).transpose()?,
            request,
        })
    }

    /// How the bytes of an event start.
    pub const START: &'static [u8] = b"{\"at\":\"";

    /// What follows `type`, without the brace that ends the event or `who`.
    const VERSION: &'static [u8] = b"\",\"v\":1";

    /// Whether bytes start and end like an event, whatever is in between.
    pub fn fits(bytes: &[u8]) -> bool {
        bytes.starts_with(Self::START) && cut_end(bytes).is_some()
    }

    /// The text of `at`, without splitting the rest.
    pub fn at_of(bytes: &[u8]) -> Option<&AtText> {
        bytes.strip_prefix(Self::START)?.first_chunk()
    }

    /// The log it belongs to.
    ///
    /// # Errors
    /// [`EventError::Member`].
    pub fn log(&self) -> Result<LogId, EventError> {
        member("game", text(self.game)?)
    }

    /// The request that wrote it, if it says so.
    ///
    /// # Errors
    /// [`EventError::Member`].
    pub fn request(&self) -> Result<Option<RequestId>, EventError> {
        self.request.map(|request| member("request", text(request)?)).transpose()
    }

    /// The hash of the previous event.
    ///
    /// # Errors
    /// [`EventError::Member`].
    pub fn prev(&self) -> Result<Hash, EventError> {
        member("prev", text(self.prev)?)
    }
}

/// Reads the value of a member.
pub(crate) fn member<T: FromStr<Err: Display>>(member: &'static str, text: &str) -> Result<T, EventError> {
    text.parse().map_err(|why: T::Err| EventError::Member { member, why: why.to_string() })
}

const NOT_PLAIN: EventError = EventError::Layout("only `body` holds more than plain ASCII");

/// Cuts the version and what follows it off the end, and returns the text of `who`, if it is there.
fn cut_end(bytes: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let rest = bytes.strip_suffix(b"}")?;
    if let Some(rest) = rest.strip_suffix(Envelope::VERSION) {
        return Some((rest, None));
    }
    let (rest, who) = cut_back(rest.strip_suffix(b"\"")?, b",\"who\":\"")?;
    Some((rest.strip_suffix(Envelope::VERSION)?, Some(who)))
}

/// Cuts the signature off the end, if it is there.
fn cut_signature(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    let signed = bytes.strip_suffix(b"\"").and_then(|rest| cut_chunk::<SIGNATURE_LEN>(rest, b",\"signature\":\""));
    signed.map_or((bytes, None), |(rest, signature)| (rest, Some(signature)))
}

/// Cuts `name` and the text after it, which contains no quote, off the end.
fn cut_back<'a>(bytes: &'a [u8], name: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let len = bytes.iter().rev().position(|b| *b == b'"')?;
    let (rest, value) = bytes.split_at(bytes.len() - len);
    Some((rest.strip_suffix(name)?, value))
}

/// Cuts `name` and the text of fixed length after it off the end.
fn cut_chunk<'a, const N: usize>(bytes: &'a [u8], name: &[u8]) -> Option<(&'a [u8], &'a [u8; N])> {
    let (rest, value) = bytes.split_last_chunk()?;
    Some((rest.strip_suffix(name)?, value))
}

/// Whether a member is printable ASCII without quotes, backslashes and spaces.
#[allow(clippy::needless_bitwise_bool, reason = "without branches the loop runs over many bytes at once")]
fn is_plain(bytes: &[u8]) -> bool {
    // Without an early return, which keeps the loop free of branches.
    bytes.iter().fold(0, |other, b| other | u8::from(!matches!(b, 0x21 | 0x23..=0x5b | 0x5d..=0x7e))) == 0
}

pub(crate) fn text(bytes: &[u8]) -> Result<&str, EventError> {
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
