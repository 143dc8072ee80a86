//! What can be changed.

use std::sync::Arc;

use async_graphql::{Context, ID, Object};
use plybook_events::body::Annotated;
use plybook_events::{Actor, By};
use plybook_rules::log::Command;
use plybook_rules::log::Replay;
use plybook_rules::{AnyPosition, Viewer};

use super::game::{Game, RecordFormat};
use super::input::{ActInput, CreateGame, CreatePlayer, Ruling, read_id};
use super::lines;
use super::player::Player;
use super::{blocking, caller, service};
use crate::caller::{Caller, Role};
use crate::error::Problem;
use crate::service::{Live, Service};

/// The most actions of one request.
const ACTIONS_MAX: usize = 5_000;

/// The most characters of an action.
const ACTION_CHARS_MAX: usize = 4_000;

/// What can be changed. Every change is an event: nothing is ever erased.
pub struct Mutation;

/// Changes a game or a line: `change` runs where it may wait for the disk. Whether the caller may
/// change a line is asked here, for all of it at once; of a game, `change` asks.
async fn change(
    ctx: &Context<'_>,
    game: &ID,
    change: impl FnOnce(&Service, &Live, &Replay, &Caller) -> Result<(), Problem> + Send + 'static,
) -> Result<Game, Problem> {
    let id = read_id(game)?;
    let (service, caller) = (Arc::clone(service(ctx)), caller(ctx).clone());
    let live = blocking(move || {
        caller.require(Role::Player)?;
        caller.require_game(service.root(id))?;
        let live = service.game(id)?;
        let replay = live.replay();
        if replay.is_line() {
            service.require_keeper(&caller, &replay)?;
        }
        change(&service, &live, &replay, &caller)?;
        Ok(live)
    })
    .await?;
    Game::changed(ctx, &live)
}

/// Records actions. What a refusal says is for those who may look through the eyes of the seat.
fn record(
    service: &Service,
    live: &Live,
    replay: &Replay,
    caller: &Caller,
    actions: Vec<ActInput>,
    expected: Option<u64>,
) -> Result<(), Problem> {
    check(replay, &actions)?;
    let count = actions.len();
    let first_ply = replay.mainline().len() + 1;
    let is_roll = count == 1 && replay.position().to_act().only() == Some(Actor::Chance);
    let recorded = acts(replay, caller, actions).and_then(|acts| service.command(live, acts, expected));
    let is_blind = |seat| !caller.may_view(replay, Viewer::Seat(seat)) && caller.role >= Role::Recorder;
    if is_roll || !(1..=replay.position().seats()).any(is_blind) {
        return recorded;
    }
    recorded.map_err(|problem| discreet(problem, first_ply, count))
}

/// A refusal that says nothing of what a seat knows, for a recorder who does not see it.
fn discreet(problem: Problem, first_ply: usize, count: usize) -> Problem {
    let hidden = "in a game with secrets, why it is not legal and what would be is for the seat and the arbiter only";
    match problem {
        Problem::IllegalAction { ply, action, .. } if count == 1 => {
            Problem::IllegalAction { ply, action, why: hidden.to_owned(), near: Vec::new() }
        }
        // Which one it was, and where the others would have led, would tell how the first ones were judged.
        Problem::IllegalAction { .. } | Problem::NotYourTurn(_) | Problem::GameOver | Problem::BadInput(_)
            if count > 1 =>
        {
            let action = format!("one of {count} actions");
            Problem::IllegalAction { ply: first_ply, action, why: hidden.to_owned(), near: Vec::new() }
        }
        other => other,
    }
}

/// The actor of an action that names no seat: the only one to act, or of several the caller's own.
fn actor(table: &dyn AnyPosition, replay: &Replay, caller: &Caller) -> Result<Actor, Problem> {
    let to_act = table.to_act();
    if to_act.is_empty() {
        return Err(Problem::GameOver);
    }
    if let Some(only) = to_act.only() {
        return Ok(only);
    }
    let is_own = |actor: &Actor| matches!(actor, Actor::Seat(seat) if caller.sits_in(replay, *seat));
    let mut own = to_act.iter().filter(is_own);
    match (own.next(), own.next()) {
        (Some(own), None) => Ok(own),
        (None, _) if caller.role == Role::Player && !replay.is_line() => {
            Err(Problem::NotYourTurn("it is not the turn of your seat".to_owned()))
        }
        _ => Err(Problem::BadInput("several seats are to act: say which `seat`".to_owned())),
    }
}

/// Whether an action that was judged is hidden from others.
fn is_secret(table: &dyn AnyPosition, actor: Actor, token: &str) -> bool {
    table.judge(actor, token).is_ok_and(|action| table.shown(Viewer::Public, actor, &action) != Some(action))
}

/// What can be said against actions without judging them.
fn check(replay: &Replay, actions: &[ActInput]) -> Result<(), Problem> {
    if actions.is_empty() || actions.len() > ACTIONS_MAX {
        return Err(Problem::BadInput(format!("send 1 to {ACTIONS_MAX} actions at once")));
    }
    if actions.iter().any(|input| input.action.len() > ACTION_CHARS_MAX) {
        return Err(Problem::BadInput(format!("an action has at most {ACTION_CHARS_MAX} characters")));
    }
    let seats = replay.position().seats();
    if actions.iter().filter_map(|input| input.seat).any(|seat| !(1..=seats).contains(&seat)) {
        return Err(Problem::BadInput(format!("seats are numbered from 1 to {seats}")));
    }
    Ok(())
}

/// The commands of several actions. An action without a seat is that of the only one to act, or of
/// several the caller's own.
///
/// What is secret comes last: a caller who does not see everything could otherwise add something
/// illegal to it, and learn from the refusal what the secret would have led to, with nothing written.
fn acts(replay: &Replay, caller: &Caller, actions: Vec<ActInput>) -> Result<Vec<Command>, Problem> {
    let sees_all = replay.is_open() || caller.may_view(replay, Viewer::All);
    let count = actions.len();
    let mut table = replay.position().boxed();
    let mut commands = Vec::with_capacity(actions.len());
    for (index, input) in actions.into_iter().enumerate() {
        let actor =
            input.seat.map_or_else(|| self::actor(table.as_ref(), replay, caller), |seat| Ok(Actor::Seat(seat)))?;
        match actor {
            _ if replay.is_line() => {}
            Actor::Seat(seat) => caller.require_seat(replay, seat)?,
            Actor::Chance => caller.require(Role::Recorder)?,
        }
        if !sees_all && index + 1 < count && is_secret(table.as_ref(), actor, &input.action) {
            return Err(Problem::BadInput(
                "what is submitted in secret comes last: send what follows it by itself".to_owned(),
            ));
        }
        // A refusal is told by the service, which judges once more; what follows it is of no use.
        if table.act(actor, &input.action).is_err() {
            commands.push(Command::Act { actor, token: input.action, clock_ms: input.clock_ms });
            break;
        }
        commands.push(Command::Act { actor, token: input.action, clock_ms: input.clock_ms });
    }
    Ok(commands)
}

/// The seq that the caller expects to be the last.
fn expected(seq: Option<i64>) -> Result<Option<u64>, Problem> {
    let read = |seq| u64::try_from(seq).map_err(|_| Problem::BadInput("`expectedSeq` is a seq, from 0".to_owned()));
    seq.map(read).transpose()
}

/// What can be changed. Every change is an event: nothing is ever erased.
#[Object]
impl Mutation {
    /// Makes a player known. For recorders.
    async fn create_player(&self, ctx: &Context<'_>, input: CreatePlayer) -> Result<Player, Problem> {
        caller(ctx).require(Role::Recorder)?;
        caller(ctx).require_any_game()?;
        let service = Arc::clone(service(ctx));
        Ok(Player(blocking(move || service.create_player(&input.name)).await?))
    }

    /// Creates a game. For recorders.
    async fn create_game(&self, ctx: &Context<'_>, input: CreateGame) -> Result<Game, Problem> {
        caller(ctx).require(Role::Recorder)?;
        caller(ctx).require_any_game()?;
        let new = input.read()?;
        let service = Arc::clone(service(ctx));
        let live = blocking(move || service.create_game(new)).await?;
        Game::changed(ctx, &live)
    }

    /// Records an action. `seat` is left out where only one is to act, for chance, and by a player
    /// who acts for the own seat.
    /// `expectedSeq`: the seq of the last event the caller knows; a mismatch is `LOG_CONFLICT` and
    /// nothing is written.
    async fn act(
        &self,
        ctx: &Context<'_>,
        game: ID,
        seat: Option<u8>,
        action: String,
        expected_seq: Option<i64>,
        clock_ms: Option<u64>,
    ) -> Result<Game, Problem> {
        let expected = expected(expected_seq)?;
        change(ctx, &game, move |service, live, replay, caller| {
            record(service, live, replay, caller, vec![ActInput { seat, action, clock_ms }], expected)
        })
        .await
    }

    /// Records several actions, all or none. In a game with secrets nothing follows a secret action
    /// in one request, unless the caller sees everything.
    #[graphql(complexity = "actions.len() + child_complexity")]
    async fn act_all(
        &self,
        ctx: &Context<'_>,
        game: ID,
        actions: Vec<ActInput>,
        expected_seq: Option<i64>,
    ) -> Result<Game, Problem> {
        let expected = expected(expected_seq)?;
        change(ctx, &game, move |service, live, replay, caller| {
            record(service, live, replay, caller, actions, expected)
        })
        .await
    }

    /// The time of a round is up: for every seat still to act the service submits what the rules
    /// say (in Triforce Building `-`), all at once. A clock program calls it with the seq of the last
    /// event it knows, so that it closes no other round than it means. For recorders.
    async fn close_round(&self, ctx: &Context<'_>, game: ID, expected_seq: Option<i64>) -> Result<Game, Problem> {
        caller(ctx).require(Role::Recorder)?;
        let expected = expected(expected_seq)?;
        change(ctx, &game, move |service, live, _, _| service.command(live, vec![Command::CloseRound], expected)).await
    }

    /// Lets the service roll what the position awaits: fair dice, see docs/fair-dice.md. For
    /// recorders and whoever plays in the game or keeps the line.
    async fn roll(&self, ctx: &Context<'_>, game: ID, expected_seq: Option<i64>) -> Result<Game, Problem> {
        let expected = expected(expected_seq)?;
        change(ctx, &game, move |service, live, replay, caller| {
            let plays = (1..=replay.position().seats()).any(|seat| caller.sits_in(replay, seat));
            if !plays && !replay.is_line() {
                caller.require(Role::Recorder)?;
            }
            service.roll(live, expected)
        })
        .await
    }

    /// Takes the mainline back to an earlier ply; what is taken back stays in the log. For arbiters;
    /// on a line, which is not taken back beyond where it begins, for whoever keeps it.
    async fn take_back(
        &self,
        ctx: &Context<'_>,
        game: ID,
        to_ply: u32,
        reason: String,
        expected_seq: Option<i64>,
    ) -> Result<Game, Problem> {
        let expected = expected(expected_seq)?;
        change(ctx, &game, move |service, live, replay, caller| {
            if !replay.is_line() {
                caller.require(Role::Arbiter)?;
            }
            service.command(live, vec![Command::TakeBack { to_ply, reason }], expected)
        })
        .await
    }

    /// Comments on a ply; replaces what was said of it before, and without comment and glyphs
    /// removes it. For recorders and whoever plays in the game or keeps the line.
    async fn annotate(
        &self,
        ctx: &Context<'_>,
        game: ID,
        ply: u32,
        comment: Option<String>,
        glyphs: Option<Vec<String>>,
    ) -> Result<Game, Problem> {
        change(ctx, &game, move |service, live, replay, caller| {
            let seat = (1..=replay.position().seats()).find(|seat| caller.sits_in(replay, *seat));
            let by = if let Some(seat) = seat {
                By::Seat(seat)
            } else if replay.is_line() {
                By::Arbiter
            } else {
                caller.require(Role::Recorder)?;
                By::Arbiter
            };
            let annotated = Annotated { ply, comment, glyphs: glyphs.unwrap_or_default() };
            service.command(live, vec![Command::Annotate { by, annotated }], None)
        })
        .await
    }

    /// A seat gives up: of two the other one wins. In a game with rounds that can be closed it is
    /// the player who leaves: from now on the service submits for the seat what it would submit when
    /// a round is closed. That is for good; a takeback does not undo it.
    async fn resign(&self, ctx: &Context<'_>, game: ID, seat: u8) -> Result<Game, Problem> {
        for_seat(ctx, game, seat, Command::Resign(seat)).await
    }

    /// A seat offers a draw; it stands until another acts or declines.
    async fn offer_draw(&self, ctx: &Context<'_>, game: ID, seat: u8) -> Result<Game, Problem> {
        for_seat(ctx, game, seat, Command::OfferDraw(seat)).await
    }

    /// A seat answers the draw offer; once all have agreed the game is drawn.
    async fn answer_draw(&self, ctx: &Context<'_>, game: ID, seat: u8, accept: bool) -> Result<Game, Problem> {
        for_seat(ctx, game, seat, Command::AnswerDraw { seat, accept }).await
    }

    /// A seat's clock ran out: the other one wins. For recorders.
    async fn flag_fall(&self, ctx: &Context<'_>, game: ID, seat: u8) -> Result<Game, Problem> {
        caller(ctx).require(Role::Recorder)?;
        for_seat(ctx, game, seat, Command::FlagFall(seat)).await
    }

    /// Decides a running game, or changes the outcome of a finished one; both outcomes stay in the
    /// log. For arbiters.
    async fn adjudicate(&self, ctx: &Context<'_>, game: ID, input: Ruling) -> Result<Game, Problem> {
        caller(ctx).require(Role::Arbiter)?;
        change(ctx, &game, move |service, live, _, _| {
            let mut outcome = plybook_events::Outcome::win(input.winners, &input.reason);
            outcome.ranking = input.ranking;
            service.command(live, vec![Command::Adjudicate { outcome }], None)
        })
        .await
    }

    /// Declares that a game does not count. For arbiters.
    async fn void_game(&self, ctx: &Context<'_>, game: ID, reason: String) -> Result<Game, Problem> {
        caller(ctx).require(Role::Arbiter)?;
        change(ctx, &game, move |service, live, _, _| service.command(live, vec![Command::Void { reason }], None)).await
    }

    /// Begins a line of analysis: a log of its own that goes on from a ply of a game or of another
    /// line, running or over, and never changes it. `actions` are played on it at once, all or none,
    /// `SEAT:token` where several are to act. It is kept by the player whose token makes it.
    ///
    /// Of a running game with secrets it uses what everybody knows: where an action up to `ply` is
    /// not known, `assume` says what it is taken to have been, one action for each, in order.
    #[graphql(complexity = "20 + actions.as_ref().map_or(0, Vec::len) + child_complexity")]
    async fn fork(
        &self,
        ctx: &Context<'_>,
        game: ID,
        ply: i32,
        actions: Option<Vec<String>>,
        name: Option<String>,
        assume: Option<Vec<String>>,
    ) -> Result<Game, Problem> {
        lines::fork(ctx, &game, ply, actions, name, assume).await
    }

    /// Names a line (an empty name takes it away), hides it from lists or shows it again, or puts it
    /// before the lines that leave its parent at the same ply. What is left out stays as it is. For
    /// whoever keeps the line, and recorders.
    async fn arrange_line(
        &self,
        ctx: &Context<'_>,
        line: ID,
        name: Option<String>,
        hidden: Option<bool>,
        promote: Option<bool>,
    ) -> Result<Game, Problem> {
        change(ctx, &line, move |service, live, _, _| service.arrange(live, name, hidden, promote.unwrap_or_default()))
            .await
    }

    /// Takes in a record. JSON and NDJSON bring a log as it is, checked event by event; TEXT is
    /// recorded as a new game, its actions without comments and clocks. For recorders; a log that
    /// continues one that is recorded here is for arbiters.
    #[graphql(complexity = "100 + child_complexity")]
    async fn import_record(&self, ctx: &Context<'_>, record: String, format: RecordFormat) -> Result<Game, Problem> {
        caller(ctx).require(Role::Recorder)?;
        caller(ctx).require_any_game()?;
        let (service, caller) = (Arc::clone(service(ctx)), caller(ctx).clone());
        let live = blocking(move || match format {
            RecordFormat::Json => service.import_json(&record, &caller),
            RecordFormat::Ndjson => service.import_log(&record, &caller),
            RecordFormat::Text => service.import_text(&record),
            RecordFormat::Svg => {
                Err(Problem::BadInput("a picture cannot be taken in: send JSON, NDJSON or TEXT".to_owned()))
            }
        })
        .await?;
        Game::changed(ctx, &live)
    }
}

/// Does a command of a seat, for its player or a recorder.
async fn for_seat(ctx: &Context<'_>, game: ID, seat: u8, command: Command) -> Result<Game, Problem> {
    change(ctx, &game, move |service, live, replay, caller| {
        if !replay.is_line() {
            caller.require_seat(replay, seat)?;
        }
        service.command(live, vec![command], None)
    })
    .await
}
