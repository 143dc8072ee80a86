//! Commitments to secret submissions: published now, opened later.
//!
//! `SHA-256("plybook/seal/v1" || 0 || log id (16 bytes) || by || 0 || salt (32 bytes) || content)`.
//!
//! The salt makes guessing pointless, however few contents are possible. The log's id and the submitter are
//! hashed too, so a commitment cannot be moved to another game or seat. The size of a commitment says nothing
//! about the size of the content.

use crate::{By, Hash, LogId};

/// The commitment to `content` by `by` in a log.
pub fn commitment(log: LogId, by: By, salt: &Hash, content: &str) -> Hash {
    let by = by.to_string();
    Hash::of_parts(&[b"plybook/seal/v1\0", &log.to_bytes(), by.as_bytes(), b"\0", &salt.0, content.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_in_it_counts() {
        let log = |n| LogId::from_bytes([n; 16]);
        let salt = |n| Hash([n; 32]);
        let of = commitment(log(1), By::Seat(1), &salt(1), "LUR");
        assert_eq!(of, commitment(log(1), By::Seat(1), &salt(1), "LUR"));
        assert_ne!(of, commitment(log(2), By::Seat(1), &salt(1), "LUR"));
        assert_ne!(of, commitment(log(1), By::Seat(2), &salt(1), "LUR"));
        assert_ne!(of, commitment(log(1), By::Seat(1), &salt(2), "LUR"));
        assert_ne!(of, commitment(log(1), By::Seat(1), &salt(1), "LU"));
    }
}
