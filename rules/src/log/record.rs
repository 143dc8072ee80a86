//! Records: a game as a portable file for programs. For text records, see `text.rs`.

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

/// The value of `format` in a JSON record.
const JSON_FORMAT: &str = "plybook-record/1";

/// Why a text is not a valid record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It is empty.
    #[error("the record is empty")]
    Empty,
    /// It is not structured like a record.
    #[error("not a record: {0}")]
    Shape(String),
    /// It is not structured like a text record.
    #[error("not a text record: {0}")]
    Text(String),
    /// A log in it does not verify.
    #[error("the record does not verify: {0}")]
    Unverified(String),
    /// A member contradicts the logs.
    #[error("the record contradicts its own log: `{0}` was changed")]
    Contradiction(String),
}

/// A line below a game, as included in the game's record.
pub struct Below {
    /// The line, folded.
    pub replay: Arc<Replay>,
    /// The exact bytes of its log, one event per line.
    pub events: Vec<Arc<[u8]>>,
}

/// A part of a JSON record that is written in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordPart {
    /// Text, as it stands in the record.
    Text(String),
    /// The events of a log before seq `end`: each as a JSON string, separated by commas.
    Events {
        /// The log.
        log: LogId,
        /// The seq of the first event that is left out.
        end: u64,
    },
    /// The lines below the game: the [parts](line_parts) of each, separated by commas.
    Lines,
}

/// A log of a record that is written in parts.
pub struct RecordedLog {
    /// The game or the line, folded.
    pub replay: Arc<Replay>,
    /// The hash of its last event.
    pub head: Hash,
}

/// A game or a line as JSON: a summary, the exact events of its log to prove it, and the lines below it,
/// parents first. Everything but `events` follows from `events`; `head`, the hash of the last event, exposes
/// a changed or missing last event.
pub fn record_json(game: &Replay, lines: &[Arc<[u8]>], below: &[Below]) -> Value {
    let mut record = outline(game, head(lines));
    record["events"] = texts(lines).into();
    if !below.is_empty() {
        record["lines"] = below.iter().map(line_json).collect();
    }
    record
}

/// The same record in parts, so that no log has to be in memory, and no more than one line below the game. With
/// `cursor`, the record includes that: the game's place in the export stream.
pub fn record_parts(game: &RecordedLog, has_lines: bool, cursor: Option<String>) -> Vec<RecordPart> {
    let replay = &game.replay;
    let mut members = outline(replay, Some(game.head));
    members["events"] = Value::Null;
    if has_lines {
        members["lines"] = Value::Null;
    }
    if let Some(cursor) = cursor {
        members["cursor"] = cursor.into();
    }
    parts_of(&members, replay)
}

/// A line in such a record.
pub fn line_parts(line: &RecordedLog) -> Vec<RecordPart> {
    let mut members = line_outline(&line.replay, Some(line.head));
    members["events"] = Value::Null;
    parts_of(&members, &line.replay)
}

/// The members of a log's object; its events, and the lines below it, are parts of their own.
fn parts_of(members: &Value, replay: &Replay) -> Vec<RecordPart> {
    let mut parts = vec![RecordPart::Text(String::new())];
    let mut before = '{';
    for (name, value) in members.as_object().into_iter().flatten() {
        add(&mut parts, &format!("{before}\"{name}\":"));
        before = ',';
        match name.as_str() {
            "events" => {
                add(&mut parts, "[");
                parts.push(RecordPart::Events { log: replay.log(), end: replay.events() });
                add(&mut parts, "]");
            }
            "lines" => {
                add(&mut parts, "[");
                parts.push(RecordPart::Lines);
                add(&mut parts, "]");
            }
            _ => add(&mut parts, &value.to_string()),
        }
    }
    add(&mut parts, "}");
    parts
}

/// Adds text to the last part.
fn add(parts: &mut Vec<RecordPart>, more: &str) {
    match parts.last_mut() {
        Some(RecordPart::Text(text)) => text.push_str(more),
        _ => parts.push(RecordPart::Text(more.to_owned())),
    }
}

/// What a record says about a game besides its events and lines.
fn outline(game: &Replay, head: Option<Hash>) -> Value {
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
        "head": head,
    });
    if let Some(position) = &game.created().position {
        record["position"] = Value::clone(position);
    }
    if let Some(played) = game.created().played {
        record["played"] = json!(played);
    }
    let people = game.recorded_by();
    if !people.is_empty() {
        record["recordedBy"] = json!(people);
    }
    if let Some(fork) = &game.created().fork {
        record["fork"] = json!(fork);
        record["name"] = game.name().into();
    }
    record
}

/// A line in the record of its game.
fn line_json(line: &Below) -> Value {
    let mut record = line_outline(&line.replay, head(&line.events));
    record["events"] = texts(&line.events).into();
    record
}

/// What the record of a game says about a line besides its events; `actions` holds only the line's own.
fn line_outline(line: &Replay, head: Option<Hash>) -> Value {
    json!({
        "line": line.log(),
        "fork": line.created().fork,
        "name": line.name(),
        "createdAt": line.created_at(),
        "actions": (line.fork_ply() + 1..=line.mainline().len())
            .map(|ply| word_at(line, ply, Viewer::All))
            .collect::<Vec<_>>(),
        "head": head,
    })
}

/// The hash of the last event.
fn head(lines: &[Arc<[u8]>]) -> Option<Hash> {
    lines.last().map(|line| Hash::of_event(line))
}

fn texts(lines: &[Arc<[u8]>]) -> Vec<Cow<'_, str>> {
    lines.iter().map(|line| String::from_utf8_lossy(line)).collect()
}

/// Splits a text into JSON records: any number of them, each on one or more lines.
///
/// # Errors
/// The text is empty or contains something other than JSON.
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

/// One of the logs in a JSON record: the game's or a line's.
pub struct RecordLog {
    /// Its id.
    pub id: LogId,
    /// The exact bytes, one event each.
    pub lines: Vec<Arc<[u8]>>,
}

/// Returns the logs in a JSON record, the game's first and parents before lines, after checking that all
/// other members follow from them. `find` looks up logs that are not in the record.
///
/// # Errors
/// The text is not a record, a log in it does not verify, or a member contradicts its log.
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

/// Reads a JSON record and its logs without checking them.
///
/// # Errors
/// The text is not laid out as a record.
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

/// Reads the log in one of a record's objects.
fn read_log(record: &Value, id: &str) -> Result<RecordLog, RecordError> {
    let lines = record["events"].as_array().ok_or_else(|| bad("`events` is a list of the log's lines"))?;
    let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
    let lines = lines.ok_or_else(|| bad("`events` holds each line as a string"))?;
    let id: LogId = serde_json::from_value(record[id].clone()).map_err(|_| bad(&format!("`{id}` is its id")))?;
    Ok(RecordLog { id, lines: lines.into_iter().map(|line| Arc::from(line.as_bytes())).collect() })
}

/// Checks that a record's members follow from its logs. Checks nothing if something is still sealed.
///
/// # Errors
/// A member does not follow from the logs.
fn check_members(record: &Value, logs: &[RecordLog], replays: Vec<Option<Replay>>) -> Result<(), RecordError> {
    let Some(replays) = replays.into_iter().collect::<Option<Vec<_>>>() else { return Ok(()) };
    let mut both = replays.into_iter().zip(logs);
    let Some((game, log)) = both.next() else { return Ok(()) };
    let below: Vec<Below> =
        both.map(|(replay, log)| Below { replay: Arc::new(replay), events: log.lines.clone() }).collect();
    let mut told = record_json(&game, &log.lines, &below);
    // The place in an export stream is the stream's: only the game in it is known here.
    let of_game = |cursor: &&Value| {
        let (at, id) = cursor.as_str()?.split_once('.')?;
        (at.parse::<i64>().is_ok() && id == game.log().to_string()).then_some(())
    };
    if let Some(cursor) = record.get("cursor").filter(|cursor| of_game(cursor).is_some()) {
        told["cursor"] = cursor.clone();
    }
    // What an engine said of the game follows from the log only for whoever runs the engine again.
    if let Some(analysis) = record.get("analysis").filter(|analysis| analysis["head"] == told["head"]) {
        told["analysis"] = analysis.clone();
    }
    match differing(record, &told).or_else(|| differing(&told, record)) {
        None => Ok(()),
        Some(member) => Err(RecordError::Contradiction(member.to_owned())),
    }
}

/// The first member of a record that another record lacks or gives differently.
fn differing<'a>(record: &'a Value, other: &Value) -> Option<&'a str> {
    let members = record.as_object().into_iter().flatten();
    members.into_iter().find(|(name, value)| other.get(name.as_str()) != Some(*value)).map(|(name, _)| name.as_str())
}

/// A game's cursor in the export stream, which is ordered by when games were recorded.
pub fn cursor(created_at: Timestamp, id: LogId) -> String {
    format!("{}.{id}", created_at.as_millis())
}

/// The actions as words, prefixed with the seat in games where several seats can act at once.
fn words(game: &Replay, viewer: Viewer) -> Vec<String> {
    (1..=game.mainline().len()).map(|ply| word_at(game, ply, viewer)).collect()
}

/// The action that led to a ply (from 1), as a word; `?` if it is hidden entirely.
pub fn word_at(game: &Replay, ply: usize, viewer: Viewer) -> String {
    let shown = game.shown(ply, viewer).unwrap_or_else(|| "?".to_owned());
    words::word(game.rules().about(), game.mainline()[ply - 1].actor, &shown)
}
