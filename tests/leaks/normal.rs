//! What may differ between two games that look the same: ids, times and salted hashes.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use plybook_api::service::{FeedCursor, Service};
use plybook_events::body::{Ended, Voided};
use plybook_events::{Body, Event, Hash, LogId, Timestamp};
use plybook_tlog::{leaf_hash, node_hash};

/// The placeholders of one game.
pub(crate) struct Placeholders {
    /// By the word that they replace.
    words: HashMap<String, String>,
    /// Of a checkpoint: texts, and what they are replaced by.
    texts: Vec<(String, &'static str)>,
}

/// The lengths of replaced texts: hashes, ids, ids of requests, times, checks of cursors, milliseconds.
const LENGTHS: [usize; 6] = [64, 36, 32, 24, 16, 13];

impl Placeholders {
    /// Of the game and of each line that forks from it: the id (also as cursors of descending lists
    /// have it), the times of its events (also as milliseconds, as cursors have them), and by seq: the
    /// hashes of events, commitments and their salts, and seeds that were published. The same of players. By journal
    /// position: the checks of the feed's cursors, and the leaves, nodes, roots and signatures of the transparency log. All
    /// else stays: above all the keys of positions, which are not salted.
    pub(crate) fn of(service: &Service, game: LogId, players: impl IntoIterator<Item = LogId>) -> Self {
        let mut found = HashMap::new();
        take(&mut found, service, game, "");
        for (number, line) in lines(service, game).into_iter().enumerate() {
            take(&mut found, service, line, &format!(" of line {number}"));
        }
        for (number, player) in players.into_iter().enumerate() {
            take(&mut found, service, player, &format!(" of player {number}"));
        }
        for entry in service.log().entries(0, usize::MAX).expect("the journal can be read") {
            let cursor = BASE64.decode(FeedCursor::after(&entry).to_string()).expect("a cursor is base64url");
            let cursor = String::from_utf8(cursor).expect("a cursor is a text");
            let (position, check) = cursor.split_once('.').expect("a cursor has a check");
            found.insert(check.to_owned(), format!("<check {position}>"));
        }
        let kind = service.game(game).expect("the game is there").replay().rules().about().kind;
        let mut texts = vec![(kind.to_owned(), "<kind>")];
        if let Ok(tlog) = service.tlog() {
            take_tree(&mut found, service);
            let published = tlog.published();
            let at = Timestamp::from_millis(published.at_ms).expect("it is in this century");
            found.insert(at.to_string(), "<checkpoint at>".to_owned());
            let note = published.note.to_string();
            let lines: Vec<&str> = note.lines().collect();
            let signature = lines[4].rsplit_once(' ').expect("a signature has a name").1;
            texts.push((tlog.key().to_string(), "<key of the log>"));
            texts.push((lines[2].to_owned(), "<root>"));
            texts.push((signature.to_owned(), "<signature>"));
        }
        Self { words: found, texts }
    }

    /// The text with its placeholders; durations, which depend on the clock, are replaced too.
    pub(crate) fn apply(&self, text: &str) -> String {
        let mut text = opened(text);
        for (from, to) in &self.texts {
            text = text.replace(from, to);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        let mut in_word = false;
        while let Some(first) = rest.chars().next() {
            let known = |length: &usize| Some((self.words.get(rest.get(..*length)?)?, *length));
            let found = if in_word || !first.is_ascii_hexdigit() { None } else { LENGTHS.iter().find_map(known) };
            if let Some((placeholder, length)) = found {
                out += placeholder;
                rest = &rest[length..];
                continue;
            }
            if let Some(after) = rest.strip_prefix("\"elapsedMs\":") {
                out += "\"elapsedMs\":<span>";
                rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
                continue;
            }
            in_word = first.is_ascii_alphanumeric();
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
        out
    }
}

/// The text with its cursors as they are before they are put into Base64.
fn opened(text: &str) -> String {
    let mut text = text.to_owned();
    // In JSON, and as the ids of Server-Sent Events.
    for (start, end) in [("ursor\":\"", '"'), ("\nid: ", '\n')] {
        let mut parts = text.split(start);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            out += start;
            let (cursor, rest) = part.split_at(part.find(end).unwrap_or(part.len()));
            let plain = BASE64.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            out += plain.as_deref().filter(|plain| plain.contains('.')).unwrap_or(cursor);
            out += rest;
        }
        text = out;
    }
    text
}

/// Adds the hashes of the transparency log: of every tree that it has been, by the leaves below them.
fn take_tree(found: &mut HashMap<String, String>, service: &Service) {
    let entries = service.log().entries(0, usize::MAX).expect("the journal can be read");
    let leaves: Vec<Hash> = entries.iter().map(|entry| leaf_hash(&entry.bytes)).collect();
    for size in 1..=leaves.len() {
        node(found, &leaves[..size], 0);
    }
}

/// The root of a tree over some leaves (RFC 6962), of which the first is number `from`.
fn node(found: &mut HashMap<String, String>, leaves: &[Hash], from: usize) -> Hash {
    let hash = match leaves {
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            node_hash(node(found, left, from), node(found, right, from + left.len()))
        }
    };
    found.insert(hash.to_string(), format!("<node {from}+{}>", leaves.len()));
    hash
}

/// The lines below a game, oldest first.
pub(crate) fn lines(service: &Service, game: LogId) -> Vec<LogId> {
    let known = service.models().known();
    let mut open = vec![game];
    let mut found = Vec::new();
    while let Some(parent) = open.pop() {
        let lines: Vec<_> = known.games.lines(parent).map(|line| (line.created_at, line.id)).collect();
        open.extend(lines.iter().map(|(_, id)| *id));
        found.extend(lines);
    }
    found.sort_unstable();
    found.into_iter().map(|(_, id)| id).collect()
}

/// Adds one log; `of` says to which line it belongs.
fn take(found: &mut HashMap<String, String>, service: &Service, log: LogId, of: &str) {
    let backwards = LogId::from_bytes(log.to_bytes().map(|byte| !byte));
    found.insert(log.to_string(), format!("<game{of}>"));
    found.insert(backwards.to_string(), format!("<game backwards{of}>"));
    for line in service.log().read(log, 0).expect("the log can be read") {
        let event = Event::parse(&line).expect("the log holds events");
        let seq = event.seq;
        found.insert(Hash::of_event(&line).to_string(), format!("<event {seq}{of}>"));
        found.insert(event.at.to_string(), "<at>".to_owned());
        found.insert(event.at.as_millis().to_string(), "<ms>".to_owned());
        if let Some(request) = event.request {
            found.insert(request.to_string(), format!("<request {seq}{of}>"));
        }
        let mut salted = |name: &str, hash: Option<Hash>| {
            if let Some(hash) = hash {
                found.insert(hash.to_string(), format!("<{name} {seq}{of}>"));
            }
        };
        match event.body {
            Body::Created(created) => {
                salted("setup", created.sealed_setup);
                salted("seed", created.fairness);
            }
            Body::Sealed(sealed) => salted("seal", Some(sealed.commitment)),
            Body::Revealed(revealed) => salted("salt", Some(revealed.salt)),
            // A finished line shows the seed of its own dice; once the game is finished, nothing is compared
            // any more.
            Body::Ended(Ended { seed: Some(own), .. }) | Body::Voided(Voided { seed: Some(own), .. }) => {
                salted("own seed", Some(own.seed));
                salted("salt of the seed", Some(own.salt));
            }
            _ => {}
        }
    }
}
