//! Records: a game as a portable file for programs. For people: see `text.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::{Hash, LogId, Timestamp};
use plybook_rules::Viewer;
use plybook_rules::log::{Replay, Secrets};
use plybook_store::EventBytes;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::error::Problem;
use crate::verify::{Find, Source, Verifier};

/// The `format` of a JSON record.
const JSON_FORMAT: &str = "plybook-record/1";

/// A line below a game, as a record of the game carries it.
pub struct Below {
    /// The line as it stands.
    pub replay: Arc<Replay>,
    /// The exact lines of its log.
    pub events: Vec<EventBytes>,
}

/// A game or a line as JSON: what anybody wants to know at once, and the exact lines of its log, which
/// prove it, with the lines below it, parents first. Everything but `events` follows from `events`;
/// `head`, the hash of the last, makes a change of the last line or its loss as plain as any other.
pub fn record_json(game: &Replay, lines: &[EventBytes], below: &[Below]) -> Value {
    let viewer = if game.is_open() { Viewer::All } else { Viewer::Public };
    let mut record = json!({
        "format": JSON_FORMAT,
        "game": game.log(),
        "kind": game.created().kind,
        "rules": game.created().rules,
        "setup": game.created().setup,
        "seats": game.created().seats,
        "createdAt": game.created_at(),
        "status": game.status().name(),
        "outcome": game.end().map(|end| &end.outcome),
        "decidedBy": game.end().map(|end| end.decided_by),
        "actions": words(game, viewer),
        "events": texts(lines),
        "head": lines.last().map(|line| Hash::of_event(line)),
    });
    if let Some(fork) = &game.created().fork {
        record["fork"] = json!(fork);
        record["name"] = game.name().into();
    }
    if !below.is_empty() {
        record["lines"] = below.iter().map(line_json).collect();
    }
    record
}

/// A line in the record of its game: `actions` are what it plays itself.
fn line_json(line: &Below) -> Value {
    let replay = &line.replay;
    json!({
        "line": replay.log(),
        "fork": replay.created().fork,
        "name": replay.name(),
        "createdAt": replay.created_at(),
        "actions": (replay.fork_ply() + 1..=replay.mainline().len())
            .map(|ply| word(replay, ply, Viewer::All))
            .collect::<Vec<_>>(),
        "events": texts(&line.events),
        "head": line.events.last().map(|line| Hash::of_event(line)),
    })
}

fn texts(lines: &[EventBytes]) -> Vec<Cow<'_, str>> {
    lines.iter().map(|line| String::from_utf8_lossy(line)).collect()
}

/// The JSON records in a text, which holds any number of them, each on a line or on many.
///
/// # Errors
/// Something in it is not JSON, or it is empty.
pub(crate) fn split_records(text: &str) -> Result<Vec<&str>, Problem> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let mut records = Vec::new();
    loop {
        let from = values.byte_offset();
        match values.next() {
            Some(Ok(_)) => records.push(text[from..values.byte_offset()].trim()),
            Some(Err(why)) => return Err(Problem::BadInput(format!("not a record: not JSON: {why}"))),
            None if records.is_empty() => return Err(Problem::BadInput("the record is empty".to_owned())),
            None => return Ok(records),
        }
    }
}

/// A log of a JSON record: the game's, or that of a line.
pub(crate) struct RecordLog {
    /// Its id.
    pub id: LogId,
    /// One event each.
    pub lines: Vec<EventBytes>,
}

/// The logs in a JSON record, the game's first and parents before lines, once its other members are
/// found to follow from them. `find` knows logs that are not in the record.
pub(crate) fn logs_of_json(text: &str, find: &Find<'_>) -> Result<Vec<RecordLog>, Problem> {
    let (record, logs) = read_record(text)?;
    let by_id: BTreeMap<LogId, usize> = logs.iter().enumerate().map(|(index, log)| (log.id, index)).collect();
    if by_id.len() != logs.len() {
        return Err(bad("a log stands in it twice"));
    }
    let here = |id| match by_id.get(&id) {
        Some(index) => Some(Source { lines: logs[*index].lines.clone(), secrets: Secrets::new() }),
        None => find(id),
    };
    let verifier = Verifier::new(&here);
    let mut replays = Vec::with_capacity(logs.len());
    for log in &logs {
        let (found, replay) = verifier.verify(log.id, &log.lines, &Secrets::new());
        if let Some(fault) = found.fault {
            let of = if log.id == logs[0].id { String::new() } else { format!("the line {}: ", log.id) };
            return Err(Problem::BadInput(format!("the record does not verify: {of}{}", fault.problem)));
        }
        replays.push(replay);
    }
    check_members(&record, &logs, replays)?;
    Ok(logs)
}

/// A JSON record and the logs that it carries, none of them checked.
pub(crate) fn read_record(text: &str) -> Result<(Value, Vec<RecordLog>), Problem> {
    let record: Value = serde_json::from_str(text).map_err(|why| bad(&format!("not JSON: {why}")))?;
    if record["format"] != JSON_FORMAT {
        return Err(bad(&format!("`format` is {JSON_FORMAT:?}")));
    }
    let mut logs = vec![read_log(&record, "game")?];
    let below = match record.get("lines") {
        None => &[][..],
        Some(lines) => {
            lines.as_array().filter(|lines| !lines.is_empty()).ok_or_else(|| bad("`lines` is a list of lines"))?
        }
    };
    for line in below {
        logs.push(read_log(line, "line")?);
    }
    Ok((record, logs))
}

fn bad(why: &str) -> Problem {
    Problem::BadInput(format!("not a record: {why}"))
}

/// The log that an object of a record carries.
fn read_log(record: &Value, id: &str) -> Result<RecordLog, Problem> {
    let lines = record["events"].as_array().ok_or_else(|| bad("`events` is a list of the log's lines"))?;
    let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
    let lines = lines.ok_or_else(|| bad("`events` holds each line as a string"))?;
    let id: LogId = serde_json::from_value(record[id].clone()).map_err(|_| bad(&format!("`{id}` is its id")))?;
    Ok(RecordLog { id, lines: lines.into_iter().map(|line| EventBytes::from(line.as_bytes())).collect() })
}

/// # Errors
/// A member of a record does not follow from its logs; not asked where something is still sealed.
fn check_members(record: &Value, logs: &[RecordLog], replays: Vec<Option<Replay>>) -> Result<(), Problem> {
    let Some(replays) = replays.into_iter().collect::<Option<Vec<_>>>() else { return Ok(()) };
    let mut both = replays.into_iter().zip(logs);
    let Some((game, log)) = both.next() else { return Ok(()) };
    let below: Vec<Below> =
        both.map(|(replay, log)| Below { replay: Arc::new(replay), events: log.lines.clone() }).collect();
    let mut told = record_json(&game, &log.lines, &below);
    if record.get("cursor").is_some() {
        told["cursor"] = cursor(game.created_at(), game.log()).into();
    }
    match differing(record, &told).or_else(|| differing(&told, record)) {
        None => Ok(()),
        Some(member) => Err(Problem::BadInput(format!("the record contradicts its own log: `{member}` was changed"))),
    }
}

/// A member that a record has and another has not, or otherwise.
fn differing<'a>(record: &'a Value, other: &Value) -> Option<&'a str> {
    let members = record.as_object().into_iter().flatten();
    members.into_iter().find(|(name, value)| other.get(name.as_str()) != Some(*value)).map(|(name, _)| name.as_str())
}

/// The place of a game in the export stream: games come in the order of their creation.
pub(crate) fn cursor(created_at: Timestamp, id: LogId) -> String {
    format!("{}.{id}", created_at.as_millis())
}

/// The actions as words: with the seat in front where several were to act.
fn words(game: &Replay, viewer: Viewer) -> Vec<String> {
    (1..=game.mainline().len()).map(|ply| word(game, ply, viewer)).collect()
}

/// The action that led to a ply, from 1, as a word.
pub(super) fn word(game: &Replay, ply: usize, viewer: Viewer) -> String {
    let token = game.shown(ply, viewer).unwrap_or_else(|| "?".to_owned());
    match game.mainline()[ply - 1].actor {
        plybook_rules::Actor::Seat(seat) if game.rules().about().simultaneous => format!("{seat}:{token}"),
        _ => token,
    }
}
