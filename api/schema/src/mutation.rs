//! Mutations of games and players. `access` decides who may do what; here, arguments are read and answers
//! shaped.

use std::sync::Arc;

use async_graphql::{Context, ID, Object};
use plybook_events::LogId;
use plybook_events::body::Annotated;
use plybook_rules::log::Command;
use plybook_service::access::{Act, Desk, Expected, TakeBack};
use plybook_service::error::Problem;
use plybook_service::{ImportSource, Live, NewLine, Signing};

use super::analysis::Analysis;
use super::game::Game;
use super::game_token::GameToken;
use super::input::{ActInput, CreateGame, Ruling, read_expected, read_id};
use super::lines::Visibility;
use super::once::{Answered, IdempotencyKey, once};
use super::people::{CreatePlayer, EditPlayer, PlayerImport};
use super::player::Player;
use super::record::RecordFormat;
use super::scalar::{DateTime, HashHex, KeyHex, SignatureHex};
use super::{desk, price, slow_down};

/// The number of tokens that the price of a game's links counts: a table's and a few seats'.
const GAME_TOKENS: usize = 8;

/// What can be changed about games and players.
#[derive(Default)]
pub struct Mutation;

/// What is recorded in one game and can be signed.
#[derive(Default)]
pub struct SignedMutation;

/// Returns the game that `change` has changed at the caller's desk.
fn change(
    ctx: &Context<'_>,
    key: Option<IdempotencyKey>,
    change: impl FnOnce(&Desk) -> Result<Arc<Live>, Problem>,
) -> Answered<Game> {
    let live = once(ctx, key, change, |service, written| service.game(written.log))?;
    Game::changed(ctx, &live).map(Some)
}

/// Answers with the player that `change` has changed.
fn change_player(
    ctx: &Context<'_>,
    key: Option<IdempotencyKey>,
    change: impl FnOnce(&Desk) -> Result<Arc<plybook_models::Player>, Problem>,
) -> Answered<Player> {
    once(ctx, key, change, |service, written| service.player(written.log)).map(Player).map(Some)
}

/// What the caller signed.
fn read_signing(signature: Option<SignatureHex>, salt: Option<HashHex>) -> Signing {
    Signing { signature: signature.map(|signature| signature.0), salt: salt.map(|salt| salt.0) }
}

/// Returns the game that `change` has changed, with what the caller signed and expects of it.
fn change_signed(
    ctx: &Context<'_>,
    key: Option<IdempotencyKey>,
    game: &ID,
    expected_seq: Option<i64>,
    signature: Option<SignatureHex>,
    apply: impl FnOnce(&Desk, LogId, Option<u64>) -> Result<Arc<Live>, Problem>,
) -> Answered<Game> {
    let (game, expected) = (read_id(game)?, read_expected(expected_seq)?);
    change(ctx, key, |desk| apply(&desk.signed(read_signing(signature, None))?, game, expected))
}

/// What the caller expects of the game.
fn expected(seq: Option<i64>, ply: Option<u32>) -> Result<Expected, Problem> {
    Ok(Expected { seq: read_expected(seq)?, ply: ply.map(|ply| ply as usize) })
}

/// What can be changed about games and players.
#[Object(name = "GameMutation")]
impl Mutation {
    /// Registers a player. For recorders. Request `namesakes` to find out whether somebody of that name is
    /// registered already.
    async fn create_player(
        &self,
        ctx: &Context<'_>,
        input: CreatePlayer,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Player> {
        change_player(ctx, idempotency_key, |desk| desk.create_player(input.into()))
    }

    /// Changes the details of a player; the old values remain in the player's log, except for the year of
    /// birth. `expectedSeq` is the `seq` of the player that the caller knows. For arbiters.
    async fn edit_player(
        &self,
        ctx: &Context<'_>,
        player: ID,
        input: EditPlayer,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Player> {
        let (id, expected) = (read_id(&player)?, read_expected(expected_seq)?);
        change_player(ctx, idempotency_key, |desk| desk.edit_player(id, input.into(), expected))
    }

    /// Merges a player who is registered twice: from now on, the games of both count for `into` in lists,
    /// statistics and ratings, while the logs of the games stay as they are. Returns `into`. For arbiters.
    async fn merge_players(
        &self,
        ctx: &Context<'_>,
        from: ID,
        into: ID,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Player> {
        let (from, into) = (read_id(&from)?, read_id(&into)?);
        let merge = |desk: &Desk| desk.merge_players(from, into);
        once(ctx, idempotency_key, merge, |service, _| service.player(into)).map(Player).map(Some)
    }

    /// Undoes a merge: the player's games are their own again. For arbiters.
    async fn unmerge_player(
        &self,
        ctx: &Context<'_>,
        player: ID,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Player> {
        let id = read_id(&player)?;
        change_player(ctx, idempotency_key, |desk| desk.unmerge_player(id))
    }

    /// Adds an Ed25519 key that a player signs with: it stands in the player's log. For the player, and for arbiters.
    async fn add_player_key(
        &self,
        ctx: &Context<'_>,
        player: ID,
        key: KeyHex,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Player> {
        let id = read_id(&player)?;
        change_player(ctx, idempotency_key, |desk| desk.add_player_key(id, key.0))
    }

    /// Removes a key of a player; what it signed stays signed. For the player, and for arbiters.
    async fn remove_player_key(
        &self,
        ctx: &Context<'_>,
        player: ID,
        key: KeyHex,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Player> {
        let id = read_id(&player)?;
        change_player(ctx, idempotency_key, |desk| desk.remove_player_key(id, key.0))
    }

    /// Registers and edits players from a list in CSV, all lines or none. The first line names the columns:
    /// `name`, and any of `id`, `club`, `country`, `year_of_birth` and `links` (separated by spaces). A line
    /// refers to the player with its id, or else to the player of its name, who is registered if there is
    /// none. An empty field changes nothing. Importing a list again changes nothing. `previewPlayers` shows
    /// beforehand what each line would do. For arbiters.
    #[graphql(complexity = "price::import(&csv) + child_complexity")]
    async fn import_players(&self, ctx: &Context<'_>, csv: String) -> Answered<PlayerImport> {
        Ok(Some(PlayerImport(desk(ctx).import_roster(&csv)?)))
    }

    /// Creates a game. For recorders.
    async fn create_game(
        &self,
        ctx: &Context<'_>,
        input: CreateGame,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let new = input.read()?;
        change(ctx, idempotency_key, move |desk| desk.create_game(&new))
    }

    /// Records an action. `seat` can be left out if only one seat is to act, for chance, and by a player who
    /// acts for its own seat. `expectedSeq` is the seq of the last event that the caller knows; if it is not
    /// the last one, the answer is `LOG_CONFLICT` and nothing is written. `expectedPly` is the ply of the
    /// position that the caller decided on: comments and draw offers do not matter, nor that other seats have
    /// acted meanwhile which were to act at the same time. `signature` is of the event, as FORMAT.md says; an action that
    /// is sealed is signed as the commitment that `salt` gives: 32 random bytes, which the service keeps with the action.
    /// The other mutations that record something in a game take a `signature` in the same way.
    async fn act(
        &self,
        ctx: &Context<'_>,
        game: ID,
        seat: Option<u8>,
        action: String,
        expected_seq: Option<i64>,
        expected_ply: Option<u32>,
        clock_ms: Option<u64>,
        signature: Option<SignatureHex>,
        salt: Option<HashHex>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let (game, expected) = (read_id(&game)?, expected(expected_seq, expected_ply)?);
        let signing = read_signing(signature, salt);
        change(ctx, idempotency_key, move |desk| {
            desk.signed(signing)?.act(game, &[Act { seat, action, clock_ms }], expected)
        })
    }

    /// Records several actions, all or none. While a game has secrets that the caller may not know, its
    /// actions have to be sent one by one. `expectedPly` is the ply before the first of them.
    #[graphql(complexity = "price::actions(actions.len()) + child_complexity")]
    async fn act_all(
        &self,
        ctx: &Context<'_>,
        game: ID,
        actions: Vec<ActInput>,
        expected_seq: Option<i64>,
        expected_ply: Option<u32>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let (game, expected) = (read_id(&game)?, expected(expected_seq, expected_ply)?);
        let acts: Vec<Act> = actions.into_iter().map(Act::from).collect();
        change(ctx, idempotency_key, move |desk| desk.act(game, &acts, expected))
    }

    /// Ends a round when its time is up: for every seat still to act, the service submits the rules' default
    /// action, all at once. A clock program passes the seq of the last event it knows, so that it cannot
    /// close a later round by mistake. For recorders.
    async fn close_round(
        &self,
        ctx: &Context<'_>,
        game: ID,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let (game, expected) = (read_id(&game)?, read_expected(expected_seq)?);
        change(ctx, idempotency_key, move |desk| desk.command(game, Command::CloseRound, expected))
    }

    /// Has the service roll what the position awaits, with fair dice; see docs/fair-dice.md. For recorders,
    /// the game's players, and the owner of the line.
    async fn roll(
        &self,
        ctx: &Context<'_>,
        game: ID,
        expected_seq: Option<i64>,
        expected_ply: Option<u32>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let (game, expected) = (read_id(&game)?, expected(expected_seq, expected_ply)?);
        change(ctx, idempotency_key, move |desk| desk.roll(game, expected))
    }

    /// Creates a line of analysis: a log of its own that continues a game or another line from one of its
    /// plies. The parent may be running or over, and is never changed. `actions` are played on the line at
    /// once, all or none; they are written `SEAT:action` where several seats are to act. The line is owned by
    /// the player whose access token creates it.
    ///
    /// A line of a running game with secrets is built from public knowledge. For each action up to `ply` that
    /// the public does not know, `assume` must give one to play instead, in order.
    ///
    /// With `position`, a complete position, the line continues from that position instead of the parent's. An unlisted line
    /// is in no list from its first moment: only who is given its id finds it. The default is a public one.
    #[graphql(complexity = "price::actions(actions.as_ref().map_or(0, Vec::len)) + child_complexity")]
    async fn fork(
        &self,
        ctx: &Context<'_>,
        game: ID,
        ply: i32,
        actions: Option<Vec<String>>,
        name: Option<String>,
        assume: Option<Vec<String>>,
        position: Option<serde_json::Value>,
        visibility: Option<Visibility>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let game = read_id(&game)?;
        let is_hidden = visibility == Some(Visibility::Unlisted);
        let ply =
            usize::try_from(ply).map_err(|_| Problem::BadInput("`ply` is counted from 0, the start".to_owned()))?;
        let (actions, assume) = (actions.unwrap_or_default(), assume.unwrap_or_default());
        change(ctx, idempotency_key, move |desk| {
            desk.fork(NewLine { game, ply, actions, position, name, assume, owner: None, is_hidden })
        })
    }

    /// Names a line (an empty name removes its name), hides it from lists or shows it again, or moves it
    /// before the other lines that leave its parent at the same ply. Omitted arguments change nothing. For
    /// the owner of the line, and for recorders.
    async fn arrange_line(
        &self,
        ctx: &Context<'_>,
        line: ID,
        name: Option<String>,
        hidden: Option<bool>,
        promote: Option<bool>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let line = read_id(&line)?;
        change(ctx, idempotency_key, move |desk| desk.arrange(line, name, hidden, promote.unwrap_or_default()))
    }

    /// Has a game or a line analysed: what the engine says of each of its positions, see docs/analysis.md. The answer comes
    /// at once; `analysisProgress` follows the work, and `Game.analysis` shows it. It is stopped if nobody follows it or
    /// asks for it for a minute. If it is under way already, or complete and as good, nothing is begun. Everybody has one
    /// game analysed at a time. For players and recorders; for arbiters while a tournament game runs. A game with secrets
    /// is analysed once it is over.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn analyze(&self, ctx: &Context<'_>, game: ID, playouts: Option<u32>) -> Answered<Analysis> {
        let game = read_id(&game)?;
        desk(ctx).analyse(game, playouts).map(Analysis).map(Some)
    }

    /// Makes links for recording a game: a token for the table, which may record for every seat, and one for each
    /// seat, which sees and acts for that seat only. They are shown this once, last 30 days, and end those that were
    /// made for the game before. For recorders, unless somebody else has made links for the game; for arbiters, also if the
    /// game has secrets. Links end with the token that made them.
    #[graphql(complexity = "GAME_TOKENS * child_complexity")]
    async fn issue_game_tokens(&self, ctx: &Context<'_>, game: ID) -> Answered<Vec<GameToken>> {
        let game = read_id(&game)?;
        let issued = desk(ctx).issue_game_tokens(game)?;
        Ok(Some(issued.into_iter().map(|(seat, issued)| GameToken::new(game, seat, issued)).collect()))
    }

    /// Imports a record. JSON and NDJSON carry an exact log, which is verified event by event and stored
    /// unchanged; TEXT becomes a new game with the same actions, without comments and clocks. For recorders;
    /// only arbiters may extend a log that is already recorded here.
    #[graphql(complexity = "price::import(&record) + child_complexity")]
    async fn import_record(
        &self,
        ctx: &Context<'_>,
        record: String,
        format: RecordFormat,
        source: Option<String>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Game> {
        let file = ImportSource::of(record.as_bytes());
        let source = source.map_or(Ok(file.clone()), |name| file.named(&name))?;
        // However short the record, the logs that it continues are read whole.
        slow_down(ctx, true).await?;
        change(ctx, idempotency_key, move |desk| match format {
            RecordFormat::Json => desk.import_json(&record, source),
            RecordFormat::Ndjson => desk.import_log(&record, source),
            RecordFormat::Text => desk.import_text(&record, &source),
            RecordFormat::Svg | RecordFormat::Html => {
                let why = "pictures and pages cannot be imported: send JSON, NDJSON or TEXT";
                Err(Problem::BadInput(why.to_owned()))
            }
        })
    }
}

/// What is recorded in one game and can be signed: each mutation takes the game first, and then what it is expected to
/// be, a signature and a key; it answers with the game.
macro_rules! signed_mutations {
    ($($(#[$($about:tt)*])* $field:ident($($arg:ident: $type:ty),* $(; $expected:ident)?) $change:expr;)*) => {
        /// What is recorded in one game and can be signed.
        #[Object]
        impl SignedMutation {
            $(
                $(#[$($about)*])*
                async fn $field(
                    &self,
                    ctx: &Context<'_>,
                    game: ID,
                    $($arg: $type,)*
                    $($expected: Option<i64>,)?
                    signature: Option<SignatureHex>,
                    idempotency_key: Option<IdempotencyKey>,
                ) -> Answered<Game> {
                    let expected = None$(.or($expected))?;
                    change_signed(ctx, idempotency_key, &game, expected, signature, $change)
                }
            )*
        }
    };
}

signed_mutations! {
    /// Sets, moves or lifts the deadline of the running round of a game in which a round can be closed. At that time,
    /// the service closes it. Later rounds get the time that the setup gives them. For arbiters.
    set_deadline(due: Option<DateTime>, reason: String; expected_seq) |desk, game, expected| {
        desk.command(game, Command::SetDeadline { due: due.map(|due| due.0), reason }, expected)
    };

    /// A seat contributes to the dice of the game, once and before the first roll: every roll follows from the
    /// service's seed, which was committed to before, and from all contributions; see docs/fair-dice.md. Send
    /// 32 bytes that were drawn at random where the player can trust it. For the seat's player and for
    /// recorders.
    add_entropy(seat: u8, entropy: HashHex) |desk, game, expected| {
        desk.command(game, Command::AddEntropy { seat, entropy: entropy.0 }, expected)
    };

    /// Takes the mainline back to an earlier ply; the actions taken back remain in the log. For arbiters. A
    /// line can be taken back by its owner, but not beyond the ply where it starts. A recorder may take back
    /// its own last action, as long as nothing has happened since, by sending the `idempotencyKey` that it was
    /// recorded with as `recordedWith`; not in games with secrets, and not what the service rolled.
    take_back(to_ply: u32, reason: String, recorded_with: Option<IdempotencyKey>; expected_seq) |desk, game, expected| {
        let recorded_with = recorded_with.map(IdempotencyKey::into_text);
        desk.take_back(game, TakeBack { to_ply, reason, recorded_with }, expected)
    };

    /// Annotates a ply. The new annotation replaces the old one, or removes it if it has neither comment nor
    /// glyphs. For recorders, the game's players, and the owner of the line.
    annotate(ply: u32, comment: Option<String>, glyphs: Option<Vec<String>>; expected_seq) |desk, game, expected| {
        let glyphs = glyphs.unwrap_or_default();
        desk.annotate(game, Annotated { ply, comment, glyphs }, expected)
    };

    /// A seat resigns. In a game of two, the other seat wins. In a game whose rounds can be closed, the
    /// player leaves: from then on the service submits the default action for the seat, as when a round is
    /// closed. That is final; a takeback does not undo it.
    resign(seat: u8; expected_seq) |desk, game, expected| desk.command(game, Command::Resign(seat), expected);

    /// A seat offers a draw. The offer stands until another seat acts or declines.
    offer_draw(seat: u8; expected_seq) |desk, game, expected| desk.command(game, Command::OfferDraw(seat), expected);

    /// A seat answers a draw offer. Once all seats have agreed, the game is drawn.
    answer_draw(seat: u8, accept: bool; expected_seq) |desk, game, expected| {
        desk.command(game, Command::AnswerDraw { seat, accept }, expected)
    };

    /// A seat's clock has run out: the other seat wins. For recorders.
    flag_fall(seat: u8; expected_seq) |desk, game, expected| desk.command(game, Command::FlagFall(seat), expected);

    /// A seat has left and did not return: the other seat wins. For recorders.
    abandon(seat: u8; expected_seq) |desk, game, expected| desk.command(game, Command::Abandon(seat), expected);

    /// Ends a running game, or corrects the outcome of a finished one; both outcomes remain in the log. For
    /// arbiters.
    adjudicate(input: Ruling; expected_seq) |desk, game, expected| {
        desk.command(game, Command::Adjudicate { outcome: input.read()? }, expected)
    };

    /// Declares a game void: it does not count. For arbiters.
    void_game(reason: String; expected_seq) |desk, game, expected| desk.command(game, Command::Void { reason }, expected);

    /// Lets a void game count again, as it did before. What became public when it was declared void stays
    /// public. Refused if its table in a tournament has another game or a result by now. For arbiters.
    unvoid_game(reason: String; expected_seq) |desk, game, expected| {
        desk.command(game, Command::Unvoid { reason }, expected)
    };

    /// Undoes the end of a game that was resigned, drawn, lost on time or adjudicated by mistake: it
    /// continues from where it stands, and no action is taken back. Secrets that became public at the end
    /// stay public in the log. A game that its rules ended is taken back instead. For arbiters.
    reopen_game(reason: String; expected_seq) |desk, game, expected| {
        desk.command(game, Command::Reopen { reason }, expected)
    };
}
