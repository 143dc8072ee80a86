//! A tournament as a report file.

use crate::log::Tournament;
use crate::trf::{Card, PointSystem, Report, TrfProblem, Version};
use crate::{ByeKind, Points, Scoring};

/// A report of a tournament with two seats per table in its current state: TRF16 or TRF26.
///
/// # Errors
/// The report file has no place for something: more than two seats, or points that no result gives.
pub fn report(tournament: &Tournament, version: Version) -> Result<String, TrfProblem> {
    let ranks = tournament.ranks();
    let history = tournament.history(&ranks);
    let mut cards = vec![Card::default(); ranks.len()];
    if let Ok(standings) = tournament.standings(tournament.last_played()) {
        for row in standings.rows {
            cards[row.entrant.index()].rank = row.place;
        }
    }
    let report = Report {
        texts: texts(tournament),
        cards,
        history,
        scoring: point_system(tournament)?,
        initial_seat: Some(1),
        ..Report::default()
    };
    report.write(version)
}

fn texts(tournament: &Tournament) -> Vec<(String, String)> {
    let settings = &tournament.settings;
    // A day in the form used by report files.
    let day = |at: plybook_events::Timestamp| at.to_string()[..10].replace('-', "/");
    let texts = [
        ("012", Some(settings.name.clone())),
        ("022", settings.place.clone()),
        ("042", settings.starts_at.map(day)),
        ("052", settings.ends_at.map(day)),
        ("062", Some(tournament.entrants().count().to_string())),
        ("122", settings.time_control.clone()),
    ];
    texts.into_iter().filter_map(|(tag, text)| Some((tag.to_owned(), text?))).collect()
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
