//! The state of a witness: its key, and the last checkpoint of each log that it has cosigned.
//!
//! ```text
//! <state>/
//!   key             the private key (mode 600)
//!   logs/<origin>   the last checkpoint that was cosigned, with the cosignature; <origin> is its SHA-256 in hex
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use plybook_events::Hash;
use plybook_tlog::{
    AddCheckpoint, Checkpoint, Cosignature, CosigningKey, KeyError, Note, NoteError, Refusal, VerifierKey, WitnessKey,
};

use super::{TlogError, keys};
use crate::disk;

/// How long the same checkpoint is answered with the same cosignature, in seconds, so that repeated requests cause no
/// writes.
const FRESH_S: u64 = 60;

/// A witness: it cosigns checkpoints of the logs that it follows, of each only one history.
pub struct Witness {
    key: CosigningKey,
    logs: BTreeMap<String, Followed>,
    /// Held as long as the state folder belongs to this process.
    _lock: File,
}

/// A log that is followed.
struct Followed {
    path: PathBuf,
    keys: Vec<VerifierKey>,
    last: Mutex<Option<Cosigned>>,
}

/// A checkpoint that was cosigned.
struct Cosigned {
    checkpoint: Checkpoint,
    note: Note,
    cosignature: Cosignature,
}

/// Why a witness does not start, or does not cosign.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// Another process has the state folder open. Stop it, or use another folder: two witnesses with one state could
    /// cosign two histories.
    #[error("{} is in use by another witness", .0.display())]
    InUse(PathBuf),
    /// The witness has no key yet, and no name for one.
    #[error("a new witness needs a name, usually its host name: --name witness.example.org")]
    Nameless,
    /// A witness never changes its name.
    #[error("the witness's name is {stored:?} and cannot become {wanted:?}")]
    Name {
        /// Its name.
        stored: String,
        /// The other name.
        wanted: String,
    },
    /// The name is not one.
    #[error("the name {wanted:?}: {why}")]
    BadName {
        /// The name.
        wanted: String,
        /// What is wrong.
        why: KeyError,
    },
    /// The state cannot be read or written. Nothing was cosigned.
    #[error(transparent)]
    State(#[from] TlogError),
    /// The checkpoint must not be cosigned.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Witness {
    /// Opens the state folder of a witness that follows the logs of these keys; a log may have several. The first time, it
    /// makes a key with this name.
    ///
    /// # Errors
    /// The folder is in use or damaged, or the name is missing or another one.
    pub fn open(dir: &Path, name: Option<&str>, logs: &[VerifierKey]) -> Result<Self, WitnessError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| TlogError::Io { path, source }
        };
        let folder = dir.join("logs");
        disk::make_dir(&folder).map_err(io(&folder))?;
        let lock = File::open(dir).map_err(io(dir))?;
        lock.try_lock().map_err(|why| match why {
            TryLockError::WouldBlock => WitnessError::InUse(dir.to_owned()),
            TryLockError::Error(source) => io(dir)(source).into(),
        })?;
        let is_new = !dir.join("key").exists();
        let key = key(&dir.join("key"), name)?;
        let mut by_origin: BTreeMap<String, Vec<VerifierKey>> = BTreeMap::new();
        for key in logs {
            by_origin.entry(key.name().to_owned()).or_default().push(key.clone());
        }
        let follow = |(origin, keys): (String, Vec<VerifierKey>)| {
            let path = folder.join(hash_of(&origin));
            let last = Cosigned::read(&path, &origin, key.public())?;
            if last.is_none() && !is_new {
                tracing::warn!(
                    log = %origin,
                    "no cosigned checkpoint of this log is known here: if this key has cosigned one, start again with another key"
                );
            }
            Ok((origin, Followed { path, keys, last: Mutex::new(last) }))
        };
        let logs = by_origin.into_iter().map(follow).collect::<Result<_, TlogError>>()?;
        Ok(Self { key, logs, _lock: lock })
    }

    /// The public key.
    pub fn key(&self) -> &WitnessKey {
        self.key.public()
    }

    /// Answers a request to cosign a checkpoint: the line with the cosignature. What is cosigned is stored before, so that
    /// it survives a power cut, and one request at a time is answered for a log.
    ///
    /// # Errors
    /// The checkpoint must not be cosigned, or the state cannot be written.
    pub fn add_checkpoint(&self, request: &AddCheckpoint) -> Result<String, WitnessError> {
        let origin = request.note.text().split('\n').next().expect("there is a first line");
        let Some(log) = self.logs.get(origin) else {
            return Err(request.judge(|_| None).err().unwrap_or(Refusal::UnknownLog).into());
        };
        let mut last = log.last.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref().map(|last| &last.checkpoint);
        let checkpoint = request.judge(|_| Some((&log.keys, known)))?;
        let now_s = now_s();
        let is_answer = |last: &&Cosigned| {
            last.note.text() == request.note.text() && now_s.saturating_sub(last.cosignature.time_s()) < FRESH_S
        };
        if let Some(last) = last.as_ref().filter(is_answer) {
            return Ok(last.cosignature.to_string());
        }
        let mut note = request.note.clone();
        note.keep_signatures(&log.keys);
        let cosignature = self.key.cosign(&note, now_s);
        note.add_cosignature(cosignature.clone());
        disk::replace(&log.path, note.to_string().as_bytes(), 0o644)
            .map_err(|source| TlogError::Io { path: log.path.clone(), source })?;
        let line = cosignature.to_string();
        *last = Some(Cosigned { checkpoint, note, cosignature });
        Ok(line)
    }

    /// The last checkpoint that was cosigned of the log whose origin has this SHA-256, in hex.
    pub fn last(&self, origin_hash: &str) -> Option<String> {
        let (_, log) = self.logs.iter().find(|(origin, _)| hash_of(origin) == origin_hash)?;
        log.last.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|last| last.note.to_string())
    }
}

impl Cosigned {
    /// Reads a file; `None` if there is none.
    fn read(path: &Path, origin: &str, key: &WitnessKey) -> Result<Option<Self>, TlogError> {
        let note = match fs::read_to_string(path) {
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|source| TlogError::Io { path: path.to_owned(), source })?,
        };
        let wrong = |why: String| TlogError::Checkpoint { path: path.to_owned(), why };
        let note: Note = note.parse().map_err(|why: NoteError| wrong(why.to_string()))?;
        let cosignature = note.cosignature(key);
        let cosignature = cosignature
            .map_err(|why| wrong(format!("{why}: restore it from a copy, or begin anew with another key")))?;
        let checkpoint = Checkpoint::from_text(note.text()).map_err(|why| wrong(why.to_string()))?;
        if checkpoint.origin != origin {
            return Err(wrong(format!("it is of {}, and not of {origin}", checkpoint.origin)));
        }
        Ok(Some(Self { checkpoint, note, cosignature }))
    }
}

/// The key of a witness; the first time, a new one.
fn key(path: &Path, name: Option<&str>) -> Result<CosigningKey, WitnessError> {
    let key: Option<CosigningKey> = keys::read(path)?;
    if let Some(key) = key {
        let stored = key.public().name();
        return match name.filter(|wanted| *wanted != stored) {
            Some(wanted) => Err(WitnessError::Name { stored: stored.to_owned(), wanted: wanted.to_owned() }),
            None => Ok(key),
        };
    }
    let key = keys::fresh(name.ok_or(WitnessError::Nameless)?, path).map_err(|why| match why {
        TlogError::BadOrigin { wanted, why } => WitnessError::BadName { wanted, why },
        why => why.into(),
    })?;
    keys::write(path, &key)?;
    Ok(key)
}

/// SHA-256 of an origin, in hex.
fn hash_of(origin: &str) -> String {
    Hash::of_parts(&[origin.as_bytes()]).to_string()
}

fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs().max(1))
}
