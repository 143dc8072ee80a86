//! The follower: a separate thread that digests what is recorded, into a keyspace and into memory.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use plybook_events::{Hash, LogId};
use plybook_rules::kinds;
use plybook_store::{Changes, Entry, Keyspace, Log, Store};

use super::batch::{self, BATCH};
use super::digest::{Digest, part_key, split_key};
use super::figures::FigureColumns;
use super::growing::GrowingDigests;
use super::position_index::PositionIndex;
use crate::error::Problem;
use crate::models::known::Catalogue;
use crate::models::pace::Pace;

/// The version of the rows.
const VERSION: &str = "v2";

/// The state shared by the follower and queries.
pub(super) struct Follower {
    log: Log,
    keyspace: Keyspace,
    pub catalogue: Arc<Catalogue>,
    pub kinds: RwLock<BTreeMap<String, KindDigests>>,
    pub pace: Pace,
}

/// The digests of the games of one kind, by their numbers in [`Rows`](crate::models::known::Rows).
#[derive(Default)]
pub struct KindDigests {
    /// What was played from each position.
    pub positions: PositionIndex,
    /// What was counted.
    pub figures: FigureColumns,
}

impl Follower {
    pub fn new(store: &Store, catalogue: &Arc<Catalogue>) -> Result<Self, Problem> {
        Ok(Self {
            log: store.log().clone(),
            keyspace: store.keyspace(&keyspace_name()).map_err(Problem::internal)?,
            catalogue: Arc::clone(catalogue),
            kinds: RwLock::default(),
            pace: Pace::new(store.log()),
        })
    }

    /// Loads the keyspace, and follows the journal until told to stop.
    pub fn run(&self) {
        if let Err(why) = self.load().and_then(|()| self.apply_all()) {
            tracing::error!(%why, "explorer and statistics have stopped; run `plybook rebuild`");
            self.pace.give_up();
        }
    }

    fn load(&self) -> Result<(), Problem> {
        let mut loaded: Option<(LogId, Digest)> = None;
        let mut is_readable = true;
        let is_whole = self.keyspace.load(|key, value| {
            let Some((id, number)) = split_key(key) else { return true };
            if loaded.as_ref().is_none_or(|(last, _)| *last != id)
                && let Some((id, digest)) = loaded.replace((id, Digest::default()))
            {
                self.place(id, None, Some(&digest));
            }
            is_readable = loaded.as_mut().is_some_and(|(_, digest)| digest.read_part(number, value).is_some());
            is_readable && !self.pace.is_over()
        });
        if let Some((id, digest)) = loaded {
            self.place(id, None, Some(&digest));
        }
        if !is_whole.map_err(Problem::internal)? || !is_readable {
            tracing::warn!("the digests are not whole and are rebuilt");
            self.kinds.write().unwrap_or_else(PoisonError::into_inner).clear();
            self.keyspace.clear().map_err(Problem::internal)?;
        }
        self.pace.reach(self.keyspace.position());
        Ok(())
    }

    fn apply_all(&self) -> Result<(), Problem> {
        let mut growing = GrowingDigests::new();
        while let Some(events) = self.pace.next(&self.catalogue) {
            let mut entries = self.log.entries(events.start, BATCH)?;
            // Events that the catalogue has not applied yet are left for the next round.
            entries.retain(|entry| entry.position < events.end);
            if let Some(last) = entries.last() {
                let position = last.position + 1;
                self.apply(&entries, position, position < events.end, &mut growing)?;
            }
        }
        Ok(())
    }

    /// Applies entries; `is_more` and `growing` as in [`batch::digests`].
    fn apply(
        &self,
        entries: &[Entry],
        position: u64,
        is_more: bool,
        growing: &mut GrowingDigests,
    ) -> Result<(), Problem> {
        let mut changes = Changes::new();
        let mut placed = Vec::new();
        for (id, digest) in batch::digests(&self.log, entries, is_more, growing) {
            let stored = self.stored(id)?;
            let (old, had) = stored.map_or((None, 0), |(digest, rows)| (Some(digest), rows));
            match &digest {
                Some(digest) => digest.put(id, had, &mut changes),
                None => (0..had).for_each(|gone| changes.delete(part_key(id, gone))),
            }
            placed.push((id, old, digest));
        }
        self.keyspace.apply(&changes, position).map_err(Problem::internal)?;
        for (id, old, digest) in &placed {
            self.place(*id, old.as_ref(), digest.as_ref());
        }
        self.pace.reach(position);
        Ok(())
    }

    /// Replaces a game's old digest with its new one, in memory.
    fn place(&self, id: LogId, old: Option<&Digest>, new: Option<&Digest>) {
        let known = self.catalogue.known();
        let Some((game, number)) = known.games.get(id).zip(known.games.number(id)) else { return };
        let rows = known.games.rows().of(&game.kind);
        let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        let kind = kinds.entry(game.kind.clone()).or_default();
        if let Some(old) = old {
            kind.positions.remove(number, &old.keys, &old.words, rows);
        }
        kind.figures.set(number, new);
        if let Some(new) = new.filter(|_| !game.standing.is_void()) {
            kind.positions.add(number, &new.keys, &new.words, rows);
        }
    }

    /// A game's digest in the keyspace, and how many rows it has.
    pub fn stored(&self, id: LogId) -> Result<Option<(Digest, u16)>, Problem> {
        self.stored_from(id, 0)
    }

    /// The plies of a game's digest in the keyspace, without what was counted.
    pub fn stored_plies(&self, id: LogId) -> Result<Option<Digest>, Problem> {
        Ok(self.stored_from(id, 1)?.map(|(digest, _)| digest))
    }

    /// A game's digest without its first parts, and how many rows it has.
    fn stored_from(&self, id: LogId, first: u16) -> Result<Option<(Digest, u16)>, Problem> {
        let mut digest = Digest::default();
        let mut rows = 0;
        for row in self.keyspace.prefix(&id.to_bytes()) {
            let (key, value) = row.map_err(Problem::internal)?;
            let (_, number) = split_key(&key).ok_or_else(|| Problem::internal("the key is no digest's"))?;
            if number >= first {
                digest.read_part(number, &value).ok_or_else(|| Problem::internal("a digest cannot be read"))?;
            }
            rows += 1;
        }
        Ok((rows > 0).then_some((digest, rows)))
    }
}

/// The name of the keyspace, with the version of its rows and a hash of what the kinds measure and name. A keyspace
/// under a new name is filled from the journal, so a new measure covers everything recorded.
pub fn keyspace_name() -> String {
    let mut measured = Vec::new();
    for rules in kinds() {
        let facts = rules.facts().into_iter().map(|fact| fact.label).collect();
        let names = [rules.measures(), rules.heat(), rules.luck(), facts].concat();
        let names: Vec<&str> = names.iter().map(|label| label.name).chain(rules.places().iter().copied()).collect();
        measured.push(format!("{} {}: {}", rules.about().kind, rules.about().version, names.join(" ")));
    }
    let hash = Hash::of_parts(&[measured.join("\n").as_bytes()]).to_string();
    format!("digests/{VERSION}/{}", &hash[..16])
}
