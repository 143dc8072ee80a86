//! Input types.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_graphql::{Context, Enum, ID, InputObject, OneofObject};
use plybook_events::body::Rolls;
use plybook_events::{Hash, LogId, Outcome, Played};
use plybook_models::{Filter, Order, shorten};
use plybook_rules::Viewer;
use plybook_rules::log::Status;
use plybook_service::access::Act;
use plybook_service::error::Problem;
use plybook_service::{NewGame, NewSeat, Service};
use roaring::RoaringBitmap;
use serde_json::Value;

use super::position::DeciderName;
use super::query::fold;
use super::scalar::{DateTime, HashHex};
use super::{price, service};

/// Whether a game is running, finished or void.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Status")]
pub enum GameStatus {
    /// The game is still being played.
    Running,
    /// The game has an outcome.
    Finished,
    /// The game was declared void and does not count.
    Void,
}

/// Whether what people do in a game has to be signed.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum Signatures {
    /// Signatures are optional.
    Optional,
    /// Everything that a person does is signed, and refused otherwise.
    Required,
}

impl Signatures {
    /// The setting, as a log has it.
    pub fn of(is_signed: bool) -> Self {
        if is_signed { Self::Required } else { Self::Optional }
    }

    /// Whether everything is signed.
    pub fn is_required(self) -> bool {
        self == Self::Required
    }
}

/// Where the rolls of a game come from.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum RollSource {
    /// Each roll says whether it is fair or typed in, so a forger who rewrites a log can turn one into the other.
    Any,
    /// The service makes all rolls, from the seed that it commits to when the game begins.
    Fair,
    /// Real dice: all rolls are typed in.
    Typed,
}

impl RollSource {
    /// The source, as a log has it.
    pub fn of(rolls: Option<Rolls>) -> Self {
        match rolls {
            None => Self::Any,
            Some(Rolls::Fair) => Self::Fair,
            Some(Rolls::Typed) => Self::Typed,
        }
    }

    /// As a log writes it.
    pub fn rolls(self) -> Option<Rolls> {
        match self {
            Self::Any => None,
            Self::Fair => Some(Rolls::Fair),
            Self::Typed => Some(Rolls::Typed),
        }
    }
}

/// Whether a log is a recorded game, or a line of analysis that forks from one.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum GameOrigin {
    /// A game that was played.
    Recorded,
    /// A line of analysis.
    Analysis,
}

/// The order of a list of games.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Order")]
pub enum GameOrder {
    /// Newest first.
    CreatedDesc,
    /// Oldest first.
    CreatedAsc,
    /// The most recently played first: by `playedAt`.
    PlayedDesc,
    /// The first played first: by `playedAt`.
    PlayedAsc,
    /// The most recently finished first, then running games.
    FinishedDesc,
    /// Most actions first.
    PlyDesc,
    /// Fewest actions first.
    PlyAsc,
}

/// Conditions on games; all of them must hold.
#[derive(Default, InputObject)]
pub struct GameFilter {
    /// The kind of game, e.g. `triangulate`.
    kind: Option<String>,
    /// Recorded games or lines of analysis.
    origin: Option<GameOrigin>,
    /// Whether the game is running, finished or void.
    status: Option<GameStatus>,
    /// `true` for games of which events were imported, `false` for those that were recorded here.
    imported: Option<bool>,
    /// The tournament the game belongs to.
    tournament: Option<ID>,
    /// A player in the game.
    player: Option<ID>,
    /// Players who all took part in the game.
    players: Option<Vec<ID>>,
    /// The seat of `player`.
    seat: Option<u8>,
    /// A player who won the game.
    winner: Option<ID>,
    /// The reason for the outcome, e.g. `resignation`.
    reason: Option<String>,
    /// Played at this time or later, by `playedAt`.
    since: Option<DateTime>,
    /// Played before this time, by `playedAt`.
    until: Option<DateTime>,
    /// At least this many actions.
    min_ply: Option<u32>,
    /// At most this many actions.
    max_ply: Option<u32>,
    /// The lowest mean rating of the players before the game; rated games only.
    min_rating: Option<f64>,
    /// The highest mean rating of the players before the game; rated games only.
    max_rating: Option<f64>,
    /// Members that the setup must have, with exactly these values.
    setup: Option<Value>,
    /// Tags that the game must all have: names, or `name=value`.
    tags: Option<Vec<String>>,
    /// A seat that won the game, alone or with others.
    winning_seat: Option<u8>,
    /// Who or what decided the outcome.
    decided_by: Option<DeciderName>,
    /// The round of the tournament, from 1.
    round: Option<u32>,
    /// A position that the game came to, by any order of moves. Games of kinds with secrets are found once they are
    /// over.
    position: Option<PositionInput>,
}

/// A position, given in exactly one of these ways. All but `key` need the `kind` as well.
#[derive(OneofObject)]
pub enum PositionInput {
    /// The `positionKey` that is shown to somebody who sees everything.
    Key(HashHex),
    /// An opening: the actions that lead to it from the start of the default setup, written as for `fold`.
    Actions(Vec<String>),
    /// The whole position, as `position` shows it to somebody who sees everything.
    Position(Value),
}

impl PositionInput {
    fn price(&self) -> usize {
        match self {
            Self::Key(_) => 0,
            Self::Actions(actions) => price::actions(actions.len()),
            Self::Position(_) => price::TEXT,
        }
    }

    /// The key of the position.
    ///
    /// # Errors
    /// The kind is not given or unknown, an action is not legal, or the position is not possible.
    fn key(self, kind: Option<&str>) -> Result<Hash, Problem> {
        let needed = || Problem::BadInput("`position`: say of which `kind` it is".to_owned());
        let folded = match self {
            Self::Key(key) => return Ok(key.0),
            Self::Actions(actions) => fold(kind.ok_or_else(needed)?, None, None, &actions)?,
            Self::Position(position) => fold(kind.ok_or_else(needed)?, None, Some(&position), &[])?,
        };
        Ok(folded.inner.key(Viewer::All))
    }
}

impl GameFilter {
    /// The price of finding the games that match, besides that of a list.
    pub fn price(&self) -> usize {
        self.position.as_ref().map_or(0, |position| price::LOOKUP + position.price())
    }

    /// The same conditions, for games of this kind.
    #[must_use]
    pub fn of_kind(mut self, kind: &str) -> Self {
        self.kind.get_or_insert_with(|| kind.to_owned());
        self
    }

    /// The same conditions, for games in which a player took part: in the seat `seat`, if that is given.
    #[must_use]
    pub fn of_player(mut self, player: LogId) -> Self {
        let other = self.player.replace(player.to_string().into());
        self.players.get_or_insert_default().extend(other);
        self
    }

    /// Turns the input into a filter.
    ///
    /// # Errors
    /// An id is malformed, or no game can meet the conditions.
    pub fn read(self, ctx: &Context<'_>) -> Result<Filter, Problem> {
        let service = service(ctx);
        if self.min_rating.is_some() || self.max_rating.is_some() {
            service.ratings().wait();
        }
        let key = self.position.map(|position| position.key(self.kind.as_deref())).transpose()?;
        let among = key.map(|key| games_at(service, &key).map(Arc::new)).transpose()?;
        let known = service.models().known();
        // A player who was merged stands for the one they were merged into.
        let read_player = |id: &ID| read_id(id).map(|id| known.players.survivor(id));
        let players = self.player.into_iter().chain(self.players.unwrap_or_default());
        let filter = Filter {
            kind: self.kind,
            is_analysis: self.origin.map(|origin| origin == GameOrigin::Analysis),
            status: self.status.map(Status::from),
            is_imported: self.imported,
            tournament: self.tournament.as_ref().map(read_id).transpose()?,
            players: players.map(|id| read_player(&id)).collect::<Result<_, _>>()?,
            seat: self.seat,
            winner: self.winner.as_ref().map(read_player).transpose()?,
            reason: self.reason,
            since: self.since.map(|since| since.0),
            until: self.until.map(|until| until.0),
            ply_min: self.min_ply,
            ply_max: self.max_ply,
            rating_min: self.min_rating,
            rating_max: self.max_rating,
            setup: self.setup,
            tags: self.tags.unwrap_or_default(),
            winning_seat: self.winning_seat,
            decided_by: self.decided_by.map(DeciderName::into),
            round: self.round,
            among,
            ..Filter::default()
        };
        Ok(filter.checked()?)
    }
}

/// The numbers of the counted games that came to a position, by kind.
fn games_at(service: &Service, key: &Hash) -> Result<BTreeMap<String, RoaringBitmap>, Problem> {
    let models = service.digests().ask();
    let of_kind = |kind: &'static str| {
        let found = models.kind(kind)?.positions.games_at(shorten(key));
        Some(found.map(|games| (kind.to_owned(), games)))
    };
    let found: Result<_, _> = plybook_rules::kinds().iter().filter_map(|rules| of_kind(rules.about().kind)).collect();
    drop(models);
    found.map_err(|why| service.digests().unreadable(why).into())
}

/// Conditions on players; all of them must hold.
#[derive(Default, InputObject)]
pub struct PlayerFilter {
    /// The beginnings of words of the name, in any order, regardless of case and accents: `zo ang` finds Zoë
    /// Ångström. An empty text finds everybody.
    pub search: Option<String>,
    /// The name, but for case, accents, the order of words, and umlauts that are spelled out: `Mueller, Jorg` finds
    /// Jörg Müller.
    pub called: Option<String>,
    /// Part of the name, case-insensitive.
    pub name_contains: Option<String>,
    /// Players who have played this kind of game.
    pub kind: Option<String>,
    /// Players who have taken part in this tournament.
    pub tournament: Option<ID>,
}

/// Who sits in a seat.
#[derive(InputObject)]
pub struct SeatInput {
    /// A registered player.
    player: Option<ID>,
    /// The name (default: the player's own).
    name: Option<String>,
}

/// A game to create.
#[derive(InputObject)]
pub struct CreateGame {
    /// The kind of game, e.g. `triangulate`.
    kind: String,
    /// The setup; see `ruleSet.setupSchema`. Missing members are filled in or drawn.
    setup: Option<Value>,
    /// The position to start from instead of that of the setup, complete as `position { position }` returns
    /// it. Refused if the rules could not continue from it.
    position: Option<Value>,
    /// The seats, seat 1 first.
    seats: Vec<SeatInput>,
    /// The tournament the game belongs to.
    tournament: Option<ID>,
    /// The tournament round, from 1.
    round: Option<u32>,
    /// The table in that round, from 1.
    table: Option<u32>,
    /// When it was played, if not now: a day such as `2026-11-20`, or a time in RFC 3339.
    played: Option<String>,
    /// Whether it counts for ratings.
    #[graphql(default = true)]
    rated: bool,
    /// An object of names and values to find the game by. `started` (a day, or a time in RFC 3339), `place` and `arbiter`
    /// are texts; others hold anything.
    tags: Option<Value>,
    /// Whether to record secret submissions openly, as for a game that was played elsewhere; the log says so.
    #[graphql(default)]
    open: bool,
    /// Whether what people do in it has to be signed. In a tournament that demands it, it has to be anyway.
    #[graphql(default_with = "Signatures::Optional")]
    signatures: Signatures,
    /// Where its rolls come from, in a kind with dice.
    #[graphql(default_with = "RollSource::Any")]
    rolls: RollSource,
}

impl CreateGame {
    /// Turns the input into a game to create.
    ///
    /// # Errors
    /// An id is malformed, or the tags are not an object.
    pub fn read(self) -> Result<NewGame, Problem> {
        let seat =
            |seat: SeatInput| Ok(NewSeat { player: seat.player.as_ref().map(read_id).transpose()?, name: seat.name });
        let tags = match self.tags {
            None => serde_json::Map::new(),
            Some(Value::Object(tags)) => tags,
            Some(_) => return Err(Problem::BadInput("`tags` is an object of names and values".to_owned())),
        };
        Ok(NewGame {
            kind: self.kind,
            setup: self.setup,
            position: self.position,
            seats: self.seats.into_iter().map(seat).collect::<Result<_, Problem>>()?,
            tournament: self.tournament.as_ref().map(read_id).transpose()?,
            round: read_counted("round", self.round)?,
            table: read_counted("table", self.table)?,
            played: self.played.as_deref().map(read_played).transpose()?,
            is_unrated: !self.rated,
            tags,
            is_open: self.open,
            is_signed: self.signatures.is_required(),
            rolls: self.rolls.rolls(),
        })
    }
}

/// An action to record.
#[derive(InputObject)]
pub struct ActInput {
    /// The seat that acts (default: the only seat to act, or chance).
    seat: Option<u8>,
    /// The action in the game's notation.
    action: String,
    /// What the seat's clock showed after the action, in milliseconds.
    clock_ms: Option<u64>,
}

impl From<ActInput> for Act {
    fn from(input: ActInput) -> Self {
        Self { seat: input.seat, action: input.action, clock_ms: input.clock_ms }
    }
}

/// An arbiter's decision.
#[derive(InputObject)]
pub struct Ruling {
    /// The winning seats, ascending; empty for a draw, or with `forfeit`.
    winners: Vec<u8>,
    /// Groups of equally ranked seats, best first; each seat once.
    ranking: Option<Vec<Vec<u8>>>,
    /// The reason, which becomes the outcome's.
    reason: String,
    /// Whether all seats lose, as when both players forfeit: it has no winners, and is not a draw.
    #[graphql(default)]
    forfeit: bool,
}

impl Ruling {
    /// Turns the input into an outcome.
    ///
    /// # Errors
    /// All seats lose, and some win.
    pub fn read(self) -> Result<Outcome, Problem> {
        match (self.forfeit, self.winners.is_empty()) {
            (true, false) => Err(Problem::BadInput("`forfeit`: all seats lose, so there are no `winners`".to_owned())),
            (true, true) => Ok(Outcome { ranking: self.ranking, ..Outcome::forfeit(&self.reason) }),
            (false, _) => Ok(Outcome { ranking: self.ranking, ..Outcome::win(self.winners, &self.reason) }),
        }
    }
}

/// Parses an id.
///
/// # Errors
/// The text is not an id.
pub fn read_id(id: &ID) -> Result<LogId, Problem> {
    id.parse().map_err(|_| {
        let shown: String = id.chars().take(40).collect();
        Problem::BadInput(format!("{shown:?} is not an id: ids look like 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"))
    })
}

/// Checks a number that is counted from 1.
fn read_counted(name: &str, number: Option<u32>) -> Result<Option<u32>, Problem> {
    match number {
        Some(0) => Err(Problem::BadInput(format!("`{name}` is counted from 1"))),
        number => Ok(number),
    }
}

fn read_played(text: &str) -> Result<Played, Problem> {
    Played::parse_lenient(text).map_err(|why| Problem::BadInput(format!("`played`: {why}")))
}

/// Reads the seq that the caller expects the last event to have.
///
/// # Errors
/// It is negative.
pub fn read_expected(seq: Option<i64>) -> Result<Option<u64>, Problem> {
    let read = |seq| u64::try_from(seq).map_err(|_| Problem::BadInput("`expectedSeq` is a seq, from 0".to_owned()));
    seq.map(read).transpose()
}

/// Reads a viewer: `all`, `public` or the number of a seat.
///
/// # Errors
/// The text is none of these.
pub fn read_viewer(text: &str) -> Result<Viewer, Problem> {
    text.parse().map_err(|_| Problem::BadInput("a viewer is `all`, `public` or the number of a seat".to_owned()))
}
