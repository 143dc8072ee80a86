//! Access tokens: random, shown once, stored as hashes, with an optional expiry, revocable.
//!
//! They are kept in `<data>/tokens.jsonl`, an append-only file that only its owner can read: a line for each change, with a
//! checksum that covers the lines before it, too. One writer at a time appends (`<data>/tokens.lock`), and writes the file
//! anew when most of it is history; a running service notices changes. Who shows a token waits for no disk. If the file is
//! damaged, or disappears while the service runs, the service keeps the tokens it has. Nodes of a stream share the same
//! contents as a [`Document`], and keep the tokens they have while its servers are away.

mod file;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use plybook_events::{Hash, LogId, Timestamp};
use plybook_store::{Document, StreamError};
use serde::{Deserialize, Serialize};

use self::file::{Change, FORMAT, Known, Stamp, append, private, read, replace, stamp};
use super::caller::{Caller, TableNumber};
use super::refusal::Refusal;
use super::role::Role;
use crate::clock;

/// The prefix of every token, by which people and scanners recognise one.
const PREFIX: &str = "plybook_";

/// The name of the file.
const FILE: &str = "tokens.jsonl";

/// How long a token is still known after it has expired, in milliseconds: a week, in which its holder is told so.
const EXPIRED_MS: i64 = 7 * 86_400_000;

/// The file is written anew when it has more lines than this, and most of its tokens are gone.
const LINES_MAX: usize = 64;

/// A token, without its secret text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Eight hexadecimal digits that identify it, in the logs of what it caused too. They are random, and say nothing
    /// about the token itself.
    pub id: String,
    /// SHA-256 of a domain string and the token.
    pub hash: Hash,
    /// What it allows.
    pub role: Role,
    /// What it is for, in the words of its maker.
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
    /// The id of the token whose holder issued it as a link to a game: it ends with that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
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
    /// The id of the token whose holder issues it as a link to a game.
    pub issuer: Option<String>,
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
    /// Locked for moments only, never while something is read or written.
    known: RwLock<Known>,
    /// Held while the file is changed.
    writing: Mutex<()>,
}

/// Where they are kept.
enum Place {
    Memory,
    File(PathBuf),
    Shared(Document),
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

impl Tokens {
    /// The name of the document that nodes share.
    pub const DOCUMENT: &str = "tokens";

    /// The tokens of a data directory.
    ///
    /// # Errors
    /// The file exists but cannot be read, or is damaged.
    pub fn open(dir: &Path) -> Result<Self, TokensError> {
        let path = dir.join(FILE);
        Ok(Self::with(read(&path)?, Place::File(path)))
    }

    /// The tokens that nodes share.
    ///
    /// # Errors
    /// They are damaged.
    pub fn open_shared(document: Document) -> Result<Self, TokensError> {
        let known = document.latest().map_or(Ok(Known::default()), |version| Known::of_version(&version))?;
        Ok(Self::with(known, Place::Shared(document)))
    }

    /// Adds the tokens of a data directory, if there are none yet.
    ///
    /// # Errors
    /// The file of the directory is damaged, or the tokens cannot be written.
    pub fn take_from(&self, dir: &Path) -> Result<(), TokensError> {
        let others = read(&dir.join(FILE))?;
        if others.tokens.is_empty() || !self.current().tokens.is_empty() {
            return Ok(());
        }
        self.change(|known| {
            let is_first = known.tokens.is_empty();
            let new = others.tokens.values().filter(|_| is_first).cloned().collect();
            (Change { new, ..Change::default() }, ())
        })
    }

    /// No tokens. New ones are kept in memory only.
    pub fn in_memory() -> Self {
        Self::with(Known::default(), Place::Memory)
    }

    fn with(known: Known, place: Place) -> Self {
        Self { place, known: RwLock::new(known), writing: Mutex::default() }
    }

    /// All tokens, oldest first.
    pub fn list(&self) -> Vec<Token> {
        self.current().tokens.values().cloned().collect()
    }

    /// Creates a token and returns it. It cannot be read again later.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(&self, caller: &Caller, label: &str, expires: Option<Timestamp>) -> Result<String, TokensError> {
        let new = NewToken { caller: caller.clone(), label: label.to_owned(), issuer: None, expires };
        Ok(self.replace(vec![new], |_| false)?.remove(0).secret)
    }

    /// Creates the first token, and returns it; `None` if there is one by now, since another node was first.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create_first(&self, caller: &Caller, label: &str) -> Result<Option<String>, TokensError> {
        let new = NewToken { caller: caller.clone(), label: label.to_owned(), issuer: None, expires: None };
        let (tokens, mut issued) = self.issue(vec![new], clock::now());
        let is_first = self.change(|known| {
            let is_first = known.tokens.is_empty();
            let new = tokens.iter().filter(|_| is_first).cloned().collect();
            (Change { new, ..Change::default() }, is_first)
        })?;
        Ok(is_first.then(|| issued.remove(0).secret))
    }

    /// Creates tokens that replace others, in one step, and returns them in order. Tokens that expired a week ago, and those
    /// of tables that have expired, are removed as well.
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
        let is_over = |token: &Token| {
            let known_ms = if token.table.is_some() { 0 } else { EXPIRED_MS };
            token.expires.is_some_and(|expires| expires.as_millis() + known_ms <= now.as_millis())
        };
        self.change(|known| {
            let end = known.ids(|token| is_over(token) || is_replaced(token));
            (Change { end, new: tokens.clone() }, ())
        })?;
        Ok(issued)
    }

    /// Makes tokens, which do not count yet, and what is told of them, in order.
    fn issue(&self, new: Vec<NewToken>, now: Timestamp) -> (Vec<Token>, Vec<IssuedToken>) {
        // An id stands in the logs of what its token caused, so it is nobody else's.
        let mut taken: BTreeSet<String> = self.current().ids(|_| true);
        let (mut tokens, mut issued) = (Vec::with_capacity(new.len()), Vec::with_capacity(new.len()));
        for NewToken { caller, label, issuer, expires } in new {
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
            let created = now;
            tokens.push(Token {
                id,
                hash,
                role,
                label,
                player,
                game,
                seat,
                tournament,
                table,
                issuer,
                created,
                expires,
            });
        }
        (tokens, issued)
    }

    /// Revokes a token, and the links to games that its holder issued; `false` if there is none with this id.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn revoke(&self, id: &str) -> Result<bool, TokensError> {
        self.change(|known| {
            let is_there = known.tokens.values().any(|token| token.id == id);
            let ends = |token: &Token| is_there && (token.id == id || token.issuer.as_deref() == Some(id));
            (Change { end: known.ids(ends), ..Change::default() }, is_there)
        })
    }

    /// The caller of a token; without a token, a spectator.
    ///
    /// # Errors
    /// The token is not known (it may have been revoked), or has expired.
    pub fn identify(&self, token: Option<&str>) -> Result<Caller, Refusal> {
        let Some(token) = token else { return Ok(Caller::SPECTATOR) };
        let hash = hash(token);
        let known = self.current();
        let found = known.by_hash.get(&hash).and_then(|order| known.tokens.get(order));
        let found = found.ok_or(Refusal::Unknown)?;
        if found.expires.is_some_and(|expires| expires <= clock::now()) {
            return Err(Refusal::Expired);
        }
        let Token { role, player, game, seat, tournament, table, .. } = *found;
        let who = format!("{role}:{}", found.id).parse().ok();
        Ok(Caller { role, player, game, seat, tournament, table, token: Some(hash), who })
    }

    /// The current tokens, read again if somebody else has changed them.
    fn current(&self) -> RwLockReadGuard<'_, Known> {
        let stamp = match &self.place {
            Place::Memory => return self.read_lock(),
            Place::File(path) => stamp(path),
            Place::Shared(document) => document.latest().map(|version| Stamp::of(&version)),
        };
        if self.read_lock().looked_at == stamp {
            return self.read_lock();
        }
        // The holder of this lock brings the tokens up to date.
        let Ok(_writing) = self.writing.try_lock() else { return self.read_lock() };
        let found = match &self.place {
            Place::Memory => Ok(Known::default()),
            Place::File(path) if stamp.is_none() => Err(TokensError::Gone { path: path.clone() }),
            Place::File(path) => read(path),
            Place::Shared(document) => match document.latest() {
                Some(version) => Known::of_version(&version),
                None => return self.read_lock(),
            },
        };
        let mut known = self.write_lock();
        match found {
            Ok(found) => *known = found,
            Err(why) => {
                // It is not read again until it changes.
                tracing::error!(%why, "the tokens stay as they were");
                known.looked_at = stamp;
            }
        }
        drop(known);
        self.read_lock()
    }

    /// Changes the tokens, one writer at a time.
    fn change<T>(&self, change: impl Fn(&Known) -> (Change, T)) -> Result<T, TokensError> {
        match &self.place {
            Place::Memory => {
                let mut known = self.write_lock();
                let (change, done) = change(&known);
                known.apply(change);
                Ok(done)
            }
            Place::File(path) => self.change_file(path, change),
            // Nobody who shows a token waits for the servers.
            Place::Shared(document) => document.update(|version| {
                let mut known = version.map_or(Ok(Known::default()), Known::of_version)?;
                let (change, done) = change(&known);
                known.apply(change);
                Ok((Some(known.to_bytes()), done))
            }),
        }
    }

    /// Appends a change to the file, under its lock.
    fn change_file<T>(&self, path: &Path, change: impl Fn(&Known) -> (Change, T)) -> Result<T, TokensError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let io = |source| TokensError::Io { path: path.with_extension("lock"), source };
        let lock = private().create(true).truncate(false).open(path.with_extension("lock")).map_err(io)?;
        lock.lock().map_err(io)?;
        let io = |source| TokensError::Io { path: path.to_owned(), source };
        let stamp = stamp(path);
        if stamp.is_none() && self.read_lock().lines > 0 {
            return Err(TokensError::Gone { path: path.to_owned() });
        }
        if self.read_lock().stamp != stamp || stamp.is_none() {
            let found = read(path)?;
            *self.write_lock() = found;
        }
        let (change, done) = change(&self.read_lock());
        if change.end.is_empty() && change.new.is_empty() {
            return Ok(done);
        }
        let (line, bytes, is_history) = {
            let known = self.read_lock();
            let is_history = known.lines > LINES_MAX && known.lines > 2 * known.tokens.len();
            (known.line(&change), known.bytes, known.lines == 0 || is_history)
        };
        if is_history {
            let mut known = self.read_lock().without_history();
            known.apply(change);
            replace(path, &known.to_bytes()).map_err(io)?;
            let found = read(path)?;
            *self.write_lock() = found;
            return Ok(done);
        }
        append(path, bytes, &line).map_err(io)?;
        let mut known = self.write_lock();
        known.note(&line);
        known.apply(change);
        known.read_at(self::file::stamp(path));
        Ok(done)
    }

    fn read_lock(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_lock(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The hash that is stored for a token. A token has 256 random bits, so a slow hash would add nothing.
fn hash(token: &str) -> Hash {
    Hash::of_parts(&[b"plybook/token/v1\0", token.as_bytes()])
}
