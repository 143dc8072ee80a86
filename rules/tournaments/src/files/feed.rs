//! Results for feed readers: Atom, RFC 4287.

use std::cmp::Reverse;

use plybook_events::Timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::outcome::{line, name};
use crate::log::Tournament;
use crate::{Reached, Standing};

/// The most entries of a feed, which are the latest ones.
pub const ENTRIES_MAX: usize = 200;

/// An entry of the feed.
struct Entry {
    /// Its permanent, unique id.
    id: String,
    at: Timestamp,
    title: String,
}

/// The rounds that were paired and closed, the results of tables and the end of the tournament, latest first.
///
/// `link` is the address of the tournament's page, `own` that of the feed.
pub fn feed(tournament: &Tournament, link: &str, own: &str) -> String {
    let mut writer = Writer::new(Vec::new());
    put(&mut writer, Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)));
    put(&mut writer, Event::Start(BytesStart::new("feed").with_attributes([("xmlns", "http://www.w3.org/2005/Atom")])));
    element(&mut writer, "id", &id(tournament, ""));
    element(&mut writer, "title", &tournament.settings.name);
    element(&mut writer, "updated", &tournament.updated_at.to_string());
    put(&mut writer, Event::Empty(BytesStart::new("link").with_attributes([("href", link)])));
    put(&mut writer, Event::Empty(BytesStart::new("link").with_attributes([("rel", "self"), ("href", own)])));
    put(&mut writer, Event::Start(BytesStart::new("author")));
    element(&mut writer, "name", "Plybook");
    put(&mut writer, Event::End(BytesEnd::new("author")));
    for entry in entries(tournament) {
        put(&mut writer, Event::Start(BytesStart::new("entry")));
        element(&mut writer, "id", &id(tournament, &entry.id));
        element(&mut writer, "title", &entry.title);
        element(&mut writer, "updated", &entry.at.to_string());
        put(&mut writer, Event::Empty(BytesStart::new("link").with_attributes([("href", link)])));
        put(&mut writer, Event::End(BytesEnd::new("entry")));
    }
    put(&mut writer, Event::End(BytesEnd::new("feed")));
    String::from_utf8(writer.into_inner()).expect("what is written is text")
}

fn put(writer: &mut Writer<Vec<u8>>, event: Event<'_>) {
    writer.write_event(event).expect("the feed is written to memory");
}

fn element(writer: &mut Writer<Vec<u8>>, name: &str, text: &str) {
    // XML has no way to write control characters.
    let text: String = text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}')).collect();
    put(writer, Event::Start(BytesStart::new(name)));
    put(writer, Event::Text(BytesText::new(&text)));
    put(writer, Event::End(BytesEnd::new(name)));
}

fn id(tournament: &Tournament, part: &str) -> String {
    format!("urn:uuid:{}{part}", tournament.id)
}

fn entries(tournament: &Tournament) -> Vec<Entry> {
    let mut entries = Vec::new();
    for round in &tournament.rounds {
        let number = round.number;
        let mut add = |id: String, at: Timestamp, title: String| entries.push(Entry { id, at, title });
        add(format!("#round-{number}-paired"), round.paired_at, format!("Round {number} is paired"));
        if let Some(at) = round.closed_at {
            add(format!("#round-{number}-closed"), at, format!("Round {number} is over"));
        }
        for (table_number, table) in (1..).zip(&round.tables) {
            if let Some(result) = &table.result {
                let title = format!("Round {number}, table {table_number}: {}", line(tournament, table));
                add(format!("#round-{number}-table-{table_number}"), result.at, title);
            }
        }
    }
    if let Some(at) = tournament.finished_at {
        entries.push(Entry { id: "#finished".to_owned(), at, title: finished(tournament) });
    }
    // Among events at the same time, the one written later is later.
    entries.reverse();
    entries.sort_by_key(|entry| Reverse(entry.at));
    entries.truncate(ENTRIES_MAX);
    entries
}

/// The end of the tournament, with the winners.
fn finished(tournament: &Tournament) -> String {
    let ranks = tournament.ranks();
    let rows = tournament.standings(tournament.last_played()).map(|standings| standings.rows).unwrap_or_default();
    // A knock-out whose last two withdrew has no winner.
    let has_won =
        |row: &&Standing| row.place == Some(1) && row.reached.is_none_or(|reached| reached == Reached::Winner);
    let first = rows.iter().filter(has_won).map(|row| name(tournament, ranks.entrant(row.entrant)));
    let first: Vec<&str> = first.collect();
    if first.is_empty() { "The tournament is over".to_owned() } else { format!("Won by {}", first.join(" and ")) }
}
