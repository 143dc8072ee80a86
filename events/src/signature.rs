//! Signatures of events: what a person signs, with which key, and how it is verified.

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::{Signer, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canonical::{self, CanonicalError};
use crate::{Body, By, Event, Hash, LogId};

/// Signed before a statement, so that no other text can pass for one.
const DOMAIN: &[u8] = b"plybook/signature/v1\0";

/// The prime of the field of Ed25519, 2^255 - 19, little-endian.
const FIELD_PRIME: [u8; 32] = {
    let mut prime = [0xff; 32];
    (prime[0], prime[31]) = (0xed, 0x7f);
    prime
};

/// An Ed25519 public key; written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublicKey(pub [u8; 32]);

/// An Ed25519 private key. It is never written, and erased when it is dropped.
pub struct PrivateKey(ed25519_dalek::SigningKey);

/// A public key and what it signed; written as the 64 hex digits of the key, a colon and the 128 of the signature.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The key that signed.
    pub key: PublicKey,
    /// R and S, 32 bytes each, as in RFC 8032.
    pub bytes: [u8; 64],
}

crate::as_text!(PublicKey, Signature);

/// What a person signs: the members of an event that say what was done, by whom, and after what.
///
/// ```
/// use plybook_events::{By, Hash, LogId, PrivateKey, Statement};
/// let statement = Statement {
///     body: serde_json::from_str(r#"{"action":"b1-b2"}"#)?,
///     by: By::Seat(1),
///     log: LogId::from_bytes([1; 16]),
///     prev: Hash::ZERO,
///     seq: 7,
///     type_name: "acted".to_owned(),
/// };
/// let signature = statement.sign(&PrivateKey::from_seed(&[9; 32]))?;
/// assert!(statement.is_signed_by(&signature));
/// assert!(!Statement { seq: 8, ..statement }.is_signed_by(&signature));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The body, without `seed`, which the service publishes.
    pub body: Map<String, Value>,
    /// The author.
    pub by: By,
    /// The log; `game` in the bytes.
    #[serde(rename = "game")]
    pub log: LogId,
    /// The hash of the event that it follows; see [`Place`].
    pub prev: Hash,
    /// One more than the seq of that event.
    pub seq: u64,
    /// The type of the event; `type` in the bytes.
    #[serde(rename = "type")]
    pub type_name: String,
}

/// Where in a log a person does something: the event's own `seq` and `prev`, or, if `revealed` events stand directly before
/// it, those of the first of them. What the end of a game reveals comes between the log that a person has seen and what
/// that person signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The seq.
    pub seq: u64,
    /// The hash of the event before.
    pub prev: Hash,
}

/// The text is no key or no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// Not the digits of a key.
    #[error("a public key is 64 lower-case hex digits")]
    Key,
    /// Not a key and a signature.
    #[error("a signature is the 64 lower-case hex digits of the public key, a colon, and its own 128")]
    Signature,
    /// A signature, but not over this.
    #[error("the signature is not of this event: another log, place, author or body was signed, or with another key")]
    Other,
}

impl Event {
    /// What the signer of this event signs, if its place is `place`.
    pub fn statement(&self, place: Place) -> Statement {
        let Value::Object(mut body) = self.body_json() else { unreachable!("a body is an object") };
        body.remove("seed");
        let type_name = self.body.type_name().to_owned();
        Statement { body, by: self.by, log: self.log, prev: place.prev, seq: place.seq, type_name }
    }

    /// Checks the signature, if there is one.
    ///
    /// # Errors
    /// [`SignatureError::Other`].
    pub fn check_signature(&self, place: Place) -> Result<(), SignatureError> {
        let is_right = |signature| self.statement(place).is_signed_by(signature);
        if self.signature.as_ref().is_none_or(is_right) { Ok(()) } else { Err(SignatureError::Other) }
    }
}

impl Place {
    /// The place of an event that comes after these `revealed` events, of which the place of the first is given.
    pub fn of(event: &Event, revealing: Option<Self>) -> Self {
        revealing.unwrap_or(Self { seq: event.seq, prev: event.prev })
    }

    /// What the next event has to know of the `revealed` events before it, if this is the place of `event`.
    pub fn revealing(self, event: &Event) -> Option<Self> {
        matches!(event.body, Body::Revealed(_)).then_some(self)
    }
}

impl Statement {
    /// The bytes that are signed: `"plybook/signature/v1"`, a zero byte and the canonical JSON of the statement.
    ///
    /// # Errors
    /// The body has no canonical form.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CanonicalError> {
        let Value::Object(members) = serde_json::to_value(self).expect("a statement is plain data") else {
            unreachable!("a struct is an object")
        };
        let mut bytes = DOMAIN.to_vec();
        for (index, (name, value)) in members.iter().enumerate() {
            bytes.extend_from_slice(if index == 0 { b"{" } else { b"," });
            canonical::write_string(name, &mut bytes);
            bytes.push(b':');
            // The body has depth 0, as in an event.
            canonical::write(value, &mut bytes)?;
        }
        bytes.push(b'}');
        Ok(bytes)
    }

    /// Signs it.
    ///
    /// # Errors
    /// As for [`Statement::to_bytes`].
    pub fn sign(&self, key: &PrivateKey) -> Result<Signature, CanonicalError> {
        Ok(Signature { key: key.public(), bytes: key.0.sign(&self.to_bytes()?).to_bytes() })
    }

    /// Whether a signature is of this statement. Keys that are not canonical or of small order, for which others could
    /// sign, have signed nothing.
    ///
    /// # Source
    /// RFC 8032, section 5.1.7, with the strict choices of <https://hdevalence.ca/blog/2020-10-04-its-25519am>.
    pub fn is_signed_by(&self, signature: &Signature) -> bool {
        let Ok(message) = self.to_bytes() else { return false };
        let Some(key) = signature.key.verifying() else { return false };
        key.verify_strict(&message, &ed25519_dalek::Signature::from_bytes(&signature.bytes)).is_ok()
    }
}

impl PublicKey {
    /// Whether it is a key at all: a point of the curve in its one spelling, and not of small order.
    pub fn is_valid(&self) -> bool {
        self.verifying().is_some()
    }

    fn verifying(&self) -> Option<VerifyingKey> {
        let mut y = self.0;
        y[31] &= 0x7f;
        let is_canonical = y.iter().rev().lt(FIELD_PRIME.iter().rev());
        VerifyingKey::from_bytes(&self.0).ok().filter(|key| is_canonical && !key.is_weak())
    }
}

impl PrivateKey {
    /// The key with this seed: 32 bytes that nobody can guess.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    /// The public key that belongs to it.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PublicKey {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Self, SignatureError> {
        digits(text).map(Self).ok_or(SignatureError::Key)
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey of {}", self.public())
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.key)?;
        write_hex(f, &self.bytes)
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Signature {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Self, SignatureError> {
        let (key, bytes) = text.split_once(':').ok_or(SignatureError::Signature)?;
        let key = digits(key).map(PublicKey).ok_or(SignatureError::Signature)?;
        Ok(Self { key, bytes: digits(bytes).ok_or(SignatureError::Signature)? })
    }
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// Reads exactly so many bytes in lower-case hex.
fn digits<const N: usize>(text: &str) -> Option<[u8; N]> {
    let is_plain = text.len() == 2 * N && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let mut bytes = [0; N];
    const_hex::decode_to_slice(text, &mut bytes).ok().filter(|()| is_plain).map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Ended, Seed};
    use crate::{Decider, Outcome, Timestamp};

    fn statement() -> Statement {
        Statement {
            body: serde_json::from_str(r#"{"b":[1],"a":"é"}"#).unwrap(),
            by: By::Seat(2),
            log: "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5".parse().unwrap(),
            prev: Hash::of_event(b""),
            seq: 12,
            type_name: "acted".to_owned(),
        }
    }

    fn signed() -> (Statement, Signature) {
        let statement = statement();
        let signature = statement.sign(&PrivateKey::from_seed(&[7; 32])).unwrap();
        (statement, signature)
    }

    #[test]
    fn any_other_statement_is_not_signed() {
        let (statement, signature) = signed();
        assert!(statement.is_signed_by(&signature));
        let other = |change: &dyn Fn(&mut Statement)| {
            let mut other = statement.clone();
            change(&mut other);
            assert!(!other.is_signed_by(&signature), "{other:?}");
        };
        other(&|other| other.seq += 1);
        other(&|other| other.prev = Hash::ZERO);
        other(&|other| other.by = By::Seat(1));
        other(&|other| other.log = LogId::from_bytes([1; 16]));
        other(&|other| other.type_name = "sealed".to_owned());
        other(&|other| _ = other.body.remove("a"));
    }

    #[test]
    fn any_flipped_bit_of_a_signature_is_found() {
        let (statement, signature) = signed();
        for bit in 0..96 * 8 {
            let mut other = signature;
            let (byte, mask) = (bit / 8, 1 << (bit % 8));
            if byte < 32 {
                other.key.0[byte] ^= mask;
            } else {
                other.bytes[byte - 32] ^= mask;
            }
            assert!(!statement.is_signed_by(&other), "bit {bit}");
        }
    }

    /// With a key of small order, the signature of zeros fits any message under lax verifiers.
    #[test]
    fn keys_that_sign_for_anybody_sign_nothing() {
        let identity = {
            let mut y = [0; 32];
            y[0] = 1;
            y
        };
        let order_four = [0; 32];
        let minus_one = {
            let mut y = FIELD_PRIME;
            y[0] -= 1;
            y
        };
        let above_prime = {
            let mut y = FIELD_PRIME;
            y[0] += 1;
            y
        };
        for key in [identity, order_four, minus_one, above_prime, FIELD_PRIME, [0xff; 32]] {
            let mut bytes = [0; 64];
            bytes[..32].copy_from_slice(&identity);
            let signature = Signature { key: PublicKey(key), bytes };
            assert!(!signature.key.is_valid() && !statement().is_signed_by(&signature), "{key:?}");
        }
    }

    #[test]
    fn the_seed_that_the_service_publishes_is_not_signed() {
        let seed = Seed { seed: Hash::ZERO, salt: Hash::ZERO };
        let outcome = Outcome::win(vec![1], "resignation");
        let mut event = Event {
            at: Timestamp::from_millis(0).unwrap(),
            by: By::Seat(2),
            log: LogId::from_bytes([1; 16]),
            prev: Hash::ZERO,
            seq: 9,
            body: Body::Ended(Ended { decided_by: Decider::Resignation, outcome, seed: None }),
            who: None,
            signature: None,
            request: None,
        };
        let place = Place { seq: 7, prev: Hash::of_event(b"") };
        let statement = event.statement(place);
        event.signature = Some(statement.sign(&PrivateKey::from_seed(&[3; 32])).unwrap());
        let Body::Ended(ended) = &mut event.body else { unreachable!() };
        ended.seed = Some(seed);
        assert_eq!(event.check_signature(place), Ok(()));
        assert_eq!(event.check_signature(Place { seq: 9, ..place }), Err(SignatureError::Other));
        assert_eq!(Event::parse(&event.to_bytes().unwrap()).unwrap(), event);
    }

    #[test]
    fn there_is_one_spelling() {
        let (_, signature) = signed();
        let text = signature.to_string();
        assert_eq!(text.parse(), Ok(signature));
        let (key, rest) = text.split_once(':').unwrap();
        for other in ["", key, &text.to_uppercase(), &format!("{rest}:{key}"), &format!("{text}0"), &text[1..]] {
            assert_eq!(other.parse::<Signature>(), Err(SignatureError::Signature), "{other}");
        }
        assert_eq!(key.to_uppercase().parse::<PublicKey>(), Err(SignatureError::Key));
    }
}
