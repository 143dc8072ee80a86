//! A tournament as a report file.

use plybook_events::Timestamp;
use plybook_events::body::Bye;

use super::federation::federation;
use crate::log::{Ranks, Tournament};
use crate::trf::{AskedBye, Card, Forbidden, PointSystem, Report, TrfProblem, Version};
use crate::{ByeKind, Format, Points, Round, Scoring, System, baku, dutch, zone};

/// A report of a tournament with two seats per table in its current state: TRF16 or TRF26.
///
/// TRF16 is for programs that pair: a round that lacks results is left out, as they refuse one, and adjourned games count
/// as they do for pairing the next round, as draws.
///
/// # Errors
/// The report file has no place for something: more than two seats, or points that no result gives.
pub fn report(tournament: &Tournament, version: Version) -> Result<String, TrfProblem> {
    let ranks = tournament.ranks();
    let scoring = point_system(tournament)?;
    let mut history = match version {
        Version::Trf26 => tournament.history(&ranks),
        Version::Trf16 => tournament.history_to_pair(&ranks),
    };
    if version == Version::Trf16 {
        let is_known = |round: &Round| round.tables.iter().all(|table| table.result.is_some());
        history.rounds.truncate(history.rounds.iter().position(|round| !is_known(round)).unwrap_or(usize::MAX));
    }
    let next = history.rounds.len() as u32 + 1;
    if matches!(&tournament.rules.format, Format::Swiss(swiss) if swiss.is_accelerated) {
        baku::accelerate(&mut history, scoring.win, scoring.draw);
    }
    let mut texts = texts(tournament);
    if version == Version::Trf26 {
        texts.extend(codes(tournament));
    }
    let mut texts: Vec<(String, String)> = texts.into_iter().map(|(tag, text)| (tag.to_owned(), text)).collect();
    // The tag of a record has three letters, and a space follows it.
    let record = |record: &String| Some((record.get(..3)?.to_owned(), record.get(4..)?.to_owned()));
    texts.extend(tournament.settings.records.iter().filter_map(record));
    let report = Report {
        texts,
        cards: cards(tournament, &ranks),
        initial_seat: dutch::drawn_seat(&history).or(Some(1)),
        history,
        scoring,
        forbidden: forbidden(tournament, &ranks),
        byes: asked(tournament, &ranks, next),
        ..Report::default()
    };
    report.write(version)
}

fn cards(tournament: &Tournament, ranks: &Ranks) -> Vec<Card> {
    let card = |number: &u16| {
        let Some(details) = tournament.entrant(*number).map(|entrant| &entrant.details) else { return Card::default() };
        let stated = |text: &Option<String>| text.clone().unwrap_or_default();
        let of_country = details.country.as_deref().and_then(federation);
        Card {
            sex: stated(&details.sex),
            title: stated(&details.title),
            federation: of_country.map_or_else(|| stated(&details.federation), str::to_owned),
            fide_number: stated(&details.federation_id),
            ..Card::default()
        }
    };
    let mut cards: Vec<Card> = ranks.entrants().iter().map(card).collect();
    if let Ok(standings) = tournament.standings(tournament.last_played()) {
        for row in standings.rows {
            cards[row.entrant.index()].rank = row.place;
        }
    }
    cards
}

/// The records of both versions that are only text.
fn texts(tournament: &Tournament) -> Vec<(&'static str, String)> {
    let settings = &tournament.settings;
    let day = |at: Timestamp| day(at, settings.time_zone.as_deref());
    let days = round_days(tournament);
    let began = settings.starts_at.or_else(|| days.iter().copied().flatten().next());
    let ended = settings.ends_at.or(tournament.finished_at);
    let rated = tournament.entrants().filter(|entrant| entrant.details.rating.is_some()).count();
    let texts = [
        ("012", Some(settings.name.clone())),
        ("022", settings.place.clone()),
        ("042", began.map(day)),
        ("052", ended.map(day)),
        ("062", Some(tournament.entrants().count().to_string())),
        ("072", Some(rated.to_string())),
        ("092", Some(kind(&tournament.rules.format).to_owned())),
        ("122", settings.time_control.clone()),
        ("132", round_dates(days.into_iter().map(|at| at.map(day)))),
    ];
    texts.into_iter().filter_map(|(tag, text)| Some((tag, text?))).collect()
}

/// The records that only TRF26 has.
fn codes(tournament: &Tournament) -> Vec<(&'static str, String)> {
    let list = tournament.rules.standings.tie_breaks.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let engine = tournament.rounds.iter().rev().find_map(|round| round.engine.as_ref());
    let engine = engine.map(|engine| format!("Plybook, {} {}", engine.name, engine.version));
    let time_control = tournament.settings.time_control.clone().filter(|text| is_encoded_time_control(text));
    let texts = [
        ("182", engine),
        ("192", Some(code(&tournament.rules.format).to_owned())),
        ("202", Some(list.clone()).filter(|list| !list.is_empty())),
        ("212", Some(if list.is_empty() { "PTS".to_owned() } else { format!("PTS,{list}") })),
        ("222", time_control),
    ];
    let replaced = tournament.tie_breaks_before.iter().map(|(round, before)| {
        let before = if before.is_empty() { "none".to_owned() } else { before.join(",") };
        ("###", format!("Tie-breaks up to round {round}: {before}"))
    });
    texts.into_iter().filter_map(|(tag, text)| Some((tag, text?))).chain(replaced).collect()
}

/// When each round is or was to be played, as far as that is known.
fn round_days(tournament: &Tournament) -> Vec<Option<Timestamp>> {
    let planned = &tournament.settings.rounds_at;
    let opened = |index: usize| tournament.rounds.get(index).and_then(|round| round.opened_at);
    let rounds = planned.len().max(tournament.rounds.len());
    (0..rounds).map(|index| planned.get(index).copied().or_else(|| opened(index))).collect()
}

/// 132: the days of the rounds above the columns of their results; `None` if no day is known.
fn round_dates(days: impl Iterator<Item = Option<String>>) -> Option<String> {
    let cell = |day: Option<String>| day.map_or(String::new(), |day| day[2..].to_owned());
    let cells = days.fold(String::new(), |all, day| all + &format!("  {:<8}", cell(day)));
    // The first result stands in columns 92 to 99, and the text begins in column 5.
    (!cells.trim().is_empty()).then(|| format!("{:85}{cells}", ""))
}

/// The day of a time in the tournament's time zone as report files write it: `2026/11/22`.
fn day(at: Timestamp, zone: Option<&str>) -> String {
    let (year, month, day) = zone::day(at, zone);
    format!("{year:04}/{month:02}/{day:02}")
}

/// 092: the type of the tournament, in words.
fn kind(format: &Format) -> &'static str {
    match format {
        Format::Swiss(swiss) if swiss.is_accelerated => "Individual: Swiss-System (accelerated)",
        Format::Swiss(_) => "Individual: Swiss-System",
        Format::RoundRobin(round_robin) if round_robin.cycles == 2 => "Individual: Double-Round-Robin",
        Format::RoundRobin(_) => "Individual: Round-Robin",
        Format::KnockOut(_) => "Individual: Knock-out",
        Format::Groups(_) => "Individual: Round-Robin in groups, then Knock-out",
        Format::Free(_) | Format::Pods(_) => "Individual",
    }
}

/// 192: the type of the tournament, as one of FIDE's codes.
///
/// # Source
/// The table of codes that belongs to TRF26.
fn code(format: &Format) -> &'static str {
    match format {
        Format::Swiss(swiss) => match (swiss.system, swiss.is_accelerated) {
            (System::Dutch, false) => "FIDE_DUTCH_2025",
            (System::Dutch, true) => "FIDE_DUTCH_2025_BAKU",
            (System::Fast, _) => "CUSTOM_SWISS",
        },
        Format::RoundRobin(round_robin) => match round_robin.cycles {
            1 => "FIDE_ROUNDROBIN",
            2 => "FIDE_DOUBLEROUNDROBIN",
            _ => "CUSTOM_ROUNDROBIN",
        },
        Format::KnockOut(_) | Format::Groups(_) => "CUSTOM_KNOCKOUT",
        Format::Free(_) | Format::Pods(_) => "CUSTOM_SWISS",
    }
}

/// Whether a text is a time control as 222 encodes it, such as `40/6000+30:900+30` or `W300-B240`.
fn is_encoded_time_control(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = |text: &str| text.split_once('+').map_or(is_number(text), |(s, i)| is_number(s) && is_number(i));
    let is_period = |text: &str| text.split_once('/').map_or(is_time(text), |(m, t)| is_number(m) && is_time(t));
    let is_all = |text: &str| text.split(':').all(is_period);
    let sides = text.strip_prefix('W').and_then(|text| text.split_once("-B"));
    sides.map_or_else(|| is_all(text), |(first, second)| is_all(first) && is_all(second))
}

/// Who will not play in the rounds from `next` on: who asked for a bye, has withdrawn, or enters later.
fn asked(tournament: &Tournament, ranks: &Ranks, next: u32) -> Vec<AskedBye> {
    let last = if tournament.finished_at.is_some() { 0 } else { tournament.rounds_planned().unwrap_or(next) };
    let mut byes = Vec::new();
    for round in next..=last {
        for entrant in tournament.entrants().filter(|entrant| !entrant.is_available(round)) {
            let bye = entrant.absences.get(&round).filter(|_| entrant.takes_part(round));
            let kind = bye.map_or(ByeKind::Zero, |bye| match bye {
                Bye::Half => ByeKind::Half,
                Bye::Full => ByeKind::Full,
                Bye::Zero | Bye::Pairing => ByeKind::Zero,
            });
            byes.push(AskedBye { round: round as u16, entrant: ranks.rank(entrant.number), kind });
        }
    }
    byes
}

/// Who does not meet, by starting rank.
fn forbidden(tournament: &Tournament, ranks: &Ranks) -> Vec<Forbidden> {
    tournament.forbidden(ranks).into_iter().map(|entrants| Forbidden { rounds: None, entrants }).collect()
}

fn point_system(tournament: &Tournament) -> Result<PointSystem, TrfProblem> {
    let scoring = &tournament.rules.standings.scoring;
    let (Scoring::Result { win, draw, loss, .. }, [2, 2]) =
        (scoring, [*tournament.rules.table_seats().start(), *tournament.rules.table_seats().end()])
    else {
        return Err(TrfProblem::NoPlace("tables of more than two seats, or points by place".to_owned()));
    };
    Ok(PointSystem {
        win: *win,
        draw: *draw,
        loss: *loss,
        forfeit: Points::ZERO,
        absent: Points::ZERO,
        pairing_bye: scoring.bye(ByeKind::Pairing, 2),
    })
}
