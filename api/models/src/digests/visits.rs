//! The games that reached one position, and what they did there.

use std::sync::Arc;

use roaring::RoaringBitmap;

use super::tally::{Asked, Counted, Tally, Totals};

/// With more visits than this, they are kept as sets.
pub(super) const FEW_MAX: usize = 32;

/// The number of a word, and of a game that played it.
pub(super) type Visit = (u32, u32);

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

/// Games with their sums.
#[derive(Default)]
struct GameSet {
    numbers: RoaringBitmap,
    totals: Totals,
}

impl Visits {
    /// Adds a visit, unless it is known already; returns whether it was new. `games` says how games are counted.
    pub fn add(&mut self, visit: Visit, games: &[Option<Counted>]) -> bool {
        match self {
            Self::Few(visits) => {
                let Err(at) = visits.binary_search(&visit) else { return false };
                visits.insert(at, visit);
                if visits.len() > FEW_MAX {
                    let mut sets = Box::<VisitSets>::default();
                    for visit in visits.iter() {
                        sets.add(*visit, games);
                    }
                    *self = Self::Many(sets);
                }
                true
            }
            Self::Many(sets) => sets.add(visit, games),
        }
    }

    /// Removes a visit, if it is there; returns whether it was. `games` says how games are counted, still that one too.
    pub fn remove(&mut self, visit: Visit, games: &[Option<Counted>]) -> bool {
        match self {
            Self::Few(visits) => {
                let Ok(at) = visits.binary_search(&visit) else { return false };
                visits.remove(at);
                true
            }
            Self::Many(sets) => sets.remove(visit, games),
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

    /// Adds up what the games did, or the selected ones.
    pub fn tally(&self, words: &[Arc<str>], asked: Asked<'_>, tally: &mut Tally) {
        match self {
            Self::Few(visits) => tally.add_few(&spelled(visits, words), asked),
            Self::Many(sets) if asked.reads_games() => {
                let actions = sets.actions.iter().map(|(word, games)| (&*words[*word as usize], &games.numbers));
                tally.add_sets(&sets.all.numbers, actions, asked);
            }
            Self::Many(sets) => {
                let actions = sets.actions.iter().map(|(word, games)| (&*words[*word as usize], &games.totals));
                tally.add_totals(&sets.all.totals, sets.all.numbers.iter().rev(), actions);
            }
        }
    }
}

/// Visits with their words.
pub(super) fn spelled<'w>(visits: &[Visit], words: &'w [Arc<str>]) -> Vec<(&'w str, u32)> {
    visits.iter().map(|(word, number)| (&*words[*word as usize], *number)).collect()
}

impl VisitSets {
    /// The games by word, sorted by number of the word.
    pub fn actions(&self) -> impl Iterator<Item = (u32, &RoaringBitmap)> {
        self.actions.iter().map(|(word, games)| (*word, &games.numbers))
    }

    fn add(&mut self, (word, number): Visit, games: &[Option<Counted>]) -> bool {
        self.all.add(number, games);
        let at = match self.actions.binary_search_by_key(&word, |(word, _)| *word) {
            Ok(at) => at,
            Err(at) => {
                self.actions.insert(at, (word, GameSet::default()));
                at
            }
        };
        self.actions[at].1.add(number, games)
    }

    fn remove(&mut self, (word, number): Visit, games: &[Option<Counted>]) -> bool {
        let Ok(at) = self.actions.binary_search_by_key(&word, |(word, _)| *word) else { return false };
        let is_gone = self.actions[at].1.remove(number, games);
        if self.actions[at].1.numbers.is_empty() {
            self.actions.remove(at);
        }
        if !self.actions.iter().any(|(_, set)| set.numbers.contains(number)) {
            self.all.remove(number, games);
        }
        is_gone
    }
}

impl GameSet {
    fn add(&mut self, number: u32, games: &[Option<Counted>]) -> bool {
        let is_new = self.numbers.insert(number);
        if let Some(game) = games[number as usize].filter(|_| is_new) {
            self.totals.add(game);
        }
        is_new
    }

    fn remove(&mut self, number: u32, games: &[Option<Counted>]) -> bool {
        let is_gone = self.numbers.remove(number);
        if let Some(game) = games[number as usize].filter(|_| is_gone) {
            self.totals.games -= 1;
            self.totals.results.remove(game.result);
            if game.played_ms == self.totals.last_ms {
                let times = self.numbers.iter().filter_map(|number| games[number as usize]).map(|game| game.played_ms);
                self.totals.last_ms = times.max().unwrap_or(i64::MIN);
            }
        }
        is_gone
    }
}
