//! The snapshot of the catalogue, and the file of summaries beside it.

use std::io;

use plybook_store::Store;

use super::contents::Contents;
use crate::error::ModelError;
use crate::snapshot::SnapshotFile;

/// The folder of both.
const FOLDER: &str = "catalogue";

/// The version of what is in them.
const VERSION: &str = "v1";

/// About how many bytes a game takes in the snapshot.
const GAME_BYTES: u64 = 160;

/// The bounds of how many events and ratings there are between two times that everything is saved: as many as there are games.
pub(super) const EVENTS_MIN: u64 = 8_192;
const EVENTS_MAX: u64 = 1 << 18;

/// Where the catalogue is saved.
pub(super) struct Saved {
    pub snapshot: SnapshotFile,
    /// The journal position of the snapshot.
    position: u64,
    /// What [`ratings_noted`](super::games::KnownGames::ratings_noted) said then.
    ratings_noted: u64,
}

impl Saved {
    /// Opens the folder; `None` if the store keeps nothing on disk.
    pub fn open(store: &Store) -> Result<Option<Self>, ModelError> {
        let snapshot = SnapshotFile::open(store, FOLDER, VERSION.to_owned())?;
        Ok(snapshot.map(|snapshot| Self { snapshot, position: 0, ratings_noted: 0 }))
    }

    /// The catalogue as it was saved. If it was not, or is damaged, or was made from another journal or by another version, it is
    /// empty, and so is the folder.
    pub fn load(&mut self, store: &Store) -> Result<Contents, ModelError> {
        let Some((mut known, position)) = self.snapshot.read::<Contents>() else { return self.clear(store) };
        if let Err(why) = known.games.summaries_mut().open(&self.snapshot.files, store.memory()) {
            tracing::warn!(%why, "the lists of games, players and tournaments are made again");
            return self.clear(store);
        }
        known.games.index(store.log());
        (known.position, self.position) = (position, position);
        self.remove_others(&known)?;
        Ok(known)
    }

    /// Removes everything; the catalogue is empty.
    pub fn clear(&mut self, store: &Store) -> Result<Contents, ModelError> {
        self.snapshot.clear()?;
        let mut known = Contents::default();
        known.games.summaries_mut().open(&self.snapshot.files, store.memory())?;
        known.games.index(store.log());
        Ok(known)
    }

    /// Whether anything has changed since it was saved.
    pub fn is_behind(&self, known: &Contents) -> bool {
        known.position != self.position || known.games.ratings_noted() != self.ratings_noted
    }

    /// Whether so much has happened that it should be saved.
    pub fn is_due(&self, known: &Contents) -> bool {
        let few = (known.games.len() as u64).clamp(EVENTS_MIN, EVENTS_MAX);
        let (now, saved) = (known.position + known.games.ratings_noted(), self.position + self.ratings_noted);
        now >= saved + few || known.is_full()
    }

    /// Saves everything but the summaries, all of which are in their file.
    pub fn write(&mut self, known: &Contents) -> io::Result<()> {
        if known.position == 0 {
            return Ok(());
        }
        self.snapshot.write(known.position, known.games.len() as u64 * GAME_BYTES, known)?;
        (self.position, self.ratings_noted) = (known.position, known.games.ratings_noted());
        self.remove_others(known)
    }

    fn remove_others(&self, known: &Contents) -> io::Result<()> {
        let summaries = known.games.summaries().name();
        self.snapshot.keep_only(|name| name == summaries)
    }
}
