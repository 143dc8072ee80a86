//! Proof files: a game's record with the proof that a signed checkpoint covers it. They are checked without a service.

use std::borrow::Cow;

use plybook_events::{Hash, LogId};
use plybook_rules::log::{RecordError, RecordLog, Replay, Secrets, Verifier, logs_of_json};
use plybook_tlog::{
    Checkpoint, CheckpointError, Cosignature, Note, ProofError, Quorum, QuorumError, VerifierKey, verify_inclusion,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Service;
use crate::error::Problem;
use crate::load::Meter;

/// The value of `format` in a proof file.
const FORMAT: &str = "plybook-proof/1";

/// A proof file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofFile<'a> {
    #[serde(borrow)]
    format: Cow<'a, str>,
    /// The game's record, whose last event is proven.
    #[serde(borrow)]
    record: &'a RawValue,
    inclusion: InclusionPath,
    /// A signed note.
    #[serde(borrow)]
    checkpoint: Cow<'a, str>,
}

/// Where the last event is in the tree, and the hashes from its leaf up to the root.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InclusionPath {
    index: u64,
    path: Vec<Hash>,
}

/// What a proof file proves: that this record stood in the log of all games when the checkpoint was signed.
pub struct Proven {
    /// The game.
    pub game: LogId,
    /// The number of its events.
    pub events: u64,
    /// The hash of the last one.
    pub head: Hash,
    /// The game, folded; `None` if it seals something that was not revealed yet.
    pub replay: Option<Replay>,
    /// The place of the last event in the tree.
    pub index: u64,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The key that signed it.
    pub key: VerifierKey,
    /// The cosignatures of witnesses that are trusted.
    pub cosignatures: Vec<Cosignature>,
}

/// Whom a reader of checkpoints trusts.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// The keys of a log.
    pub keys: Vec<VerifierKey>,
    /// The witnesses, and how many of them have to cosign.
    pub quorum: Quorum,
}

/// A checkpoint that is trusted.
pub struct TrustedCheckpoint<'a> {
    /// What it says.
    pub checkpoint: Checkpoint,
    /// The key that signed it.
    pub key: &'a VerifierKey,
    /// The cosignatures of witnesses.
    pub cosignatures: Vec<Cosignature>,
}

/// Why a checkpoint is not trusted.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// It is not signed by the key.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// It is signed by the key, but is another log's.
    #[error("it is of {origin:?}, and the key of {key:?}")]
    Origin {
        /// The origin of the checkpoint.
        origin: String,
        /// The name of the key.
        key: String,
    },
    /// Too few witnesses have cosigned it.
    #[error(transparent)]
    Quorum(#[from] QuorumError),
}

/// Why a proof file proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum ProofFileError {
    /// It is not a proof file.
    #[error("not a proof file: {0}")]
    Shape(String),
    /// The record does not verify.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The checkpoint is not trusted.
    #[error("the checkpoint: {0}")]
    Checkpoint(#[from] TrustError),
    /// The tree of the checkpoint does not contain the last event of the record.
    #[error("the last event of the record is not in the tree: {0}")]
    Inclusion(#[from] ProofError),
}

impl Service {
    /// The proof file of a game; `None` if no checkpoint covers its last event yet.
    ///
    /// # Errors
    /// There is no such game, it is a line of analysis, no transparency log is kept, or something cannot be read.
    pub fn prove(&self, game: LogId) -> Result<Option<String>, Problem> {
        self.tlog()?;
        let replay = self.glance(game)?;
        if replay.is_line() {
            return Err(Problem::BadInput(
                "a line of analysis has no proof file: prove its game, whose record has its lines".to_owned(),
            ));
        }
        let Some(inclusion) = self.inclusion(game, Some(replay.events() - 1))? else { return Ok(None) };
        let record = self.write_whole(self.record_pieces(&replay, None, &Meter::unlimited())?)?;
        let record = RawValue::from_string(record).map_err(Problem::internal)?;
        let file = ProofFile {
            format: FORMAT.into(),
            record: &record,
            inclusion: InclusionPath { index: inclusion.index, path: inclusion.path },
            checkpoint: inclusion.published.note.to_string().into(),
        };
        serde_json::to_string(&file).map(Some).map_err(Problem::internal)
    }
}

/// Checks a proof file: the record with its rules, the signatures of the checkpoint, and that its tree has the last event of
/// the game. Lines of analysis in the record are verified, but not proven.
///
/// # Errors
/// Something does not hold.
pub fn check_proof(text: &str, trusted: &Trusted) -> Result<Proven, ProofFileError> {
    let file: ProofFile<'_> = serde_json::from_str(text).map_err(|why| ProofFileError::Shape(why.to_string()))?;
    if file.format != FORMAT {
        return Err(ProofFileError::Shape(format!("`format` has to be {FORMAT:?}")));
    }
    let TrustedCheckpoint { checkpoint, key, cosignatures } = trusted.open(&file.checkpoint)?;
    let logs = logs_of_json(file.record.get(), &|_| None)?;
    let RecordLog { id, lines } = logs.first().expect("a record has the game's log");
    let last = lines.last().ok_or_else(|| ProofFileError::Shape("the record has no events".to_owned()))?;
    let InclusionPath { index, path } = file.inclusion;
    verify_inclusion(checkpoint.root, checkpoint.size, index, last, &path)?;
    let (found, replay) = Verifier::new(&|_| None).verify(*id, lines, &Secrets::new());
    let (game, head, key) = (*id, Hash::of_event(last), key.clone());
    Ok(Proven { game, events: found.events, head, replay, index, checkpoint, key, cosignatures })
}

impl Trusted {
    /// Opens a checkpoint that is signed by the first key that fits, and cosigned by enough witnesses.
    ///
    /// # Errors
    /// It is not trusted.
    pub fn open(&self, note: &str) -> Result<TrustedCheckpoint<'_>, TrustError> {
        let mut refusal = CheckpointError::Shape;
        for key in &self.keys {
            match Checkpoint::open(note, key) {
                Ok(checkpoint) if checkpoint.origin != key.name() => {
                    return Err(TrustError::Origin { origin: checkpoint.origin, key: key.name().to_owned() });
                }
                Ok(checkpoint) => {
                    let note: Note = note.parse().map_err(CheckpointError::from)?;
                    return Ok(TrustedCheckpoint { checkpoint, key, cosignatures: self.quorum.check(&note)? });
                }
                Err(why) => refusal = why,
            }
        }
        Err(refusal.into())
    }
}
