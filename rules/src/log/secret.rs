//! What the vault keeps of a log while it is secret, and the bytes it is kept as.

use std::collections::BTreeMap;

use plybook_events::Hash;
use plybook_events::body::Seed;

/// Something that a log commits to and does not say yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Secret {
    /// The seed of the log's dice. Kept as 32 bytes of seed and 32 of salt.
    Seed(Seed),
    /// The opening of a commitment. Kept as 32 bytes of salt and the content in UTF-8.
    Opening {
        /// The commitment.
        commitment: Hash,
        /// Its salt.
        salt: Hash,
        /// What it commits to.
        content: String,
    },
}

impl Secret {
    /// The vault's key of the seed.
    pub const SEED_KEY: &str = "seed";

    /// The vault's key of the opening of a commitment.
    pub fn opening_key(commitment: &Hash) -> String {
        format!("seal:{}", &commitment.to_string()[..32])
    }

    /// The vault's key.
    pub fn key(&self) -> String {
        match self {
            Self::Seed(_) => Self::SEED_KEY.to_owned(),
            Self::Opening { commitment, .. } => Self::opening_key(commitment),
        }
    }

    /// Reads a seed as the vault keeps it.
    pub fn read_seed(kept: &[u8]) -> Option<Seed> {
        let (seed, salt) = kept.split_first_chunk()?;
        Some(Seed { seed: Hash(*seed), salt: Hash(salt.try_into().ok()?) })
    }

    /// Reads the salt and the content of an opening as the vault keeps them.
    pub fn read_opening(kept: &[u8]) -> Option<(Hash, String)> {
        let (salt, content) = kept.split_first_chunk()?;
        Some((Hash(*salt), String::from_utf8(content.to_vec()).ok()?))
    }

    /// Adds it to what the vault has to keep.
    pub(super) fn keep(self, kept: &mut BTreeMap<String, Vec<u8>>) {
        let key = self.key();
        let bytes = match self {
            Self::Seed(seed) => [seed.seed.0, seed.salt.0].concat(),
            Self::Opening { salt, content, .. } => [&salt.0[..], content.as_bytes()].concat(),
        };
        kept.insert(key, bytes);
    }
}
