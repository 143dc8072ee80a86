//! Pairs the rounds of a tournament again, to check whether they were paired by the rules.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::trf::Report;
use crate::{ByeKind, Engine, EntrantNumber, History, PairingError, Round, dutch};

/// How a round differs from what the system would pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The round, from 1.
    pub round: usize,
    /// What only the tournament has: the entrants at a table, seat 1 first, or a single one for a bye.
    pub found: Vec<Vec<EntrantNumber>>,
    /// What only the system has, or why it cannot pair the round.
    pub expected: Result<Vec<Vec<EntrantNumber>>, PairingError>,
}

/// Pairs every round of a tournament by a system and returns the rounds that differ.
///
/// The entrants to pair are those who were paired then. Two tables are the same if the same entrants have the
/// same seats. Of round robins, only tables at which somebody sat are compared, because files do not say who was
/// struck out. `progress` gets the number of rounds done and the total, and may stop it.
pub fn differences(
    report: &Report,
    engine: Engine,
    progress: &dyn Fn(usize, usize) -> ControlFlow<()>,
) -> Vec<Difference> {
    let rounds = &report.history.rounds;
    let initial_seat = report.initial_seat.or_else(|| dutch::drawn_seat(&report.history));
    let entrants = engine.entrants(&report.history);
    let mut differences = Vec::new();
    for (index, round) in rounds.iter().enumerate() {
        if progress(index, rounds.len()).is_break() {
            break;
        }
        let found = meetings(round);
        let history = History {
            rounds_planned: report.history.rounds_planned.or(Some(rounds.len() as u16)),
            entrants: entrants.clone(),
            rounds: rounds[..index].to_vec(),
        };
        let options = dutch::Options {
            initial_seat,
            forbidden: report.forbidden_in(index as u16 + 1),
            win: report.scoring.win,
            draw: report.scoring.draw,
            loss: report.scoring.loss,
            ..dutch::Options::new(found.iter().flatten().copied().collect())
        };
        let is_there = |seats: &Vec<EntrantNumber>| seats.iter().any(|seat| found.iter().flatten().any(|s| s == seat));
        let expected = engine.pair(&history, &options).map(|pairing| {
            let tables = pairing.tables.into_iter().map(|table| table.seats);
            if engine == Engine::Berger {
                return tables.filter(is_there).collect();
            }
            tables.chain(pairing.byes.into_iter().map(|bye| vec![bye.entrant])).collect::<BTreeSet<_>>()
        });
        if expected.as_ref() != Ok(&found) {
            let other = expected.as_ref().cloned().unwrap_or_default();
            differences.push(Difference {
                round: index + 1,
                found: found.difference(&other).cloned().collect(),
                expected: expected.map(|expected| expected.difference(&found).cloned().collect()),
            });
        }
    }
    differences
}

/// Who met in a round, and who got the bye.
fn meetings(round: &Round) -> BTreeSet<Vec<EntrantNumber>> {
    let byes = round.byes.iter().filter(|bye| bye.kind == ByeKind::Pairing);
    round.tables.iter().map(|table| table.seats.clone()).chain(byes.map(|bye| vec![bye.entrant])).collect()
}
