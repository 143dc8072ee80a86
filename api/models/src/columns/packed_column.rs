//! A column of variable length: a few bytes of each game.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::{ByteBuf, Bytes};

use crate::snapshot::numbers;

/// A few bytes of each game, by the game's number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedColumn(Vec<Box<[u8]>>);

/// How it is saved: the lengths, and the bytes of all games.
#[derive(Serialize, Deserialize)]
struct Saved<B> {
    #[serde(with = "numbers")]
    lens: Vec<u32>,
    bytes: B,
}

impl PackedColumn {
    /// Sets the bytes of a game.
    pub fn set(&mut self, number: u32, bytes: &[u8]) {
        let at = number as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, Box::default());
        }
        self.0[at] = bytes.into();
    }

    /// The bytes of a game; none if it has none.
    pub fn get(&self, number: u32) -> &[u8] {
        self.0.get(number as usize).map_or(&[], |bytes| bytes)
    }
}

impl Serialize for PackedColumn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let lens = self.0.iter().map(|bytes| bytes.len() as u32).collect();
        Saved { lens, bytes: Bytes::new(&self.0.concat()) }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for PackedColumn {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Saved { lens, bytes } = Saved::<ByteBuf>::deserialize(from)?;
        let mut rest = &bytes[..];
        let games = lens.into_iter().map(|len| {
            let (of_game, after) = rest.split_at_checked(len as usize)?;
            rest = after;
            Some(of_game.into())
        });
        games.collect::<Option<_>>().map(Self).ok_or_else(|| serde::de::Error::custom("bytes of games are missing"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::reread;

    #[test]
    fn every_game_has_what_was_set_last() {
        let mut column = PackedColumn::default();
        for (number, bytes) in [(3, &[1, 2][..]), (0, &[7]), (3, &[]), (5, &[9; 300])] {
            column.set(number, bytes);
            assert_eq!(column.get(number), bytes);
            assert_eq!(reread(&column), column);
        }
        assert_eq!((column.get(0), column.get(4), column.get(6)), (&[7][..], &[][..], &[][..]));
    }
}
