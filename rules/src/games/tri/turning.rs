//! Turning: which groups of islands turn about which joints, and where they stop.

use super::lattice::{Axial, Placement, contact};
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
                let contact = contact(places[usize::from(a)], places[usize::from(b)]);
                if contact.overlap {
                    return Err(Obstacle::Overlap(a, b));
                }
                rests |= contact.edge;
                touching[usize::from(a)] |= u16::from(contact.corner) << b;
                touching[usize::from(b)] |= u16::from(contact.corner) << a;
            }
        }
        Ok(rests.then_some(touching))
    }

    /// All rotations of groups of this size that the shape allows, no matter who controls them.
    pub(super) fn rotations(&self, size: usize) -> &[Rotation] {
        self.rotations[size - 1].get_or_init(|| groups(size).flat_map(|group| self.rotations_of(group)).collect())
    }

    /// The sizes of groups that this many actions pay for.
    pub(super) fn sizes(actions: u8) -> impl Iterator<Item = usize> {
        1..=usize::from(actions).min(GROUP_MAX)
    }

    /// Whether a group of this size can be turned that has none of these islands.
    pub(super) fn can_turn(&self, size: usize, barred: u16) -> bool {
        groups(size).filter(|group| group & barred == 0).any(|group| self.rotations_of(group).next().is_some())
    }

    /// The rotations of a group that the shape allows.
    fn rotations_of(&self, group: u16) -> impl Iterator<Item = Rotation> {
        let is_linked = reached(group, &self.bordering) == group;
        let corners =
            islands(if is_linked { group } else { 0 }).flat_map(|island| (0..4).map(move |corner| (island, corner)));
        let about_joints = corners.filter_map(move |(island, corner)| {
            let rotation = Rotation { group, island, corner, ccw: true };
            let joint = self.joint(rotation);
            // Any island that has the joint touches this one.
            let near = self.touching[usize::from(island)];
            let is_named = self.having(near & group & ((1 << island) - 1), joint) == 0;
            (is_named && self.having(near & !group, joint) != 0).then_some(rotation)
        });
        let both_ways = about_joints.flat_map(|rotation| [rotation, Rotation { ccw: false, ..rotation }]);
        both_ways.filter(|rotation| self.turn(*rotation).is_ok())
    }
}

/// The groups of islands of a size, linked or not.
fn groups(size: usize) -> impl Iterator<Item = u16> {
    (1..EVERY_ISLAND).filter(move |group| group.count_ones() as usize == size)
}

fn turn_each(places: &mut [Placement; ISLANDS], group: u16, joint: Axial, sixths: u8) {
    for island in islands(group) {
        let place = &mut places[usize::from(island)];
        *place = place.turned(joint, sixths);
    }
}
