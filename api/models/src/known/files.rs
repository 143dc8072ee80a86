//! The catalogue on disk: a table with everything but the summaries, runs with the summaries, and a manifest that says which of
//! them count, and for which position of the journal.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_store::{Log, Memory, Store, TableError, Tables};
use serde::{Deserialize, Serialize};

use super::contents::Contents;
use super::summary::Summary;
use crate::blocks::{BlockReader, BlockWriter};
use crate::error::ModelError;
use crate::game_run::{GameKey, GameRun, UnmergedRuns, open_runs, push_run};
use crate::manifest::{Applied, ListedTable, Manifest, keep_only};

/// The folder of the tables.
const FOLDER: &str = "catalogue";

/// The version of what is in the tables.
const VERSION: &str = "v3";

/// About how many bytes a game takes in the table of the contents.
const GAME_BYTES: u64 = 160;

/// How many games have changed, at the most, before they are saved; few in tests, so that they are.
const CHANGED_MAX: usize = if cfg!(test) { 8 } else { 16_384 };

/// The bounds of how many events and ratings there are between two times that everything is saved: as many as there are games.
pub(super) const EVENTS_MIN: u64 = 8_192;
const EVENTS_MAX: u64 = 1 << 18;

/// The catalogue on disk.
pub(super) struct CatalogueFiles {
    tables: Tables,
    log: Log,
    memory: Memory,
    /// The position of the journal that the manifest stands for.
    position: u64,
    /// What [`ratings_noted`](super::games::KnownGames::ratings_noted) said then.
    ratings_noted: u64,
}

#[derive(Serialize, Deserialize)]
struct Listed {
    contents: ListedTable,
    /// The newest last.
    runs: Vec<ListedTable>,
}

/// The catalogue as it was at some moment, on its way to the disk.
pub(super) struct Saving {
    applied: Applied,
    ratings_noted: u64,
    contents: BlockWriter,
    changed: BTreeMap<GameKey, Arc<Summary>>,
    runs: Vec<GameRun>,
}

/// What is on the disk now.
pub(super) struct Saved {
    changed: BTreeMap<GameKey, Arc<Summary>>,
    runs: Vec<GameRun>,
}

impl Saved {
    /// Has the catalogue forget what it can read from the disk.
    pub fn settle(self, known: &mut Contents) {
        known.games.summaries_mut().replace_runs(self.runs, &self.changed);
    }
}

impl CatalogueFiles {
    /// Opens the folder; `None` if the store keeps nothing on disk.
    pub fn open(store: &Store) -> Result<Option<Self>, ModelError> {
        let tables = store.tables(FOLDER)?;
        let (log, memory) = (store.log().clone(), store.memory());
        Ok(tables.map(|tables| Self { tables, log, memory, position: 0, ratings_noted: 0 }))
    }

    /// Nothing yet; summaries that are saved will be read from here.
    pub fn empty(&self) -> Contents {
        Contents::new(&self.log, self.memory)
    }

    /// The catalogue as it was saved. If it was not, or is damaged, or was made from another journal or by another version, it is
    /// empty, and so is the folder.
    pub fn load(&mut self) -> Result<Contents, ModelError> {
        if let Some(manifest) = Manifest::read(&self.tables, VERSION, &self.log) {
            match self.read(manifest) {
                Ok(known) => {
                    self.position = known.position();
                    return Ok(known);
                }
                Err(why) => tracing::warn!(%why, "the lists of games, players and tournaments are made again"),
            }
        }
        self.clear()?;
        Ok(self.empty())
    }

    fn read(&self, Manifest { applied, listed, .. }: Manifest<Listed>) -> Result<Contents, TableError> {
        let Listed { contents, runs } = listed;
        let mut known = self.empty();
        let table = self.tables.table(&contents.id())?;
        let opened = open_runs(&self.tables, runs.iter().map(|run| run.id()))?;
        known.read(&mut BlockReader::new(&table)?, opened, applied.position)?;
        self.remove_others(contents, &runs);
        Ok(known)
    }

    /// Removes everything.
    pub fn clear(&mut self) -> Result<(), ModelError> {
        self.position = 0;
        Ok(self.tables.clear()?)
    }

    /// Whether so much has happened that it should be saved.
    pub fn is_due(&self, known: &Contents) -> bool {
        let few = (known.games.len() as u64).clamp(EVENTS_MIN, EVENTS_MAX);
        let (now, saved) = (known.position() + known.games.ratings_noted(), self.position + self.ratings_noted);
        now >= saved + few || Self::is_full(known)
    }

    /// Whether so many games have changed that they should be saved.
    pub fn is_full(known: &Contents) -> bool {
        known.games.summaries().changed().len() >= CHANGED_MAX
    }

    /// Saves everything.
    pub fn save(&mut self, known: &mut Contents) -> Result<(), Unsaved> {
        if let Some(saving) = self.begin(known)? {
            self.finish(saving)?.settle(known);
        }
        Ok(())
    }

    /// Writes the summaries that are in memory only, so that they need not be. They do not count before everything is saved.
    pub fn spill(&self, known: &mut Contents) -> Result<(), Unsaved> {
        let summaries = known.games.summaries();
        let (changed, mut runs) = (summaries.changed().clone(), summaries.runs().to_vec());
        push_summaries(&self.tables, &mut runs, &changed)?;
        keep_only(&self.tables, runs.iter().map(|run| run.table.id().into()));
        Saved { changed, runs }.settle(known);
        Ok(())
    }

    /// Takes down everything as it is now; `None` if it is saved already.
    pub fn begin(&self, known: &Contents) -> Result<Option<Saving>, Unsaved> {
        let summaries = known.games.summaries();
        if summaries.is_damaged() {
            return Err(Unsaved::Damaged);
        }
        let ratings_noted = known.games.ratings_noted();
        if known.position() == self.position && ratings_noted == self.ratings_noted {
            return Ok(None);
        }
        let Some(applied) = Applied::before(known.position(), &self.log) else {
            return if known.position() == 0 { Ok(None) } else { Err(Unsaved::Unreadable) };
        };
        let mut contents = BlockWriter::new(self.tables.writer(known.games.len() as u64 * GAME_BYTES)?);
        known.write(&mut contents)?;
        let changed = summaries.changed().clone();
        let runs = summaries.runs().to_vec();
        Ok(Some(Saving { applied, ratings_noted, contents, changed, runs }))
    }

    /// Writes what was taken down. Until the new manifest is there, the old one counts.
    pub fn finish(&mut self, saving: Saving) -> Result<Saved, Unsaved> {
        let Saving { applied, ratings_noted, contents, changed, mut runs } = saving;
        let contents = contents.finish()?.into();
        push_summaries(&self.tables, &mut runs, &changed)?;
        let listed: Vec<ListedTable> = runs.iter().map(|run| run.table.id().into()).collect();
        Manifest::write(&self.tables, VERSION.to_owned(), applied, Listed { contents, runs: listed.clone() })?;
        (self.position, self.ratings_noted) = (applied.position, ratings_noted);
        self.remove_others(contents, &listed);
        Ok(Saved { changed, runs })
    }

    /// Removes the tables that do not count.
    fn remove_others(&self, contents: ListedTable, runs: &[ListedTable]) {
        keep_only(&self.tables, runs.iter().copied().chain([contents]));
    }
}

/// Writes summaries to a run.
fn push_summaries(
    tables: &Tables,
    runs: &mut Vec<GameRun>,
    changed: &BTreeMap<GameKey, Arc<Summary>>,
) -> Result<(), UnmergedRuns> {
    let json = |summary: &Summary| serde_json::to_vec(summary).expect("a summary is plain data");
    push_run(tables, runs, changed.iter().map(|(game, summary)| (*game, json(summary))))
}

/// Why the catalogue was not saved. What was saved before still counts, unless a run is damaged.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unsaved {
    /// A run is damaged. Make everything again.
    #[error("summaries of games are damaged; the next start makes them again")]
    Damaged,
    /// The last event cannot be read.
    #[error("the last event cannot be read")]
    Unreadable,
    /// The disk refuses. Try again later.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl From<TableError> for Unsaved {
    fn from(why: TableError) -> Self {
        match why {
            TableError::Damaged(_) => Self::Damaged,
            TableError::Io { source, .. } => Self::Io(source),
        }
    }
}

impl From<Unsaved> for ModelError {
    fn from(why: Unsaved) -> Self {
        match why {
            Unsaved::Damaged => Self::Damaged("summaries of games are damaged"),
            Unsaved::Unreadable => Self::Damaged("the last event cannot be read"),
            Unsaved::Io(why) => why.into(),
        }
    }
}

impl From<UnmergedRuns> for Unsaved {
    fn from(why: UnmergedRuns) -> Self {
        match why {
            UnmergedRuns::Table(why) => why.into(),
            UnmergedRuns::Io(why) => why.into(),
        }
    }
}
