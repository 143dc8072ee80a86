//! The bodies of the events of a game's or a line's log.

use serde::{Deserialize, Serialize, de};
use serde_json::{Map, Value};

use super::member::{is_false, objects, only_true, present, present_object, some_list, some_position, some_tags};
use crate::{Decider, Hash, LogId, Outcome, Played, SEATS_MAX, Timestamp};

/// A game or a line begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Created {
    /// The game that is played, e.g. `triangulate`.
    pub kind: String,
    /// The version of its rules, e.g. `v1`; the game is folded under it for ever.
    pub rules: String,
    /// The complete setup, with defaults filled in and everything that was drawn.
    pub setup: Value,
    /// The complete position to start from, if one is set up. On a line, it replaces the parent's.
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
    /// When it was played, if not when it was recorded.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub played: Option<Played>,
    /// Whether it is excluded from ratings.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub unrated: bool,
    /// Further search terms.
    #[serde(default, deserialize_with = "some_tags", skip_serializing_if = "Map::is_empty")]
    pub tags: Map<String, Value>,
    /// The commitment to the seed of the service's dice; see [`crate::fair`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Hash>,
    /// The members of the setup that the service drew from the seed, ascending, each once.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<String>,
    /// Where all rolls of the game come from; missing if each of them says so.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Rolls>,
    /// Whether everything that a person does in the game is signed.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub signed: bool,
    /// The commitment to the complete setup, if `setup` holds only the public part; see [`crate::seal`].
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sealed_setup: Option<Hash>,
    /// Whether secret submissions are recorded openly because they were entered afterwards.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub open: bool,
    /// Where a line of analysis leaves its parent.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
    /// The name of a line.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The player who owns a line.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub owner: Option<LogId>,
}

/// Where rolls come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rolls {
    /// From the seed that `created` commits to.
    Fair,
    /// From real dice: somebody types them in.
    Typed,
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

/// A seat contributes to the dice of its game; the event's `by` says which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntropyAdded {
    /// 32 bytes in hex that the seat chose.
    pub entropy: Hash,
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
    /// Whether the service drew it from the seed that `created` commits to.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub fair: bool,
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

/// A comment and glyphs on a ply, replacing earlier ones; without either, the annotation is removed.
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

/// A seat's player leaves for good; the event's `by` says which. From now on, the service submits for the
/// seat whatever the rules prescribe for an absent seat.
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

/// The game goes on from where it stands: its end, which the rules did not bring about, is undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reopened {
    /// Why.
    pub reason: String,
}

/// The time for what is awaited is limited, or no longer. Set by the service when a round begins, and by the arbiter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadlineSet {
    /// Before this time nobody acts; missing if they may at once.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub opens: Option<Timestamp>,
    /// From this time on nobody acts until the round is closed; missing if the time is not limited.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub due: Option<Timestamp>,
    /// The arbiter's reason.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The game counts again, as it did before it was declared void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unvoided {
    /// Why.
    pub reason: String,
}

/// A line is renamed, reordered, hidden or shown. At least one member is present; missing ones stay as they
/// are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arranged {
    /// The name from now on; empty for none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether lists leave it out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hidden: Option<bool>,
    /// Its place among the lines that leave its parent at the same ply, lowest first; 0 if it was never set.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rank: Option<i64>,
}

/// Reads a beginning whose members do not contradict each other.
pub(super) fn whole_created(json: &[u8]) -> serde_json::Result<Created> {
    let created: Created = serde_json::from_slice(json)?;
    created.contradiction().map_or(Ok(created), |why| Err(de::Error::custom(why)))
}

impl Created {
    /// Which of its members contradict each other.
    fn contradiction(&self) -> Option<&'static str> {
        let is_line = self.fork.is_some();
        let has_setup_of_its_own = self.sealed_setup.is_some() || !self.drawn.is_empty();
        let is_ascending = |names: &[String]| names.windows(2).all(|pair| pair[0] < pair[1]);
        [
            (!(1..=usize::from(SEATS_MAX)).contains(&self.seats.len()), "a game has 1 to 13 seats"),
            (!is_line && (self.name.is_some() || self.owner.is_some()), "only a line has a name and an owner"),
            (self.sealed_setup.is_some() && self.open, "nothing is sealed in a game that is recorded openly"),
            (is_line && has_setup_of_its_own, "a line has the setup of its parent: none is sealed or drawn"),
            (is_line && (self.signed || self.rolls.is_some()), "a line has neither `signed` nor `rolls`"),
            (!is_ascending(&self.drawn), "`drawn` is ascending, each name once"),
            (
                self.fairness.is_none() && (!self.drawn.is_empty() || self.rolls == Some(Rolls::Fair)),
                "what is drawn or rolled from a seed needs `fairness`",
            ),
        ]
        .into_iter()
        .find_map(|(is_wrong, why)| is_wrong.then_some(why))
    }
}

/// Reads a deadline that is over after it opens.
pub(super) fn whole_deadline(json: &[u8]) -> serde_json::Result<DeadlineSet> {
    let set: DeadlineSet = serde_json::from_slice(json)?;
    match (set.opens, set.due) {
        (Some(opens), due) if due.is_none_or(|due| opens >= due) => {
            Err(de::Error::custom("`opens` comes with a later `due`"))
        }
        _ => Ok(set),
    }
}

/// Reads an arrangement that has at least one member.
pub(super) fn some_arranged(json: &[u8]) -> serde_json::Result<Arranged> {
    let arranged: Arranged = serde_json::from_slice(json)?;
    if arranged == Arranged::default() {
        return Err(de::Error::custom("it arranges nothing: `name`, `hidden` or `rank` is there"));
    }
    Ok(arranged)
}
