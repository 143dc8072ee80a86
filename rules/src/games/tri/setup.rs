//! Setups: the two formations, and custom boards.

use serde::Deserialize;
use serde_json::{Value, json};

use super::board::PIECES;
use super::lattice::{Placement, axial};
use super::notation::{Letter, Space, letter, names, set};
use super::shape::{Captures, EVERY_ISLAND, ISLANDS, Shape, centres, islands, reached, spaces};
use super::view::json::placement;
use crate::setup::{self, Beginner, Member};
use crate::{Draw, SetupError, SetupReader};

/// How far from the origin an island may be placed, in coarse steps.
const FAR: i64 = 1_000;

/// The members of a custom board.
const OWN_BOARD: [&str; 3] = ["islands", "keys", "start"];

const CAPTURES: Member = Member::choice(
    "captures",
    ["groups", "pieces"],
    "What is captured when it has no free edge: whole \"groups\", as in Go, or single \"pieces\". (R2)",
);

/// What both sorts of setups have.
const BOTH: &[Member] =
    &[CAPTURES, Member::first(2, "The seat that begins, or \"drawn\": the service draws it. (R12)")];

/// What a game starts with.
pub(super) struct Start {
    pub(super) shape: Shape,
    pub(super) keys: u16,
    pub(super) pieces: [u128; 2],
    pub(super) captures: Captures,
    /// Who begins; it may still be open.
    pub(super) first: Beginner,
}

/// A formation of the rules.
struct Formation {
    name: &'static str,
    islands: [(i32, i32, u8); ISLANDS],
    keys: &'static str,
    /// The island whose centres a seat starts on.
    homes: [&'static str; 2],
}

const FORMATIONS: [Formation; 2] = [
    Formation {
        name: "grid",
        islands: [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0), (0, 2, 0), (1, 2, 0), (2, 2, 0)],
        keys: "CEG",
        homes: ["A", "I"],
    },
    Formation {
        name: "river",
        islands: [(0, 0, 0), (0, 0, 5), (1, 1, 2), (-1, 0, 5), (2, 1, 2), (-2, 1, 5), (3, 0, 2), (-2, 1, 0), (3, 0, 3)],
        keys: "ADE",
        homes: ["H", "I"],
    },
];

impl Formation {
    fn start(&self, captures: Captures) -> Start {
        let placed = self.islands.map(|(q, r, turn)| Placement { anchor: axial(q, r), turn });
        let keys = self.keys.bytes().fold(0, |keys, letter| keys | 1 << (letter - b'A'));
        let home = |home: &str| centres(home.as_bytes()[0] - b'A');
        Start { shape: Shape::new(placed), keys, pieces: self.homes.map(home), captures, first: Beginner::default() }
    }
}

pub(super) fn schema() -> Value {
    let pieces = json!({
        "description": "The spaces with the seat's pieces; as many as the other seat has.",
        "type": "array",
        "items": {"type": "string", "pattern": "^[A-I][1-8]$"},
        "minItems": 1,
        "maxItems": PIECES,
        "uniqueItems": true,
    });
    let both = setup::properties(BOTH);
    let (captures, first) = (&both["captures"], &both["first"]);
    let coordinate = json!({"type": "integer", "minimum": -FAR, "maximum": FAR});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Setup of TRI",
        "description": "A formation, or a custom board.",
        "type": "object",
        "default": {"formation": "grid"},
        "oneOf": [
            {
                "title": "A formation",
                "properties": {
                    "formation": {
                        "description": "How the islands lie: three rows of three, or a river with holes.",
                        "enum": FORMATIONS.map(|formation| formation.name),
                        "default": "grid",
                    },
                    "captures": captures,
                    "first": first,
                },
                "additionalProperties": false,
            },
            {
                "title": "A custom board",
                "properties": {
                    "islands": {
                        "description": "Where the islands A to I lie: axial coordinates of the sharp corner n, and the \
                            direction of the side from n to r in sixths of a circle, counter-clockwise. They must not \
                            overlap, and must be connected by whole edges.",
                        "type": "array",
                        "items": {
                            "type": "array",
                            "prefixItems": [coordinate, coordinate, {"type": "integer", "minimum": 0, "maximum": 5}],
                            "items": false,
                            "minItems": 3,
                        },
                        "minItems": ISLANDS,
                        "maxItems": ISLANDS,
                    },
                    "keys": {
                        "description": "The three key islands.",
                        "type": "array",
                        "items": {"enum": islands(EVERY_ISLAND).map(Letter).collect::<Vec<_>>()},
                        "minItems": 3,
                        "maxItems": 3,
                        "uniqueItems": true,
                    },
                    "start": {
                        "description": "Where the pieces stand; no space twice.",
                        "type": "object",
                        "properties": {"1": pieces, "2": pieces},
                        "required": ["1", "2"],
                        "additionalProperties": false,
                    },
                    "captures": captures,
                    "first": first,
                },
                "required": ["islands", "keys", "start"],
                "additionalProperties": false,
            },
        ],
    })
}

/// Checks a setup; returns it complete, and what the game starts with. Who begins is drawn if it is to be, and
/// there is something to draw from.
pub(super) fn read(setup: &Value, draw: Option<&mut Draw<'_>>) -> Result<(Value, Start), SetupError> {
    let members = SetupReader::new(setup, &["formation", "islands", "keys", "start", "captures", "first"])?;
    let captures = if CAPTURES.chosen(&members)? { Captures::Pieces } else { Captures::Groups };
    let (mut complete, mut start) = read_board(&members, captures)?;
    start.first = Beginner::read(&members, 2)?;
    if let Some(draw) = draw {
        start.first = start.first.drawn(2, draw);
    }
    start.first.write(&mut complete);
    CAPTURES.write_chosen(&mut complete, captures == Captures::Pieces);
    Ok((complete, start))
}

fn read_board(members: &SetupReader<'_>, captures: Captures) -> Result<(Value, Start), SetupError> {
    if OWN_BOARD.iter().any(|name| members.get(name).is_some()) {
        return custom(members, captures);
    }
    let name = members.get("formation").map_or(Some("grid"), Value::as_str);
    let formation = FORMATIONS.iter().find(|formation| Some(formation.name) == name);
    let formation = formation.ok_or("`formation` is \"grid\" or \"river\"")?;
    Ok((json!({"formation": formation.name}), formation.start(captures)))
}

fn custom(members: &SetupReader<'_>, captures: Captures) -> Result<(Value, Start), SetupError> {
    if members.get("formation").is_some() {
        return Err("`formation` cannot stand beside `islands`, `keys` and `start`: leave it out".into());
    }
    let missing = |name| format!("`{name}` is missing: a custom board has `islands`, `keys` and `start`");
    let shape = read_shape(members)?.ok_or_else(|| missing("islands"))?;
    let what = "three different islands, such as [\"C\",\"E\",\"G\"]";
    let keys = members
        .distinct("keys", what, 3..=3, |key| Letter::deserialize(key).map_err(|_| format!("{key} is not an island")))?;
    let keys = set(&keys.ok_or_else(|| missing("keys"))?).expect("they are different");
    let start = members.get("start").ok_or_else(|| missing("start"))?;
    let seats = SetupReader::new(start, &["1", "2"]).map_err(|_| both_seats())?;
    let pieces = [read_pieces(&seats, "1")?, read_pieces(&seats, "2")?];
    if let Some(space) = spaces(pieces[0] & pieces[1]).next() {
        return Err(format!("{} is given to both seats: a space holds one piece", Space(space)).into());
    }
    let [one, two] = pieces.map(u128::count_ones);
    if one != two {
        return Err(format!("seat 1 has {one} pieces and seat 2 has {two}: both start with the same number").into());
    }
    let complete = json!({
        "islands": shape.islands.map(|place| (place.anchor.q, place.anchor.r, place.turn)),
        "keys": islands(keys).map(Letter).collect::<Vec<_>>(),
        "start": {"1": space_names(pieces[0]), "2": space_names(pieces[1])},
    });
    Ok((complete, Start { shape, keys, pieces, captures, first: Beginner::default() }))
}

fn read_shape(members: &SetupReader<'_>) -> Result<Option<Shape>, SetupError> {
    let what = format!(
        "the placements of A to I as [q, r, turn], whole numbers, q and r from -{FAR} to {FAR}, turn from 0 to 5"
    );
    let places = members.list("islands", &what, ISLANDS..=ISLANDS, |place| {
        let numbers = <[i64; 3]>::deserialize(place).ok();
        numbers.and_then(|numbers| placement(numbers, FAR)).ok_or_else(|| format!("{place} is not a placement"))
    })?;
    let Some(places) = places else { return Ok(None) };
    let shape = Shape::new(places.try_into().expect("they are nine"));
    if let Some((a, b)) = shape.overlap() {
        return Err(format!("islands {} and {} overlap: each needs its own ground", letter(a), letter(b)).into());
    }
    let linked = reached(EVERY_ISLAND, &shape.bordering);
    if let Some(lost) = islands(EVERY_ISLAND & !linked).next() {
        let (lost, linked) = (letter(lost), names(linked));
        return Err(format!("island {lost} is not connected to {linked}: all islands are linked by whole edges").into());
    }
    Ok(Some(shape))
}

fn both_seats() -> SetupError {
    "`start` is an object with the spaces of both seats: {\"1\":[\"A2\",\"A7\"],\"2\":[\"I2\",\"I7\"]}".into()
}

fn read_pieces(seats: &SetupReader<'_>, seat: &str) -> Result<u128, SetupError> {
    let what = format!("1 to {PIECES} different spaces, \"A1\" to \"I8\"");
    let pieces = seats.distinct(seat, &what, 1..=usize::from(PIECES), |name| {
        let space = name.as_str().and_then(|name| name.parse().ok());
        space.map(|Space(space)| space).ok_or_else(|| format!("{name} is not a space"))
    });
    let pieces = pieces.map_err(|why| SetupError(format!("`start`: {}", why.0)))?.ok_or_else(both_seats)?;
    Ok(pieces.into_iter().fold(0, |pieces, space| pieces | 1 << space))
}

fn space_names(set: u128) -> Vec<String> {
    spaces(set).map(|space| Space(space).to_string()).collect()
}
