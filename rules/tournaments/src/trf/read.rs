//! Reading a file.

use std::borrow::Cow;

use super::games::{Entry, entries, games};
use super::line::{Line, lines, number};
use super::records::Records;
use super::{AskedBye, BYTES_MAX, Card, Report, TrfError, TrfProblem};
use crate::{ByeKind, Entrant, EntrantNumber, History, Points, baku};

/// A 001 line.
struct Person {
    line: usize,
    entrant: Entrant,
    card: Card,
    stated: Option<Points>,
    entries: Vec<Entry>,
}

/// Reads a report.
pub(super) fn report(bytes: &[u8]) -> Result<Report, TrfError> {
    if bytes.len() > BYTES_MAX {
        return Err(TrfError { line: 1, column: 1, problem: TrfProblem::TooLong });
    }
    let bytes = &*utf8(bytes);
    let mut people: Vec<Option<Person>> = Vec::new();
    let mut records = Records::default();
    let mut last = EntrantNumber(0);
    let mut is_in_order = true;
    for line in lines(bytes) {
        if line.tag() != "001" {
            records.read(&line)?;
            continue;
        }
        let (number, person) = person(&line)?;
        is_in_order &= number > last;
        last = number;
        let index = number.index();
        if people.len() <= index {
            people.resize_with(index + 1, || None);
        }
        if people[index].replace(person).is_some() {
            return Err(line.error(5, TrfProblem::Twice(number)));
        }
    }
    if records.is_by_place && !is_in_order {
        let problem = TrfProblem::Unsupported {
            tag: "XXC rank".to_owned(),
            what: "renumber the entrants in the order of the lines, and leave it out",
        };
        return Err(TrfError { line: 1, column: 1, problem });
    }
    let gap = people.iter().position(Option::is_none).map(EntrantNumber::from_index);
    if let Some(gap) = gap {
        return Err(TrfError { line: 1, column: 1, problem: TrfProblem::Gap(gap) });
    }
    let people: Vec<Person> = people.into_iter().flatten().collect();
    for &(entrant, line, column) in &records.named {
        if entrant.index() >= people.len() {
            return Err(TrfError { line, column, problem: TrfProblem::Unknown(entrant) });
        }
    }
    let most = records.rounds.unwrap_or(u16::MAX);
    if let Some(&(round, line)) = records.last_accelerated.iter().find(|(round, _)| *round > most) {
        return Err(TrfError { line, column: 19, problem: TrfProblem::NoRound { round, planned: most } });
    }
    assemble(people, records)
}

/// The bytes of a file, as UTF-8 if it begins with the byte order mark of UTF-16.
fn utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(bytes),
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
}

/// Reads a 001 line.
fn person(line: &Line) -> Result<(EntrantNumber, Person), TrfError> {
    line.check_len(84)?;
    let own = line.entrant(5, 8)?;
    let optional = |first, last, expected| match line.field(first, last) {
        text if text.is_empty() => Ok(None),
        text => number(&text).map(Some).ok_or_else(|| line.wrong(first, &text, expected)),
    };
    let rating = optional(49, 52, "a rating of up to four digits")?.filter(|rating| *rating > 0);
    let rank = optional(86, 89, "a rank of up to four digits")?;
    let stated = if line.field(81, 84).is_empty() { None } else { Some(line.points(81, 84)?) };
    let entrant = Entrant { name: line.field(15, 47), rating, ..Entrant::default() };
    let card = Card {
        sex: line.field(10, 10),
        title: line.field(11, 13),
        federation: line.field(54, 56),
        fide_number: line.field(58, 68),
        birth: line.field(70, 79),
        rank,
    };
    let entries = entries(line, own)?;
    Ok((own, Person { line: line.number(), entrant, card, stated, entries }))
}

/// Puts everything together.
fn assemble(people: Vec<Person>, records: Records) -> Result<Report, TrfError> {
    let entries: Vec<Vec<Entry>> = people.iter().map(|person| person.entries.clone()).collect();
    let games = games(&entries, &records.system).map_err(|problem| {
        let one = match problem {
            TrfProblem::Contradiction { one, .. } => one.index(),
            _ => 0,
        };
        let column = if let TrfProblem::Contradiction { round, .. } = problem { 82 + 10 * round } else { 92 };
        TrfError { line: people.get(one).map_or(1, |person| person.line), column, problem }
    })?;
    let paired = games.rounds.len();
    if let Some(planned) = records.rounds.filter(|planned| paired > usize::from(*planned)) {
        return Err(TrfError { line: 1, column: 1, problem: TrfProblem::Rounds { paired, planned } });
    }
    let next = paired as u16 + 1;
    let absent = |entrant: &EntrantNumber| AskedBye { round: next, entrant: *entrant, kind: ByeKind::Zero };
    let mut byes = games.byes;
    byes.extend(records.byes.iter().filter(|bye| usize::from(bye.round) > paired));
    byes.extend(records.absent.iter().map(absent));
    byes.sort_unstable();
    byes.dedup_by_key(|bye| (bye.round, bye.entrant));
    let mut report = Report {
        texts: records.texts,
        history: History { rounds_planned: records.rounds, rounds: games.rounds, ..History::default() },
        scoring: records.system,
        initial_seat: records.initial_seat,
        byes,
        forbidden: records.forbidden,
        unrated: games.unrated,
        ..Report::default()
    };
    let stated: Vec<(usize, Option<Points>)> = people.iter().map(|person| (person.line, person.stated)).collect();
    for mut person in people {
        // Entrants whose lines are blank at first entered late.
        let blank = person.entries.iter().take_while(|entry| **entry == Entry::Absent).count();
        let has_entered = blank < person.entries.len();
        person.entrant.entered_after = if has_entered { blank.min(paired) as u16 } else { paired as u16 };
        report.history.entrants.push(person.entrant);
        report.cards.push(person.card);
    }
    for acceleration in &records.accelerations {
        let (first, last) = acceleration.entrants;
        let last = usize::from(last.0).min(report.history.entrants.len());
        let start = usize::from(acceleration.first_round) - 1;
        for entrant in report.history.entrants.get_mut(first.index()..last).unwrap_or_default() {
            let end = start + acceleration.points.len();
            if entrant.acceleration.len() < end {
                entrant.acceleration.resize(end, Points::ZERO);
            }
            entrant.acceleration[start..end].copy_from_slice(&acceleration.points);
        }
    }
    if records.is_baku && records.accelerations.is_empty() {
        baku::accelerate(&mut report.history, records.system.win, records.system.draw);
    }
    check_points(&report, &stated)?;
    Ok(report)
}

/// Checks that the points of each entrant are those of its results, with or without virtual points and the
/// bye of the next round.
fn check_points(report: &Report, stated: &[(usize, Option<Points>)]) -> Result<(), TrfError> {
    let history = &report.history;
    let mut sums = vec![Points::ZERO; history.entrants.len()];
    for round in &history.rounds {
        round.everybody().for_each(|(entrant, points)| sums[entrant.index()] += points);
    }
    let next = history.rounds.len();
    for (index, (line, stated)) in stated.iter().enumerate() {
        let Some(stated) = *stated else { continue };
        let computed = sums[index];
        let virtual_points = history.entrants[index].acceleration.get(next).copied().unwrap_or_default();
        // A tournament may end with rounds in which nobody was paired, and whose byes count.
        let asked = report.byes.iter().filter(|bye| bye.entrant.index() == index);
        let worth = |bye: &AskedBye| report.scoring.bye(bye.kind);
        let next_bye: Points = asked.clone().filter(|bye| usize::from(bye.round) == next + 1).map(worth).sum();
        let all_byes: Points = asked.map(worth).sum();
        let sums = [Points::ZERO, next_bye, all_byes].map(|byes| computed + byes);
        let possible = sums.into_iter().flat_map(|sum| [sum, sum + virtual_points]);
        if possible.into_iter().all(|sum| sum != stated) {
            return Err(TrfError { line: *line, column: 81, problem: TrfProblem::Sum { stated, computed } });
        }
    }
    Ok(())
}
