//! A SHA-256 value, and the hash of an event.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// A SHA-256 value; written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

crate::as_text!(Hash);

/// Hashes are written as 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is 64 lower-case hex digits")]
pub struct HashError;

/// Hashed before an event's bytes, so that no other text can pass for an event.
const EVENT_DOMAIN: &[u8] = b"plybook/event/v1\0";

impl Hash {
    /// `prev` of the first event of a log that does not fork.
    pub const ZERO: Self = Self([0; 32]);

    /// SHA-256 of `"plybook/event/v1"`, a zero byte and the event's exact bytes.
    pub fn of_event(bytes: &[u8]) -> Self {
        Self::of_parts(&[EVENT_DOMAIN, bytes])
    }

    /// SHA-256 of the concatenated parts.
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut sha = Sha256::new();
        for part in parts {
            sha.update(part);
        }
        Self(sha.finalize().into())
    }

    /// The 64 hex digits as ASCII bytes.
    pub fn to_hex(self) -> [u8; 64] {
        let mut hex = [0; 64];
        const_hex::encode_to_slice(self.0, &mut hex).expect("two digits a byte");
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
        let mut bytes = [0; 32];
        // The decoder takes a prefix and upper case as well. A fold looks at many letters at once.
        let is_ours = text.len() == 64 && !text.bytes().fold(false, |any, b| any | b.is_ascii_uppercase());
        match const_hex::decode_to_slice(text, &mut bytes) {
            Ok(()) if is_ours => Ok(Self(bytes)),
            _ => Err(HashError),
        }
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
        for digits in [62, 64] {
            assert_eq!(format!("0x{}", "0".repeat(digits)).parse::<Hash>(), Err(HashError));
        }
    }
}
