//! The hashes of leaves and nodes.
//!
//! # Source
//! RFC 6962, section 2.1.

use plybook_events::Hash;

/// The root of a tree without leaves.
pub fn empty_root() -> Hash {
    Hash::of_parts(&[])
}

/// The hash of an entry: SHA-256 of a zero byte and the entry.
pub fn leaf_hash(entry: &[u8]) -> Hash {
    Hash::of_parts(&[&[0], entry])
}

/// The hash of two subtrees: SHA-256 of a byte 1 and both hashes.
pub fn node_hash(left: Hash, right: Hash) -> Hash {
    Hash::of_parts(&[&[1], &left.0, &right.0])
}

/// The hash over neighbouring subtrees of the same size, whose number is a power of two; so, over the hashes of a full tile, its
/// hash in the tile above.
pub fn perfect_hash(hashes: &[Hash]) -> Hash {
    let mut level = hashes.to_vec();
    while level.len() > 1 {
        level = level.chunks_exact(2).map(|pair| node_hash(pair[0], pair[1])).collect();
    }
    level.first().copied().unwrap_or_else(empty_root)
}
