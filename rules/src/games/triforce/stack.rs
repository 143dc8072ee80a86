//! Pieces, and stacks of them.

use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use crate::Syntax;
use crate::as_name;

/// The most pieces that a stack can hold: one seat's fifteen with a sword and a shield, and the three that
/// another seat adds in a turn. After its combats, a stack of two seats has at most three.
pub(super) const STACK_MAX: usize = 20;

/// The bits of one piece in a stack.
const BITS: usize = 6;

/// The lowest bit of every piece of the tallest stack.
const LOWEST: u128 = ((1 << (BITS * STACK_MAX)) - 1) / ((1 << BITS) - 1);

/// The size of a pyramid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    L,
    M,
    S,
}

/// All sizes, in the order in which pieces are counted.
pub(super) const SIZES: [Size; 3] = [Size::L, Size::M, Size::S];

impl Size {
    /// The size of a letter.
    pub(super) fn lettered(letter: u8) -> Option<Self> {
        SIZES.into_iter().find(|size| size.letter() as u32 == u32::from(letter))
    }

    /// Its letter.
    pub(super) fn letter(self) -> char {
        match self {
            Self::L => 'L',
            Self::M => 'M',
            Self::S => 'S',
        }
    }

    /// Its name.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::L => "large",
            Self::M => "medium",
            Self::S => "small",
        }
    }
}

/// The owner of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A seat, from 1.
    Seat(u8),
    /// Nobody: a black pyramid.
    Sword,
    /// Nobody: a clear pyramid.
    Shield,
}

impl Owner {
    /// The four bits that stand for it.
    const fn bits(self) -> u8 {
        match self {
            Self::Seat(seat) => seat,
            Self::Sword => SWORD,
            Self::Shield => SHIELD,
        }
    }
}

/// A pyramid that is not white: four bits of owner (never 0), two of size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece(u8);

as_name!(Piece);

const SWORD: u8 = 7;
const SHIELD: u8 = 8;

impl Piece {
    /// A piece of a seat, a sword or a shield.
    pub(super) fn new(owner: Owner, size: Size) -> Self {
        Self(owner.bits() << 2 | size as u8)
    }

    /// The piece named by two bytes: `1L`, `KM`, `CS`.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let [owner, size] = *name else { return None };
        let owner = match owner {
            b'1'..=b'6' => Owner::Seat(owner - b'0'),
            b'K' => Owner::Sword,
            b'C' => Owner::Shield,
            _ => return None,
        };
        Some(Self::new(owner, Size::lettered(size)?))
    }

    fn name(self) -> [u8; 2] {
        let owner = match self.owner() {
            Owner::Seat(seat) => b'0' + seat,
            Owner::Sword => b'K',
            Owner::Shield => b'C',
        };
        [owner, self.size().letter() as u8]
    }

    /// Its owner.
    pub(super) fn owner(self) -> Owner {
        match self.0 >> 2 {
            SWORD => Owner::Sword,
            SHIELD => Owner::Shield,
            seat => Owner::Seat(seat),
        }
    }

    /// The seat that owns it.
    pub(super) fn seat(self) -> Option<u8> {
        match self.owner() {
            Owner::Seat(seat) => Some(seat),
            Owner::Sword | Owner::Shield => None,
        }
    }

    /// Its size.
    pub(super) fn size(self) -> Size {
        SIZES[usize::from(self.0 & 3)]
    }

    /// The piece in words: `seat 1's large piece`, `the medium sword`.
    pub(super) fn words(self) -> String {
        let size = self.size().word();
        match self.owner() {
            Owner::Seat(seat) => format!("seat {seat}'s {size} piece"),
            Owner::Sword => format!("the {size} sword"),
            Owner::Shield => format!("the {size} shield"),
        }
    }
}

impl FromStr for Piece {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        let wrong = || format!("{text:?} is not a piece: they are written with a seat, K or C, and a size: 1L, KM, CS");
        Self::named(text.as_bytes()).ok_or_else(|| wrong().into())
    }
}

/// The pieces on a territory, the bottom one in the lowest bits; no bit is set above the top one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<Piece>")]
pub(super) struct Stack(u128);

impl Serialize for Stack {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.pieces())
    }
}

impl TryFrom<Vec<Piece>> for Stack {
    type Error = String;

    fn try_from(pieces: Vec<Piece>) -> Result<Self, String> {
        if !(1..=STACK_MAX).contains(&pieces.len()) {
            return Err(format!("a stack has 1 to {STACK_MAX} pieces, and empty ones are left out"));
        }
        let stack = pieces.into_iter().fold(Self::EMPTY, Self::with);
        if [Owner::Sword, Owner::Shield].into_iter().any(|owner| stack.count(owner) > 1) {
            return Err("a stack has at most one sword and one shield".to_owned());
        }
        Ok(stack)
    }
}

impl Stack {
    /// The empty stack.
    pub(super) const EMPTY: Self = Self(0);

    /// The number of pieces.
    pub(super) fn len(self) -> usize {
        (u128::BITS - self.0.leading_zeros()).div_ceil(BITS as u32) as usize
    }

    /// Whether it is empty.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The piece at an index from the bottom, below [`Stack::len`].
    pub(super) fn get(self, index: usize) -> Piece {
        Piece((self.0 >> (BITS * index)) as u8 & 0x3f)
    }

    /// The pieces from bottom to top.
    pub(super) fn pieces(self) -> impl DoubleEndedIterator<Item = Piece> + ExactSizeIterator {
        (0..self.len()).map(move |index| self.get(index))
    }

    /// The piece at the bottom.
    pub(super) fn bottom(self) -> Option<Piece> {
        (!self.is_empty()).then(|| self.get(0))
    }

    /// The piece at the top.
    pub(super) fn top(self) -> Option<Piece> {
        self.len().checked_sub(1).map(|index| self.get(index))
    }

    /// The stack with one more piece on top.
    pub(super) fn with(self, piece: Piece) -> Self {
        Self(self.0 | u128::from(piece.0) << (BITS * self.len()))
    }

    /// The stack without the piece at an index; the pieces above it move down.
    pub(super) fn without(self, index: usize) -> Self {
        let below = (1 << (BITS * index)) - 1;
        Self(self.0 & below | self.0 >> BITS & !below)
    }

    /// The stack without its top piece.
    pub(super) fn lifted(self) -> Self {
        self.without(self.len().saturating_sub(1))
    }

    /// The stack with the piece at an index replaced.
    pub(super) fn exchanged(self, index: usize, piece: Piece) -> Self {
        let here = 0x3f << (BITS * index);
        Self(self.0 & !here | u128::from(piece.0) << (BITS * index))
    }

    /// The seats that own a piece in it: bit N for seat N.
    pub(super) fn seats(self) -> u8 {
        self.pieces().filter_map(Piece::seat).fold(0, |seats, seat| seats | 1 << seat)
    }

    /// The owner of the topmost piece that belongs to a seat.
    pub(super) fn top_seat(self) -> Option<u8> {
        self.pieces().rev().find_map(Piece::seat)
    }

    /// The owner of the bottommost piece that belongs to a seat.
    pub(super) fn bottom_seat(self) -> Option<u8> {
        self.pieces().find_map(Piece::seat)
    }

    /// The index of an owner's lowest piece.
    pub(super) fn find(self, owner: Owner) -> Option<usize> {
        let owned = self.owned(owner);
        (owned != 0).then(|| owned.trailing_zeros() as usize / BITS)
    }

    /// How many pieces an owner has in it.
    pub(super) fn count(self, owner: Owner) -> usize {
        self.owned(owner).count_ones() as usize
    }

    /// A bit for each piece of an owner.
    fn owned(self, owner: Owner) -> u128 {
        // A piece is the owner's if its four bits do not differ. Adding 7 to the lower three sets the fourth if any of them does.
        let differing = (self.0 >> 2) ^ (LOWEST * u128::from(owner.bits()));
        let lower = (differing & (0b0111 * LOWEST)) + 0b0111 * LOWEST;
        !(lower | differing) & (0b1000 * LOWEST)
    }

    /// Whether there will be a combat: at least four pieces, of at least two seats or, if swords and shields count as
    /// colours, of at least two colours.
    pub(super) fn contested(self, all_colours: bool) -> bool {
        let others =
            [Owner::Sword, Owner::Shield].into_iter().filter(|owner| all_colours && self.find(*owner).is_some());
        self.len() >= 4 && self.seats().count_ones() as usize + others.count() >= 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(names: &str) -> Stack {
        let pieces = names.split_ascii_whitespace().map(|name| Piece::named(name.as_bytes()).unwrap());
        pieces.fold(Stack::EMPTY, Stack::with)
    }

    fn names(stack: Stack) -> String {
        stack.pieces().map(|piece| piece.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_are_taken_from_anywhere() {
        let four = stack("1L KM 6S CL");
        assert_eq!(names(four), "1L KM 6S CL");
        assert_eq!(names(four.without(0)), "KM 6S CL");
        assert_eq!(names(four.without(1)), "1L 6S CL");
        assert_eq!(names(four.lifted()), "1L KM 6S");
        assert_eq!(names(four.exchanged(2, Piece::named(b"KS").unwrap())), "1L KM KS CL");
        assert_eq!(stack("3L").lifted(), Stack::EMPTY);
        assert_eq!(Stack::EMPTY.lifted(), Stack::EMPTY);
        assert_eq!((Stack::EMPTY.top(), Stack::EMPTY.bottom()), (None, None));
    }

    #[test]
    fn the_tallest_stack_fits() {
        let pieces: Vec<String> = (0..STACK_MAX).map(|n| format!("{}{}", n % 6 + 1, ["S", "M"][n % 2])).collect();
        let tall = stack(&pieces.join(" "));
        assert_eq!(tall.len(), STACK_MAX);
        assert_eq!(names(tall), pieces.join(" "));
        assert_eq!(names(tall.without(3).without(18)), [&pieces[..3], &pieces[4..19]].concat().join(" "));
    }

    #[test]
    fn four_pieces_of_two_seats_are_contested() {
        for (names, by_seats, by_colours) in [
            ("1L 1M KS 2L", true, true),
            ("1L 2M 1S", false, false),
            ("1L 1M KS CL 1M", false, true),
            ("1L 1M 1S 1L", false, false),
            ("1L KM 1S", false, false),
        ] {
            let found = (stack(names).contested(false), stack(names).contested(true));
            assert_eq!(found, (by_seats, by_colours), "{names}");
        }
    }

    #[test]
    fn top_and_bottom_seats_ignore_swords_and_shields() {
        let mixed = stack("CL 2M 1S KL");
        assert_eq!((mixed.bottom_seat(), mixed.top_seat()), (Some(2), Some(1)));
        assert_eq!(mixed.seats(), 0b110);
        assert_eq!(mixed.find(Owner::Sword), Some(3));
        assert_eq!(mixed.count(Owner::Seat(1)), 1);
        assert_eq!((mixed.find(Owner::Shield), mixed.find(Owner::Seat(3))), (Some(0), None));
        assert_eq!(stack("KL CM").top_seat(), None);
    }

    #[test]
    fn owners_are_told_apart_wherever_their_pieces_are() {
        let owners = || (1..=6).map(Owner::Seat).chain([Owner::Sword, Owner::Shield]);
        for (one, other) in owners().flat_map(|one| owners().map(move |other| (one, other))) {
            for index in 0..STACK_MAX {
                let piece = |n| Piece::new(if n == index { one } else { other }, SIZES[n % 3]);
                let stack = (0..STACK_MAX).map(piece).fold(Stack::EMPTY, Stack::with);
                let count = |owner| stack.pieces().filter(|piece| piece.owner() == owner).count();
                assert_eq!((stack.count(one), stack.count(other)), (count(one), count(other)), "{one:?} {other:?}");
                assert_eq!(stack.find(one), stack.pieces().position(|piece| piece.owner() == one));
                assert_eq!(stack.lifted().count(one), count(one) - usize::from(one == other || index == STACK_MAX - 1));
            }
        }
    }
}
