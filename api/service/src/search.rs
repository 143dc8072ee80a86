//! Searching recorded games for positions.

use std::collections::HashMap;
use std::sync::Arc;

use plybook_events::{Body, Event, LogId};
use plybook_models::{Digests, Excerpt, Filter, Order, OrderKey, Results, Summary};
use plybook_rules::log::{Status, word};
use plybook_rules::predicate::Predicate;
use plybook_rules::{AnyPosition, Rules};
use rayon::prelude::*;
use roaring::RoaringBitmap;

use super::Service;
use crate::error::Problem;

/// The number of games that are looked through before a search can be interrupted.
const STEP: usize = 16;

/// A search through the recorded games of a kind, newest first. Lines are left out, and so are games that still have
/// secrets.
pub struct Search {
    rules: &'static dyn Rules,
    predicate: Predicate,
    filter: Filter,
    extent: Extent,
    /// The place after which games are looked through.
    after: Option<OrderKey>,
    /// A game before them of which only the positions after this ply are left.
    rest: Option<(LogId, u32)>,
    /// How many games are read at once: more where most are passed over.
    reach: usize,
    /// What it took so far, in positions; a game that is left out counts as one.
    work: u64,
    /// What was found so far.
    pub found: Found,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The number of hits that are listed.
    pub hits: usize,
    /// Whether to go on when that many are listed, to count the others.
    pub counts_all: bool,
    /// The number of positions that are looked at, fewer if games have to be folded from their logs; the last game may go
    /// beyond.
    pub positions: u64,
    /// Whether all cores are used.
    pub is_parallel: bool,
}

/// What a search has found so far.
#[derive(Default)]
pub struct Found {
    /// The first hits, as far as they were not taken away.
    pub hits: Vec<Hit>,
    /// The number of positions in which the predicate holds, the listed ones included.
    pub total: u64,
    /// The games with such a position, by their numbers among those of the kind.
    pub games: RoaringBitmap,
    /// The results of those games.
    pub results: Results,
    /// What was played next, and how often.
    pub actions: HashMap<Box<str>, u64>,
    /// The number of games that were looked through.
    pub games_searched: u64,
    /// The number of their positions.
    pub positions_searched: u64,
    /// Where to go on; `None` if every game was looked through.
    pub end: Option<SearchPlace>,
}

/// A position in which the predicate holds.
#[derive(Clone)]
pub struct Hit {
    /// The game.
    pub game: Arc<Summary>,
    /// The ply.
    pub ply: u32,
    /// What was played next, as records write it.
    pub next: Option<Box<str>>,
}

/// A place in a search: after this ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchPlace {
    /// When the game was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// The game.
    pub game: LogId,
    /// The ply; `None` is the end of the game.
    pub ply: Option<u32>,
}

/// The most games that are passed over at once, as the read models are locked meanwhile; and how many of them count as one
/// position.
const PASSED_STEP: usize = 4_096;
const PASSED_PER_POSITION: u64 = 64;

/// How many times as long it takes to fold a game from its log, or to read its analysis, as to search its digest.
const FOLDING: u64 = 8;

/// The next games of a search.
struct Ahead {
    games: Vec<Next>,
    /// Whether no more games follow.
    is_last: bool,
}

/// A game of a search.
struct Next {
    id: LogId,
    /// Its place among the games that are searched.
    place: OrderKey,
    /// When it was recorded here, in milliseconds since 1970.
    created_ms: i64,
    /// The actions on its mainline.
    ply: u32,
    /// What is known of it; `None` if it is passed, since the predicate cannot hold in it, by its extremes.
    game: Option<Arc<Summary>>,
    /// Whether it is left out, since it still has secrets.
    is_secret: bool,
    /// Its number among those of the kind.
    number: u32,
    /// The first ply that counts.
    from: u32,
}

/// A game to search.
struct Played {
    start: Box<dyn AnyPosition>,
    /// Its actions, as records write them.
    words: Vec<Box<str>>,
    /// Whether it had to be folded from its log.
    is_folded: bool,
}

/// What came of looking through a game.
struct Looked {
    /// The plies at which the predicate holds, ascending.
    plies: Vec<u32>,
    /// Its actions, as records write them.
    words: Vec<Box<str>>,
    /// What it took, in positions that are searched.
    work: u64,
}

impl SearchPlace {
    fn in_game(game: &Summary, ply: Option<u32>) -> Self {
        Self { created_ms: game.created_at.as_millis(), game: game.id, ply }
    }
}

impl Hit {
    /// Its place.
    pub fn place(&self) -> SearchPlace {
        SearchPlace::in_game(&self.game, Some(self.ply))
    }
}

impl Search {
    /// Prepares a search of the games that a filter accepts, from the start or from a place on. The predicate was
    /// read for the rules.
    ///
    /// # Errors
    /// The filter asks for another kind or for lines.
    pub fn new(
        rules: &'static dyn Rules,
        predicate: Predicate,
        filter: Filter,
        from: Option<SearchPlace>,
        extent: Extent,
    ) -> Result<Self, Problem> {
        let filter = filter.counted(rules.about().kind)?;
        let rest = from.and_then(|place| Some((place.game, place.ply?)));
        let after = from.map(|place| Order::created_desc(place.created_ms, place.game));
        let found = Found { end: from, ..Found::default() };
        Ok(Self { rules, predicate, filter, extent, after, rest, reach: STEP, work: 0, found })
    }

    /// The number of games that the filter accepts.
    pub fn games(&self, service: &Service) -> usize {
        service.models().known().games.select(&self.filter).len()
    }

    /// Looks through some more games. Returns whether there is more to do.
    pub fn step(&mut self, service: &Service) -> bool {
        let Ahead { games, is_last } = self.next_games(service);
        let looked: Vec<Option<Looked>> = if self.extent.is_parallel {
            games.par_iter().map(|next| self.look_through(service, next)).collect()
        } else {
            Vec::new()
        };
        let mut looked = looked.into_iter();
        for next in &games {
            if self.is_enough() {
                return false;
            }
            if next.game.is_some() || next.is_secret {
                self.work += 1;
            } else {
                self.pass(next.ply);
            }
            if let Some(looked) = looked.next().unwrap_or_else(|| self.look_through(service, next)) {
                self.take(next, looked);
            }
            self.after = Some(next.place);
            self.rest = None;
            self.found.end = Some(SearchPlace { created_ms: next.created_ms, game: next.id, ply: None });
        }
        if is_last {
            self.found.end = None;
            return false;
        }
        !self.is_enough()
    }

    fn is_enough(&self) -> bool {
        self.work >= self.extent.positions || !self.extent.counts_all && self.found.total > self.extent.hits as u64
    }

    /// The next games: so many to look through, and those between them.
    fn next_games(&mut self, service: &Service) -> Ahead {
        let snapshot = service.digests.as_ref().map(Digests::now);
        let known;
        let (games, kind) = if let Some(snapshot) = &snapshot {
            (&snapshot.known.games, snapshot.kind(self.rules.about().kind))
        } else {
            known = service.models().known();
            (&known.games, None)
        };
        // Of games that have secrets, nothing is counted before they end.
        let has_secrets =
            |number: u32| kind.is_some_and(|kind| !kind.figures.has(number)) && self.rules.about().secrets;
        let may_hold = |number: u32| {
            kind.is_none_or(|kind| kind.figures.may_hold(number, |extremes| self.predicate.may_hold(extremes)))
        };
        let rest = self.rest.and_then(|(id, ply)| {
            let game = games.finder(&self.filter)(id)?;
            Some(((Order::CreatedDesc.key(&game), id, games.number(id)?), ply + 1))
        });
        let excerpt = Excerpt { after: self.after, len: self.reach, ..Excerpt::default() };
        let page = games.select(&self.filter).places(Order::CreatedDesc, excerpt);
        let mut ahead = Ahead { games: Vec::new(), is_last: !page.has_next };
        let mut to_look_through = 0;
        let rows = games.rows().of(self.rules.about().kind);
        for ((place, id, number), from) in rest.into_iter().chain(page.games.into_iter().map(|listed| (listed, 0))) {
            let row = rows.get(number);
            let is_secret = row.status == Status::Running && has_secrets(number);
            let is_passed = is_secret || from == 0 && !may_hold(number);
            let game = if is_passed { None } else { games.get(id) };
            to_look_through += usize::from(game.is_some());
            ahead.games.push(Next {
                id,
                place,
                created_ms: row.created_ms(),
                ply: row.ply,
                game,
                is_secret,
                number,
                from,
            });
            if to_look_through == STEP {
                ahead.is_last = false;
                break;
            }
        }
        self.reach = if to_look_through == STEP { STEP } else { PASSED_STEP.min(4 * self.reach) };
        ahead
    }

    /// Counts a game in which the predicate cannot hold.
    fn pass(&mut self, ply: u32) {
        self.found.games_searched += 1;
        self.found.positions_searched += u64::from(ply) + 1;
        self.work += u64::from(self.found.games_searched.is_multiple_of(PASSED_PER_POSITION));
    }

    /// `None` if the game is passed over, has secrets, or cannot be read.
    fn look_through(&self, service: &Service, Next { game, from, .. }: &Next) -> Option<Looked> {
        let game = game.as_ref()?;
        let look = || -> Result<Option<Looked>, Problem> {
            let Some(Played { start, words, is_folded }) = service.played(self.rules, game)? else { return Ok(None) };
            let analysis = if self.predicate.asks_for_chances() { service.public_analysis(game)? } else { None };
            let chances = |ply: u32, seat: usize| analysis.as_ref()?.plies.get(ply as usize)?.percent(seat);
            let plies = start.plies_with(&self.predicate, &chances, &mut words.iter().map(AsRef::as_ref));
            let mut plies = plies.map_err(Problem::internal)?;
            plies.retain(|ply| ply >= from);
            let work = (words.len() as u64 + 1) * if is_folded || analysis.is_some() { FOLDING } else { 1 };
            Ok(Some(Looked { plies, words, work }))
        };
        look().unwrap_or_else(|why| {
            tracing::error!(id = %game.id, %why, "a game cannot be searched");
            None
        })
    }

    fn take(&mut self, Next { game, number, .. }: &Next, Looked { plies, words, work }: Looked) {
        let Some(game) = game else { return };
        self.work += work;
        let found = &mut self.found;
        found.games_searched += 1;
        found.positions_searched += words.len() as u64 + 1;
        if plies.is_empty() {
            return;
        }
        let room = self.extent.hits.saturating_sub(usize::try_from(found.total).unwrap_or(usize::MAX));
        found.total += plies.len() as u64;
        found.games.insert(*number);
        found.results.add(game.result());
        for (index, ply) in plies.into_iter().enumerate() {
            let next = words.get(ply as usize);
            if let Some(next) = next {
                match found.actions.get_mut(next) {
                    Some(count) => *count += 1,
                    None => drop(found.actions.insert(next.clone(), 1)),
                }
            }
            if index < room {
                found.hits.push(Hit { game: Arc::clone(game), ply, next: next.cloned() });
            }
        }
    }
}

impl Service {
    /// Waits until all that was recorded before is searched, but at most five seconds. Returns the number of events
    /// that are still missing.
    pub fn wait_to_search(&self) -> u64 {
        self.digests.as_ref().map_or(0, |digests| digests.ask().pending)
    }

    /// The start of a game and its actions; `None` while it has secrets.
    fn played(&self, rules: &dyn Rules, game: &Summary) -> Result<Option<Played>, Problem> {
        // What is void is not counted.
        let digests = self.digests.as_ref().filter(|_| !game.standing.is_void());
        // The log says what is secret in a game, and from where one starts that is set up: reading it takes longer than
        // all the rest.
        if let Some(digests) = digests.filter(|_| !rules.about().secrets && !game.sets_up) {
            let start = rules.start(&game.setup)?;
            return Ok(digests.words(game.id).map(|words| Played { start, words, is_folded: false }));
        }
        let created = self.log().entry(game.id, 0)?.ok_or_else(|| Problem::no_game(game.id))?;
        let Body::Created(created) = Event::parse(&created.bytes).map_err(Problem::internal)?.body else {
            return Err(Problem::no_game(game.id));
        };
        if rules.about().secrets && !created.open && game.standing.status() == Status::Running {
            return Ok(None);
        }
        if let Some(digests) = digests.filter(|_| created.sealed_setup.is_none()) {
            let Some(words) = digests.words(game.id) else { return Ok(None) };
            let start = match &created.position {
                None => rules.start(&created.setup)?,
                Some(position) => rules.set_up(&created.setup, position)?,
            };
            return Ok(Some(Played { start, words, is_folded: false }));
        }
        let replay = self.glance(game.id)?;
        let Some(start) = replay.position_at(0).filter(|_| replay.is_open()) else { return Ok(None) };
        let words = replay.mainline().iter().map(|done| word(rules.about(), done.actor, &done.action).into());
        Ok(Some(Played { start, words: words.collect(), is_folded: true }))
    }
}
