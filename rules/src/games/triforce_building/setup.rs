//! Setups: reading, completing and drawing them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::board::ROUNDS;
use super::lattice::{self, Cell, SIDE_MAX, SIDE_MIN};
use crate::setup::whole;
use crate::timetable::{self, DEADLINES, Timetable};
use crate::{Draw, SetupError, SetupReader};

/// The most seats.
pub(super) const SEATS: usize = 13;

/// The members of a setup.
const MEMBERS: [&str; 8] = ["players", "side", "line", "garnets", "priority", "starts", "labels", DEADLINES];

/// The most garnets that a seat can start with.
const GARNETS_MAX: u8 = 99;

/// The options of a game, without the start cells. Arrays are indexed by seat; only the first `players`
/// entries count, the others are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub(super) struct Setup {
    /// 7, 10 or 13.
    pub(super) players: u8,
    /// Rows of the board.
    pub(super) side: u8,
    /// The number of cells in a row that make a line.
    pub(super) line: u8,
    /// The garnets of each seat at the start.
    pub(super) garnets: u8,
    /// The priorities announced before the game.
    pub(super) priority: [u8; SEATS],
    /// The seat with each label, A first; seats from 1.
    pub(super) labels: [u8; SEATS],
}

/// A setup as it was given; what can be drawn may be missing.
pub(super) struct PartialSetup {
    /// When rounds are due, as it was given.
    deadlines: Option<Value>,
    pub(super) setup: Setup,
    /// Whether labels were given; if not, they are the identity.
    pub(super) labelled: bool,
    /// The start cells by seat.
    pub(super) starts: Option<Vec<Cell>>,
}

impl Setup {
    /// The number of triforces that end the game.
    pub(super) fn triforces(&self) -> u8 {
        (self.players - 1) / 3
    }

    /// The priorities announced before the game, by seat.
    pub(super) fn priority(&self) -> &[u8] {
        &self.priority[..usize::from(self.players)]
    }

    /// The seat with each label, A first.
    pub(super) fn labels(&self) -> &[u8] {
        &self.labels[..usize::from(self.players)]
    }

    /// The letter of a seat.
    pub(super) fn letter(&self, seat: u8) -> char {
        let index = self.labels().iter().position(|labelled| *labelled == seat);
        char::from(b'A' + index.expect("every seat has a label") as u8)
    }
}

impl From<Setup> for Value {
    fn from(setup: Setup) -> Self {
        json!({
            "garnets": setup.garnets,
            "labels": setup.labels(),
            "line": setup.line,
            "players": setup.players,
            "priority": setup.priority(),
            "side": setup.side,
        })
    }
}

impl TryFrom<Value> for Setup {
    type Error = SetupError;

    fn try_from(json: Value) -> Result<Self, SetupError> {
        Ok(PartialSetup::read(&json)?.setup)
    }
}

impl PartialSetup {
    /// Reads and checks a setup.
    pub(super) fn read(json: &Value) -> Result<Self, SetupError> {
        let members = SetupReader::new(json, &MEMBERS)?;
        let players = members.whole("players", 13, 7..=13)?;
        if players % 3 != 1 {
            return Err(format!("`players` is 13, 10 or 7, not {players}").into());
        }
        let side = members.whole("side", 7, SIDE_MIN..=SIDE_MAX)?;
        let border = 3 * side - 3;
        if border < players {
            let enough = players.div_ceil(3) + 1;
            return Err(format!(
                "a board of side {side} has {border} border cells, too few for {players} players: `side` is at least {enough}"
            )
            .into());
        }
        let line = members.whole("line", 3, 3..=5)?;
        let garnets = members.whole("garnets", 1, 0..=GARNETS_MAX)?;
        let priority = permutation(&members, "priority", players)?;
        let labels = if members.is_drawn("labels") { None } else { permutation(&members, "labels", players)? };
        let mut setup = Setup { players, side, line, garnets, priority: [0; SEATS], labels: [0; SEATS] };
        for seat in 0..players {
            let index = usize::from(seat);
            setup.priority[index] = priority.as_ref().map_or(players - seat, |priority| priority[index]);
            setup.labels[index] = labels.as_ref().map_or(seat + 1, |labels| labels[index]);
        }
        let starts = if members.is_drawn("starts") { None } else { starts(&members, players, side)? };
        Timetable::read(&members, usize::from(ROUNDS))?;
        Ok(Self { deadlines: members.get(DEADLINES).cloned(), setup, labelled: labels.is_some(), starts })
    }

    /// Draws whatever is missing, and returns the complete setup.
    pub(super) fn complete(mut self, draw: &mut Draw<'_>) -> Value {
        let players = usize::from(self.setup.players);
        let starts = self.starts.unwrap_or_else(|| {
            let mut cells: Vec<Cell> = lattice::border(self.setup.side).collect();
            shuffle(&mut cells, players, draw);
            cells.truncate(players);
            cells
        });
        if !self.labelled {
            shuffle(&mut self.setup.labels[..players], players, draw);
        }
        let mut json = Value::from(self.setup);
        if let Some(deadlines) = self.deadlines {
            json[DEADLINES] = deadlines;
        }
        json["starts"] = starts.iter().map(ToString::to_string).collect::<Vec<_>>().into();
        json
    }
}

/// When the rounds of a game with a valid setup are played.
pub(super) fn timetable(setup: &Value) -> Option<Timetable> {
    let members = SetupReader::new(setup, &MEMBERS).ok()?;
    Timetable::read(&members, usize::from(ROUNDS)).ok()?
}

/// Draws `count` items one by one, without replacement.
fn shuffle<T>(items: &mut [T], count: usize, draw: &mut Draw<'_>) {
    for index in 0..count.min(items.len()) {
        let left = (items.len() - index) as u32;
        items.swap(index, index + draw(left) as usize);
    }
}

/// Reads a permutation of 1 to `count`, if one is given.
fn permutation(members: &SetupReader<'_>, name: &str, count: u8) -> Result<Option<Vec<u8>>, SetupError> {
    let items = usize::from(count);
    members.distinct(name, &format!("the numbers 1 to {count}, each once"), items..=items, |item| {
        whole(item, 1..=count).map_err(|_| format!("{item} is none of them"))
    })
}

fn starts(members: &SetupReader<'_>, players: u8, side: u8) -> Result<Option<Vec<Cell>>, SetupError> {
    let what = format!("{players} different border cells, such as \"1.1\", by seat");
    let seats = usize::from(players);
    members.distinct("starts", &what, seats..=seats, |item| {
        let cell = item.as_str().and_then(|name| Cell::parse(name, side));
        let cell = cell.ok_or_else(|| format!("{item} is not a cell of a board of side {side}"))?;
        if cell.is_border(side) {
            return Ok(cell);
        }
        Err(format!("{cell} has no edge on the border of a board of side {side}"))
    })
}

/// The JSON Schema of a setup.
pub(super) fn schema() -> Value {
    let seats = |description: &str, items: Value| {
        json!({
            "description": description, "type": "array", "items": items,
            "minItems": 7, "maxItems": SEATS, "uniqueItems": true,
        })
    };
    let seat_number = json!({"type": "integer", "minimum": 1, "maximum": SEATS});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Setup of Triforce Building",
        "description": "All may be left out: the service draws start cells and labels and records what it drew.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "players": {
                "description": "How many seats: 13 as published, or 10 or 7. One of every game is left over, the others leave in threes.",
                "type": "integer", "enum": [13, 10, 7], "default": 13,
            },
            "side": {
                "description": "Rows of the board. It needs at least as many border cells (3 * side - 3) as there are seats.",
                "type": "integer", "minimum": SIDE_MIN, "maximum": SIDE_MAX, "default": 7,
            },
            "line": {
                "description": "How many occupied cells in a strip power the seats on them.",
                "type": "integer", "minimum": 3, "maximum": 5, "default": 3,
            },
            "garnets": {
                "description": "Garnets that each seat starts with.",
                "type": "integer", "minimum": 0, "maximum": GARNETS_MAX, "default": 1,
            },
            "priority": seats(
                "Priority of each seat in rounds 1 and 2: 1 to the number of seats, each once. By default seat 1 has the highest.",
                seat_number.clone(),
            ),
            "starts": seats(
                "Start cell of each seat, row and number: different cells with an edge on the border. Drawn if not given.",
                json!({"type": "string", "pattern": "^[1-9][0-9]?\\.[1-9][0-9]?$"}),
            ),
            DEADLINES: timetable::schema(usize::from(ROUNDS)),
            "labels": seats("The seats called A, B, C … in round 1. Drawn if not given.", seat_number),
        },
        "default": {},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &Value) -> String {
        PartialSetup::read(json).err().map(|why| why.0).expect("this setup is refused")
    }

    #[test]
    fn what_is_missing_is_drawn_and_stays() {
        let mut next = 0;
        let mut draw = |n: u32| {
            next += 7;
            next % n
        };
        for (players, side) in [(13, 7), (13, 6), (10, 5), (7, 4), (7, 12)] {
            let json = json!({"players": players, "side": side});
            let complete = PartialSetup::read(&json).expect("a setup").complete(&mut draw);
            let again = PartialSetup::read(&complete).expect("complete setups are setups");
            assert_eq!(again.starts.as_ref().map(Vec::len), Some(players));
            assert_eq!(again.complete(&mut |_| panic!("nothing is left to draw")), complete);
        }
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        for (json, part) in [
            (json!([]), "JSON object"),
            (json!({"player": 13}), "\"player\" is not a member of a setup"),
            (json!({"players": 8}), "13, 10 or 7"),
            (json!({"players": 13.0}), "`players` is a whole number"),
            (json!({"players": 16}), "from 7 to 13"),
            (json!({"side": 3}), "from 4 to 12"),
            (json!({"side": 5}), "`side` is at least 6"),
            (json!({"players": 10, "side": 4}), "`side` is at least 5"),
            (json!({"line": 6}), "from 3 to 5"),
            (json!({"garnets": 100}), "from 0 to 99"),
            (json!({"garnets": -1}), "from 0 to 99"),
            (json!({"priority": null}), "is not a list"),
            (json!({"players": 7, "priority": [1, 2, 3, 4, 5, 6, 6]}), "6 is given twice"),
            (json!({"players": 7, "labels": [1, 2, 3, 4, 5, 6, 8]}), "8 is none of them"),
            (json!({"players": 7, "labels": [1, 2, 3]}), "3 are given"),
            (json!({"players": 7, "starts": ["1.1"]}), "1 are given"),
            (
                json!({"players": 7, "starts": ["1.1", "1.1", "2.1", "3.1", "4.1", "5.1", "6.1"]}),
                "\"1.1\" is given twice",
            ),
            (json!({"players": 7, "starts": ["2.2", "1.1", "2.1", "3.1", "4.1", "5.1", "6.1"]}), "2.2 has no edge"),
            (json!({"players": 7, "starts": ["7.2", "1.1", "2.1", "3.1", "4.1", "5.1", "6.1"]}), "7.2 has no edge"),
            (json!({"players": 7, "starts": [1, "1.1", "2.1", "3.1", "4.1", "5.1", "6.1"]}), "1 is not a cell"),
        ] {
            let why = refused(&json);
            assert!(why.contains(part), "{json}: {why}");
        }
    }
}
