//! A game or a line of analysis.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_graphql::{Context, ID, Object};
use plybook_events::body::Annotated;
use plybook_events::{Body, Event, Hash, LogId};
use plybook_models::Summary;
use plybook_rules::Viewer;
use plybook_rules::log::{End, Replay, Status};
use plybook_service::error::Problem;
use plybook_service::load::Meter;
use plybook_service::{Live, NODES_DEFAULT, NODES_MAX};
use plybook_store::Entry;
use plybook_viewer::language::Language;

use super::analysis::Analysis;
use super::connection::Page;
use super::event::{EventPage, list_events};
use super::figures::GameFigures;
use super::games::GamePage;
use super::import::Import;
use super::input::{GameOrigin, GameStatus, RollSource, Signatures, read_viewer};
use super::lines::{self, Fork};
use super::moves::{Keys, Move, MovePage};
use super::player::Player;
use super::plies::{check_ply, positions, read_plies, span};
use super::position::{Deadline, Head, Outcome, Position, SigningPlace, Verification};
use super::record::{RecordFormat, record};
use super::refold::Refold;
use super::rule_set::RuleSet;
use super::scalar::{DateTime, HashHex, Json};
use super::scene::Scenes;
use super::seat::Seat;
use super::tlog::InclusionProof;
use super::tournament::Tournament;
use super::tree::Tree;
use super::{desk, json, measured, price, service, slow_down, spend};

/// The most imports of a game that are listed.
const IMPORTS_MAX: usize = 100;

/// The most events of a log that is folded in the lane for cheap operations.
const EVENTS_CHEAP: u64 = 500;

/// A game: the summary that lists show, and its log, which is folded only if a field needs it.
pub struct Game {
    summary: Arc<Summary>,
    /// The game at the moment of the summary, once a field has needed it, and the hash of its last event.
    live: std::sync::OnceLock<(Arc<Replay>, Hash)>,
}

impl Game {
    /// A game of a list.
    pub fn listed(summary: Arc<Summary>) -> Self {
        Self { summary, live: std::sync::OnceLock::new() }
    }

    /// The game with an id.
    pub fn find(ctx: &Context<'_>, id: LogId) -> Option<Self> {
        service(ctx).models().known().games.get(id).map(Self::listed)
    }

    /// Those of some games that are known, in this order. Who writes need not wait until all are read.
    pub fn find_all(ctx: &Context<'_>, ids: &[LogId]) -> Vec<Self> {
        ids.iter().filter_map(|id| Self::find(ctx, *id)).collect()
    }

    /// A game that was just changed.
    pub fn changed(ctx: &Context<'_>, live: &Live) -> Result<Self, Problem> {
        let id = live.replay().log();
        Self::find(ctx, id).ok_or_else(|| Problem::no_game(id))
    }

    /// The folded game, at the moment of the summary: what the fields of this object say belongs together.
    async fn replay(&self, ctx: &Context<'_>) -> Result<Arc<Replay>, Problem> {
        Ok(Arc::clone(&self.live(ctx).await?.0))
    }

    /// An event of the log, which is there even if the log cannot be folded because a secret is lost.
    fn entry(&self, ctx: &Context<'_>, seq: u64) -> Result<Entry, Problem> {
        spend(ctx, 0)?;
        service(ctx).log().entry(self.summary.id, seq)?.ok_or_else(|| Problem::no_game(self.summary.id))
    }

    async fn live(&self, ctx: &Context<'_>) -> Result<&(Arc<Replay>, Hash), Problem> {
        if let Some(live) = self.live.get() {
            return Ok(live);
        }
        let (service, id) = (service(ctx), self.summary.id);
        let live = if let Some(live) = service.cached(id) {
            live
        } else {
            slow_down(ctx, self.summary.standing.events > EVENTS_CHEAP).await?;
            spend(ctx, 0)?;
            service.game(id)?
        };
        let events = self.summary.standing.events;
        let mut moment = live.at();
        if moment.0.events() > events {
            // More was recorded since the summary was read.
            slow_down(ctx, events > EVENTS_CHEAP).await?;
            spend(ctx, 0)?;
            moment = service.past_at(id, events - 1)?;
        }
        Ok(self.live.get_or_init(|| moment))
    }

    /// Moves to the lane for expensive operations before the whole log is read if it is long or that of a line, for
    /// which those above it are read as well.
    async fn slow_down_to_read(&self, ctx: &Context<'_>) -> Result<(), Problem> {
        slow_down(ctx, self.summary.fork.is_some() || self.summary.standing.events > EVENTS_CHEAP).await?;
        spend(ctx, 0)
    }

    /// The annotations of its plies.
    fn said(ctx: &Context<'_>, replay: &Replay) -> Result<BTreeMap<usize, Annotated>, Problem> {
        service(ctx).said(replay)
    }

    /// The game as it stood after an event, and the viewer that the caller is now: what was open then may be secret
    /// again.
    async fn stood(
        &self,
        ctx: &Context<'_>,
        at: Option<i64>,
        viewer: Option<&str>,
    ) -> Result<(Arc<Replay>, Viewer), Problem> {
        let replay = self.replay(ctx).await?;
        let viewer = Self::viewer(ctx, &replay, viewer)?;
        let last = replay.events() - 1;
        let Some(at) = at.filter(|at| *at != last as i64) else { return Ok((replay, viewer)) };
        let at = u64::try_from(at).ok().filter(|at| *at < last).ok_or_else(|| {
            Problem::BadInput(format!("`at`: the log of this game has events 0 to {last}, and no event {at}"))
        })?;
        slow_down(ctx, at > EVENTS_CHEAP).await?;
        spend(ctx, 0)?;
        Ok((service(ctx).past(self.summary.id, at)?, viewer))
    }

    /// The viewer that the caller is by default.
    fn viewer(ctx: &Context<'_>, replay: &Replay, asked: Option<&str>) -> Result<Viewer, Problem> {
        desk(ctx).viewer(replay, asked.map(read_viewer).transpose()?)
    }
}

/// A game that is or was played, or a line of analysis.
#[Object]
impl Game {
    /// The id, which is also that of its log.
    pub async fn id(&self) -> ID {
        self.summary.id.to_string().into()
    }

    /// The kind of game, e.g. `triangulate`.
    async fn kind(&self) -> &str {
        &self.summary.kind
    }

    /// The version of the rules under which it was recorded and is replayed.
    async fn rules_version(&self) -> &str {
        &self.summary.rules
    }

    /// The rules under which it was recorded; null if they are not among those of this service.
    async fn rule_set(&self) -> Option<RuleSet> {
        RuleSet::of(&self.summary.kind, Some(&self.summary.rules))
    }

    /// The setup; while a game with secrets runs, only what the caller may see of it.
    async fn setup(&self, ctx: &Context<'_>) -> Result<Option<Json>, Problem> {
        json(ctx, &desk(ctx).setup(self.replay(ctx).await?.as_ref())).map(Some)
    }

    /// Whether it is a recorded game or a line of analysis.
    async fn origin(&self) -> GameOrigin {
        if self.summary.fork.is_some() { GameOrigin::Analysis } else { GameOrigin::Recorded }
    }

    /// Where this line leaves its parent; null for a recorded game.
    async fn forked_from(&self) -> Option<Fork> {
        self.summary.fork.clone().map(Fork)
    }

    /// The name of a line.
    async fn name(&self) -> Option<&str> {
        self.summary.standing.name.as_deref()
    }

    /// Whether lists leave this line out. It can still be found by its id.
    async fn hidden(&self) -> bool {
        self.summary.standing.is_hidden
    }

    /// The player who owns the line and, like recorders, may act on it, annotate it and arrange it.
    async fn owner(&self, ctx: &Context<'_>) -> Option<Player> {
        let known = service(ctx).models().known();
        known.players.get(self.summary.owner?).cloned().map(Player)
    }

    /// The lines that fork directly from this log, ordered by the ply at which they leave it, then by rank,
    /// then by creation. Hidden lines are left out; with `includeHidden`, recorders get all of them and
    /// players their own.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity.max(1) + price::LIST")]
    async fn branches(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        include_hidden: Option<bool>,
    ) -> Result<Option<GamePage>, Problem> {
        lines::branches(ctx, self.summary.id, &Page { first, after, ..Page::default() }, include_hidden).await.map(Some)
    }

    /// The variation tree: the game's mainline, then all lines below it; transpositions are linked by `same`.
    /// See docs/lines.md. It holds at most `maxNodes` nodes and as many lines (default 2,000, at most 5,000);
    /// pass `next` as `after` to get the rest. Hidden lines and the lines below them are left out; with
    /// `includeHidden`, recorders get all of them and players their own.
    #[graphql(complexity = "price::tree(tree_nodes(max_nodes)) + child_complexity")]
    async fn tree(
        &self,
        ctx: &Context<'_>,
        max_nodes: Option<i32>,
        after: Option<String>,
        include_hidden: Option<bool>,
    ) -> Result<Option<Tree>, Problem> {
        let replay = self.replay(ctx).await?;
        lines::tree(ctx, replay, max_nodes, after, include_hidden).await.map(Some)
    }

    /// The seats, seat 1 first.
    #[graphql(complexity = "price::SEATS * child_complexity.max(1) + 1")]
    async fn seats(&self, ctx: &Context<'_>) -> Vec<Seat> {
        let known = service(ctx).models().known();
        Seat::all_of(&self.summary, |id| known.players.get(id).cloned().map(Player))
    }

    /// Which seats win and lose together: the seats of each team, ascending. In most games every seat is a team of its own.
    async fn teams(&self, ctx: &Context<'_>) -> Result<Option<Vec<Vec<u8>>>, Problem> {
        Ok(Some(self.replay(ctx).await?.position().teams().groups()))
    }

    /// Whether the game is running, finished or void.
    async fn status(&self) -> GameStatus {
        self.summary.standing.status().into()
    }

    /// How it ended, corrections included; null while it runs.
    async fn outcome(&self) -> Option<Outcome> {
        let End { outcome, decided_by, .. } = self.summary.standing.end.clone()?;
        Some(Outcome { outcome, decided_by })
    }

    /// When it was recorded here: created, or imported.
    async fn created_at(&self) -> DateTime {
        DateTime(self.summary.created_at)
    }

    /// When it was played, as stated in its log: a day such as `2026-11-20`, or a time. Null if it is not
    /// stated.
    async fn played(&self) -> Option<String> {
        self.summary.played.map(|played| played.to_string())
    }

    /// Whether any of its events were imported instead of being recorded here.
    async fn imported(&self) -> bool {
        self.summary.is_imported
    }

    /// Each import of events of its log, in order: at most the last 100. Empty if all of them were recorded here.
    #[graphql(complexity = "price::IMPORTS * child_complexity.max(1) + 1")]
    async fn imports(&self, ctx: &Context<'_>) -> Vec<Import> {
        let known = service(ctx).models().known();
        let imports = known.imports.of(self.summary.id);
        imports[imports.len().saturating_sub(IMPORTS_MAX)..].iter().cloned().map(Import).collect()
    }

    /// When it was played, for lists: the stated time or the beginning of the stated day, or else when its log says that
    /// it was created.
    async fn played_at(&self) -> DateTime {
        DateTime(self.summary.played_at())
    }

    /// Whether it may count for ratings; docs/ratings.md lists the other conditions.
    async fn rated(&self) -> bool {
        !self.summary.is_unrated && self.summary.fork.is_none()
    }

    /// The mean rating of its players before it, of those who had one. Null if it is not rated.
    async fn average_rating(&self, ctx: &Context<'_>) -> Option<f64> {
        let service = service(ctx);
        service.ratings().wait();
        let known = service.models().known();
        known.games.row(self.summary.id)?.rating().map(f64::from)
    }

    /// When its end was recorded here.
    async fn finished_at(&self) -> Option<DateTime> {
        self.summary.finished_at().map(DateTime)
    }

    /// The tournament it belongs to; null if it belongs to none, or to one that is not recorded here.
    async fn tournament(&self, ctx: &Context<'_>) -> Option<Tournament> {
        Tournament::find(ctx, self.summary.tournament?)
    }

    /// The tournament round, from 1.
    async fn round(&self) -> Option<u32> {
        self.summary.round
    }

    /// The table in that round, from 1.
    async fn table(&self) -> Option<u32> {
        self.summary.table
    }

    /// Names and values to find it by.
    async fn tags(&self, ctx: &Context<'_>) -> Result<Json, Problem> {
        json(ctx, &self.summary.tags)
    }

    /// The number of actions on the mainline.
    async fn ply(&self) -> u32 {
        self.summary.standing.ply
    }

    /// Whether an arbiter has corrected the outcome; `originalOutcome` is the one before.
    async fn corrected(&self) -> bool {
        self.summary.standing.original.is_some()
    }

    /// How it ended before an arbiter corrected the outcome for the first time; null if none did.
    async fn original_outcome(&self) -> Option<Outcome> {
        let End { outcome, decided_by, .. } = self.summary.standing.original.clone()?;
        Some(Outcome { outcome, decided_by })
    }

    /// Why it was declared void.
    async fn void_reason(&self, ctx: &Context<'_>) -> Result<Option<String>, Problem> {
        Ok(self.replay(ctx).await?.voided().map(ToOwned::to_owned))
    }

    /// The seats that have contributed to the service's dice, in the order in which they did; see
    /// docs/fair-dice.md.
    async fn entropy_from(&self, ctx: &Context<'_>) -> Result<Option<Vec<u8>>, Problem> {
        Ok(Some(self.replay(ctx).await?.contributors().collect()))
    }

    /// The seats that can still contribute to the service's dice with `addEntropy`: none once it has rolled.
    async fn entropy_awaited_from(&self, ctx: &Context<'_>) -> Result<Option<Vec<u8>>, Problem> {
        Ok(Some(self.replay(ctx).await?.awaited_contributors().collect()))
    }

    /// When the running round opens and is due; null for a game without deadlines, or one that is not running.
    async fn deadline(&self) -> Option<Deadline> {
        let deadline = self.summary.standing.deadline.filter(|_| self.summary.standing.status() == Status::Running)?;
        let plybook_rules::Deadline { opens, due } = deadline;
        (deadline != plybook_rules::Deadline::default())
            .then(|| Deadline { opens: opens.map(DateTime), due: due.map(DateTime) })
    }

    /// The seat whose draw offer awaits an answer.
    async fn draw_offered_by(&self, ctx: &Context<'_>) -> Result<Option<u8>, Problem> {
        Ok(self.replay(ctx).await?.offer().map(|offer| offer.by))
    }

    /// The mainline, one entry per action, as `viewer` sees it (default: as much as the caller may see). An
    /// action unknown to the viewer is `?`. Once the game is over, a seat or the public sees what it knew at
    /// the time. With `at`, the mainline as it was after the event with that seq, so that what was taken back
    /// can be looked at.
    #[graphql(complexity = "Page::cost(first, last) * child_complexity.max(1) + price::folded(at)")]
    async fn moves(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        viewer: Option<String>,
        at: Option<i64>,
    ) -> Result<Option<MovePage>, Problem> {
        let (replay, viewer) = self.stood(ctx, at, viewer.as_deref()).await?;
        let said = Self::said(ctx, &replay)?;
        let plies: Vec<usize> = (1..=replay.mainline().len()).collect();
        let page = Page { first, last, after, before };
        let range = page.range(&plies, |ply| *ply as u64)?;
        let keys = Arc::new(Keys::new(Arc::clone(&replay), viewer, range.start + 1..=range.end));
        let node = |ply: &usize| Move {
            replay: Arc::clone(&replay),
            ply: *ply,
            viewer,
            said: said.get(ply).cloned(),
            keys: Arc::clone(&keys),
        };
        page.cut(&plies, |ply| *ply as u64, node).map(Some)
    }

    /// The log as it was recorded, including corrections.
    #[graphql(complexity = "Page::cost(first, last) * (child_complexity + 1) + price::FOLD")]
    async fn events(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Option<EventPage>, Problem> {
        list_events(ctx, self.summary.id, self.summary.standing.events, &Page { first, last, after, before }).map(Some)
    }

    /// The position at a ply (default: the last), as `viewer` sees it: `all`, `public` or the number of a
    /// seat (default: as much as the caller may see). Once the game is over, this also shows, for example,
    /// what seat 4 knew at ply 20. With `at`, a position of the mainline as it was after the event with that
    /// seq, so that what was taken back can be looked at.
    #[graphql(complexity = "price::AT_PLY + price::folded(at) + child_complexity")]
    async fn position(
        &self,
        ctx: &Context<'_>,
        ply: Option<i32>,
        viewer: Option<String>,
        at: Option<i64>,
    ) -> Result<Option<Position>, Problem> {
        let (replay, viewer) = self.stood(ctx, at, viewer.as_deref()).await?;
        let ply = ply.map_or(Ok(replay.mainline().len()), |ply| check_ply(&replay, ply))?;
        Ok(positions(&replay, viewer, ply..ply + 1).pop())
    }

    /// All positions from ply `from` to ply `to`, for replay viewers; at most 500 per request. With `at`, those of
    /// the mainline as it was after the event with that seq.
    #[graphql(
        complexity = "span(from, to) * child_complexity.max(1) + price::positions(span(from, to)) + price::folded(at)"
    )]
    async fn positions(
        &self,
        ctx: &Context<'_>,
        from: Option<i32>,
        to: Option<i32>,
        viewer: Option<String>,
        at: Option<i64>,
    ) -> Result<Option<Vec<Position>>, Problem> {
        let (replay, viewer) = self.stood(ctx, at, viewer.as_deref()).await?;
        let plies = read_plies(&replay, from, to)?;
        spend(ctx, 0)?;
        Ok(Some(positions(&replay, viewer, plies)))
    }

    /// What to draw from ply `from` to ply `to`: the same as `positions { scene }`, with everything that these scenes
    /// share only once, so that a step takes a hundred bytes instead of the whole board. At most 500 plies per
    /// request. docs/scenes.md shows how to put the scenes together.
    #[graphql(complexity = "price::scenes(span(from, to)) + price::positions(span(from, to)) + price::folded(at)")]
    async fn scenes(
        &self,
        ctx: &Context<'_>,
        from: Option<i32>,
        to: Option<i32>,
        viewer: Option<String>,
        at: Option<i64>,
    ) -> Result<Option<Json>, Problem> {
        let (replay, viewer) = self.stood(ctx, at, viewer.as_deref()).await?;
        let plies = read_plies(&replay, from, to)?;
        spend(ctx, 0)?;
        let scenes = Scenes::of(ctx, self.summary.kind.clone(), &positions(&replay, viewer, plies))?;
        json(ctx, &scenes).map(Some)
    }

    /// What was counted in it: measures, luck and heat, as in the statistics of many games. Null for lines of
    /// analysis, and for games with secrets until they are over.
    #[graphql(complexity = "price::LOOKUP + child_complexity")]
    async fn figures(&self, ctx: &Context<'_>) -> Result<Option<GameFigures>, Problem> {
        spend(ctx, 0)?;
        Ok(GameFigures::find(ctx, self.summary.id))
    }

    /// What the engine says of each position; see docs/analysis.md. Null if nobody asked for it with `analyze`, while a
    /// game with secrets runs and, except for arbiters, while a tournament game runs.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn analysis(&self, ctx: &Context<'_>) -> Result<Option<Analysis>, Problem> {
        spend(ctx, 0)?;
        let is_whole = ["plies", "accuracy", "turningPoints"].iter().any(|of| ctx.look_ahead().field(of).exists());
        Ok(desk(ctx).analysis(&self.summary, is_whole)?.map(Analysis))
    }

    /// The last event.
    async fn head(&self, ctx: &Context<'_>) -> Result<Head, Problem> {
        let (game, standing) = (self.summary.id, &self.summary.standing);
        let seq = standing.events - 1;
        Ok(Head { seq, hash: HashHex(self.entry(ctx, seq)?.hash), ply: standing.ply.into(), game })
    }

    /// Whether what people do in the game has to be signed.
    async fn signatures(&self, ctx: &Context<'_>) -> Result<Signatures, Problem> {
        let first = Event::parse(&self.entry(ctx, 0)?.bytes).map_err(Problem::internal)?;
        Ok(Signatures::of(matches!(first.body, Body::Created(created) if created.signed)))
    }

    /// Where its rolls come from; null in a game without dice.
    async fn rolls(&self, ctx: &Context<'_>) -> Result<Option<RollSource>, Problem> {
        let replay = &self.live(ctx).await?.0;
        Ok(replay.has_dice().then(|| RollSource::of(replay.created().rolls)))
    }

    /// What the signer of the next event names as `seq` and `prev`: the event after the head or, if `revealed` events come
    /// last, the first of them. See FORMAT.md.
    async fn signing_place(&self, ctx: &Context<'_>) -> Result<Option<SigningPlace>, Problem> {
        let (replay, hash) = self.live(ctx).await?;
        let place = replay.place_of_next(*hash);
        Ok(Some(SigningPlace { seq: place.seq, prev: HashHex(place.prev) }))
    }

    /// Verifies the whole log from its bytes: the hash chain, the signatures, the rules, the commitments, the dice.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn verification(&self, ctx: &Context<'_>) -> Result<Option<Verification>, Problem> {
        self.slow_down_to_read(ctx).await?;
        let service = service(ctx);
        let found = measured(ctx, |meter| service.verification(self.summary.id, meter)).await?;
        Ok(Some(Verification::of(found, &service.key_holders(&self.summary.players))))
    }

    /// The game judged again by the present rules of its kind, whatever version it was recorded under: the first event
    /// that they disagree with. Only what the log shows everybody is judged, for every caller alike, and nothing is changed.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn refold(&self, ctx: &Context<'_>) -> Result<Option<Refold>, Problem> {
        self.slow_down_to_read(ctx).await?;
        let judged = measured(ctx, |meter| service(ctx).refold(self.summary.id, meter)).await?;
        Ok(Some(judged.into()))
    }

    /// The proof that the transparency log contains an event of the game's log: the head, or the one with `seq`. As each
    /// event carries the hash of the one before it, the proof of the head covers the whole log. Null until a checkpoint
    /// covers the event, which takes a second at most, and if the service keeps no transparency log.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn inclusion(&self, ctx: &Context<'_>, seq: Option<i64>) -> Result<Option<InclusionProof>, Problem> {
        InclusionProof::read(ctx, self.summary.id, seq)
    }

    /// The record of the game in one of the formats. `withAnalysis` adds the `analysis` of the game to a `JSON` or `TEXT`
    /// record, if it is complete, not stale, and not hidden from the caller. `language` is that of an `HTML` page, English
    /// unless it is given.
    #[graphql(complexity = "price::LOG + if with_analysis == Some(true) { price::LOG } else { 0 }")]
    async fn record(
        &self,
        ctx: &Context<'_>,
        format: RecordFormat,
        with_analysis: Option<bool>,
        language: Option<Language>,
    ) -> Result<Option<String>, Problem> {
        let (replay, head) = self.live(ctx).await?;
        let viewer = desk(ctx).viewer(replay, None)?;
        // To compress a page takes long, however short the game.
        slow_down(ctx, format == RecordFormat::Html || replay.events() > EVENTS_CHEAP).await?;
        spend(ctx, 0)?;
        let analysis = if with_analysis.unwrap_or_default() {
            if !matches!(format, RecordFormat::Json | RecordFormat::Text) {
                let why = "`withAnalysis`: an analysis is added to records in `JSON` and `TEXT`";
                return Err(Problem::BadInput(why.to_owned()));
            }
            desk(ctx).analysis(&self.summary, true)?.filter(|analysis| analysis.is_complete_of(*head))
        } else {
            None
        };
        if language.is_some() && format != RecordFormat::Html {
            return Err(Problem::BadInput("`language`: only records in `HTML` have one".to_owned()));
        }
        let (service, language) = (service(ctx), language.unwrap_or_default());
        let write = |meter: &Meter<'_>| record(service, replay, viewer, format, analysis.as_ref(), language, meter);
        measured(ctx, write).await.map(Some)
    }
}

/// The number of nodes of a tree that the price counts.
fn tree_nodes(max_nodes: Option<i32>) -> usize {
    usize::try_from(max_nodes.unwrap_or(NODES_DEFAULT as i32)).unwrap_or(0).min(NODES_MAX)
}

#[cfg(test)]
mod tests {
    use async_graphql::{EmptyMutation, EmptySubscription, Schema};
    use plybook_rules::log::Command;
    use plybook_service::access::Tokens;
    use plybook_service::{NewGame, NewSeat, Service};
    use plybook_store::Store;

    use super::*;

    /// Answers with a summary that may be older than the log.
    struct Stale(Arc<Summary>);

    #[Object]
    impl Stale {
        async fn game(&self) -> Game {
            Game::listed(Arc::clone(&self.0))
        }
    }

    #[tokio::test]
    async fn all_fields_are_of_the_moment_of_the_summary() {
        let service = Service::start(Store::in_memory().unwrap()).unwrap();
        let about = plybook_rules::kinds()[0].about();
        let seats = vec![NewSeat::default(); usize::from(about.seats_min)];
        let new = NewGame { kind: about.kind.to_owned(), seats, ..NewGame::default() };
        let live = service.create_game(&new).unwrap();
        let id = live.replay().log();
        let act = || {
            let replay = live.replay();
            let actor = replay.position().to_act().only().unwrap();
            let action = replay.position().legal(actor).unwrap()[0].clone();
            service.command(&live, &[Command::Act { actor, action, clock_ms: None }], None).unwrap();
        };
        let schema = || {
            let summary = service.models().known().games.get(id).unwrap();
            let schema = Schema::build(Stale(summary), EmptyMutation, EmptySubscription);
            schema.data(Arc::clone(&service)).data(Arc::new(Tokens::in_memory())).finish()
        };
        let asked = "{ game { ply position { ply } head { ply seq hash } moves { totalCount } \
                     events(last: 1) { totalCount nodes { hash } } } }";
        act();
        let schema = schema();
        let before = schema.execute(asked).await;
        act();
        let after = schema.execute(asked).await;
        assert!(before.errors.is_empty() && after.errors.is_empty(), "{before:?} {after:?}");
        assert_eq!(before.data, after.data);
        let data = after.data.into_json().unwrap();
        assert_eq!(data["game"]["ply"], data["game"]["position"]["ply"]);
        assert_eq!(data["game"]["head"]["hash"], data["game"]["events"]["nodes"][0]["hash"]);
    }
}
