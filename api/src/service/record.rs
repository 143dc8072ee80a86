//! Records: a game as a portable file, for programs and for people.

use std::fmt::Write;

use plybook_events::{Hash, LogId, Timestamp};
use plybook_rules::Viewer;
use plybook_rules::fold::{Replay, Secrets, Status};
use plybook_store::EventBytes;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::error::Problem;

/// The `format` of a JSON record.
const JSON_FORMAT: &str = "plybook-record/1";

/// The most actions of a text record.
const WORDS_MAX: usize = 20_000;

/// A game as JSON: what anybody wants to know at once, and the exact lines of its log, which prove
/// it. Everything but `events` follows from `events`; `head`, the hash of the last, makes a change of
/// the last line or its loss as plain as any other.
pub fn record_json(game: &Replay, lines: &[EventBytes]) -> Value {
    let viewer = if game.is_open() { Viewer::All } else { Viewer::Public };
    let events: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line)).collect();
    json!({
        "format": JSON_FORMAT,
        "game": game.log(),
        "kind": game.created().kind,
        "rules": game.created().rules,
        "setup": game.created().setup,
        "seats": game.created().seats,
        "createdAt": game.created_at(),
        "status": status_word(game.status()),
        "outcome": game.end().map(|end| &end.outcome),
        "decidedBy": game.end().map(|end| end.decided_by),
        "actions": words(game, viewer),
        "events": events,
        "head": lines.last().map(|line| Hash::of_event(line)),
    })
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

/// The log in a JSON record, once its other members are found to follow from it.
pub(crate) fn log_of_json(text: &str) -> Result<String, Problem> {
    let record: Value = serde_json::from_str(text).map_err(|why| bad(&format!("not JSON: {why}")))?;
    let lines = lines(&record)?;
    let id: LogId = serde_json::from_value(record["game"].clone()).map_err(|_| bad("`game` is its id"))?;
    let (found, replay) = crate::verify::verify(id, &lines, &Secrets::new());
    if let Some(fault) = found.fault {
        return Err(Problem::BadInput(format!("the record does not verify: {}", fault.problem)));
    }
    if let Some(replay) = replay {
        let bytes: Vec<EventBytes> = lines.iter().map(|line| EventBytes::from(line.as_bytes())).collect();
        let mut told = record_json(&replay, &bytes);
        if record.get("cursor").is_some() {
            told["cursor"] = cursor(replay.created_at(), id).into();
        }
        if let Some(member) = differing(&record, &told).or_else(|| differing(&told, &record)) {
            return Err(Problem::BadInput(format!("the record contradicts its own log: `{member}` was changed")));
        }
    }
    Ok(lines.join("\n"))
}

/// The log in a JSON record as it stands there: nothing is checked.
///
/// # Errors
/// It is no record.
pub(crate) fn unchecked_log_of_json(text: &str) -> Result<String, Problem> {
    let record = serde_json::from_str(text).map_err(|why| bad(&format!("not JSON: {why}")))?;
    Ok(lines(&record)?.join("\n"))
}

fn lines(record: &Value) -> Result<Vec<&str>, Problem> {
    if record["format"] != JSON_FORMAT {
        return Err(bad(&format!("`format` is {JSON_FORMAT:?}")));
    }
    let lines = record["events"].as_array().ok_or_else(|| bad("`events` is a list of the log's lines"))?;
    let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
    lines.ok_or_else(|| bad("`events` holds each line as a string"))
}

fn bad(why: &str) -> Problem {
    Problem::BadInput(format!("not a record: {why}"))
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

/// A game for people: a header of `[Name "value"]` lines, then the actions with their plies and
/// comments.
pub fn record_text(game: &Replay, viewer: Viewer) -> String {
    let mut out = String::new();
    let mut header = |name: &str, value: &str| {
        writeln!(out, "[{name} {}]", Value::from(value)).expect("a string can be written to");
    };
    let created = game.created();
    header("Game", &game.log().to_string());
    header("Kind", &created.kind);
    header("Rules", &created.rules);
    header("Setup", &game.rules().setup_for(game.setup(), viewer).to_string());
    for (index, seat) in created.seats.iter().enumerate() {
        header(&format!("Seat{}", index + 1), &seat.name);
    }
    header("Created", &game.created_at().to_string());
    header("Status", status_word(game.status()));
    if let Some(end) = game.end() {
        let winners: Vec<_> = end.outcome.winners.iter().map(ToString::to_string).collect();
        header("Winners", &winners.join(" "));
        header("Reason", &end.outcome.reason);
    }
    out.push('\n');
    let mut width = 0;
    for (index, word) in words(game, viewer).into_iter().enumerate() {
        let ply = index + 1;
        let mut piece = format!("{ply}. {word}");
        if let Some(said) = game.annotation(ply) {
            said.glyphs.iter().for_each(|glyph| piece += &format!(" ${glyph}"));
            if let Some(comment) = &said.comment {
                piece += &format!(" {{{}}}", comment.replace(['{', '}', '\n', '\r'], " "));
            }
        }
        if width > 0 && width + piece.len() >= 100 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
        }
        width += piece.len() + 1;
        out += &piece;
    }
    out.push('\n');
    out
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

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::Finished => "finished",
        Status::Void => "void",
    }
}

/// A text record, read.
pub(super) struct TextRecord {
    pub kind: String,
    pub setup: Value,
    pub seats: Vec<String>,
    pub words: Vec<String>,
}

impl TextRecord {
    /// Reads header lines and words; ply numbers, comments in braces and glyphs are passed over.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let bad = |why: String| Problem::BadInput(format!("not a text record: {why}"));
        let mut record = Self { kind: String::new(), setup: json!({}), seats: Vec::new(), words: Vec::new() };
        let mut body = String::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            let Some(inside) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) else {
                body += line;
                body.push('\n');
                continue;
            };
            let wrong = || bad(format!("line {}: a header line is [Name \"value\"]", number + 1));
            let (name, value) = inside.split_once(' ').ok_or_else(wrong)?;
            let value: String = serde_json::from_str(value).map_err(|_| wrong())?;
            match name {
                "Kind" => record.kind = value,
                "Setup" => record.setup = serde_json::from_str(&value).map_err(|_| bad("`Setup` holds JSON".into()))?,
                _ if name.starts_with("Seat") => record.seats.push(value),
                _ => {}
            }
        }
        if record.kind.is_empty() {
            return Err(bad("it lacks [Kind \"…\"]".into()));
        }
        let mut in_comment = false;
        for word in body.split_whitespace() {
            in_comment |= word.starts_with('{');
            let is_ply = word.strip_suffix('.').is_some_and(|ply| ply.bytes().all(|b| b.is_ascii_digit()));
            if !in_comment && !is_ply && !word.starts_with('$') {
                record.words.push(word.to_owned());
            }
            in_comment &= !word.ends_with('}');
        }
        if record.words.len() > WORDS_MAX {
            return Err(bad(format!("it has more than {WORDS_MAX} actions")));
        }
        Ok(record)
    }
}
