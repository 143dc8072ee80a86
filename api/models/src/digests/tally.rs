//! What games did at a position, added up from all places where that is kept.

use std::collections::HashMap;
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::summary::{ActionSummary, PositionSummary};
use crate::known::RowColumns;
use crate::results::{GameResult, Results};

/// The named games are chosen from this many of the newest.
pub(super) const NEWEST: usize = 256;

/// The word of a game that ended in this position.
pub(super) const NOTHING: &str = "";

/// Selects among the games that reached a position.
pub type Choice<'a> = &'a dyn Fn(&RoaringBitmap) -> RoaringBitmap;

/// How a game was counted when it was added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counted {
    pub result: GameResult,
    pub played_ms: i64,
}

/// What is asked of a position.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// How the games in the index were counted, by number.
    pub games: &'a [Option<Counted>],
    pub rows: &'a RowColumns,
    /// `None` chooses all games.
    pub choose: Option<Choice<'a>>,
    /// Whether to average the ratings of the games that played each action, which means reading all of them.
    pub with_ratings: bool,
}

impl Asked<'_> {
    /// Whether the answer depends on single games, and not only on sums.
    pub fn reads_games(&self) -> bool {
        self.choose.is_some() || self.with_ratings
    }
}

/// The sums of some games.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Totals {
    pub games: u64,
    pub results: Results,
    /// When the last of them was played.
    pub last_ms: i64,
}

impl Default for Totals {
    fn default() -> Self {
        Self { games: 0, results: Results::default(), last_ms: i64::MIN }
    }
}

impl Totals {
    pub fn add(&mut self, game: Counted) {
        self.games += 1;
        self.results.add(game.result);
        self.last_ms = self.last_ms.max(game.played_ms);
    }

    fn add_all(&mut self, other: &Self) {
        self.games += other.games;
        self.results.add_all(&other.results);
        self.last_ms = self.last_ms.max(other.last_ms);
    }

    /// The sums of these games.
    pub fn of(numbers: impl IntoIterator<Item = u32>, counted: impl Fn(u32) -> Counted) -> Self {
        let mut totals = Self::default();
        numbers.into_iter().for_each(|number| totals.add(counted(number)));
        totals
    }
}

/// What games did at a position, as far as it is added up.
#[derive(Default)]
pub(super) struct Tally {
    all: Totals,
    newest: Vec<u32>,
    actions: HashMap<Arc<str>, ActionTally>,
}

#[derive(Default)]
struct ActionTally {
    totals: Totals,
    /// The sum of the ratings of the rated games, and their number.
    rated: (f64, u32),
}

impl Tally {
    /// Adds a few visits, each a word and the number of a game.
    pub fn add_few(&mut self, visits: &[(&str, u32)], asked: Asked<'_>) {
        let numbers: RoaringBitmap = visits.iter().map(|(_, number)| *number).collect();
        let among = asked.choose.map_or(numbers.clone(), |choose| choose(&numbers));
        self.add_games(&among, asked);
        for (word, number) in visits.iter().filter(|(word, number)| *word != NOTHING && among.contains(*number)) {
            self.action(word).add(*number, asked);
        }
    }

    /// Adds sets of games: all of them, and those that played each word.
    pub fn add_sets<'a>(
        &mut self,
        all: &RoaringBitmap,
        actions: impl Iterator<Item = (&'a str, &'a RoaringBitmap)>,
        asked: Asked<'_>,
    ) {
        let among = asked.choose.map(|choose| choose(all));
        self.add_games(among.as_ref().unwrap_or(all), asked);
        for (word, games) in actions.filter(|(word, _)| *word != NOTHING) {
            let chosen = among.as_ref().map(|among| games & among);
            let chosen = chosen.as_ref().unwrap_or(games);
            if !chosen.is_empty() {
                let action = self.action(word);
                chosen.iter().for_each(|number| action.add(number, asked));
            }
        }
    }

    /// Adds sums: of all games, with the newest of them, and of those that played each word.
    pub fn add_totals<'a>(
        &mut self,
        all: &Totals,
        newest: impl Iterator<Item = u32>,
        actions: impl Iterator<Item = (&'a str, &'a Totals)>,
    ) {
        self.all.add_all(all);
        self.newest.extend(newest.take(NEWEST));
        for (word, totals) in actions.filter(|(word, _)| *word != NOTHING) {
            self.action(word).totals.add_all(totals);
        }
    }

    fn add_games(&mut self, games: &RoaringBitmap, asked: Asked<'_>) {
        games.iter().for_each(|number| self.all.add(asked.counted(number)));
        self.newest.extend(games.iter().rev().take(NEWEST));
    }

    fn action(&mut self, word: &str) -> &mut ActionTally {
        if !self.actions.contains_key(word) {
            self.actions.insert(word.into(), ActionTally::default());
        }
        self.actions.get_mut(word).expect("it was just inserted")
    }

    /// The answer.
    pub fn finish(mut self, rows: &RowColumns) -> PositionSummary {
        let action = |(word, ActionTally { totals, rated: (sum, count) })| ActionSummary {
            word,
            games: totals.games,
            results: totals.results,
            last_ms: totals.last_ms,
            average_rating: (count > 0).then(|| sum / f64::from(count)),
        };
        let actions = self.actions.into_iter().map(action).collect();
        self.newest.sort_unstable_by_key(|number| u32::MAX - number);
        self.newest.truncate(NEWEST);
        PositionSummary::new(self.all.games, self.all.results, actions, self.newest, rows)
    }
}

impl ActionTally {
    fn add(&mut self, number: u32, asked: Asked<'_>) {
        self.totals.add(asked.counted(number));
        if let Some(rating) = asked.rows.rating(number).filter(|_| asked.with_ratings) {
            self.rated = (self.rated.0 + f64::from(rating), self.rated.1 + 1);
        }
    }
}

impl Asked<'_> {
    fn counted(&self, number: u32) -> Counted {
        self.games[number as usize].expect("a game in the index is counted")
    }
}
