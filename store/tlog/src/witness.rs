//! What a log and a witness say to each other, and how a witness judges a checkpoint.
//!
//! # Source
//! <https://c2sp.org/tlog-witness>

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use plybook_events::Hash;

use crate::{Checkpoint, NOTE_BYTES_MAX, Note, NoteError, VerifierKey, empty_root, verify_consistency};

/// The most hashes of a consistency proof.
const PROOF_HASHES_MAX: usize = 63;

/// The most bytes of a request: those of a note, and of the lines above it.
pub const REQUEST_BYTES_MAX: usize = NOTE_BYTES_MAX + 4096;

/// The body of a request `add-checkpoint`: a checkpoint to cosign, and the proof that it goes on from the last one that
/// the witness has cosigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size of the tree that the witness has cosigned last; 0 if none.
    pub old_size: u64,
    /// The consistency proof from there.
    pub proof: Vec<Hash>,
    /// The checkpoint, signed by the log.
    pub note: Note,
}

/// Why a witness does not cosign a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not built like a request, or its note is not a checkpoint.
    #[error("not a request: it has a line `old SIZE`, lines with hashes in base64, an empty line, and a checkpoint")]
    Shape,
    /// The checkpoint is smaller than the tree that the proof begins with.
    #[error("the checkpoint is smaller than the old size")]
    Backwards,
    /// The witness does not follow this log.
    #[error("this witness does not follow the log of that origin")]
    UnknownLog,
    /// The checkpoint is not signed by a key of the log, or a signature does not fit.
    #[error("{0}")]
    Unsigned(NoteError),
    /// The witness has cosigned another size last.
    #[error("the last checkpoint that was cosigned has the size {size}")]
    Conflict {
        /// That size; 0 if none was cosigned.
        size: u64,
    },
    /// The checkpoint does not go on from the last one that was cosigned.
    #[error("the checkpoint is not proven to go on from the last one that was cosigned")]
    Inconsistent,
}

impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old_size)?;
        for Hash(hash) in &self.proof {
            writeln!(f, "{}", BASE64.encode(hash))?;
        }
        write!(f, "\n{}", self.note)
    }
}

impl FromStr for AddCheckpoint {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let read = || {
            let (above, note) = text.split_once("\n\n")?;
            let mut lines = above.split('\n');
            let size = lines.next()?.strip_prefix("old ")?;
            let old_size: u64 = size.parse().ok().filter(|number: &u64| number.to_string() == size)?;
            let hash = |line: &str| Some(Hash(BASE64.decode(line).ok()?.try_into().ok()?));
            let proof: Vec<Hash> = lines.map(hash).collect::<Option<_>>()?;
            let is_short = proof.len() <= PROOF_HASHES_MAX;
            is_short.then_some(())?;
            Some(Self { old_size, proof, note: note.parse().ok()? })
        };
        read().ok_or(Refusal::Shape)
    }
}

impl AddCheckpoint {
    /// Judges the request as a witness that trusts `keys` for the log of a checkpoint, and has cosigned `last` of it.
    /// `log` tells both for an origin. Returns the checkpoint to cosign.
    ///
    /// # Errors
    /// The checkpoint must not be cosigned.
    pub fn judge<'a>(
        &self,
        log: impl FnOnce(&str) -> Option<(&'a [VerifierKey], Option<&'a Checkpoint>)>,
    ) -> Result<Checkpoint, Refusal> {
        let checkpoint = Checkpoint::from_text(self.note.text()).map_err(|_| Refusal::Shape)?;
        let (keys, last) = log(&checkpoint.origin).ok_or(Refusal::UnknownLog)?;
        signed_by_any(&self.note, keys).map_err(Refusal::Unsigned)?;
        if self.old_size > checkpoint.size {
            return Err(Refusal::Backwards);
        }
        let (size, root) = last.map_or((0, empty_root()), |last| (last.size, last.root));
        if self.old_size != size {
            return Err(Refusal::Conflict { size });
        }
        let is_sound = if size == checkpoint.size {
            root == checkpoint.root && self.proof.is_empty()
        } else {
            verify_consistency(size, root, checkpoint.size, checkpoint.root, &self.proof).is_ok()
        };
        if is_sound { Ok(checkpoint) } else { Err(Refusal::Inconsistent) }
    }
}

/// Checks that one of the keys has signed a note, and that no signature that names one of them is false.
fn signed_by_any(note: &Note, keys: &[VerifierKey]) -> Result<(), NoteError> {
    let mut found = Err(NoteError::Unsigned);
    for key in keys {
        match note.check(key) {
            Err(NoteError::Unsigned) => {}
            Ok(()) => found = Ok(()),
            forged => return forged,
        }
    }
    found
}
