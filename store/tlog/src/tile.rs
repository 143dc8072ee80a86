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
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_spelling() {
        for (level, index, width, path) in [
            (0, 0, 256, "0/000"),
            (0, 999, 1, "0/999.p/1"),
            (1, 1_000, 256, "1/x001/000"),
            (0, 1_234_067, 256, "0/x001/x234/067"),
            (7, 1_234_067, 255, "7/x001/x234/067.p/255"),
        ] {
            let tile = Tile { level, index, width };
            assert_eq!(tile.to_string(), path);
            assert_eq!(path.parse(), Ok(tile));
        }
        let wrong = [
            "",
            "0",
            "0/",
            "/000",
            "0/0",
            "0/00",
            "0/0000",
            "0/1000",
            "0/x000/000",
            "0/000/000",
            "0/x001",
            "00/000",
            "8/000",
            "-1/000",
            "+1/000",
            "0/+01",
            "0/000.p/0",
            "0/000.p/256",
            "0/000.p/01",
            "0/000.p/",
            "0/000.p",
            "0/000/",
            "0/000.p/1/",
            "0/../0",
            "0/x999/x999/x999/x999/x999/x999/x999/999",
            "0/é00",
            "entries/000",
        ];
        for path in wrong {
            assert!(path.parse::<Tile>().is_err(), "{path}");
        }
    }

    /// The example of the specification: a tree of 70,000 leaves.
    #[test]
    fn a_tree_has_the_tiles_of_its_size() {
        let of = |level, index| Tile::of_tree(level, index, 70_000).map(|tile| tile.width);
        assert_eq!([of(0, 0), of(0, 272), of(0, 273), of(0, 274)], [Some(256), Some(256), Some(112), None]);
        assert_eq!([of(1, 0), of(1, 1), of(1, 2)], [Some(256), Some(17), None]);
        assert_eq!([of(2, 0), of(2, 1), of(3, 0)], [Some(1), None, None]);
        assert_eq!(Tile::of_tree(1, 0, 256).map(|tile| tile.width), Some(1));
        assert_eq!(Tile::of_tree(0, 0, 0), None);
        assert_eq!(Tile::of_tree(200, u64::MAX, u64::MAX), None);
        assert!("0/273.p/112".parse::<Tile>().unwrap().is_in(70_000));
        assert!("0/273.p/7".parse::<Tile>().unwrap().is_in(70_000));
        assert!(!"0/273.p/113".parse::<Tile>().unwrap().is_in(70_000));
        assert!(!"0/273".parse::<Tile>().unwrap().is_in(70_000));
    }
}
