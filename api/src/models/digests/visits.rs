//! The games that reached one position, and what they did there.

use std::sync::Arc;

use roaring::RoaringBitmap;

use crate::models::known::Row;
use crate::models::results::{GameResult, Results};

/// With more visits than this, they are kept as sets.
const FEW_MAX: usize = 32;

/// The named games are chosen from this many of the newest.
pub(super) const NEWEST: usize = 256;

/// The number of games that are named.
const NAMED: usize = 10;

/// The word of a game that ended in this position.
pub(super) const NOTHING: u32 = 0;

/// A word, and the number of a game that played it.
pub(super) type Visit = (u32, u32);

/// Selects among the games that reached a position.
pub type Choice<'a> = &'a dyn Fn(&RoaringBitmap) -> RoaringBitmap;

/// The visits of a position.
pub(super) enum Visits {
    /// Sorted.
    Few(Vec<Visit>),
    Many(Box<VisitSets>),
}

/// Visits as sets of games, with their results counted.
#[derive(Default)]
pub(super) struct VisitSets {
    all: GameSet,
    /// By word, sorted.
    actions: Vec<(u32, GameSet)>,
}

/// Games with their results.
#[derive(Default)]
struct GameSet {
    numbers: RoaringBitmap,
    results: Results,
    last_ms: i64,
}

/// What the index knows about the games of a kind, by number, and its words by number.
#[derive(Clone, Copy)]
pub(super) struct Kind<'a> {
    pub words: &'a [Arc<str>],
    /// How the games in the index count.
    pub results: &'a [Option<GameResult>],
    pub rows: &'a [Row],
    /// Whether to average the ratings of the games that played each action, which means reading all of them.
    pub with_ratings: bool,
}

/// What was played from a position.
#[derive(Clone, Debug, Default)]
pub struct PositionSummary {
    /// The number of games that reached it.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// The actions they played there, the most frequent first.
    pub actions: Vec<ActionSummary>,
    /// The newest of them, by number; at most ten.
    pub recent: Vec<u32>,
    /// The highest rated finished games among the newest, by number, followed by the longest unrated ones; at
    /// most ten.
    pub top: Vec<u32>,
}

/// An action that was played from a position.
#[derive(Clone, Debug)]
pub struct ActionSummary {
    /// As records write it.
    pub word: Arc<str>,
    /// The number of games in which it was played.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// When the last of them was played, in milliseconds since 1970.
    pub last_ms: i64,
    /// The mean of their ratings, if it was requested and some are rated.
    pub average_rating: Option<f64>,
}

impl Visits {
    /// Adds a visit, unless it is known already.
    pub fn add(&mut self, visit: Visit, kind: Kind<'_>) {
        match self {
            Self::Few(visits) => {
                if let Err(at) = visits.binary_search(&visit) {
                    visits.insert(at, visit);
                }
                if visits.len() > FEW_MAX {
                    let mut sets = Box::<VisitSets>::default();
                    for visit in visits.iter() {
                        sets.add(*visit, kind);
                    }
                    *self = Self::Many(sets);
                }
            }
            Self::Many(sets) => sets.add(visit, kind),
        }
    }

    /// Removes the visit of a game that was counted with this result.
    pub fn remove(&mut self, visit: Visit, result: GameResult, rows: &[Row]) {
        match self {
            Self::Few(visits) => visits.retain(|other| *other != visit),
            Self::Many(sets) => sets.remove(visit, result, rows),
        }
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Self::Few(visits) => visits.is_empty(),
            Self::Many(sets) => sets.actions.is_empty(),
        }
    }

    /// One of the games.
    pub fn any(&self) -> Option<u32> {
        match self {
            Self::Few(visits) => visits.first().map(|(_, number)| *number),
            Self::Many(sets) => sets.all.numbers.min(),
        }
    }

    /// The games, by number.
    pub fn games(&self) -> RoaringBitmap {
        match self {
            Self::Few(visits) => visits.iter().map(|(_, number)| *number).collect(),
            Self::Many(sets) => sets.all.numbers.clone(),
        }
    }

    /// What the games did, or the selected ones.
    pub fn summary(&self, kind: Kind<'_>, choose: Option<Choice<'_>>) -> PositionSummary {
        match self {
            Self::Few(visits) => summary(visits, kind, choose),
            Self::Many(sets) => match choose {
                None => sets.summary(kind),
                Some(choose) => sets.summary_among(&choose(&sets.all.numbers), kind),
            },
        }
    }
}

/// What a few games did, or the selected ones.
pub(super) fn summary(visits: &[Visit], kind: Kind<'_>, choose: Option<Choice<'_>>) -> PositionSummary {
    let among = choose.map(|choose| choose(&visits.iter().map(|(_, number)| *number).collect()));
    let is_chosen = |(_, number): &Visit| among.as_ref().is_none_or(|among| among.contains(*number));
    let visits: Vec<Visit> = visits.iter().copied().filter(is_chosen).collect();
    let mut numbers: Vec<u32> = visits.iter().map(|(_, number)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let actions = visits.chunk_by(|(one, _), (other, _)| one == other).filter(|chunk| chunk[0].0 != NOTHING);
    let action = |chunk: &[Visit]| ActionSummary {
        word: kind.word(chunk[0].0),
        games: chunk.len() as u64,
        results: kind.results_of(chunk.iter().map(|(_, number)| *number)),
        last_ms: last_ms(chunk.iter().map(|(_, number)| *number), kind.rows),
        average_rating: kind.average_rating(chunk.iter().map(|(_, number)| *number)),
    };
    let results = kind.results_of(numbers.iter().copied());
    PositionSummary::new(numbers.len() as u64, results, actions.map(action).collect(), numbers, kind.rows)
}

impl VisitSets {
    fn add(&mut self, (word, number): Visit, kind: Kind<'_>) {
        let (result, played_ms) = (kind.result(number), kind.rows[number as usize].played_ms);
        self.all.add(number, result, played_ms);
        let at = match self.actions.binary_search_by_key(&word, |(word, _)| *word) {
            Ok(at) => at,
            Err(at) => {
                self.actions.insert(at, (word, GameSet::default()));
                at
            }
        };
        self.actions[at].1.add(number, result, played_ms);
    }

    fn remove(&mut self, (word, number): Visit, result: GameResult, rows: &[Row]) {
        let Ok(at) = self.actions.binary_search_by_key(&word, |(word, _)| *word) else { return };
        self.actions[at].1.remove(number, result, rows);
        if self.actions[at].1.numbers.is_empty() {
            self.actions.remove(at);
        }
        if !self.actions.iter().any(|(_, games)| games.numbers.contains(number)) {
            self.all.remove(number, result, rows);
        }
    }

    fn summary(&self, kind: Kind<'_>) -> PositionSummary {
        let action = |(word, games): &(u32, GameSet)| ActionSummary {
            word: kind.word(*word),
            games: games.numbers.len(),
            results: games.results.clone(),
            last_ms: games.last_ms,
            average_rating: kind.average_rating(games.numbers.iter()),
        };
        let (all, actions) = (&self.all, self.played().map(action).collect());
        let newest = all.numbers.iter().rev().take(NEWEST).collect();
        PositionSummary::new(all.numbers.len(), all.results.clone(), actions, newest, kind.rows)
    }

    fn summary_among(&self, among: &RoaringBitmap, kind: Kind<'_>) -> PositionSummary {
        let action = |(word, games): &(u32, GameSet)| {
            let chosen = &games.numbers & among;
            let (results, last_ms) = (kind.results_of(chosen.iter()), last_ms(chosen.iter(), kind.rows));
            let average_rating = kind.average_rating(chosen.iter());
            ActionSummary { word: kind.word(*word), games: chosen.len(), results, last_ms, average_rating }
        };
        let actions = self.played().map(action).filter(|action| action.games > 0).collect();
        let newest = among.iter().rev().take(NEWEST).collect();
        PositionSummary::new(among.len(), kind.results_of(among.iter()), actions, newest, kind.rows)
    }

    fn played(&self) -> impl Iterator<Item = &(u32, GameSet)> {
        self.actions.iter().filter(|(word, _)| *word != NOTHING)
    }
}

impl GameSet {
    fn add(&mut self, number: u32, result: GameResult, played_ms: i64) {
        if self.numbers.insert(number) {
            self.results.add(result);
            self.last_ms = self.last_ms.max(played_ms);
        }
    }

    fn remove(&mut self, number: u32, result: GameResult, rows: &[Row]) {
        if self.numbers.remove(number) {
            self.results.remove(result);
            if rows[number as usize].played_ms == self.last_ms {
                self.last_ms = last_ms(self.numbers.iter(), rows);
            }
        }
    }
}

/// The mean rating of the rated games; `None` if there are none.
pub(super) fn mean_rating<'r>(rows: impl Iterator<Item = &'r Row>) -> Option<f64> {
    let (sum, count) =
        rows.filter_map(Row::rating).fold((0.0, 0_u32), |(sum, count), r| (sum + f64::from(r), count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn last_ms(numbers: impl Iterator<Item = u32>, rows: &[Row]) -> i64 {
    numbers.map(|number| rows[number as usize].played_ms).max().unwrap_or(0)
}

impl Kind<'_> {
    fn word(&self, number: u32) -> Arc<str> {
        Arc::clone(&self.words[number as usize])
    }

    fn result(&self, number: u32) -> GameResult {
        self.results[number as usize].unwrap_or_default()
    }

    fn average_rating(&self, numbers: impl Iterator<Item = u32>) -> Option<f64> {
        if !self.with_ratings {
            return None;
        }
        mean_rating(numbers.map(|number| &self.rows[number as usize]))
    }

    fn results_of(&self, numbers: impl Iterator<Item = u32>) -> Results {
        let mut results = Results::default();
        numbers.for_each(|number| results.add(self.result(number)));
        results
    }
}

impl PositionSummary {
    /// Sorts the actions, and names the newest and the highest rated of these games.
    pub(super) fn new(
        games: u64,
        results: Results,
        mut actions: Vec<ActionSummary>,
        mut numbers: Vec<u32>,
        rows: &[Row],
    ) -> Self {
        actions.sort_by(|one, other| other.games.cmp(&one.games).then_with(|| one.word.cmp(&other.word)));
        let row = |number: &u32| &rows[*number as usize];
        numbers.sort_by_key(|number| (-row(number).played_ms, *number));
        let recent = numbers.iter().copied().take(NAMED).collect();
        numbers.retain(|number| row(number).duration_ms().is_some());
        numbers.sort_by(|one, other| {
            let rating = |number: &u32| row(number).rating().unwrap_or(f32::NEG_INFINITY);
            let length = |number: &u32| (u32::MAX - row(number).ply, -row(number).played_ms);
            rating(other).total_cmp(&rating(one)).then_with(|| length(one).cmp(&length(other)))
        });
        numbers.truncate(NAMED);
        Self { games, results, actions, recent, top: numbers }
    }
}
