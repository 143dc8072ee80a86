//! The transparency log of nodes that append to one stream: one key, and one last checkpoint that all of them serve.
//!
//! A checkpoint counts once it has replaced the last one among what nodes share, by compare-and-swap, and each node compares
//! every checkpoint with its own tree before it signs the next. So there are never two of one size, even if two nodes sign: the
//! checkpoint of the one that comes second is never published.
//!
//! It is the turn of the node that has signed the last checkpoint. If it signs none although there are new events, another one
//! takes over after [`TURN`], by its own clock.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use plybook_stream::{Document, StreamError, Version};
use plybook_tlog::{Checkpoint, Note, Quorum};

use super::files::Stored;
use super::keys::Keys;
use super::{Published, TlogError};

/// How long the node whose turn it is may leave new events without a checkpoint.
const TURN: Duration = Duration::from_secs(3);

/// The document with the keys.
pub(super) const KEYS: &str = "tlog_keys";

/// The document with the last checkpoint that was signed.
const SIGNED: &str = "checkpoint";

/// The document with the last one that enough witnesses have cosigned.
const COSIGNED: &str = "cosigned";

/// What nodes share of a transparency log.
pub(super) struct Sharing {
    signed: Document,
    cosigned: Document,
    /// The revision of the last checkpoint that this node has taken or written.
    revision: u64,
    cosigned_revision: u64,
    /// Whether this node has signed it.
    is_own: bool,
    /// Since when there are new events that it does not cover.
    ahead_since: Option<Instant>,
    /// The size of the public checkpoint, if witnesses have to cosign a later one, and since when it is that.
    pending: Option<(u64, Instant)>,
}

impl Sharing {
    pub(super) fn new(shared: &crate::shared::Shared) -> Self {
        let (signed, cosigned) = (shared.document(SIGNED), shared.document(COSIGNED));
        Self { signed, cosigned, revision: 0, cosigned_revision: 0, is_own: false, ahead_since: None, pending: None }
    }

    /// What stands for a path in messages about the last checkpoint.
    pub(super) fn path() -> PathBuf {
        PathBuf::from("the checkpoint that nodes share")
    }

    /// The document with the last checkpoint that enough witnesses have cosigned.
    pub(super) fn cosigned(&self) -> Document {
        self.cosigned.clone()
    }

    /// Asks the servers for both checkpoints; first for the one that is cosigned, so that it is not ahead of the one that is signed.
    pub(super) fn read(&self) -> Result<(), TlogError> {
        self.cosigned.read()?;
        self.signed.read()?;
        Ok(())
    }

    /// A checkpoint that another node has signed since, and its revision.
    pub(super) fn next_signed(&self, keys: &Keys) -> Result<Option<(Published, u64)>, TlogError> {
        let Some(version) = self.signed.latest().filter(|version| version.revision > self.revision) else {
            return Ok(None);
        };
        let next = keys.checked(Self::stored(&version)?, &Quorum::default())?;
        Ok(Some((next, version.revision)))
    }

    /// Notes that the checkpoint with this revision was taken from another node.
    pub(super) fn adopted(&mut self, revision: u64) {
        (self.revision, self.is_own, self.ahead_since) = (revision, false, None);
    }

    /// A checkpoint that was cosigned since, of a tree of at most `size` leaves.
    pub(super) fn next_cosigned(
        &mut self,
        keys: &Keys,
        quorum: &Quorum,
        size: u64,
    ) -> Result<Option<Published>, TlogError> {
        let latest = self.cosigned.latest().filter(|version| version.revision > self.cosigned_revision);
        let Some(version) = latest.filter(|_| quorum.needed() > 0) else { return Ok(None) };
        let next = keys.checked(Self::stored(&version)?, quorum)?;
        if next.checkpoint.size > size {
            return Ok(None);
        }
        self.cosigned_revision = version.revision;
        Ok(Some(next).filter(|next| next.cosignatures.len() >= quorum.needed()))
    }

    /// Whether this node signs the next checkpoint, now that there are new events.
    pub(super) fn is_turn(&mut self) -> bool {
        self.is_own || self.ahead_since.get_or_insert_with(Instant::now).elapsed() >= TURN
    }

    /// Whether this node asks witnesses to cosign the checkpoint of `signed` events, now that one of `published` is public: the node
    /// that has signed it, and the others too if that comes to nothing.
    pub(super) fn asks(&mut self, signed: u64, published: u64) -> bool {
        self.pending = (signed > published).then(|| match self.pending {
            Some((size, since)) if size == published => (size, since),
            _ => (published, Instant::now()),
        });
        self.is_own || self.pending.is_some_and(|(_, since)| since.elapsed() >= TURN)
    }

    /// Makes a checkpoint the last one, after the one that this node has compared. Returns `false` if another node was first: then
    /// it does not count.
    pub(super) fn publish(&mut self, signed: &Published) -> Result<bool, TlogError> {
        let Some(revision) = self.signed.replace(&bytes_of(signed), self.revision)? else {
            self.signed.read()?;
            return Ok(false);
        };
        (self.revision, self.is_own, self.ahead_since) = (revision, true, None);
        Ok(true)
    }

    fn stored(version: &Version) -> Result<Stored, TlogError> {
        let text = str::from_utf8(&version.bytes).ok().and_then(|text| text.split_once('\n'));
        let stored = text.and_then(|(at_ms, note)| Some((note.to_owned(), at_ms.parse().ok()?)));
        let (note, at_ms) = stored.ok_or_else(|| TlogError::Checkpoint {
            path: Self::path(),
            why: "it does not begin with the time at which it was signed".to_owned(),
        })?;
        Ok(Stored { path: Self::path(), note, at_ms })
    }
}

/// The files below `tlog/` in which a store on its own keeps what nodes share of a transparency log.
pub(crate) fn shared_files(shared: &crate::shared::Shared) -> Result<Vec<(&'static str, String)>, TlogError> {
    let mut files = Vec::new();
    // In this order, so that the one that is cosigned is not ahead of the one that is signed.
    for (file, document) in [("cosigned", COSIGNED), ("checkpoint", SIGNED)] {
        if let Some(version) = shared.document(document).read()? {
            files.push((file, Sharing::stored(&version)?.note));
        }
    }
    files.extend(Keys::shared_files(&shared.document(KEYS))?);
    Ok(files)
}

/// Shares a checkpoint that enough witnesses have cosigned, unless a later one is there.
pub(super) fn publish_cosigned(document: &Document, cosigned: &Published) -> Result<(), StreamError> {
    document.update(|found| {
        let found = found.and_then(|version| str::from_utf8(&version.bytes).ok()?.split_once('\n'));
        let found = found.and_then(|(_, note)| Checkpoint::from_text(note.parse::<Note>().ok()?.text()).ok());
        let is_later = found.is_none_or(|found| found.size < cosigned.checkpoint.size);
        Ok((is_later.then(|| bytes_of(cosigned)), ()))
    })
}

/// A line with the time, in milliseconds since 1970, and the note.
fn bytes_of(published: &Published) -> Vec<u8> {
    format!("{}\n{}", published.at_ms, published.note).into_bytes()
}
