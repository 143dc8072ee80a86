//! Tiles in memory, for tests and tools.

use std::collections::HashMap;

use plybook_events::Hash;

use crate::{Builder, Sink, TILE_WIDTH, Tile, Tiles};

/// Tiles in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryTiles {
    by_place: HashMap<(u8, u64), Vec<Hash>>,
}

/// There is no such tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no tile {0}")]
pub struct NoTile(pub Tile);

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
    type Error = NoTile;

    fn read(&self, tile: Tile) -> Result<Vec<Hash>, NoTile> {
        let hashes = self.by_place.get(&(tile.level, tile.index));
        let hashes = hashes.and_then(|hashes| hashes.get(..usize::from(tile.width)));
        hashes.map(<[Hash]>::to_vec).ok_or(NoTile(tile))
    }
}
