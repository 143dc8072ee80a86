//! The keys that sign checkpoints.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use plybook_stream::Document;
use plybook_tlog::{Checkpoint, Cosignature, KeyError, Note, NoteError, PrivateKey, Quorum, SigningKey, VerifierKey};
use serde::{Deserialize, Serialize};

use super::files::{Files, Stored};
use super::{Published, TlogError};
use crate::disk;

/// The keys of a transparency log.
pub(super) struct Keys {
    dir: PathBuf,
    current: SigningKey,
    /// The key before it, while both sign.
    old: Option<SigningKey>,
}

/// The keys as nodes share them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedKeys {
    key: String,
    old: Option<String>,
    /// The public list.
    listed: String,
}

impl SharedKeys {
    /// What stands for a path in messages about them.
    fn path() -> PathBuf {
        PathBuf::from("the key that nodes share")
    }

    fn parse(json: &[u8]) -> Result<Self, TlogError> {
        serde_json::from_slice(json)
            .map_err(|_| TlogError::Key { path: Self::path(), why: "it cannot be read".to_owned() })
    }
}

impl Keys {
    /// Opens the keys in a folder. The first time, a key is made, named `origin` or with a name of its own; not if a
    /// checkpoint was signed before.
    pub(super) fn open(dir: &Path, origin: Option<&str>, has_signed: bool) -> Result<Self, TlogError> {
        let path = dir.join("key");
        let current = match read(&path)? {
            Some(key) => key,
            None if has_signed => {
                let why = "it is missing, but has signed a checkpoint: restore it from a copy".to_owned();
                return Err(TlogError::Key { path, why });
            }
            None => {
                let key = fresh(&named(origin, &path)?, &path)?;
                write(&path, &key)?;
                key
            }
        };
        check_origin(current.public(), origin)?;
        let old = read(&dir.join("key.old"))?;
        let keys = Self { dir: dir.to_owned(), current, old };
        if keys.waiting()?.is_some() {
            tracing::warn!(
                "a rotation of the transparency log's key is not finished: run `plybook tlog rotate-key` again"
            );
        }
        Ok(keys)
    }

    /// Opens the keys that nodes share. The first node gives those in its folder, or makes one as [`open`](Self::open) does; they
    /// are on the disk of no other.
    pub(super) fn open_shared(dir: &Path, origin: Option<&str>, document: &Document) -> Result<Self, TlogError> {
        let path = dir.join("key");
        let text = document.update(|found| {
            if let Some(found) = found {
                return Ok::<_, TlogError>((None, found.bytes.clone()));
            }
            let current: SigningKey = match read(&path)? {
                Some(key) => key,
                None => fresh(&named(origin, &path)?, &path)?,
            };
            let listed = Some(listed(dir)?).filter(|listed| !listed.is_empty());
            let keys = SharedKeys {
                listed: listed.unwrap_or_else(|| format!("{} 0\n", current.public())),
                key: current.to_secret_text(),
                old: read(&dir.join("key.old"))?.map(|old: SigningKey| old.to_secret_text()),
            };
            let text = serde_json::to_vec(&keys).expect("keys are plain data");
            Ok((Some(text.clone()), text))
        })?;
        let path = SharedKeys::path();
        let SharedKeys { key, old, listed } = SharedKeys::parse(&text)?;
        let current: SigningKey = parse(&path, &key)?;
        check_origin(current.public(), origin)?;
        let list = dir.join("keys");
        disk::replace(&list, listed.as_bytes(), 0o644).map_err(|source| TlogError::Io { path: list, source })?;
        Ok(Self { dir: dir.to_owned(), current, old: old.map(|old| parse(&path, &old)).transpose()? })
    }

    /// The files in which a store on its own keeps the keys that nodes share; none if they have none yet.
    pub(super) fn shared_files(document: &Document) -> Result<Vec<(&'static str, String)>, TlogError> {
        let Some(version) = document.read()? else { return Ok(Vec::new()) };
        let SharedKeys { key, old, listed } = SharedKeys::parse(&version.bytes)?;
        let line = |key: String| format!("{key}\n");
        Ok([("key", line(key)), ("keys", listed)].into_iter().chain(old.map(|old| ("key.old", line(old)))).collect())
    }

    /// The keys in copies of their files; only for checking.
    pub(super) fn copied(file: &dyn Fn(&str) -> Option<String>) -> Result<Self, TlogError> {
        let dir = PathBuf::from(super::FOLDER);
        let read = |name: &str| file(name).map(|text| parse(&dir.join(name), &text)).transpose();
        let missing = || TlogError::Key { path: dir.join("key"), why: "it is missing".to_owned() };
        Ok(Self { current: read("key")?.ok_or_else(missing)?, old: read("key.old")?, dir: dir.clone() })
    }

    pub(super) fn path(&self) -> PathBuf {
        self.dir.join("key")
    }

    /// Where the next key waits until its rotation is recorded.
    fn next_path(&self) -> PathBuf {
        self.dir.join("key.next")
    }

    /// A key of the same name for a rotation: the one that waits for it, or else a new one, which is stored.
    pub(super) fn next(&self) -> Result<SigningKey, TlogError> {
        if let Some(next) = self.waiting()? {
            return Ok(next);
        }
        let path = self.next_path();
        let next = fresh(self.current().name(), &path)?;
        write(&path, &next)?;
        Ok(next)
    }

    /// The key that waits for its rotation; none if it is in use already, and only its file is still there.
    fn waiting(&self) -> Result<Option<SigningKey>, TlogError> {
        Ok(read(&self.next_path())?.filter(|next| next.public() != self.current()))
    }

    /// The public key in use.
    pub(super) fn current(&self) -> &VerifierKey {
        self.current.public()
    }

    /// The keys that sign.
    pub(super) fn signing(&self) -> Vec<&SigningKey> {
        std::iter::once(&self.current).chain(&self.old).collect()
    }

    /// Checks that a note is signed by one of the keys.
    pub(super) fn check(&self, note: &Note) -> Result<(), NoteError> {
        let old = |why| self.old.as_ref().map_or(Err(why), |old| note.check(old.public()));
        note.check(self.current()).or_else(old)
    }

    /// Checks that a stored checkpoint is signed by one of the keys.
    pub(super) fn checked(&self, stored: Stored, quorum: &Quorum) -> Result<Published, TlogError> {
        let Stored { path, note, at_ms } = stored;
        let wrong = |why: String| TlogError::Checkpoint { path: path.clone(), why };
        let note: Note = note.parse().map_err(|why| wrong(format!("{why}")))?;
        self.check(&note).map_err(|why| {
            wrong(format!("{why}: {} and the checkpoint do not belong together", self.path().display()))
        })?;
        let checkpoint = Checkpoint::from_text(note.text()).map_err(|why| wrong(why.to_string()))?;
        if checkpoint.origin != self.current().name() {
            return Err(wrong(format!("it is of {}, and the key of {}", checkpoint.origin, self.current().name())));
        }
        let cosignatures: Vec<Cosignature> = quorum.cosignatures(&note);
        Ok(Published { checkpoint, note, cosignatures, at_ms })
    }

    /// Notes in the public list that the key signs trees of `size` leaves and more, if the list does not have it.
    pub(super) fn list(&self, size: u64) -> Result<(), TlogError> {
        let (listed, key) = (listed(&self.dir)?, self.current().to_string());
        if listed.lines().any(|line| line.split(' ').next() == Some(&key)) {
            return Ok(());
        }
        let path = self.dir.join("keys");
        let list = format!("{listed}{key} {size}\n");
        disk::replace(&path, list.as_bytes(), 0o644).map_err(|source| TlogError::Io { path, source })
    }

    /// Replaces the key by its [`next`](Self::next). The last checkpoint is signed by both first, so that it belongs to
    /// whichever is there if the machine stops in between.
    pub(super) fn rotate(
        self,
        next: SigningKey,
        last: &Published,
        published: &Published,
        files: &Files,
        drops_old: bool,
    ) -> Result<VerifierKey, TlogError> {
        let (path, old_path, next_path) = (self.path(), self.dir.join("key.old"), self.next_path());
        files.write_checkpoint(&last.checkpoint.clone().sign(&[&next, &self.current]))?;
        if files.cosigned_path().exists() {
            // Witnesses sign the text, no matter who else has signed it.
            let mut note = published.note.clone();
            note.add_signature(&next);
            files.write_cosigned(&note)?;
        }
        if drops_old {
            remove(old_path)?;
        } else {
            write(&old_path, &self.current)?;
        }
        write(&path, &next)?;
        remove(next_path)?;
        let next = Self { dir: self.dir, current: next, old: None };
        next.list(last.checkpoint.size)?;
        Ok(next.current.public().clone())
    }
}

/// Checks that a key has the name in the settings, if there is one.
fn check_origin(key: &VerifierKey, origin: Option<&str>) -> Result<(), TlogError> {
    match origin.filter(|wanted| *wanted != key.name()) {
        Some(wanted) => Err(TlogError::Origin { stored: key.name().to_owned(), wanted: wanted.to_owned() }),
        None => Ok(()),
    }
}

/// The public list of keys.
pub(super) fn listed(dir: &Path) -> Result<String, TlogError> {
    let path = dir.join("keys");
    match fs::read_to_string(&path) {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|source| TlogError::Io { path, source }),
    }
}

/// Reads a key; `None` if there is no file.
pub(super) fn read<const TYPE: u8>(path: &Path) -> Result<Option<PrivateKey<TYPE>>, TlogError> {
    let text = match fs::read_to_string(path) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|source| TlogError::Io { path: path.to_owned(), source })?,
    };
    parse(path, &text).map(Some)
}

fn parse<const TYPE: u8>(path: &Path, text: &str) -> Result<PrivateKey<TYPE>, TlogError> {
    let wrong = |why| TlogError::Key { path: path.to_owned(), why: format!("not a private key: {why}") };
    PrivateKey::from_secret_text(text).map_err(wrong)
}

/// Writes a key that only its owner can read.
pub(super) fn write<const TYPE: u8>(path: &Path, key: &PrivateKey<TYPE>) -> Result<(), TlogError> {
    let text = format!("{}\n", key.to_secret_text());
    disk::replace(path, text.as_bytes(), 0o600).map_err(|source| TlogError::Io { path: path.to_owned(), source })
}

/// Removes a key, if it is there.
fn remove(path: PathBuf) -> Result<(), TlogError> {
    match fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(TlogError::Io { path, source }),
        _ => Ok(()),
    }
}

/// A new key.
pub(super) fn fresh<const TYPE: u8>(name: &str, path: &Path) -> Result<PrivateKey<TYPE>, TlogError> {
    let seed = random().map_err(|source| TlogError::Io { path: path.to_owned(), source })?;
    let wrong = |why: KeyError| TlogError::BadOrigin { wanted: name.to_owned(), why };
    PrivateKey::from_seed(name, &seed).map_err(wrong)
}

/// The name of a new key: the one in the settings, or one that no other transparency log has.
fn named(origin: Option<&str>, path: &Path) -> Result<String, TlogError> {
    if let Some(origin) = origin {
        return Ok(origin.to_owned());
    }
    let bytes = random().map_err(|source| TlogError::Io { path: path.to_owned(), source })?;
    Ok(format!("plybook-{}", const_hex::encode(&bytes[..8])))
}

fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}
