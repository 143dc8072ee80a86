//! Where everybody plays in a round.

use crate::{ByeKind, EntrantNumber, History};

/// Where an entrant plays in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The entrant.
    pub entrant: EntrantNumber,
    /// The table and the seat, from 1; `None` for an entrant with a bye.
    pub seat: Option<(u16, u8)>,
    /// The others at the table, in the order of their seats.
    pub others: Vec<EntrantNumber>,
    /// The bye, for an entrant with one.
    pub bye: Option<ByeKind>,
}

/// Where everybody plays in a round, from 1, sorted by name and then by number; empty if there is no such
/// round.
///
/// Names are compared regardless of case.
pub fn by_name(history: &History, round: usize) -> Vec<Assignment> {
    let Some(of) = round.checked_sub(1).and_then(|index| history.rounds.get(index)) else { return Vec::new() };
    let mut list = Vec::new();
    for (number, table) in (1..).zip(&of.tables) {
        for (seat, entrant) in (1..).zip(&table.seats) {
            let others = table.seats.iter().copied().filter(|other| other != entrant).collect();
            list.push(Assignment { entrant: *entrant, seat: Some((number, seat)), others, bye: None });
        }
    }
    for bye in &of.byes {
        list.push(Assignment { entrant: bye.entrant, seat: None, others: Vec::new(), bye: Some(bye.kind) });
    }
    let name = |entrant: EntrantNumber| history.entrants[entrant.index()].name.to_lowercase();
    list.sort_by_cached_key(|assignment| (name(assignment.entrant), assignment.entrant));
    list
}
