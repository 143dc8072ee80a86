//! Setups: reading, completing and drawing them.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::board::ROUNDS;
use super::lattice::{self, Cell, SIDE_MAX, SIDE_MIN};
use crate::setup::{self, Member, whole};
use crate::timetable::{self, DEADLINES, Timetable};
use crate::{Draw, SetupError, SetupReader, shuffle};

/// The most seats.
pub(super) const SEATS: usize = 13;

const SIDE: Member = Member::whole(
    "side",
    SIDE_MIN..=SIDE_MAX,
    7,
    "Rows of the board. It needs at least as many border cells (3 * side - 3) as there are seats.",
);

const LINE: Member = Member::whole("line", 3..=5, 3, "How many occupied cells in a strip power the seats on them.");

const SHIFT_FROM: Member = Member::whole(
    "shiftFrom",
    3..=4,
    3,
    "The first round that begins with a shift of priorities: 3 as in the published example, or 4 as in the published sentence. (R11)",
);

/// The member that says that start cells and labels are drawn as round 1 opens.
const DRAW_LATE: &str = "drawLate";

const MEMBERS: &[Member] = &[
    Member::own(
        "players",
        || json!({ "type": "integer", "enum": [13, 10, 7], "default": 13 }),
        "How many seats: 13 as published, or 10 or 7. One of every game is left over, the others leave in threes.",
    ),
    SIDE,
    LINE,
    Member::own(
        "garnets",
        || brought_schema(1),
        "Garnets that each seat starts with: one number for all, or one for each seat. (R5)",
    ),
    Member::own(
        "lives",
        || brought_schema(0),
        "Tokens of life that each seat brings along from earlier games, in the same way. (R10)",
    ),
    Member::own(
        "priority",
        || by_seat_schema(&seat_schema()),
        "Priority of each seat in rounds 1 and 2: 1 to the number of seats, each once. By default seat 1 has the highest.",
    ),
    SHIFT_FROM,
    Member::own(
        "starts",
        || by_seat_schema(&json!({ "type": "string", "pattern": "^[1-9][0-9]?\\.[1-9][0-9]?$" })),
        "Start cell of each seat, row and number: different cells with an edge on the border. Drawn if not given.",
    ),
    Member::own(
        "labels",
        || by_seat_schema(&seat_schema()),
        "The seats called A, B, C … in round 1. Drawn if not given.",
    ),
    Member::flag(
        DRAW_LATE,
        false,
        "Whether start cells and labels are drawn, and told, only as round 1 opens; then neither can be given. The default is false, or true with a time before the game, unless one of them is given.",
    ),
    timetable::member(|| timetable::schema(usize::from(ROUNDS))),
];

/// The most garnets that a seat can start with, and the most tokens of life that it can bring along.
const BROUGHT_MAX: u8 = 99;

/// What seats bring along: one number for all, or a list by seat.
fn brought_schema(usual: u8) -> Value {
    let count = json!({ "type": "integer", "minimum": 0, "maximum": BROUGHT_MAX });
    let each = json!({ "type": "array", "items": count, "minItems": 7, "maxItems": SEATS });
    json!({ "anyOf": [count, each], "default": usual })
}

/// A list by seat, with all items different.
fn by_seat_schema(items: &Value) -> Value {
    json!({ "type": "array", "items": items, "minItems": 7, "maxItems": SEATS, "uniqueItems": true })
}

fn seat_schema() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": SEATS })
}

/// The options of a game, without the start cells. Arrays are indexed by seat; only the first `players`
/// entries count, the others are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub(super) struct Setup {
    /// 7, 10 or 13.
    pub(super) players: u8,
    /// Rows of the board.
    pub(super) side: u8,
    /// The number of cells in a row that make a line.
    pub(super) line: u8,
    /// The garnets of each seat at the start.
    pub(super) garnets: [u8; SEATS],
    /// The tokens of life that each seat brings along.
    pub(super) lives: [u8; SEATS],
    /// Rounds from this one on begin with a shift of priorities.
    pub(super) shift_from: u8,
    /// The priorities announced before the game.
    pub(super) priority: [u8; SEATS],
    /// The seat with each label, A first; seats from 1.
    pub(super) labels: [u8; SEATS],
    /// Whether start cells and labels are drawn as round 1 opens. Until then, labels are the identity.
    pub(super) draws_late: bool,
}

/// What seats start with: one number for all, or a list by seat.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Brought<'s> {
    All(u8),
    Each(&'s [u8]),
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

    /// The garnets that seats start with.
    pub(super) fn announced_garnets(&self) -> Brought<'_> {
        brought(&self.garnets[..usize::from(self.players)])
    }

    /// The tokens of life that seats bring along; `None` if nobody does.
    pub(super) fn announced_lives(&self) -> Option<Brought<'_>> {
        let lives = &self.lives[..usize::from(self.players)];
        lives.iter().any(|count| *count > 0).then(|| brought(lives))
    }

    /// The part that says nothing about seats.
    pub(super) fn shape(&self) -> Members<'_> {
        Members {
            draw_late: false,
            garnets: None,
            labels: &[],
            line: self.line,
            lives: self.announced_lives(),
            players: self.players,
            priority: &[],
            shift_from: Some(self.shift_from).filter(|round| *round != SHIFT_FROM.usual()),
            side: self.side,
        }
    }

    /// The setup without what is drawn as round 1 opens.
    pub(super) fn announced(&self) -> Value {
        let mut json = Value::from(*self);
        if let (Some(members), true) = (json.as_object_mut(), self.draws_late) {
            members.remove("labels");
        }
        json
    }

    /// The letter of a seat.
    pub(super) fn letter(&self, seat: u8) -> char {
        let index = self.labels().iter().position(|labelled| *labelled == seat);
        char::from(b'A' + index.expect("every seat has a label") as u8)
    }
}

/// A setup as it is written, without what a viewer may not know.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Members<'s> {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    draw_late: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    garnets: Option<Brought<'s>>,
    #[serde(skip_serializing_if = "<[u8]>::is_empty")]
    labels: &'s [u8],
    line: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    lives: Option<Brought<'s>>,
    players: u8,
    #[serde(skip_serializing_if = "<[u8]>::is_empty")]
    priority: &'s [u8],
    #[serde(skip_serializing_if = "Option::is_none")]
    shift_from: Option<u8>,
    side: u8,
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (draw_late, garnets) = (self.draws_late, Some(self.announced_garnets()));
        let (labels, priority) = (self.labels(), self.priority());
        Members { draw_late, garnets, labels, priority, ..self.shape() }.serialize(serializer)
    }
}

impl From<Setup> for Value {
    fn from(setup: Setup) -> Self {
        serde_json::to_value(setup).expect("a setup is plain data")
    }
}

fn brought(counts: &[u8]) -> Brought<'_> {
    if counts.iter().all(|count| *count == counts[0]) { Brought::All(counts[0]) } else { Brought::Each(counts) }
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
        let members = SetupReader::of(json, MEMBERS)?;
        let players = members.whole("players", 13, 7..=13)?;
        if players % 3 != 1 {
            return Err(format!("`players` is 13, 10 or 7, not {players}").into());
        }
        let side = SIDE.number(&members)?;
        let border = 3 * side - 3;
        if border < players {
            let enough = players.div_ceil(3) + 1;
            return Err(format!(
                "a board of side {side} has {border} border cells, too few for {players} players: `side` is at least {enough}"
            )
            .into());
        }
        let line = LINE.number(&members)?;
        let garnets = read_brought(&members, "garnets", 1, players)?;
        let lives = read_brought(&members, "lives", 0, players)?;
        let shift_from = SHIFT_FROM.number(&members)?;
        let priority = permutation(&members, "priority", players)?;
        let labels = if members.is_drawn("labels") { None } else { permutation(&members, "labels", players)? };
        let starts = if members.is_drawn("starts") { None } else { starts(&members, players, side)? };
        let waits = members.get(DEADLINES).is_some_and(|deadlines| deadlines.get("before").is_some());
        // What is to be drawn at the start says so.
        let says_nothing = members.get("starts").is_none() && members.get("labels").is_none();
        let draws_late = members.flag(DRAW_LATE, waits && says_nothing)?;
        if draws_late && starts.is_some() {
            return Err(format!("`{DRAW_LATE}`: `starts` are drawn as round 1 opens, so leave them out").into());
        }
        let (priorities, unlabelled) = ([0; SEATS], [0; SEATS]);
        let mut setup = Setup {
            players,
            side,
            line,
            garnets,
            lives,
            shift_from,
            priority: priorities,
            labels: unlabelled,
            draws_late,
        };
        for seat in 0..players {
            let index = usize::from(seat);
            setup.priority[index] = priority.as_ref().map_or(players - seat, |priority| priority[index]);
            setup.labels[index] = labels.as_ref().map_or(seat + 1, |labels| labels[index]);
        }
        Timetable::read(&members, usize::from(ROUNDS))?;
        Ok(Self { deadlines: members.get(DEADLINES).cloned(), setup, labelled: labels.is_some(), starts })
    }

    /// The same, for the setup of a game: of what is drawn late, nothing is given.
    pub(super) fn read_given(json: &Value) -> Result<Self, SetupError> {
        let given = Self::read(json)?;
        if given.setup.draws_late && given.labelled {
            return Err(format!("`{DRAW_LATE}`: `labels` are drawn as round 1 opens, so leave them out").into());
        }
        Ok(given)
    }

    /// Draws whatever is missing, and returns the complete setup.
    pub(super) fn complete(mut self, draw: &mut Draw<'_>) -> Value {
        let players = usize::from(self.setup.players);
        let mut starts = Vec::new();
        if !self.setup.draws_late {
            starts = self.starts.take().unwrap_or_else(|| {
                let mut cells: Vec<Cell> = lattice::border(self.setup.side).collect();
                shuffle(&mut cells, players, draw);
                cells.truncate(players);
                cells
            });
            if !self.labelled {
                shuffle(&mut self.setup.labels[..players], players, draw);
            }
        }
        let mut json = self.setup.announced();
        if let Some(deadlines) = self.deadlines {
            json[DEADLINES] = deadlines;
        }
        if self.setup.draws_late {
            return json;
        }
        json["starts"] = starts.iter().map(ToString::to_string).collect::<Vec<_>>().into();
        json
    }
}

/// When the rounds of a game with a valid setup are played.
pub(super) fn timetable(setup: &Value) -> Option<Timetable> {
    let members = SetupReader::of(setup, MEMBERS).ok()?;
    Timetable::read(&members, usize::from(ROUNDS)).ok()?
}

/// Reads what seats bring along: one number for all, or a list by seat.
fn read_brought(members: &SetupReader<'_>, name: &str, default: u8, players: u8) -> Result<[u8; SEATS], SetupError> {
    let mut counts = [0; SEATS];
    let seats = &mut counts[..usize::from(players)];
    if members.get(name).is_some_and(Value::is_array) {
        let what = format!("whole numbers from 0 to {BROUGHT_MAX}, one for each of the {players} seats");
        let given = members.list(name, &what, seats.len()..=seats.len(), |count| {
            whole(count, 0..=BROUGHT_MAX).map_err(|_| format!("{count} is none of them"))
        })?;
        seats.copy_from_slice(&given.unwrap_or_default());
    } else {
        seats.fill(members.whole(name, default, 0..=BROUGHT_MAX)?);
    }
    Ok(counts)
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
    let about = "All may be left out: the service draws start cells and labels and records what it drew.";
    setup::schema("Setup of Triforce Building", about, MEMBERS)
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
    fn holdings_are_one_number_or_one_for_each_seat() {
        let complete = |json: Value| PartialSetup::read(&json).expect("a setup").complete(&mut |_| 0);
        let own = complete(json!({"players": 7, "garnets": [3, 0, 1, 1, 1, 1, 9], "lives": [0, 0, 0, 0, 0, 1, 0]}));
        assert_eq!(own["garnets"], json!([3, 0, 1, 1, 1, 1, 9]));
        assert_eq!(own["lives"], json!([0, 0, 0, 0, 0, 1, 0]));
        assert_eq!(complete(own.clone()), own);
        let same = complete(json!({"players": 7, "garnets": [2, 2, 2, 2, 2, 2, 2], "lives": 0, "shiftFrom": 3}));
        assert_eq!((&same["garnets"], same.get("lives"), same.get("shiftFrom")), (&json!(2), None, None));
        assert_eq!(complete(json!({"shiftFrom": 4}))["shiftFrom"], 4);
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
            (json!({"garnets": [1, 2, 3]}), "each of the 13 seats: 3 are given"),
            (json!({"players": 7, "garnets": [1, 2, 3, 4, 5, 6, 100]}), "100 is none of them"),
            (json!({"lives": "1"}), "`lives` is a whole number from 0 to 99"),
            (json!({"shiftFrom": 5}), "`shiftFrom` is a whole number from 3 to 4"),
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
