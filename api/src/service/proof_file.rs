//! Proof files: a game's record with the proof that a signed checkpoint covers it. They are checked without a service.

use std::borrow::Cow;

use plybook_events::{Hash, LogId};
use plybook_rules::log::{RecordError, RecordLog, Replay, Secrets, Verifier, logs_of_json};
use plybook_tlog::{Checkpoint, CheckpointError, ProofError, VerifierKey, verify_inclusion};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Service;
use crate::error::Problem;

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
    /// The checkpoint is not signed by the key.
    #[error("the checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint is signed by the key, but is another log's.
    #[error("the checkpoint is of {origin:?}, and the key of {key:?}")]
    Origin {
        /// The origin of the checkpoint.
        origin: String,
        /// The name of the key.
        key: String,
    },
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
        let record = self.write_whole(self.record_pieces(&replay, None)?)?;
        let record = RawValue::from_string(record).map_err(Problem::internal)?;
        let file = ProofFile {
            format: FORMAT.into(),
            record: &record,
            inclusion: InclusionPath { index: inclusion.index, path: inclusion.path },
            checkpoint: inclusion.published.note.as_str().into(),
        };
        serde_json::to_string(&file).map(Some).map_err(Problem::internal)
    }
}

/// Checks a proof file: the record with its rules, the signature of the checkpoint by one of the keys, and that its tree
/// has the last event of the game. Lines of analysis in the record are verified, but not proven.
///
/// # Errors
/// Something does not hold.
pub fn check_proof(text: &str, keys: &[VerifierKey]) -> Result<Proven, ProofFileError> {
    let file: ProofFile<'_> = serde_json::from_str(text).map_err(|why| ProofFileError::Shape(why.to_string()))?;
    if file.format != FORMAT {
        return Err(ProofFileError::Shape(format!("`format` is {FORMAT:?}")));
    }
    let (checkpoint, key) = opened(&file.checkpoint, keys)?;
    if checkpoint.origin != key.name() {
        return Err(ProofFileError::Origin { origin: checkpoint.origin, key: key.name().to_owned() });
    }
    let logs = logs_of_json(file.record.get(), &|_| None)?;
    let RecordLog { id, lines } = logs.first().expect("a record has the game's log");
    let last = lines.last().ok_or_else(|| ProofFileError::Shape("the record has no events".to_owned()))?;
    let InclusionPath { index, path } = file.inclusion;
    verify_inclusion(checkpoint.root, checkpoint.size, index, last, &path)?;
    let (found, replay) = Verifier::new(&|_| None).verify(*id, lines, &Secrets::new());
    let key = key.clone();
    Ok(Proven { game: *id, events: found.events, head: Hash::of_event(last), replay, index, checkpoint, key })
}

/// Opens a checkpoint with the first key that has signed it.
fn opened<'k>(note: &str, keys: &'k [VerifierKey]) -> Result<(Checkpoint, &'k VerifierKey), CheckpointError> {
    let mut refusal = CheckpointError::Shape;
    for key in keys {
        match Checkpoint::open(note, key) {
            Ok(checkpoint) => return Ok((checkpoint, key)),
            Err(why) => refusal = why,
        }
    }
    Err(refusal)
}
