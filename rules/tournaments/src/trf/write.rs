//! Writing a file.

use std::fmt::Write;

use super::games::Code;
use super::{AskedBye, NUMBER_MAX, PointSystem, ROUNDS_MAX, Report, TrfProblem};
use crate::{ByeKind, EntrantNumber, Points, Table, TableResult};

/// The version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// TRF16 with the records that `JaVaFo` and `bbpPairings` added: XXR, XXC, XXA, XXP, BBW to BBU. Who misses the next
    /// round is told in its column, which all programs read, and not by XXZ.
    Trf16,
    /// TRF26.
    Trf26,
}

/// Writes a report.
pub(super) fn report(report: &Report, version: Version) -> Result<String, TrfProblem> {
    let entrants = report.history.entrants.len();
    if entrants > usize::from(NUMBER_MAX) || report.history.rounds.len() >= usize::from(ROUNDS_MAX) {
        return Err(TrfProblem::NoPlace(format!("more than {NUMBER_MAX} entrants, or {ROUNDS_MAX} rounds or more")));
    }
    let mut out = String::new();
    for (tag, text) in &report.texts {
        line(&mut out, &format!("{tag} {text}"));
    }
    let is_new = version == Version::Trf26;
    if let Some(rounds) = report.history.rounds_planned {
        line(&mut out, &format!("{} {rounds}", if is_new { "142" } else { "XXR" }));
    }
    match (report.initial_seat, is_new) {
        (None, _) => {}
        (Some(seat), true) => line(&mut out, if seat == 1 { "152 W" } else { "152 B" }),
        (Some(seat), false) => line(&mut out, if seat == 1 { "XXC white1" } else { "XXC black1" }),
    }
    point_system(&mut out, &report.scoring, version)?;
    let mut cells = cells(report)?;
    if version == Version::Trf16 {
        for bye in report.byes.iter().filter(|bye| bye.round == next_round(report)) {
            let own = cells.get_mut(bye.entrant.index()).ok_or(TrfProblem::Unknown(bye.entrant))?;
            own.push_str(&column(&format!("0000 - {}", bye_code(bye.kind))));
        }
    }
    for (index, cells) in cells.into_iter().enumerate() {
        line(&mut out, &player(report, index, &cells)?);
    }
    accelerations(&mut out, report, version)?;
    for group in &report.forbidden {
        forbidden(&mut out, group, version);
    }
    if version == Version::Trf26 {
        byes(&mut out, &report.byes)?;
    } else {
        // Those of the next round are in its column.
        let next = next_round(report);
        let later: Vec<AskedBye> = report.byes.iter().copied().filter(|bye| bye.round != next).collect();
        byes(&mut out, &later)?;
    }
    Ok(out)
}

fn line(out: &mut String, text: &str) {
    out.extend(text.trim_end().chars().map(|char| if char.is_control() { ' ' } else { char }));
    out.push_str("\r\n");
}

/// Points with one decimal, in four columns.
fn four(points: Points) -> Result<String, TrfProblem> {
    let text = points.to_string();
    if text.len() <= 4 { Ok(text) } else { Err(TrfProblem::NoPlace(format!("{points} points"))) }
}

fn point_system(out: &mut String, system: &PointSystem, version: Version) -> Result<(), TrfProblem> {
    let defaults = PointSystem { pairing_bye: system.win, ..PointSystem::default() };
    let differing = |pairs: &[(&'static str, Points, Points)]| -> Vec<(&'static str, Points)> {
        let differing = pairs.iter().filter(|(_, points, default)| points != default);
        differing.map(|(code, points, _)| (*code, *points)).collect()
    };
    let common =
        [("W", system.win, defaults.win), ("D", system.draw, defaults.draw), ("L", system.loss, defaults.loss)];
    if version == Version::Trf16 {
        let rest = [
            ("Z", system.absent, defaults.absent),
            ("F", system.forfeit, defaults.forfeit),
            ("U", system.pairing_bye, defaults.pairing_bye),
        ];
        for (code, points) in differing(&[common, rest].concat()) {
            line(out, &format!("BB{code} {:>4}", four(points)?));
        }
        return Ok(());
    }
    if system.absent != system.forfeit {
        return Err(TrfProblem::NoPlace("points for a forfeit other than those for being absent".to_owned()));
    }
    let rest = [("A", system.absent, defaults.absent), ("P", system.pairing_bye, defaults.pairing_bye)];
    let differing = differing(&[common.as_slice(), rest.as_slice()].concat());
    if !differing.is_empty() {
        let mut text = String::from("162 ");
        for (code, points) in differing {
            let _ = write!(text, " {code}{:>4}   ", four(points)?);
        }
        line(out, &text);
    }
    Ok(())
}

/// The entries of each entrant, ten columns each; index 0 is number 1.
fn cells(report: &Report) -> Result<Vec<String>, TrfProblem> {
    let rounds = report.history.rounds.len();
    let mut cells = vec![vec![String::new(); rounds]; report.history.entrants.len()];
    for (index, round) in report.history.rounds.iter().enumerate() {
        for bye in &round.byes {
            if bye.points != report.scoring.bye(bye.kind) {
                return Err(TrfProblem::NoPlace(format!("a bye that gives {} points", bye.points)));
            }
            *cell(&mut cells, bye.entrant, index)? = format!("0000 - {}", bye_code(bye.kind));
        }
        for table in &round.tables {
            let &[first, second] = table.seats.as_slice() else {
                return Err(TrfProblem::NoPlace(format!("a table of {} seats", table.seats.len())));
            };
            let codes = codes(report, index, table)?;
            *cell(&mut cells, first, index)? = format!("{:>4} w {}", second.0, codes[0].char());
            *cell(&mut cells, second, index)? = format!("{:>4} b {}", first.0, codes[1].char());
        }
        // A round without a game is known by an entry for everybody.
        if round.tables.is_empty() {
            for own in cells.iter_mut().filter(|own| own[index].is_empty()) {
                own[index] = format!("0000 - {}", bye_code(ByeKind::Zero));
            }
        }
    }
    Ok(cells.into_iter().map(|own| own.iter().map(|cell| column(cell)).collect()).collect())
}

/// The entry of an entrant in a round, from 0.
fn cell(cells: &mut [Vec<String>], entrant: EntrantNumber, round: usize) -> Result<&mut String, TrfProblem> {
    cells.get_mut(entrant.index()).map(|own| &mut own[round]).ok_or(TrfProblem::Unknown(entrant))
}

/// An entry in its ten columns.
fn column(entry: &str) -> String {
    format!("  {entry:<8}")
}

fn bye_code(kind: ByeKind) -> char {
    match kind {
        ByeKind::Pairing => 'U',
        ByeKind::Half => 'H',
        ByeKind::Full => 'F',
        ByeKind::Zero => 'Z',
    }
}

/// The round after those of the history, from 1.
fn next_round(report: &Report) -> u16 {
    report.history.rounds.len() as u16 + 1
}

/// The results of a table for both seats.
fn codes(report: &Report, round: usize, table: &Table) -> Result<[Code; 2], TrfProblem> {
    let system = &report.scoring;
    let is_unrated = report.unrated.contains(&(round as u16 + 1, table.seats[0]));
    let code = |points: Points, is_played: bool| {
        let known = match (is_played, is_unrated) {
            (true, false) => [(Code::Win, system.win), (Code::Draw, system.draw), (Code::Loss, system.loss)],
            (true, true) => {
                [(Code::UnratedWin, system.win), (Code::UnratedDraw, system.draw), (Code::UnratedLoss, system.loss)]
            }
            (false, _) => {
                let loss = (Code::ForfeitLoss, system.forfeit);
                [(Code::ForfeitWin, system.win), loss, loss]
            }
        };
        let found = known.into_iter().find(|(_, worth)| *worth == points).map(|(code, _)| code);
        found.ok_or_else(|| TrfProblem::NoPlace(format!("a game that gives {points} points, as 162 has it")))
    };
    match &table.result {
        None => Ok([Code::Unknown; 2]),
        Some(result) => {
            let is_played = matches!(result, TableResult::Played(_));
            let &[first, second] = result.points() else {
                return Err(TrfProblem::NoPlace("a result that is not of two seats".to_owned()));
            };
            Ok([code(first, is_played)?, code(second, is_played)?])
        }
    }
}

fn player(report: &Report, index: usize, cells: &str) -> Result<String, TrfProblem> {
    let number = EntrantNumber::from_index(index);
    let entrant = &report.history.entrants[index];
    let card = report.cards.get(index).cloned().unwrap_or_default();
    let everybody = report.history.rounds.iter().flat_map(crate::Round::everybody);
    let points: Points = everybody.filter(|(other, _)| *other == number).map(|(_, points)| points).sum();
    let rating = entrant.rating.map(|rating| rating.min(9_999).to_string()).unwrap_or_default();
    let rank = card.rank.map(|rank| rank.to_string()).unwrap_or_default();
    Ok(format!(
        "001 {:>4} {:1}{:>3} {:<33} {rating:>4} {:3} {:>11} {:10} {:>4} {rank:>4}{cells}",
        number.0,
        cut(&card.sex, 1),
        cut(&card.title, 3),
        cut(&entrant.name, 33),
        cut(&card.federation, 3),
        cut(&card.fide_number, 11),
        cut(&card.birth, 10),
        four(points)?,
    ))
}

/// The first characters of a text, on one line.
fn cut(text: &str, most: usize) -> String {
    let text: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    text.trim().chars().take(most).collect()
}

fn accelerations(out: &mut String, report: &Report, version: Version) -> Result<(), TrfProblem> {
    for (index, entrant) in report.history.entrants.iter().enumerate() {
        let number = index + 1;
        if entrant.acceleration.iter().all(|points| *points == Points::ZERO) {
            continue;
        }
        if version == Version::Trf16 {
            let points = entrant.acceleration.iter().map(|points| four(*points)).collect::<Result<Vec<_>, _>>()?;
            let points = points.iter().fold(String::new(), |all, points| all + &format!(" {points:>4}"));
            line(out, &format!("XXA {number:>4}{points}"));
            continue;
        }
        let mut first = 1;
        for run in entrant.acceleration.chunk_by(PartialEq::eq) {
            let last = first + run.len() - 1;
            if run[0] != Points::ZERO {
                let points = four(run[0])?;
                line(out, &format!("250      {points:>4} {first:>3} {last:>3} {number:>4} {number:>4}"));
            }
            first = last + 1;
        }
    }
    Ok(())
}

fn forbidden(out: &mut String, group: &super::Forbidden, version: Version) {
    let numbers =
        |width| group.entrants.iter().fold(String::new(), |all, number| all + &format!(" {:>width$}", number.0));
    match (version, group.rounds) {
        (Version::Trf16, None) => line(out, &format!("XXP{}", numbers(1))),
        (_, rounds) => {
            let (first, last) = rounds.unwrap_or((1, ROUNDS_MAX));
            line(out, &format!("260 {first:>3} {last:>3}{}", numbers(4)));
        }
    }
}

fn byes(out: &mut String, byes: &[AskedBye]) -> Result<(), TrfProblem> {
    for bye in byes {
        if bye.kind == ByeKind::Pairing {
            return Err(TrfProblem::NoPlace("an allocated bye asked for".to_owned()));
        }
        line(out, &format!("240 {} {:>3} {:>4}", bye_code(bye.kind), bye.round, bye.entrant.0));
    }
    Ok(())
}
