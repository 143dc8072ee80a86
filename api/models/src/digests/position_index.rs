//! An inverted index from the positions of one kind of game to the games that reached them: a log-structured merge tree of
//! [visits](Visit), with tombstones and compaction.
//!
//! The games that changed last are in a memtable. When that is as large as it may be, it is written to a run and forgotten; runs
//! are merged in the background. A game counts in one place only: if it changes, it gets a tombstone in its run, and is in the
//! memtable again. What was played in each game is in memory.

use std::collections::BTreeMap;
use std::io;

use indexmap::IndexSet;
use roaring::{MultiOps, RoaringBitmap};
use serde::{Deserialize, Serialize};

use super::memtable::{Memtable, Way};
use super::merge::Merge;
use super::run::Run;
use super::summary::{ActionSummary, NEWEST, PositionSummary};
use super::varint::{Numbers, push_number};
use super::visit::{NOTHING, Visit};
use crate::catalogue::KindGames;
use crate::columns::PackedColumn;

/// Selects among the games that reached a position.
pub type Choice<'a> = &'a dyn Fn(&RoaringBitmap) -> RoaringBitmap;

/// The index of one kind.
#[derive(Serialize, Deserialize)]
pub struct PositionIndex {
    /// The dictionary of what was played; the first is [`NOTHING`].
    words: IndexSet<Box<str>>,
    /// Of each game in the index, how many words it has, and their numbers.
    played: PackedColumn,
    #[serde(skip)]
    recent: Memtable,
    runs: Vec<Run>,
}

impl Default for PositionIndex {
    fn default() -> Self {
        let words = IndexSet::from(["".into()]);
        Self { words, played: PackedColumn::default(), recent: Memtable::default(), runs: Vec::new() }
    }
}

impl PositionIndex {
    /// Replaces what is known of a game: the positions it passed through, and what it did there.
    pub(super) fn set(&mut self, number: u32, keys: &[u64], words: &[Box<str>]) {
        self.bury(number);
        let mut played = Vec::new();
        push_number(&mut played, words.len() as u64);
        let mut way = Way::with_capacity(keys.len());
        for (ply, key) in keys.iter().enumerate() {
            let word = words.get(ply).map_or(NOTHING, |word| self.number(word));
            if ply < words.len() {
                push_number(&mut played, word.into());
            }
            way.push((*key, word));
        }
        self.played.set(number, &played);
        self.recent.set(number, way);
    }

    fn number(&mut self, word: &str) -> u32 {
        let known = self.words.get_index_of(word);
        known.unwrap_or_else(|| self.words.insert_full(word.into()).0) as u32
    }

    /// Removes a game, if it is there.
    pub(super) fn remove(&mut self, number: u32) {
        self.bury(number);
        self.recent.remove(number);
        self.played.set(number, &[]);
    }

    /// Sets a tombstone for a game in its run, if it is in one.
    fn bury(&mut self, number: u32) {
        if let Some(run) = self.runs.iter_mut().find(|run| run.holds(number)) {
            run.gone.insert(number);
        }
    }

    /// What was played in a game, as records write it; `None` if it is not in the index.
    pub fn words(&self, number: u32) -> Option<Vec<Box<str>>> {
        let mut played = Numbers(self.played.get(number));
        let len = played.next()?;
        let mut word = || Some(self.words[played.next()? as usize].clone());
        (0..len).map(|_| word()).collect()
    }

    /// The games that reached a position, by the number of the word that they played there.
    fn at(&self, key: u64) -> io::Result<BTreeMap<u32, RoaringBitmap>> {
        let mut games = BTreeMap::<u32, RoaringBitmap>::new();
        let mut add = |visits: Vec<Visit>| {
            for visits in visits.chunk_by(|one, other| one.word == other.word) {
                let numbers = RoaringBitmap::from_sorted_iter(visits.iter().map(|visit| visit.number));
                *games.entry(visits[0].word).or_default() |= numbers.expect("visits are sorted");
            }
        };
        add(self.recent.at(key).collect());
        self.runs.iter().try_for_each(|run| run.at(key).map(&mut add))?;
        Ok(games)
    }

    /// What all games that reached a position played there, or those of them that `choose` accepts.
    /// `with_ratings` also asks for the mean rating of the games of each action.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn look(
        &self,
        key: u64,
        known: &KindGames,
        choose: Option<Choice<'_>>,
        with_ratings: bool,
    ) -> io::Result<PositionSummary> {
        let mut actions = self.at(key)?;
        let mut all = actions.values().union();
        if let Some(choose) = choose {
            all = choose(&all);
            for games in actions.values_mut() {
                *games &= &all;
            }
        }
        actions.retain(|word, games| *word != NOTHING && !games.is_empty());
        let rows = known.rows();
        let rating = |games: &RoaringBitmap| {
            let ratings = games.iter().filter_map(|number| rows.rating(number));
            let (sum, count) = ratings.fold((0.0, 0_u32), |(sum, count), rating| (sum + f64::from(rating), count + 1));
            (count > 0).then(|| sum / f64::from(count))
        };
        let action = |(word, games): (u32, RoaringBitmap)| ActionSummary {
            word: (&*self.words[word as usize]).into(),
            games: games.len(),
            results: known.results(&games),
            last_ms: games.iter().map(|number| rows.played_ms(number)).max().unwrap_or(i64::MIN),
            average_rating: if with_ratings { rating(&games) } else { None },
        };
        let actions = actions.into_iter().map(action).collect();
        let newest = all.iter().rev().take(NEWEST).collect();
        Ok(PositionSummary::new(all.len(), known.results(&all), actions, newest, rows))
    }

    /// The number of a game that reached a position.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn any_at(&self, key: u64) -> io::Result<Option<u32>> {
        Ok(self.games_at(key)?.min())
    }

    /// The numbers of the games that reached a position.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn games_at(&self, key: u64) -> io::Result<RoaringBitmap> {
        Ok(self.at(key)?.values().union())
    }

    /// What is in memory.
    pub(super) fn recent(&self) -> &Memtable {
        &self.recent
    }

    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The runs, to open their files.
    pub(super) fn runs_mut(&mut self) -> &mut [Run] {
        &mut self.runs
    }

    /// Goes on with a run in place of the memtable.
    pub(super) fn replace_recent(&mut self, run: Run) {
        self.recent = Memtable::default();
        self.runs.push(run);
    }

    /// Goes on with a merged run in place of those that it was made from; `false` if they are not there any more.
    pub(super) fn replace_merged(&mut self, merge: &Merge, mut merged: Run) -> bool {
        if self.runs.iter().filter(|run| merge.takes(run)).count() < merge.runs().len() {
            return false;
        }
        merged.gone = merge.gone_since(&self.runs) & &merged.games;
        self.runs.retain(|run| !merge.takes(run));
        self.runs.push(merged);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use plybook_store::{ModelFiles, Options, Store};

    use super::*;
    use crate::catalogue::{Row, RowColumns};
    use crate::digests::tests::told;
    use crate::results::{GameResult, Results};
    use crate::snapshot::reread;

    /// Numbers that look random but are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    /// A game of the test: its positions and its actions.
    type Played = (Vec<u64>, Vec<Box<str>>);

    /// A path through few positions, so that paths meet and part again.
    fn way(dice: &mut Dice) -> Played {
        let keys: Vec<u64> = (0..=dice.below(6)).map(|ply| if ply == 0 { 1 } else { 2 + dice.below(8) }).collect();
        let words = (1..keys.len()).map(|_| format!("a{}", dice.below(3)).into()).collect();
        (keys, words)
    }

    /// The expected contents of a node, computed from all paths.
    fn expected(
        ways: &BTreeMap<u32, Played>,
        rows: &RowColumns,
        key: u64,
        among: Option<&RoaringBitmap>,
    ) -> PositionSummary {
        let mut all = BTreeSet::new();
        let mut by_word: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for (number, (keys, words)) in ways.iter().filter(|(number, _)| among.is_none_or(|a| a.contains(**number))) {
            for ply in (0..keys.len()).filter(|ply| keys[*ply] == key) {
                all.insert(*number);
                if let Some(word) = words.get(ply) {
                    by_word.entry(word).or_default().insert(*number);
                }
            }
        }
        let results = |numbers: &BTreeSet<u32>| {
            let mut results = Results::default();
            for number in numbers {
                results.add(rows.result(*number));
            }
            results
        };
        let action = |(word, numbers): (&str, BTreeSet<u32>)| ActionSummary {
            word: word.into(),
            games: numbers.len() as u64,
            results: results(&numbers),
            last_ms: numbers.iter().map(|number| rows.played_ms(*number)).max().unwrap_or_default(),
            average_rating: mean_rating(numbers.iter().filter_map(|number| rows.rating(*number))),
        };
        let actions = by_word.into_iter().map(action).collect();
        let newest = all.iter().copied().rev().take(NEWEST).collect();
        PositionSummary::new(all.len() as u64, results(&all), actions, newest, rows)
    }

    /// The mean rating of the rated games; `None` if there are none.
    fn mean_rating(ratings: impl Iterator<Item = f32>) -> Option<f64> {
        let ratings: Vec<f64> = ratings.map(f64::from).collect();
        (!ratings.is_empty()).then(|| ratings.iter().sum::<f64>() / ratings.len() as f64)
    }

    /// Writes what is in memory to a run.
    fn flush(index: &mut PositionIndex, files: &ModelFiles, id: &mut u64) {
        *id += 1;
        let recent = index.recent();
        let run = Run::write(files, *id, recent.len(), recent.all().map(Ok)).unwrap();
        index.replace_recent(run);
    }

    #[test]
    fn games_come_and_go_and_the_index_says_what_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| ()).unwrap();
        let files = store.model_files("test").unwrap().unwrap();
        let mut dice = Dice(5);
        let results = [GameResult::Open, GameResult::Drawn, GameResult::Won(1), GameResult::Won(0b110)];
        let mut known = KindGames::new("test");
        for number in 0..100 {
            let (played_ms, result) = (dice.below(1000) as i64, results[dice.below(4) as usize]);
            known.set_row(number, Row::sample(played_ms, result, dice.below(50) as u32));
        }
        let mut index = PositionIndex::default();
        let mut ways: BTreeMap<u32, Played> = BTreeMap::new();
        let (mut merges, mut gone, mut id) = (0, 0, 0);
        let change = |index: &mut PositionIndex,
                      ways: &mut BTreeMap<u32, Played>,
                      known: &mut KindGames,
                      dice: &mut Dice,
                      adds| {
            let number = dice.below(100) as u32;
            if dice.below(8) == 0
                && let Some((keys, words)) = ways.get_mut(&number)
            {
                // It is played on, sometimes after something was taken back or its result has changed.
                let kept = if dice.below(2) == 0 { words.len() } else { dice.below(keys.len() as u64) as usize };
                keys.truncate(kept + 1);
                words.truncate(kept);
                for _ in 0..dice.below(4) {
                    keys.push(1 + dice.below(9));
                    words.push(format!("a{}", dice.below(3)).into());
                }
                if dice.below(4) == 0 {
                    let mut row = known.rows().get(number);
                    row.result = results[dice.below(4) as usize];
                    known.set_row(number, row);
                }
                index.set(number, keys, words);
                return;
            }
            if ways.remove(&number).is_some() {
                index.remove(number);
                let mut row = known.rows().get(number);
                row.result = results[dice.below(4) as usize];
                known.set_row(number, row);
            }
            if adds {
                let way = way(dice);
                index.set(number, &way.0, &way.1);
                ways.insert(number, way);
            }
        };
        for step in 0..4_000 {
            // Now and then nearly all games are removed.
            let adds = dice.below(100) > step % 110;
            change(&mut index, &mut ways, &mut known, &mut dice, adds);
            if dice.below(25) == 0 && index.recent().len() > 0 {
                flush(&mut index, &files, &mut id);
            }
            if dice.below(25) == 0
                && let Some(merge) = Merge::of(index.runs())
            {
                id += 1;
                let merged = merge.write(&files, id, || false).unwrap();
                // Meanwhile other games change.
                for n in 0..40 {
                    change(&mut index, &mut ways, &mut known, &mut dice, n % 2 == 0);
                }
                assert!(index.replace_merged(&merge, merged));
                gone += index.runs().last().map_or(0, |run| run.gone.len());
                merges += 1;
            }
            if dice.below(50) == 0 && index.recent().len() > 0 {
                // The next process goes on.
                flush(&mut index, &files, &mut id);
                index = reread(&index);
                index.runs_mut().iter_mut().for_each(|run| run.open(&files).unwrap());
            }
            let key = 1 + dice.below(9);
            let half: RoaringBitmap = (0..100).filter(|_| dice.below(2) == 0).collect();
            let choose = |of: &RoaringBitmap| of & &half;
            for (choose, among) in [(None, None), (Some(&choose as Choice<'_>), Some(&half))] {
                let found = index.look(key, &known, choose, true).unwrap();
                let wanted = expected(&ways, known.rows(), key, among);
                assert_eq!(told(&found), told(&wanted), "step {step}, key {key}");
            }
            let found = index.look(key, &known, None, false).unwrap();
            let wanted = expected(&ways, known.rows(), key, None);
            let unrated = |action: ActionSummary| ActionSummary { average_rating: None, ..action };
            let wanted = PositionSummary { actions: wanted.actions.into_iter().map(unrated).collect(), ..wanted };
            assert_eq!(told(&found), told(&wanted), "step {step}, key {key}, without ratings");
            let came: RoaringBitmap = ways.iter().filter(|(_, way)| way.0.contains(&key)).map(|(n, _)| *n).collect();
            assert_eq!(index.games_at(key).unwrap(), came, "step {step}, key {key}");
            assert_eq!(index.any_at(key).unwrap().is_some(), !came.is_empty());
            let number = step as u32 % 100;
            let played = index.words(number);
            assert_eq!(played.as_ref(), ways.get(&number).map(|(_, words)| words), "step {step}, game {number}");
        }
        assert!(merges > 20 && gone > 3, "{merges} merges, {gone} games gone meanwhile");
        for number in ways.into_keys() {
            index.remove(number);
        }
        assert_eq!(index.recent().len(), 0);
        assert!((1..10).all(|key| index.games_at(key).unwrap().is_empty()));
    }
}
