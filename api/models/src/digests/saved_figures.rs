//! What was counted, on disk for the next start: the columns of each kind as they are in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use plybook_store::Store;

use super::figures::FigureColumns;
use super::kinds::{KindDigests, measured};
use crate::blocks::BlockFile;
use crate::known::KnownGames;

/// The folder of the table.
pub(crate) const FOLDER: &str = "counted";

/// The version of what is in it.
const VERSION: &str = "v1";

/// About how many bytes a game takes.
const GAME_BYTES: u64 = 192;

/// After how many events the columns should be saved again.
pub(super) const SAVED_EVENTS: u64 = if cfg!(test) { 500 } else { 1 << 18 };

/// What was counted, on disk.
pub(super) struct SavedFigures {
    file: BlockFile,
    /// The position of the journal that was saved last.
    position: AtomicU64,
}

impl SavedFigures {
    /// Opens the folder; `None` if the store keeps nothing on disk.
    pub fn open(store: &Store) -> io::Result<Option<Self>> {
        let file = BlockFile::open(store, FOLDER, format!("{VERSION} {}", measured()))?;
        Ok(file.map(|file| Self { file, position: AtomicU64::new(0) }))
    }

    /// The columns of each kind as they were saved, and the position of the journal that they stand for; `None` if they are damaged,
    /// of another version or another journal, or not there.
    pub fn load(&self, games: &KnownGames) -> Option<(BTreeMap<String, FigureColumns>, u64)> {
        let loaded = self.file.read(|from| {
            let mut kinds = BTreeMap::new();
            for _ in 0..from.read(|kinds| kinds.first().copied())? {
                let name = from.read(|name| Some(str::from_utf8(name).ok()?.to_owned()))?;
                let figures = FigureColumns::read(from, games.rows().of(&name).len())?;
                kinds.insert(name, figures);
            }
            Ok(kinds)
        });
        loaded.inspect(|(_, position)| self.position.store(*position, Ordering::Relaxed))
    }

    /// The position of the journal of which the columns are saved, or were to be saved last; 0 if there is none.
    pub fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// Saves the columns, which stand for a position of the journal; nobody changes them meanwhile. If the disk refuses, that is
    /// tried again when it is due.
    pub fn save(&self, kinds: &RwLock<BTreeMap<String, KindDigests>>, position: u64) -> io::Result<()> {
        // Between two kinds, others have a turn.
        let kinds = || kinds.read().unwrap_or_else(PoisonError::into_inner);
        let names: Vec<String> = kinds().keys().cloned().collect();
        self.position.store(position, Ordering::Relaxed);
        let games: usize = kinds().values().map(|kind| kind.figures.games()).sum();
        self.file.write(position, games as u64 * GAME_BYTES, |to| {
            to.push(&[names.len() as u8])?;
            for name in &names {
                to.push(name.as_bytes())?;
                kinds()[name].figures.write(to)?;
            }
            Ok(())
        })
    }

    /// Forgets everything.
    pub fn clear(&self) -> io::Result<()> {
        self.position.store(0, Ordering::Relaxed);
        self.file.clear()
    }
}
