//! Starting a transparency log: what is stored is compared with the journal, and followed from there.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use plybook_tlog::{Builder, Quorum};

use super::earlier::compare_earlier;
use super::files::Files;
use super::follow::Follower;
use super::keys::Keys;
use super::sharing::Sharing;
use super::{FOLDER, Known, Published, Shared, Tlog, TlogError, check, sharing};
use crate::disk;
use crate::log::Log;

/// How long a node waits at its start until it has the events that the last checkpoint covers.
const BEHIND_PATIENCE: Duration = Duration::from_secs(30);
const BEHIND_PAUSE: Duration = Duration::from_millis(50);

impl Tlog {
    /// Opens the transparency log of a data directory, compares it with the journal, and follows the journal from then
    /// on: a checkpoint covers an event at most a second after it was recorded.
    ///
    /// The first time, it makes a key whose name is `origin`, or else a name that no other data directory has.
    ///
    /// If `quorum` has witnesses, a checkpoint becomes public once enough of them have cosigned it; until the first one
    /// has, the last one that is stored is public. Somebody has to ask them: [`next_to_cosign`](Self::next_to_cosign).
    ///
    /// # Errors
    /// The journal does not lead to the last checkpoint, or a file is missing or cannot be read or written.
    pub fn start(data: &Path, log: &Log, origin: Option<&str>, quorum: Quorum) -> Result<Self, TlogError> {
        Self::start_with(data, log, origin, quorum, check::LAST_EVENTS)
    }

    /// Like [`start`](Self::start); `last` is how many of the last events are compared before it returns.
    pub(super) fn start_with(
        data: &Path,
        log: &Log,
        origin: Option<&str>,
        quorum: Quorum,
        last: u64,
    ) -> Result<Self, TlogError> {
        let dir = make_dir(data)?;
        let files = Files::new(&dir);
        let stored = files.checkpoint()?;
        let keys = Keys::open(&dir, origin, stored.is_some())?;
        if quorum.witnesses().is_empty() {
            files.remove_cosigned()?;
        }
        let (trees, known) = if let Some(stored) = stored {
            let known = Known::of(stored, &files, &keys, &quorum)?;
            (check::compare_last(log, &files, &known.checkpoints(), last)?, known)
        } else {
            if !log.is_empty() {
                tracing::warn!(dir = %dir.display(), "there is no checkpoint: the tree is made from the journal");
            }
            files.remove_cosigned()?;
            let (builder, signed) = check::begin(&keys, &files)?;
            ((builder, Builder::default()), Known { published: signed.clone(), signed })
        };
        keys.list(known.signed.checkpoint.size)?;
        Self::follow(log, files, known, keys, quorum, trees, None)
    }

    /// Like [`start`](Self::start), for nodes that append to one stream: they share the key and the last checkpoint, and one of
    /// them at a time signs the next. The folder holds what this node knows of it: the tiles and the last checkpoint.
    ///
    /// # Errors
    /// As for [`start`](Self::start); also if the servers are away.
    pub fn start_shared(
        data: &Path,
        log: &Log,
        origin: Option<&str>,
        quorum: Quorum,
        shared: &crate::shared::Shared,
    ) -> Result<Self, TlogError> {
        let dir = make_dir(data)?;
        let files = Files::new(&dir);
        let keys = Keys::open_shared(&dir, origin, &shared.document(sharing::KEYS))?;
        let mut sharing = Sharing::new(shared);
        // What this node has seen is a promise, too.
        let seen = files.checkpoint()?.map(|seen| keys.checked(seen, &quorum)).transpose()?;
        let compared = |seen: &Published| check::compare_last(log, &files, &[&seen.checkpoint], check::LAST_EVENTS);
        let trees = seen.as_ref().map(compared).transpose()?;
        sharing.read()?;
        let cosigned = sharing.next_cosigned(&keys, &quorum, u64::MAX)?;
        let signed = loop {
            if let Some((last, revision)) = sharing.next_signed(&keys)? {
                sharing.adopted(revision);
                break last;
            }
            let first = seen.clone().map_or_else(|| check::begin(&keys, &files).map(|(_, first)| first), Ok)?;
            if sharing.publish(&first)? {
                break first;
            }
        };
        let published = cosigned.unwrap_or_else(|| signed.clone());
        let known = Known { signed, published };
        let begun = Instant::now();
        while log.len() < known.signed.checkpoint.size && begun.elapsed() < BEHIND_PATIENCE {
            std::thread::sleep(BEHIND_PAUSE);
        }
        let trees = match trees {
            // What this node has missed comes after what it has seen.
            Some((builder, believed)) if builder.len() <= known.published.checkpoint.size => {
                (check::compare(builder, log, &files, &known.checkpoints())?, believed)
            }
            _ => check::compare_last(log, &files, &known.checkpoints(), check::LAST_EVENTS)?,
        };
        files.write_checkpoint(&known.signed.note)?;
        Self::follow(log, files, known, keys, quorum, trees, Some(sharing))
    }

    /// Follows the journal from the trees of the last checkpoint and of the events that were not compared yet.
    fn follow(
        log: &Log,
        files: Files,
        known: Known,
        keys: Keys,
        quorum: Quorum,
        (builder, believed): (Builder, Builder),
        sharing: Option<Sharing>,
    ) -> Result<Self, TlogError> {
        let dir = files.dir().to_owned();
        let io = |source| TlogError::Io { path: dir.clone(), source };
        let cosigned = sharing.as_ref().map(Sharing::cosigned);
        let shared = Arc::new(Shared { cosigned, ..Shared::new(files, known, &keys, quorum) });
        let follower = Follower::new(log.clone(), Arc::clone(&shared), keys, builder, sharing);
        let spawn = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let earlier = (log.clone(), Arc::clone(&shared));
        let follower = spawn("tlog").spawn(move || follower.run()).map_err(io)?;
        let tlog = Self { shared, threads: Mutex::new(vec![follower]) };
        let compare = move || compare_earlier(&earlier.0, &earlier.1, &believed);
        let earlier = spawn("tlog-earlier").spawn(compare).map_err(io)?;
        tlog.threads.lock().unwrap_or_else(PoisonError::into_inner).push(earlier);
        Ok(tlog)
    }
}

/// The folder of a data directory.
fn make_dir(data: &Path) -> Result<PathBuf, TlogError> {
    let dir = data.join(FOLDER);
    disk::make_dir(&dir).map_err(|source| TlogError::Io { path: dir.clone(), source })?;
    Ok(dir)
}
