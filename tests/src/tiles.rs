//! Tiles of a transparency log in memory.

use std::collections::HashMap;

use plybook_events::Hash;
use plybook_tlog::{Builder, Sink, TILE_WIDTH, Tile, Tiles};

/// Tiles in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryTiles {
    by_place: HashMap<(u8, u64), Vec<Hash>>,
}

impl MemoryTiles {
    /// Adds the tiles that are not full yet.
    pub fn complete(&mut self, builder: &Builder) {
        for (tile, hashes) in builder.partial() {
            self.by_place.insert((tile.level, tile.index), hashes.to_vec());
        }
    }
}

impl Sink for MemoryTiles {
    fn take(&mut self, tile: Tile, hashes: &[Hash]) {
        debug_assert_eq!(tile.width, TILE_WIDTH);
        self.by_place.insert((tile.level, tile.index), hashes.to_vec());
    }
}

impl Tiles for MemoryTiles {
    /// The tile that is missing.
    type Error = Tile;

    fn read(&self, tile: Tile) -> Result<Vec<Hash>, Tile> {
        let hashes = self.by_place.get(&(tile.level, tile.index));
        let hashes = hashes.and_then(|hashes| hashes.get(..usize::from(tile.width)));
        hashes.map(<[Hash]>::to_vec).ok_or(tile)
    }
}
