//! The pictures drawn last.

use std::time::SystemTime;

use actix_web::web::Bytes;
use plybook_events::Hash;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// The most bytes of all pictures that are kept, and those of a usual one.
const BYTES_MAX: u64 = 16 << 20;
const BYTES_USUAL: u64 = 64 << 10;

/// The pictures that were asked for last.
pub struct Pictures {
    /// When the process began: another program may draw the same position differently.
    process: String,
    /// By what they depend on.
    kept: Cache<Hash, Bytes, Weight>,
}

#[derive(Clone)]
struct Weight;

impl Weighter<Hash, Bytes> for Weight {
    fn weight(&self, _: &Hash, picture: &Bytes) -> u64 {
        picture.len() as u64
    }
}

impl Pictures {
    pub(super) fn new() -> Self {
        let begun = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self {
            process: begun.as_nanos().to_string(),
            kept: Cache::with_weighter((BYTES_MAX / BYTES_USUAL) as usize, BYTES_MAX, Weight),
        }
    }

    /// What stands for a picture that this process draws of these parts and nothing else.
    pub fn basis(&self, parts: &[&str]) -> Hash {
        Hash::of_parts(&[self.process.as_bytes(), b"\0", parts.join("\0").as_bytes()])
    }

    /// The picture, if it is kept.
    pub fn get(&self, basis: Hash) -> Option<Bytes> {
        self.kept.get(&basis)
    }

    /// Keeps a picture, for as long as there is room.
    pub fn keep(&self, basis: Hash, picture: Bytes) {
        self.kept.insert(basis, picture);
    }
}
