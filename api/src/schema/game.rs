//! A game, and what belongs to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_graphql::connection::Edge;
use async_graphql::{Context, Enum, ID, Object, SimpleObject};
use plybook_events::body::Annotated;
use plybook_events::{Hash, LogId};
use plybook_rules::log::{Replay, Status};
use plybook_rules::{AnyPosition, Viewer};
use plybook_store::EventBytes;
use serde_json::Value;

use super::connection::{Page, Total};
use super::event::{Event, Events};
use super::games::Games;
use super::input::{GameOrigin, GameStatus, read_viewer};
use super::lines::{self, Fork};
use super::moves::{Move, Moves};
use super::player::Player;
use super::position::{Head, Outcome, Position, Verification};
use super::scalar::{DateTime, HashHex};
use super::{blocking, caller, desk, service};
use crate::draw::svg;
use crate::error::Problem;
use crate::models::Summary;
use crate::service::{Live, Service, record_json};

/// The most positions of one answer.
const POSITIONS_MAX: usize = 500;

/// The width of a drawn record in pixels.
const DRAWING_WIDTH: u32 = 800;

/// A game: what is listed of it without folding, and the rest when it is asked for.
pub struct Game {
    summary: Arc<Summary>,
    /// The game as it stood when this answer was begun.
    live: std::sync::OnceLock<(Arc<Replay>, Hash)>,
}

impl Game {
    /// A game of a list.
    pub fn listed(summary: Arc<Summary>) -> Self {
        Self { summary, live: std::sync::OnceLock::new() }
    }

    /// The game with an id.
    pub fn find(ctx: &Context<'_>, id: LogId) -> Option<Self> {
        service(ctx).models().known().games.get(id).cloned().map(Self::listed)
    }

    /// A game that was just changed.
    pub fn changed(ctx: &Context<'_>, live: &Live) -> Result<Self, Problem> {
        let id = live.replay().log();
        Self::find(ctx, id).ok_or_else(|| Problem::no_game(id))
    }

    /// The folded game; the same for all that is asked of this object.
    async fn replay(&self, ctx: &Context<'_>) -> Result<Arc<Replay>, Problem> {
        Ok(Arc::clone(&self.live(ctx).await?.0))
    }

    async fn live(&self, ctx: &Context<'_>) -> Result<&(Arc<Replay>, Hash), Problem> {
        if let Some(live) = self.live.get() {
            return Ok(live);
        }
        let (service, id) = (Arc::clone(service(ctx)), self.summary.id);
        let live = match service.cached(id) {
            Some(live) => live,
            None => blocking(move || service.game(id)).await?,
        };
        Ok(self.live.get_or_init(|| live.at()))
    }

    /// What is said of its plies.
    async fn said(&self, ctx: &Context<'_>, replay: &Arc<Replay>) -> Result<BTreeMap<usize, Annotated>, Problem> {
        let (service, replay) = (Arc::clone(service(ctx)), Arc::clone(replay));
        if replay.is_line() { blocking(move || service.said(&replay)).await } else { service.said(&replay) }
    }

    /// The viewer whose view the caller gets.
    fn viewer(ctx: &Context<'_>, replay: &Replay, asked: Option<&str>) -> Result<Viewer, Problem> {
        desk(ctx).viewer(replay, asked.map(read_viewer).transpose()?)
    }
}

/// A ply of a replay that must exist.
fn check_ply(replay: &Replay, ply: i32) -> Result<usize, Problem> {
    let plies = replay.mainline().len();
    usize::try_from(ply)
        .ok()
        .filter(|ply| *ply <= plies)
        .ok_or_else(|| Problem::BadInput(format!("the game has plies 0 to {plies}, there is no ply {ply}")))
}

/// The position at a ply, if the game has so many.
pub fn position_at(replay: &Replay, viewer: Viewer, ply: usize) -> Option<Position> {
    (ply <= replay.mainline().len()).then(|| positions(replay, viewer, ply, ply).pop())?
}

/// The positions of a range of plies, each one action on from the one before.
fn positions(replay: &Replay, viewer: Viewer, from: usize, to: usize) -> Vec<Position> {
    let mut before: Option<Arc<dyn AnyPosition>> =
        from.checked_sub(1).and_then(|ply| replay.position_at(ply)).map(Arc::from);
    let mut found = Vec::with_capacity(to + 1 - from);
    for ply in from..=to {
        let done = ply.checked_sub(1).map(|index| &replay.mainline()[index]);
        let table: Arc<dyn AnyPosition> = match (&before, done) {
            (Some(before), Some(done)) => {
                let mut table = before.boxed();
                table.act(done.actor, &done.token).expect("the mainline was folded before");
                Arc::from(table)
            }
            _ => Arc::from(replay.position_at(ply).expect("the ply was checked")),
        };
        let is_last = ply == replay.mainline().len();
        let ended = replay.end().filter(|_| is_last);
        // The scene itself keeps what the viewer may not know of the action.
        let last = before.take().zip(done).map(|(before, done)| (before, done.actor, Arc::clone(&done.token)));
        found.push(Position {
            ply,
            table: Arc::clone(&table),
            last,
            viewer,
            is_running: !is_last || replay.status() == Status::Running,
            outcome: ended.map(|end| Outcome { outcome: end.outcome.clone(), decided_by: end.decided_by }),
        });
        before = Some(table);
    }
    found
}

/// A game that is or was played, or a line of analysis.
#[Object]
impl Game {
    /// The id; also that of its log.
    pub async fn id(&self) -> ID {
        self.summary.id.to_string().into()
    }

    /// The game that is played, e.g. `triangulate`.
    async fn kind(&self) -> &str {
        &self.summary.kind
    }

    /// The version of the rules it is replayed under for ever.
    async fn rules_version(&self) -> &str {
        &self.summary.rules
    }

    /// The setup; of a running game with secrets only what the caller may see.
    #[graphql(complexity = "5")]
    async fn setup(&self, ctx: &Context<'_>) -> Result<Value, Problem> {
        let replay = self.replay(ctx).await?;
        let viewer = caller(ctx).viewer(&replay);
        Ok(if viewer == Viewer::All {
            replay.setup().clone()
        } else {
            replay.rules().setup_for(replay.setup(), viewer)
        })
    }

    /// Whether it was played, or is a line of analysis.
    async fn origin(&self) -> GameOrigin {
        if self.summary.fork.is_some() { GameOrigin::Analysis } else { GameOrigin::Recorded }
    }

    /// Where this line left its parent; null for a recorded game.
    async fn forked_from(&self) -> Option<Fork> {
        self.summary.fork.clone().map(Fork)
    }

    /// The name of a line.
    async fn name(&self) -> Option<&str> {
        self.summary.name.as_deref()
    }

    /// Whether it is a line that lists leave out; whoever knows its id still finds it.
    async fn hidden(&self) -> bool {
        self.summary.is_hidden
    }

    /// The player who keeps a line: who may act on it, annotate and arrange it, as recorders may.
    async fn owner(&self, ctx: &Context<'_>) -> Option<Player> {
        let known = service(ctx).models().known();
        known.players.get(self.summary.owner?).cloned().map(Player)
    }

    /// Lines that fork from this very log, at any ply: by that ply, those of one ply in the order in
    /// which they were put, then by their creation. Hidden lines are left out; `includeHidden` is for
    /// recorders, and for players, who get their own.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity + 1")]
    async fn branches(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        include_hidden: Option<bool>,
    ) -> Result<Games, Problem> {
        lines::branches(ctx, self.summary.id, &Page { first, after, ..Page::default() }, include_hidden)
    }

    /// The variation tree: this game's mainline, then all lines below it, transpositions joined by
    /// their keys; docs/lines.md says what is in it. At most `maxNodes` (2,000 unless said, up to
    /// 5,000) at once; `next` is the `after` of the rest. Hidden lines, and what is below them, are
    /// left out; `includeHidden` is for recorders, and for players, who get their own.
    #[graphql(complexity = "100")]
    async fn tree(
        &self,
        ctx: &Context<'_>,
        max_nodes: Option<i32>,
        after: Option<String>,
        include_hidden: Option<bool>,
    ) -> Result<Value, Problem> {
        let replay = self.replay(ctx).await?;
        lines::tree(ctx, replay, max_nodes, after, include_hidden).await
    }

    /// Who sits where, seat 1 first.
    async fn seats(&self, ctx: &Context<'_>) -> Vec<Seat> {
        let known = service(ctx).models().known();
        let seat = |(index, entry): (usize, &plybook_events::body::SeatEntry)| Seat {
            number: index as u8 + 1,
            player: entry.player.and_then(|id| known.players.get(id)).cloned().map(Player),
            name: entry.name.clone(),
            result: self.result(index as u8 + 1),
        };
        self.summary.seats.iter().enumerate().map(seat).collect()
    }

    /// Where it stands.
    async fn status(&self) -> GameStatus {
        self.summary.status().into()
    }

    /// How it ended, corrections applied; null while it runs.
    async fn outcome(&self) -> Option<Outcome> {
        let (outcome, decided_by) = (self.summary.outcome.clone()?, self.summary.decided_by?);
        Some(Outcome { outcome, decided_by })
    }

    /// When it was created.
    async fn created_at(&self) -> DateTime {
        DateTime(self.summary.created_at)
    }

    /// When it ended.
    async fn finished_at(&self) -> Option<DateTime> {
        self.summary.finished_at.map(DateTime)
    }

    /// The round of its tournament, from 1.
    async fn round(&self) -> Option<u32> {
        self.summary.round
    }

    /// The table in the round, from 1.
    async fn table(&self) -> Option<u32> {
        self.summary.table
    }

    /// What else it can be found by.
    async fn tags(&self) -> Value {
        Value::Object(self.summary.tags.clone())
    }

    /// Actions on the mainline (takebacks applied).
    async fn ply(&self) -> u32 {
        self.summary.ply
    }

    /// Whether the arbiter has changed the outcome; both stand in `events`.
    #[graphql(complexity = "5")]
    async fn corrected(&self, ctx: &Context<'_>) -> Result<bool, Problem> {
        Ok(self.replay(ctx).await?.is_corrected())
    }

    /// Why it was declared void.
    #[graphql(complexity = "5")]
    async fn void_reason(&self, ctx: &Context<'_>) -> Result<Option<String>, Problem> {
        Ok(self.replay(ctx).await?.voided().map(ToOwned::to_owned))
    }

    /// The seat that offers a draw and waits for an answer.
    #[graphql(complexity = "5")]
    async fn draw_offered_by(&self, ctx: &Context<'_>) -> Result<Option<u8>, Problem> {
        Ok(self.replay(ctx).await?.offer().map(|offer| offer.by))
    }

    /// The mainline, one entry per action. What `viewer` (default: what the caller may see) does not
    /// know shows as `?`; of a finished game a seat or the public is shown what they knew at the time.
    #[graphql(complexity = "Page::cost(first, last) * child_complexity + 1")]
    async fn moves(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        viewer: Option<String>,
    ) -> Result<Moves, Problem> {
        let replay = self.replay(ctx).await?;
        let viewer = Self::viewer(ctx, &replay, viewer.as_deref())?;
        let said = self.said(ctx, &replay).await?;
        let plies: Vec<usize> = (1..=replay.mainline().len()).collect();
        let page = Page { first, last, after, before };
        let node = |ply: &usize| Move { replay: Arc::clone(&replay), ply: *ply, viewer, said: said.get(ply).cloned() };
        page.cut(&plies, |ply| *ply as u64, node)
    }

    /// The raw log, as recorded, corrections included.
    #[graphql(complexity = "Page::cost(first, last) * child_complexity + 1")]
    async fn events(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Events, Problem> {
        let (service, id) = (Arc::clone(service(ctx)), self.summary.id);
        let seqs: Vec<u64> = (0..service.log().head(id).map_or(0, |head| head.seq() + 1)).collect();
        let range = Page { first, last, after, before }.range(&seqs, |seq| *seq)?;
        let total = Total { total_count: seqs.len() as u64 };
        let mut page = Events::with_additional_fields(range.start > 0, range.end < seqs.len(), total);
        if !range.is_empty() {
            let from = range.start as u64;
            let lines = blocking(move || Ok(service.log().read(id, from)?)).await?;
            for (seq, bytes) in range.zip(&lines) {
                page.edges.push(Edge::new(seq as u64, Event::read(bytes)?));
            }
        }
        Ok(page)
    }

    /// The position at a ply (default: the last), through the eyes of `viewer`: `all`, `public` or
    /// a seat's number (default: what the caller may see). So of a finished game: what seat 4 knew
    /// at ply 20.
    #[graphql(complexity = "5 + child_complexity")]
    async fn position(&self, ctx: &Context<'_>, ply: Option<i32>, viewer: Option<String>) -> Result<Position, Problem> {
        let replay = self.replay(ctx).await?;
        let viewer = Self::viewer(ctx, &replay, viewer.as_deref())?;
        let ply = ply.map_or(Ok(replay.mainline().len()), |ply| check_ply(&replay, ply))?;
        Ok(positions(&replay, viewer, ply, ply).pop().expect("one ply is one position"))
    }

    /// Every position from..to in one answer, for players of replays; at most 500 a request.
    #[graphql(complexity = "span(from, to) * child_complexity + 1")]
    async fn positions(
        &self,
        ctx: &Context<'_>,
        from: Option<i32>,
        to: Option<i32>,
        viewer: Option<String>,
    ) -> Result<Vec<Position>, Problem> {
        let replay = self.replay(ctx).await?;
        let viewer = Self::viewer(ctx, &replay, viewer.as_deref())?;
        let from = check_ply(&replay, from.unwrap_or(0))?;
        let last = replay.mainline().len();
        let to = match to.map(usize::try_from) {
            None => last.min(from + POSITIONS_MAX - 1),
            Some(Ok(to)) => to.min(last),
            Some(Err(_)) => return Err(Problem::BadInput("`to` is a ply, from 0".to_owned())),
        };
        if from > to {
            return Ok(Vec::new());
        }
        if to - from >= POSITIONS_MAX {
            return Err(Problem::BadInput(format!(
                "at most {POSITIONS_MAX} positions a request: {from} to {to} are more"
            )));
        }
        blocking(move || Ok(positions(&replay, viewer, from, to))).await
    }

    /// The last event.
    #[graphql(complexity = "5 + child_complexity")]
    async fn head(&self, ctx: &Context<'_>) -> Result<Head, Problem> {
        let (replay, hash) = self.live(ctx).await?;
        Ok(Head { seq: replay.events() - 1, hash: HashHex(*hash), ply: replay.mainline().len() as u64 })
    }

    /// A check of the whole log, from its bytes: the chain, the rules, what was sealed, the dice.
    #[graphql(complexity = "50 + child_complexity")]
    async fn verification(&self, ctx: &Context<'_>) -> Result<Verification, Problem> {
        let (service, id) = (Arc::clone(service(ctx)), self.summary.id);
        Ok(blocking(move || service.verification(id)).await?.into())
    }

    /// json: portable record with the exact log; ndjson: the exact log bytes; text: header and
    /// notation for people; svg: the last position.
    #[graphql(complexity = "50")]
    async fn record(&self, ctx: &Context<'_>, format: RecordFormat) -> Result<String, Problem> {
        let replay = self.replay(ctx).await?;
        let viewer = caller(ctx).viewer(&replay);
        let service = Arc::clone(service(ctx));
        blocking(move || written(&service, &replay, viewer, format)).await
    }
}

impl Game {
    fn result(&self, seat: u8) -> SeatResult {
        let Some(outcome) = self.summary.outcome.as_ref().filter(|_| !self.summary.is_void) else {
            return SeatResult::None;
        };
        if outcome.eliminated() == Some(seat) {
            SeatResult::Eliminated
        } else if outcome.winners.contains(&seat) {
            SeatResult::Win
        } else if outcome.winners.is_empty() {
            SeatResult::Draw
        } else {
            SeatResult::Loss
        }
    }
}

/// A record of a game as it stood, whatever has been recorded since.
fn written(service: &Service, replay: &Replay, viewer: Viewer, format: RecordFormat) -> Result<String, Problem> {
    let lines = || -> Result<Vec<EventBytes>, Problem> {
        let mut lines = service.log().read(replay.log(), 0)?;
        lines.truncate(replay.events() as usize);
        Ok(lines)
    };
    Ok(match format {
        RecordFormat::Json => format!("{}\n", record_json(replay, &lines()?, &service.below(replay.log())?)),
        RecordFormat::Ndjson => lines()?.iter().map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect(),
        RecordFormat::Text => service.text(replay, viewer)?,
        RecordFormat::Svg => {
            let ply = replay.mainline().len();
            let position = positions(replay, viewer, ply, ply).pop().expect("one ply is one position");
            let last = position.last.as_ref().map(|(before, actor, token)| (before.as_ref(), *actor, token.as_ref()));
            svg(&position.table.scene(viewer, last), DRAWING_WIDTH, &position.table.text(viewer))
        }
    })
}

/// What a range of positions costs.
fn span(from: Option<i32>, to: Option<i32>) -> usize {
    let from = from.unwrap_or(0).max(0);
    let span = to.map_or(POSITIONS_MAX as i32, |to| to.saturating_sub(from).saturating_add(1));
    (span.max(1) as usize).min(POSITIONS_MAX)
}

/// A place at the table.
#[derive(SimpleObject)]
pub struct Seat {
    /// From 1, in playing order.
    number: u8,
    /// Who sits there, where the player is known.
    player: Option<Player>,
    /// The name as it was on the day.
    name: String,
    /// What came of it; `NONE` while the game runs.
    result: SeatResult,
}

/// What a game brought a seat.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum SeatResult {
    /// It won, alone or with others.
    Win,
    /// Nobody won.
    Draw,
    /// Others won.
    Loss,
    /// It came last in a game that eliminates.
    Eliminated,
    /// The game is not over, or does not count.
    None,
}

/// The formats of a record.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum RecordFormat {
    /// Portable: a header, and the exact log that proves it.
    Json,
    /// The exact log bytes, one event a line.
    Ndjson,
    /// Header and notation, for people.
    Text,
    /// The last position as a picture.
    Svg,
}
