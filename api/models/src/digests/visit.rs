//! Visits: the entries of the index of positions.

/// A game came to a position, and did something there. Visits are ordered by position, word and game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Visit {
    /// The short key of the position.
    pub key: u64,
    /// The number of what was played there, in the dictionary of the kind.
    pub word: u32,
    /// The number of the game.
    pub number: u32,
}

/// The word of a game that stands in the position, or ended there.
pub(super) const NOTHING: u32 = 0;

impl Visit {
    /// How many bytes it takes in a file.
    pub const BYTES: usize = 16;

    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        (u128::from(self.key) << 64 | u128::from(self.word) << 32 | u128::from(self.number)).to_be_bytes()
    }

    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let bits = u128::from_be_bytes(bytes);
        Self { key: (bits >> 64) as u64, word: (bits >> 32) as u32, number: bits as u32 }
    }

    /// The visits of a position are from the first of these to the second.
    pub fn bounds(key: u64) -> [Self; 2] {
        [Self { key, word: 0, number: 0 }, Self { key, word: u32::MAX, number: u32::MAX }]
    }
}
