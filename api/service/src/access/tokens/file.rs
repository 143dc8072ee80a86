//! The file of tokens: an append-only log of changes, each with a checksum that covers the lines before it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::SystemTime;

use plybook_events::Hash;
use plybook_store::Version;
use serde::{Deserialize, Serialize};

use super::{Token, TokensError};

/// The tokens as last read.
#[derive(Default)]
pub(super) struct Known {
    /// By the order in which they were created.
    pub(super) tokens: BTreeMap<u64, Token>,
    pub(super) by_hash: HashMap<Hash, u64>,
    /// The number of lines that they were read from.
    pub(super) lines: usize,
    /// The length of these lines in bytes.
    pub(super) bytes: u64,
    /// The checksum of the last line.
    check: String,
    /// What they were read from.
    pub(super) stamp: Option<Stamp>,
    /// What was looked at last: the same, or what could not be read.
    pub(super) looked_at: Option<Stamp>,
}

/// A change of the tokens: a line of the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    /// The ids of those that end.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) end: BTreeSet<String>,
    /// Those that are new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) new: Vec<Token>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The first 16 hex digits of SHA-256 over a domain string, the check of the line before and the change.
    check: String,
    change: Change,
}

/// Identifies a version of what tokens are read from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// The file's modification time and, since clocks are coarse, its length and inode.
    File(SystemTime, u64, u64),
    /// The document's revision.
    Revision(u64),
}

/// The format of the file, with its version.
pub(super) const FORMAT: &str = "plybook-tokens/1";

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Format {
    /// [`FORMAT`].
    format: String,
}

impl Known {
    pub(super) fn of_version(version: &Version) -> Result<Self, TokensError> {
        let mut known = parse(Path::new("what nodes share as tokens"), &version.bytes)?;
        known.read_at(Some(Stamp::of(version)));
        Ok(known)
    }

    /// The ids of some tokens.
    pub(super) fn ids(&self, which: impl Fn(&Token) -> bool) -> BTreeSet<String> {
        self.tokens.values().filter(|token| which(token)).map(|token| token.id.clone()).collect()
    }

    pub(super) fn apply(&mut self, change: Change) {
        let Change { end, new } = change;
        let ended: Vec<u64> =
            self.tokens.iter().filter(|(_, token)| end.contains(&token.id)).map(|(order, _)| *order).collect();
        for token in ended.iter().filter_map(|order| self.tokens.remove(order)) {
            self.by_hash.remove(&token.hash);
        }
        let next = self.tokens.last_key_value().map_or(0, |(last, _)| last + 1);
        for (order, token) in (next..).zip(new) {
            self.by_hash.insert(token.hash, order);
            self.tokens.insert(order, token);
        }
    }

    /// The line of a change, with its line feed.
    pub(super) fn line(&self, change: &Change) -> Vec<u8> {
        let change = Change { end: change.end.clone(), new: change.new.clone() };
        let mut line = serde_json::to_vec(&Line { check: check(&self.check, &change), change }).expect("plain data");
        line.push(b'\n');
        line
    }

    pub(super) fn read_at(&mut self, stamp: Option<Stamp>) {
        self.stamp = stamp;
        self.looked_at = stamp;
    }

    /// Counts a line that was written.
    pub(super) fn note(&mut self, line: &[u8]) {
        self.lines += 1;
        self.bytes += line.len() as u64;
        if let Ok(Line { check, .. }) = serde_json::from_slice(line) {
            self.check = check;
        }
    }

    /// The same tokens, read from nothing yet.
    pub(super) fn without_history(&self) -> Self {
        Self { tokens: self.tokens.clone(), ..Self::default() }
    }

    /// All tokens as a file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&Format { format: FORMAT.to_owned() }).expect("plain data");
        bytes.push(b'\n');
        let change = Change { new: self.tokens.values().cloned().collect(), ..Change::default() };
        bytes.extend(Self::default().line(&change));
        bytes
    }
}

impl Stamp {
    pub(super) fn of(version: &Version) -> Self {
        Self::Revision(version.revision)
    }
}

/// Replaces a file with one that only its owner can read; a power cut leaves either the old or the new one.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("jsonl.new");
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
pub(super) fn private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

/// Appends a line after the whole ones; what a process that was killed has left of another is cut off.
pub(super) fn append(path: &Path, bytes: u64, line: &[u8]) -> io::Result<()> {
    let mut file = private().open(path)?;
    file.set_len(bytes)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(line)?;
    file.sync_data()
}

fn check(before: &str, change: &Change) -> String {
    let json = serde_json::to_vec(change).expect("tokens are plain data");
    let parts: [&[u8]; 3] = [b"plybook/tokens/v2\0", before.as_bytes(), &json];
    Hash::of_parts(&parts).to_string()[..16].to_owned()
}

pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    Some(Stamp::File(meta.modified().ok()?, meta.len(), meta.ino()))
}

pub(super) fn read(path: &Path) -> Result<Known, TokensError> {
    // The stamp is taken first, so a file that is changed meanwhile is read again.
    let stamp = stamp(path);
    match fs::read(path) {
        Ok(bytes) => {
            let mut known = parse(path, &bytes)?;
            known.read_at(stamp);
            Ok(known)
        }
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Known::default()),
        Err(source) => Err(TokensError::Io { path: path.to_owned(), source }),
    }
}

/// Reads the lines of a file. What follows the last line feed was being written when a process was killed, and is no line.
fn parse(path: &Path, bytes: &[u8]) -> Result<Known, TokensError> {
    let form = |source| TokensError::Form { path: path.to_owned(), source };
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let first = lines.next().unwrap_or_default();
    let Format { format: found } = serde_json::from_slice(first).map_err(form)?;
    if found != FORMAT {
        return Err(TokensError::OtherVersion { path: path.to_owned(), found });
    }
    let mut known = Known { lines: 1, bytes: first.len() as u64, ..Known::default() };
    for line in lines {
        let Line { check: told, change } = serde_json::from_slice(line).map_err(form)?;
        if told != check(&known.check, &change) {
            return Err(TokensError::Check { path: path.to_owned() });
        }
        known.note(line);
        known.apply(change);
    }
    Ok(known)
}
