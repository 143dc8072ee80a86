//! How a table can tell whether it is whole.

use plybook_events::Hash;

/// What a table knows of itself: 8 bytes position, 8 bytes count, 16 bytes sum, big-endian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// The journal position applied: of the next event to apply.
    pub position: u64,
    /// How many rows there are.
    pub rows: u64,
    /// The sum of the rows' hashes.
    pub sum: u128,
}

impl Totals {
    /// The position of a table that is being cleared.
    pub const CLEARING: u64 = u64::MAX;

    /// Takes a row in.
    pub fn add(&mut self, key: &[u8], value: &[u8]) {
        self.rows = self.rows.wrapping_add(1);
        self.sum = self.sum.wrapping_add(row_hash(key, value));
    }

    /// Takes a row out.
    pub fn subtract(&mut self, key: &[u8], value: &[u8]) {
        self.rows = self.rows.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(row_hash(key, value));
    }

    pub fn to_bytes(self) -> Vec<u8> {
        let sum = self.sum.to_be_bytes();
        [&self.position.to_be_bytes()[..], &self.rows.to_be_bytes(), &sum].concat()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (position, rest) = bytes.split_first_chunk()?;
        let (rows, sum) = rest.split_first_chunk()?;
        Some(Self {
            position: u64::from_be_bytes(*position),
            rows: u64::from_be_bytes(*rows),
            sum: u128::from_be_bytes(sum.try_into().ok()?),
        })
    }
}

fn row_hash(key: &[u8], value: &[u8]) -> u128 {
    let Hash(hash) = Hash::of_parts(&[&(key.len() as u64).to_be_bytes(), key, value]);
    u128::from_be_bytes(hash[..16].try_into().expect("16 of 32 bytes"))
}
