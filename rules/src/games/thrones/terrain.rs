//! The terrain of a square.

/// A tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terrain {
    /// `p`.
    Plains,
    /// `f`.
    Forest,
    /// `w`.
    Water,
    /// `m`.
    Mountain,
    /// `F`.
    Fortress,
}

impl Terrain {
    /// All terrains.
    pub(super) const ALL: [Self; 5] = [Self::Plains, Self::Forest, Self::Water, Self::Mountain, Self::Fortress];

    /// Its letter.
    pub(super) const fn letter(self) -> u8 {
        b"pfwmF"[self as usize]
    }

    /// The terrain with a letter.
    pub(super) fn read(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|terrain| terrain.letter() == letter)
    }

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Plains => "plains",
            Self::Forest => "forest",
            Self::Water => "water",
            Self::Mountain => "mountain",
            Self::Fortress => "fortress",
        }
    }
}
