//! The complete analyses of games, in a keyspace, and what statistics count of them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use plybook_events::LogId;
use plybook_store::{Changes, Collection, Keyspace, Put, Store, StreamError};

use super::analyses::{About, Analysis, AnalysisState};
use crate::analysis::{AnalysisFigures, PlyAnalysis};
use crate::error::Problem;

/// The name of the keyspace, with the version of its rows: of each game what its analysis was made with and of, then its
/// positions.
const KEYSPACE: &str = "analyses/v1";

/// The name of the keyspace of what statistics count of each analysis, with the version of its rows.
const FIGURES_KEYSPACE: &str = "analysis-figures/v1";

/// The name of the collection in which nodes share them: under the id of a game, as JSON, what its analysis was made with and of,
/// and its positions.
const COLLECTION: &str = "analyses";

/// The complete analyses.
pub(super) struct KeptAnalyses {
    /// An analysis is several rows. The lock keeps them together: rows are no snapshot while others write. The position is the
    /// revision of the last one that was taken in from other nodes.
    analyses: RwLock<Keyspace>,
    figures: Keyspace,
    /// Where nodes share them.
    shared: Option<Collection>,
    /// The same figures in memory.
    counted: RwLock<HashMap<LogId, Arc<AnalysisFigures>>>,
}

/// What the keyspace has of a game.
enum Stored {
    Missing,
    Damaged,
    Whole(Analysis),
}

impl KeptAnalyses {
    /// Opens the keyspaces.
    ///
    /// # Errors
    /// They cannot be opened.
    pub(super) fn open(store: &Store) -> Result<Self, Problem> {
        let keyspace = |name: &str| store.keyspace(name).map_err(Problem::internal);
        let (analyses, figures) = (keyspace(KEYSPACE)?, keyspace(FIGURES_KEYSPACE)?);
        let mut counted = HashMap::new();
        // What cannot be read is not counted, until the game is analysed again.
        for (key, value) in figures.prefix(&[]).map_while(|row| row.map_err(Problem::internal).ok()) {
            let id = <[u8; 16]>::try_from(key.as_slice()).ok().map(LogId::from_bytes);
            counted.extend(id.zip(serde_json::from_slice(&value).ok().map(Arc::new)));
        }
        let shared = store.shared().map(|shared| shared.collection(COLLECTION)).transpose();
        let shared = shared.map_err(Problem::internal)?;
        Ok(Self { analyses: RwLock::new(analyses), figures, shared, counted: RwLock::new(counted) })
    }

    /// The analysis of a game, with its positions or without. One that cannot be read is dropped.
    pub(super) fn get(&self, game: LogId, is_whole: bool) -> Result<Option<Analysis>, Problem> {
        let found = read(&self.analyses.read().unwrap_or_else(PoisonError::into_inner), game, is_whole)?;
        match found {
            Stored::Missing => Ok(None),
            Stored::Whole(analysis) => Ok(Some(analysis)),
            Stored::Damaged => self.drop_damaged(game),
        }
    }

    /// Drops the analysis of a game, unless it can be read by now.
    fn drop_damaged(&self, game: LogId) -> Result<Option<Analysis>, Problem> {
        let analyses = self.analyses.write().unwrap_or_else(PoisonError::into_inner);
        if let Stored::Whole(analysis) = read(&analyses, game, true)? {
            return Ok(Some(analysis));
        }
        tracing::warn!(%game, "the analysis cannot be read and is dropped");
        self.counted.write().unwrap_or_else(PoisonError::into_inner).remove(&game);
        self.figures.delete(&game.to_bytes()).map_err(Problem::internal)?;
        analyses.apply(&removal(&analyses, game)?, analyses.position()).map_err(Problem::internal)?;
        Ok(None)
    }

    /// Keeps a complete analysis instead of the one before, and gives it to other nodes.
    pub(super) fn keep(&self, analysis: &Analysis) -> Result<(), Problem> {
        self.write(analysis, None)?;
        let Some(shared) = &self.shared else { return Ok(()) };
        let plies: Vec<&PlyAnalysis> = analysis.plies.iter().map(Arc::as_ref).collect();
        let bytes = serde_json::to_vec(&(&analysis.about, plies)).map_err(Problem::internal)?;
        let suffices = |there: &[u8]| {
            let there = decode(there);
            there.is_some_and(|(about, _)| about.serves(analysis.about.head, analysis.about.playouts))
        };
        if let Err(why) = shared.put(&analysis.game.to_string(), &bytes, suffices) {
            tracing::warn!(%why, game = %analysis.game, "other nodes do not get the analysis");
        }
        Ok(())
    }

    /// Whether other nodes have analyses to give.
    pub(super) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Takes in what other nodes have analysed meanwhile.
    ///
    /// # Errors
    /// The servers are away, or the keyspace cannot be written.
    pub(super) fn catch_up(&self) -> Result<(), Problem> {
        let Some(shared) = &self.shared else { return Ok(()) };
        loop {
            let known = self.analyses.read().unwrap_or_else(PoisonError::into_inner).position();
            let skipped = match shared.next(known) {
                Ok(None) => return Ok(()),
                Ok(Some(Put { key, bytes, revision })) => match key.parse().ok().zip(decode(&bytes)) {
                    Some((game, (about, plies))) => {
                        let analysis = Analysis { game, about, state: AnalysisState::Done, plies };
                        self.write(&analysis, Some(revision))?;
                        continue;
                    }
                    None => revision,
                },
                Err(StreamError::Damaged { sequence, .. }) => sequence,
                Err(why) => return Err(Problem::internal(why)),
            };
            tracing::warn!(revision = skipped, "an analysis of another node cannot be read");
            let analyses = self.analyses.write().unwrap_or_else(PoisonError::into_inner);
            analyses.apply(&Changes::new(), skipped).map_err(Problem::internal)?;
        }
    }

    /// Writes an analysis instead of the one before, with the revision at which other nodes have it.
    fn write(&self, analysis: &Analysis, revision: Option<u64>) -> Result<(), Problem> {
        let analyses = self.analyses.write().unwrap_or_else(PoisonError::into_inner);
        let mut changes = removal(&analyses, analysis.game)?;
        let id = analysis.game.to_bytes();
        changes.put(id, serde_json::to_vec(&analysis.about).map_err(Problem::internal)?);
        for ply in &analysis.plies {
            let key = [&id[..], &(ply.ply as u32).to_be_bytes()].concat();
            changes.put(key, serde_json::to_vec(ply.as_ref()).map_err(Problem::internal)?);
        }
        analyses.apply(&changes, revision.unwrap_or(analyses.position())).map_err(Problem::internal)?;
        let counted = AnalysisFigures::of(analysis.about.head, &analysis.plies);
        self.figures.put(&id, &serde_json::to_vec(&counted).map_err(Problem::internal)?).map_err(Problem::internal)?;
        self.counted.write().unwrap_or_else(PoisonError::into_inner).insert(analysis.game, Arc::new(counted));
        Ok(())
    }

    /// The games whose analyses statistics count; `None` if there are so many, or more.
    pub(super) fn fewer_than(&self, games: u64) -> Option<Vec<LogId>> {
        let counted = self.counted.read().unwrap_or_else(PoisonError::into_inner);
        ((counted.len() as u64) < games).then(|| counted.keys().copied().collect())
    }

    /// What statistics count of the analysis of a game.
    pub(super) fn figures(&self, game: LogId) -> Option<Arc<AnalysisFigures>> {
        self.counted.read().unwrap_or_else(PoisonError::into_inner).get(&game).cloned()
    }
}

/// An analysis as nodes share it.
fn decode(bytes: &[u8]) -> Option<(About, Vec<Arc<PlyAnalysis>>)> {
    let (about, plies): (About, Vec<PlyAnalysis>) = serde_json::from_slice(bytes).ok()?;
    (about.total == plies.len()).then(|| (about, plies.into_iter().map(Arc::new).collect()))
}

/// The analysis of a game in a keyspace, with its positions or without.
fn read(analyses: &Keyspace, game: LogId, is_whole: bool) -> Result<Stored, Problem> {
    let mut rows = Vec::new();
    for row in analyses.prefix(&game.to_bytes()).take(if is_whole { usize::MAX } else { 1 }) {
        rows.push(row.map_err(Problem::internal)?.1);
    }
    let Some((first, rest)) = rows.split_first() else { return Ok(Stored::Missing) };
    let about: Option<About> = serde_json::from_slice(first).ok();
    let plies = rest.iter().map(|row| serde_json::from_slice(row).ok().map(Arc::new)).collect::<Option<Vec<_>>>();
    let readable = about.zip(plies).filter(|(about, plies)| !is_whole || about.total == plies.len());
    let found = |(about, plies)| Stored::Whole(Analysis { game, about, state: AnalysisState::Done, plies });
    Ok(readable.map_or(Stored::Damaged, found))
}

/// The removal of an analysis.
fn removal(keyspace: &Keyspace, game: LogId) -> Result<Changes, Problem> {
    let mut changes = Changes::new();
    for row in keyspace.prefix(&game.to_bytes()) {
        changes.delete(row.map_err(Problem::internal)?.0);
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use plybook_events::Hash;

    use super::*;

    #[test]
    fn an_analysis_that_cannot_be_read_is_dropped() {
        let store = Store::in_memory().unwrap();
        let kept = KeptAnalyses::open(&store).unwrap();
        let game = LogId::from_bytes([7; 16]);
        let about = About { engine: "5".to_owned(), playouts: 1, head: Hash::ZERO, total: 0 };
        let whole = Analysis { game, about, state: AnalysisState::Done, plies: Vec::new() };
        kept.keep(&whole).unwrap();
        let keyspace = store.keyspace(KEYSPACE).unwrap();
        let first = keyspace.prefix(&[]).next().unwrap().unwrap().0;
        let spoilings: [(&[u8], &[u8]); 2] = [(&first, b"{"), (&[&first[..], &[0; 4]].concat(), b"{}")];
        for (key, value) in spoilings {
            kept.keep(&whole).unwrap();
            assert_eq!(kept.get(game, true).unwrap().unwrap().about, whole.about);
            assert!(kept.figures(game).is_some());
            keyspace.put(key, value).unwrap();
            assert!(kept.get(game, true).unwrap().is_none());
            assert_eq!(
                (keyspace.prefix(&[]).count(), kept.figures.prefix(&[]).count()),
                (0, 0),
                "nothing of it is left"
            );
            assert!(kept.figures(game).is_none());
        }
    }
}
