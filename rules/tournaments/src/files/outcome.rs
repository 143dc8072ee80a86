//! The outcome of a table in a few characters.

use crate::log::{ResultSource, Table, TableResult, Tournament};

/// The outcome of a table as it is printed: `1–0`, `½–½`, `0–1`, `+ –` by forfeit, and with more than two
/// seats the seats by place, such as `3 > 1 = 4 > 2`. Empty while there is none.
pub fn outcome(table: &Table) -> String {
    let Some(result) = &table.result else { return String::new() };
    if table.seats.len() != 2 {
        return places(result);
    }
    let is_forfeit = result.source == ResultSource::Forfeit;
    let has_won = |seat: u8| result.ranking.len() == 2 && result.ranking[0] == [seat] || is_alone(result, seat);
    match (is_forfeit, has_won(1), has_won(2)) {
        (false, true, _) => "1–0",
        (false, _, true) => "0–1",
        (false, false, false) => "½–½",
        (true, true, _) => "+ –",
        (true, _, true) => "– +",
        (true, false, false) => "– –",
    }
    .to_owned()
}

/// Whether this seat is the only one that did not forfeit.
fn is_alone(result: &TableResult, seat: u8) -> bool {
    result.ranking.len() == 1 && result.ranking[0] == [seat]
}

fn places(result: &TableResult) -> String {
    let group = |group: &Vec<u8>| group.iter().map(u8::to_string).collect::<Vec<_>>().join(" = ");
    result.ranking.iter().map(group).collect::<Vec<_>>().join(" > ")
}

/// Who sits at a table, with the outcome: `Ada 1–0 Bert`; with more than two seats `Ada, Bert, Cleo: 3 > 1 >
/// 2`.
pub(super) fn line(tournament: &Tournament, table: &Table) -> String {
    let names: Vec<&str> = table.seats.iter().map(|entrant| name(tournament, *entrant)).collect();
    let outcome = outcome(table);
    match names[..] {
        [one, other] if outcome.is_empty() => format!("{one} – {other}"),
        [one, other] => format!("{one} {outcome} {other}"),
        _ if outcome.is_empty() => names.join(", "),
        _ => format!("{}: {outcome}", names.join(", ")),
    }
}

/// The name of an entrant, by its number in the log.
pub(super) fn name(tournament: &Tournament, entrant: u16) -> &str {
    &tournament.entrants[usize::from(entrant) - 1].details.name
}
