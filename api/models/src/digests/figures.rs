//! A column store of what was counted in the games of one kind.

use indexmap::IndexSet;
use plybook_events::SEATS_MAX;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::digest::{Digest, Facts, SeatLuck};
use super::varint::{Numbers, push_number, signed, unsigned};
use crate::catalogue::RowColumns;
use crate::columns::{Column, Extremes, PackedColumn, RealColumn, Scan};
use crate::results::Results;
use crate::snapshot::numbers;

/// The figures of the games of a kind, by number.
#[derive(Default, Serialize, Deserialize)]
pub struct FigureColumns {
    /// The games whose figures are known.
    known: RoaringBitmap,
    /// Those of them that count, whose sums are kept.
    summed: RoaringBitmap,
    /// The number of takebacks; a game whose figures are not known has none.
    pub takebacks: Column,
    /// The mean number of legal actions in positions with a choice.
    pub branching: RealColumn,
    /// The measures of the kind, in its order.
    pub measures: Vec<Column>,
    firsts: FirstActions,
    /// The heats of the kind, in its order.
    heats: Vec<HeatColumn>,
    luck: LuckColumn,
    /// The minimum and the maximum of each fact.
    extremes: Extremes,
}

/// Counts by place of the board.
#[derive(Default, Serialize, Deserialize)]
struct HeatColumn {
    /// By game: places with their counts, packed.
    games: PackedColumn,
    /// By place.
    sums: Vec<u64>,
}

/// What chance gave to each seat.
#[derive(Default, Serialize, Deserialize)]
struct LuckColumn {
    /// By game: the luck of each seat, for each luck of the kind, packed.
    games: PackedColumn,
    /// [`SEATS_MAX`] for each luck of the kind.
    sums: Vec<LuckSum>,
}

/// How often chance decided, the expected total in millionths, and the actual total.
pub type LuckSum = (u64, i64, i64);

/// The first actions of games. The same action leads to different positions from different setups.
#[derive(Default, Serialize, Deserialize)]
struct FirstActions {
    /// Each with the first eight bytes of the key of the position after it.
    known: IndexSet<FirstAction>,
    /// By game: an index in `known`, or [`NO_ACTION`].
    #[serde(with = "numbers")]
    of: Vec<u32>,
}

/// What is told of the games with a first action.
#[derive(Clone, Debug)]
pub struct FirstActionSum {
    /// The number of games.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// When the last of them was played, in milliseconds since 1970.
    pub last_ms: i64,
    /// The number of one of them.
    pub example: u32,
    /// The sum of the ratings of those that are rated, and how many these are.
    pub rated: (f64, u32),
}

/// An action as records write it, and the first eight bytes of the key of the position after it.
pub type FirstAction = (Box<str>, u64);

/// Marks a game without actions.
const NO_ACTION: u32 = u32::MAX;

impl FigureColumns {
    /// The number of games, counted or not, up to the last one.
    pub(super) fn games(&self) -> usize {
        self.firsts.of.len()
    }

    /// Stores the figures of a game's digest, or that it has none, and whether it counts.
    pub(super) fn set(&mut self, number: u32, digest: Option<&Digest>, is_counted: bool) {
        if self.summed.remove(number) {
            self.takebacks.discount(number);
            self.measures.iter_mut().for_each(|measure| measure.discount(number));
            self.heats.iter_mut().for_each(|heat| heat.sum(number, |sum, count| *sum -= count));
            self.luck.sum(number, remove_luck);
        }
        self.put(number, digest);
        if is_counted {
            self.summed.insert(number);
            self.takebacks.count(number);
            self.measures.iter_mut().for_each(|measure| measure.count(number));
            self.heats.iter_mut().for_each(|heat| heat.sum(number, |sum, count| *sum += count));
            self.luck.sum(number, add_luck);
        }
    }

    fn put(&mut self, number: u32, digest: Option<&Digest>) {
        let at = number as usize;
        let none = Facts::default();
        if digest.is_some() {
            self.known.insert(number);
        } else {
            self.known.remove(number);
        }
        let facts = digest.map_or(&none, |digest| &digest.facts);
        self.takebacks.set(number, digest.map(|_| facts.takebacks.into()));
        let branching = (facts.choosing > 0).then(|| facts.choices as f64 / f64::from(facts.choosing));
        self.branching.set(number, branching);
        if self.measures.len() < facts.values.len() {
            self.measures.resize_with(facts.values.len(), Column::default);
        }
        for (measure, column) in self.measures.iter_mut().enumerate() {
            column.set(number, facts.values.get(measure).copied().flatten());
        }
        self.extremes.set(number, facts.extremes.as_slice());
        self.firsts.set(at, digest);
        if self.heats.len() < facts.heat.len() {
            self.heats.resize_with(facts.heat.len(), HeatColumn::default);
        }
        for (heat, column) in self.heats.iter_mut().enumerate() {
            column.set(number, facts.heat.get(heat).map_or(&[], |heat| heat));
        }
        self.luck.set(number, &facts.luck);
    }

    /// How to add up the figures of the games of a set, as far as they are known.
    pub fn scan(&self, games: &RoaringBitmap) -> Scan {
        Scan::new(games & &self.known, &self.summed)
    }

    /// Whether the figures of a game are known.
    pub fn has(&self, number: u32) -> bool {
        self.known.contains(number)
    }

    /// Whether something may hold in a game, which it may wherever its extremes are not known. Those of its zone are asked first:
    /// where `may_hold` refuses them, it would refuse those of each of the games.
    pub fn may_hold(&self, number: u32, may_hold: impl Fn(&[i16]) -> bool) -> bool {
        let Some(extremes) = self.extremes.get(number).filter(|_| self.has(number)) else { return true };
        self.extremes.zone(number).is_none_or(&may_hold) && may_hold(extremes)
    }

    /// The first actions of all games, each once.
    pub fn first_actions(&self) -> &IndexSet<FirstAction> {
        &self.firsts.known
    }

    /// The first action of a game, by its index in [`first_actions`](Self::first_actions); `None` if there is none.
    #[cfg(test)]
    pub(super) fn first_action(&self, number: u32) -> Option<usize> {
        self.firsts.index(number)
    }

    /// The sums over the games of a set that began with each of the [first actions](Self::first_actions); `None` where no game did.
    pub fn first_action_sums(&self, games: &RoaringBitmap, rows: &RowColumns) -> Vec<Option<FirstActionSum>> {
        self.firsts.sum(games, rows)
    }

    /// The counts of a heat of the kind over the games of a scan, by place. Places after the last one with a count may be
    /// missing.
    pub fn heat(&self, heat: usize, scan: &Scan) -> Vec<u64> {
        let Some(HeatColumn { games, sums }) = self.heats.get(heat) else { return Vec::new() };
        scan.sums(
            sums,
            |sums, number| unpack_heat(games.get(number), |place, count| sums[place] += count),
            |sums, number| unpack_heat(games.get(number), |place, count| sums[place] -= count),
        )
    }

    /// The luck of each seat in a game, for each luck of the kind; nothing if it is not known.
    pub fn luck_of(&self, number: u32) -> Vec<SeatLuck> {
        let mut luck: Vec<Vec<LuckSum>> = Vec::new();
        unpack_luck(self.luck.games.get(number), |at, _, of_seat| {
            luck.resize(luck.len().max(at + 1), Vec::new());
            luck[at].push(of_seat);
        });
        luck.into_iter().map(Into::into).collect()
    }

    /// The luck of each seat over the games of a scan, [`SEATS_MAX`] for each luck of the kind. `is_told` says whether that of
    /// a seat, from 0, is counted in a game.
    pub fn luck(&self, scan: &Scan, is_told: impl Fn(u32, usize) -> bool) -> Vec<LuckSum> {
        let LuckColumn { games, sums } = &self.luck;
        let change = |change: fn(&mut LuckSum, LuckSum)| {
            let is_told = &is_told;
            move |sums: &mut [LuckSum], number: u32| {
                unpack_luck(games.get(number), |luck, seat, of_seat| {
                    if is_told(number, seat) {
                        change(&mut sums[luck_place(luck, seat)], of_seat);
                    }
                });
            }
        };
        scan.sums(sums, change(add_luck), change(remove_luck))
    }
}

impl FirstActions {
    /// The first action of a game, by its index in `known`; `None` if there is none.
    fn index(&self, number: u32) -> Option<usize> {
        let first = self.of.get(number as usize).filter(|first| **first != NO_ACTION)?;
        Some(*first as usize)
    }

    fn sum(&self, games: &RoaringBitmap, rows: &RowColumns) -> Vec<Option<FirstActionSum>> {
        let mut sums: Vec<Option<FirstActionSum>> = vec![None; self.known.len()];
        for number in games {
            let Some(sum) = self.index(number).map(|first| &mut sums[first]) else { continue };
            let sum = sum.get_or_insert_with(|| FirstActionSum {
                games: 0,
                results: Results::default(),
                last_ms: i64::MIN,
                example: number,
                rated: (0.0, 0),
            });
            sum.games += 1;
            sum.results.add(rows.result(number));
            sum.last_ms = sum.last_ms.max(rows.played_ms(number));
            if let Some(rating) = rows.rating(number) {
                sum.rated = (sum.rated.0 + f64::from(rating), sum.rated.1 + 1);
            }
        }
        sums
    }

    fn set(&mut self, at: usize, digest: Option<&Digest>) {
        let action = digest.and_then(|digest| Some((digest.words.first()?.clone(), *digest.keys.get(1)?)));
        let index = action.map_or(NO_ACTION, |action| self.known.insert_full(action).0 as u32);
        if self.of.len() <= at {
            self.of.resize(at + 1, NO_ACTION);
        }
        self.of[at] = index;
    }
}

impl HeatColumn {
    /// Sets the counts of a game that does not count at the moment. There is a sum for each of its places.
    fn set(&mut self, number: u32, heat: &[(u16, u32)]) {
        self.games.set(number, &pack_heat(heat));
        let places = heat.last().map_or(0, |(place, _)| usize::from(*place) + 1);
        self.sums.resize(self.sums.len().max(places), 0);
    }

    /// Changes the sums by the counts of a game.
    fn sum(&mut self, number: u32, change: impl Fn(&mut u64, u64)) {
        let Self { games, sums } = self;
        unpack_heat(games.get(number), |place, count| change(&mut sums[place], count));
    }
}

impl LuckColumn {
    /// Sets the luck of a game that does not count at the moment. There is a sum for each luck of it.
    fn set(&mut self, number: u32, luck: &[SeatLuck]) {
        self.games.set(number, &pack_luck(luck));
        self.sums.resize(self.sums.len().max(luck_place(luck.len(), 0)), LuckSum::default());
    }

    /// Changes the sums by the luck of a game.
    fn sum(&mut self, number: u32, change: impl Fn(&mut LuckSum, LuckSum)) {
        let Self { games, sums } = self;
        unpack_luck(games.get(number), |luck, seat, of_seat| {
            change(&mut sums[luck_place(luck, seat)], of_seat);
        });
    }
}

/// The index of a luck of a seat, both from 0.
fn luck_place(luck: usize, seat: usize) -> usize {
    luck * usize::from(SEATS_MAX) + seat
}

fn add_luck(sum: &mut LuckSum, luck: LuckSum) {
    *sum = (sum.0 + luck.0, sum.1 + luck.1, sum.2 + luck.2);
}

fn remove_luck(sum: &mut LuckSum, luck: LuckSum) {
    *sum = (sum.0 - luck.0, sum.1 - luck.1, sum.2 - luck.2);
}

/// Of each place how much it is greater than the one before, and its count.
fn pack_heat(heat: &[(u16, u32)]) -> Vec<u8> {
    let (mut packed, mut before) = (Vec::new(), 0);
    for (place, count) in heat {
        push_number(&mut packed, u64::from(place - before));
        push_number(&mut packed, u64::from(*count));
        before = *place;
    }
    packed
}

fn unpack_heat(packed: &[u8], mut each: impl FnMut(usize, u64)) {
    let (mut numbers, mut place) = (Numbers(packed), 0);
    while let (Some(further), Some(count)) = (numbers.next(), numbers.next()) {
        place += further as usize;
        each(place, count);
    }
}

/// Of each luck the number of seats, and of each seat the three numbers.
fn pack_luck(luck: &[SeatLuck]) -> Vec<u8> {
    let mut packed = Vec::new();
    for seats in luck {
        push_number(&mut packed, seats.len() as u64);
        for (count, expected, actual) in seats {
            push_number(&mut packed, *count);
            push_number(&mut packed, unsigned(*expected));
            push_number(&mut packed, unsigned(*actual));
        }
    }
    packed
}

/// `each` takes the luck, the seat, both from 0, and its numbers.
fn unpack_luck(packed: &[u8], mut each: impl FnMut(usize, usize, LuckSum)) {
    let (mut numbers, mut luck) = (Numbers(packed), 0);
    while let Some(seats) = numbers.next() {
        for seat in 0..seats as usize {
            let mut number = || numbers.next().unwrap_or_default();
            each(luck, seat, (number(), signed(number()), signed(number())));
        }
        luck += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::columns::Distribution;
    use crate::digests::digest::Heat;
    use crate::snapshot::reread;

    #[test]
    fn what_is_packed_reads_back() {
        let heat: Heat = [(0, 1), (1, 300), (700, u32::MAX), (u16::MAX, 2)].into();
        let mut read = Vec::new();
        unpack_heat(&pack_heat(&heat), |place, count| read.push((place as u16, count as u32)));
        assert_eq!(*read, *heat);
        let luck: [SeatLuck; 3] =
            [[(3, -1_500_000, 4), (u64::MAX, i64::MIN, i64::MAX)].into(), [].into(), [(0, 0, 0)].into()];
        let mut read = Vec::new();
        unpack_luck(&pack_luck(&luck), |luck, seat, of_seat| read.push((luck, seat, of_seat)));
        assert_eq!(read, [(0, 0, luck[0][0]), (0, 1, luck[0][1]), (2, 0, luck[2][0])]);
    }

    #[test]
    fn a_game_that_does_not_count_has_figures_of_its_own() {
        let (heat, luck): (Heat, SeatLuck) = ([(7, 3)].into(), [(1, 2, 4)].into());
        let facts = Facts { heat: [heat].into(), luck: [luck].into(), ..Facts::default() };
        let mut columns = FigureColumns::default();
        columns.set(5, Some(&Digest { facts, ..Digest::default() }), false);
        let game = RoaringBitmap::from_iter([5]);
        let scan = columns.scan(&game);
        assert_eq!(columns.heat(0, &scan), [0, 0, 0, 0, 0, 0, 0, 3]);
        assert_eq!(columns.luck(&scan, |_, _| true)[0], (1, 2, 4));
    }

    #[test]
    fn sums_are_those_of_the_games_however_they_change() {
        let mut seed = 3_u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let mut columns = FigureColumns::default();
        let mut digests: HashMap<u32, Digest> = HashMap::new();
        let even: RoaringBitmap = (0..60).step_by(2).collect();
        for step in 0..600 {
            let number = below(60) as u32;
            let digest = (below(5) > 0).then(|| Digest {
                keys: vec![0, below(9)],
                words: vec![format!("a{}", below(3)).into()],
                facts: Facts {
                    takebacks: below(4) as u32,
                    choices: below(900),
                    choosing: below(9) as u32,
                    values: (0..3).map(|_| (below(4) > 0).then(|| below(700) as i64 - 300)).collect(),
                    heat: (0..2).map(|_| (0..20).filter(|_| below(2) > 0).map(|place| (place, 7)).collect()).collect(),
                    luck: (0..2).map(|_| (0..3).map(|_| (below(9), below(9) as i64 - 4, 2)).collect()).collect(),
                    ..Facts::default()
                },
            });
            let is_counted = digest.is_some() && below(4) > 0;
            columns.set(number, digest.as_ref(), is_counted);
            digests.remove(&number);
            digests.extend(digest.map(|digest| (number, digest)));
            if step % 90 == 89 {
                columns = reread(&columns);
            }
            let (summed, one) = (columns.summed.clone(), RoaringBitmap::from_iter([number]));
            let most: RoaringBitmap = (0..60).filter(|_| below(5) > 0).collect();
            // What is asked about last is asked about again when a game has changed.
            for games in [&even, &summed, &(&summed & &most), &(&summed | &one), &most, &one, &even] {
                let scan = columns.scan(games);
                let facts = || games.iter().filter_map(|number| digests.get(&number)).map(|digest| &digest.facts);
                let spread = |values: Vec<f64>| Distribution::of(values);
                let branching = facts().filter(|facts| facts.choosing > 0);
                let branching = branching.map(|facts| facts.choices as f64 / f64::from(facts.choosing)).collect();
                assert_eq!(columns.branching.distribution(&scan), spread(branching), "step {step}");
                let takebacks = facts().map(|facts| f64::from(facts.takebacks)).collect();
                assert_eq!(columns.takebacks.distribution(&scan), spread(takebacks), "step {step}");
                for (at, measure) in columns.measures.iter().enumerate() {
                    let values = facts().filter_map(|facts| facts.values[at]).map(|value| value as f64).collect();
                    assert_eq!(measure.distribution(&scan), spread(values), "step {step}");
                }
                let mut heat = vec![0; 20];
                facts().flat_map(|facts| &facts.heat[1]).for_each(|(place, n)| heat[*place as usize] += u64::from(*n));
                let mut found = columns.heat(1, &scan);
                found.resize(20, 0);
                assert_eq!(found, heat, "step {step}");
                let mut luck = LuckSum::default();
                facts().for_each(|facts| add_luck(&mut luck, facts.luck[1][2]));
                let found = columns.luck(&scan, |_, _| true).get(luck_place(1, 2)).copied();
                assert_eq!(found.unwrap_or_default(), luck, "step {step}");
            }
            for number in 0..60 {
                let (digest, first) = (digests.get(&number), columns.first_action(number));
                let first = first.map(|first| columns.first_actions()[first].clone());
                assert_eq!(first, digest.map(|digest| (digest.words[0].clone(), digest.keys[1])));
                assert_eq!(columns.has(number), digest.is_some());
                assert_eq!(
                    columns.luck_of(number),
                    digest.map(|digest| digest.facts.luck.to_vec()).unwrap_or_default()
                );
            }
        }
    }
}
