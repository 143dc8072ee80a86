//! The tiles of the tree: from files, and those of level 0 that are not kept from the journal.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use plybook_events::Hash;
use plybook_tlog::{TILE_WIDTH, Tile, Tiles, leaf_hash, perfect_hash};

use super::TileError;
use super::files::Files;
use crate::Log;

/// How many tiles that were made are kept in memory: 8 KiB each.
const MADE_MAX: usize = 64;

/// The tiles of a transparency log.
///
/// One that is made from the journal is compared with its hash in the tile above, so no tile is ever given that is not the tree's,
/// whatever the journal has become.
pub struct TreeTiles<'a> {
    files: &'a Files,
    log: &'a Log,
    made: Option<&'a Made>,
}

/// The tiles of level 0 that were made last, by their index, those that were asked for last in front.
#[derive(Default)]
pub(super) struct Made(Mutex<VecDeque<(u64, Arc<[Hash]>)>>);

impl<'a> TreeTiles<'a> {
    /// The tiles as they are now.
    pub(super) fn new(files: &'a Files, log: &'a Log) -> Self {
        Self { files, log, made: None }
    }

    /// Keeps in memory what is made.
    pub(super) fn keeping(self, made: &'a Made) -> Self {
        Self { made: Some(made), ..self }
    }

    /// A full tile of level 0, whose hash is this one.
    fn make(&self, tile: Tile, hash: Hash) -> Result<Arc<[Hash]>, TileError> {
        if let Some(found) = self.made.and_then(|made| made.find(tile.index)) {
            return Ok(found);
        }
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
        if perfect_hash(&hashes) != hash {
            return Err(TileError::Changed(tile));
        }
        let hashes: Arc<[Hash]> = hashes.into();
        if let Some(made) = self.made {
            made.keep(tile.index, &hashes);
        }
        Ok(hashes)
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

impl Made {
    fn find(&self, index: u64) -> Option<Arc<[Hash]>> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = made.iter().position(|(found, _)| *found == index)?;
        let found = made.remove(place)?;
        made.push_front(found.clone());
        Some(found.1)
    }

    fn keep(&self, index: u64, hashes: &Arc<[Hash]>) {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|(found, _)| *found != index);
        made.push_front((index, Arc::clone(hashes)));
        made.truncate(MADE_MAX);
    }
}
