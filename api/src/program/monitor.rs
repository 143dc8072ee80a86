//! `monitor`: watches a service from elsewhere, and remembers what it has seen.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use plybook_events::body::KeyRotated;
use plybook_events::{Body, Event, Hash, LogId, Timestamp};
use plybook_service::Trusted;
use plybook_service::clock::now;
use plybook_tlog::{
    Checkpoint, NOTE_BYTES_MAX, Quorum, Tile, Tiles, Tree, TreeError, VerifierKey, verify_consistency, verify_inclusion,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::Failure;
use super::trust::Trust;
use crate::fetch::{self, Answer, Bounds};

/// The value of `format` in a state file.
const FORMAT: &str = "plybook-monitor/1";

/// How much of an answer is waited for.
const BOUNDS: Bounds = Bounds { time: Duration::from_secs(120), bytes: 256 << 20 };

/// Watch a service: alarm if its history is changed, forked or cut, or if a game vanishes.
///
/// Run it from cron, on another machine than the service. It keeps the last checkpoint and the games that it has seen in a
/// state file. Each run checks the signatures of the present checkpoint, also of the witnesses that are named, and that the
/// tree has only grown since; notes new games; and looks at some known ones again: each must still be served, go on from
/// where it was, and be in the tree, where an event may be missing for a few minutes.
///
/// Exits with status 0 if all is well, 1 for an alarm, with both checkpoints on standard error as evidence, and 2 if it
/// could not look.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook monitor https://games.example.org --key 'games.example.org+3f1c9a20+AY…' --state games.json

In a crontab, every ten minutes, begin the line with */10 * * * * and name the state file by its whole path. Get the key from its owner, once: `plybook tlog key` prints it. After a rotation, name the new one too: it is told once the tree shows that the key's owner named it.")]
pub(crate) struct Monitor {
    /// The address of the service
    url: Url,
    #[command(flatten)]
    trust: Trust,
    /// The file that keeps what was seen
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// How many known games each run looks at again
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: usize,
    /// How many minutes an event may be missing from the tree once it was seen
    #[arg(long, value_name = "MINUTES", default_value_t = 10)]
    missing: u64,
}

/// What was seen so far.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    format: String,
    /// The largest checkpoint, a signed note.
    note: Option<String>,
    /// The cursor of the export, up to which games are known.
    cursor: Option<String>,
    /// The game that was looked at last.
    looked_at: Option<LogId>,
    /// The head of each game when it was looked at last.
    games: BTreeMap<LogId, Hash>,
    /// The games with an event that the tree did not have when it was looked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    missing: BTreeMap<LogId, Missing>,
}

/// An event that is not in the tree.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    seq: u64,
    /// When that was seen first.
    since: Timestamp,
}

/// A line of the export, as far as it is needed.
#[derive(Deserialize)]
struct Exported {
    game: LogId,
    head: Option<Hash>,
    cursor: Option<String>,
}

impl Monitor {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if !["http", "https"].contains(&self.url.scheme()) {
            return Err(Failure::trouble(format!("{}: not an address that begins with http", self.url)));
        }
        let mut seen = Seen::read(&self.state)?;
        let is_first = seen.games.is_empty();
        let looked = self.look(&mut seen);
        // What was seen before an alarm remains known.
        seen.write(&self.state)?;
        let checkpoint = looked?;
        for (position, key) in self.new_keys(&checkpoint)? {
            let told = format!("event {position} replaces a key that you trust with {key}: add it with --key");
            super::print(format!("{}: {told}\n", self.url).as_bytes())?;
        }
        let size = checkpoint.size;
        let games = seen.games.len();
        let how = if is_first { "noted for the first time" } else { "as seen before" };
        super::print(format!("{}: {size} events, {games} games, {how}\n", self.url).as_bytes())
    }

    fn look(&self, seen: &mut Seen) -> Result<Checkpoint, Failure> {
        let checkpoint = self.watch(seen, &self.text("checkpoint")?)?;
        let new = self.note_new(seen)?;
        let after = seen.looked_at.map_or(Bound::Unbounded, Bound::Excluded);
        let known = seen.games.range((after, Bound::Unbounded)).chain(&seen.games).map(|(id, _)| *id);
        let known: Vec<LogId> = known.take(self.games.min(seen.games.len())).collect();
        // What was missing from the tree, and what is new, does not wait for its turn.
        let mut missing: Vec<(Timestamp, LogId)> = seen.missing.iter().map(|(id, at)| (at.since, *id)).collect();
        missing.sort_unstable();
        let missing = missing.into_iter().map(|(_, id)| id);
        let first: Vec<LogId> = missing.chain(new.into_iter().rev()).take(self.games).collect();
        for id in &first {
            self.look_again(seen, *id)?;
        }
        for id in known {
            if !first.contains(&id) {
                self.look_again(seen, id)?;
            }
            seen.looked_at = Some(id);
        }
        Ok(checkpoint)
    }

    /// The keys that replace trusted ones and are not known yet, each with the place of its rotation in the tree.
    fn new_keys(&self, checkpoint: &Checkpoint) -> Result<Vec<(u64, String)>, Failure> {
        let url = self.at("checkpoint/rotations");
        let Answer { status, body } = fetch(&url)?;
        let text = answered(&url, status, body)?;
        let lines = text.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        let known: Vec<String> = self.trust.read()?.keys.iter().map(VerifierKey::to_string).collect();
        let mut found = Vec::new();
        for line in lines {
            let (position, bytes, rotated) =
                rotation(line).ok_or_else(|| Failure::trouble(format!("{url}: not a list of rotations")))?;
            if known.contains(&rotated.key) || !known.contains(&rotated.old) || position >= checkpoint.size {
                continue;
            }
            let path = Tree::new(self, checkpoint.size).inclusion(position).map_err(|why| self.unread(why))?;
            verify_inclusion(checkpoint.root, checkpoint.size, position, bytes, &path).map_err(|_| {
                Failure::refused(format!("ALARM: {url}: event {position} is not in the tree that is signed"))
            })?;
            found.push((position, rotated.key));
        }
        Ok(found)
    }

    /// The tiles do not lead to a proof.
    fn unread(&self, why: TreeError<Failure>) -> Failure {
        match why {
            TreeError::Tile(why) => why,
            TreeError::Short(tile) => Failure::trouble(format!("{}: tile {tile} is too short", self.url)),
            TreeError::Outside { size, .. } => Failure::trouble(format!("{}: no tree has {size} events", self.url)),
        }
    }

    /// Compares a checkpoint with the largest one seen, and remembers it.
    fn watch(&self, seen: &mut Seen, note: &str) -> Result<Checkpoint, Failure> {
        let trusted = self.trust.read()?;
        let checkpoint = Self::opened(note, &trusted)?;
        let Some(old_note) = &seen.note else {
            seen.note = Some(note.to_owned());
            return Ok(checkpoint);
        };
        // It was trusted when it was seen, perhaps before any witness was named.
        let old = Self::opened(old_note, &Trusted { quorum: Quorum::default(), ..trusted })?;
        let alarm = |what: String| Failure::refused(format!("ALARM: {what}\n\n{old_note}\n{note}"));
        if checkpoint.origin != old.origin {
            return Err(alarm(format!("another log is served: {} instead of {}", checkpoint.origin, old.origin)));
        }
        if checkpoint.size < old.size {
            return Err(alarm(format!("the tree has shrunk from {} to {} events", old.size, checkpoint.size)));
        }
        if checkpoint.size == old.size && checkpoint.root != old.root {
            return Err(alarm(format!("there are two trees of {} events", old.size)));
        }
        if old.size > 0 && checkpoint.size > old.size {
            let proof = Tree::new(self, checkpoint.size).consistency(old.size).map_err(|why| self.unread(why))?;
            verify_consistency(old.size, old.root, checkpoint.size, checkpoint.root, &proof).map_err(|_| {
                alarm(format!("history was changed: the first {} events are not those signed before", old.size))
            })?;
        }
        seen.note = Some(note.to_owned());
        Ok(checkpoint)
    }

    /// Reads a checkpoint that is trusted.
    fn opened(note: &str, trusted: &Trusted) -> Result<Checkpoint, Failure> {
        let opened = trusted.open(note).map(|trusted| trusted.checkpoint);
        opened.map_err(|why| Failure::refused(format!("ALARM: the checkpoint: {why}\n\n{note}")))
    }

    /// Notes games that are new, and returns them, the oldest first.
    fn note_new(&self, seen: &mut Seen) -> Result<Vec<LogId>, Failure> {
        let mut url = self.at("export/games.ndjson");
        if let Some(cursor) = &seen.cursor {
            url.query_pairs_mut().append_pair("after", cursor);
        }
        let told = found(&url)?;
        let told = String::from_utf8(told).map_err(|why| Failure::trouble(format!("{url}: {why}")))?;
        let mut new = Vec::new();
        for line in told.lines() {
            let Exported { game, head, cursor } =
                serde_json::from_str(line).map_err(|why| Failure::trouble(format!("{url}: {why}")))?;
            if let Some(head) = head {
                seen.games.entry(game).or_insert(head);
                new.push(game);
            }
            seen.cursor = cursor.or_else(|| seen.cursor.take());
        }
        Ok(new)
    }

    /// Looks at a known game again, and remembers its head.
    fn look_again(&self, seen: &mut Seen, id: LogId) -> Result<(), Failure> {
        let head = seen.games[&id];
        let alarm = |what: &str| Failure::refused(format!("ALARM: game {id}: {what}"));
        let url = self.at(&format!("games/{id}/log.ndjson"));
        let Answer { status, body } = fetch(&url)?;
        if status == 404 {
            return Err(alarm(&format!("it has vanished; its head was {head}")));
        }
        let body = answered(&url, status, body)?;
        let lines: Vec<&[u8]> = body.split(|b| *b == b'\n').filter(|line| !line.is_empty()).collect();
        if !lines.iter().any(|line| Hash::of_event(line) == head) {
            return Err(alarm(&format!("its log was changed: the event {head} is gone")));
        }
        seen.games.insert(id, Hash::of_event(lines.last().expect("one of them is the head")));
        let now = now();
        if let Some(missing) = seen.missing.get(&id).copied() {
            let line = usize::try_from(missing.seq).ok().and_then(|seq| lines.get(seq));
            let line = line.ok_or_else(|| alarm(&format!("its event {} is gone", missing.seq)))?;
            if !self.is_in_tree(seen, id, missing.seq, line)? {
                let minutes = (now.as_millis() - missing.since.as_millis()) / 60_000;
                if minutes >= self.missing as i64 {
                    let (seq, since) = (missing.seq, missing.since);
                    return Err(alarm(&format!("its event {seq} was seen at {since}, and is not in the tree yet")));
                }
                return Ok(());
            }
            seen.missing.remove(&id);
        }
        let seq = lines.len() as u64 - 1;
        if !self.is_in_tree(seen, id, seq, lines[lines.len() - 1])? {
            seen.missing.insert(id, Missing { seq, since: now });
        }
        Ok(())
    }

    /// Whether an event of a game is in the tree, which a checkpoint that is trusted and goes on from the last one proves.
    fn is_in_tree(&self, seen: &mut Seen, id: LogId, seq: u64, line: &[u8]) -> Result<bool, Failure> {
        let mut url = self.at("graphql");
        let query =
            format!("{{ game(id: \"{id}\") {{ inclusion(seq: {seq}) {{ index path checkpoint {{ note }} }} }} }}");
        url.query_pairs_mut().append_pair("query", &query);
        let told: Value =
            serde_json::from_slice(&found(&url)?).map_err(|why| Failure::trouble(format!("{url}: {why}")))?;
        let inclusion = &told["data"]["game"]["inclusion"];
        if inclusion.is_null() && told["errors"].is_null() {
            return Ok(false);
        }
        let read = || {
            let note = inclusion["checkpoint"]["note"].as_str()?;
            let path: Vec<Hash> = serde_json::from_value(inclusion["path"].clone()).ok()?;
            Some((inclusion["index"].as_u64()?, path, note))
        };
        let (index, path, note) = read().ok_or_else(|| Failure::trouble(format!("{url}: {told}")))?;
        let checkpoint = self.watch(seen, note)?;
        verify_inclusion(checkpoint.root, checkpoint.size, index, line, &path).map_err(|_| {
            Failure::refused(format!("ALARM: game {id}: its event {seq} is not in the tree that is signed"))
        })?;
        Ok(true)
    }

    fn at(&self, path: &str) -> Url {
        fetch::below(&self.url, path)
    }

    fn text(&self, path: &str) -> Result<String, Failure> {
        let url = self.at(path);
        let body = found(&url)?;
        let text = String::from_utf8(body).ok().filter(|text| text.len() <= NOTE_BYTES_MAX);
        text.ok_or_else(|| Failure::trouble(format!("{url}: not a checkpoint")))
    }
}

impl Tiles for Monitor {
    type Error = Failure;

    fn read(&self, tile: Tile) -> Result<Vec<Hash>, Failure> {
        let bytes = found(&self.at(&format!("tile/{tile}")))?;
        let (hashes, _) = bytes.as_chunks::<32>();
        Ok(hashes.iter().map(|hash| Hash(*hash)).collect())
    }
}

impl Seen {
    /// Reads a state file; nothing was seen if there is none.
    fn read(path: &Path) -> Result<Self, Failure> {
        let trouble = |why: &dyn std::fmt::Display| Failure::trouble(format!("{}: {why}", path.display()));
        let text = match fs::read_to_string(path) {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { format: FORMAT.to_owned(), ..Self::default() });
            }
            read => read.map_err(|why| trouble(&why))?,
        };
        let seen: Self = serde_json::from_str(&text).map_err(|why| trouble(&format!("not a state file: {why}")))?;
        if seen.format == FORMAT { Ok(seen) } else { Err(trouble(&format!("`format` has to be {FORMAT:?}"))) }
    }

    /// Replaces the state file.
    fn write(&self, path: &Path) -> Result<(), Failure> {
        super::replace(path, &serde_json::to_vec(self).map_err(Failure::trouble)?)
    }
}

/// A line of the list of rotations: the place in the tree, and the event.
fn rotation(line: &[u8]) -> Option<(u64, &[u8], KeyRotated)> {
    let space = line.iter().position(|b| *b == b' ')?;
    let (position, bytes) = (&line[..space], &line[space + 1..]);
    let position = std::str::from_utf8(position).ok()?.parse().ok()?;
    match Event::parse(bytes).ok()?.body {
        Body::KeyRotated(rotated) => Some((position, bytes, rotated)),
        _ => None,
    }
}

/// What is at an address.
fn found(url: &Url) -> Result<Vec<u8>, Failure> {
    let Answer { status, body } = fetch(url)?;
    answered(url, status, body)
}

/// The body of an answer with status 200.
fn answered(url: &Url, status: u16, body: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if status == 200 { Ok(body) } else { Err(Failure::trouble(format!("{url}: status {status}"))) }
}

fn fetch(url: &Url) -> Result<Answer, Failure> {
    fetch::get(url, BOUNDS).map_err(Failure::trouble)
}
