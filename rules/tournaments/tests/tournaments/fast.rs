//! Fast Swiss: what must hold in any tournament.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use plybook_tournaments::random::{Settings, tournament};
use plybook_tournaments::{ByeKind, TableResult};

#[test]
fn nobody_meets_twice_has_two_byes_or_one_seat_three_times_running() {
    let sizes = [(4, 3), (7, 5), (12, 9), (33, 9), (150, 9), (2_001, 5)];
    for (seed, (players, rounds)) in sizes.into_iter().enumerate() {
        let settings = Settings { players, rounds, seed: seed as u64, is_accelerated: false, is_fast: true };
        let report = tournament(&settings, &|_, _| ControlFlow::Continue(())).unwrap();
        assert!(report.history.rounds.len() + 3 >= usize::from(rounds), "{players} players");
        let (mut met, mut byes) = (BTreeSet::new(), BTreeSet::new());
        let mut seats = vec![String::new(); report.history.entrants.len()];
        for round in &report.history.rounds {
            for table in round.tables.iter().filter(|table| matches!(table.result, Some(TableResult::Played(_)))) {
                let pair: BTreeSet<_> = table.seats.iter().copied().collect();
                assert!(met.insert(pair), "{players} players: {:?} again", table.seats);
                for (entrant, seat) in table.seats.iter().zip(["1", "2"]) {
                    seats[entrant.index()] += seat;
                }
            }
            for bye in round.byes.iter().filter(|bye| bye.kind == ByeKind::Pairing) {
                assert!(byes.insert(bye.entrant), "{players} players: {:?} again", bye.entrant);
            }
            report.history.check().unwrap();
        }
        assert!(seats.iter().all(|seats| !seats.contains("111") && !seats.contains("222")), "{players} players");
    }
}
