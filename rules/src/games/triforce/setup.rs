//! Setups: seats, white pyramids, pawns, and who begins.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::place::{AROUND, CORNERS, MIDDLES, PLACES, Place};
use super::stack::{SIZES, Size};
use crate::setup::{self, Beginner, Member};
use crate::{Draw, SetupError, SetupReader};

/// The fewest seats.
pub(super) const PLAYERS_MIN: u8 = 3;

/// The most seats.
pub(super) const PLAYERS_MAX: u8 = 6;

/// The white pyramids if the setup does not say: neighbours always differ in size.
pub(super) const BASES_DEFAULT: &str = "LMSSLMLMSLMSLMS";

/// White pyramids of each size.
const BASES_EACH: usize = 5;

const PLAYERS: Member = Member::whole("players", PLAYERS_MIN..=PLAYERS_MAX, 3, "How many seats play.");

const ORDER: Member = Member::choice(
    "order",
    ["clockwise", "any"],
    "How the seats follow one another around the board: \"clockwise\", or in \"any\" order that the pawns give. (R14)",
);

const SHIELD: Member = Member::choice(
    "shield",
    ["lowest", "owner"],
    "Whom a shield left from an earlier combat protects: the \"lowest\" in the stack, or its \"owner\", who exchanged for it. (R16)",
);

const COLOURS: Member = Member::choice(
    "colours",
    ["seats", "all"],
    "The two colours that make a stack contested: those of \"seats\", or \"all\", black and clear too. (R2)",
);

const MEMBERS: &[Member] = &[
    PLAYERS,
    Member::own(
        "bases",
        || json!({ "type": "string", "pattern": "^[LMS]{15}$", "default": BASES_DEFAULT }),
        "The sizes of the white pyramids, five L, five M and five S, in the order a1, b1, b2, c1 to e5.",
    ),
    Member::own(
        "pawns",
        || {
            let spots: Vec<String> = spots().map(|place| place.to_string()).collect();
            let (least, most) = (PLAYERS_MIN, PLAYERS_MAX);
            json!({ "type": "array", "items": { "enum": spots }, "minItems": least, "maxItems": most, "uniqueItems": true })
        },
        "The territory beside which each seat's pawn stands, by seat: all different, the corners a1, e5 and e1 all taken, the others at c3, e3 and c1. By default clockwise from a1: the corners for 3 seats; c3 joins for 4, e3 for 5, c1 for 6. (R9)",
    ),
    Member::first(PLAYERS_MAX, "The seat that begins, or \"drawn\": the service draws it. (R13)"),
    ORDER,
    SHIELD,
    COLOURS,
];

/// How the rules are read where the text leaves a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub(super) struct Options {
    /// Whether a shield protects only the seat that exchanged for it.
    pub(super) shield_stays: bool,
    /// Whether black and clear are colours, too.
    pub(super) all_colours: bool,
}

impl Options {
    fn read(members: &SetupReader<'_>) -> Result<Self, SetupError> {
        Ok(Self { shield_stays: SHIELD.chosen(members)?, all_colours: COLOURS.chosen(members)? })
    }

    fn write(self, json: &mut Value) {
        SHIELD.write_chosen(json, self.shield_stays);
        COLOURS.write_chosen(json, self.all_colours);
    }

    pub(super) fn is_usual(self) -> bool {
        self == Self::default()
    }
}

impl TryFrom<Value> for Options {
    type Error = SetupError;

    fn try_from(json: Value) -> Result<Self, SetupError> {
        Self::read(&SetupReader::of(&json, &[SHIELD, COLOURS])?)
    }
}

impl Serialize for Options {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = json!({});
        self.write(&mut json);
        json.serialize(serializer)
    }
}

/// A complete setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    /// The number of seats.
    pub(super) players: u8,
    /// The size of each territory's white pyramid.
    pub(super) bases: [Size; PLACES],
    /// The territories of the pawns, by seat.
    pub(super) pawns: Vec<Place>,
    /// Who begins; it may still be open.
    pub(super) first: Beginner,
    /// Whether play may run in another order than clockwise around the board.
    pub(super) is_any_order: bool,
    /// How the rules are read.
    pub(super) options: Options,
}

/// The territories that a pawn may stand beside: corners, then middles of edges.
pub(super) fn spots() -> impl Iterator<Item = Place> {
    CORNERS.into_iter().chain(MIDDLES)
}

impl Setup {
    /// Reads a setup, and fills in what is missing.
    pub(super) fn read(json: &Value) -> Result<Self, SetupError> {
        let members = SetupReader::of(json, MEMBERS)?;
        let players = PLAYERS.number(&members)?;
        Ok(Self {
            players,
            bases: read_bases(&members)?,
            pawns: read_pawns(&members, players)?,
            first: Beginner::read(&members, players)?,
            is_any_order: ORDER.chosen(&members)?,
            options: Options::read(&members)?,
        })
    }

    /// The complete setup, with the seat that begins drawn if it is to be.
    pub(super) fn complete(mut self, draw: &mut Draw<'_>) -> Value {
        self.first = self.first.drawn(self.players, draw);
        self.to_json()
    }

    /// Checks that the seats follow one another clockwise around the board, unless the setup says otherwise.
    pub(super) fn check_order(&self) -> Result<(), SetupError> {
        let place = |pawn: &Place| AROUND.iter().position(|spot| spot == pawn);
        let around: Vec<usize> = self.pawns.iter().filter_map(place).collect();
        let turns_back = around.iter().zip(around.iter().cycle().skip(1)).filter(|(one, next)| next < one).count();
        if self.is_any_order || turns_back == 1 {
            return Ok(());
        }
        let mut sorted = self.pawns.clone();
        sorted.sort_unstable_by_key(place);
        let names: Vec<String> = sorted.iter().map(|place| format!("\"{place}\"")).collect();
        Err(format!(
            "play goes clockwise, and these pawns would have it run otherwise: `pawns` are [{}], from any of them on; \
             or `order` is \"any\"",
            names.join(",")
        )
        .into())
    }

    /// The complete setup as JSON.
    pub(super) fn to_json(&self) -> Value {
        let mut json = json!({
            "bases": bases_text(&self.bases),
            "pawns": self.pawns.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "players": self.players,
        });
        self.first.write(&mut json);
        ORDER.write_chosen(&mut json, self.is_any_order);
        self.options.write(&mut json);
        json
    }
}

/// White pyramids as letters, in the order of the territories.
pub(super) fn bases_text(bases: &[Size; PLACES]) -> String {
    bases.iter().map(|size| size.letter()).collect()
}

fn read_bases(members: &SetupReader<'_>) -> Result<[Size; PLACES], SetupError> {
    let text = match members.get("bases") {
        None => BASES_DEFAULT,
        Some(bases) => bases.as_str().ok_or("`bases` is a text of 15 letters L, M and S, for a1, b1, b2, c1 to e5")?,
    };
    let sizes: Option<Vec<Size>> = text.bytes().map(Size::lettered).collect();
    let sizes = sizes.and_then(|sizes| <[Size; PLACES]>::try_from(sizes).ok());
    let bases = sizes.ok_or("`bases` has 15 letters, each L, M or S, for a1, b1, b2, c1 to e5")?;
    for size in SIZES {
        let count = bases.iter().filter(|base| **base == size).count();
        if count != BASES_EACH {
            let letter = size.letter();
            return Err(
                format!("there are {BASES_EACH} white pyramids of each size: `bases` has {count} {letter}").into()
            );
        }
    }
    Ok(bases)
}

fn read_pawns(members: &SetupReader<'_>, players: u8) -> Result<Vec<Place>, SetupError> {
    let what = format!("a territory for each of the {players} seats, all different");
    let seats = usize::from(players);
    let pawns = members.distinct("pawns", &what, seats..=seats, |name| {
        let place = name.as_str().and_then(|name| Place::named(name.as_bytes()));
        place.filter(|place| spots().any(|spot| spot == *place)).ok_or_else(|| {
            format!("a pawn stands beside a corner (a1, e5, e1) or the middle of an edge (c3, e3, c1), not {name}")
        })
    })?;
    let Some(pawns) = pawns else { return Ok(default_pawns(players)) };
    match CORNERS.iter().find(|corner| !pawns.contains(corner)) {
        Some(corner) => {
            Err(format!("no pawn stands beside {corner}: the corners a1, e5 and e1 are taken first").into())
        }
        None => Ok(pawns),
    }
}

/// Clockwise from the top: the corners, and as many middles of edges as there are seats beyond three.
fn default_pawns(players: u8) -> Vec<Place> {
    let middles = usize::from(players) - CORNERS.len();
    let both = CORNERS.iter().enumerate();
    both.flat_map(|(index, corner)| [Some(*corner), MIDDLES.get(index).copied().filter(|_| index < middles)])
        .flatten()
        .collect()
}

/// The JSON Schema of a setup.
pub(super) fn schema() -> Value {
    setup::schema("Setup of Triforce", "Who sits where, on which board, and how the rules are read.", MEMBERS)
}

#[cfg(test)]
mod tests {
    use super::super::Triforce;
    use super::*;
    use crate::Game;

    fn pawns(setup: &Value) -> String {
        let names: Vec<String> = Setup::read(setup).unwrap().pawns.iter().map(ToString::to_string).collect();
        names.join(" ")
    }

    #[test]
    fn pawns_go_clockwise_by_default() {
        assert_eq!(pawns(&json!({})), "a1 e5 e1");
        assert_eq!(pawns(&json!({ "players": 4 })), "a1 c3 e5 e1");
        assert_eq!(pawns(&json!({ "players": 5 })), "a1 c3 e5 e3 e1");
        assert_eq!(pawns(&json!({ "players": 6 })), "a1 c3 e5 e3 e1 c1");
        assert_eq!(pawns(&json!({ "players": 4, "pawns": ["c1", "e1", "e5", "a1"] })), "c1 e1 e5 a1");
    }

    #[test]
    fn by_default_neighbours_differ_in_size() {
        let bases = Setup::read(&json!({})).unwrap().bases;
        for place in Place::all() {
            let (row, column) = place.row_column();
            assert_eq!(bases[place.index()], SIZES[usize::from(row + column) % 3], "{place}");
        }
    }

    #[test]
    fn a_complete_setup_reads_as_itself() {
        let setup = json!({ "players": 5, "bases": "SSSSSMMMMMLLLLL", "shield": "owner", "colours": "all" });
        let setup = Setup::read(&setup).unwrap();
        assert_eq!(Setup::read(&setup.to_json()).unwrap(), setup);
    }

    #[test]
    fn who_begins_is_given_or_drawn() {
        let drawn = Setup::read(&json!({ "players": 5, "first": "drawn" })).unwrap();
        assert_eq!(drawn.to_json()["first"], "drawn");
        let complete = drawn.complete(&mut |n| n - 1);
        assert_eq!(complete["first"], 5);
        assert_eq!(Setup::read(&complete).unwrap().to_json(), complete);
        let unasked = Setup::read(&json!({})).unwrap().complete(&mut |_| panic!("nothing is to be drawn"));
        assert!(unasked.get("first").is_none());
    }

    #[test]
    fn play_goes_clockwise_unless_the_setup_says_otherwise() {
        let check = |pawns: &[&str], order: &str| {
            let setup = json!({ "players": pawns.len(), "pawns": pawns, "order": order });
            Triforce::complete(&setup, &mut |_| 0).map(|_| ()).map_err(|why| why.to_string())
        };
        for pawns in [["a1", "e5", "e1"], ["e1", "a1", "e5"], ["e5", "e1", "a1"]] {
            assert_eq!(check(&pawns, "clockwise"), Ok(()));
        }
        let why = check(&["a1", "e1", "e5"], "clockwise").unwrap_err();
        assert!(why.contains(r#"["a1","e5","e1"]"#), "{why}");
        assert_eq!(check(&["a1", "e1", "e5"], "any"), Ok(()));
        assert_eq!(check(&["e3", "e1", "c1", "a1", "c3", "e5"], "clockwise"), Ok(()));
        assert!(check(&["e3", "e1", "a1", "c1", "c3", "e5"], "clockwise").is_err());
        for players in 3..=6 {
            assert_eq!(Setup::read(&json!({ "players": players })).unwrap().check_order(), Ok(()), "the usual pawns");
        }
        let complete = Setup::read(&json!({ "order": "any" })).unwrap().to_json();
        assert_eq!((complete["order"].as_str(), Setup::read(&complete).unwrap().is_any_order), (Some("any"), true));
        assert!(Setup::read(&json!({ "order": "clockwise" })).unwrap().to_json().get("order").is_none());
    }

    #[test]
    fn wrong_setups_are_refused_with_a_reason() {
        let refused = |setup: Value, reason: &str| {
            let why = Setup::read(&setup).unwrap_err().to_string();
            assert!(why.contains(reason), "{setup}: {why}");
        };
        refused(json!([]), "a JSON object");
        refused(json!({ "seats": 3 }), "\"seats\" is not a member");
        for players in [json!(2), json!(7), json!(-3), json!(3.5), json!("3"), json!(null), json!(1_000_000_007_u64)] {
            refused(json!({ "players": players }), "from 3 to 6");
        }
        for bases in [json!("LMS"), json!("LMSSLMLMSLMSLMs"), json!("LMSSLMLMSLMSLMSL"), json!("ÄMSSLMLMSLMSLMS")] {
            refused(json!({ "bases": bases }), "15 letters");
        }
        refused(json!({ "bases": 15 }), "15 letters");
        refused(json!({ "bases": "LMSSLMLMSLMSLMM" }), "`bases` has 6 M");
        for first in [json!(0), json!(4), json!("2"), json!("Drawn"), json!(null)] {
            refused(json!({ "first": first }), "`first` is a whole number from 1 to 3");
        }
        refused(json!({ "pawns": "a1" }), "is not a list");
        refused(json!({ "pawns": ["a1", "c3", "e5", "e1"] }), "each of the 3 seats, all different: 4 are given");
        refused(json!({ "pawns": ["a1", "e5", "b1"] }), "not \"b1\"");
        refused(json!({ "pawns": ["a1", "e5", 1] }), "not 1");
        refused(json!({ "pawns": ["a1", "e5", "e5"] }), "\"e5\" is given twice");
        refused(json!({ "players": 4, "pawns": ["a1", "e5", "c1", "c3"] }), "no pawn stands beside e1");
    }
}
