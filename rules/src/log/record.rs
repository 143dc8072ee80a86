//! Records: a game as a portable file for programs. For text records, see `text.rs`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use plybook_events::body::Created;
use plybook_events::{Actor, Body, Event, Hash, LogId, Timestamp};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value, json};

use super::replay::{Ply, Replay, Secrets};
use super::standing::Standing;
use super::verify::{Find, LogBytes, Verifier};
use super::words;
use crate::{About, Viewer, kind};

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
    let mut record = Outline::of(game).of_game(head(lines));
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
    let mut members = Outline::of(replay).of_game(Some(game.head));
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
    let mut members = Outline::of(&line.replay).of_line(Some(line.head));
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

/// What a record says of a log besides its events and lines. All of it follows from the events, without the rules of
/// the game, so that it can be checked while something is sealed.
struct Outline<'a> {
    log: LogId,
    created: &'a Created,
    created_at: Timestamp,
    standing: &'a Standing,
    /// The actions of the mainline; `?` stands for what is sealed.
    actions: Vec<String>,
    recorded_by: Vec<String>,
}

impl<'a> Outline<'a> {
    /// That of a game or a line.
    fn of(game: &'a Replay) -> Self {
        let sealed = &game.order.commitments.sealed;
        let word = |done: &Ply| {
            let is_sealed = done.is_sealed && sealed.contains_key(&done.seq);
            words::word(game.rules().about(), done.actor, if is_sealed { "?" } else { &done.action })
        };
        Self {
            log: game.log(),
            created: game.created(),
            created_at: game.created_at(),
            standing: &game.order.standing,
            actions: game.mainline().iter().map(word).collect(),
            recorded_by: game.recorded_by(),
        }
    }

    /// That of a game whose events could be verified but not folded, as something is sealed.
    fn of_events(game: &'a Sketch<'_>) -> Self {
        let word = |(actor, action): &(Actor, Option<&str>)| words::word(game.about, *actor, action.unwrap_or("?"));
        Self {
            log: game.first.log,
            created: game.created,
            created_at: game.first.at,
            standing: &game.standing,
            actions: game.mainline.iter().map(word).collect(),
            recorded_by: game.recorded_by.iter().cloned().collect(),
        }
    }

    /// The members of a record, without events and lines.
    fn of_game(&self, head: Option<Hash>) -> Value {
        let end = self.standing.end.as_ref();
        let mut record = json!({
            "format": JSON_FORMAT,
            "game": self.log,
            "kind": self.created.kind,
            "rules": self.created.rules,
            "setup": self.created.setup,
            "seats": self.created.seats,
            "createdAt": self.created_at,
            "status": self.standing.status().name(),
            "outcome": end.map(|end| &end.outcome),
            "decidedBy": end.map(|end| end.decided_by),
            "actions": self.actions,
            "head": head,
        });
        if let Some(position) = &self.created.position {
            record["position"] = Value::clone(position);
        }
        if let Some(played) = self.created.played {
            record["played"] = json!(played);
        }
        if !self.recorded_by.is_empty() {
            record["recordedBy"] = json!(self.recorded_by);
        }
        if let Some(fork) = &self.created.fork {
            record["fork"] = json!(fork);
            record["name"] = json!(self.standing.name);
        }
        record
    }

    /// The members of a line in the record of its game, without events; `actions` has only the line's own.
    fn of_line(&self, head: Option<Hash>) -> Value {
        let inherited = self.created.fork.as_ref().map_or(0, |fork| fork.ply as usize);
        json!({
            "line": self.log,
            "fork": self.created.fork,
            "name": self.standing.name,
            "createdAt": self.created_at,
            "actions": self.actions.get(inherited..),
            "head": head,
        })
    }
}

/// A game folded without its rules.
struct Sketch<'a> {
    about: &'static About,
    first: &'a Event,
    created: &'a Created,
    standing: Standing,
    /// Who acted, and the action unless it is sealed.
    mainline: Vec<(Actor, Option<&'a str>)>,
    recorded_by: BTreeSet<String>,
}

impl<'a> Sketch<'a> {
    /// Folds events that were verified as far as possible; `None` if they are not those of a game.
    fn of(events: &'a [Event]) -> Option<Self> {
        let (first, rest) = events.split_first()?;
        let Body::Created(created) = &first.body else { return None };
        let about = kind(&created.kind)?.about();
        let (mut standing, mut mainline, mut seqs) = (Standing::begin(first.seq, created), Vec::new(), Vec::new());
        for event in rest {
            standing.apply(event);
            match (&event.body, event.by.actor()) {
                (Body::Acted(acted), Some(actor)) => {
                    mainline.push((actor, Some(acted.action.as_str())));
                    seqs.push(event.seq);
                }
                (Body::Sealed(_), Some(actor)) => {
                    mainline.push((actor, None));
                    seqs.push(event.seq);
                }
                (Body::Revealed(revealed), _) => {
                    if let Some(at) = seqs.iter().position(|seq| *seq == revealed.of) {
                        mainline[at].1 = Some(&revealed.content);
                    }
                }
                (Body::TakenBack(taken), _) => {
                    mainline.truncate(taken.to_ply as usize);
                    seqs.truncate(taken.to_ply as usize);
                }
                _ => {}
            }
        }
        let recorded_by = events.iter().filter_map(|event| Some(event.who?.to_string())).collect();
        Some(Self { about, first, created, standing, mainline, recorded_by })
    }
}

/// A line in the record of its game.
fn line_json(line: &Below) -> Value {
    let mut record = Outline::of(&line.replay).of_line(head(&line.events));
    record["events"] = texts(&line.events).into();
    record
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
    check_members(&record, &logs, &replays)?;
    Ok(logs)
}

/// Reads a JSON record and its logs without checking them.
///
/// # Errors
/// The text is not laid out as a record.
pub fn read_record(text: &str) -> Result<(Value, Vec<RecordLog>), RecordError> {
    let Once(record) = serde_json::from_str(text).map_err(|why| bad(&format!("not JSON: {why}")))?;
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

/// A JSON value in which no object has a member twice: of two, one reader takes the first and another the last.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
                let mut list = Vec::new();
                while let Some(Once(item)) = items.next_element()? {
                    list.push(item);
                }
                Ok(list.into())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
                let mut object = Map::new();
                while let Some((name, Once(value))) = members.next_entry::<String, Once>()? {
                    if object.insert(name.clone(), value).is_some() {
                        return Err(de::Error::custom(format_args!("`{name}` stands in it twice")));
                    }
                }
                Ok(object.into())
            }
        }
        from.deserialize_any(Read).map(Self)
    }
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

/// Checks that a record's members follow from its logs.
///
/// # Errors
/// A member does not follow from the logs.
fn check_members(record: &Value, logs: &[RecordLog], replays: &[Option<Replay>]) -> Result<(), RecordError> {
    let (mut told, mut before) = (Vec::with_capacity(logs.len()), BTreeSet::new());
    for (index, (log, replay)) in logs.iter().zip(replays).enumerate() {
        let unfolded = if replay.is_none() { &log.lines[..] } else { &[] };
        let events: Vec<Event> = unfolded.iter().filter_map(|line| Event::parse(line).ok()).collect();
        let sketch = Sketch::of(&events);
        let outline = replay.as_ref().map(Outline::of).or_else(|| sketch.as_ref().map(Outline::of_events));
        let outline = outline.ok_or_else(|| bad("its log is not that of a game"))?;
        let is_below = outline.created.fork.as_ref().is_some_and(|fork| before.contains(&fork.game));
        if index > 0 && !is_below {
            return Err(bad("a line in it stands after the log that it continues"));
        }
        before.insert(log.id);
        let mut members =
            if index == 0 { outline.of_game(head(&log.lines)) } else { outline.of_line(head(&log.lines)) };
        members["events"] = texts(&log.lines).into();
        told.push(members);
    }
    let below = told.split_off(1);
    let mut told = told.remove(0);
    if !below.is_empty() {
        told["lines"] = below.into();
    }
    // The place in an export stream is the stream's: only the game in it is known here.
    let of_game = |cursor: &&Value| {
        let (at, id) = cursor.as_str()?.split_once('.')?;
        let is_number = at.parse::<i64>().is_ok_and(|number| number.to_string() == at);
        (is_number && id == logs[0].id.to_string()).then_some(())
    };
    if let Some(cursor) = record.get("cursor").filter(|cursor| of_game(cursor).is_some()) {
        told["cursor"] = cursor.clone();
    }
    // What an engine said of the game follows from the log only if the engine is run again.
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

/// The action that led to a ply (from 1), as a word; `?` if it is hidden entirely.
pub fn word_at(game: &Replay, ply: usize, viewer: Viewer) -> String {
    let shown = game.shown(ply, viewer).unwrap_or_else(|| "?".to_owned());
    words::word(game.rules().about(), game.mainline()[ply - 1].actor, &shown)
}
