//! Tournaments written as crosstables: `1 Alyx 2200 +W9 =B13 +BYE =BYE -- -F4`.
//!
//! A result (`+`, `=` or `-`), then `W` or `B` for the first or second seat, `F` for a forfeit, and the
//! number of the opponent; `BYE` with `+` is a pairing's bye, with `=` a half-point one; `--` is absence.

use std::collections::BTreeMap;

use plybook_tournaments::{Bye, ByeKind, Entrant, EntrantNumber, History, Points, Round, Table, TableResult};

/// The history of these lines.
pub fn history<'a>(lines: impl Iterator<Item = &'a str>) -> History {
    let mut history = History::default();
    let mut tables: BTreeMap<(usize, u16, u16), Table> = BTreeMap::new();
    let mut byes: Vec<Vec<Bye>> = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let number: u16 = words.next().unwrap().parse().unwrap();
        let name = words.next().unwrap().to_owned();
        let rating = words.next().unwrap().parse().ok();
        history.entrants.push(Entrant { name, rating, ..Entrant::default() });
        assert_eq!(history.entrants.len(), usize::from(number), "entrants are listed by number");
        for (round, word) in words.enumerate() {
            byes.resize(byes.len().max(round + 1), Vec::new());
            let entrant = EntrantNumber(number);
            let points = match &word[..1] {
                "+" => Points::ONE,
                "=" => Points::HALF,
                _ => Points::ZERO,
            };
            match &word[1..] {
                "-" => {}
                "BYE" => {
                    let kind = if points == Points::ONE { ByeKind::Pairing } else { ByeKind::Half };
                    byes[round].push(Bye { entrant, kind, points });
                }
                game => seat(&mut tables, round, entrant, game, points),
            }
        }
    }
    history.rounds = byes.into_iter().map(|byes| Round { tables: Vec::new(), byes }).collect();
    for ((round, ..), table) in tables {
        history.rounds[round].tables.push(table);
    }
    history
}

/// Puts an entrant at the table with its opponent; whichever is read second completes the result.
fn seat(
    tables: &mut BTreeMap<(usize, u16, u16), Table>,
    round: usize,
    entrant: EntrantNumber,
    game: &str,
    points: Points,
) {
    let opponent: u16 = game[1..].parse().unwrap();
    let (low, high) = (entrant.0.min(opponent), entrant.0.max(opponent));
    let is_first = match &game[..1] {
        "W" => true,
        "B" => false,
        _ => entrant.0 == low,
    };
    let table = tables.entry((round, low, high)).or_insert_with(|| {
        let other = EntrantNumber(opponent);
        let seats = if is_first { vec![entrant, other] } else { vec![other, entrant] };
        let points = vec![Points::ZERO; 2];
        let result = if &game[..1] == "F" { TableResult::Forfeit(points) } else { TableResult::Played(points) };
        Table { seats, result: Some(result) }
    });
    let seat = table.seats.iter().position(|seated| *seated == entrant).unwrap();
    assert_eq!(seat == 0, is_first, "round {}: {} and {opponent} differ about seats", round + 1, entrant.0);
    let (TableResult::Played(both) | TableResult::Forfeit(both)) = table.result.as_mut().unwrap();
    both[seat] = points;
}
