//! A SHA-256 value, and the hash of an event.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// A SHA-256 value; written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

/// A hash is written as 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is 64 lower-case hex digits")]
pub struct HashError;

/// What is hashed before an event's bytes, so that no other text can pass for an event.
const EVENT_DOMAIN: &[u8] = b"plybook/event/v1\0";

impl Hash {
    /// `prev` of the first event of a log that does not fork.
    pub const ZERO: Self = Self([0; 32]);

    /// SHA-256 of `"plybook/event/v1"`, a zero byte and the event's exact bytes.
    pub fn of_event(bytes: &[u8]) -> Self {
        Self::of_parts(&[EVENT_DOMAIN, bytes])
    }

    /// SHA-256 of the parts, one after another, with nothing in between.
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut sha = Sha256::new();
        for part in parts {
            sha.update(part);
        }
        Self(sha.finalize().into())
    }

    /// The 64 hex digits as ASCII bytes.
    pub fn to_hex(self) -> [u8; 64] {
        // Arithmetic instead of a table: the compiler makes vectors of it.
        let digit = |n: u8| n + if n < 10 { b'0' } else { b'a' - 10 };
        let mut hex = [0; 64];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        hex
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.to_hex()).expect("hex digits are ASCII"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| HashError)?;
        let mut bytes = [0; 32];
        let mut seen = 0;
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let (high, low) = (digit(pair[0]), digit(pair[1]));
            seen |= high | low;
            *byte = high << 4 | (low & 15);
        }
        if seen > 15 {
            return Err(HashError);
        }
        Ok(Self(bytes))
    }
}

/// The value of a lower-case hex digit; 255 for anything else.
fn digit(b: u8) -> u8 {
    match b {
        b'0'..=b'9' => b - b'0',
        b'a'..=b'f' => b - b'a' + 10,
        _ => 255,
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_reads_back_and_nothing_else_is_a_digit() {
        for b in 0..=255 {
            let hash = Hash([b; 32]);
            assert_eq!(hash.to_string(), format!("{b:02x}").repeat(32));
            assert_eq!(hash.to_string().parse(), Ok(hash));
            let (high, low) = (b as char, format!("0{}", b as char));
            let is_digit = matches!(b, b'0'..=b'9' | b'a'..=b'f');
            assert_eq!(format!("{high}{}", "0".repeat(63)).parse::<Hash>().is_ok(), is_digit, "{b}");
            assert_eq!(format!("{}{low}", "0".repeat(62)).parse::<Hash>().is_ok(), is_digit, "{b}");
        }
        assert_eq!("0".repeat(63).parse::<Hash>(), Err(HashError));
        assert_eq!("0".repeat(65).parse::<Hash>(), Err(HashError));
    }
}
