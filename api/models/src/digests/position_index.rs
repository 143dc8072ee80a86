//! An index from the positions of one kind of game to the games that reached them.
//!
//! What changed last is in memory (`recent.rs`). When that is as much as it may be, it is written to a run (`run.rs`) and
//! forgotten; runs are merged in the background (`merge.rs`). So memory is bounded, and a question reads a few runs. A game
//! counts in one place only: if it changes, it is gone from its run, and is a recent one again.

use std::io;

use plybook_store::{TableError, TableId, Tables};
use roaring::RoaringBitmap;

use super::merge::Merge;
use super::recent::RecentPositions;
use super::run::{Run, RunGame, RunWriter};
use super::summary::PositionSummary;
use super::tally::{Asked, Choice, Counted, Tally};
use crate::known::{Row, RowColumns};

/// About how many bytes a visit takes in a table.
const VISIT_BYTES: usize = 16;

/// The index of one kind.
#[derive(Default)]
pub struct PositionIndex {
    recent: RecentPositions,
    runs: Vec<Run>,
    /// How the games in the index are counted, by number.
    games: Vec<Option<Counted>>,
}

impl PositionIndex {
    /// Replaces what is known of a game: the positions it passed through, and what it did there. Of one in memory that was only
    /// played on, what is new is added.
    pub(super) fn set(&mut self, number: u32, keys: &[u64], words: &[Box<str>], row: &Row) {
        let counted = Counted { result: row.result, played_ms: row.played_ms };
        let is_counted_so = self.games.get(number as usize) == Some(&Some(counted));
        if !is_counted_so || self.runs.iter().any(|run| run.holds(number)) {
            self.remove(number);
        }
        self.count(number, counted);
        self.recent.set(number, row.id, keys, words, &self.games);
    }

    fn count(&mut self, number: u32, counted: Counted) {
        let at = number as usize;
        if self.games.len() <= at {
            self.games.resize(at + 1, None);
        }
        self.games[at] = Some(counted);
    }

    /// Removes a game, if it is there.
    pub(super) fn remove(&mut self, number: u32) {
        self.recent.remove(number, &self.games);
        if let Some(run) = self.runs.iter_mut().find(|run| run.holds(number)) {
            run.gone.insert(number);
        }
        if let Some(counted) = self.games.get_mut(number as usize) {
            *counted = None;
        }
    }

    /// What was played in a game, as records write it; `None` if it is not in the index.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn words(&self, number: u32) -> Result<Option<Vec<Box<str>>>, TableError> {
        if let Some(words) = self.recent.words(number) {
            return Ok(Some(words.map(Box::from).collect()));
        }
        self.runs.iter().find(|run| run.holds(number)).map(|run| run.words(number)).transpose()
    }

    /// What all games that reached a position played there, or those of them that `choose` accepts.
    /// `with_ratings` also asks for the mean rating of the games of each action.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn look(
        &self,
        key: u64,
        rows: &RowColumns,
        choose: Option<Choice<'_>>,
        with_ratings: bool,
    ) -> Result<PositionSummary, TableError> {
        let asked = Asked { games: &self.games, rows, choose, with_ratings };
        let mut tally = Tally::default();
        self.runs.iter().for_each(|run| run.prefetch(key, asked));
        self.recent.tally(key, asked, &mut tally);
        self.runs.iter().try_for_each(|run| run.tally(key, asked, &mut tally))?;
        Ok(tally.finish(rows))
    }

    /// The number of a game that reached a position.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn any_at(&self, key: u64) -> Result<Option<u32>, TableError> {
        if let Some(number) = self.recent.any_at(key) {
            return Ok(Some(number));
        }
        for run in &self.runs {
            if let Some(number) = run.games_at(key)?.min() {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The numbers of the games that reached a position.
    ///
    /// # Errors
    /// A run cannot be read.
    pub fn games_at(&self, key: u64) -> Result<RoaringBitmap, TableError> {
        let mut games = self.recent.games_at(key);
        for run in &self.runs {
            games |= run.games_at(key)?;
        }
        Ok(games)
    }

    /// What is in memory.
    pub(super) fn recent(&self) -> &RecentPositions {
        &self.recent
    }

    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Begins a table for what is in memory.
    pub(super) fn recent_writer(&self, tables: &Tables) -> io::Result<RunWriter> {
        Ok(RunWriter(tables.writer((self.recent.visits() * VISIT_BYTES) as u64)?))
    }

    /// Writes what is in memory to a table.
    pub(super) fn write_recent(&self, mut writer: RunWriter) -> io::Result<TableId> {
        self.recent.write(&mut writer, &self.games)?;
        let counted = |number: u32| self.games[number as usize].expect("a game in the index is counted");
        let games = self.recent.games().map(|(number, id)| RunGame { number, id, counted: counted(number) });
        writer.finish(&games.collect::<Vec<_>>())
    }

    /// Goes on with a run in place of what is in memory.
    pub(super) fn replace_recent(&mut self, run: Run) {
        self.recent = RecentPositions::default();
        self.runs.push(run);
    }

    /// Adds a run that was written by an earlier process, with its games.
    pub(super) fn load(&mut self, run: Run, games: Vec<RunGame>) {
        for game in games {
            if run.holds(game.number) {
                self.count(game.number, game.counted);
            }
        }
        self.runs.push(run);
    }

    /// Goes on with a merged run in place of those that it was made from, all of which are there.
    pub(super) fn replace_merged(&mut self, merge: &Merge, mut merged: Run) {
        merged.gone = merge.gone_since(&self.runs) & &merged.games;
        self.runs.retain(|run| !merge.takes(run));
        self.runs.push(merged);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use plybook_store::{Options, Store};

    use super::*;
    use crate::digests::summary::ActionSummary;
    use crate::digests::tally::NEWEST;
    use crate::digests::tests::told;
    use crate::results::{GameResult, Results};

    /// Numbers that look random but are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    /// A game of the test: its positions and its actions.
    type Way = (Vec<u64>, Vec<Box<str>>);

    /// A path through few positions, so that paths meet and part again.
    fn way(dice: &mut Dice) -> Way {
        let keys: Vec<u64> = (0..=dice.below(6)).map(|ply| if ply == 0 { 1 } else { 2 + dice.below(8) }).collect();
        let words = (1..keys.len()).map(|_| format!("a{}", dice.below(3)).into()).collect();
        (keys, words)
    }

    /// The expected contents of a node, computed from all paths.
    fn expected(
        ways: &BTreeMap<u32, Way>,
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

    /// Writes what is in memory to a run, and opens that again.
    fn spill(index: &mut PositionIndex, tables: &Tables) {
        let id = index.write_recent(index.recent_writer(tables).unwrap()).unwrap();
        let (run, games) = Run::new(tables.table(&id).unwrap()).unwrap();
        assert!(games.iter().map(|game| (game.number, game.id)).eq(index.recent().games()));
        index.replace_recent(run);
    }

    /// The same index, as the next process finds it.
    fn reopened(index: &PositionIndex, tables: &Tables) -> PositionIndex {
        let mut fresh = PositionIndex::default();
        for run in index.runs() {
            let (mut again, games) = Run::new(tables.table(&run.table.id()).unwrap()).unwrap();
            again.gone = run.gone.clone();
            fresh.load(again, games);
        }
        fresh
    }

    #[test]
    fn games_come_and_go_and_the_index_says_what_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| ()).unwrap();
        let tables = store.tables("test").unwrap().unwrap();
        let mut dice = Dice(5);
        let results = [GameResult::Open, GameResult::Drawn, GameResult::Won(1), GameResult::Won(0b110)];
        let mut rows = RowColumns::default();
        for _ in 0..100 {
            let (played_ms, result) = (dice.below(1000) as i64, results[dice.below(4) as usize]);
            rows.push(Row::sample(played_ms, result, dice.below(50) as u32));
        }
        let mut index = PositionIndex::default();
        let mut ways: BTreeMap<u32, Way> = BTreeMap::new();
        let (mut merges, mut gone) = (0, 0);
        let change =
            |index: &mut PositionIndex, ways: &mut BTreeMap<u32, Way>, rows: &mut RowColumns, dice: &mut Dice, adds| {
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
                        let mut row = rows.get(number);
                        row.result = results[dice.below(4) as usize];
                        rows.set(number, row);
                    }
                    index.set(number, keys, words, &rows.get(number));
                    return;
                }
                if ways.remove(&number).is_some() {
                    index.remove(number);
                    let mut row = rows.get(number);
                    row.result = results[dice.below(4) as usize];
                    rows.set(number, row);
                }
                if adds {
                    let way = way(dice);
                    index.set(number, &way.0, &way.1, &rows.get(number));
                    ways.insert(number, way);
                }
            };
        for step in 0..4_000 {
            // Now and then nearly all games are removed.
            let adds = dice.below(100) > step % 110;
            change(&mut index, &mut ways, &mut rows, &mut dice, adds);
            if dice.below(25) == 0 && index.recent().visits() > 0 {
                spill(&mut index, &tables);
            }
            if dice.below(25) == 0
                && let Some(merge) = Merge::of(index.runs())
            {
                let id = merge.write(&tables, || false).unwrap();
                // Meanwhile other games change.
                for n in 0..40 {
                    change(&mut index, &mut ways, &mut rows, &mut dice, n % 2 == 0);
                }
                assert!(merge.is_of(index.runs()));
                index.replace_merged(&merge, Run::new(tables.table(&id).unwrap()).unwrap().0);
                gone += index.runs().last().map_or(0, |run| run.gone.len());
                merges += 1;
            }
            if dice.below(50) == 0 && index.recent().visits() > 0 {
                spill(&mut index, &tables);
                index = reopened(&index, &tables);
            }
            let key = 1 + dice.below(9);
            let half: RoaringBitmap = (0..100).filter(|_| dice.below(2) == 0).collect();
            let choose = |of: &RoaringBitmap| of & &half;
            for (choose, among) in [(None, None), (Some(&choose as Choice<'_>), Some(&half))] {
                let found = index.look(key, &rows, choose, true).unwrap();
                let wanted = expected(&ways, &rows, key, among);
                assert_eq!(told(&found), told(&wanted), "step {step}, key {key}");
            }
            // Sums are counted without reading games.
            let (found, wanted) = (index.look(key, &rows, None, false).unwrap(), expected(&ways, &rows, key, None));
            let unrated = |action: ActionSummary| ActionSummary { average_rating: None, ..action };
            let wanted = PositionSummary { actions: wanted.actions.into_iter().map(unrated).collect(), ..wanted };
            assert_eq!(told(&found), told(&wanted), "step {step}, key {key}, without ratings");
            let came: RoaringBitmap = ways.iter().filter(|(_, way)| way.0.contains(&key)).map(|(n, _)| *n).collect();
            assert_eq!(index.games_at(key).unwrap(), came, "step {step}, key {key}");
            assert_eq!(index.any_at(key).unwrap().is_some(), !came.is_empty());
            let number = step as u32 % 100;
            let played = index.words(number).unwrap();
            assert_eq!(played.as_ref(), ways.get(&number).map(|(_, words)| words), "step {step}, game {number}");
        }
        assert!(merges > 20 && gone > 3, "{merges} merges, {gone} games gone meanwhile");
        for number in ways.into_keys() {
            index.remove(number);
        }
        assert_eq!(index.recent().visits(), 0);
        assert!((1..10).all(|key| index.games_at(key).unwrap().is_empty()));
    }
}
