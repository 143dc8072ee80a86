//! Checkpoints: what the tree is at one size.
//!
//! # Source
//! <https://c2sp.org/tlog-checkpoint>

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use plybook_events::Hash;

use crate::{Note, NoteError, SigningKey, VerifierKey};

/// The number of leaves of a tree and its root. Signed, it is a [`Note`] of three lines: origin, size, root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which log it is of.
    pub origin: String,
    /// The number of leaves.
    pub size: u64,
    /// The root hash.
    pub root: Hash,
}

/// Why a note is not accepted as a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The note is not accepted.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The text is not that of a checkpoint.
    #[error("not a checkpoint: its text begins with three lines, origin, size and root")]
    Shape,
}

impl Checkpoint {
    /// The text that is signed.
    pub fn to_text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, BASE64.encode(self.root.0))
    }

    /// Signs it.
    pub fn sign(&self, keys: &[&SigningKey]) -> Note {
        Note::sign(self.to_text(), keys)
    }

    /// Reads the text of a note, signed or not.
    ///
    /// # Errors
    /// [`CheckpointError::Shape`].
    pub fn from_text(text: &str) -> Result<Self, CheckpointError> {
        let read = || {
            let mut lines = text.strip_suffix('\n')?.split('\n');
            let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
            let is_whole = !origin.is_empty() && lines.all(|line| !line.is_empty());
            let size: u64 = size.parse().ok().filter(|number: &u64| number.to_string() == size)?;
            let root: [u8; 32] = BASE64.decode(root).ok()?.try_into().ok()?;
            is_whole.then(|| Self { origin: origin.to_owned(), size, root: Hash(root) })
        };
        read().ok_or(CheckpointError::Shape)
    }

    /// Reads a signed checkpoint.
    ///
    /// # Errors
    /// It is not signed by the key, or is not a checkpoint.
    pub fn open(note: &str, key: &VerifierKey) -> Result<Self, CheckpointError> {
        let note: Note = note.parse()?;
        note.check(key)?;
        Self::from_text(note.text())
    }
}
