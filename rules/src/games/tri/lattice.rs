//! The triangular lattice, the place of an island on it, and how two islands touch.

use std::ops::{Add, Sub};
use std::sync::LazyLock;

/// A point or a vector of the lattice in axial coordinates: `q` steps to the right and `r` steps at 60°
/// counter-clockwise to it. Coarse or fine, as the context says; the fine lattice has twice the resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axial {
    pub(super) q: i32,
    pub(super) r: i32,
}

/// The unit vectors, each 60° counter-clockwise from the previous one.
const UNITS: [Axial; 6] = [axial(1, 0), axial(0, 1), axial(-1, 1), axial(-1, 0), axial(0, -1), axial(1, -1)];

/// The fine vertices of the spaces 1 to 8 of an island, as multiples of its sides `u` and `v`.
const VERTICES: [[(i32, i32); 3]; 8] = [
    [(0, 0), (1, 0), (0, 1)],
    [(1, 0), (1, 1), (0, 1)],
    [(1, 0), (2, 0), (1, 1)],
    [(0, 1), (1, 1), (0, 2)],
    [(2, 0), (2, 1), (1, 1)],
    [(0, 2), (1, 2), (1, 1)],
    [(2, 1), (1, 2), (1, 1)],
    [(2, 1), (2, 2), (1, 2)],
];

pub(super) const fn axial(q: i32, r: i32) -> Axial {
    Axial { q, r }
}

impl Axial {
    /// The vector turned counter-clockwise by this many sixths of a circle.
    pub(super) fn turned(self, sixths: u8) -> Self {
        let Self { q, r } = self;
        match sixths % 6 {
            0 => self,
            1 => axial(-r, q + r),
            2 => axial(-q - r, q),
            3 => axial(-q, -r),
            4 => axial(r, -q - r),
            _ => axial(q + r, -q),
        }
    }

    fn times(self, factor: i32) -> Self {
        axial(self.q * factor, self.r * factor)
    }
}

impl Add for Axial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        axial(self.q + other.q, self.r + other.r)
    }
}

impl Sub for Axial {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        axial(self.q - other.q, self.r - other.r)
    }
}

/// The place of an island: its sharp corner `n` on the coarse lattice, and the direction of the side from
/// there to `r`, in sixths of a circle. The side to `l` is 60° further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) anchor: Axial,
    pub(super) turn: u8,
}

impl Placement {
    fn sides(self) -> (Axial, Axial) {
        (UNITS[usize::from(self.turn % 6)], UNITS[usize::from((self.turn + 1) % 6)])
    }

    /// The corners `n`, `r`, `f`, `l`, in order around the island, coarse.
    pub(super) fn corners(self) -> [Axial; 4] {
        let (u, v) = self.sides();
        [self.anchor, self.anchor + u, self.anchor + u + v, self.anchor + v]
    }

    /// The three vertices of a space (0 to 7), fine.
    pub(super) fn vertices(self, space: u8) -> [Axial; 3] {
        let (u, v) = self.sides();
        VERTICES[usize::from(space)].map(|(us, vs)| self.anchor.times(2) + u.times(us) + v.times(vs))
    }

    /// The island turned counter-clockwise about a coarse point.
    pub(super) fn turned(self, about: Axial, sixths: u8) -> Self {
        Self { anchor: about + (self.anchor - about).turned(sixths), turn: (self.turn + sixths) % 6 }
    }

    /// Its two coarse triangles, each identified by the sum of its corners, which no other triangle shares.
    fn halves(self) -> [Axial; 2] {
        let [n, r, f, l] = self.corners();
        [n + r + l, r + f + l]
    }

    /// Its four coarse edges, each identified by the sum of its ends, which no other edge shares.
    fn edges(self) -> [Axial; 4] {
        let [n, r, f, l] = self.corners();
        [n + r, r + f, f + l, l + n]
    }
}

/// The relation of two islands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relation {
    /// They overlap.
    pub(super) overlap: bool,
    /// They share a whole coarse edge.
    pub(super) edge: bool,
    /// They share a corner.
    pub(super) corner: bool,
    /// For each space of the first, the spaces of the second that share a fine edge with it, as bits.
    pub(super) edges: [u8; 8],
    /// For each space of the first, the spaces of the second that share a fine vertex with it.
    pub(super) points: [u8; 8],
}

/// The smallest difference of anchors in one coordinate at which islands touch, and the number of such
/// differences.
const NEAR: (i32, usize) = (-2, 6);

/// The relation of an island at the origin, unturned, to any island that touches it: by turn, then by anchor.
/// Anchors in the table that are too far away to touch hold the default.
static RELATIONS: LazyLock<Vec<Relation>> = LazyLock::new(|| {
    let here = Placement { anchor: axial(0, 0), turn: 0 };
    let (least, count) = NEAR;
    let near = least..least + count as i32;
    let anchors = near.clone().flat_map(|q| near.clone().map(move |r| axial(q, r)));
    let anchors: Vec<Axial> = anchors.collect();
    let there = (0..6).flat_map(|turn| anchors.iter().map(move |anchor| Placement { anchor: *anchor, turn }));
    there.map(|there| compare(here, there)).collect()
});

/// The relation of `a` and `b`; `None` if they have nothing in common.
pub(super) fn relation(a: Placement, b: Placement) -> Option<&'static Relation> {
    let (least, count) = NEAR;
    let away = (b.anchor - a.anchor).turned(6 - a.turn);
    let (q, r) = ((away.q - least) as usize, (away.r - least) as usize);
    if q >= count || r >= count {
        return None;
    }
    let turn = usize::from((b.turn + 6 - a.turn) % 6);
    let relation = &RELATIONS[(turn * count + q) * count + r];
    (relation.corner || relation.overlap).then_some(relation)
}

/// How two islands touch, without their spaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Contact {
    /// They overlap.
    pub(super) overlap: bool,
    /// They share a whole coarse edge.
    pub(super) edge: bool,
    /// They share a corner.
    pub(super) corner: bool,
}

/// The most by which the anchors of islands that touch differ in one coordinate, and the number of such differences.
const FAR: (i32, usize) = (4, 9);

/// The contacts of islands that are not far from each other: by both turns, then by the difference of their anchors.
/// A search for rotations asks for hundreds of them, and finds them here without turning anything first.
static CONTACTS: LazyLock<Vec<Contact>> = LazyLock::new(|| {
    let turns = (0..6).flat_map(|a| (0..6).map(move |b| (a, b)));
    let away = (-FAR.0..=FAR.0).flat_map(|q| (-FAR.0..=FAR.0).map(move |r| axial(q, r)));
    let away: Vec<Axial> = away.collect();
    let both = turns.flat_map(|(a, b)| away.iter().map(move |away| (a, Placement { anchor: *away, turn: b })));
    let contact = |(turn, there)| {
        let relation = relation(Placement { anchor: axial(0, 0), turn }, there);
        relation.map_or_else(Contact::default, |&Relation { overlap, edge, corner, .. }| Contact {
            overlap,
            edge,
            corner,
        })
    };
    both.map(contact).collect()
});

/// How `a` and `b` touch.
pub(super) fn contact(a: Placement, b: Placement) -> Contact {
    let (far, count) = FAR;
    let away = b.anchor - a.anchor;
    let (q, r) = ((away.q + far) as usize, (away.r + far) as usize);
    if q >= count || r >= count {
        return Contact::default();
    }
    let turns = usize::from(6 * a.turn + b.turn);
    CONTACTS[(turns * count + q) * count + r]
}

/// Compares two islands corner by corner and space by space.
fn compare(a: Placement, b: Placement) -> Relation {
    let mut relation = Relation {
        overlap: share(&a.halves(), &b.halves()) > 0,
        edge: share(&a.edges(), &b.edges()) > 0,
        corner: share(&a.corners(), &b.corners()) > 0,
        ..Relation::default()
    };
    for own in 0..8 {
        for other in 0..8 {
            let shared = share(&a.vertices(own), &b.vertices(other));
            relation.edges[usize::from(own)] |= u8::from(shared == 2) << other;
            relation.points[usize::from(own)] |= u8::from(shared == 1 || shared == 2) << other;
        }
    }
    relation
}

/// The number of points that the lists have in common.
fn share(a: &[Axial], b: &[Axial]) -> usize {
    a.iter().filter(|point| b.contains(point)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_turns_are_none() {
        for (index, unit) in UNITS.iter().enumerate() {
            assert_eq!(unit.turned(1), UNITS[(index + 1) % 6]);
            for sixths in 0..6 {
                assert_eq!(unit.turned(sixths).turned(6 - sixths), *unit);
                assert_eq!(unit.turned(sixths), (0..sixths).fold(*unit, |unit, _| unit.turned(1)));
            }
        }
    }

    #[test]
    fn spaces_tile_the_island() {
        let island = Placement { anchor: axial(3, -1), turn: 4 };
        let own = compare(island, island);
        let edges: u32 = own.edges.iter().map(|mask| mask.count_ones()).sum();
        assert_eq!(edges, 16, "eight edges inside an island, seen from both sides");
        assert_eq!(own.edges[1], 0b0000_1101, "2 borders 1, 3 and 4");
        assert_eq!(own.edges[6], 0b1011_0000, "7 borders 5, 6 and 8");
        assert_eq!(own.points[0], 0b0000_1110);
    }

    #[test]
    fn the_tables_say_what_a_comparison_says() {
        for turns in 0..36 {
            let a = Placement { anchor: axial(7, -4), turn: turns % 6 };
            for q in -5..=5 {
                for r in -5..=5 {
                    let b = Placement { anchor: a.anchor + axial(q, r), turn: turns / 6 };
                    let compared = compare(a, b);
                    assert_eq!(relation(a, b).copied().unwrap_or_default(), compared, "{a:?} {b:?}");
                    let Relation { overlap, edge, corner, .. } = compared;
                    assert_eq!(contact(a, b), Contact { overlap, edge, corner }, "{a:?} {b:?}");
                }
            }
        }
    }
}
