//! Actions as text.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::rotation::Rotation;
use super::shape::{ISLANDS, islands};
use crate::{Syntax, as_name, grid};

/// The corners of an island, in the order of its geometry.
pub(super) const CORNERS: &[u8; 4] = b"nrfl";

/// An action of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// `x:D4`: places a new piece.
    Place(u8),
    /// `D4-D6`: moves a piece.
    Move {
        /// Where the piece stands.
        from: u8,
        /// Where the piece goes.
        to: u8,
    },
    /// `r:D@n+`, `r:DE@Dn-`: turns islands about a joint.
    Rotate(Rotation),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Place(space) => write!(f, "x:{}", Space(space)),
            Self::Move { from, to } => write!(f, "{}-{}", Space(from), Space(to)),
            Self::Rotate(Rotation { group, island, corner, ccw }) => {
                write!(f, "r:{}@", names(group))?;
                if group.count_ones() > 1 {
                    f.write_char(letter(island))?;
                }
                f.write_char(char::from(CORNERS[usize::from(corner)]))?;
                f.write_char(if ccw { '+' } else { '-' })
            }
        }
    }
}

/// A space, written `D4`.
#[derive(Clone, Copy)]
pub(super) struct Space(pub(super) u8);

grid!(Space: u128, island "ABCDEFGHI" 8, space "12345678" 1);

/// An island, written `D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter(pub(super) u8);

as_name!(Letter);

impl Letter {
    fn name(self) -> [u8; 1] {
        [b'A' + self.0]
    }
}

impl FromStr for Letter {
    type Err = Syntax;

    fn from_str(name: &str) -> Result<Self, Syntax> {
        let island = if let [letter] = *name.as_bytes() { island(letter) } else { None };
        island.map(Self).ok_or_else(|| "islands are A to I".into())
    }
}

/// The set of some islands; `None` if one occurs twice.
pub(super) fn set(letters: &[Letter]) -> Option<u16> {
    letters.iter().try_fold(0, |set, Letter(island)| (set >> island & 1 == 0).then_some(set | 1 << island))
}

/// The letter of an island.
pub(super) fn letter(island: u8) -> char {
    char::from(b'A' + island)
}

/// The letters of a set of islands: `ADE`.
pub(super) fn names(set: u16) -> String {
    islands(set).map(letter).collect()
}

/// The island with a letter.
pub(super) fn island(letter: u8) -> Option<u8> {
    letter.checked_sub(b'A').filter(|island| usize::from(*island) < ISLANDS)
}

impl FromStr for Action {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        let read = match text.as_bytes() {
            [b'x', b':', a, b] => Space::named(*a, *b).map(|Space(space)| Action::Place(space)),
            [b'r', b':', rest @ ..] => return rotation(rest).map(Action::Rotate),
            [a, b, b'-', c, d] => {
                let squares = Space::named(*a, *b).zip(Space::named(*c, *d));
                squares.map(|(Space(from), Space(to))| Action::Move { from, to })
            }
            _ => None,
        };
        read.ok_or_else(|| {
            "a new piece is written x:D4, a move D4-D6, a rotation r:D@n+ or r:DE@Dn-; \
             spaces are A1 to I8"
                .into()
        })
    }
}

/// Reads the text after `r:`.
fn rotation(text: &[u8]) -> Result<Rotation, Syntax> {
    let wrong = || {
        Syntax::from(
            "a rotation is written r:D@n+ or r:DE@Dn-: islands A to I, @, the joint as a corner n, r, f or l, \
             and + for counter-clockwise or - for clockwise",
        )
    };
    let at = text.iter().position(|byte| *byte == b'@').ok_or_else(wrong)?;
    let (letters, joint) = (&text[..at], &text[at + 1..]);
    let mut group = 0;
    for letter in letters {
        let bit = 1u16 << island(*letter).ok_or_else(wrong)?;
        if group >= bit {
            return Err("the islands of a rotation are written in alphabetical order, each once".into());
        }
        group |= bit;
    }
    let (named, corner, sign) = match *joint {
        [corner, sign] => (None, corner, sign),
        [letter, corner, sign] => (Some(island(letter).ok_or_else(wrong)?), corner, sign),
        _ => return Err(wrong()),
    };
    let corner = CORNERS.iter().position(|name| *name == corner).ok_or_else(wrong)? as u8;
    let ccw = match sign {
        b'+' => true,
        b'-' => false,
        _ => return Err(wrong()),
    };
    let island = match (group.count_ones(), named) {
        (0, _) => return Err(wrong()),
        (1, None) => group.trailing_zeros() as u8,
        (1, Some(_)) => return Err("with one island its letter is left out after the @: r:D@n+".into()),
        (_, None) => {
            return Err("with several islands the joint is a corner of one of them, with its letter: r:DE@Dn-".into());
        }
        (_, Some(island)) => island,
    };
    if group >> island & 1 == 0 {
        return Err("the joint of a rotation is named after an island that turns".into());
    }
    Ok(Rotation { group, island, corner, ccw })
}
