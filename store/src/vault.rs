//! Secrets that are kept from readers for a while: seeds and sealed contents.
//!
//! One file that only its owner can read, with one secret per line and new ones at the end:
//!
//! ```text
//! <log id> <key> <value in hex> <check>
//! xchacha20-poly1305 <nonce in hex> <the three words above, encrypted, in hex> <check>
//! ```
//!
//! With a [`VaultKey`], all lines are of the second form. They are independent of each other, so lines of a copy can be
//! put before those that are there. A vault with other lines is encrypted when it is opened with a key.
//!
//! `check` is the first 16 hex digits of `SHA-256("plybook/vault/v1" || 0 || the line up to and including the
//! space before it)`. If several lines have the same log and key, the last one counts. A last line without
//! its line feed was never acknowledged and is cut off, and so are last lines with blocks that were never
//! written. Any other line that fails its check is damage, and the vault is not opened.
//!
//! Nodes of a stream share a vault instead, in a key-value bucket of `JetStream`. A value there is such lines in plain text,
//! which the bucket encrypts: all secrets that were put together, so that they are there together or not. Each has a random
//! key, and nothing is ever replaced. Their order is that of the lines.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plybook_events::{Hash, LogId};
use plybook_stream::{Batches, Encrypted, StreamError, VaultKey};

use crate::disk;

/// The name of the file in a data directory.
pub(crate) const VAULT: &str = "vault";

/// The contents of the document `format`, which every node reads first: it shows whether they have the same key.
pub(crate) const SHARED_FORMAT: &str = "plybook-shared/1";

/// The most characters of a key.
const KEY_CHARS_MAX: usize = 64;

/// What every encrypted line is bound to.
const CONTEXT: &[u8] = b"plybook/vault/v1\0";

/// Secrets by log and key. Each is durable before [`put`](Self::put) returns. All of them are also in memory.
pub struct Vault {
    inner: Mutex<Inner>,
    /// Where nodes share it, instead of in a file.
    shared: Option<Batches>,
}

struct Inner {
    secrets: Secrets,
    /// `None` for a vault in memory, or one that is open for reading.
    file: Option<(File, PathBuf)>,
    /// What new secrets are encrypted with.
    key: Option<VaultKey>,
    is_read_only: bool,
}

/// One line of the file.
enum Line {
    Plain(Secret),
    Encrypted(Encrypted),
}

/// A log, a key, and the value.
type Secret = (LogId, String, Arc<[u8]>);

/// Secrets by log and key.
type Secrets = BTreeMap<(LogId, Box<str>), Kept>;

/// A secret that is kept.
struct Kept {
    value: Arc<[u8]>,
    /// The sequence of its batch; 0 in a file.
    at: u64,
}

/// The first word of a line that is encrypted.
const ENCRYPTED: &str = "xchacha20-poly1305";

/// Why a vault cannot be opened or does not take a secret.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// A write failed, now or earlier, or the vault is open for reading. Tell the operator, and restart to try
    /// again; only the restart shows whether this secret was written.
    #[error("the vault takes no secrets until it is restarted")]
    ReadOnly,
    /// A key has 1 to 64 printable ASCII characters and no spaces: a bug in the caller.
    #[error("{0:?} is no key for a secret")]
    Key(String),
    /// The vault is encrypted, and no key was given.
    #[error("{} is encrypted: name the file with its key, --vault-key-file", .0.display())]
    Locked(PathBuf),
    /// The vault is encrypted with another key.
    #[error("{} is encrypted with another key than the one in --vault-key-file", .0.display())]
    OtherKey(PathBuf),
    /// What nodes share is always encrypted, and no key was given.
    #[error(
        "what the nodes of a stream share is encrypted: name the file with the key that all of them have, --vault-key-file; \
         `plybook vault key FILE` makes one"
    )]
    KeyNeeded,
    /// What nodes share has another format. Use the program that wrote it.
    #[error("what the nodes of {stream} share has the format {found:?}, and this program reads {:?}", SHARED_FORMAT)]
    OtherVersion {
        /// The stream.
        stream: String,
        /// The format that it names.
        found: String,
    },
    /// The servers that keep what nodes share are away, or refuse.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// No thread can be started.
    #[error("what other nodes write cannot be followed: {0}")]
    Thread(io::Error),
    /// The file was changed after it was written. Restore it from a copy.
    #[error("{} is damaged at byte {offset}", file.display())]
    Damaged {
        /// The vault's file.
        file: PathBuf,
        /// Where the damaged line starts, in bytes.
        offset: usize,
    },
    /// The operating system refused. Check the permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The vault's file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl Vault {
    /// Opens a vault; creates it if it does not exist. With a key, what is not encrypted yet is encrypted.
    ///
    /// # Errors
    /// The file is damaged or cannot be opened, it is encrypted and there is no key, or it was another one. Nothing is
    /// written then.
    pub fn open(path: &Path, key: Option<&VaultKey>) -> Result<Self, VaultError> {
        let io = |source| VaultError::Io { path: path.to_owned(), source };
        let bytes = read_file(path)?;
        let Contents { secrets, end, has_plain } = read(path, &bytes, key)?;
        if key.is_some() && has_plain {
            replace(path, &secrets, key).map_err(io)?;
            tracing::info!(path = %path.display(), "the vault is encrypted from now on");
            return Ok(Self::new(secrets, Some((open_private(path).map_err(io)?, path.to_owned())), key, false));
        }
        let file = open_private(path).map_err(io)?;
        if end < bytes.len() {
            tracing::warn!(path = %path.display(), at = end, bytes = bytes.len() - end, "cut a torn end off the vault");
            file.set_len(end as u64).map_err(io)?;
        }
        // What a process wrote before it died may not have reached the disk yet.
        file.sync_all().map_err(io)?;
        Ok(Self::new(secrets, Some((file, path.to_owned())), key, false))
    }

    /// Checks that the first secret of a vault can be read with this key. What else may be wrong is found when it is opened.
    ///
    /// # Errors
    /// It is encrypted and there is no key or it was another one, or the file cannot be read.
    pub(crate) fn check_key(path: &Path, key: Option<&VaultKey>) -> Result<(), VaultError> {
        let mut first = Vec::new();
        let found = match File::open(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(0),
            opened => opened.and_then(|file| BufReader::new(file).read_until(b'\n', &mut first)),
        };
        found.map_err(|source| VaultError::Io { path: path.to_owned(), source })?;
        match read(path, &first, key) {
            Err(why @ (VaultError::Locked(_) | VaultError::OtherKey(_))) => Err(why),
            _ => Ok(()),
        }
    }

    /// Opens a vault for reading, as it is at this moment: nothing is cut or written, and another process may
    /// be writing to it. A missing vault is empty.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn open_to_read(path: &Path, key: Option<&VaultKey>) -> Result<Self, VaultError> {
        let bytes = read_file(path)?;
        let Contents { secrets, end, .. } = read(path, &bytes, key)?;
        if end < bytes.len() {
            let torn = bytes.len() - end;
            tracing::warn!(path = %path.display(), bytes = torn, "the end of the vault is torn and left out");
        }
        Ok(Self::new(secrets, None, key, true))
    }

    /// Opens the vault that nodes share.
    ///
    /// # Errors
    /// The servers are away, or a batch is missing, damaged or encrypted with another key.
    pub(crate) fn open_shared(batches: Batches) -> Result<Self, StreamError> {
        let vault = Self { shared: Some(batches), ..Self::in_memory() };
        vault.catch_up()?;
        Ok(vault)
    }

    /// A vault in memory, which is gone when it is dropped.
    pub fn in_memory() -> Self {
        Self::new(Secrets::default(), None, None, false)
    }

    fn new(secrets: Secrets, file: Option<(File, PathBuf)>, key: Option<&VaultKey>, is_read_only: bool) -> Self {
        Self { inner: Mutex::new(Inner { secrets, file, key: key.cloned(), is_read_only }), shared: None }
    }

    /// Writes a vault anew, read with one key and encrypted with another; without the second, it is in plain text
    /// again. A power cut leaves either the old or the new file. Returns the number of secrets.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn convert(path: &Path, from: Option<&VaultKey>, to: Option<&VaultKey>) -> Result<usize, VaultError> {
        let bytes = read_file(path)?;
        let Contents { secrets, .. } = read(path, &bytes, from)?;
        replace(path, &secrets, to).map_err(|source| VaultError::Io { path: path.to_owned(), source })?;
        Ok(secrets.len())
    }

    /// Stores a secret of a log, replacing the one with the same key. It is durable when this returns.
    ///
    /// # Errors
    /// The key is invalid, or a write failed.
    pub fn put(&self, log: LogId, key: &str, value: &[u8]) -> Result<(), VaultError> {
        self.put_all(&[(log, key, value)])
    }

    /// Stores several secrets like [`put`](Self::put), with one sync for all of them.
    ///
    /// # Errors
    /// A key is invalid, or a write failed. Nothing was stored.
    pub fn put_all(&self, secrets: &[(LogId, &str, &[u8])]) -> Result<(), VaultError> {
        let is_key = |key: &str| (1..=KEY_CHARS_MAX).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic());
        if let Some((_, key, _)) = secrets.iter().find(|(_, key, _)| !is_key(key)) {
            return Err(VaultError::Key(key.chars().take(KEY_CHARS_MAX).collect()));
        }
        let mut inner = self.inner();
        if inner.is_read_only {
            return Err(VaultError::ReadOnly);
        }
        let mut fresh: Vec<Secret> = Vec::new();
        let mut lines = Vec::new();
        for (log, key, value) in secrets {
            if inner.secrets.get(&(*log, (*key).into())).is_none_or(|kept| *kept.value != **value) {
                lines.push(line(inner.key.as_ref(), *log, key, value));
                fresh.push((*log, (*key).to_owned(), Arc::from(*value)));
            }
        }
        if let Some(shared) = &self.shared {
            // Nobody waits for the servers who only reads.
            drop(inner);
            let at = shared.put(&lines)?;
            self.inner().keep(at, fresh);
            return Ok(());
        }
        if let Some((file, path)) = inner.file.as_mut().filter(|_| !fresh.is_empty())
            && let Err(why) = disk::append(file, path, lines.concat().as_bytes())
        {
            tracing::error!(%why, "a write to the vault failed: read-only until restart");
            inner.is_read_only = true;
            return Err(VaultError::ReadOnly);
        }
        inner.keep(0, fresh);
        Ok(())
    }

    /// Puts those secrets of another vault that this one lacks.
    ///
    /// # Errors
    /// As for [`put_all`](Self::put_all).
    pub(crate) fn take_from(&self, other: &Self) -> Result<(), VaultError> {
        let others = other.inner();
        let new = others.secrets.iter().filter(|(place, _)| !self.inner().secrets.contains_key(place));
        self.put_all(&new.map(|((log, key), kept)| (*log, &**key, &*kept.value)).collect::<Vec<_>>())
    }

    /// Whether it takes no more secrets: until a restart, because a write failed or it is open for reading; or until the
    /// servers are back that keep it.
    pub fn is_read_only(&self) -> bool {
        self.inner().is_read_only || self.is_away()
    }

    /// Whether the servers that keep it are away. It goes on by itself when they are back.
    pub fn is_away(&self) -> bool {
        self.shared.as_ref().is_some_and(Batches::is_away)
    }

    /// A secret of a log. If nodes share the vault, one that another node has just written is found too, unless the servers are
    /// away.
    pub fn get(&self, log: LogId, key: &str) -> Option<Arc<[u8]>> {
        let known = |vault: &Self| vault.inner().secrets.get(&(log, key.into())).map(|kept| Arc::clone(&kept.value));
        known(self).or_else(|| match self.shared {
            Some(_) if !self.is_away() && self.catch_up().is_ok() => known(self),
            _ => None,
        })
    }

    /// Takes in what other nodes have put. Does nothing if it is not shared.
    ///
    /// # Errors
    /// The servers are away, or a batch is missing, damaged or encrypted with another key.
    pub(crate) fn catch_up(&self) -> Result<(), StreamError> {
        let Some(shared) = &self.shared else { return Ok(()) };
        shared.catch_up(|at, batch| {
            let lines = batch.split_inclusive(|b| *b == b'\n').map(parse);
            let plain = |line| if let Some(Line::Plain(secret)) = line { Some(secret) } else { None };
            self.inner().keep(at, lines.map(plain).collect::<Option<_>>()?);
            Some(())
        })
    }

    /// All secrets of a log, in the order of their keys.
    pub fn of(&self, log: LogId) -> Vec<(String, Arc<[u8]>)> {
        let inner = self.inner();
        let of_log = inner.secrets.range((log, "".into())..).take_while(|((of, _), _)| *of == log);
        of_log.map(|((_, key), kept)| (key.to_string(), Arc::clone(&kept.value))).collect()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Keeps secrets, each unless a later one is known.
    fn keep(&mut self, at: u64, secrets: Vec<Secret>) {
        for (log, key, value) in secrets {
            let place = (log, key.into());
            if self.secrets.get(&place).is_none_or(|kept| kept.at <= at) {
                self.secrets.insert(place, Kept { value, at });
            }
        }
    }
}

fn open_private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    disk::sync_dir(disk::parent(path))?;
    Ok(file)
}

/// The length of the whole lines in the bytes of a vault, with or without its key; what follows them is torn.
///
/// # Errors
/// [`VaultError::Damaged`], naming `path`.
pub(crate) fn whole_len(path: &Path, bytes: &[u8]) -> Result<usize, VaultError> {
    let mut offset = 0;
    while let Some((_, len)) = next_line(path, bytes, offset)? {
        offset += len;
    }
    Ok(offset)
}

/// The bytes of a vault; none if there is no file.
fn read_file(path: &Path) -> Result<Vec<u8>, VaultError> {
    match fs::read(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|source| VaultError::Io { path: path.to_owned(), source }),
    }
}

/// What a file holds.
struct Contents {
    secrets: Secrets,
    /// The offset of the torn end, which is the end of the file if nothing is torn.
    end: usize,
    /// Whether some line is not encrypted.
    has_plain: bool,
}

fn read(path: &Path, bytes: &[u8], key: Option<&VaultKey>) -> Result<Contents, VaultError> {
    let (mut secrets, mut offset, mut has_plain) = (Secrets::default(), 0, false);
    while let Some((line, len)) = next_line(path, bytes, offset)? {
        let (log, name, value) = match line {
            Line::Plain(secret) => {
                has_plain = true;
                secret
            }
            Line::Encrypted(encrypted) => {
                let key = key.ok_or_else(|| VaultError::Locked(path.to_owned()))?;
                let text = key.decrypt(CONTEXT, &encrypted).ok_or_else(|| VaultError::OtherKey(path.to_owned()))?;
                let secret = str::from_utf8(&text).ok().and_then(secret);
                secret.ok_or_else(|| VaultError::Damaged { file: path.to_owned(), offset })?
            }
        };
        secrets.insert((log, name.into()), Kept { value, at: 0 });
        offset += len;
    }
    Ok(Contents { secrets, end: offset, has_plain })
}

/// The line at this offset, and its length; `None` at the end, be it torn or not.
fn next_line(path: &Path, bytes: &[u8], offset: usize) -> Result<Option<(Line, usize)>, VaultError> {
    let rest = &bytes[offset..];
    let len = memchr::memchr(b'\n', rest).map(|len| len + 1);
    match len.and_then(|len| Some((parse(&rest[..len])?, len))) {
        Some(line) => Ok(Some(line)),
        None if rest.is_empty() || is_torn(rest) => Ok(None),
        None => Err(VaultError::Damaged { file: path.to_owned(), offset }),
    }
}

/// Replaces the file by one with these secrets.
fn replace(path: &Path, secrets: &Secrets, key: Option<&VaultKey>) -> io::Result<()> {
    let lines: String = secrets.iter().map(|((log, name), kept)| line(key, *log, name, &kept.value)).collect();
    disk::replace(path, lines.as_bytes(), 0o600)
}

/// Whether the rest of a file was being written when the machine stopped: it ends within a line, or blocks of
/// it were never written and no secret follows them. Anything else was changed later.
fn is_torn(rest: &[u8]) -> bool {
    let Some((_, line)) = rest.split_last() else { return true };
    if !rest.contains(&b'\n') {
        // A complete line and one more byte is not a torn line: its line feed was changed.
        return parse(&[line, b"\n"].concat()).is_none();
    }
    disk::is_unwritten(rest) && rest.split_inclusive(|b| *b == b'\n').all(|line| parse(line).is_none())
}

fn line(key: Option<&VaultKey>, log: LogId, name: &str, value: &[u8]) -> String {
    let mut line = format!("{log} {name} {}", const_hex::encode(value));
    if let Some(key) = key {
        let Encrypted { nonce, text } = key.encrypt(CONTEXT, line.as_bytes());
        line = format!("{ENCRYPTED} {} {}", const_hex::encode(nonce), const_hex::encode(text));
    }
    line.push(' ');
    let check = check(&line);
    line + &check + "\n"
}

fn parse(line: &[u8]) -> Option<Line> {
    let line = str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (content, found) = line.split_at(line.rfind(' ')? + 1);
    if check(content) != found {
        return None;
    }
    let content = content.strip_suffix(' ')?;
    let Some(encrypted) = content.strip_prefix(ENCRYPTED) else { return secret(content).map(Line::Plain) };
    let (nonce, text) = encrypted.strip_prefix(' ')?.split_once(' ')?;
    let nonce = const_hex::decode(nonce).ok()?.try_into().ok()?;
    Some(Line::Encrypted(Encrypted { nonce, text: const_hex::decode(text).ok()? }))
}

fn secret(content: &str) -> Option<Secret> {
    let (log, rest) = content.split_once(' ')?;
    let (name, value) = rest.split_once(' ')?;
    Some((log.parse().ok()?, name.to_owned(), const_hex::decode(value).ok()?.into()))
}

fn check(content: &str) -> String {
    let hash = Hash::of_parts(&[b"plybook/vault/v1\0", content.as_bytes()]);
    hash.to_string()[..16].to_owned()
}

#[cfg(test)]
mod tests;
