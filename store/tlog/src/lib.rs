//! The transparency log: a Merkle tree over the events of all logs, in the order of the journal.
//!
//! Anybody who keeps a signed [`Checkpoint`] of it can tell whether anything that it covers was changed, dropped or
//! inserted later. The tree is that of RFC 6962, and its files have the formats of <https://c2sp.org>
//! (`tlog-tiles`, `tlog-checkpoint`, `signed-note`, `tlog-cosignature`, `tlog-witness`), so that other programs can follow it.
//!
//! An entry is an event's exact bytes. This crate computes; where tiles are kept and who asks for them is told
//! elsewhere.
//!
//! ```
//! use plybook_tlog::{Builder, leaf_hash, verify_inclusion};
//!
//! let mut builder = Builder::default();
//! for event in ["a", "b", "c"] {
//!     builder.push(leaf_hash(event.as_bytes()), &mut ());
//! }
//! let path = ["a", "c"].map(|event| leaf_hash(event.as_bytes()));
//! verify_inclusion(builder.root(), 3, 1, b"b", &path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod checkpoint;
mod cosignature;
mod hash;
mod key;
mod note;
mod proof;
mod tile;
mod tree;
mod witness;

pub use builder::{Builder, Sink};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use cosignature::{Cosignature, Quorum, QuorumError};
pub use hash::{empty_root, leaf_hash, node_hash, perfect_hash};
pub use key::{CosigningKey, KeyError, PrivateKey, PublicKey, SigningKey, VerifierKey, WitnessKey};
pub use note::{NOTE_BYTES_MAX, Note, NoteError};
pub use proof::{ProofError, verify_consistency, verify_inclusion};
pub use tile::{TILE_WIDTH, Tile};
pub use tree::{Tiles, Tree, TreeError};
pub use witness::{AddCheckpoint, REQUEST_BYTES_MAX, Refusal};
