//! The games of one kind: by number, by what they have in common, and in order.

use std::ops::Bound;

use plybook_events::{LogId, SEATS_MAX};
use roaring::RoaringBitmap;

use super::ordered::{Key, Ordered};
use super::rows::{By, Row};
use super::sets::{Numbers, Sets};
use super::summary::Summary;
use super::terms::Term;

/// The games of one kind. A game's number is its index among them, in the order in which the journal begins them: it never
/// changes, and is the same after every rebuild.
pub struct KindGames {
    /// The kind.
    pub(in crate::models) name: String,
    rows: Vec<Row>,
    sets: Sets,
    orders: [Ordered; By::ALL.len()],
}

/// A part of an order: the games between two keys, from one end or the other, and no more than so many.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    pub from: Bound<Key>,
    pub to: Bound<Key>,
    pub len: usize,
    pub is_backwards: bool,
}

impl KindGames {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), rows: Vec::new(), sets: Sets::default(), orders: By::ALL.map(Ordered::new) }
    }

    /// Adds a game, and returns its number.
    pub(super) fn push(&mut self, game: &Summary) -> u32 {
        let number = self.rows.len() as u32;
        self.rows.push(Row::of(game));
        for term in game.lasting_terms().into_iter().chain(game.changing_terms()) {
            self.sets.insert(term, number);
        }
        By::ALL.into_iter().for_each(|by| self.enter(by, number));
        number
    }

    /// Changes a game, whose [changing terms](Summary::changing_terms) were these.
    pub(super) fn update(&mut self, number: u32, before: &[Term], game: &Summary) {
        let now = game.changing_terms();
        if now != before {
            before.iter().for_each(|term| self.sets.remove(*term, number));
            now.into_iter().for_each(|term| self.sets.insert(term, number));
        }
        let mut row = Row::of(game);
        row.set_rating(self.rows[number as usize].rating());
        self.set(number, row);
    }

    /// Notes the mean rating of a game's players, which is known later than everything else.
    pub(super) fn set_rating(&mut self, number: u32, rating: Option<f32>) {
        let mut row = self.rows[number as usize];
        row.set_rating(rating);
        self.set(number, row);
    }

    fn set(&mut self, number: u32, row: Row) {
        let old = self.rows[number as usize];
        let has_moved = |by: &By| old.value(*by) != row.value(*by);
        for by in By::ALL.into_iter().filter(has_moved) {
            self.orders[by as usize].remove(number, &self.rows);
        }
        self.rows[number as usize] = row;
        By::ALL.into_iter().filter(has_moved).for_each(|by| self.enter(by, number));
    }

    fn enter(&mut self, by: By, number: u32) {
        // Games that are not rated have no place among the others.
        if by != By::Rating || self.rows[number as usize].rating().is_some() {
            self.orders[by as usize].insert(number, &self.rows);
        }
    }

    /// What is known of the games, by number.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The games with a term; `None` if there are none.
    pub(in crate::models) fn with(&self, term: Term) -> Option<&Numbers> {
        self.sets.get(term)
    }

    /// The games of a player, by seat.
    pub(super) fn seats_of(&self, player: LogId) -> impl Iterator<Item = &Numbers> {
        (1..=SEATS_MAX).filter_map(move |seat| self.with(Term::Seat(player, seat)))
    }

    /// The games in an order.
    pub(super) fn by(&self, by: By) -> &Ordered {
        &self.orders[by as usize]
    }

    pub(super) fn key(&self, number: u32, by: By) -> Key {
        let row = &self.rows[number as usize];
        (row.value(by), row.id)
    }

    /// The games of a set in a stretch of an order, with their keys, in the direction of the stretch.
    pub(super) fn stretch(&self, set: &RoaringBitmap, by: By, stretch: Stretch) -> Vec<(Key, u32)> {
        let Stretch { from, to, len, is_backwards } = stretch;
        let games = self.by(by).between(&self.rows, from, to);
        let games: &mut dyn Iterator<Item = u32> = if is_backwards { &mut games.rev() } else { &mut { games } };
        // Where many games match, the next ones are not far; where few do, it is faster to look at those alone.
        let steps = if set.len() * 8 < self.rows.len() as u64 { set.len() as usize / 4 } else { usize::MAX };
        let mut found = Vec::new();
        for (step, number) in games.enumerate() {
            if found.len() == len {
                break;
            }
            if step == steps {
                return self.select(set, by, stretch);
            }
            if set.contains(number) {
                found.push((self.key(number, by), number));
            }
        }
        found
    }

    /// Like [`stretch`](Self::stretch), from the games of the set alone.
    fn select(&self, set: &RoaringBitmap, by: By, stretch: Stretch) -> Vec<(Key, u32)> {
        let within = (stretch.from, stretch.to);
        let keys = set.iter().map(|number| (self.key(number, by), number));
        let mut keys: Vec<_> = keys.filter(|(key, _)| std::ops::RangeBounds::contains(&within, key)).collect();
        let direction = |one: &(Key, u32), other: &(Key, u32)| {
            if stretch.is_backwards { other.cmp(one) } else { one.cmp(other) }
        };
        if keys.len() > stretch.len {
            keys.select_nth_unstable_by(stretch.len, direction);
            keys.truncate(stretch.len);
        }
        keys.sort_unstable_by(direction);
        keys
    }
}
