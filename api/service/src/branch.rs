//! The part of a variation tree that comes from one log: its plies as words and keys, cached.

use std::sync::Arc;

use plybook_events::body::Annotated;
use plybook_events::{Actor, Hash, LogId};
use plybook_models::Summary;
use plybook_rules::Viewer;
use plybook_rules::log::{Replay, word_at};
use plybook_store::Memory;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::Service;
use crate::error::Problem;
use crate::load::Meter;

/// The 64ths of the memory that the cache may take.
const PARTS: u64 = 2;

/// The memory of a ply in bytes, or less.
const PLY_BYTES: u64 = 128;

/// The weight of a log besides its plies.
const BRANCH_WEIGHT: u64 = 4;

/// The plies of a log from some ply on, as a viewer sees them.
pub(super) struct Branch {
    /// The number of events of the log that it covers.
    events: u64,
    /// The ply at which it leaves its parent; 0 for the root of a tree.
    pub(super) from: usize,
    /// The key of the position at `from`.
    pub(super) start: Hash,
    pub(super) plies: Vec<BranchPly>,
    /// The log's own annotations, by ply.
    pub(super) said: Vec<(usize, Arc<Annotated>)>,
}

/// An action, and the key of the position it led to.
pub(super) struct BranchPly {
    /// The seq of its event.
    pub(super) seq: u64,
    pub(super) actor: Actor,
    pub(super) word: Box<str>,
    pub(super) key: Hash,
}

/// A log, the first ply wanted, and the viewer.
type Key = (LogId, usize, Viewer);

/// The cache of branches.
pub(super) struct Branches(Cache<Key, Arc<Branch>, Weigh>);

#[derive(Clone)]
struct Weigh;

impl Weighter<Key, Arc<Branch>> for Weigh {
    fn weight(&self, _key: &Key, branch: &Arc<Branch>) -> u64 {
        BRANCH_WEIGHT + branch.plies.len() as u64
    }
}

impl Branches {
    /// The number of logs that are cached.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn new(memory: Memory) -> Self {
        let plies = memory.parts(PARTS) / PLY_BYTES;
        Self(Cache::with_weighter((plies / 16) as usize, plies, Weigh))
    }
}

impl Branch {
    /// Costs one position and one key per ply.
    fn new(replay: &Replay, from: usize, viewer: Viewer, meter: &Meter<'_>) -> Result<Self, Problem> {
        let mut position = replay.position_at(from).expect("it is a ply of the mainline");
        let start = position.key(viewer);
        let mut plies = Vec::with_capacity(replay.mainline().len() - from);
        for (index, done) in replay.mainline().iter().enumerate().skip(from) {
            meter.check()?;
            let word = word_at(replay, index + 1, viewer).into();
            replay.step(&mut position, index + 1);
            plies.push(BranchPly { seq: done.seq, actor: done.actor, word, key: position.key(viewer) });
        }
        let said = replay.annotations().filter(|(ply, _)| *ply >= replay.own_from());
        let said = said.map(|(ply, said)| (ply, Arc::new(said.clone()))).collect();
        Ok(Self { events: replay.events(), from, start, plies, said })
    }

    /// The last ply up to which a line shares this log's current mainline. `line` is only loaded if this log
    /// was taken back after the fork; `own_from` is the ply after which this log's own plies begin.
    pub(super) fn common(
        &self,
        fork: (usize, u64),
        own_from: usize,
        line: impl FnOnce() -> Result<Arc<Replay>, Problem>,
    ) -> Result<usize, Problem> {
        let seq = |ply: usize| Some(self.plies.get(ply.checked_sub(self.from + 1)?)?.seq);
        let (ply, of) = fork;
        if ply == self.from || seq(ply) == Some(of) {
            return Ok(ply);
        }
        let line = line()?;
        let stands = |ply: &usize| seq(*ply) == Some(line.mainline()[*ply - 1].seq);
        let from = own_from.max(self.from);
        Ok((from + 1..=ply).rev().find(stands).unwrap_or(from))
    }
}

impl Service {
    /// The plies of a log from a ply on, cached until the log grows. For lines, which show everything.
    pub(super) fn branch(&self, line: &Summary, from: usize, meter: &Meter<'_>) -> Result<Arc<Branch>, Problem> {
        let key = (line.id, from, Viewer::All);
        if let Some(branch) = self.branches.0.get(&key).filter(|branch| branch.events == line.standing.events) {
            return Ok(branch);
        }
        self.branch_of(self.glance(line.id)?.as_ref(), from, Viewer::All, meter)
    }

    /// The same for a game as it was when its viewer was determined. Since then it may have been taken back,
    /// and may hold secrets again.
    pub(super) fn branch_of(
        &self,
        game: &Replay,
        from: usize,
        viewer: Viewer,
        meter: &Meter<'_>,
    ) -> Result<Arc<Branch>, Problem> {
        let key = (game.log(), from, viewer);
        if let Some(branch) = self.branches.0.get(&key).filter(|branch| branch.events == game.events()) {
            return Ok(branch);
        }
        let branch = Arc::new(Branch::new(game, from.min(game.mainline().len()), viewer, meter)?);
        self.branches.0.insert(key, Arc::clone(&branch));
        Ok(branch)
    }
}
