//! The fifteen territories: names, neighbours, and ways across open ones.

use std::str::FromStr;

use crate::as_name;
use crate::numbered;
use crate::{Set, Syntax};

/// The number of territories.
pub(super) const PLACES: usize = 15;

/// The bits of the territories beside each one.
const NEIGHBOURS: [u16; PLACES] = neighbours();

/// A territory: row by row from the top, `r * (r + 1) / 2 + c` with row and column from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(u8);

/// A set of territories.
pub(super) type Places = Set<Place>;

as_name!(Place);

/// The corners of the board, clockwise from the top.
pub(super) const CORNERS: [Place; 3] = [Place(0), Place(14), Place(10)];

/// The places that a pawn can stand beside, clockwise from the top.
pub(super) const AROUND: [Place; 6] = [CORNERS[0], MIDDLES[0], CORNERS[1], MIDDLES[1], CORNERS[2], MIDDLES[2]];

/// The middles of its edges, clockwise from the right.
pub(super) const MIDDLES: [Place; 3] = [Place(5), Place(12), Place(3)];

impl Place {
    /// All of them, row by row.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..PLACES as u8).map(Self)
    }

    /// The territory named by two bytes: `c2`.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let [row @ b'a'..=b'e', column @ b'1'..=b'5'] = *name else { return None };
        let (row, column) = (row - b'a', column - b'1');
        (column <= row).then_some(Self(row * (row + 1) / 2 + column))
    }

    /// Its index in arrays of territories.
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its row from the top and its column from the left, from 0.
    pub(super) fn row_column(self) -> (u8, u8) {
        let row = (1..=4).rev().find(|row| row * (row + 1) / 2 <= self.0).unwrap_or(0);
        (row, self.0 - row * (row + 1) / 2)
    }

    fn name(self) -> [u8; 2] {
        let (row, column) = self.row_column();
        [b'a' + row, b'1' + column]
    }

    /// The territories beside it.
    #[inline]
    pub(super) fn neighbours(self) -> Places {
        Places::from_bits(NEIGHBOURS[self.index()])
    }

    /// The territories that a piece lifted here can reach over open ones.
    pub(super) fn reach(self, open: Places) -> Places {
        let open = open & !Places::from(self);
        let mut reached = self.neighbours() & open;
        let mut fresh = reached;
        while let Some(next) = fresh.first() {
            fresh &= !Places::from(next);
            let further = next.neighbours() & open & !reached;
            reached |= further;
            fresh |= further;
        }
        reached
    }
}

impl FromStr for Place {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        Self::named(text.as_bytes()).ok_or_else(|| format!("{text:?} is not a territory: they are a1 to e5").into())
    }
}

numbered!(Place, u16, (1 << PLACES) - 1);

/// Rows are halves of a hexagonal grid: each territory touches two in its row, two above, two below.
const fn neighbours() -> [u16; PLACES] {
    let mut sets = [0; PLACES];
    let mut row = 0;
    while row < 5 {
        let mut column = 0;
        while column <= row {
            let here = row * (row + 1) / 2 + column;
            if column > 0 {
                sets[here] |= 1 << (here - 1);
                sets[here - 1] |= 1 << here;
            }
            if row < 4 {
                let below = here + row + 1;
                sets[here] |= 1 << below | 1 << (below + 1);
                sets[below] |= 1 << here;
                sets[below + 1] |= 1 << here;
            }
            column += 1;
        }
        row += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> Place {
        Place::named(name.as_bytes()).unwrap()
    }

    fn names(places: Places) -> String {
        places.iter().map(|place| place.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_go_both_ways() {
        let all = "a1 b1 b2 c1 c2 c3 d1 d2 d3 d4 e1 e2 e3 e4 e5";
        assert_eq!(names(Places::ALL), all);
        for name in all.split(' ') {
            assert_eq!(place(name).to_string(), name);
        }
        for wrong in ["a2", "b3", "e6", "e0", "f1", "A1", "a", "", "a11"] {
            assert_eq!(Place::named(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn neighbours_are_those_of_a_triangle() {
        assert_eq!(names(place("a1").neighbours()), "b1 b2");
        assert_eq!(names(place("c2").neighbours()), "b1 b2 c1 c3 d2 d3");
        assert_eq!(names(place("c1").neighbours()), "b1 c2 d1 d2");
        assert_eq!(names(place("e3").neighbours()), "d2 d3 e2 e4");
        assert_eq!(names(place("e5").neighbours()), "d4 e4");
        let pairs: usize = Places::ALL.iter().map(|place| place.neighbours().len()).sum();
        assert_eq!(pairs, 2 * 30);
    }

    #[test]
    fn a_way_leads_over_open_territories_only() {
        let open = |names: &str| names.split(' ').map(place).collect::<Places>();
        assert_eq!(names(place("a1").reach(open("b1 c1 d2 e5"))), "b1 c1 d2");
        assert_eq!(place("a1").reach(open("c1 c2 c3")), Places::EMPTY);
        assert_eq!(names(place("a1").reach(open("a1 b2"))), "b2", "never back to where it was lifted");
    }
}
