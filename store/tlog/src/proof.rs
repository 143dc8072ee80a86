//! Checking proofs.

use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};
use plybook_events::Hash;
use sha2::Sha256;

/// A proof does not prove what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The entry is not at that place in that tree.
    #[error("the proof does not lead from the entry to the root of the tree")]
    Inclusion,
    /// The smaller tree is not the beginning of the larger one: history was changed.
    #[error("the smaller tree is not the beginning of the larger one")]
    Consistency,
}

/// Checks that the tree with this root and number of leaves has `entry` at `index`; `path` holds the hashes from the
/// leaf's sibling upwards.
///
/// # Errors
/// It does not, or the proof is not for this tree.
///
/// # Source
/// RFC 6962, section 2.1.1.
pub fn verify_inclusion(root: Hash, size: u64, index: u64, entry: &[u8], path: &[Hash]) -> Result<(), ProofError> {
    let proof = InclusionProof::try_from_bytes(joined(path)).map_err(|_| ProofError::Inclusion)?;
    // The crate numbers nodes in 64 bits and panics beyond.
    if index >= size || size > 1 << 62 {
        return Err(ProofError::Inclusion);
    }
    tree_head(root, size).verify_inclusion(&entry, index, &proof).map_err(|_| ProofError::Inclusion)
}

/// Checks that a tree of `from` leaves with the root `old` is the beginning of one of `to` leaves with the root `new`.
/// A tree without leaves is the beginning of every other.
///
/// # Errors
/// It is not, or the proof is not for these trees.
///
/// # Source
/// RFC 6962, section 2.1.2.
pub fn verify_consistency(from: u64, old: Hash, to: u64, new: Hash, path: &[Hash]) -> Result<(), ProofError> {
    if from == 0 {
        let is_empty = old == crate::empty_root() && path.is_empty() && (to > 0 || new == old);
        return if is_empty { Ok(()) } else { Err(ProofError::Consistency) };
    }
    if from > to || to > 1 << 62 {
        return Err(ProofError::Consistency);
    }
    let proof = ConsistencyProof::try_from_bytes(joined(path)).map_err(|_| ProofError::Consistency)?;
    let checked = tree_head(new, to).verify_consistency(&tree_head(old, from), &proof);
    checked.map_err(|_| ProofError::Consistency)
}

fn tree_head(root: Hash, size: u64) -> RootHash<Sha256> {
    RootHash::new(root.0.into(), size)
}

fn joined(path: &[Hash]) -> Vec<u8> {
    path.iter().flat_map(|hash| hash.0).collect()
}
