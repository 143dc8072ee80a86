//! The transparency log, as requests see it.

use std::sync::Arc;

use plybook_events::{Hash, LogId};
use plybook_store::{Published, TileError, Tlog};
use plybook_tlog::{Tree, TreeError, leaf_hash};

use super::Service;
use crate::error::Problem;

/// The proof that the transparency log contains an event.
pub struct Inclusion {
    /// The event's place in the tree, which is its position in the journal.
    pub index: u64,
    /// The hash of its leaf.
    pub leaf: Hash,
    /// The hashes from the leaf's sibling up to the root's child.
    pub path: Vec<Hash>,
    /// The checkpoint that it leads to.
    pub published: Arc<Published>,
}

/// The proof that one tree is the beginning of another.
pub struct Consistency {
    /// The size of the smaller tree, and its root.
    pub from: (u64, Hash),
    /// The size of the larger tree, and its root.
    pub to: (u64, Hash),
    /// The hashes that lead from one to the other.
    pub path: Vec<Hash>,
}

impl Service {
    /// The transparency log.
    ///
    /// # Errors
    /// None is kept.
    pub fn tlog(&self) -> Result<&Tlog, Problem> {
        self.store.tlog().ok_or_else(|| Problem::NotFound("this service keeps no transparency log".to_owned()))
    }

    /// The rotations of the transparency log's key, oldest first: each a line with its place in the tree and the event.
    ///
    /// # Errors
    /// No transparency log is kept, or something cannot be read.
    pub fn rotations(&self) -> Result<String, Problem> {
        let rotations = self.tlog()?.rotations(self.log()).map_err(Problem::internal)?;
        Ok(rotations.iter().fold(String::new(), |lines, rotation| lines + &format!("{rotation}\n")))
    }

    /// The proof that the last checkpoint covers an event of a log: the one with `seq`, or else the last one. `None` if
    /// it does not cover it yet, or if no transparency log is kept.
    ///
    /// # Errors
    /// There is no such log or event, or something cannot be read.
    pub fn inclusion(&self, log: LogId, seq: Option<u64>) -> Result<Option<Inclusion>, Problem> {
        let head = self.log().head(log).ok_or_else(|| Problem::no_game(log))?;
        let seq = seq.unwrap_or_else(|| head.seq());
        let Some(tlog) = self.store.tlog() else { return Ok(None) };
        let published = tlog.published();
        let entry = self.log().entry(log, seq)?.ok_or_else(|| {
            Problem::BadInput(format!("`seq`: the log has events 0 to {}, and no event {seq}", head.seq()))
        })?;
        if entry.position >= published.checkpoint.size {
            return Ok(None);
        }
        let tiles = tlog.tiles(self.log());
        let tree = Tree::new(&tiles, published.checkpoint.size);
        let path = tree.inclusion(entry.position).map_err(unread)?;
        Ok(Some(Inclusion { index: entry.position, leaf: leaf_hash(&entry.bytes), path, published }))
    }

    /// The proof that the tree of the first `from` events is the beginning of that of the first `to`; by default, of
    /// that of the last checkpoint.
    ///
    /// # Errors
    /// The last checkpoint is smaller, `from` is 0 or larger than `to`, or something cannot be read.
    pub fn consistency(&self, from: u64, to: Option<u64>) -> Result<Consistency, Problem> {
        let tlog = self.tlog()?;
        let size = tlog.published().checkpoint.size;
        let to = to.unwrap_or(size);
        if from == 0 || from > to || to > size {
            let rule = "`from` is at least 1 and at most `to`, which is at most the size of the last checkpoint";
            return Err(Problem::BadInput(format!("{rule}, {size}: there is no proof from {from} to {to}")));
        }
        let tiles = tlog.tiles(self.log());
        let [older, newer] = [from, to].map(|size| Tree::new(&tiles, size));
        let (old, new) = (older.root().map_err(unread)?, newer.root().map_err(unread)?);
        Ok(Consistency { from: (from, old), to: (to, new), path: newer.consistency(from).map_err(unread)? })
    }
}

/// A tile that should be there is not.
fn unread(why: TreeError<TileError>) -> Problem {
    Problem::internal(why)
}
