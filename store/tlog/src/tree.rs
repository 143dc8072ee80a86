//! Proofs from tiles.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ct_merkle::{indices_for_consistency_proof, indices_for_inclusion_proof};
use plybook_events::Hash;

use crate::Tile;
use crate::hash::{empty_root, node_hash, perfect_hash};
use crate::tile::TILE_HEIGHT;

/// The most leaves of a tree: array-based trees number their nodes in 64 bits.
const SIZE_MAX: u64 = 1 << 62;

/// Where tiles are read from.
pub trait Tiles {
    /// Why a tile cannot be read.
    type Error;

    /// The hashes of a tile, exactly as many as its width.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, tile: Tile) -> Result<Vec<Hash>, Self::Error>;
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError<E> {
    /// The tree has no such leaf, or was never that small. Ask for one that it has.
    #[error("the tree has {size} leaves, and {asked} is none of its leaves or earlier sizes")]
    Outside {
        /// What was asked for.
        asked: u64,
        /// The number of leaves.
        size: u64,
    },
    /// A tile cannot be read, or has too few hashes.
    #[error(transparent)]
    Tile(#[from] E),
    /// A tile has fewer hashes than it should.
    #[error("tile {0} is too short")]
    Short(Tile),
}

/// A tree of a certain size, read from tiles. It reads each tile once.
pub struct Tree<'a, T> {
    tiles: &'a T,
    size: u64,
    read: RefCell<HashMap<Tile, Rc<[Hash]>>>,
}

impl<'a, T: Tiles> Tree<'a, T> {
    /// The tree of the first `size` leaves.
    pub fn new(tiles: &'a T, size: u64) -> Self {
        Self { tiles, size, read: RefCell::default() }
    }

    /// The root hash.
    ///
    /// # Errors
    /// A tile cannot be read.
    pub fn root(&self) -> Result<Hash, TreeError<T::Error>> {
        if self.size == 0 {
            Ok(empty_root())
        } else {
            self.check(self.size, self.size).and_then(|()| self.span(0, self.size))
        }
    }

    /// The audit path of a leaf: the hashes that lead from it to the root, lowest first.
    ///
    /// # Errors
    /// There is no such leaf, or a tile cannot be read.
    pub fn inclusion(&self, index: u64) -> Result<Vec<Hash>, TreeError<T::Error>> {
        self.check(index, self.size.saturating_sub(1))?;
        self.nodes(&indices_for_inclusion_proof(self.size, index))
    }

    /// The proof that the tree of the first `from` leaves, at least one, is the beginning of this one.
    ///
    /// # Errors
    /// The tree was never that small, or a tile cannot be read.
    pub fn consistency(&self, from: u64) -> Result<Vec<Hash>, TreeError<T::Error>> {
        self.check(from, self.size)?;
        if from == 0 {
            return Err(TreeError::Outside { asked: from, size: self.size });
        }
        self.nodes(&indices_for_consistency_proof(from, self.size - from))
    }

    fn check(&self, asked: u64, last: u64) -> Result<(), TreeError<T::Error>> {
        let is_inside = asked <= last && self.size > 0 && self.size <= SIZE_MAX;
        if is_inside { Ok(()) } else { Err(TreeError::Outside { asked, size: self.size }) }
    }

    /// The hashes of nodes, by their numbers in an array-based tree.
    ///
    /// # Source
    /// RFC 9420, appendix C: a node's level is the number of its trailing ones.
    fn nodes(&self, numbers: &[u64]) -> Result<Vec<Hash>, TreeError<T::Error>> {
        let node = |number: &u64| {
            let level = number.trailing_ones();
            let start = (number >> (level + 1)) << level;
            self.span(start, self.size.min(start + (1 << level)))
        };
        numbers.iter().map(node).collect()
    }

    /// The hash over the leaves from `start` up to `end`, which are a subtree.
    fn span(&self, start: u64, end: u64) -> Result<Hash, TreeError<T::Error>> {
        let len = end - start;
        if len.is_power_of_two() {
            return self.perfect(start, len.trailing_zeros());
        }
        let split = start + (1 << len.ilog2());
        Ok(node_hash(self.span(start, split)?, self.span(split, end)?))
    }

    /// The hash over the 2^`height` leaves from `start` on, a multiple of their number.
    fn perfect(&self, start: u64, height: u32) -> Result<Hash, TreeError<T::Error>> {
        let (level, above) = (height / TILE_HEIGHT, height % TILE_HEIGHT);
        let first = start >> (level * TILE_HEIGHT);
        let (index, offset) = (first >> TILE_HEIGHT, (first % (1 << TILE_HEIGHT)) as usize);
        let tile = Tile::of_tree(level as u8, index, self.size);
        let tile = tile.ok_or(TreeError::Outside { asked: start, size: self.size })?;
        let hashes = self.tile(tile)?;
        hashes.get(offset..offset + (1 << above)).map(perfect_hash).ok_or(TreeError::Short(tile))
    }

    fn tile(&self, tile: Tile) -> Result<Rc<[Hash]>, TreeError<T::Error>> {
        if let Some(hashes) = self.read.borrow().get(&tile) {
            return Ok(Rc::clone(hashes));
        }
        let hashes: Rc<[Hash]> = self.tiles.read(tile)?.into();
        self.read.borrow_mut().insert(tile, Rc::clone(&hashes));
        Ok(hashes)
    }
}
