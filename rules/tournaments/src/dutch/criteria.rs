//! The criteria of a bracket as weights of edges.
//!
//! # Source
//! FIDE Handbook C.04.3, in force from 1 February 2026, 2.2 to 2.4: C5 to C21.

use std::collections::BTreeMap;

use super::player::{Float, Player, Seat};
use super::weight::Words;
use crate::Points;

/// What an edge means to a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A pair of the bracket.
    Here,
    /// A pair of the next bracket.
    Next,
    /// Any other pair.
    Below,
    /// A bye.
    Bye,
}

/// An edge: the indices of two players, the higher one first, or the index of a player who is left over,
/// twice.
pub(super) type Edge = (usize, usize, Place);

/// Weighs the edges of one bracket.
pub(super) struct Criteria<'a> {
    players: &'a [Player],
    /// The class of each player: players in the same class have equal edges.
    classes: Vec<usize>,
    /// The number of classes.
    classes_len: usize,
    /// The scores in this bracket and the next, highest first.
    levels: Vec<Points>,
    /// How many rounds back floats count: at most 2.
    rounds_back: usize,
    /// Whether every vertex needs a mate.
    is_perfect: bool,
    /// Whether C9 applies: only the bye leaves the bracket.
    is_bye_alone: bool,
}

/// The values of an edge: field and value. Fields are numbered by importance, the most important one first.
type Values = Vec<(usize, u32)>;

/// The field that says whether all vertices have a mate: C4.
const COMPLETE: usize = 0;
/// The field that counts the pairs of the bracket: C6. It is followed by the fields of C7, one for each
/// score.
const PAIRS: usize = 1;

impl<'a> Criteria<'a> {
    /// The criteria of a bracket whose players and next players have these scores, the highest first.
    pub(super) fn new(
        players: &'a [Player],
        levels: Vec<Points>,
        rounds: usize,
        is_perfect: bool,
        is_bye_alone: bool,
    ) -> Self {
        let mut known = BTreeMap::new();
        let mut class = |player: &Player| {
            let key = (player.score, player.preference, player.imbalance, player.repeated, player.floats);
            let next = known.len();
            *known.entry((key, player.seats.len())).or_insert(next)
        };
        let classes = players.iter().map(&mut class).collect();
        let classes_len = known.len();
        Self { players, classes, classes_len, levels, rounds_back: rounds.min(2), is_perfect, is_bye_alone }
    }

    fn fields(&self) -> usize {
        12 + 6 * self.levels.len()
    }

    /// The field that counts the pairs of the next bracket: C8. It is followed by fields for each score.
    fn next_pairs(&self) -> usize {
        PAIRS + 1 + self.levels.len()
    }

    fn level(&self, score: Points) -> usize {
        self.levels.iter().position(|level| *level == score).expect("the levels are the scores of the bracket")
    }

    /// The values of an edge.
    fn values(&self, (higher, lower, place): Edge) -> Values {
        let (higher, lower) = (&self.players[higher], &self.players[lower]);
        let mut values = vec![(COMPLETE, u32::from(self.is_perfect))];
        let next = self.next_pairs();
        match place {
            Place::Bye if self.is_bye_alone => {
                values.push((next + 1 + self.levels.len(), higher.seats.len() as u32));
            }
            Place::Bye | Place::Below => {}
            Place::Next => values.extend([(next, 1), (next + 1 + self.level(higher.score), 1)]),
            Place::Here => self.values_here(higher, lower, &mut values),
        }
        values
    }

    fn values_here(&self, higher: &Player, lower: &Player, values: &mut Values) {
        let levels = self.levels.len();
        let (high, low) = (self.level(higher.score), self.level(lower.score));
        values.extend([(PAIRS, 1), (PAIRS + 1 + high, 1)]);
        let seats = self.next_pairs() + levels + 2;
        for (index, is_kept) in seat_criteria(higher, lower).into_iter().enumerate() {
            values.push((seats + index, u32::from(is_kept)));
        }
        let floats = seats + 4;
        let is_float = higher.score > lower.score;
        for back in 0..self.rounds_back {
            let down = |player: &Player| u32::from(player.floats[back] == Float::Down);
            let is_new = u32::from(!(is_float && lower.floats[back] == Float::Up));
            values.push((floats + 2 * back, down(lower) + if is_float { 0 } else { down(higher) }));
            values.push((floats + 2 * back + 1, is_new));
            let scores = floats + 4 + 2 * levels * back;
            values.extend([(scores + low, down(lower)), (scores + high, down(higher))]);
            values.push((scores + levels + high, is_new));
        }
    }

    fn key(&self, (higher, lower, place): Edge) -> usize {
        (self.classes[higher] * self.classes_len + self.classes[lower]) * 4 + place as usize
    }

    /// Packs the criteria into words, so that all these edges can be weighed.
    pub(super) fn layout(&self, edges: &[Edge]) -> Layout {
        let mut is_seen = vec![false; self.classes_len * self.classes_len * 4];
        let mut ranges = vec![Range::default(); self.fields()];
        let mut sums = vec![0; self.fields()];
        for &edge in edges {
            if std::mem::replace(&mut is_seen[self.key(edge)], true) {
                continue;
            }
            sums.fill(0);
            for (field, value) in self.values(edge) {
                sums[field] += value;
            }
            let next = self.next_pairs();
            let fields = match edge.2 {
                Place::Here => (PAIRS..next).chain(next + 2 + self.levels.len()..self.fields()),
                Place::Next => (next..next + 1 + self.levels.len()).chain(0..0),
                Place::Bye => (next + 1 + self.levels.len()..next + 2 + self.levels.len()).chain(0..0),
                Place::Below => (0..0).chain(0..0),
            };
            for field in fields.chain([COMPLETE]) {
                ranges[field].see(sums[field]);
            }
        }
        for field in [COMPLETE, PAIRS, self.next_pairs()] {
            ranges[field].is_needed = true;
        }
        Layout::new(&ranges, self.players.len() / 2 + 1)
    }

    /// The weights of edges in a layout.
    pub(super) fn weights<const N: usize>(&self, layout: &Layout, edges: &[Edge]) -> Vec<Words<N>> {
        let mut known: Vec<Option<Words<N>>> = vec![None; self.classes_len * self.classes_len * 4];
        let weigh = |edge: Edge| {
            let mut words = [0; N];
            for (field, value) in self.values(edge) {
                if let Some((word, shift)) = layout.fields[field] {
                    words[word] += i64::from(value) << shift;
                }
            }
            Words(words)
        };
        edges.iter().map(|edge| *known[self.key(*edge)].get_or_insert_with(|| weigh(*edge))).collect()
    }
}

/// C10 to C13: whether the seats can be given without the second and third of the evils.
fn seat_criteria(higher: &Player, lower: &Player) -> [bool; 4] {
    let is_agreeable = match (higher.preferred(), lower.preferred()) {
        (Some(one), Some(other)) => one != other,
        _ => true,
    };
    if is_agreeable {
        return [true; 4];
    }
    let is_absolute = higher.is_absolute() && lower.is_absolute();
    let keeps_twice = if higher.imbalance == lower.imbalance {
        higher.repeated.is_none() || higher.repeated != lower.repeated
    } else {
        let yields = if higher.imbalance > lower.imbalance { lower } else { higher };
        yields.repeated != higher.preferred().map(Seat::other)
    };
    let is_mild = |player: &Player| player.strength() == Some(crate::PreferenceStrength::Mild);
    [
        !(higher.is_imbalanced() && lower.is_imbalanced()),
        !is_absolute || keeps_twice,
        false,
        is_mild(higher) || is_mild(lower) || is_absolute,
    ]
}

/// What was seen of a field.
#[derive(Clone, Copy, Default)]
struct Range {
    least: Option<u32>,
    most: u32,
    /// Whether the field matters even if all edges have the same value.
    is_needed: bool,
}

impl Range {
    fn see(&mut self, value: u32) {
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.most = self.most.max(value);
    }
}

/// The places of the fields in the words of a weight.
pub(super) struct Layout {
    /// The word and shift of each field; `None` if all edges have the same value.
    fields: Vec<Option<(usize, u32)>>,
    /// The number of words that all fields take.
    pub(super) words: usize,
}

impl Layout {
    /// Packs the fields so that sums over `pairs` edges do not overflow.
    fn new(seen: &[Range], pairs: usize) -> Self {
        /// Sums stay below 2^58, so that the matching may double and add them.
        const BITS: u32 = 58;
        let mut free = 0;
        let mut words: usize = 0;
        let mut fields = vec![None; seen.len()];
        // First the word of each field and its place from the top, then the shifts from the bottom.
        for (field, range) in seen.iter().enumerate() {
            if range.most == 0 || (!range.is_needed && range.least == Some(range.most)) {
                continue;
            }
            let bits = usize::BITS - (range.most as usize * pairs).leading_zeros();
            if bits > free {
                words += 1;
                free = BITS;
            }
            free -= bits;
            fields[field] = Some((words - 1, free));
        }
        Self { fields, words: words.max(1) }
    }
}
