//! The runs of all kinds on disk, and the manifest that says which of them count.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use plybook_store::{Log, Tables};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::kinds::{KindDigests, measured};
use super::merge::{Merge, Unmerged};
use super::position_index::PositionIndex;
use super::run::{Run, RunGame, RunWriter};
use crate::error::ModelError;
use crate::known::Catalogue;
use crate::manifest::{Applied, ListedTable, Manifest};

/// The folder of the tables.
pub(crate) const FOLDER: &str = "positions";

/// The version of what is in the tables.
const VERSION: &str = "v1";

/// The runs of all kinds on disk.
pub(super) struct Runs {
    tables: Tables,
    /// What the runs have counted, once there is a manifest: of each log that has no event from the position on, everything.
    committed: Mutex<Option<Applied>>,
}

#[derive(Serialize, Deserialize)]
struct Listed {
    runs: Vec<ListedRun>,
}

#[derive(Serialize, Deserialize)]
struct ListedRun {
    kind: String,
    #[serde(flatten)]
    table: ListedTable,
    gone: Vec<u32>,
}

/// The digests of all kinds.
type Kinds = RwLock<BTreeMap<String, KindDigests>>;

impl Runs {
    pub fn new(tables: Tables) -> Self {
        Self { tables, committed: Mutex::default() }
    }

    fn committed(&self) -> MutexGuard<'_, Option<Applied>> {
        self.committed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The journal position up to which the runs have counted everything, if there is a manifest.
    pub fn position(&self) -> Option<u64> {
        self.committed().map(|applied| applied.position)
    }

    /// Loads the runs that count. If one of them is damaged, or they were made from another journal, or for other numbers of
    /// games, all of them are removed.
    pub fn load(&self, log: &Log, catalogue: &Catalogue, kinds: &Kinds) -> Result<(), ModelError> {
        let Some((applied, loaded)) = self.read(log, catalogue) else { return self.clear() };
        let runs = || loaded.values().flat_map(PositionIndex::runs);
        self.tables.remove(|number| runs().all(|run| run.table.id().number != number))?;
        let mut kinds = kinds.write().unwrap_or_else(PoisonError::into_inner);
        for (kind, positions) in loaded {
            kinds.entry(kind).or_default().positions = positions;
        }
        *self.committed() = Some(applied);
        Ok(())
    }

    /// The positions of each kind that the manifest lists, if all of them are there and true.
    fn read(&self, log: &Log, catalogue: &Catalogue) -> Option<(Applied, BTreeMap<String, PositionIndex>)> {
        let Manifest { applied, listed, .. } = Manifest::<Listed>::read(&self.tables, &full_version(), log)?;
        let mut kinds = BTreeMap::<String, PositionIndex>::new();
        for ListedRun { kind, table, gone } in listed.runs {
            let table = self.tables.table(&table.id());
            let loaded =
                table.and_then(Run::new).inspect_err(|why| tracing::warn!(%why, "the positions are made again"));
            let (mut run, games) = loaded.ok()?;
            run.gone.extend(gone);
            let known = catalogue.known();
            let rows = known.games.rows().of(&kind);
            let is_known = |game: &RunGame| rows.ids().get(game.number as usize) == Some(&game.id);
            if !games.iter().all(is_known) {
                return None;
            }
            kinds.entry(kind).or_default().load(run, games);
        }
        Some((applied, kinds))
    }

    /// Removes all runs from the disk.
    pub fn clear(&self) -> Result<(), ModelError> {
        *self.committed() = None;
        Ok(self.tables.clear()?)
    }

    /// Writes what is in memory of all kinds to runs, using all cores. They do not count before they are committed.
    pub fn spill(&self, kinds: &Kinds) -> Result<(), ModelError> {
        let read = || kinds.read().unwrap_or_else(PoisonError::into_inner);
        let names: Vec<String> = read().keys().cloned().collect();
        // Tables are numbered in the order of the kinds, whichever is written first.
        let changed = names.into_iter().filter(|name| read()[name].positions.recent().visits() > 0);
        let writers =
            changed.map(|name| read()[&name].positions.recent_writer(&self.tables).map(|writer| (name, writer)));
        let writers = writers.collect::<Result<Vec<_>, _>>()?;
        let write = |(name, writer): (String, RunWriter)| {
            let id = read()[&name].positions.write_recent(writer)?;
            let (run, _) = self.tables.table(&id).and_then(Run::new)?;
            Ok((name, run))
        };
        let written = writers.into_par_iter().map(write).collect::<Result<Vec<_>, ModelError>>()?;
        let mut kinds = kinds.write().unwrap_or_else(PoisonError::into_inner);
        for (name, run) in written {
            kinds.entry(name).or_default().positions.replace_recent(run);
        }
        Ok(())
    }

    /// Notes that the runs have counted everything before a journal position; nothing is in memory only.
    pub fn commit(&self, position: u64, log: &Log, kinds: &Kinds) -> Result<(), ModelError> {
        let applied = Applied::before(position, log);
        let applied = applied.ok_or(ModelError::Damaged("an applied event cannot be read"))?;
        let mut committed = self.committed();
        *committed = Some(applied);
        self.write_manifest(*committed, kinds)
    }

    /// Whoever calls it holds the lock of what is committed.
    fn write_manifest(&self, committed: Option<Applied>, kinds: &Kinds) -> Result<(), ModelError> {
        let Some(applied) = committed else { return Ok(()) };
        let mut runs = Vec::new();
        for (kind, digests) in &*kinds.read().unwrap_or_else(PoisonError::into_inner) {
            for run in digests.positions.runs() {
                let table = run.table.id().into();
                runs.push(ListedRun { kind: kind.clone(), table, gone: run.gone.iter().collect() });
            }
        }
        Ok(Manifest::write(&self.tables, full_version(), applied, Listed { runs })?)
    }

    /// Merges some runs, if any should be merged; returns whether they were. May run beside everything else.
    pub fn merge(&self, kinds: &Kinds, is_over: impl Fn() -> bool) -> Result<bool, Unmerged> {
        let find = || {
            let kinds = kinds.read().unwrap_or_else(PoisonError::into_inner);
            kinds.iter().find_map(|(kind, digests)| Some((kind.clone(), Merge::of(digests.positions.runs())?)))
        };
        let Some((kind, merge)) = find() else { return Ok(false) };
        let id = merge.write(&self.tables, is_over)?;
        let committed = self.committed();
        {
            let mut kinds = kinds.write().unwrap_or_else(PoisonError::into_inner);
            let Some(digests) = kinds.get_mut(&kind).filter(|digests| merge.is_of(digests.positions.runs())) else {
                self.tables.remove(|number| number == id.number)?;
                return Ok(false);
            };
            let (run, _) = self.tables.table(&id).and_then(Run::new)?;
            digests.positions.replace_merged(&merge, run);
        }
        // Until the manifest names the merged run, those that it was made from count.
        if self.write_manifest(*committed, kinds).is_ok() {
            self.tables.remove(|number| merge.numbers().any(|merged| merged == number))?;
        }
        Ok(true)
    }
}

/// The version of the tables, and of what they are made from.
fn full_version() -> String {
    format!("{VERSION} {}", measured())
}
