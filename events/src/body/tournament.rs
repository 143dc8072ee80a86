//! The bodies of the events of a tournament's log.
//!
//! Entrants are numbered from 1 in the order in which they were entered, rounds and tables from 1.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Rolls;
use super::member::{is_false, objects, one_object, only_true, present, present_object, some_list, some_tags};
use crate::{Hash, LogId, Timestamp};

/// The settings of a tournament: the body of `tournament_created`, and of `tournament_edited`, which replaces
/// all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct TournamentSettings {
    /// The name.
    pub name: String,
    /// The game that is played, e.g. `triangulate`.
    pub kind: String,
    /// The numbers of seats that the game can be played with.
    #[serde(deserialize_with = "one_object")]
    pub seats: SeatRange,
    /// How entrants are paired; the tournament rules define its members.
    pub format: Map<String, Value>,
    /// What results give; the tournament rules define its members.
    pub scoring: Map<String, Value>,
    /// What separates entrants with the same score, in order.
    pub tie_breaks: Vec<String>,
    /// The setups of the games, one for each round in turn; empty for the default setup.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub setups: Vec<Value>,
    /// Which seats win and lose together in these games: teams of two or more, each ascending. At a table with fewer seats,
    /// those of them that are there.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Vec<u8>>,
    /// How many half-point byes an entrant may ask for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub half_byes: Option<u32>,
    /// The last round for which a half-point bye may be asked.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub half_byes_until: Option<u32>,
    /// The time control, in words.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_control: Option<String>,
    /// When it starts.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<Timestamp>,
    /// When it ends.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Timestamp>,
    /// When each round starts, in order.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub rounds_at: Vec<Timestamp>,
    /// The time zone of its days and times, as the IANA database names it, e.g. `Europe/Vienna`; UTC if missing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Where it is played.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Anything else worth knowing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What the organiser announces.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub announcement: Option<String>,
    /// Groups of entrants who do not meet each other, by their numbers, ascending.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<Vec<u16>>,
    /// Whether starting ranks follow the order of entry, not the seed ratings.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub ranked_by_entry: bool,
    /// Records of the report file that it was imported from, to be written back: lines with a tag of three characters.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<String>,
    /// Whether it is left out of lists.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub archived: bool,
    /// Whether its games are left out of ratings.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub unrated: bool,
    /// Whether everything that a person does in its games is signed.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub signed: bool,
    /// Where the rolls of its games come from; missing if each roll says so.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Rolls>,
    /// Further search terms.
    #[serde(default, deserialize_with = "some_tags", skip_serializing_if = "Map::is_empty")]
    pub tags: Map<String, Value>,
}

/// A range of numbers of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatRange {
    /// The fewest.
    pub least: u8,
    /// The most.
    pub most: u8,
}

/// Somebody takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entered {
    /// The entrant's number, which is one more than the last entrant's.
    pub entrant: u16,
    /// The player.
    pub player: LogId,
    /// The entrant's details in this tournament.
    #[serde(deserialize_with = "one_object")]
    pub details: EntrantDetails,
    /// The first round of a late entrant; 1 if missing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub from_round: Option<u32>,
    /// The points that a late entrant gets for the missed rounds, in tenths; 0 if missing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
}

/// The details of an entrant in a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrantDetails {
    /// The name at the time of the tournament.
    pub name: String,
    /// The seed rating.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The club.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
    /// The country: two capital letters of ISO 3166-1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The federation's code, if the country does not say it, e.g. `ENG`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub federation: Option<String>,
    /// The person's number in the federation's lists.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub federation_id: Option<String>,
    /// The sex as the federation's lists have it: `m` or `w`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sex: Option<String>,
    /// The title, e.g. `WGM`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// The details of an entrant are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrantEdited {
    /// The entrant.
    pub entrant: u16,
    /// The details from now on.
    #[serde(deserialize_with = "one_object")]
    pub details: EntrantDetails,
}

/// The entry was a mistake; the entrant was never paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryRemoved {
    /// The entrant.
    pub entrant: u16,
}

/// An entrant stops playing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawn {
    /// The entrant.
    pub entrant: u16,
    /// The first round without the entrant.
    pub from_round: u32,
    /// Why.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An entrant who was withdrawn plays again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Returned {
    /// The entrant.
    pub entrant: u16,
    /// The first round with the entrant.
    pub from_round: u32,
}

/// An entrant will not play in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbsenceAnnounced {
    /// The entrant.
    pub entrant: u16,
    /// The round.
    pub round: u32,
    /// What the entrant gets for the round; never [`Bye::Pairing`].
    pub bye: Bye,
}

/// An entrant will play in a round after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbsenceCancelled {
    /// The entrant.
    pub entrant: u16,
    /// The round.
    pub round: u32,
}

/// What an entrant who does not play in a round gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bye {
    /// The bye that the pairing gives to the player left over.
    Pairing,
    /// As for a draw.
    Half,
    /// As for a win.
    Full,
    /// Nothing.
    Zero,
}

/// An entrant who does not play in a round, and what the entrant gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrantBye {
    /// What the entrant gets.
    pub bye: Bye,
    /// The entrant.
    pub entrant: u16,
}

/// A round is paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paired {
    /// The round, which is one more than the last one paired.
    pub round: u32,
    /// What computed the pairing; missing if it was made by hand.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub engine: Option<PairingEngine>,
    /// Who meets at each table, table 1 first: the entrants by seat.
    pub tables: Vec<Vec<u16>>,
    /// The entrants who do not play.
    #[serde(deserialize_with = "objects")]
    pub byes: Vec<EntrantBye>,
}

/// What computed a pairing, and from which input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingEngine {
    /// The pairing system.
    pub name: String,
    /// Its version. The same version pairs the same input in the same way.
    pub version: String,
    /// SHA-256 of the input, as the tournament rules write it down.
    pub input: Hash,
}

/// A pairing is changed by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingChanged {
    /// The round.
    pub round: u32,
    /// Who meets at each table from now on.
    pub tables: Vec<Vec<u16>>,
    /// The entrants who do not play.
    #[serde(deserialize_with = "objects")]
    pub byes: Vec<EntrantBye>,
    /// The rules that the change breaks, in words, as its author was warned.
    #[serde(default, deserialize_with = "some_list", skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
}

/// A round: the body of `unpaired`, `round_closed` and `round_reopened`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfRound {
    /// The round.
    pub round: u32,
}

/// A round begins: every table gets a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundOpened {
    /// The round.
    pub round: u32,
    /// 32 random bytes, from which the ids of the games follow; see [`RoundOpened::game`].
    pub salt: Hash,
}

/// The opening of a round is undone; nothing was played in it. Its games are void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundUnopened {
    /// The round.
    pub round: u32,
}

/// A table gets another game: the next of a match, or one in place of a void game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameOpened {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The game's id.
    pub game: LogId,
}

/// A table with a game is added to a tournament that is a list of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableOpened {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The entrants by seat.
    pub seats: Vec<u16>,
    /// The game's id.
    pub game: LogId,
}

/// Others sit at a table of an open round, which has no result: a player who did not come leaves it, and the others play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableReseated {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The entrants by seat, from now on.
    pub seats: Vec<u16>,
}

/// A table gets a result, which replaces any earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRecorded {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// Groups of equally ranked seats, best first, each ascending; every seat is in one.
    pub ranking: Vec<Vec<u8>>,
    /// The game that decided it; missing if it was entered without a record.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub record: Option<GameHead>,
    /// Whether it was entered at the table, not by the organiser.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub at_table: bool,
}

/// A game at a certain state: its last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameHead {
    /// The game's id.
    pub game: LogId,
    /// The seq of its last event.
    pub seq: u64,
    /// The hash of that event.
    pub hash: Hash,
}

/// The result of a table is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRemoved {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The game that was reopened or declared void; missing if somebody removed the result.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub record: Option<GameHead>,
    /// Why.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A table is decided by forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeited {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The seats that lose, ascending; the others win.
    pub seats: Vec<u8>,
    /// Why.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The game at a table is adjourned. The round can be closed without its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjourned {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// When it goes on, in words.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// The adjourned game at a table is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumed {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
}

/// The tournament is finished or opened again: the body of `tournament_finished` and `tournament_reopened`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

impl RoundOpened {
    /// The id of the game that a table of the round gets: the first 16 bytes of SHA-256 over a domain string,
    /// the tournament's id, the salt, the round and the table, as a UUID of version 8. Nobody can know it
    /// before the round is opened; everybody can afterwards.
    pub fn game(&self, tournament: LogId, table: u32) -> LogId {
        let (round, table) = (self.round.to_be_bytes(), table.to_be_bytes());
        let parts = [b"plybook/table/v1\0", &tournament.to_bytes()[..], &self.salt.0, &round, &table];
        LogId::from_hash(&Hash::of_parts(&parts))
    }
}
