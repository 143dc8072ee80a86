//! The setup: heaps, seats, rounds, and whether pledges are made.

use std::ops::RangeInclusive;

use plybook_rules::setup::{self, Member, whole};
use plybook_rules::{SetupError, SetupReader};
use serde_json::{Value, json};

/// What `pledges` says if they are dealt.
const DEALT: &str = "dealt";

/// The possible numbers of heaps.
pub const HEAPS: RangeInclusive<usize> = 2..=5;

/// The possible sizes of a heap, in stones.
pub const STONES: RangeInclusive<u8> = 1..=99;

const PLAYERS: Member = Member::whole("players", 2..=4, 3, "how many seats play");

const ROUNDS: Member = Member::whole("rounds", 1..=200, 12, "the round after which the game ends");

const TEAMS: Member = Member::flag("teams", false, "whether seats 1 and 3 are partners, and seats 2 and 4");

const MEMBERS: &[Member] = &[
    Member::own("heaps", heaps, "stones of each heap"),
    PLAYERS,
    Member::own("pledges", pledges, PLEDGES),
    ROUNDS,
    TEAMS,
];

const PLEDGES: &str = "whether each seat pledges a heap, whose stones count double for it; or whether that is dealt";

fn pledges() -> Value {
    json!({"enum": [true, false, DEALT], "default": true})
}

fn heaps() -> Value {
    let stones = json!({"type": "integer", "minimum": STONES.start(), "maximum": STONES.end()});
    let (least, most) = HEAPS.into_inner();
    json!({"type": "array", "items": stones, "minItems": least, "maxItems": most, "default": [4, 5, 6]})
}

/// Whether each seat has a heap whose stones count double for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pledges {
    /// None has.
    None,
    /// It chooses one in secret.
    Chosen,
    /// Chance gives it one in secret.
    Dealt,
}

/// A complete setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The stones of each heap.
    pub heaps: Vec<u8>,
    /// The number of seats.
    pub players: u8,
    /// How pledges are made.
    pub pledges: Pledges,
    /// The round after which the game ends.
    pub rounds: u8,
    /// Whether seats 1 and 3 are partners, and seats 2 and 4.
    pub teams: bool,
}

impl Setup {
    /// Reads a setup, and fills in what is missing.
    pub fn read(json: &Value) -> Result<Self, SetupError> {
        let members = SetupReader::of(json, MEMBERS)?;
        let what = format!("{} to {} heaps with their stones", HEAPS.start(), HEAPS.end());
        let stones = |stones| whole(stones, STONES).map_err(|why| format!("a heap is {why}"));
        Ok(Self {
            heaps: members.list("heaps", &what, HEAPS, stones)?.unwrap_or_else(|| vec![4, 5, 6]),
            players: PLAYERS.number(&members)?,
            pledges: match members.get("pledges") {
                None | Some(Value::Bool(true)) => Pledges::Chosen,
                Some(Value::Bool(false)) => Pledges::None,
                Some(other) if other == DEALT => Pledges::Dealt,
                Some(other) => return Err(format!("`pledges` is true, false or \"{DEALT}\", not {other}").into()),
            },
            rounds: ROUNDS.number(&members)?,
            teams: TEAMS.chosen(&members)?,
        })
    }

    /// The complete setup as JSON.
    pub fn to_json(&self) -> Value {
        let pledges = match self.pledges {
            Pledges::None => json!(false),
            Pledges::Chosen => json!(true),
            Pledges::Dealt => json!(DEALT),
        };
        let mut setup =
            json!({"heaps": self.heaps, "players": self.players, "pledges": pledges, "rounds": self.rounds});
        TEAMS.write_chosen(&mut setup, self.teams);
        setup
    }
}

/// The JSON Schema of the setup.
pub fn schema() -> Value {
    setup::schema("Setup of Heaps", "How many stones, seats and rounds.", MEMBERS)
}
