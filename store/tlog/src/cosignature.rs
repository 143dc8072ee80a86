//! Cosignatures: what witnesses say of a checkpoint.
//!
//! # Source
//! <https://c2sp.org/tlog-cosignature>, the Ed25519 type.

use std::fmt;

use crate::note::Signed;
use crate::{CosigningKey, Note, WitnessKey};

/// The bytes of a key's id, of a time, and of a signature.
const ID_BYTES: usize = 4;
const TIME_BYTES: usize = 8;
const SIGNATURE_BYTES: usize = 64;

/// The statement of a witness that a checkpoint was the largest of its log that the witness had seen at a time, and
/// goes on from all that it had seen before. As text: the line of a note, with its line feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosignature {
    signed: Signed,
    time_s: u64,
}

/// Why a checkpoint has not enough cosignatures, or cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuorumError {
    /// One witness is named twice.
    #[error("a witness is named twice: each counts once")]
    Twice,
    /// More cosignatures are wanted than there are witnesses, or none.
    #[error("the quorum is between 1 and the number of witnesses, {witnesses}: it cannot be {needed}")]
    Outside {
        /// How many cosignatures are wanted.
        needed: usize,
        /// How many witnesses there are.
        witnesses: usize,
    },
    /// The checkpoint has fewer cosignatures than are wanted.
    #[error("{found} of the {witnesses} witnesses that are trusted have cosigned it, and {needed} are needed")]
    Few {
        /// How many it has.
        found: usize,
        /// How many are wanted.
        needed: usize,
        /// How many witnesses there are.
        witnesses: usize,
    },
}

/// Which witnesses are trusted, and how many of them have to cosign.
#[derive(Clone, Debug, Default)]
pub struct Quorum {
    witnesses: Vec<WitnessKey>,
    needed: usize,
}

impl Cosignature {
    /// Checks a line of a note with this text.
    pub(crate) fn checked(signed: &Signed, text: &str, key: &WitnessKey) -> Option<Self> {
        let (time, signature) = signed.bytes.get(ID_BYTES..)?.split_first_chunk::<TIME_BYTES>()?;
        let time_s = u64::from_be_bytes(*time);
        let is_by_key = signature.len() == SIGNATURE_BYTES
            && i64::try_from(time_s).is_ok()
            && time_s > 0
            && key.has_signed(message(text, time_s).as_bytes(), signature);
        is_by_key.then(|| Self { signed: signed.clone(), time_s })
    }

    pub(crate) fn into_signed(self) -> Signed {
        self.signed
    }

    /// The name of the witness.
    pub fn witness(&self) -> &str {
        &self.signed.name
    }

    /// Whether a key has the name and the id that the cosignature names.
    pub fn names(&self, key: &WitnessKey) -> bool {
        self.signed.is_by(key)
    }

    /// When it was given, in seconds since 1970.
    pub fn time_s(&self) -> u64 {
        self.time_s
    }
}

impl fmt::Display for Cosignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.signed.fmt(f)
    }
}

/// What a witness signs.
fn message(text: &str, time_s: u64) -> String {
    format!("cosignature/v1\ntime {time_s}\n{text}")
}

impl CosigningKey {
    /// Cosigns a checkpoint, at a time in seconds since 1970 that is not 0.
    pub fn cosign(&self, note: &Note, time_s: u64) -> Cosignature {
        let signature = self.sign(message(note.text(), time_s).as_bytes());
        let bytes = [self.public().id().as_slice(), &time_s.to_be_bytes(), &signature].concat();
        Cosignature { signed: Signed { name: self.public().name().to_owned(), bytes }, time_s }
    }
}

impl Quorum {
    /// Trusts these witnesses. Unless `needed` says how many of them have to cosign, it is more than half: then two
    /// histories cannot both be cosigned as long as each of them cosigns one only.
    ///
    /// # Errors
    /// A witness is named twice, or `needed` is not between 1 and their number.
    pub fn new(witnesses: Vec<WitnessKey>, needed: Option<usize>) -> Result<Self, QuorumError> {
        let is_named_before = |(n, key): (usize, &WitnessKey)| witnesses[..n].iter().any(|other| other.is_same(key));
        if witnesses.iter().enumerate().any(is_named_before) {
            return Err(QuorumError::Twice);
        }
        let count = witnesses.len();
        let needed = match needed {
            Some(needed) if needed == 0 || needed > count => {
                return Err(QuorumError::Outside { needed, witnesses: count });
            }
            Some(needed) => needed,
            None if count == 0 => 0,
            None => count / 2 + 1,
        };
        Ok(Self { witnesses, needed })
    }

    /// The witnesses.
    pub fn witnesses(&self) -> &[WitnessKey] {
        &self.witnesses
    }

    /// How many of them have to cosign; 0 if there are none.
    pub fn needed(&self) -> usize {
        self.needed
    }

    /// The cosignatures that a note has of the witnesses. What is not one is ignored.
    pub fn cosignatures(&self, note: &Note) -> Vec<Cosignature> {
        self.witnesses.iter().filter_map(|key| note.cosignature(key).ok()).collect()
    }

    /// Checks that enough witnesses have cosigned a note; their cosignatures.
    ///
    /// # Errors
    /// [`QuorumError::Few`].
    pub fn check(&self, note: &Note) -> Result<Vec<Cosignature>, QuorumError> {
        let found = self.cosignatures(note);
        if found.len() >= self.needed {
            return Ok(found);
        }
        Err(QuorumError::Few { found: found.len(), needed: self.needed, witnesses: self.witnesses.len() })
    }
}
