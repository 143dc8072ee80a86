//! Records: a game as a portable file for programs. For people: see `text.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::{Hash, LogId, Timestamp};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::replay::{Replay, Secrets};
use super::verify::{Find, LogBytes, Verifier};
use super::words;
use crate::Viewer;

/// The `format` of a JSON record.
const JSON_FORMAT: &str = "plybook-record/1";

/// Why a text is no record, or not one to be trusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It holds nothing.
    #[error("the record is empty")]
    Empty,
    /// It is not laid out as a record.
    #[error("not a record: {0}")]
    Shape(String),
    /// It is not laid out as a text record.
    #[error("not a text record: {0}")]
    Text(String),
    /// A log in it does not verify.
    #[error("the record does not verify: {0}")]
    Unverified(String),
    /// A member does not follow from the logs.
    #[error("the record contradicts its own log: `{0}` was changed")]
    Contradiction(String),
}

/// A line below a game, as a record of the game carries it.
pub struct Below {
    /// The line as it stands.
    pub replay: Arc<Replay>,
    /// The exact lines of its log.
    pub events: Vec<Arc<[u8]>>,
}

/// A game or a line as JSON: what anybody wants to know at once, and the exact lines of its log, which
/// prove it, with the lines below it, parents first. Everything but `events` follows from `events`;
/// `head`, the hash of the last, makes a change of the last line or its loss as plain as any other.
pub fn record_json(game: &Replay, lines: &[Arc<[u8]>], below: &[Below]) -> Value {
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
    if let Some(position) = &game.created().position {
        record["position"] = Value::clone(position);
    }
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
            .map(|ply| word_at(replay, ply, Viewer::All))
            .collect::<Vec<_>>(),
        "events": texts(&line.events),
        "head": line.events.last().map(|line| Hash::of_event(line)),
    })
}

fn texts(lines: &[Arc<[u8]>]) -> Vec<Cow<'_, str>> {
    lines.iter().map(|line| String::from_utf8_lossy(line)).collect()
}

/// The JSON records in a text, which holds any number of them, each on a line or on many.
///
/// # Errors
/// Something in it is not JSON, or it is empty.
pub fn split_records(text: &str) -> Result<Vec<&str>, RecordError> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let mut records = Vec::new();
    loop {
        let from = values.byte_offset();
        match values.next() {
            Some(Ok(_)) => records.push(text[from..values.byte_offset()].trim()),
            Some(Err(why)) => return Err(bad(&format!("not JSON: {why}"))),
            None if records.is_empty() => return Err(RecordError::Empty),
            None => return Ok(records),
        }
    }
}

/// A log of a JSON record: the game's, or that of a line.
pub struct RecordLog {
    /// Its id.
    pub id: LogId,
    /// One event each.
    pub lines: Vec<Arc<[u8]>>,
}

/// The logs in a JSON record, the game's first and parents before lines, once its other members are
/// found to follow from them. `find` knows logs that are not in the record.
pub fn logs_of_json(text: &str, find: &Find<'_>) -> Result<Vec<RecordLog>, RecordError> {
    let (record, logs) = read_record(text)?;
    let by_id: BTreeMap<LogId, usize> = logs.iter().enumerate().map(|(index, log)| (log.id, index)).collect();
    if by_id.len() != logs.len() {
        return Err(bad("a log stands in it twice"));
    }
    let here = |id| match by_id.get(&id) {
        Some(index) => Some(LogBytes { lines: logs[*index].lines.clone(), secrets: Secrets::new() }),
        None => find(id),
    };
    let verifier = Verifier::new(&here);
    let mut replays = Vec::with_capacity(logs.len());
    for log in &logs {
        let (found, replay) = verifier.verify(log.id, &log.lines, &Secrets::new());
        if let Some(fault) = found.fault {
            let of = if log.id == logs[0].id { String::new() } else { format!("the line {}: ", log.id) };
            return Err(RecordError::Unverified(format!("{of}{}", fault.problem)));
        }
        replays.push(replay);
    }
    check_members(&record, &logs, replays)?;
    Ok(logs)
}

/// A JSON record and the logs that it carries, none of them checked.
pub fn read_record(text: &str) -> Result<(Value, Vec<RecordLog>), RecordError> {
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

fn bad(why: &str) -> RecordError {
    RecordError::Shape(why.to_owned())
}

/// The log that an object of a record carries.
fn read_log(record: &Value, id: &str) -> Result<RecordLog, RecordError> {
    let lines = record["events"].as_array().ok_or_else(|| bad("`events` is a list of the log's lines"))?;
    let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
    let lines = lines.ok_or_else(|| bad("`events` holds each line as a string"))?;
    let id: LogId = serde_json::from_value(record[id].clone()).map_err(|_| bad(&format!("`{id}` is its id")))?;
    Ok(RecordLog { id, lines: lines.into_iter().map(|line| Arc::from(line.as_bytes())).collect() })
}

/// # Errors
/// A member of a record does not follow from its logs; not asked where something is still sealed.
fn check_members(record: &Value, logs: &[RecordLog], replays: Vec<Option<Replay>>) -> Result<(), RecordError> {
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
        Some(member) => Err(RecordError::Contradiction(member.to_owned())),
    }
}

/// A member that a record has and another has not, or otherwise.
fn differing<'a>(record: &'a Value, other: &Value) -> Option<&'a str> {
    let members = record.as_object().into_iter().flatten();
    members.into_iter().find(|(name, value)| other.get(name.as_str()) != Some(*value)).map(|(name, _)| name.as_str())
}

/// The place of a game in the export stream: games come in the order of their creation.
pub fn cursor(created_at: Timestamp, id: LogId) -> String {
    format!("{}.{id}", created_at.as_millis())
}

/// The actions as words: with the seat in front where several were to act.
fn words(game: &Replay, viewer: Viewer) -> Vec<String> {
    (1..=game.mainline().len()).map(|ply| word_at(game, ply, viewer)).collect()
}

/// The action that led to a ply, from 1, as a word; `?` where it is hidden whole.
pub fn word_at(game: &Replay, ply: usize, viewer: Viewer) -> String {
    let shown = game.shown(ply, viewer).unwrap_or_else(|| "?".to_owned());
    words::word(game.rules().about(), game.mainline()[ply - 1].actor, &shown)
}
