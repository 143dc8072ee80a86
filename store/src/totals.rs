//! How a keyspace knows whether it is complete.

use plybook_events::Hash;

/// What a keyspace knows about itself: 8 bytes position, 8 bytes count, 16 bytes sum, big-endian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// The journal position of the next event to apply.
    pub position: u64,
    /// The number of pairs.
    pub pairs: u64,
    /// The sum of the pairs' hashes.
    pub sum: u128,
}

impl Totals {
    /// The position of a keyspace that is being cleared.
    pub const CLEARING: u64 = u64::MAX;

    /// Adds a pair.
    pub fn add(&mut self, key: &[u8], value: &[u8]) {
        self.pairs = self.pairs.wrapping_add(1);
        self.sum = self.sum.wrapping_add(pair_hash(key, value));
    }

    /// Subtracts a pair.
    pub fn subtract(&mut self, key: &[u8], value: &[u8]) {
        self.pairs = self.pairs.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(pair_hash(key, value));
    }

    pub fn to_bytes(self) -> Vec<u8> {
        let sum = self.sum.to_be_bytes();
        [&self.position.to_be_bytes()[..], &self.pairs.to_be_bytes(), &sum].concat()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (position, rest) = bytes.split_first_chunk()?;
        let (pairs, sum) = rest.split_first_chunk()?;
        Some(Self {
            position: u64::from_be_bytes(*position),
            pairs: u64::from_be_bytes(*pairs),
            sum: u128::from_be_bytes(sum.try_into().ok()?),
        })
    }
}

fn pair_hash(key: &[u8], value: &[u8]) -> u128 {
    let Hash(hash) = Hash::of_parts(&[&(key.len() as u64).to_be_bytes(), key, value]);
    u128::from_be_bytes(hash[..16].try_into().expect("16 of 32 bytes"))
}
