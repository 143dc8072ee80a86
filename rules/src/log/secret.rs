//! What the vault keeps for a log while it is secret, and its byte format.

use std::collections::BTreeMap;

use plybook_events::Hash;
use plybook_events::body::Seed;

/// Something that a log commits to but does not reveal yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Secret {
    /// The seed of the log's dice, kept as 32 bytes of seed and 32 bytes of salt.
    Seed(Seed),
    /// The opening of a commitment, kept as 32 bytes of salt and the content in UTF-8.
    Opening {
        /// The commitment.
        commitment: Hash,
        /// The salt.
        salt: Hash,
        /// The content.
        content: String,
    },
}

impl Secret {
    /// The vault's key for the seed.
    pub const SEED_KEY: &str = "seed";

    /// What the vault keeps instead of the seed of a log that was recorded elsewhere: the recorder has
    /// the seed.
    pub const ELSEWHERE: &[u8] = b"";

    /// The vault's key for the opening of a commitment.
    pub fn opening_key(commitment: &Hash) -> String {
        format!("seal:{}", &commitment.to_string()[..32])
    }

    /// The key that the vault keeps it under.
    pub fn key(&self) -> String {
        match self {
            Self::Seed(_) => Self::SEED_KEY.to_owned(),
            Self::Opening { commitment, .. } => Self::opening_key(commitment),
        }
    }

    /// Reads a seed in the vault's format.
    pub fn read_seed(kept: &[u8]) -> Option<Seed> {
        let (seed, salt) = kept.split_first_chunk()?;
        Some(Seed { seed: Hash(*seed), salt: Hash(salt.try_into().ok()?) })
    }

    /// Reads the salt and content of an opening in the vault's format.
    pub fn read_opening(kept: &[u8]) -> Option<(Hash, String)> {
        let (salt, content) = kept.split_first_chunk()?;
        Some((Hash(*salt), String::from_utf8(content.to_vec()).ok()?))
    }

    /// Adds it to what the vault must keep.
    pub(super) fn keep(self, kept: &mut BTreeMap<String, Vec<u8>>) {
        let key = self.key();
        let bytes = match self {
            Self::Seed(seed) => [seed.seed.0, seed.salt.0].concat(),
            Self::Opening { salt, content, .. } => [&salt.0[..], content.as_bytes()].concat(),
        };
        kept.insert(key, bytes);
    }
}
