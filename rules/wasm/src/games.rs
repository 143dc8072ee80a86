//! Checking records, and the games that were opened.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::{Event, Hash, LogId};
use plybook_rules::log::{FaultKind, Find, LogBytes, Replay, Secrets, Signer, Verifier, logs_of_json, read_record};
use serde::Serialize;

use crate::answer::{Code, Refusal};

/// The largest record or log that is read, in bytes.
pub const TEXT_BYTES_MAX: usize = 64 << 20;

/// How many logs can be open at once.
pub const GAMES_MAX: usize = 2_000;

/// The games that were opened, by their logs.
#[derive(Default)]
pub struct Games(BTreeMap<LogId, Replay>);

/// The result of checking a record or logs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// Whether everything is right.
    valid: bool,
    /// What is wrong with the record itself, although its logs are right.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// What was found in each log: of the game first.
    logs: Vec<Finding>,
}

/// What was found in a log.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    /// The log.
    game: LogId,
    /// Whether all of it is right.
    valid: bool,
    /// The number of valid events before the first fault.
    events: u64,
    /// The hash of the last of them.
    head: Hash,
    /// The seq of the first event that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_bad: Option<u64>,
    /// The sort of fault; see `FORMAT.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<FaultKind>,
    /// What is wrong, naming the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// Which keys signed how many of the valid events.
    signers: Vec<Signed>,
    /// How many of them somebody did without signing.
    unsigned: u64,
    /// The game, if all of it could be judged by the rules: nothing in it is sealed, and it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<Judged>,
}

/// A key that signed events.
#[derive(Serialize)]
struct Signed {
    key: String,
    /// The person, as the service knew them; empty if nobody is known.
    who: String,
    events: u64,
}

/// A game as the rules see it.
#[derive(Serialize)]
struct Judged {
    /// The kind of game.
    kind: String,
    /// The version of its rules.
    rules: String,
    /// The number of actions on the mainline.
    plies: usize,
    /// Whether it is running, finished or void.
    status: &'static str,
}

impl Games {
    /// The game with this log.
    ///
    /// # Errors
    /// It was not opened.
    pub fn get(&self, log: LogId) -> Result<&Replay, Refusal> {
        let missing =
            || Refusal::new(Code::NotFound, format!("the game {log} is not open, or not all of it could be judged"));
        self.0.get(&log).ok_or_else(missing)
    }

    /// Forgets all games.
    pub fn close(&mut self) {
        self.0.clear();
    }

    /// Checks a record or logs, and keeps the games in it.
    ///
    /// # Errors
    /// The text is neither, it is too large, or too many games are open.
    pub fn open(&mut self, text: &str) -> Result<Checked, Refusal> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(Refusal::new(Code::TooLarge, format!("a record has at most {TEXT_BYTES_MAX} bytes")));
        }
        let is_log = text.trim_start().starts_with("{\"at\":");
        let logs = if is_log { split_logs(text)? } else { logs_of_record(text)? };
        if self.0.len() + logs.len() > GAMES_MAX {
            return Err(Refusal::new(Code::TooLarge, format!("at most {GAMES_MAX} logs are open at once")));
        }
        let find: &Find<'_> = &|id| {
            let (_, lines) = logs.iter().find(|(log, _)| *log == id)?;
            Some(LogBytes { lines: lines.clone(), secrets: Secrets::new() })
        };
        let verifier = Verifier::new(find);
        let mut found = Vec::with_capacity(logs.len());
        let mut replays = Vec::new();
        for (id, lines) in &logs {
            let (verification, replay) = verifier.verify(*id, lines, &Secrets::new());
            let judged = replay.as_ref().map(|replay| Judged {
                kind: replay.created().kind.clone(),
                rules: replay.created().rules.clone(),
                plies: replay.mainline().len(),
                status: replay.status().name(),
            });
            let signed = |signer: &Signer| Signed {
                key: signer.key.to_string(),
                who: signer.who.map_or_else(String::new, |who| who.to_string()),
                events: signer.events,
            };
            let signers = verification.signers.iter().map(signed).collect();
            let fault = verification.fault;
            found.push(Finding {
                game: *id,
                valid: fault.is_none(),
                events: verification.events,
                head: verification.head,
                first_bad: fault.as_ref().map(|fault| fault.seq),
                kind: fault.as_ref().map(|fault| fault.kind),
                problem: fault.map(|fault| fault.problem),
                signers,
                unsigned: verification.unsigned,
                judged,
            });
            replays.extend(replay.map(|replay| (*id, replay)));
        }
        let is_right = found.iter().all(|finding| finding.valid);
        // What else a record says has to follow from its logs.
        let problem = if is_log || !is_right { None } else { logs_of_json(text, &|_| None).err() };
        self.0.extend(replays);
        Ok(Checked { valid: is_right && problem.is_none(), problem: problem.map(|why| why.to_string()), logs: found })
    }
}

/// A log: its id, and the exact bytes of its events.
type Log = (LogId, Vec<Arc<[u8]>>);

/// The logs of a JSON record.
fn logs_of_record(text: &str) -> Result<Vec<Log>, Refusal> {
    let (_, logs) = read_record(text).map_err(|why| Refusal::bad(why.to_string()))?;
    Ok(logs.into_iter().map(|log| (log.id, log.lines)).collect())
}

/// The logs in NDJSON, in the order in which they begin. A line that is no event is taken to be one of the log before
/// it, where verification finds it.
fn split_logs(text: &str) -> Result<Vec<Log>, Refusal> {
    let mut logs: Vec<Log> = Vec::new();
    let mut index: BTreeMap<LogId, usize> = BTreeMap::new();
    let mut last = None;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let at = match (Event::parse(line.as_bytes()), last) {
            (Ok(event), _) => *index.entry(event.log).or_insert_with(|| {
                logs.push((event.log, Vec::new()));
                logs.len() - 1
            }),
            (Err(_), Some(last)) => last,
            (Err(why), None) => return Err(Refusal::bad(format!("event 0: {why}"))),
        };
        logs[at].1.push(line.as_bytes().into());
        last = Some(at);
    }
    if logs.is_empty() { Err(Refusal::bad("it contains no event")) } else { Ok(logs) }
}
