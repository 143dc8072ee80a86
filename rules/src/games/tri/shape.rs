//! The shape of the board: the places of the nine islands, and what follows from them.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::lattice::{Axial, Placement, relation};
use super::rotation::Rotation;

/// The number of islands; `A` is 0.
pub(super) const ISLANDS: usize = 9;

/// The number of spaces; `A1` is 0, `B1` is 8. A set of spaces is a bit mask.
pub(super) const SPACES: usize = 8 * ISLANDS;

/// All islands.
pub(super) const EVERY_ISLAND: u16 = (1 << ISLANDS) - 1;

/// The spaces 2 and 7 of every island.
pub(super) const CENTRES: u128 = 0x42_4242_4242_4242_4242;

/// The places of the nine islands, with all neighbours. It is computed when the board changes, and shared by
/// all positions between two rotations. Equality compares only the places, from which the rest follows.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) islands: [Placement; ISLANDS],
    /// For each space, those that share a fine edge with it.
    pub(super) edges: [u128; SPACES],
    /// For each space, those that share a fine vertex with it, edge-neighbours included.
    pub(super) points: [u128; SPACES],
    /// For each island, those that share a coarse edge with it.
    pub(super) bordering: [u16; ISLANDS],
    /// For each island, those that share a corner with it, edges included.
    pub(super) touching: [u16; ISLANDS],
    /// The rotations that this shape allows, no matter who is to act, by size of the group; computed on demand.
    pub(super) rotations: [OnceLock<Vec<Rotation>>; ISLANDS - 1],
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.islands == other.islands
    }
}

/// What is captured when it has no liberty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Captures {
    /// Pieces that are linked by edges, together.
    #[default]
    Groups,
    /// Each piece by itself.
    Pieces,
}

impl Captures {
    /// The value that a setup and a position name; `None` if it is the usual one.
    pub(super) fn unusual(self) -> Option<Self> {
        Some(self).filter(|captures| *captures != Self::Groups)
    }
}

impl Shape {
    /// Computes the neighbours.
    pub(super) fn new(islands: [Placement; ISLANDS]) -> Self {
        let mut shape = Self {
            islands,
            edges: [0; SPACES],
            points: [0; SPACES],
            bordering: [0; ISLANDS],
            touching: [0; ISLANDS],
            rotations: Default::default(),
        };
        for a in 0..ISLANDS {
            for b in 0..ISLANDS {
                shape.relate(a, b);
            }
        }
        shape
    }

    /// The shape in which a group was turned to these places, and the others stay: islands of the group keep
    /// their neighbours in it, as do the others.
    pub(super) fn turned(&self, group: u16, places: [Placement; ISLANDS]) -> Self {
        let mut shape = Self { islands: places, rotations: Default::default(), ..*self };
        for a in 0..ISLANDS {
            let others = if group >> a & 1 == 1 { EVERY_ISLAND & !group } else { group };
            shape.bordering[a] &= !others;
            shape.touching[a] &= !others;
            let stay = !islands(others & self.touching[a]).fold(0, |spaces, island| spaces | whole(island));
            for space in 8 * a..8 * (a + 1) {
                shape.edges[space] &= stay;
                shape.points[space] &= stay;
            }
            for b in islands(others) {
                shape.relate(a, usize::from(b));
            }
        }
        shape
    }

    /// Adds what island `b` is to island `a`.
    fn relate(&mut self, a: usize, b: usize) {
        let Some(relation) = relation(self.islands[a], self.islands[b]) else { return };
        for space in 0..8 {
            self.edges[8 * a + space] |= u128::from(relation.edges[space]) << (8 * b);
            self.points[8 * a + space] |= u128::from(relation.points[space]) << (8 * b);
        }
        if a != b {
            self.bordering[a] |= u16::from(relation.edge) << b;
            self.touching[a] |= u16::from(relation.corner) << b;
        }
    }

    /// Two islands that overlap, if there are any.
    pub(super) fn overlap(&self) -> Option<(u8, u8)> {
        let pairs = (0..ISLANDS as u8).flat_map(|b| (0..b).map(move |a| (a, b)));
        let overlaps = |a: u8, b: u8| relation(self.island(a), self.island(b)).is_some_and(|relation| relation.overlap);
        pairs.into_iter().find(|(a, b)| overlaps(*a, *b))
    }

    pub(super) fn island(&self, island: u8) -> Placement {
        self.islands[usize::from(island)]
    }

    /// The islands of a set that have this corner.
    pub(super) fn having(&self, set: u16, corner: Axial) -> u16 {
        let having = islands(set).filter(|island| self.island(*island).corners().contains(&corner));
        having.fold(0, |mask, island| mask | 1 << island)
    }

    /// The pieces of a seat that have no liberty of their own or, if that is what counts, of their groups, given
    /// the empty spaces.
    pub(super) fn without_liberty(&self, own: u128, empty: u128, captures: Captures) -> u128 {
        let is_shut_in = |space: &u8| self.edges[usize::from(*space)] & empty == 0;
        let mut alive = own & !spaces(own).filter(is_shut_in).fold(0, |set, space| set | 1 << space);
        if captures == Captures::Pieces {
            return own & !alive;
        }
        let mut fresh = alive;
        while alive != own && fresh != 0 {
            let space = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let reached = self.edges[space] & own & !alive;
            alive |= reached;
            fresh |= reached;
        }
        own & !alive
    }
}

/// The islands of a set that can be reached from its first one through these neighbours.
pub(super) fn reached(set: u16, neighbours: &[u16; ISLANDS]) -> u16 {
    let mut reached = set & set.wrapping_neg();
    let mut fresh = reached;
    while fresh != 0 {
        let island = fresh.trailing_zeros() as usize;
        fresh &= fresh - 1;
        let further = neighbours[island] & set & !reached;
        reached |= further;
        fresh |= further;
    }
    reached
}

/// The islands of a set, ascending.
pub(super) fn islands(mut set: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let island = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            island
        })
    })
}

/// The spaces of a set, ascending.
pub(super) fn spaces(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let space = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            space
        })
    })
}

/// All spaces of an island.
pub(super) fn whole(island: u8) -> u128 {
    0xff << (8 * island)
}

/// The centres of an island.
pub(super) fn centres(island: u8) -> u128 {
    whole(island) & CENTRES
}
