//! The body of each type of event.

mod player;
mod receipt;
mod tournament;

use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::{Decider, Hash, LogId, Outcome, Played};

pub use player::{PlayerCreated, PlayerEdited, PlayerMerged, PlayerUnmerged};

pub use receipt::Received;

pub use tournament::{
    AbsenceAnnounced, AbsenceCancelled, Adjourned, Bye, Entered, EntrantBye, EntrantDetails, EntrantEdited,
    EntryRemoved, Forfeited, GameHead, GameOpened, Nothing, OfRound, Paired, PairingChanged, PairingEngine,
    ResultRecorded, ResultRemoved, Resumed, Returned, RoundOpened, RoundUnopened, SeatRange, TableOpened,
    TournamentSettings, Withdrawn,
};

/// The most characters of a comment, a reason or a name.
pub const TEXT_CHARS_MAX: usize = 4_000;

/// The body of an event, by its type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Body {
    /// A game or a line begins.
    Created(Created),
    /// A seat or chance acted.
    Acted(Acted),
    /// A seat submitted in secret.
    Sealed(Sealed),
    /// A secret submission is opened.
    Revealed(Revealed),
    /// The mainline goes back to an earlier ply.
    TakenBack(TakenBack),
    /// A ply gets another annotation.
    Annotated(Annotated),
    /// A seat offers a draw.
    DrawOffered(DrawOffered),
    /// A seat answers the draw that was offered.
    DrawAnswered(DrawAnswered),
    /// A seat's player leaves for good; the game goes on without them.
    Resigned(Resigned),
    /// The game ended.
    Ended(Ended),
    /// The arbiter changes the outcome.
    Corrected(Corrected),
    /// The arbiter declares the game void.
    Voided(Voided),
    /// The arbiter lets a game that was ended go on.
    Reopened(Reopened),
    /// The arbiter lets a void game count again.
    Unvoided(Unvoided),
    /// A line gets another name or place, or is hidden.
    Arranged(Arranged),
    /// A player becomes known.
    PlayerCreated(PlayerCreated),
    /// What is known of a player changes.
    PlayerEdited(PlayerEdited),
    /// A player turned out to be somebody who is registered already.
    PlayerMerged(PlayerMerged),
    /// A player is somebody else after all.
    PlayerUnmerged(PlayerUnmerged),
    /// A tournament is announced.
    TournamentCreated(TournamentSettings),
    /// What a tournament is changes.
    TournamentEdited(TournamentSettings),
    /// Somebody takes part in a tournament.
    Entered(Entered),
    /// What is known of an entrant changes.
    EntrantEdited(EntrantEdited),
    /// An entry was a mistake.
    EntryRemoved(EntryRemoved),
    /// An entrant plays no more.
    Withdrawn(Withdrawn),
    /// An entrant who was withdrawn plays again.
    Returned(Returned),
    /// An entrant will not play in a round.
    AbsenceAnnounced(AbsenceAnnounced),
    /// An entrant will play in a round after all.
    AbsenceCancelled(AbsenceCancelled),
    /// A round is paired.
    Paired(Paired),
    /// A pairing is replaced by hand.
    PairingChanged(PairingChanged),
    /// The pairing of a round is taken back.
    Unpaired(OfRound),
    /// A round begins: every table gets a game.
    RoundOpened(RoundOpened),
    /// A round in which nothing was played is no longer open.
    RoundUnopened(RoundUnopened),
    /// A table gets another game.
    GameOpened(GameOpened),
    /// A table is added with a game, in a tournament that is a list of games.
    TableOpened(TableOpened),
    /// A table has a result.
    ResultRecorded(ResultRecorded),
    /// A table has no result any more.
    ResultRemoved(ResultRemoved),
    /// A table is decided without play.
    Forfeited(Forfeited),
    /// The game at a table is broken off.
    Adjourned(Adjourned),
    /// The game at a table goes on.
    Resumed(Resumed),
    /// A round is over.
    RoundClosed(OfRound),
    /// A round is not over after all.
    RoundReopened(OfRound),
    /// A tournament is over.
    TournamentFinished(Nothing),
    /// A tournament goes on after all.
    TournamentReopened(Nothing),
    /// A request with a key was carried out.
    Received(Received),
}

/// A game or a line begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Created {
    /// The game that is played, e.g. `triangulate`.
    pub kind: String,
    /// The version of its rules, e.g. `v1`; the game is folded under it for ever.
    pub rules: String,
    /// The complete setup: defaults filled in, everything drawn spelled out.
    pub setup: Value,
    /// The complete position that it starts from, where one is set up: of a line, the one that
    /// stands in place of its parent's.
    #[serde(default, deserialize_with = "some_position", skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<Value>>,
    /// Who sits where; index 0 is seat 1.
    #[serde(deserialize_with = "objects")]
    pub seats: Vec<SeatEntry>,
    /// The tournament it belongs to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tournament: Option<LogId>,
    /// The round of the tournament, from 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The table in the round, from 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub table: Option<u32>,
    /// When it was played, where that is not when it was recorded.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub played: Option<Played>,
    /// Whether it is left out of ratings.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub unrated: bool,
    /// Further search terms.
    #[serde(default, deserialize_with = "some_tags", skip_serializing_if = "Map::is_empty")]
    pub tags: Map<String, Value>,
    /// The commitment to the seed of the service's dice; see [`crate::fair`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Hash>,
    /// The commitment to the complete setup, if `setup` holds only what everybody may know; see
    /// [`crate::seal`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sealed_setup: Option<Hash>,
    /// Whether secret submissions are recorded openly, because they were typed in afterwards.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub open: bool,
    /// Where a line of analysis leaves its parent.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
    /// The name of a line.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The player who keeps a line.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub owner: Option<LogId>,
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatEntry {
    /// The name at the time of the game.
    pub name: String,
    /// The player's id, if the player is known.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub player: Option<LogId>,
}

/// Where a line leaves its parent: the line continues after this event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// The parent's id.
    pub game: LogId,
    /// The parent's ply that the line starts from.
    pub ply: u32,
    /// The seq of the parent's event that led to that ply.
    pub seq: u64,
    /// Its hash; also the `prev` of the line's first event.
    pub hash: Hash,
}

/// A seat or chance acted; the event's `by` says which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acted {
    /// The action in the game's canonical notation.
    pub action: String,
    /// What the seat's clock showed afterwards, in milliseconds.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Whether the service rolled it from the seed that `created` commits to; see [`crate::fair`].
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub fair: bool,
}

/// A seat submitted in secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The salted commitment to the submission; see [`crate::seal`].
    pub commitment: Hash,
    /// What the seat's clock showed afterwards, in milliseconds.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
}

/// A secret is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revealed {
    /// The seq of the event with the commitment.
    pub of: u64,
    /// What was sealed.
    pub content: String,
    /// The 32-byte salt in hex.
    pub salt: Hash,
}

/// The mainline goes back to an earlier ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakenBack {
    /// The last ply from now on.
    pub to_ply: u32,
    /// Why.
    pub reason: String,
}

/// A comment and glyphs on a ply, in place of earlier ones; without either, the annotation is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotated {
    /// The annotated ply; 0 is the start.
    pub ply: u32,
    /// The comment.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Marks such as `!`, `?`, `!?`.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<String>,
}

/// A seat offers a draw; the event's `by` says which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawOffered {}

/// A seat answers a draw offer; the event's `by` says which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawAnswered {
    /// Whether it agrees.
    pub accept: bool,
}

/// A seat's player leaves for good; the event's `by` says which. From now on the service submits for the
/// seat what the rules prescribe for a seat that does not act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resigned {}

/// The game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// Who or what decided it.
    pub decided_by: Decider,
    /// The outcome.
    pub outcome: Outcome,
    /// The seed of the service's dice, published now that the game is over.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
}

/// A seed and the salt of its commitment; see [`crate::fair`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// 32 bytes in hex.
    pub seed: Hash,
    /// 32 bytes in hex.
    pub salt: Hash,
}

/// The arbiter changes the outcome; the old one stays in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corrected {
    /// The outcome from now on.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
}

/// The game does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Voided {
    /// Why.
    pub reason: String,
    /// The seed of the service's dice.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
}

/// The game goes on from where it stands: its end, which the rules did not bring, is undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reopened {
    /// Why.
    pub reason: String,
}

/// The game counts again, and stands as it did before it was declared void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unvoided {
    /// Why.
    pub reason: String,
}

/// A line gets another name or rank, or is hidden or shown. At least one member is present; what is left
/// out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arranged {
    /// The name from now on; empty for none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether lists leave it out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hidden: Option<bool>,
    /// Its place among the lines that leave its parent at the same ply, the lowest first; 0 if it was
    /// never set.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rank: Option<i64>,
}

/// Whether to leave out a member that is written only if it is true.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads an optional member that is present: it may be missing, but not `null`.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Like [`present`], for a struct: derived code would accept a list of its members as well.
fn present_object<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    object(Map::deserialize(from)?).map(Some)
}

/// Reads a position, which is an object in every game.
fn some_position<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<Value>>, D::Error> {
    Map::deserialize(from).map(|members| Some(Box::new(Value::Object(members))))
}

/// Reads a list of structs: derived code would accept lists of their members as well.
fn objects<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Vec::<Map<String, Value>>::deserialize(from)?.into_iter().map(object).collect()
}

/// Like [`objects`], for one struct.
fn one_object<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    object(Map::deserialize(from)?)
}

fn object<T: DeserializeOwned, E: de::Error>(members: Map<String, Value>) -> Result<T, E> {
    T::deserialize(Value::Object(members)).map_err(E::custom)
}

/// Reads a member that is left out if it is false.
fn only_true<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    if bool::deserialize(from)? { Ok(true) } else { Err(de::Error::custom("a member that is false is left out")) }
}

fn some_tags<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    let tags = Map::deserialize(from)?;
    if tags.is_empty() { Err(de::Error::custom("tags that are empty are left out")) } else { Ok(tags) }
}

/// Reads an arrangement that has at least one member.
fn some_arranged(json: &[u8]) -> serde_json::Result<Arranged> {
    let arranged: Arranged = serde_json::from_slice(json)?;
    if arranged == Arranged::default() {
        return Err(de::Error::custom("it arranges nothing: `name`, `hidden` or `rank` is there"));
    }
    Ok(arranged)
}

/// Reads a list that is left out if it is empty.
fn some_list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    let list = Vec::deserialize(from)?;
    if list.is_empty() { Err(de::Error::custom("lists that are empty are left out")) } else { Ok(list) }
}

impl Body {
    /// The event's `type`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Created(_) => "created",
            Self::Acted(_) => "acted",
            Self::Sealed(_) => "sealed",
            Self::Revealed(_) => "revealed",
            Self::TakenBack(_) => "taken_back",
            Self::Annotated(_) => "annotated",
            Self::DrawOffered(_) => "draw_offered",
            Self::DrawAnswered(_) => "draw_answered",
            Self::Resigned(_) => "resigned",
            Self::Ended(_) => "ended",
            Self::Corrected(_) => "corrected",
            Self::Voided(_) => "voided",
            Self::Reopened(_) => "reopened",
            Self::Unvoided(_) => "unvoided",
            Self::Arranged(_) => "arranged",
            Self::PlayerCreated(_) => "player_created",
            Self::PlayerEdited(_) => "player_edited",
            Self::PlayerMerged(_) => "player_merged",
            Self::PlayerUnmerged(_) => "player_unmerged",
            Self::TournamentCreated(_) => "tournament_created",
            Self::TournamentEdited(_) => "tournament_edited",
            Self::Entered(_) => "entered",
            Self::EntrantEdited(_) => "entrant_edited",
            Self::EntryRemoved(_) => "entry_removed",
            Self::Withdrawn(_) => "withdrawn",
            Self::Returned(_) => "returned",
            Self::AbsenceAnnounced(_) => "absence_announced",
            Self::AbsenceCancelled(_) => "absence_cancelled",
            Self::Paired(_) => "paired",
            Self::PairingChanged(_) => "pairing_changed",
            Self::Unpaired(_) => "unpaired",
            Self::RoundOpened(_) => "round_opened",
            Self::RoundUnopened(_) => "round_unopened",
            Self::GameOpened(_) => "game_opened",
            Self::TableOpened(_) => "table_opened",
            Self::ResultRecorded(_) => "result_recorded",
            Self::ResultRemoved(_) => "result_removed",
            Self::Forfeited(_) => "forfeited",
            Self::Adjourned(_) => "adjourned",
            Self::Resumed(_) => "resumed",
            Self::RoundClosed(_) => "round_closed",
            Self::RoundReopened(_) => "round_reopened",
            Self::TournamentFinished(_) => "tournament_finished",
            Self::TournamentReopened(_) => "tournament_reopened",
            Self::Received(_) => "received",
        }
    }

    /// Reads the body of an event of this type; `None` if there is no such type.
    pub(crate) fn parse(type_name: &str, json: &[u8]) -> Option<serde_json::Result<Self>> {
        Some(match type_name {
            "created" => serde_json::from_slice(json).map(Self::Created),
            "acted" => serde_json::from_slice(json).map(Self::Acted),
            "sealed" => serde_json::from_slice(json).map(Self::Sealed),
            "revealed" => serde_json::from_slice(json).map(Self::Revealed),
            "taken_back" => serde_json::from_slice(json).map(Self::TakenBack),
            "annotated" => serde_json::from_slice(json).map(Self::Annotated),
            "draw_offered" => serde_json::from_slice(json).map(Self::DrawOffered),
            "draw_answered" => serde_json::from_slice(json).map(Self::DrawAnswered),
            "resigned" => serde_json::from_slice(json).map(Self::Resigned),
            "ended" => serde_json::from_slice(json).map(Self::Ended),
            "corrected" => serde_json::from_slice(json).map(Self::Corrected),
            "voided" => serde_json::from_slice(json).map(Self::Voided),
            "reopened" => serde_json::from_slice(json).map(Self::Reopened),
            "unvoided" => serde_json::from_slice(json).map(Self::Unvoided),
            "arranged" => some_arranged(json).map(Self::Arranged),
            "player_created" => serde_json::from_slice(json).map(Self::PlayerCreated),
            "player_edited" => player::some_edited(json).map(Self::PlayerEdited),
            "player_merged" => serde_json::from_slice(json).map(Self::PlayerMerged),
            "player_unmerged" => serde_json::from_slice(json).map(Self::PlayerUnmerged),
            "tournament_created" => serde_json::from_slice(json).map(Self::TournamentCreated),
            "tournament_edited" => serde_json::from_slice(json).map(Self::TournamentEdited),
            "entered" => serde_json::from_slice(json).map(Self::Entered),
            "entrant_edited" => serde_json::from_slice(json).map(Self::EntrantEdited),
            "entry_removed" => serde_json::from_slice(json).map(Self::EntryRemoved),
            "withdrawn" => serde_json::from_slice(json).map(Self::Withdrawn),
            "returned" => serde_json::from_slice(json).map(Self::Returned),
            "absence_announced" => serde_json::from_slice(json).map(Self::AbsenceAnnounced),
            "absence_cancelled" => serde_json::from_slice(json).map(Self::AbsenceCancelled),
            "paired" => serde_json::from_slice(json).map(Self::Paired),
            "pairing_changed" => serde_json::from_slice(json).map(Self::PairingChanged),
            "unpaired" => serde_json::from_slice(json).map(Self::Unpaired),
            "round_opened" => serde_json::from_slice(json).map(Self::RoundOpened),
            "round_unopened" => serde_json::from_slice(json).map(Self::RoundUnopened),
            "game_opened" => serde_json::from_slice(json).map(Self::GameOpened),
            "table_opened" => serde_json::from_slice(json).map(Self::TableOpened),
            "result_recorded" => serde_json::from_slice(json).map(Self::ResultRecorded),
            "result_removed" => serde_json::from_slice(json).map(Self::ResultRemoved),
            "forfeited" => serde_json::from_slice(json).map(Self::Forfeited),
            "adjourned" => serde_json::from_slice(json).map(Self::Adjourned),
            "resumed" => serde_json::from_slice(json).map(Self::Resumed),
            "round_closed" => serde_json::from_slice(json).map(Self::RoundClosed),
            "round_reopened" => serde_json::from_slice(json).map(Self::RoundReopened),
            "tournament_finished" => serde_json::from_slice(json).map(Self::TournamentFinished),
            "tournament_reopened" => serde_json::from_slice(json).map(Self::TournamentReopened),
            "received" => serde_json::from_slice(json).map(Self::Received),
            _ => return None,
        })
    }
}
