//! Which games are read to add up those of a set.

use std::borrow::Cow;

use roaring::RoaringBitmap;

/// The games that are read to add up those of a set: all of them, or, starting from kept sums, those in which the set
/// differs from the games whose sums are kept. It is right for any set, whatever it has to do with those games.
pub struct Scan<'a> {
    games: Cow<'a, RoaringBitmap>,
    /// Whether the sums are the start.
    begins_with_sums: bool,
    /// The games that are added.
    added: Vec<u32>,
    /// The games that are taken off the sums.
    removed: Vec<u32>,
}

impl<'a> Scan<'a> {
    /// How to add up the games of a set, if the sums of `summed` are kept.
    pub fn new(games: &'a RoaringBitmap, summed: &RoaringBitmap) -> Self {
        Self::of(Cow::Borrowed(games), summed)
    }

    /// Like [`new`](Self::new), leaving out the games of the set of which nothing is known.
    pub fn of_known(games: &RoaringBitmap, summed: &RoaringBitmap, known: &RoaringBitmap) -> Self {
        Self::of(Cow::Owned(games & known), summed)
    }

    fn of(games: Cow<'a, RoaringBitmap>, summed: &RoaringBitmap) -> Self {
        let in_both = games.intersection_len(summed);
        if games.len() + summed.len() - 2 * in_both < games.len() {
            let [added, removed] = [&*games - summed, summed - &*games].map(|games| games.iter().collect());
            Self { games, begins_with_sums: true, added, removed }
        } else {
            Self::one_by_one(games)
        }
    }

    /// How to add up the games of a set one by one.
    pub fn each(games: &'a RoaringBitmap) -> Self {
        Self::one_by_one(Cow::Borrowed(games))
    }

    fn one_by_one(games: Cow<'a, RoaringBitmap>) -> Self {
        Self { added: games.iter().collect(), games, begins_with_sums: false, removed: Vec::new() }
    }

    /// Whether the sums are the answer.
    pub(super) fn is_summed(&self) -> bool {
        self.begins_with_sums && self.added.is_empty() && self.removed.is_empty()
    }

    /// The games of the set.
    pub(super) fn games(&self) -> &RoaringBitmap {
        &self.games
    }

    /// The sums over the games of the set, from those that are kept: `add` adds a game, `remove` takes one off.
    pub(crate) fn sums<S: Copy + Default>(
        &self,
        kept: &[S],
        mut add: impl FnMut(&mut [S], u32),
        mut remove: impl FnMut(&mut [S], u32),
    ) -> Vec<S> {
        let mut sums = if self.begins_with_sums { kept.to_vec() } else { vec![S::default(); kept.len()] };
        self.added.iter().for_each(|number| add(&mut sums, *number));
        self.removed.iter().for_each(|number| remove(&mut sums, *number));
        sums
    }
}
