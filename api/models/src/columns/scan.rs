//! Incremental aggregation: which games are read to add up those of a set, starting from sums that are kept.

use roaring::RoaringBitmap;

/// The games that are read to add up those of a set: all of them, or, starting from kept sums, those in which the set
/// differs from the games whose sums are kept. It is right for any set, whatever it has to do with those games.
pub struct Scan {
    games: RoaringBitmap,
    /// Whether the sums are the start.
    begins_with_sums: bool,
    /// The games that are added.
    added: Vec<u32>,
    /// The games that are taken off the sums.
    removed: Vec<u32>,
}

impl Scan {
    /// How to add up the games of a set, if the sums of `summed` are kept.
    pub fn new(games: RoaringBitmap, summed: &RoaringBitmap) -> Self {
        let in_both = games.intersection_len(summed);
        if games.len() + summed.len() - 2 * in_both >= games.len() {
            return Self::each(games);
        }
        let [added, removed] = [&games - summed, summed - &games].map(|games| games.iter().collect());
        Self { games, begins_with_sums: true, added, removed }
    }

    /// How to add up the games of a set one by one.
    pub fn each(games: RoaringBitmap) -> Self {
        Self { added: games.iter().collect(), games, begins_with_sums: false, removed: Vec::new() }
    }

    /// Whether the sums are the answer.
    pub(crate) fn is_summed(&self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_games_are_read_than_the_sets_differ_in() {
        let scan = |games: &[u32], summed: u32| Scan::new(games.iter().copied().collect(), &(0..summed).collect());
        assert!(scan(&[0, 1, 2, 3], 4).is_summed());
        let differs = scan(&[0, 1, 2, 9], 4);
        assert_eq!((differs.added, differs.removed), (vec![9], vec![3]));
        let few = scan(&[1], 4);
        assert_eq!((few.begins_with_sums, few.added), (false, vec![1]));
    }
}
