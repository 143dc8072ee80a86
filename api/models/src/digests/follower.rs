//! The follower of explorer and statistics: a thread that digests what is recorded.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use plybook_store::{Log, ModelFiles, Store};

use super::batch::{self, BATCH};
use super::digested::DigestedGames;
use super::growing::{GrowingDigest, GrowingDigests};
use crate::catalogue::Catalogue;
use crate::error::ModelError;
use crate::watermark::Watermark;

/// How long runs rest before they are looked at again, and after the disk refused something.
const MERGE_REST: Duration = Duration::from_secs(1);
const REFUSED_REST: Duration = Duration::from_secs(60);

/// The state shared by the follower and queries.
pub(super) struct Follower {
    log: Log,
    pub catalogue: Arc<Catalogue>,
    pub digested: DigestedGames,
    pub watermark: Watermark,
}

impl Follower {
    pub fn new(store: &Store, catalogue: &Arc<Catalogue>, digested: DigestedGames) -> Self {
        Self {
            log: store.log().clone(),
            catalogue: Arc::clone(catalogue),
            digested,
            watermark: Watermark::new(store.log()),
        }
    }

    /// Loads what was saved, and follows the journal until told to stop.
    pub fn run(&self) {
        let loaded = self.digested.load().map(|position| self.watermark.reach(position));
        let followed = loaded.and_then(|()| self.watermark.keep_on("explorer and statistics", || self.apply_all()));
        if let Err(why) = followed {
            tracing::error!(%why, "explorer and statistics have stopped: {}", why.advice());
            self.watermark.give_up();
        }
    }

    /// Merges runs until told to stop.
    pub fn merge_runs(&self) {
        while !self.watermark.is_over() {
            let rest = match self.merge() {
                Ok(true) => continue,
                Ok(false) => MERGE_REST,
                Err(why) if why.kind() == ErrorKind::Interrupted => MERGE_REST,
                Err(why) if ModelFiles::is_damage(&why) => {
                    self.distrust(&why);
                    MERGE_REST
                }
                Err(why) => {
                    tracing::warn!(%why, "positions cannot be merged");
                    REFUSED_REST
                }
            };
            thread::park_timeout(rest);
        }
    }

    /// Merges some runs, and returns whether there were any to merge.
    pub fn merge(&self) -> io::Result<bool> {
        self.digested.merge(|| self.watermark.is_over())
    }

    /// Has everything made again, because a run is damaged.
    pub fn distrust(&self, why: &io::Error) {
        tracing::warn!(%why, "explorer and statistics are made again");
        self.watermark.distrust();
    }

    fn apply_all(&self) -> Result<(), ModelError> {
        let mut growing = GrowingDigests::new();
        while let Some(events) = self.watermark.next(&self.catalogue) {
            if self.watermark.is_distrusted() {
                self.digested.clear()?;
                self.watermark.begin_anew();
                growing = GrowingDigests::new();
                continue;
            }
            // Events that the catalogue has not applied yet are left for the next round.
            let limit = BATCH.min((events.end - events.start) as usize);
            let entries = batch::parse(events.start, &self.log.events(events.start, limit)?);
            let Some(last) = entries.last() else { continue };
            let position = last.position + 1;
            let is_more = position < events.end;
            for (id, game) in batch::digests(&self.log, &entries, is_more, &mut growing)? {
                self.digested.place(&self.catalogue.known(), id, game.as_ref().map(GrowingDigest::digest));
                if let Some(game) = game.filter(|game| game.is_running() && !is_more) {
                    growing.keep(id, game);
                }
            }
            self.digested.save_due(position, is_more);
            self.watermark.reach(position);
        }
        if !self.watermark.is_distrusted() {
            self.digested.save(self.watermark.position());
        }
        Ok(())
    }
}
