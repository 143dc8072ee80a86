//! Tiles: the hashes of the tree, 256 to a file.
//!
//! # Source
//! <https://c2sp.org/tlog-tiles>

use std::fmt;
use std::str::FromStr;

/// The number of hashes in a full tile.
pub const TILE_WIDTH: u16 = 256;

/// The levels of the tree that a tile spans.
pub(crate) const TILE_HEIGHT: u32 = 8;

/// The highest level of a tile: above it, one hash would span more leaves than can be counted.
const LEVEL_MAX: u8 = 7;

/// One tile. At level 0, its hashes are those of leaves; above, each is the hash of a full tile of the level below.
///
/// As text, it is the path below `tile/`: `0/x001/x234/067`, or `0/x001/x234/067.p/8` for a partial tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// The level, from 0 to 7.
    pub level: u8,
    /// Its place in the level, from 0.
    pub index: u64,
    /// The number of its hashes, from 1 to 256.
    pub width: u16,
}

/// The text is not the path of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the path of a tile")]
pub struct TilePathError;

impl Tile {
    /// A full tile.
    pub fn full(level: u8, index: u64) -> Self {
        Self { level, index, width: TILE_WIDTH }
    }

    /// The tile at this place as a tree of `size` leaves has it; `None` if the tree has none there.
    pub fn of_tree(level: u8, index: u64, size: u64) -> Option<Self> {
        let hashes = size.checked_shr(u32::from(level) * TILE_HEIGHT).unwrap_or(0);
        let before = index.checked_mul(u64::from(TILE_WIDTH))?;
        let width = hashes.checked_sub(before)?.min(u64::from(TILE_WIDTH));
        (width > 0 && level <= LEVEL_MAX).then_some(Self { level, index, width: width as u16 })
    }

    /// Whether a tree of `size` leaves has these hashes.
    pub fn is_in(&self, size: u64) -> bool {
        Self::of_tree(self.level, self.index, size).is_some_and(|of_tree| self.width <= of_tree.width)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups = vec![self.index % 1_000];
        let mut rest = self.index / 1_000;
        while rest > 0 {
            groups.push(rest % 1_000);
            rest /= 1_000;
        }
        write!(f, "{}/", self.level)?;
        for group in groups[1..].iter().rev() {
            write!(f, "x{group:03}/")?;
        }
        write!(f, "{:03}", groups[0])?;
        if self.width < TILE_WIDTH {
            write!(f, ".p/{}", self.width)?;
        }
        Ok(())
    }
}

impl FromStr for Tile {
    type Err = TilePathError;

    /// Accepts only what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, TilePathError> {
        let read = || {
            let (level, rest) = text.split_once('/')?;
            let (place, width) = match rest.split_once(".p/") {
                Some((place, width)) => (place, width.parse().ok()?),
                None => (rest, TILE_WIDTH),
            };
            let mut index: u64 = 0;
            for group in place.split('/') {
                let group: u64 = group.strip_prefix('x').unwrap_or(group).parse().ok()?;
                index = index.checked_mul(1_000)?.checked_add(group)?;
            }
            Some(Self { level: level.parse().ok()?, index, width })
        };
        let is_sane = |tile: &Self| tile.level <= LEVEL_MAX && (1..=TILE_WIDTH).contains(&tile.width);
        read().filter(|tile| is_sane(tile) && tile.to_string() == text).ok_or(TilePathError)
    }
}

#[cfg(test)]
mod tests;
