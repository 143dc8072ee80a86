//! One event: what happened, in which log, after what.

use serde_json::Value;

use crate::canonical;
use crate::envelope::{Envelope, member, text};
use crate::error::{EVENT_BYTES_MAX, EventError};
use crate::{Body, By, Hash, LogId, RequestId, Signature, Timestamp, Who};

/// One immutable fact of a log.
///
/// Its bytes are canonical JSON with these members in this order: `at`, `body`, `by`, `game`,
/// `prev`, `request` if it is how a request with a key is recognised, `seq`, `signature` if a person signed it, `type`,
/// `v`, and `who` if a person caused it; see `FORMAT.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it was recorded; never before the previous event.
    pub at: Timestamp,
    /// The author.
    pub by: By,
    /// The log it belongs to; `game` in the bytes.
    pub log: LogId,
    /// The hash of the previous event; see [`Hash::ZERO`] for the first.
    pub prev: Hash,
    /// Its index in the log, from 0.
    pub seq: u64,
    /// What happened.
    pub body: Body,
    /// The person who caused it; `None` if it follows from another event, or nobody is known.
    pub who: Option<Who>,
    /// What the person who caused it signed; see [`Statement`](crate::Statement).
    pub signature: Option<Signature>,
    /// The request that wrote it, if that had an idempotency key; on one event of each such request.
    pub request: Option<RequestId>,
}

impl Event {
    /// The event's exact bytes.
    ///
    /// # Errors
    /// [`EventError::TooLarge`], or [`EventError::Canonical`] if a setup or a tag contains a value without
    /// canonical form.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EventError> {
        let mut out = Vec::with_capacity(320);
        out.extend_from_slice(b"{\"at\":\"");
        out.extend_from_slice(&self.at.to_text());
        out.extend_from_slice(b"\",\"body\":");
        canonical::write(&self.body, &mut out)?;
        let (by, log, prev) = (self.by.to_string(), self.log.to_text(), self.prev.to_hex());
        let place = [b",\"by\":\"", by.as_bytes(), b"\",\"game\":\"", &log, b"\",\"prev\":\"", &prev, b"\""];
        for part in place {
            out.extend_from_slice(part);
        }
        if let Some(request) = self.request {
            out.extend_from_slice(format!(",\"request\":\"{request}\"").as_bytes());
        }
        out.extend_from_slice(b",\"seq\":");
        out.extend_from_slice(itoa::Buffer::new().format(self.seq).as_bytes());
        if let Some(signature) = self.signature {
            out.extend_from_slice(format!(",\"signature\":\"{signature}\"").as_bytes());
        }
        let end = [b",\"type\":\"", self.body.type_name().as_bytes(), b"\",\"v\":1"];
        for part in end {
            out.extend_from_slice(part);
        }
        if let Some(who) = self.who {
            out.extend_from_slice(format!(",\"who\":\"{who}\"").as_bytes());
        }
        out.push(b'}');
        if out.len() > EVENT_BYTES_MAX { Err(EventError::TooLarge(out.len())) } else { Ok(out) }
    }

    /// Reads an event from its exact bytes, which must be in canonical form.
    ///
    /// # Errors
    /// The first thing wrong with the bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, EventError> {
        let envelope = Envelope::split(bytes)?;
        canonical::check(envelope.body)?;
        let refused = |member, why: String| EventError::Member { member, why };
        let body = Body::parse(envelope.type_name, envelope.body)
            .ok_or_else(|| refused("type", format!("{:?} is no type of event", envelope.type_name)))?
            .map_err(|why| refused("body", why.to_string()))?;
        Ok(Self {
            at: member("at", text(envelope.at)?)?,
            by: member("by", envelope.by)?,
            log: envelope.log()?,
            prev: envelope.prev()?,
            seq: envelope.seq,
            body,
            who: envelope.who.map(|who| member("who", who)).transpose()?,
            signature: envelope.signature.map(|signature| member("signature", signature)).transpose()?,
            request: envelope.request()?,
        })
    }

    /// The body as JSON.
    pub fn body_json(&self) -> Value {
        serde_json::to_value(&self.body).expect("a body is plain data")
    }
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
            who: Some("recorder:1a2b3c4d".parse().unwrap()),
            signature: Some(Signature { key: crate::PublicKey([0x5a; 32]), bytes: [0xc3; 64] }),
            request: Some("000102030405060708090a0b0c0d0e0f".parse().unwrap()),
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
            (":c3c3", ":C3c3"),
            (":c3c3", ":c3"),
            (":c3c3", "c3c3"),
            ("\"signature\":\"", "\"signature\":\"5"),
            ("\"signature\":", "\"signed\":"),
            ("0c0d0e0f\"", "0c0d0e0F\""),
            ("0c0d0e0f\"", "0c0d0e\""),
            ("\"request\":\"", "\"request\":\"0"),
            ("acted", "danced"),
            ("recorder:1a2b3c4d", "recorder:1A2b3c4d"),
            (",\"who\":\"recorder:1a2b3c4d\"", ",\"who\":null"),
            ("}", ",\"who\":\"operator\"}"),
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
