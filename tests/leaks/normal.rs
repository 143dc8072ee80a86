//! What may differ between two games that look the same: ids, times and salted hashes.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use plybook_api::service::{FeedCursor, Service};
use plybook_events::body::{Ended, Voided};
use plybook_events::{Body, Event, Hash, LogId};

/// The placeholders of one game, by the text that they replace.
pub(crate) struct Placeholders(HashMap<String, String>);

/// The lengths of replaced texts: hashes, ids, times, checks of cursors, milliseconds.
const LENGTHS: [usize; 5] = [64, 36, 24, 16, 13];

impl Placeholders {
    /// Of the game and of each line that forks from it: the id (also as cursors of descending lists
    /// have it), the times of its events (also as milliseconds, as cursors have them), and by seq: the
    /// hashes of events, commitments and their salts, and seeds that were published. The same of players. By journal
    /// position: the checks of the feed's cursors. All else stays: above all the keys of positions, which are not salted.
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
        Self(found)
    }

    /// The text with its placeholders; durations, which depend on the clock, are replaced too.
    pub(crate) fn apply(&self, text: &str) -> String {
        let text = opened(text);
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        let mut in_word = false;
        while let Some(first) = rest.chars().next() {
            let known = |length: &usize| Some((self.0.get(rest.get(..*length)?)?, *length));
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
