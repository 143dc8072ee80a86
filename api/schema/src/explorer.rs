//! The opening explorer: what was played from a position, across all recorded games.

use std::sync::Arc;

use async_graphql::{Context, Object, SimpleObject};
use plybook_events::{Hash, LogId, Timestamp};
use plybook_models::{ActionSummary, Filter, PositionSummary, short_key, shorten};
use plybook_rules::log::{Replay, split_word};
use plybook_rules::{AnyPosition, Rules, Viewer};
use plybook_service::access::Caller;
use plybook_service::error::Problem;
use plybook_service::{Service, find_kind};
use roaring::RoaringBitmap;
use serde_json::Value;

use super::game::Game;
use super::plies::position_at;
use super::position::Position;
use super::query::fold;
use super::scalar::{DateTime, HashHex};
use super::{price, service, spend};

/// How many actions are listed by default, and at most.
const ACTIONS: i32 = 50;
const ACTIONS_MAX: i32 = 1_000;

/// The results of a set of games.
#[derive(SimpleObject)]
pub struct Results {
    /// Games won by each seat, alone or shared, seat 1 first.
    pub wins: Vec<u32>,
    /// Games without a winner.
    pub draws: u32,
    /// Games without a result that counts: still running, or void.
    pub other: u32,
}

impl Results {
    /// Pads the wins to one count per seat.
    pub fn new(results: plybook_models::Results, seats: u8) -> Self {
        let mut wins = results.wins;
        wins.resize(usize::from(seats), 0);
        Self { wins, draws: results.draws, other: results.other }
    }
}

/// What was played from a position, across all recorded games that match a filter. Lines and void games are
/// not counted; running games of kinds with secrets are counted once they are over.
pub struct Explorer {
    position: Position,
    summary: PositionSummary,
    top: Vec<LogId>,
    recent: Vec<LogId>,
    pending: u64,
    asked: Arc<Asked>,
}

/// What was asked for besides the position.
pub struct Asked {
    rules: &'static dyn Rules,
    filter: Filter,
    with_ratings: bool,
}

/// The position to explore: a start and actions, or a key.
pub struct Place {
    pub kind: String,
    pub setup: Option<Value>,
    pub position: Option<Value>,
    pub actions: Option<Vec<String>>,
    pub key: Option<Hash>,
}

impl Explorer {
    /// Looks up a position. `with_ratings` asks for the mean ratings of actions, which means reading all
    /// games.
    ///
    /// # Errors
    /// There is no such kind, an action is illegal, or no recorded game reached a position with the key.
    pub fn look(service: &Service, place: Place, filter: Filter, with_ratings: bool) -> Result<Self, Problem> {
        let rules = find_kind(&place.kind)?;
        let filter = filter.counted(&place.kind)?;
        let has_start = place.setup.is_some() || place.position.is_some() || place.actions.is_some();
        let position = match &place.key {
            Some(key) if !has_start => position_with(service, &place.kind, key)?,
            Some(_) => {
                return Err(Problem::BadInput(
                    "give `positionKey`, or `setup`, `position` and `actions`, not both".to_owned(),
                ));
            }
            None => {
                fold(&place.kind, place.setup, place.position.as_ref(), place.actions.as_deref().unwrap_or_default())?
            }
        };
        let key = place.key.map_or_else(|| short_key(position.inner.as_ref()), |key| shorten(&key));
        Self::at(service, position, key, Arc::new(Asked { rules, filter, with_ratings }))
    }

    /// Looks up a position that is known, with its key.
    fn at(service: &Service, position: Position, key: u64, asked: Arc<Asked>) -> Result<Self, Problem> {
        let kind = asked.rules.about().kind;
        // The highest rated games are part of the answer.
        service.ratings().wait();
        let models = service.digests().ask();
        let known = models.known.games.rows().kind(kind);
        let choose = |among: &RoaringBitmap| models.known.games.matching(kind, &asked.filter, Some(among));
        let choose = asked.filter.is_narrow().then_some(&choose as &dyn Fn(&RoaringBitmap) -> RoaringBitmap);
        let found = match models.kind(kind).zip(known) {
            None => Ok(<_>::default()),
            Some((kind, known)) => kind.positions.look(key, known, choose, asked.with_ratings).map(|summary| {
                let ids = |numbers: &[u32]| numbers.iter().map(|number| known.rows().id(*number)).collect();
                (ids(&summary.top), ids(&summary.recent), summary)
            }),
        };
        let pending = models.pending;
        drop(models);
        let (top, recent, summary) = found.map_err(|why| service.digests().unreadable(why))?;
        Ok(Self { position, summary, top, recent, pending, asked })
    }
}

/// Finds the position with this key by replaying a recorded game that reached it.
fn position_with(service: &Service, kind: &str, key: &Hash) -> Result<Position, Problem> {
    let unknown = || Problem::NotFound(format!("no recorded game of {kind} came to a position with the key {key}"));
    let found = {
        let models = service.digests().ask();
        let found = models.kind(kind).map_or(Ok(None), |kind| kind.positions.any_at(shorten(key)));
        found.map(|number| number.map(|number| models.known.games.rows().of(kind).id(number)))
    };
    let id = found.map_err(|why| service.digests().unreadable(why))?.ok_or_else(unknown)?;
    let is_wanted = |position: &dyn AnyPosition| position.key(Viewer::All) == *key;
    if !find_kind(kind)?.about().secrets {
        let replay = service.glance_until(id, is_wanted)?.ok_or_else(unknown)?;
        return position_at(&replay, Viewer::All, replay.mainline().len()).ok_or_else(unknown);
    }
    let replay = counted_game(service, id)?.ok_or_else(unknown)?;
    let mut position = replay.position_at(0).ok_or_else(unknown)?;
    let ply = (0..=replay.mainline().len()).find(|ply| {
        if *ply > 0 {
            replay.step(&mut position, *ply);
        }
        is_wanted(position.as_ref())
    });
    ply.and_then(|ply| position_at(&replay, Viewer::All, ply)).ok_or_else(unknown)
}

/// A position of a game that counts; `None` if it is no longer open.
fn counted_position(service: &Service, id: LogId, ply: usize) -> Result<Option<Position>, Problem> {
    Ok(counted_game(service, id)?.and_then(|replay| position_at(&replay, Viewer::All, ply)))
}

/// A game that counts. `None` if it is no longer open: a takeback may have reopened it, and its secrets with it.
fn counted_game(service: &Service, id: LogId) -> Result<Option<Arc<Replay>>, Problem> {
    let replay = service.glance(id)?;
    Ok((Caller::SPECTATOR.viewer(&replay) == Viewer::All).then_some(replay))
}

/// What was played from a position, across all recorded games that match a filter. Lines and void games are
/// not counted; running games of kinds with secrets are counted once they are over.
#[Object]
impl Explorer {
    /// The position that is explored.
    async fn position(&self) -> Position {
        self.position.clone()
    }

    /// The number of games that reached this position, by any order of moves.
    async fn games(&self) -> u64 {
        self.summary.games
    }

    /// The results of those games.
    async fn results(&self) -> Results {
        Results::new(self.summary.results.clone(), self.asked.rules.about().seats_max)
    }

    /// The actions played here, most frequent first: 50 by default, at most 1,000.
    #[graphql(complexity = "first.unwrap_or(ACTIONS).clamp(0, ACTIONS_MAX) as usize * child_complexity.max(1) + 1")]
    async fn actions(&self, first: Option<i32>) -> Result<Vec<ExplorerAction>, Problem> {
        let first = usize::try_from(first.unwrap_or(ACTIONS)).ok().filter(|first| *first <= ACTIONS_MAX as usize);
        let first = first.ok_or_else(|| Problem::BadInput(format!("`first` is a number from 0 to {ACTIONS_MAX}")))?;
        let action = |action: &ActionSummary| ExplorerAction {
            seats: self.asked.rules.about().seats_max,
            summary: action.clone(),
            after: After::Action { position: self.position.clone(), asked: Arc::clone(&self.asked) },
        };
        Ok(self.summary.actions.iter().take(first).map(action).collect())
    }

    /// The number of different actions played here.
    async fn action_count(&self) -> usize {
        self.summary.actions.len()
    }

    /// The finished games with the highest mean rating of their players, among the newest 256 that reached
    /// this position; at most ten. Unrated games come last, longest first.
    #[graphql(complexity = "10 * child_complexity.max(1) + 1")]
    async fn top_games(&self, ctx: &Context<'_>) -> Vec<Game> {
        Game::find_all(ctx, &self.top)
    }

    /// The newest games that reached this position, at most ten.
    #[graphql(complexity = "10 * child_complexity.max(1) + 1")]
    async fn recent_games(&self, ctx: &Context<'_>) -> Vec<Game> {
        Game::find_all(ctx, &self.recent)
    }

    /// Events that were recorded before this request but are not counted yet; almost always 0.
    async fn pending(&self) -> u64 {
        self.pending
    }
}

/// An action that was played from a position.
pub struct ExplorerAction {
    pub seats: u8,
    pub summary: ActionSummary,
    pub after: After,
}

/// Where to find the position after an action.
pub enum After {
    /// Apply the action to this position, which was found in an explorer.
    Action { position: Position, asked: Arc<Asked> },
    /// Replay this game up to this ply.
    Game(LogId, usize),
}

impl ExplorerAction {
    /// The position after it.
    fn next(&self, before: &Position) -> Result<Position, Problem> {
        let mut inner = before.inner.boxed();
        let (actor, action) = split_word(inner.as_ref(), &self.summary.word).map_err(Problem::internal)?;
        inner.act(actor, action).map_err(Problem::internal)?;
        let last = Some((Arc::clone(&before.inner), actor, Arc::from(action)));
        Ok(Position { ply: before.ply + 1, inner: Arc::from(inner), last, ..before.clone() })
    }
}

/// An action that was played from a position.
#[Object]
impl ExplorerAction {
    /// The action as records write it: prefixed with the seat in games where several seats can act at once.
    async fn action(&self) -> &str {
        &self.summary.word
    }

    /// The key of the position it leads to.
    #[graphql(complexity = "price::actions(1) + price::TEXT + price::FOLD")]
    async fn position_key(&self, ctx: &Context<'_>) -> Result<HashHex, Problem> {
        match &self.after {
            After::Action { position, .. } => Ok(HashHex(self.next(position)?.inner.key(Viewer::All))),
            After::Game(id, ply) => {
                let position = counted_position(service(ctx), *id, *ply)?;
                let position = position.ok_or_else(|| Problem::NotFound("the game was taken back".to_owned()))?;
                Ok(HashHex(position.inner.key(Viewer::All)))
            }
        }
    }

    /// What was played after it, in games that match the same filter, whatever order of moves led there; nested,
    /// the tree of what was played. Null for first actions of statistics.
    #[graphql(complexity = "price::LOOKUP + child_complexity")]
    async fn explorer(&self, ctx: &Context<'_>) -> Result<Option<Explorer>, Problem> {
        let After::Action { position, asked } = &self.after else { return Ok(None) };
        spend(ctx, 0)?;
        let next = self.next(position)?;
        let key = short_key(next.inner.as_ref());
        Explorer::at(service(ctx), next, key, Arc::clone(asked)).map(Some)
    }

    /// The number of games in which it was played.
    async fn games(&self) -> u64 {
        self.summary.games
    }

    /// The results of those games.
    async fn results(&self) -> Results {
        Results::new(self.summary.results.clone(), self.seats)
    }

    /// The mean rating of the players before those games; null if none of the games is rated.
    #[graphql(complexity = "price::LIST")]
    async fn average_rating(&self) -> Option<f64> {
        self.summary.average_rating
    }

    /// When the newest of those games was played.
    async fn last_played(&self) -> Option<DateTime> {
        Timestamp::from_millis(self.summary.last_ms).ok().map(DateTime)
    }
}
