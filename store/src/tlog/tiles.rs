//! The tiles of the tree: from files, and full ones of level 0 from the journal.

use plybook_events::Hash;
use plybook_tlog::{TILE_WIDTH, Tile, Tiles, leaf_hash, perfect_hash};

use super::TileError;
use super::files::Files;
use crate::log::Log;

/// The tiles of a transparency log.
///
/// One that is made from the journal is compared with its hash in the tile above, so no full tile is ever given that is not the
/// tree's, whatever the journal has become.
pub struct TreeTiles<'a> {
    files: &'a Files,
    log: &'a Log,
    /// The number of leaves.
    size: u64,
}

impl<'a> TreeTiles<'a> {
    /// The tiles of a tree of this size.
    pub(super) fn new(files: &'a Files, log: &'a Log, size: u64) -> Self {
        Self { files, log, size }
    }

    /// A tile of level 0 from the journal.
    fn make(&self, tile: Tile) -> Result<Vec<Hash>, TileError> {
        let first = tile.index * u64::from(TILE_WIDTH);
        let mut hashes = Vec::with_capacity(usize::from(tile.width));
        while hashes.len() < usize::from(tile.width) {
            let left = usize::from(tile.width) - hashes.len();
            let events = self.log.events(first + hashes.len() as u64, left)?;
            if events.is_empty() {
                return Err(TileError::Changed(tile));
            }
            hashes.extend(events.iter().map(|event| leaf_hash(event)));
        }
        Ok(hashes)
    }
}

impl Tiles for TreeTiles<'_> {
    type Error = TileError;

    fn read(&self, tile: Tile) -> Result<Vec<Hash>, TileError> {
        if tile.level > 0 {
            return self.files.read(tile);
        }
        let (above, place) = (tile.index / u64::from(TILE_WIDTH), (tile.index % u64::from(TILE_WIDTH)) as usize);
        let Some(above) = Tile::of_tree(1, above, self.size).filter(|above| place < usize::from(above.width)) else {
            // The last one is not full, and has no hash there yet.
            return self.files.read(tile).or_else(|_| self.make(tile));
        };
        let (mut hashes, above) = (self.make(Tile::full(0, tile.index))?, self.files.read(above)?);
        if perfect_hash(&hashes) != above[place] {
            return Err(TileError::Changed(tile));
        }
        hashes.truncate(usize::from(tile.width));
        Ok(hashes)
    }
}
