//! A folded tournament, shared by all objects of an answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_graphql::Context;
use plybook_events::Hash;
use plybook_service::error::Problem;
use plybook_tournaments::log::{Cell, Ranks, Tournament};
use plybook_tournaments::{Points, Standings};

use super::super::player::Player;
use super::super::service;

/// The largest number of entries in a list of a tournament.
pub const LIST_MAX: usize = 500;

/// The number of entries that the price of a list without an argument counts; more are paid for by CPU time.
pub const SOME: usize = 32;

/// The number of rounds that the price of all rounds counts.
pub const ROUNDS: usize = 10;

/// A folded tournament, and values computed from it once.
pub struct View {
    /// The tournament.
    pub tournament: Arc<Tournament>,
    /// The seq of its last event.
    pub seq: u64,
    /// The hash of its last event.
    pub hash: Hash,
    /// Whether it is an earlier state of the tournament.
    pub is_past: bool,
    ranks: OnceLock<Ranks>,
    cards: Mutex<BTreeMap<u32, Arc<Vec<Vec<Cell>>>>>,
    standings: Mutex<BTreeMap<u32, Arc<Standings>>>,
}

impl View {
    /// A view of a tournament with this last event.
    pub fn new(tournament: Arc<Tournament>, seq: u64, hash: Hash, is_past: bool) -> Self {
        let (ranks, cards, standings) = (OnceLock::new(), Mutex::default(), Mutex::default());
        Self { tournament, seq, hash, is_past, ranks, cards, standings }
    }

    /// The entrants by starting rank.
    pub fn ranks(&self) -> &Ranks {
        self.ranks.get_or_init(|| self.tournament.ranks())
    }

    /// Every entrant's rounds up to a round; index 0 is number 1. Later withdrawals strike out nothing in them.
    pub fn cards(&self, up_to_round: u32) -> Arc<Vec<Vec<Cell>>> {
        let last = up_to_round.min(self.tournament.rounds.len() as u32);
        let mut cards = self.cards.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cards.entry(last).or_insert_with(|| Arc::new(self.tournament.cards(last))))
    }

    /// The standings after a round, by default the last one that is closed or has a result.
    ///
    /// # Errors
    /// Never for a tournament that was folded.
    pub fn standings(&self, after_round: Option<u32>) -> Result<Arc<Standings>, Problem> {
        let last = self.tournament.rounds.len() as u32;
        let after = after_round.unwrap_or_else(|| self.tournament.last_played()).min(last);
        let mut standings = self.standings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = standings.get(&after) {
            return Ok(Arc::clone(known));
        }
        let computed = Arc::new(self.tournament.standings(after).map_err(Problem::internal)?);
        standings.insert(after, Arc::clone(&computed));
        Ok(computed)
    }

    /// The player behind an entrant.
    pub fn player(&self, ctx: &Context<'_>, number: u16) -> Option<Player> {
        let entrant = self.tournament.entrants.get(usize::from(number).checked_sub(1)?)?;
        service(ctx).models().known().players.get(entrant.player).cloned().map(Player)
    }
}

/// Points as a number.
pub fn points(points: Points) -> f64 {
    f64::from(points.0) / 10.0
}

/// The number of entries that the price of a list with `first` counts.
pub fn cost(first: Option<i32>) -> usize {
    first.map_or(SOME, |first| (first.max(1) as usize).min(LIST_MAX))
}

/// `first` of the items after the first `offset`.
///
/// # Errors
/// A number is negative, or `first` is over [`LIST_MAX`].
pub fn cut<T>(items: &[T], first: Option<i32>, offset: Option<i32>) -> Result<&[T], Problem> {
    let number = |name: &str, asked: Option<i32>, default: usize, most: usize| match asked {
        None => Ok(default),
        Some(asked) => usize::try_from(asked)
            .ok()
            .filter(|asked| *asked <= most)
            .ok_or_else(|| Problem::BadInput(format!("`{name}` is a number from 0 to {most}, not {asked}"))),
    };
    let first = number("first", first, LIST_MAX, LIST_MAX)?;
    let offset = number("offset", offset, 0, i32::MAX as usize)?.min(items.len());
    Ok(&items[offset..items.len().min(offset + first)])
}
