//! The right edge of a growing tree.

use plybook_events::Hash;

use crate::hash::{empty_root, node_hash, perfect_hash};
use crate::{TILE_WIDTH, Tile, Tiles, TreeError};

/// Takes the tiles that have become full.
pub trait Sink {
    /// Takes a full tile. Tiles of a level come in order, and before those above them.
    fn take(&mut self, tile: Tile, hashes: &[Hash]);
}

/// Drops them.
impl Sink for () {
    fn take(&mut self, _: Tile, _: &[Hash]) {}
}

/// A tree that leaves are added to. It holds only the tiles that are not full: at most 255 hashes a level.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    len: u64,
    /// The hashes of the last, incomplete tile of each level.
    edge: Vec<Vec<Hash>>,
}

impl Builder {
    /// The tree of the first `len` leaves of one of `size` leaves, at most 2^62, whose tiles are kept. Whoever adds the others
    /// finds out by the root whether the tiles were right.
    ///
    /// # Errors
    /// A tile cannot be read, or the tree is smaller.
    pub fn resume<T: Tiles>(tiles: &T, len: u64, size: u64) -> Result<Self, TreeError<T::Error>> {
        if len > size {
            return Err(TreeError::Outside { asked: len, size });
        }
        let mut edge = Vec::new();
        for level in 0_u8..=7 {
            let hashes = len >> (8 * u32::from(level));
            if hashes == 0 {
                break;
            }
            let mut kept = Vec::with_capacity(usize::from(TILE_WIDTH));
            let count = (hashes % u64::from(TILE_WIDTH)) as usize;
            if count > 0 {
                let tile = Tile::of_tree(level, hashes / u64::from(TILE_WIDTH), size);
                let tile = tile.ok_or(TreeError::Outside { asked: len, size })?;
                let read = tiles.read(tile)?;
                kept.extend_from_slice(read.get(..count).ok_or(TreeError::Short(tile))?);
            }
            edge.push(kept);
        }
        Ok(Self { len, edge })
    }

    /// The number of leaves.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has no leaves.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds the next leaf; `full` gets the tiles that it completes.
    pub fn push(&mut self, leaf: Hash, full: &mut impl Sink) {
        let (mut hash, mut index) = (leaf, self.len);
        self.len += 1;
        for level in 0_u8.. {
            let at = usize::from(level);
            if at == self.edge.len() {
                self.edge.push(Vec::with_capacity(usize::from(TILE_WIDTH)));
            }
            let hashes = &mut self.edge[at];
            hashes.push(hash);
            if hashes.len() < usize::from(TILE_WIDTH) {
                return;
            }
            index /= u64::from(TILE_WIDTH);
            full.take(Tile::full(level, index), hashes);
            hash = perfect_hash(hashes);
            hashes.clear();
        }
    }

    /// The tiles that are not full and not empty.
    pub fn partial(&self) -> impl Iterator<Item = (Tile, &[Hash])> {
        let of_level = move |(level, hashes): (u8, &'_ Vec<Hash>)| {
            let index = self.len.checked_shr(8 * (u32::from(level) + 1)).unwrap_or(0);
            Tile { level, index, width: hashes.len() as u16 }
        };
        let levels = (0..).zip(&self.edge).filter(|(_, hashes)| !hashes.is_empty());
        levels.map(move |(level, hashes)| (of_level((level, hashes)), hashes.as_slice()))
    }

    /// The root hash.
    pub fn root(&self) -> Hash {
        // The tree consists of perfect subtrees, larger ones first: at each level, those of the edge's length in binary.
        let mut root = None;
        for hashes in &self.edge {
            let mut end = hashes.len();
            while end > 0 {
                let count = 1 << end.trailing_zeros();
                let subtree = perfect_hash(&hashes[end - count..end]);
                root = Some(root.map_or(subtree, |right| node_hash(subtree, right)));
                end -= count;
            }
        }
        root.unwrap_or_else(empty_root)
    }
}
