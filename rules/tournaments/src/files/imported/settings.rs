//! What a report file says of a tournament besides its entrants and rounds, as settings.

use plybook_events::body::TournamentSettings;
use plybook_events::is_unprintable;
use serde_json::{Map, Value, json};

use super::LeftOut;
use crate::log::{LINE_CHARS_MAX, LIST_MAX, NAME_CHARS_MAX, TIE_BREAKS_MAX};
use crate::trf::Report;
use crate::{Format, History, Points, RoundRobin, Scoring, Swiss, System, TieBreak, baku, zone};

/// The records that are written from the tournament itself; the others are kept as they are.
const OWN: [&str; 15] =
    ["012", "022", "042", "052", "062", "072", "092", "122", "132", "182", "192", "202", "212", "222", "XXC"];

/// The settings, except for the kind of game, its seats and the order of the ranks, and what is left out. The name is empty
/// if the file has none.
pub(super) fn settings(
    report: &Report,
    format: &Format,
    time_zone: Option<&str>,
) -> (TournamentSettings, Vec<LeftOut>) {
    let mut left_out = Vec::new();
    let start = |tag| text(report, tag).and_then(|text| zone::start(day(&text)?, time_zone));
    let settings = TournamentSettings {
        name: cut(text(report, "012").unwrap_or_default(), NAME_CHARS_MAX),
        tie_breaks: tie_breaks(report, format, &mut left_out),
        format: members(format),
        scoring: members(&scoring(report)),
        time_control: text(report, "122").or_else(|| text(report, "222")),
        place: text(report, "022"),
        starts_at: start("042"),
        ends_at: start("052"),
        rounds_at: round_days(report).map_while(|day| zone::start(day?, time_zone)).collect(),
        time_zone: time_zone.map(str::to_owned),
        forbidden: forbidden(report, &mut left_out),
        records: records(report, &mut left_out),
        ..TournamentSettings::default()
    };
    let others = [
        (LeftOut::Births, report.cards.iter().any(|card| !card.birth.is_empty())),
        (LeftOut::Unrated, !report.unrated.is_empty()),
        (LeftOut::Acceleration, !is_accelerated_as(report, format)),
        (LeftOut::Format, matches!(format, Format::Free(_))),
    ];
    left_out.extend(others.into_iter().filter(|(_, is_left)| *is_left).map(|(what, _)| what));
    left_out.sort_unstable();
    left_out.dedup();
    (in_order(settings), left_out)
}
/// The format by records 192 and 092: a Swiss system if they do not say otherwise, and a list for what cannot be paired on.
pub(super) fn format(report: &Report) -> Format {
    let stated = [report.text("192"), report.text("092")].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let stated: String = stated.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let (rounds, entrants) = (planned(report), report.history.entrants.len());
    if stated.contains("robin") || stated.contains("berger") {
        let cycles = if stated.contains("double") { 2 } else { 1 };
        let round_robin = RoundRobin { cycles };
        let is_fit = !stated.contains("knock") && !stated.contains("team") && round_robin.rounds(entrants) == rounds;
        return if is_fit { Format::RoundRobin(round_robin) } else { free(rounds) };
    }
    if stated.contains("knock") {
        return free(rounds);
    }
    let is_accelerated = stated.contains("baku") || stated.contains("accelerated");
    Format::Swiss(Swiss { rounds, system: System::Dutch, is_accelerated })
}

/// The planned rounds; if the file does not say, as many as it has something about.
pub(super) fn planned(report: &Report) -> u16 {
    let paired = report.history.rounds.len() as u16;
    let asked = report.byes.iter().map(|bye| bye.round).max().unwrap_or(1);
    report.history.rounds_planned.unwrap_or(paired.max(asked))
}

fn free(rounds: u16) -> Format {
    Format::Free(crate::Free { rounds: Some(rounds), size: None })
}

fn scoring(report: &Report) -> Scoring {
    let points = &report.scoring;
    let pairing_bye = Some(points.pairing_bye).filter(|bye| *bye != points.win);
    Scoring::Result { win: points.win, draw: points.draw, loss: points.loss, pairing_bye }
}

/// The tie-breaks of record 212, or of 202; without one, those that are usual for the format.
fn tie_breaks(report: &Report, format: &Format, left_out: &mut Vec<LeftOut>) -> Vec<String> {
    let seats = 2..=2;
    let Some(stated) = report.text("212").or_else(|| report.text("202")) else {
        return format.usual_tie_breaks(&seats);
    };
    let mut list: Vec<TieBreak> = Vec::new();
    for code in stated.split([',', ';', ' ']).map(str::trim).filter(|code| !code.is_empty() && *code != "PTS") {
        let longer = code.parse().map(|tie_break| [list.as_slice(), &[tie_break]].concat());
        match longer {
            Ok(longer)
                if longer.len() <= TIE_BREAKS_MAX
                    && TieBreak::check_all(&longer, &format.suitability(&seats)).is_ok() =>
            {
                list = longer;
            }
            _ => left_out.push(LeftOut::TieBreaks),
        }
    }
    list.iter().map(ToString::to_string).collect()
}

fn forbidden(report: &Report, left_out: &mut Vec<LeftOut>) -> Vec<Vec<u16>> {
    let rounds = planned(report);
    let is_whole = |limits: Option<(u16, u16)>| limits.is_none_or(|(first, last)| first == 1 && last >= rounds);
    let mut groups = Vec::new();
    for group in &report.forbidden {
        let mut numbers: Vec<u16> = group.entrants.iter().map(|entrant| entrant.0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if is_whole(group.rounds) && (2..=LIST_MAX).contains(&numbers.len()) && groups.len() < LIST_MAX {
            groups.push(numbers);
        } else {
            left_out.push(LeftOut::Forbidden);
        }
    }
    groups
}

/// The records that the tournament itself does not have.
fn records(report: &Report, left_out: &mut Vec<LeftOut>) -> Vec<String> {
    let foreign = report.texts.iter().filter(|(tag, _)| !OWN.contains(&tag.as_str()));
    let lines: Vec<String> = foreign.map(|(tag, text)| format!("{tag} {}", text.trim())).collect();
    let is_fit = |line: &&String| {
        line.len() > 4
            && line.chars().count() <= LINE_CHARS_MAX
            && !line.starts_with(' ')
            && !line.chars().any(is_unprintable)
    };
    let kept: Vec<String> = lines.iter().filter(is_fit).take(LIST_MAX).cloned().collect();
    let said = lines.iter().filter(|line| line.len() > 4).count();
    if kept.len() < said {
        left_out.push(LeftOut::Records);
    }
    kept
}

/// Whether the virtual points of the file are those that the format gives.
fn is_accelerated_as(report: &Report, format: &Format) -> bool {
    let without =
        report.history.entrants.iter().map(|entrant| crate::Entrant { acceleration: Vec::new(), ..entrant.clone() });
    let mut history = History { entrants: without.collect(), ..report.history.clone() };
    if matches!(format, Format::Swiss(swiss) if swiss.is_accelerated) {
        baku::accelerate(&mut history, report.scoring.win, report.scoring.draw);
    }
    let given = |history: &History| -> Vec<Vec<Points>> {
        let points = |entrant: &crate::Entrant| {
            let last =
                entrant.acceleration.iter().rposition(|points| *points != Points::ZERO).map_or(0, |last| last + 1);
            entrant.acceleration[..last].to_vec()
        };
        history.entrants.iter().map(points).collect()
    };
    given(&history) == given(&report.history)
}

/// The days of the rounds in record 132.
fn round_days(report: &Report) -> impl Iterator<Item = Option<(i16, i8, i8)>> {
    let text = report.text("132").unwrap_or_default();
    text.split_whitespace().map(day).collect::<Vec<_>>().into_iter()
}

/// Leaves out times that would contradict each other.
fn in_order(mut settings: TournamentSettings) -> TournamentSettings {
    if !settings.rounds_at.is_sorted() || settings.rounds_at.len() > LIST_MAX {
        settings.rounds_at.clear();
    }
    if settings.starts_at.is_none_or(|start| settings.ends_at.is_some_and(|end| end < start)) {
        settings.ends_at = None;
    }
    settings
}

/// A day such as `2026/11/22`, `26/11/22`, `22.11.2026` or `22.11.26`.
fn day(text: &str) -> Option<(i16, i8, i8)> {
    let parts: Vec<&str> = text.split(['/', '-', '.']).map(str::trim).collect();
    let &[first, month, last] = parts.as_slice() else { return None };
    let is_day_first = last.len() == 4 || first.len() != 4 && text.contains('.');
    let (year, day) = if is_day_first { (last, first) } else { (first, last) };
    let century = if year.len() == 2 { 2_000 } else { 0 };
    Some((year.parse::<i16>().ok()? + century, month.parse().ok()?, day.parse().ok()?))
}

/// The text of a record on one line; `None` if it has none.
fn text(report: &Report, tag: &str) -> Option<String> {
    report.text(tag).map(line).map(|text| cut(text, LINE_CHARS_MAX)).filter(|text| !text.is_empty())
}

fn cut(text: String, most: usize) -> String {
    if text.chars().count() <= most { text } else { text.chars().take(most).collect::<String>().trim().to_owned() }
}

/// A text without what cannot be printed, and without spaces around it.
pub(super) fn line(text: &str) -> String {
    text.chars().filter(|char| !is_unprintable(*char)).collect::<String>().trim().to_owned()
}

fn members(value: &impl serde::Serialize) -> Map<String, Value> {
    match json!(value) {
        Value::Object(members) => members,
        _ => unreachable!("formats and scorings are objects"),
    }
}
