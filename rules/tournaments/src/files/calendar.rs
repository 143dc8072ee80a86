//! The rounds of a tournament as a calendar: iCalendar, RFC 5545.

use plybook_events::Timestamp;

use crate::log::Tournament;

/// The longest that a round takes: 12 hours.
const LONGEST_MS: i64 = 12 * 3_600_000;

/// The rounds as events of a calendar, at their planned times. Rounds without one that were opened are listed
/// at the time when they were opened. If there are none at all, the tournament itself is the only event,
/// provided its start is known.
///
/// `link` is the address of the tournament's page.
pub fn calendar(tournament: &Tournament, link: &str) -> String {
    let settings = &tournament.settings;
    let mut text = Lines::default();
    text.line("BEGIN", "VCALENDAR");
    text.line("VERSION", "2.0");
    text.line("PRODID", "-//Plybook//Tournament//EN");
    text.line("METHOD", "PUBLISH");
    text.line("X-WR-CALNAME", &escaped(&settings.name));
    let planned = tournament.rounds_planned().unwrap_or(0) as usize;
    let rounds = planned.max(tournament.rounds.len()).max(settings.rounds_at.len());
    let mut has_round = false;
    for number in 1..=rounds {
        let opened = tournament.rounds.get(number - 1).and_then(|round| round.opened_at);
        let Some(start) = settings.rounds_at.get(number - 1).copied().or(opened) else { continue };
        let name = format!("{}: round {number}", settings.name);
        event(&mut text, tournament, &format!("round-{number}"), &name, (start, end(tournament, number, start)), link);
        has_round = true;
    }
    if let (false, Some(start)) = (has_round, settings.starts_at) {
        event(&mut text, tournament, "tournament", &settings.name, (start, settings.ends_at), link);
    }
    text.line("END", "VCALENDAR");
    text.0
}

/// When a round ends: when the next one begins, or the tournament is to end, on the same day; otherwise as long after its
/// start as the round before it took, or when it was closed. `None` if nothing is known.
fn end(tournament: &Tournament, number: usize, start: Timestamp) -> Option<Timestamp> {
    let settings = &tournament.settings;
    let planned = |number: usize| settings.rounds_at.get(number.checked_sub(1)?).copied();
    let is_fit = |end: &Timestamp| (1..=LONGEST_MS).contains(&(end.as_millis() - start.as_millis()));
    let before = || {
        let (before, start_before) = (number.checked_sub(1)?, planned(number.checked_sub(1)?)?);
        let took = end(tournament, before, start_before)?.as_millis() - start_before.as_millis();
        Timestamp::from_millis(start.as_millis() + took).ok()
    };
    let closed = tournament.rounds.get(number - 1).and_then(|round| round.closed_at);
    let planned = planned(number + 1).filter(is_fit).or(settings.ends_at.filter(is_fit));
    planned.or_else(before).or(closed.filter(is_fit))
}

fn event(
    text: &mut Lines,
    tournament: &Tournament,
    part: &str,
    name: &str,
    (start, end): (Timestamp, Option<Timestamp>),
    link: &str,
) {
    let settings = &tournament.settings;
    text.line("BEGIN", "VEVENT");
    text.line("UID", &format!("{part}.{}@plybook", tournament.id));
    text.line("DTSTAMP", &time(tournament.updated_at));
    text.line("DTSTART", &time(start));
    if let Some(end) = end {
        text.line("DTEND", &time(end));
    }
    text.line("SUMMARY", &escaped(name));
    if let Some(place) = &settings.place {
        text.line("LOCATION", &escaped(place));
    }
    let about = [settings.time_control.as_deref(), settings.description.as_deref()];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    if !about.is_empty() {
        text.line("DESCRIPTION", &escaped(&about.join("\n")));
    }
    text.line("URL", link);
    text.line("END", "VEVENT");
}

/// A time in UTC, in the basic form: `20261122T070000Z`.
fn time(time: Timestamp) -> String {
    let digits: String = time.to_string().chars().take(19).filter(|c| !matches!(c, '-' | ':')).collect();
    format!("{digits}Z")
}

/// A text as the value of a property.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Folds lines that are longer than 75 bytes.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, property: &str, value: &str) {
        let mut width = 0;
        for c in property.chars().chain([':']).chain(value.chars()) {
            if width + c.len_utf8() > 75 {
                self.0.push_str("\r\n ");
                width = 1;
            }
            self.0.push(c);
            width += c.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_folded_between_characters() {
        let mut lines = Lines::default();
        lines.line("SUMMARY", &"é".repeat(100));
        assert!(lines.0.split("\r\n").all(|line| line.len() <= 75), "{}", lines.0);
        assert_eq!(lines.0.replace("\r\n ", ""), format!("SUMMARY:{}\r\n", "é".repeat(100)));
    }

    #[test]
    fn values_are_escaped() {
        assert_eq!(escaped("a,b;c\\d\ne\u{7}"), "a\\,b\\;c\\\\d\\ne");
        assert_eq!(time("2026-11-22T07:08:09.123Z".parse().unwrap()), "20261122T070809Z");
    }
}
