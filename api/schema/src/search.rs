//! Positions of recorded games that satisfy a predicate.

use async_graphql::connection::{CursorType, PageInfo};
use async_graphql::{Context, Enum, Object, SimpleObject};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use plybook_events::LogId;
use plybook_models::Filter;
use plybook_rules::predicate::Predicate;
use plybook_rules::{Argument, FactLabel, Rules, Viewer};
use plybook_service::access::Caller;
use plybook_service::error::Problem;
use plybook_service::{Extent, Found, Hit, SearchPlace, find_kind};

use super::connection::Page;
use super::distribution::{Count, Measure};
use super::explorer::Results;
use super::game::Game;
use super::over::Over;
use super::plies::position_at;
use super::position::Position;
use super::{price, service, spend};

/// What one answer may look at: the number of positions, each counted once, and once more for every few facts that are
/// looked up in it. The last game may go beyond.
const WORK_MAX: u64 = 50_000;

/// How many facts take about as long as folding a position.
const FACTS_PER_POSITION: u64 = 4;

/// How many next actions are listed by default, and at most.
const ACTIONS: i32 = 20;
const ACTIONS_MAX: i32 = 200;

/// The fields for which a search goes on when its page is full.
const COUNTS: [&str; 6] = ["total", "games", "results", "actions", "measures", "searched"];

/// Recorded positions in which a predicate holds. Games are looked through newest first, as far as one answer may; the
/// counts are those of this part. Lines, void games, and running games of kinds with secrets are left out.
pub struct Search {
    rules: &'static dyn Rules,
    found: Found,
    has_previous: bool,
    pending: u64,
}

/// What a client asks for.
pub struct Wanted {
    pub kind: String,
    pub predicate: String,
    pub filter: Filter,
    pub page: Page,
}

impl Search {
    /// Searches, as far as one answer goes.
    ///
    /// # Errors
    /// There is no such kind, the predicate or the cursor cannot be read, the filter asks for another kind or for
    /// lines, or the operation takes too long.
    pub async fn run(ctx: &Context<'_>, wanted: Wanted) -> Result<Self, Problem> {
        let Wanted { kind, predicate, filter, page } = wanted;
        let rules = find_kind(&kind)?;
        let predicate =
            Predicate::read(rules, &predicate).map_err(|why| Problem::BadInput(format!("`where`: {why}")))?;
        let page = page.read::<SearchCursor>()?;
        let counts_all = COUNTS.iter().any(|of| ctx.look_ahead().field(of).exists());
        let positions = WORK_MAX / (1 + predicate.facts_len() as u64 / FACTS_PER_POSITION);
        let extent = Extent { hits: page.len, counts_all, positions, is_parallel: false };
        let service = service(ctx);
        let pending = service.wait_to_search();
        let has_previous = page.after.is_some();
        let mut search = plybook_service::Search::new(
            rules,
            predicate,
            filter,
            page.after.map(|SearchCursor(place)| place),
            extent,
        )?;
        while search.step(service) {
            spend(ctx, 0)?;
            // A client that hung up needs no answer.
            tokio::task::yield_now().await;
        }
        Ok(Self { rules, found: search.found, has_previous, pending })
    }
}

/// Recorded positions in which a predicate holds. Games are looked through newest first, as far as one answer may; the
/// counts are those of this part. Lines, void games, and running games of kinds with secrets are left out.
#[Object]
impl Search {
    /// The number of positions in which the predicate holds.
    async fn total(&self) -> u64 {
        self.found.total
    }

    /// The number of games with such a position.
    async fn games(&self) -> u64 {
        self.found.games.len()
    }

    /// The results of those games.
    async fn results(&self) -> Results {
        Results::new(self.found.results.clone(), self.rules.about().seats_max)
    }

    /// The positions, those of the newest games first, then by ply.
    async fn hits(&self) -> Vec<SearchHit> {
        self.found.hits.iter().cloned().map(SearchHit).collect()
    }

    /// What was played from these positions, most frequent first: 20 by default, at most 200.
    // The price of the search covers how many there are.
    #[graphql(complexity = "child_complexity + 1")]
    async fn actions(&self, first: Option<i32>) -> Result<Vec<Count>, Problem> {
        let first = usize::try_from(first.unwrap_or(ACTIONS)).ok().filter(|first| *first <= ACTIONS_MAX as usize);
        let first = first.ok_or_else(|| Problem::BadInput(format!("`first` is a number from 0 to {ACTIONS_MAX}")))?;
        let mut actions: Vec<(&str, u64)> =
            self.found.actions.iter().map(|(action, count)| (action.as_ref(), *count)).collect();
        actions.sort_by_key(|(action, count)| (u64::MAX - count, *action));
        Ok(actions.into_iter().take(first).map(Count::from).collect())
    }

    /// The measures of the games with such a position, as statistics have them: those of all kinds, then those of this
    /// kind. Each game counts once, with the figures of the whole game.
    // The search multiplies this by the hits of a page, although it is computed once.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn measures(&self, ctx: &Context<'_>) -> Result<Vec<Measure>, Problem> {
        Over::games(ctx, self.rules, &self.found.games, |over| over.measures(self.rules))
    }

    /// Whether there are more hits, or games that were not looked through. `endCursor` goes on after the last hit that
    /// is listed, or, if all are, where the search stopped.
    async fn page_info(&self) -> PageInfo {
        let Found { hits, total, end, .. } = &self.found;
        let is_cut = *total > hits.len() as u64;
        let last = hits.last().map(Hit::place).filter(|_| is_cut).or(*end).or_else(|| hits.last().map(Hit::place));
        PageInfo {
            has_previous_page: self.has_previous,
            has_next_page: is_cut || end.is_some(),
            start_cursor: hits.first().map(|hit| SearchCursor(hit.place()).encode_cursor()),
            end_cursor: last.map(|place| SearchCursor(place).encode_cursor()),
        }
    }

    /// How much was looked through for this answer.
    async fn searched(&self) -> Searched {
        let Found { games_searched, positions_searched, end, .. } = &self.found;
        let end = end.map(|place| SearchCursor(place).encode_cursor());
        Searched { games: *games_searched, positions: *positions_searched, end }
    }

    /// Events that were recorded before this request but are not searched yet; almost always 0.
    async fn pending(&self) -> u64 {
        self.pending
    }
}

/// How much was looked through for an answer.
#[derive(SimpleObject)]
pub struct Searched {
    /// The number of games.
    pub games: u64,
    /// The number of their positions.
    pub positions: u64,
    /// Where the next part begins, as `after`; null if every game was looked through. The counts of all parts add up to
    /// those of all games.
    pub end: Option<String>,
}

/// A position in which a predicate holds.
pub struct SearchHit(Hit);

/// A position in which a predicate holds.
#[Object]
impl SearchHit {
    /// The game.
    #[graphql(complexity = "child_complexity + 1")]
    async fn game(&self) -> Game {
        Game::listed(self.0.game.clone())
    }

    /// The ply of the position in the game.
    async fn ply(&self) -> u32 {
        self.0.ply
    }

    /// The action that was played next, as records write it; null at the end of the game.
    async fn action(&self) -> Option<&str> {
        self.0.next.as_deref()
    }

    /// The position; null if the game was taken back in the meantime.
    #[graphql(complexity = "price::AT_PLY + child_complexity")]
    async fn position(&self, ctx: &Context<'_>) -> Result<Option<Position>, Problem> {
        spend(ctx, 0)?;
        let replay = service(ctx).glance(self.0.game.id)?;
        match Caller::SPECTATOR.viewer(&replay) {
            Viewer::All => Ok(position_at(&replay, Viewer::All, self.0.ply as usize)),
            Viewer::Public | Viewer::Seat(_) => Ok(None),
        }
    }

    /// The place of the hit in the search, as `after`.
    async fn cursor(&self) -> String {
        SearchCursor(self.0.place()).encode_cursor()
    }
}

/// Something that positions can be searched for.
pub struct Fact(pub FactLabel);

/// What a fact is asked for with.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum FactArgument {
    /// Nothing: `ply`.
    Nothing,
    /// A seat: `toAct(1)`.
    Seat,
    /// A place of the board: `owner(d4)`.
    Place,
}

/// Something that positions can be searched for.
#[Object]
impl Fact {
    /// Its name.
    async fn name(&self) -> &str {
        self.0.label.name
    }

    /// What it means.
    async fn description(&self) -> &str {
        self.0.label.description
    }

    /// What it is asked for with.
    async fn argument(&self) -> FactArgument {
        match self.0.argument {
            Argument::Nothing => FactArgument::Nothing,
            Argument::Seat => FactArgument::Seat,
            Argument::Place => FactArgument::Place,
        }
    }

    /// The words that it can be, the first of them `none`; empty if it is a number.
    async fn words(&self) -> &[&str] {
        self.0.words
    }
}

/// Written `created.game` or `created.game.ply`, in Base64.
struct SearchCursor(SearchPlace);

impl CursorType for SearchCursor {
    type Error = std::fmt::Error;

    fn decode_cursor(text: &str) -> Result<Self, Self::Error> {
        let bytes = BASE64.decode(text).map_err(|_| std::fmt::Error)?;
        let text = str::from_utf8(&bytes).map_err(|_| std::fmt::Error)?;
        let (created, place) = text.split_once('.').ok_or(std::fmt::Error)?;
        let (game, ply) = place.split_once('.').map_or((place, None), |(game, ply)| (game, Some(ply)));
        let created_ms = created.parse().map_err(|_| std::fmt::Error)?;
        let game: LogId = game.parse().map_err(|_| std::fmt::Error)?;
        let ply = ply.map(|ply| ply.parse::<u32>().ok().filter(|ply| *ply < u32::MAX).ok_or(std::fmt::Error));
        Ok(Self(SearchPlace { created_ms, game, ply: ply.transpose()? }))
    }

    fn encode_cursor(&self) -> String {
        let SearchPlace { created_ms, game, ply } = &self.0;
        let ply = ply.map_or_else(String::new, |ply| format!(".{ply}"));
        BASE64.encode(format!("{created_ms}.{game}{ply}"))
    }
}
