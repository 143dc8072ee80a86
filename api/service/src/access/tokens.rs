//! Access tokens: random, shown once, stored as hashes, with an optional expiry, revocable.
//!
//! They are kept in `<data>/tokens.json`, which only its owner can read, with a checksum over all of them.
//! Every change writes a new file and renames it into place, one writer at a time (`<data>/tokens.lock`); a
//! running service notices the change. If the file is damaged, or disappears while the service runs, the
//! service keeps the tokens it has. Nodes of a stream share the same contents as a [`Document`], and keep the tokens they
//! have while its servers are away.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use plybook_events::{Hash, LogId, Timestamp};
use plybook_store::{Document, StreamError, Version};
use serde::{Deserialize, Serialize};

use super::caller::{Caller, TableNumber};
use super::refusal::Refusal;
use super::role::Role;
use crate::clock;

/// The prefix of every token, by which people and scanners recognise one.
const PREFIX: &str = "plybook_";

/// A token, without its secret text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Eight hexadecimal digits that identify it, in the logs of what it caused too. They are random, and say nothing
    /// about the token itself.
    pub id: String,
    /// SHA-256 of a domain string and the token.
    pub hash: Hash,
    /// What it allows.
    pub role: Role,
    /// What it is for, in the words of whoever made it.
    pub label: String,
    /// The player who holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<LogId>,
    /// The one game it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<LogId>,
    /// The seat in that game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The one tournament it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<LogId>,
    /// The one table of that tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableNumber>,
    /// When it was created.
    pub created: Timestamp,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
}

/// A token to create.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What it allows.
    pub caller: Caller,
    /// What it is for.
    pub label: String,
    /// When it expires.
    pub expires: Option<Timestamp>,
}

/// A token that was created. It cannot be read again later.
#[derive(Clone, Debug)]
pub struct IssuedToken {
    /// Eight characters that identify it.
    pub id: String,
    /// The token itself.
    pub secret: String,
    /// When it expires.
    pub expires: Option<Timestamp>,
}

/// The tokens of a data directory, or those that nodes share.
pub struct Tokens {
    place: Place,
    list: Mutex<List>,
}

/// Where they are kept.
enum Place {
    Memory,
    File(PathBuf),
    Shared(Document),
}

/// The tokens as last read.
#[derive(Default)]
struct List {
    tokens: Vec<Token>,
    /// What they were read from.
    stamp: Option<Stamp>,
}

/// Identifies a version of what tokens are read from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stamp {
    /// The file's modification time, and its inode, since clocks are coarse and every change makes a new file.
    File(SystemTime, u64),
    /// The document's revision.
    Revision(u64),
}

/// Why tokens cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    /// The file cannot be read or written. Check its permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// The file does not contain tokens. Restore it, or delete it to start without any.
    #[error("{}: not a list of tokens: {source}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The file has another format. Use the program that wrote it, or delete it and create new tokens.
    #[error("{}: its format is {found:?}, and this program reads {FORMAT:?}", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The format that it names.
        found: String,
    },
    /// The file was changed by another program. Restore it from a copy, or delete it and create new tokens.
    #[error("{}: damaged: the tokens do not match their check", path.display())]
    Check {
        /// The file.
        path: PathBuf,
    },
    /// The file disappeared while the service was running.
    #[error("{}: it is gone", path.display())]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// The servers that keep what nodes share are away, or refuse.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

/// The format of the file, with its version.
const FORMAT: &str = "plybook-tokens/1";

/// The contents of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    /// [`FORMAT`].
    format: String,
    /// The first 16 hex digits of SHA-256 over a domain string and the tokens as compact JSON.
    check: String,
    tokens: Vec<Token>,
}

/// What a file of any version has.
#[derive(Deserialize)]
struct Format {
    format: String,
}

impl Tokens {
    /// The name of the document that nodes share.
    pub const DOCUMENT: &str = "tokens";

    /// The tokens of a data directory.
    ///
    /// # Errors
    /// The file exists but cannot be read, or is damaged.
    pub fn open(dir: &Path) -> Result<Self, TokensError> {
        let path = dir.join("tokens.json");
        // The stamp is taken first, so a file that is replaced meanwhile is read again.
        let stamp = stamp(&path);
        let list = List { tokens: read(&path)?, stamp };
        Ok(Self { place: Place::File(path), list: Mutex::new(list) })
    }

    /// The tokens that nodes share.
    ///
    /// # Errors
    /// They are damaged.
    pub fn open_shared(document: Document) -> Result<Self, TokensError> {
        let list = document.latest().map_or(Ok(List::default()), |version| List::of_version(&version))?;
        Ok(Self { place: Place::Shared(document), list: Mutex::new(list) })
    }

    /// Adds the tokens of a data directory, if there are none yet.
    ///
    /// # Errors
    /// The file of the directory is damaged, or the tokens cannot be written.
    pub fn take_from(&self, dir: &Path) -> Result<(), TokensError> {
        let others = read(&dir.join("tokens.json"))?;
        if others.is_empty() || !self.list().is_empty() {
            return Ok(());
        }
        self.change(|tokens| {
            if tokens.is_empty() {
                tokens.clone_from(&others);
            }
        })
    }

    /// No tokens. New ones are kept in memory only.
    pub fn in_memory() -> Self {
        Self { place: Place::Memory, list: Mutex::default() }
    }

    /// All tokens, oldest first.
    pub fn list(&self) -> Vec<Token> {
        self.current().tokens.clone()
    }

    /// Creates a token and returns it. It cannot be read again later.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(&self, caller: &Caller, label: &str, expires: Option<Timestamp>) -> Result<String, TokensError> {
        let new = NewToken { caller: caller.clone(), label: label.to_owned(), expires };
        Ok(self.replace(vec![new], |_| false)?.remove(0).secret)
    }

    /// Creates the first token, and returns it; `None` if there is one by now, since another node was first.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create_first(&self, caller: &Caller, label: &str) -> Result<Option<String>, TokensError> {
        let new = NewToken { caller: caller.clone(), label: label.to_owned(), expires: None };
        let (tokens, mut issued) = self.issue(vec![new], clock::now());
        let is_first = self.change(|all| {
            let is_first = all.is_empty();
            if is_first {
                all.clone_from(&tokens);
            }
            is_first
        })?;
        Ok(is_first.then(|| issued.remove(0).secret))
    }

    /// Creates tokens that replace others, in one step, and returns them in order. Expired tokens are removed
    /// as well.
    ///
    /// # Errors
    /// The file cannot be written; nothing has changed.
    pub fn replace(
        &self,
        new: Vec<NewToken>,
        is_replaced: impl Fn(&Token) -> bool,
    ) -> Result<Vec<IssuedToken>, TokensError> {
        let now = clock::now();
        let (tokens, issued) = self.issue(new, now);
        self.change(|all| {
            all.retain(|token| {
                let is_over = token.table.is_some() && token.expires.is_some_and(|expires| expires <= now);
                !is_over && !is_replaced(token)
            });
            all.extend(tokens.iter().cloned());
        })?;
        Ok(issued)
    }

    /// Makes tokens, which do not count yet, and what is told of them, in order.
    fn issue(&self, new: Vec<NewToken>, now: Timestamp) -> (Vec<Token>, Vec<IssuedToken>) {
        // An id stands in the logs of what its token caused, so it is nobody else's.
        let mut taken: BTreeSet<String> = self.current().tokens.iter().map(|token| token.id.clone()).collect();
        let (mut tokens, mut issued) = (Vec::with_capacity(new.len()), Vec::with_capacity(new.len()));
        for NewToken { caller, label, expires } in new {
            let secret = format!("{PREFIX}{}", clock::random());
            let id = loop {
                let id = clock::random().to_string()[..8].to_owned();
                if !taken.contains(&id) {
                    break id;
                }
            };
            taken.insert(id.clone());
            issued.push(IssuedToken { id: id.clone(), secret: secret.clone(), expires });
            let Caller { role, player, game, seat, tournament, table, .. } = caller;
            let hash = hash(&secret);
            tokens.push(Token { id, hash, role, label, player, game, seat, tournament, table, created: now, expires });
        }
        (tokens, issued)
    }

    /// Revokes a token; `false` if there is none with this id.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn revoke(&self, id: &str) -> Result<bool, TokensError> {
        self.change(|tokens| {
            let before = tokens.len();
            tokens.retain(|token| token.id != id);
            tokens.len() < before
        })
    }

    /// The caller of a token; without a token, a spectator.
    ///
    /// # Errors
    /// The token is not known (it may have been revoked), or has expired.
    pub fn identify(&self, token: Option<&str>) -> Result<Caller, Refusal> {
        let Some(token) = token else { return Ok(Caller::SPECTATOR) };
        let hash = hash(token);
        let list = self.current();
        let found = list.tokens.iter().find(|token| token.hash == hash);
        let found = found.ok_or(Refusal::Unknown)?;
        if found.expires.is_some_and(|expires| expires <= clock::now()) {
            return Err(Refusal::Expired);
        }
        let Token { role, player, game, seat, tournament, table, .. } = *found;
        let who = format!("{role}:{}", found.id).parse().ok();
        Ok(Caller { role, player, game, seat, tournament, table, token: Some(hash), who })
    }

    /// The current tokens, read again if they have changed.
    fn current(&self) -> MutexGuard<'_, List> {
        let mut list = self.lock();
        let (stamp, read) = match &self.place {
            Place::Memory => return list,
            Place::File(path) => match stamp(path) {
                stamp if stamp == list.stamp => return list,
                None => (None, Err(TokensError::Gone { path: path.clone() })),
                stamp => (stamp, read(path)),
            },
            Place::Shared(document) => match document.latest() {
                Some(version) if list.stamp != Some(Stamp::of(&version)) => {
                    (Some(Stamp::of(&version)), List::of_version(&version).map(|list| list.tokens))
                }
                _ => return list,
            },
        };
        match read {
            Ok(tokens) => list.tokens = tokens,
            Err(why) => tracing::error!(%why, "the tokens stay as they were"),
        }
        list.stamp = stamp;
        list
    }

    /// Changes the tokens, one writer at a time.
    fn change<T>(&self, change: impl Fn(&mut Vec<Token>) -> T) -> Result<T, TokensError> {
        match &self.place {
            Place::Memory => Ok(change(&mut self.lock().tokens)),
            Place::File(path) => self.change_file(path, change),
            // Nobody who shows a token waits for the servers.
            Place::Shared(document) => document.update(|version| {
                let mut tokens = version.map_or(Ok(List::default()), List::of_version)?.tokens;
                let done = change(&mut tokens);
                Ok((Some(bytes_of(tokens)), done))
            }),
        }
    }

    /// Changes the tokens in the file, under its lock.
    fn change_file<T>(&self, path: &Path, change: impl Fn(&mut Vec<Token>) -> T) -> Result<T, TokensError> {
        let mut list = self.lock();
        let io = |source| TokensError::Io { path: path.to_owned(), source };
        let lock = private().create(true).truncate(false).open(path.with_extension("lock")).map_err(io)?;
        lock.lock().map_err(io)?;
        let mut tokens = read(path)?;
        let done = change(&mut tokens);
        replace(path, &bytes_of(tokens.clone())).map_err(io)?;
        *list = List { tokens, stamp: stamp(path) };
        Ok(done)
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    fn of_version(version: &Version) -> Result<Self, TokensError> {
        let tokens = parse(Path::new("what nodes share as tokens"), &version.bytes)?;
        Ok(Self { tokens, stamp: Some(Stamp::of(version)) })
    }
}

impl Stamp {
    fn of(version: &Version) -> Self {
        Self::Revision(version.revision)
    }
}

/// Replaces a file with one that only its owner can read; a power cut leaves either the old or the new one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("json.new");
    match fs::remove_file(&fresh) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    let mut file = private().create_new(true).open(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    path.parent().map_or(Ok(()), |dir| File::open(dir)?.sync_all())
}

/// Options for opening files that only their owner may read.
fn private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

/// The hash that is stored for a token. A token has 256 random bits, so a slow hash would add nothing.
fn hash(token: &str) -> Hash {
    Hash::of_parts(&[b"plybook/token/v1\0", token.as_bytes()])
}

fn check(tokens: &[Token]) -> String {
    let json = serde_json::to_vec(tokens).expect("tokens are plain data");
    Hash::of_parts(&[b"plybook/tokens/v1\0", &json]).to_string()[..16].to_owned()
}

fn bytes_of(tokens: Vec<Token>) -> Vec<u8> {
    let contents = Checked { format: FORMAT.to_owned(), check: check(&tokens), tokens };
    serde_json::to_vec_pretty(&contents).expect("tokens are plain data")
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    Some(Stamp::File(meta.modified().ok()?, meta.ino()))
}

fn read(path: &Path) -> Result<Vec<Token>, TokensError> {
    match fs::read(path) {
        Ok(json) => parse(path, &json),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(TokensError::Io { path: path.to_owned(), source }),
    }
}

fn parse(path: &Path, json: &[u8]) -> Result<Vec<Token>, TokensError> {
    let form = |source| TokensError::Form { path: path.to_owned(), source };
    let Format { format: found } = serde_json::from_slice(json).map_err(form)?;
    if found != FORMAT {
        return Err(TokensError::OtherVersion { path: path.to_owned(), found });
    }
    let held: Checked = serde_json::from_slice(json).map_err(form)?;
    if held.check == check(&held.tokens) { Ok(held.tokens) } else { Err(TokensError::Check { path: path.to_owned() }) }
}
