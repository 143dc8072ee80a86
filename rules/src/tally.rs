//! What a game measures of itself: numbers per game, counts per place of the board, luck per seat.
//!
//! A game declares what it measures ([`crate::Game::MEASURES`], [`crate::Game::HEAT`],
//! [`crate::Game::LUCK`]); its positions count, action by action, into a [`Tally`], which names
//! everything by its index in those lists. What is kept secret while a game runs is in its tally
//! too: whoever publishes one waits for the end of such a game.

use crate::Rules;

/// Something that is measured.
#[derive(Debug)]
pub struct Measure {
    /// Its name, in lowerCamelCase.
    pub name: &'static str,
    /// One sentence: what it is, in which unit, and where a game has no such number.
    pub description: &'static str,
}

/// How many numbers a game can keep in mind between its actions.
const NOTES: usize = 32;

/// What was counted in a game; see [`Tally::new`].
///
/// Equal for equal games, whether they were folded at once or in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    values: Box<[Option<i64>]>,
    /// Rows by what is counted, columns by place.
    heat: Box<[u32]>,
    places: usize,
    /// Rows by what is compared, columns by seat.
    luck: Box<[Luck]>,
    seats: usize,
    notes: [i64; NOTES],
}

/// How chance treated a seat: what its dice promised, and what they gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Luck {
    /// How often it was up to chance.
    pub count: u64,
    /// What was to be expected in all, in millionths.
    pub expected: i64,
    /// What it came to in all, in whole units.
    pub actual: i64,
}

impl Tally {
    /// Nothing counted yet, for a game by these rules with so many seats. All values are 0.
    pub fn new(rules: &dyn Rules, seats: u8) -> Self {
        let (places, seats) = (rules.places().len(), usize::from(seats));
        Self {
            values: vec![Some(0); rules.measures().len()].into(),
            heat: vec![0; rules.heat().len() * places].into(),
            places,
            luck: vec![Luck::default(); rules.luck().len() * seats].into(),
            seats,
            notes: [0; NOTES],
        }
    }

    /// The numbers, in the order of [`Rules::measures`]; `None` where a measure does not apply to
    /// this game, or not yet.
    pub fn values(&self) -> &[Option<i64>] {
        &self.values
    }

    /// The counts of one of [`Rules::heat`], in the order of [`Rules::places`].
    pub fn heat(&self, what: usize) -> &[u32] {
        &self.heat[what * self.places..][..self.places]
    }

    /// One of [`Rules::luck`], by seat, seat 1 first.
    pub fn luck(&self, what: usize) -> &[Luck] {
        &self.luck[what * self.seats..][..self.seats]
    }

    /// Adds to a measure.
    pub fn add(&mut self, measure: usize, more: i64) {
        *self.values[measure].get_or_insert(0) += more;
    }

    /// Raises a measure to a value, if it is below.
    pub fn raise(&mut self, measure: usize, to: i64) {
        let value = self.values[measure].get_or_insert(to);
        *value = to.max(*value);
    }

    /// Gives a measure a value, or takes it away.
    pub fn set(&mut self, measure: usize, value: Option<i64>) {
        self.values[measure] = value;
    }

    /// Leaves a measure what was counted where it applies, and takes it away where it does not.
    pub fn only_if(&mut self, applies: bool, measure: usize) {
        self.values[measure] = applies.then_some(self.value(measure));
    }

    /// The value of a measure, 0 where it has none.
    pub fn value(&self, measure: usize) -> i64 {
        self.values[measure].unwrap_or(0)
    }

    /// Counts something at a place, both by index.
    pub fn mark(&mut self, what: usize, place: usize) {
        self.heat[what * self.places + place] += 1;
    }

    /// Compares what a seat could expect, in millionths, with what it got, in whole units.
    pub fn chance(&mut self, what: usize, seat: u8, expected: i64, actual: i64) {
        let luck = &mut self.luck[what * self.seats + usize::from(seat) - 1];
        luck.count += 1;
        luck.expected += expected;
        luck.actual += actual;
    }

    /// A number that the game keeps in mind; 0 at first. They have no meaning outside the game.
    pub fn note(&self, index: usize) -> i64 {
        self.notes[index]
    }

    /// The same, to be changed.
    pub fn note_mut(&mut self, index: usize) -> &mut i64 {
        &mut self.notes[index]
    }
}

/// The names of places from their bytes, each as long as it is before the first zero.
pub(crate) const fn names<const PLACES: usize, const LENGTH: usize>(
    bytes: &'static [[u8; LENGTH]; PLACES],
) -> [&'static str; PLACES] {
    let mut names = [""; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut length = 0;
        while length < LENGTH && bytes[place][length] != 0 {
            length += 1;
        }
        names[place] = match str::from_utf8(bytes[place].split_at(length).0) {
            Ok(name) => name,
            Err(_) => panic!("places have ASCII names"),
        };
        place += 1;
    }
    names
}

/// Where a list has a measure: for constants, so that a misspelt name does not compile.
pub(crate) const fn index(list: &[Measure], name: &str) -> usize {
    let mut index = 0;
    while index < list.len() {
        if is_same(list[index].name.as_bytes(), name.as_bytes()) {
            return index;
        }
        index += 1;
    }
    panic!("no measure has this name")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
