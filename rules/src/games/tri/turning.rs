//! Turning: which groups of islands turn about which joints, and where they stop.

use super::lattice::{Axial, Placement, relation};
use super::rotation::Rotation;
use super::shape::{EVERY_ISLAND, ISLANDS, Shape, islands, reached};

/// The most islands that can turn at once: one must stay.
const GROUP_MAX: usize = ISLANDS - 1;

/// The end of a rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) islands: [Placement; ISLANDS],
    /// How far the group was turned, in sixths of a circle.
    pub(super) sixths: u8,
}

/// Why a group cannot be turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// An island of the group would run into one outside it.
    Overlap(u8, u8),
    /// This island would be disconnected from the rest.
    Apart(u8),
}

impl Shape {
    /// The coarse point that a rotation turns about.
    pub(super) fn joint(&self, rotation: Rotation) -> Axial {
        self.island(rotation.island).corners()[usize::from(rotation.corner)]
    }

    /// Turns a group step by step until it lies edge to edge with an island outside it.
    pub(super) fn turn(&self, rotation: Rotation) -> Result<Turn, Obstacle> {
        let joint = self.joint(rotation);
        let step = if rotation.ccw { 1 } else { 5 };
        let mut islands = self.islands;
        // An island of the group and one outside it share the joint. One of them comes to lie edge to edge
        // with the other before they overlap, so five steps are always enough.
        for sixths in 1..6 {
            turn_each(&mut islands, rotation.group, joint, step);
            if let Some(touching) = self.meet(rotation.group, &islands)? {
                let whole = reached(EVERY_ISLAND, &touching);
                let lost = (EVERY_ISLAND & !whole).trailing_zeros() as u8;
                return if whole == EVERY_ISLAND { Ok(Turn { islands, sixths }) } else { Err(Obstacle::Apart(lost)) };
            }
        }
        unreachable!("an island that turns about a corner of another meets one of its edges")
    }

    /// Which islands touch which when the group lies as given; `None` if the group shares no edge with the
    /// others and turns on.
    fn meet(&self, group: u16, places: &[Placement; ISLANDS]) -> Result<Option<[u16; ISLANDS]>, Obstacle> {
        let others = EVERY_ISLAND & !group;
        let mut touching = self.touching;
        for (island, touching) in touching.iter_mut().enumerate() {
            *touching &= if group >> island & 1 == 1 { group } else { others };
        }
        let mut rests = false;
        for a in islands(group) {
            for b in islands(others) {
                let (first, second) = (usize::from(a), usize::from(b));
                let Some(relation) = relation(places[first], places[second]) else { continue };
                if relation.overlap {
                    return Err(Obstacle::Overlap(a, b));
                }
                rests |= relation.edge;
                touching[first] |= 1 << b;
                touching[second] |= 1 << a;
            }
        }
        Ok(rests.then_some(touching))
    }

    /// All rotations of groups of this size that the shape allows, whoever controls them.
    pub(super) fn rotations(&self, size: usize) -> &[Rotation] {
        self.rotations[size - 1].get_or_init(|| self.find_rotations(size as u32))
    }

    /// The sizes of groups that this many actions pay for.
    pub(super) fn sizes(actions: u8) -> impl Iterator<Item = usize> {
        1..=usize::from(actions).min(GROUP_MAX)
    }

    fn find_rotations(&self, size: u32) -> Box<[Rotation]> {
        let mut found = Vec::new();
        let groups = (1..EVERY_ISLAND).filter(|group| group.count_ones() == size);
        for group in groups.filter(|group| reached(*group, &self.bordering) == *group) {
            for island in islands(group) {
                for corner in 0..4 {
                    let rotation = Rotation { group, island, corner, ccw: true };
                    let joint = self.joint(rotation);
                    let named = self.having(group & ((1 << island) - 1), joint) == 0;
                    if named && self.having(EVERY_ISLAND & !group, joint) != 0 {
                        let both = [rotation, Rotation { ccw: false, ..rotation }];
                        found.extend(both.into_iter().filter(|rotation| self.turn(*rotation).is_ok()));
                    }
                }
            }
        }
        found.into_boxed_slice()
    }
}

fn turn_each(places: &mut [Placement; ISLANDS], group: u16, joint: Axial, sixths: u8) {
    for island in islands(group) {
        let place = &mut places[usize::from(island)];
        *place = place.turned(joint, sixths);
    }
}
