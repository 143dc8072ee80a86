//! Queries.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_graphql::connection::{Connection, CursorType, EmptyFields};
use async_graphql::{Context, ID, Interface, Object};
use plybook_events::LogId;
use plybook_models::{Filter, Order};
use plybook_rules::{Viewer, kinds, log};
use plybook_service::error::Problem;
use plybook_service::{Moment, find_kind};
use serde_json::Value;

use super::connection::{Page, Total};
use super::evaluation::{Evaluation, evaluated};
use super::explorer::{Explorer, Place};
use super::game::Game;
use super::games::{GamePage, list_games};
use super::input::{GameFilter, GameOrder, PlayerFilter, read_id};
use super::people::PlayerImport;
use super::player::Player;
use super::position::Position;
use super::rating::{RatingPage, expected_score, list_ratings};
use super::rule_set::{RuleSet, drawn};
use super::scalar::{DateTime, HashHex};
use super::search::{Search, Wanted};
use super::statistics::Statistics;
use super::tlog::{Checkpoint, ConsistencyProof};
use super::token::TokenInfo;
use super::tournament::{Me, ReportPreview, Tournament, TournamentFilter, TournamentPage, list_tournaments};
use super::{desk, price, service, spend};

/// The most actions that `fold` applies.
const ACTIONS_MAX: usize = 5_000;

/// The most objects that `nodes` looks up.
const NODES_MAX: usize = 100;

/// The number of tokens that the price of their list counts.
const TOKENS: usize = 100;

/// The most bytes of a text that players are searched by.
const SEARCH_BYTES_MAX: usize = 400;

/// The most bytes in one action.
const ACTION_CHARS_MAX: usize = 4_000;

/// Any object with an id.
#[derive(Interface)]
#[graphql(field(name = "id", ty = "ID", desc = "The id."))]
pub enum Node {
    /// A game.
    Game(Game),
    /// A player.
    Player(Player),
    /// A tournament.
    Tournament(Tournament),
}

impl Node {
    /// The object with an id.
    fn find(ctx: &Context<'_>, id: LogId) -> Option<Self> {
        if let Some(game) = Game::find(ctx, id) {
            return Some(Self::Game(game));
        }
        if let Some(tournament) = Tournament::find(ctx, id) {
            return Some(Self::Tournament(tournament));
        }
        service(ctx).models().known().players.get(id).cloned().map(|player| Self::Player(Player(player)))
    }
}

/// The queries.
pub struct Query;

/// The queries.
#[Object]
impl Query {
    /// Any object by its id.
    async fn node(&self, ctx: &Context<'_>, id: ID) -> Result<Option<Node>, Problem> {
        Ok(Node::find(ctx, read_id(&id)?))
    }

    /// Objects by their ids, in the same order; null for an id that nothing has. At most 100.
    #[graphql(complexity = "ids.len() * child_complexity + 1")]
    async fn nodes(&self, ctx: &Context<'_>, ids: Vec<ID>) -> Result<Vec<Option<Node>>, Problem> {
        if ids.len() > NODES_MAX {
            return Err(Problem::BadInput(format!("`ids`: at most {NODES_MAX} objects are looked up at once")));
        }
        ids.iter().map(|id| Ok(Node::find(ctx, read_id(id)?))).collect()
    }

    /// The rules of all games that can be played here.
    #[graphql(complexity = "kinds().len() * child_complexity.max(1) + 1")]
    async fn rules(&self) -> Vec<RuleSet> {
        kinds().iter().map(|rules| RuleSet(*rules)).collect()
    }

    /// The rules of one game; null if there is no such game or version.
    async fn rule_set(&self, kind: String, version: Option<String>) -> Option<RuleSet> {
        RuleSet::of(&kind, version.as_deref())
    }

    /// Folds a setup and actions into a position that belongs to no game, as for an analysis board, a problem
    /// or a test. What the setup leaves to be drawn is drawn as an example, always the same. Where several seats are to act,
    /// an action is written `SEAT:action`.
    #[graphql(complexity = "price::AT_PLY + price::actions(actions.len()) + child_complexity")]
    async fn fold(
        &self,
        kind: String,
        setup: Option<Value>,
        actions: Vec<String>,
        position: Option<Value>,
    ) -> Result<Option<Position>, Problem> {
        let setup = setup.unwrap_or_else(|| serde_json::Map::new().into());
        let setup = if position.is_none() { find_kind(&kind)?.complete(&setup, &mut drawn())? } else { setup };
        fold(&kind, Some(setup), position.as_ref(), &actions).map(Some)
    }

    /// Evaluates a position that belongs to no game: who stands better, and what to do. It is given as for `fold`. Everybody
    /// has one position evaluated at a time: what is asked for later stops what was asked for before. For players and
    /// recorders, unless they sit in a running tournament game or their token is valid only for one; see docs/analysis.md.
    #[graphql(
        complexity = "price::AT_PLY + price::actions(actions.len()) + price::playouts(playouts) + child_complexity"
    )]
    async fn evaluate(
        &self,
        ctx: &Context<'_>,
        kind: String,
        setup: Option<Value>,
        actions: Vec<String>,
        position: Option<Value>,
        playouts: Option<u32>,
        seat: Option<u8>,
    ) -> Result<Option<Evaluation>, Problem> {
        desk(ctx).require_may_evaluate()?;
        let position = fold(&kind, setup, position.as_ref(), &actions)?;
        evaluated(ctx, position.inner.as_ref(), seat, playouts).await.map(Some)
    }

    /// One game; null if no game has this id.
    async fn game(&self, ctx: &Context<'_>, id: ID) -> Result<Option<Game>, Problem> {
        Ok(Game::find(ctx, read_id(&id)?))
    }

    /// Lists games, newest first by default. Recorded games are listed unless the filter asks for lines.
    /// Hidden lines are left out; with `includeHidden`, recorders get all of them and players their own.
    #[graphql(
        complexity = "Page::cost(first, last) * child_complexity.max(1) + price::LIST + reading(filter.as_ref())"
    )]
    async fn games(
        &self,
        ctx: &Context<'_>,
        filter: Option<GameFilter>,
        order_by: Option<GameOrder>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        include_hidden: Option<bool>,
    ) -> Result<GamePage, Problem> {
        let audience = desk(ctx).audience(include_hidden.unwrap_or_default())?;
        let filter = filter.unwrap_or_default().read(ctx)?.listed_for(audience);
        let order = order_by.map_or(Order::CreatedDesc, Order::from);
        list_games(ctx, &filter, order, &Page { first, last, after, before })
    }

    /// What was played from a position in all recorded games that match, whatever order of moves led to it.
    /// The position is given by `setup` (or `position`) and `actions`, written as for `fold`, or by
    /// `positionKey`.
    #[graphql(
        complexity = "price::LOOKUP + reading(filter.as_ref()) + price::actions(actions.as_ref().map_or(0, Vec::len)) + child_complexity"
    )]
    async fn explore(
        &self,
        ctx: &Context<'_>,
        kind: String,
        setup: Option<Value>,
        actions: Option<Vec<String>>,
        position_key: Option<HashHex>,
        filter: Option<GameFilter>,
        position: Option<Value>,
    ) -> Result<Option<Explorer>, Problem> {
        let filter = filter.unwrap_or_default().of_kind(&kind).read(ctx)?;
        let place = Place { kind, setup, position, actions, key: position_key.map(|key| key.0) };
        let with_ratings = ctx.look_ahead().field("actions").field("averageRating").exists();
        Explorer::look(service(ctx), place, filter, with_ratings).map(Some)
    }

    /// Statistics of all recorded games of a kind that match.
    #[graphql(complexity = "price::LOG + reading(filter.as_ref()) + child_complexity")]
    async fn statistics(
        &self,
        ctx: &Context<'_>,
        kind: String,
        filter: Option<GameFilter>,
    ) -> Result<Option<Statistics>, Problem> {
        let filter = filter.unwrap_or_default().of_kind(&kind).read(ctx)?;
        Statistics::of(service(ctx), &kind, filter, None).map(Some)
    }

    /// Positions of recorded games of a kind in which a predicate holds: `islands(1) >= 4 then within 6: captured(2) > 0`.
    /// docs/search.md describes the language, and `ruleSet { facts }` lists what a predicate can ask for.
    #[graphql(
        complexity = "price::SEARCH + reading(filter.as_ref()) + Page::cost(first, None) * child_complexity.max(1)"
    )]
    async fn search(
        &self,
        ctx: &Context<'_>,
        kind: String,
        #[graphql(name = "where")] predicate: String,
        filter: Option<GameFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<Option<Search>, Problem> {
        let filter = filter.unwrap_or_default().of_kind(&kind).read(ctx)?;
        let page = Page { first, after, ..Page::default() };
        Search::run(ctx, Wanted { kind, predicate, filter, page }).await.map(Some)
    }

    /// One tournament; null if no tournament has this id. With `seq` or `at`, in its state after that event
    /// or at that time; null if it did not exist yet.
    #[graphql(complexity = "(if seq.is_some() || at.is_some() { price::GAMES } else { 1 }) + child_complexity")]
    async fn tournament(
        &self,
        ctx: &Context<'_>,
        id: ID,
        seq: Option<i64>,
        at: Option<DateTime>,
    ) -> Result<Option<Tournament>, Problem> {
        let id = read_id(&id)?;
        let seq =
            seq.map(|seq| u64::try_from(seq).map_err(|_| Problem::BadInput("`seq` is counted from 0".to_owned())));
        match (seq.transpose()?, at) {
            (None, None) => Ok(Tournament::find(ctx, id)),
            (Some(seq), None) => Tournament::find_at(ctx, id, Moment::Seq(seq)),
            (None, Some(at)) => Tournament::find_at(ctx, id, Moment::At(at.0)),
            (Some(_), Some(_)) => Err(Problem::BadInput("give `seq` or `at`, not both".to_owned())),
        }
    }

    /// Lists tournaments, newest first.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity.max(1) + price::LIST")]
    async fn tournaments(
        &self,
        ctx: &Context<'_>,
        filter: Option<TournamentFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<TournamentPage, Problem> {
        list_tournaments(ctx, filter, &Page { first, after, ..Page::default() })
    }

    /// Previews what `importTournament` would make of a report file, TRF16 or TRF26; nothing is changed. For arbiters.
    #[graphql(complexity = "price::import(&file) + child_complexity")]
    async fn preview_tournament(
        &self,
        ctx: &Context<'_>,
        file: String,
        time_zone: Option<String>,
    ) -> Result<ReportPreview, Problem> {
        let zone = time_zone.filter(|zone| !zone.is_empty());
        Ok(ReportPreview(desk(ctx).read_report(file.as_bytes(), zone.as_deref())?))
    }

    /// The last signed checkpoint of the transparency log over all games; see docs/transparency.md.
    async fn checkpoint(&self, ctx: &Context<'_>) -> Result<Checkpoint, Problem> {
        service(ctx).tlog().map(Checkpoint::last)
    }

    /// The proof that the transparency log of `from` events is the beginning of that of `to` events (default: of the
    /// last checkpoint): nothing of it was changed or dropped since.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn consistency(&self, ctx: &Context<'_>, from: i64, to: Option<i64>) -> Result<ConsistencyProof, Problem> {
        let size = |size: i64| u64::try_from(size).map_err(|_| Problem::BadInput("sizes are not negative".to_owned()));
        let (from, to) = (size(from)?, to.map(size).transpose()?);
        spend(ctx, 0)?;
        service(ctx).consistency(from, to).map(ConsistencyProof::from)
    }

    /// What the caller's own token allows.
    async fn me(&self, ctx: &Context<'_>) -> Me {
        Me::of(ctx)
    }

    /// All access tokens, oldest first, without their secrets. For administrators; `tournament { tokens }` has those of
    /// a tournament.
    #[graphql(complexity = "price::LIST + TOKENS * child_complexity.max(1)")]
    async fn tokens(&self, ctx: &Context<'_>) -> Result<Vec<TokenInfo>, Problem> {
        Ok(desk(ctx).all_tokens()?.into_iter().map(TokenInfo).collect())
    }

    /// One player; null if no player has this id.
    async fn player(&self, ctx: &Context<'_>, id: ID) -> Result<Option<Player>, Problem> {
        let id = read_id(&id)?;
        Ok(service(ctx).models().known().players.get(id).cloned().map(Player))
    }

    /// The ratings of a kind of game, best first; provisional ones are left out unless requested.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity.max(1) + price::LOOKUP")]
    async fn ratings(
        &self,
        ctx: &Context<'_>,
        kind: String,
        provisional: Option<bool>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<RatingPage, Problem> {
        let page = Page { first, after, ..Page::default() };
        list_ratings(ctx, &kind, provisional.unwrap_or_default(), &page)
    }

    /// What each of these players can expect from a game against the others now, in the order given. For two
    /// players, it is the score, where a win counts 1 and a draw ½; for more, the probability of winning. The
    /// values add up to 1. A player without rated games counts as 1500 with a deviation of 350.
    #[graphql(complexity = "price::FOLD + players.len()")]
    async fn expected_score(
        &self,
        ctx: &Context<'_>,
        kind: String,
        players: Vec<ID>,
    ) -> Result<Option<Vec<f64>>, Problem> {
        expected_score(ctx, &kind, &players).map(Some)
    }

    /// Previews what `importPlayers` would do with a list of players, line by line; nothing is changed. For
    /// arbiters.
    #[graphql(complexity = "price::import(&csv) + child_complexity")]
    async fn preview_players(&self, ctx: &Context<'_>, csv: String) -> Result<PlayerImport, Problem> {
        Ok(PlayerImport(desk(ctx).preview_roster(&csv)?))
    }

    /// Lists players by name. Players who were merged into others are left out; they can be found by id.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity.max(1) + price::LOOKUP")]
    async fn players(
        &self,
        ctx: &Context<'_>,
        filter: Option<PlayerFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<PlayerPage, Problem> {
        let filter = filter.unwrap_or_default();
        for (name, text) in [("search", &filter.search), ("called", &filter.called)] {
            if text.as_ref().is_some_and(|text| text.len() > SEARCH_BYTES_MAX) {
                return Err(Problem::BadInput(format!("`{name}` has at most {SEARCH_BYTES_MAX} bytes")));
            }
        }
        let part = filter.name_contains.map(|part| part.to_lowercase());
        let tournament = filter.tournament.as_ref().map(read_id).transpose()?;
        let asks_for_games = filter.kind.is_some() || tournament.is_some();
        let kind = filter.kind.map(|kind| find_kind(&kind).map(|_| kind)).transpose()?;
        let games = Filter { kind, tournament, ..Filter::default() };
        let known = service(ctx).models().known();
        let games = asks_for_games.then(|| known.games.select(&games));
        let found = filter.search.filter(|text| !text.trim().is_empty()).map(|text| known.players.search(&text));
        let called = filter.called.map(|name| -> BTreeSet<LogId> {
            known.players.called(&name).into_iter().map(|player| player.id).collect()
        });
        let players = known.players.list(|player| {
            let is_named = part.as_ref().is_none_or(|part| player.profile.name.to_lowercase().contains(part));
            let is_found = found.as_ref().is_none_or(|found| found.contains(&player.id));
            let is_called = called.as_ref().is_none_or(|called| called.contains(&player.id));
            is_named && is_found && is_called && games.as_ref().is_none_or(|games| games.has_any_of(player.id))
        });
        drop(known);
        let page = Page { first, after, ..Page::default() };
        page.cut(
            &players,
            |player| PlayerCursor(player.profile.name.to_lowercase(), player.id),
            |player| Player(Arc::clone(player)),
        )
    }
}

/// The price of finding the games that match.
pub fn reading(filter: Option<&GameFilter>) -> usize {
    filter.map_or(0, GameFilter::price)
}

/// A page of players.
pub type PlayerPage = Connection<PlayerCursor, Player, Total, EmptyFields>;

/// A cursor: a player's place in the order of names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayerCursor(String, LogId);

impl CursorType for PlayerCursor {
    type Error = std::fmt::Error;

    fn decode_cursor(text: &str) -> Result<Self, Self::Error> {
        let (id, name) = text.split_once('.').ok_or(std::fmt::Error)?;
        Ok(Self(name.to_owned(), id.parse().map_err(|_| std::fmt::Error)?))
    }

    fn encode_cursor(&self) -> String {
        format!("{}.{}", self.1, self.0)
    }
}

/// Applies actions to the start of a setup, or to a given position.
///
/// # Errors
/// There is no such kind, the setup or position is invalid, or an action is illegal.
pub fn fold(
    kind: &str,
    setup: Option<Value>,
    position: Option<&Value>,
    actions: &[String],
) -> Result<Position, Problem> {
    if actions.len() > ACTIONS_MAX {
        return Err(Problem::BadInput(format!("at most {ACTIONS_MAX} actions are folded at once")));
    }
    if actions.iter().any(|word| word.len() > ACTION_CHARS_MAX) {
        return Err(Problem::BadInput(format!("an action has at most {ACTION_CHARS_MAX} characters")));
    }
    let rules = find_kind(kind)?;
    let setup = setup.unwrap_or_else(|| serde_json::Map::new().into());
    let mut position = match position {
        None => rules.start(&setup)?,
        Some(position) => rules.set_up(&setup, position)?,
    };
    let last = log::play(position.as_mut(), actions.iter().map(String::as_str), |_, _| {})?;
    let last = last.map(|last| (Arc::from(last.before), last.actor, Arc::from(last.action)));
    let ply = actions.len();
    Ok(Position { ply, inner: Arc::from(position), last, viewer: Viewer::All, is_running: true, outcome: None })
}
