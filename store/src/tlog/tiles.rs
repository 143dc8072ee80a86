//! The tiles of the tree: from files, and those of level 0 that are not kept from the journal.

use plybook_events::Hash;
use plybook_tlog::{TILE_WIDTH, Tile, Tiles, leaf_hash, perfect_hash};

use super::TileError;
use super::files::Files;
use crate::log::Log;

/// The tiles of a transparency log.
///
/// One that is made from the journal is compared with its hash in the tile above, so no tile is ever given that is not the tree's,
/// whatever the journal has become.
pub struct TreeTiles<'a> {
    files: &'a Files,
    log: &'a Log,
}

impl<'a> TreeTiles<'a> {
    /// The tiles as they are now.
    pub(super) fn new(files: &'a Files, log: &'a Log) -> Self {
        Self { files, log }
    }

    /// A full tile of level 0, whose hash is this one.
    fn make(&self, tile: Tile, hash: Hash) -> Result<Vec<Hash>, TileError> {
        let first = tile.index * u64::from(TILE_WIDTH);
        let mut hashes = Vec::with_capacity(usize::from(TILE_WIDTH));
        while hashes.len() < usize::from(TILE_WIDTH) {
            let left = usize::from(TILE_WIDTH) - hashes.len();
            let events = self.log.events(first + hashes.len() as u64, left)?;
            if events.is_empty() {
                return Err(TileError::Changed(tile));
            }
            hashes.extend(events.iter().map(|event| leaf_hash(event)));
        }
        if perfect_hash(&hashes) == hash { Ok(hashes) } else { Err(TileError::Changed(tile)) }
    }
}

impl Tiles for TreeTiles<'_> {
    type Error = TileError;

    fn read(&self, tile: Tile) -> Result<Vec<Hash>, TileError> {
        let why = match self.files.read(tile) {
            Err(why) if tile.level == 0 => why,
            read => return read,
        };
        let (above, place) = (tile.index / u64::from(TILE_WIDTH), (tile.index % u64::from(TILE_WIDTH)) as usize);
        // It is not kept only if that one is full.
        let Ok(above) = self.files.read(Tile::full(1, above)) else { return Err(why) };
        let hashes = self.make(Tile::full(0, tile.index), above[place])?;
        Ok(hashes[..usize::from(tile.width)].to_vec())
    }
}
