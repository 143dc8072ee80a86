//! A dictionary-encoded column of whole numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::distribution::{Distribution, Run};
use super::scan::Scan;
use crate::snapshot::numbers;

/// A whole number of each game, by the game's number, with sums over the games that count. Each different number is kept once; a
/// game takes one byte, or two or four if there are more than 255 or 65,535 of them.
#[derive(Serialize, Deserialize)]
pub struct Column {
    /// The different numbers in the order in which they came, after a place for none.
    values: Vec<i64>,
    codes: BTreeMap<i64, u32>,
    games: Codes,
    /// How many of the games that count have each number.
    sums: Vec<u32>,
}

/// The code of each game: an index of a number, or 0 for none.
#[derive(Serialize, Deserialize)]
enum Codes {
    Bytes(#[serde(with = "numbers")] Vec<u8>),
    Shorts(#[serde(with = "numbers")] Vec<u16>),
    Longs(#[serde(with = "numbers")] Vec<u32>),
}

impl Default for Column {
    fn default() -> Self {
        Self { values: vec![0], codes: BTreeMap::new(), games: Codes::Bytes(Vec::new()), sums: vec![0] }
    }
}

impl Column {
    /// The number of a game; `None` if it has none.
    pub fn get(&self, number: u32) -> Option<i64> {
        let code = self.games.get(number);
        (code > 0).then(|| self.values[code as usize])
    }

    /// Sets the number of a game that does not count at the moment.
    pub fn set(&mut self, number: u32, value: Option<i64>) {
        let code = value.map_or(0, |value| self.code(value));
        self.games.set(number, code);
    }

    /// Counts a game.
    pub fn count(&mut self, number: u32) {
        self.sums[self.games.get(number) as usize] += 1;
    }

    /// Counts a game no longer.
    pub fn discount(&mut self, number: u32) {
        self.sums[self.games.get(number) as usize] -= 1;
    }

    /// The distribution of the numbers of the games of a scan.
    pub fn distribution(&self, scan: &Scan) -> Distribution {
        Distribution::of_runs(&self.runs(scan))
    }

    /// The different numbers of the games of a scan, ascending, with how many games have each.
    fn runs(&self, scan: &Scan) -> Vec<Run> {
        let counts = match &self.games {
            Codes::Bytes(codes) => tally(codes, scan, &self.sums),
            Codes::Shorts(codes) => tally(codes, scan, &self.sums),
            Codes::Longs(codes) => tally(codes, scan, &self.sums),
        };
        let runs = self.codes.iter().map(|(value, code)| (*value as f64, counts[*code as usize] as usize));
        runs.filter(|(_, count)| *count > 0).collect()
    }

    fn code(&mut self, value: i64) -> u32 {
        let Self { values, codes, sums, .. } = self;
        *codes.entry(value).or_insert_with(|| {
            values.push(value);
            sums.push(0);
            values.len() as u32 - 1
        })
    }
}

/// How many games have each code.
fn tally<C: Copy + Into<u32>>(codes: &[C], scan: &Scan, sums: &[u32]) -> Vec<u32> {
    let code = |number: u32| codes.get(number as usize).map_or(0, |code| (*code).into() as usize);
    scan.sums(sums, |counts, number| counts[code(number)] += 1, |counts, number| counts[code(number)] -= 1)
}

impl Codes {
    fn get(&self, number: u32) -> u32 {
        let at = number as usize;
        let code = match self {
            Self::Bytes(codes) => codes.get(at).map(|code| u32::from(*code)),
            Self::Shorts(codes) => codes.get(at).map(|code| u32::from(*code)),
            Self::Longs(codes) => codes.get(at).copied(),
        };
        code.unwrap_or(0)
    }

    fn set(&mut self, number: u32, code: u32) {
        match self {
            Self::Bytes(codes) if code > u32::from(u8::MAX) => {
                *self = Self::Shorts(codes.iter().map(|code| u16::from(*code)).collect());
                self.set(number, code);
            }
            Self::Shorts(codes) if code > u32::from(u16::MAX) => {
                *self = Self::Longs(codes.iter().map(|code| u32::from(*code)).collect());
                self.set(number, code);
            }
            Self::Bytes(codes) => put(codes, number, code as u8),
            Self::Shorts(codes) => put(codes, number, code as u16),
            Self::Longs(codes) => put(codes, number, code),
        }
    }
}

fn put<C: Copy + Default>(codes: &mut Vec<C>, number: u32, code: C) {
    let at = number as usize;
    if codes.len() <= at {
        codes.resize(at + 1, C::default());
    }
    codes[at] = code;
}

#[cfg(test)]
mod tests {
    use roaring::RoaringBitmap;

    use super::*;
    use crate::snapshot::reread;

    #[test]
    fn sums_are_what_a_scan_counts() {
        let mut column = Column::default();
        let mut values: Vec<Option<i64>> = Vec::new();
        let mut counted = RoaringBitmap::new();
        let mut seed = 7_u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        // More and more different numbers, so that codes become longer.
        for step in 0..150_000_u64 {
            let number = below(step / 2 + 1) as u32;
            let value = (below(9) > 0).then(|| [step, below(step + 1)][below(2) as usize] as i64 - 40);
            if counted.remove(number) {
                column.discount(number);
            }
            column.set(number, value);
            if below(3) > 0 {
                counted.insert(number);
                column.count(number);
            }
            if values.len() <= number as usize {
                values.resize(number as usize + 1, None);
            }
            values[number as usize] = value;
            if step % 4_000 != 17 {
                continue;
            }
            column = reread(&column);
            let some: RoaringBitmap = counted.iter().filter(|_| below(4) > 0).chain(0..5).collect();
            let few: RoaringBitmap = (0..70_000).filter(|_| below(40) == 0).collect();
            for games in [&counted, &some, &few, &RoaringBitmap::new()] {
                let mut expected: BTreeMap<i64, usize> = BTreeMap::new();
                for number in games {
                    if let Some(Some(value)) = values.get(number as usize) {
                        *expected.entry(*value).or_default() += 1;
                    }
                }
                let scan = Scan::new(games.clone(), &counted);
                let singles: Vec<f64> = games.iter().filter_map(|n| column.get(n)).map(|value| value as f64).collect();
                assert_eq!(column.distribution(&scan).spread, Distribution::of(singles).spread);
                let expected: Vec<Run> = expected.into_iter().map(|(value, count)| (value as f64, count)).collect();
                assert_eq!(column.runs(&scan), expected);
            }
        }
        assert!(matches!(column.games, Codes::Longs(_)), "{} numbers", column.values.len());
    }
}
