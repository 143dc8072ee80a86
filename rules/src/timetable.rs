//! Timetables: when the rounds of a game that is played by submissions begin, and when they are due.

use plybook_events::Timestamp;
use serde_json::{Value, json};

use crate::setup::Member;
use crate::{SetupError, SetupReader};

/// The member of a setup that holds a timetable.
pub const DEADLINES: &str = "deadlines";

/// The shortest and the longest time for a round, in milliseconds: a second and 366 days.
const ROUND_MS: std::ops::RangeInclusive<i64> = 1_000..=366 * 86_400_000;

/// When the rounds of a game are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timetable {
    /// The time before the first round, in milliseconds.
    before_ms: Option<i64>,
    rounds: Rounds,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rounds {
    /// Each has as much time, in milliseconds.
    Each(i64),
    /// Each is due at its own time.
    At(Vec<Timestamp>),
}

/// The time within which something is awaited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Deadline {
    /// Nobody acts before this time.
    pub opens: Option<Timestamp>,
    /// From this time on, nobody acts until the round is closed.
    pub due: Option<Timestamp>,
}

impl Timetable {
    /// Reads the member `deadlines` of a setup, in a game of at most `rounds_max` rounds: `{"before": "24h", "round":
    /// "24h"}`, or a list with the time at which each round is due. `None` if there is no such member.
    ///
    /// # Errors
    /// It is anything else.
    pub fn read(members: &SetupReader<'_>, rounds_max: usize) -> Result<Option<Self>, SetupError> {
        match members.get(DEADLINES) {
            None => Ok(None),
            Some(Value::Array(_)) => Self::read_times(members, rounds_max).map(Some),
            Some(value) => Self::read_spans(value).map(Some).map_err(|why| format!("`{DEADLINES}`: {why}").into()),
        }
    }

    fn read_times(members: &SetupReader<'_>, rounds_max: usize) -> Result<Self, SetupError> {
        let what = format!("when each round is due, such as \"2026-12-01T18:00:00Z\", for 1 to {rounds_max} rounds");
        let times = members.list(DEADLINES, &what, 1..=rounds_max, |item| {
            let time = item.as_str().and_then(|text| Timestamp::parse_lenient(text).ok());
            time.ok_or_else(|| format!("{item} is not a time"))
        })?;
        let times = times.unwrap_or_default();
        if times.is_sorted_by(|earlier, later| earlier < later) {
            return Ok(Self { before_ms: None, rounds: Rounds::At(times) });
        }
        Err(format!("`{DEADLINES}` lists {what}: each is later than the one before it").into())
    }

    fn read_spans(value: &Value) -> Result<Self, String> {
        let example = "write {\"before\": \"24h\", \"round\": \"24h\"}, or a list of times";
        let members = value.as_object().ok_or(example)?;
        if let Some(key) = members.keys().find(|key| !["before", "round"].contains(&key.as_str())) {
            return Err(format!("there is no {key:?}: {example}"));
        }
        let span = |name: &str| members.get(name).map(|value| span_ms(name, value)).transpose();
        let each = span("round")?.ok_or_else(|| format!("`round` is missing: {example}"))?;
        Ok(Self { before_ms: span("before")?, rounds: Rounds::Each(each) })
    }

    /// The deadline of a round (from 1) that begins at a time. The time before the first round passes only once, at
    /// the start of the game: as round 0, if something is drawn after it. A round without a time of its own, or whose time is
    /// over, has no deadline.
    pub fn deadline(&self, round: u32, at: Timestamp, is_start: bool) -> Deadline {
        let opens = self.before_ms.filter(|_| is_start).and_then(|before_ms| later(at, before_ms));
        if round == 0 {
            return Deadline { opens: None, due: opens };
        }
        let due = match &self.rounds {
            Rounds::Each(each) => later(opens.unwrap_or(at), *each),
            Rounds::At(times) => (round as usize).checked_sub(1).and_then(|index| times.get(index)).copied(),
        };
        Deadline { opens: opens.filter(|_| due.is_some()), due: due.filter(|due| *due > at) }
    }
}

/// The member `deadlines` of a setup; its schema is [`schema`] with the most rounds of the game.
pub const fn member(schema: fn() -> Value) -> Member {
    let about = "When rounds are closed: {\"before\": \"24h\", \"round\": \"24h\"} gives the time before the first round and for each one, a list the time at which each is due. No deadlines if not given.";
    Member::own(DEADLINES, schema, about)
}

/// The JSON Schema of the member `deadlines`, in a game of at most `rounds_max` rounds.
pub fn schema(rounds_max: usize) -> Value {
    let span = |description: &str| json!({"description": description, "type": "string", "pattern": "^[1-9]([0-9]{0,2}d|[0-9]{0,3}h|[0-9]{0,5}m|[0-9]{0,7}s)$"});
    json!({
        "oneOf": [
            {
                "type": "object", "additionalProperties": false, "required": ["round"],
                "properties": {
                    "before": span("The time before the first round, from the creation of the game: a number of days (d), hours (h), minutes (m) or seconds (s), up to 366 days."),
                    "round": span("The time for each round, from the end of the one before it."),
                },
            },
            {"type": "array", "minItems": 1, "maxItems": rounds_max, "items": {"type": "string", "format": "date-time"}},
        ],
    })
}

/// Reads a span such as `24h`, in milliseconds.
fn span_ms(name: &str, value: &Value) -> Result<i64, String> {
    let read = |text: &str| {
        let unit_ms = match text.as_bytes().last()? {
            b'd' => 86_400_000,
            b'h' => 3_600_000,
            b'm' => 60_000,
            b's' => 1_000,
            _ => return None,
        };
        let number = &text[..text.len() - 1];
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
        number.parse().ok().filter(|_| is_plain).and_then(|number: i64| number.checked_mul(unit_ms))
    };
    let span = value.as_str().and_then(read).filter(|span| ROUND_MS.contains(span));
    span.ok_or_else(|| {
        format!("`{name}` is a time such as \"24h\", \"7d\" or \"90m\", from \"1s\" to \"366d\", not {value}")
    })
}

fn later(at: Timestamp, millis: i64) -> Option<Timestamp> {
    Timestamp::from_millis(at.as_millis() + millis).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(deadlines: &Value) -> Result<Timetable, String> {
        let setup = json!({ "deadlines": deadlines });
        let members = SetupReader::new(&setup, &[DEADLINES]).expect("an object");
        Timetable::read(&members, 3).map(|read| read.expect("it is there")).map_err(|why| why.0)
    }

    fn time(text: &str) -> Timestamp {
        Timestamp::parse_lenient(text).expect("a time")
    }

    #[test]
    fn the_time_before_the_game_passes_once() {
        let table = read(&json!({"before": "24h", "round": "90m"})).unwrap();
        let at = time("2026-12-01T12:00:00Z");
        let opens = Some(time("2026-12-02T12:00:00Z"));
        assert_eq!(table.deadline(1, at, true), Deadline { opens, due: Some(time("2026-12-02T13:30:00Z")) });
        assert_eq!(table.deadline(1, at, false), Deadline { opens: None, due: Some(time("2026-12-01T13:30:00Z")) });
        assert_eq!(table.deadline(9, at, false).due, Some(time("2026-12-01T13:30:00Z")));
    }

    #[test]
    fn fixed_times_are_those_of_their_rounds_unless_they_are_over() {
        let table = read(&json!(["2026-12-01T18:00:00Z", "2026-12-02T19:00:00+01:00"])).unwrap();
        let due = |round, at| table.deadline(round, time(at), round == 1).due;
        assert_eq!(due(1, "2026-12-01T12:00:00Z"), Some(time("2026-12-01T18:00:00Z")));
        assert_eq!(due(2, "2026-12-01T12:00:00Z"), Some(time("2026-12-02T18:00:00Z")));
        assert_eq!(due(1, "2026-12-01T18:00:00Z"), None);
        assert_eq!(due(3, "2026-12-01T12:00:00Z"), None);
    }

    #[test]
    fn the_end_of_time_is_no_deadline() {
        let table = read(&json!({"before": "1d", "round": "366d"})).unwrap();
        assert_eq!(table.deadline(1, Timestamp::MAX, true), Deadline::default());
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        for (deadlines, part) in [
            (json!("24h"), "write {\"before\""),
            (json!({}), "`round` is missing"),
            (json!({"round": "24h", "after": "1h"}), "there is no \"after\""),
            (json!({"round": 24}), "not 24"),
            (json!({"round": "24"}), "such as \"24h\""),
            (json!({"round": "0h"}), "from \"1s\""),
            (json!({"round": "-1h"}), "from \"1s\""),
            (json!({"round": "+1h"}), "from \"1s\""),
            (json!({"round": "367d"}), "to \"366d\""),
            (json!({"round": "é"}), "such as"),
            (json!({"round": "9223372036854775807d"}), "to \"366d\""),
            (json!([]), "0 are given"),
            (json!(vec!["2026-12-01T18:00:00Z"; 4]), "4 are given"),
            (json!(["tomorrow"]), "is not a time"),
            (json!(["2026-12-02T18:00:00Z", "2026-12-02T18:00:00Z"]), "each is later"),
        ] {
            let why = read(&deadlines).expect_err("this is refused");
            assert!(why.contains(part), "{deadlines}: {why}");
        }
    }
}
