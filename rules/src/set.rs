//! Sets of squares, territories or seats: whatever a game numbers from 0.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A thing that a game has a fixed number of, at most 128: for example, the squares of its board.
pub trait Numbered: Copy {
    /// The smallest unsigned integer with a bit for each of them.
    type Bits: Bits;

    /// The bits of all of them.
    const ALL: Self::Bits;

    /// Its number, from 0.
    fn number(self) -> u8;

    /// The thing with this number, which must be in range.
    fn numbered(number: u8) -> Self;
}

/// Implements [`Numbered`] for a tuple struct of a `u8`.
#[macro_export]
macro_rules! numbered {
    ($thing:ty, $bits:ty, $all:expr) => {
        impl $crate::Numbered for $thing {
            type Bits = $bits;

            const ALL: $bits = $all;

            #[inline]
            fn number(self) -> u8 {
                self.0
            }

            #[inline]
            fn numbered(number: u8) -> Self {
                Self(number)
            }
        }
    };
}

/// Numbers and names all pairs of two characters: the squares of a board (`b2`), or the cards of a pack. Implements
/// [`Numbered`], `Display`, `FromStr` and serde for a tuple struct of a `u8`, and gives it `NAMES`, `at`, and its two
/// coordinates from 0. Behind the characters of a coordinate stands how far apart neighbours are in number.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Square(u8);
///
/// plybook_rules::grid!(Square: u16, column "abcd" 1, row "1234" 4);
///
/// let square: Square = "c2".parse().unwrap();
/// assert_eq!((square.column(), square.row(), square.to_string()), (2, 1, "c2".to_owned()));
/// assert_eq!("e1".parse::<Square>().unwrap_err().to_string(), "\"e1\" is none of a1 to d4");
/// assert_eq!(Square::NAMES[4], "a2");
/// ```
#[macro_export]
macro_rules! grid {
    ($thing:ident: $bits:ty, $first:ident $firsts:literal $step:literal, $second:ident $seconds:literal $other:literal) => {
        #[allow(dead_code)]
        impl $thing {
            const COUNT: usize = $firsts.len() * $seconds.len();

            const BYTES: [[u8; 2]; Self::COUNT] = {
                let mut names = [[0; 2]; Self::COUNT];
                let mut number = 0;
                while number < Self::COUNT {
                    names[number] = Self(number as u8).name();
                    number += 1;
                }
                names
            };

            /// The names, by number.
            pub const NAMES: [&'static str; Self::COUNT] = $crate::measure::texts(&Self::BYTES);

            /// The one at these coordinates, from 0.
            pub const fn at($first: u8, $second: u8) -> Self {
                Self($step * $first + $other * $second)
            }

            /// Its first coordinate, from 0.
            pub const fn $first(self) -> u8 {
                self.0 / $step % $firsts.len() as u8
            }

            /// Its second coordinate, from 0.
            pub const fn $second(self) -> u8 {
                self.0 / $other % $seconds.len() as u8
            }

            /// The one with these two characters as its name.
            pub fn named(first: u8, second: u8) -> Option<Self> {
                let at = |characters: &str, one| characters.bytes().position(|other| other == one);
                Some(Self::at(at($firsts, first)? as u8, at($seconds, second)? as u8))
            }

            const fn name(self) -> [u8; 2] {
                [$firsts.as_bytes()[self.$first() as usize], $seconds.as_bytes()[self.$second() as usize]]
            }
        }

        $crate::numbered!($thing, $bits, <$bits>::MAX >> (<$bits>::BITS as usize - $firsts.len() * $seconds.len()));
        $crate::as_name!($thing);

        impl From<$thing> for usize {
            fn from(thing: $thing) -> Self {
                thing.0.into()
            }
        }

        impl std::str::FromStr for $thing {
            type Err = $crate::Syntax;

            fn from_str(text: &str) -> Result<Self, $crate::Syntax> {
                let thing = if let [first, second] = *text.as_bytes() { Self::named(first, second) } else { None };
                thing.ok_or_else(|| {
                    let [first, .., last] = &Self::NAMES;
                    format!("{text:?} is none of {first} to {last}").into()
                })
            }
        }
    };
}

/// An unsigned integer whose bits are the members of a [`Set`].
pub trait Bits:
    Copy + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + Shl<u8, Output = Self>
{
    /// No bits.
    const NONE: Self;

    /// Only the lowest bit.
    const ONE: Self;

    /// The number of bits.
    fn count(self) -> u32;

    /// The number of the lowest bit. At least one bit must be set.
    fn lowest(self) -> u8;

    /// All bits but the lowest. At least one bit must be set.
    #[must_use]
    fn rest(self) -> Self;
}

macro_rules! bits {
    ($($integer:ty),+) => {$(
        impl Bits for $integer {
            const NONE: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline]
            fn rest(self) -> Self {
                self & (self - 1)
            }
        }
    )+};
}
bits!(u8, u16, u32, u64, u128);

/// A set of numbered things, iterated in ascending order. Bit N is number N.
///
/// Sets are combined with `|`, `&` and `!`; a single member may stand for a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Set<T: Numbered>(T::Bits);

impl<T: Numbered> Set<T> {
    /// The empty set.
    pub const EMPTY: Self = Self(T::Bits::NONE);

    /// The set of all things of this sort.
    pub const ALL: Self = Self(T::ALL);

    /// The set with these bits, all of them in range.
    pub const fn from_bits(bits: T::Bits) -> Self {
        Self(bits)
    }

    /// Its bits.
    pub const fn bits(self) -> T::Bits {
        self.0
    }

    /// Whether it contains a member, or any member of a set.
    #[inline]
    pub fn has(self, members: impl Into<Self>) -> bool {
        self.0 & members.into().0 != T::Bits::NONE
    }

    /// The number of members.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count() as usize
    }

    /// Whether it has no members.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == T::Bits::NONE
    }

    /// The first member.
    #[inline]
    pub fn first(self) -> Option<T> {
        self.into_iter().next()
    }

    /// The members that pass a test.
    #[must_use]
    pub fn keep(self, test: impl Fn(T) -> bool) -> Self {
        self.into_iter().filter(|member| test(*member)).collect()
    }

    /// The members, ascending.
    pub fn iter(self) -> Iter<T> {
        Iter(self.0)
    }
}

impl<T: Numbered> Default for Set<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Numbered> From<T> for Set<T> {
    #[inline]
    fn from(member: T) -> Self {
        Self(T::Bits::ONE << member.number())
    }
}

impl<T: Numbered> From<Option<T>> for Set<T> {
    fn from(member: Option<T>) -> Self {
        member.map_or(Self::EMPTY, Self::from)
    }
}

impl<T: Numbered> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        members.into_iter().fold(Self::EMPTY, |set, member| set | member)
    }
}

impl<T: Numbered> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = Iter<T>;

    #[inline]
    fn into_iter(self) -> Iter<T> {
        Iter(self.0)
    }
}

/// The members of a set, ascending.
#[derive(Clone)]
pub struct Iter<T: Numbered>(T::Bits);

impl<T: Numbered> Iterator for Iter<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.0 == T::Bits::NONE {
            return None;
        }
        let member = T::numbered(self.0.lowest());
        self.0 = self.0.rest();
        Some(member)
    }
}

impl<T: Numbered, O: Into<Self>> BitOr<O> for Set<T> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: O) -> Self {
        Self(self.0 | other.into().0)
    }
}

impl<T: Numbered, O: Into<Self>> BitAnd<O> for Set<T> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: O) -> Self {
        Self(self.0 & other.into().0)
    }
}

impl<T: Numbered, O: Into<Self>> BitOrAssign<O> for Set<T> {
    #[inline]
    fn bitor_assign(&mut self, other: O) {
        *self = *self | other;
    }
}

impl<T: Numbered, O: Into<Self>> BitAndAssign<O> for Set<T> {
    #[inline]
    fn bitand_assign(&mut self, other: O) {
        *self = *self & other;
    }
}

impl<T: Numbered> Not for Set<T> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & T::ALL)
    }
}

impl<T: Numbered + fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl<T: Numbered + Serialize> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}

impl<'de, T: Numbered + Deserialize<'de>> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Vec::<T>::deserialize(deserializer)?;
        if members.is_sorted_by(|a, b| a.number() < b.number()) {
            return Ok(members.into_iter().collect());
        }
        Err(serde::de::Error::custom("its members are listed once each, in ascending order"))
    }
}
