//! The printed lists: they agree with the history and the standings.

use plybook_tournaments::lists::{Crosstable, by_name, progress};
use plybook_tournaments::{Format, Pods, Points, RoundKind, RoundRobin};

use crate::common::numbers::Numbers;
use crate::common::played::{Played, Trouble};
use crate::common::tournaments;

fn played(seed: u64) -> Played {
    let mut numbers = Numbers(seed);
    let format = if seed.is_multiple_of(2) {
        Format::RoundRobin(RoundRobin { cycles: 2 })
    } else {
        Format::Pods(Pods { rounds: 5, size: 4, smallest: None, largest: None })
    };
    let entrants = numbers.from(6, 15);
    let mut played = Played::new(format, 2..=4, entrants, numbers);
    let trouble = Trouble { absence: 4, withdrawal: 3, late_entry: 5 };
    while played.numbers.percent(95) && played.play(trouble).is_ok() {}
    played
}

#[test]
fn progress_ends_with_the_points() {
    for seed in 0..tournaments() {
        let played = played(seed);
        let after = played.history.rounds.len();
        let standings = played.format.standings(&played.history, &played.rules, after).unwrap();
        let table = progress(&played.history, &played.rules, &standings).unwrap();
        assert_eq!(table.len(), standings.rows.len());
        for (row, standing) in table.iter().zip(&standings.rows) {
            assert_eq!((row.entrant, row.place, row.points), (standing.entrant, standing.place, standing.points));
            assert_eq!(row.rounds.len(), after);
            assert_eq!(row.rounds.last().map_or(Points::ZERO, |round| round.score), row.points);
            for (round, cell) in played.history.rounds.iter().zip(&row.rounds) {
                assert_eq!(cell.table.is_some(), cell.seat.is_some());
                let Some(number) = cell.table else { continue };
                let table = &round.tables[usize::from(number) - 1];
                assert_eq!(table.seats[usize::from(cell.seat.unwrap()) - 1], row.entrant);
                assert_eq!(cell.others.len() + 1, table.seats.len());
                assert!(!cell.others.contains(&row.entrant));
                assert!(!matches!(cell.kind, RoundKind::Bye | RoundKind::Requested));
            }
        }
    }
}

#[test]
fn a_crosstable_is_the_same_from_both_sides() {
    for seed in 0..tournaments() {
        let played = played(seed);
        let standings = played.format.standings(&played.history, &played.rules, usize::MAX).unwrap();
        let table = Crosstable::new(&played.history, &standings);
        let games: usize = table.cells.iter().flatten().map(Vec::len).sum();
        let seats = played.history.rounds.iter().flat_map(|round| &round.tables).map(|table| table.seats.len());
        assert_eq!(games, seats.map(|seats| seats * (seats - 1)).sum::<usize>());
        for (row, cells) in table.cells.iter().enumerate() {
            assert!(cells[row].is_empty());
            for (column, of_row) in cells.iter().enumerate() {
                let mirrored = &table.cells[column][row];
                assert_eq!(of_row.len(), mirrored.len());
                for (one, other) in of_row.iter().zip(mirrored) {
                    assert_eq!((one.round, one.is_forfeit), (other.round, other.is_forfeit));
                    assert_ne!(one.seat, other.seat);
                }
            }
        }
    }
}

#[test]
fn everybody_finds_the_own_name() {
    let mut played = played(1);
    for (entrant, name) in played.history.entrants.iter_mut().zip(["zoe", "Ada", "ada", "Émile"]) {
        name.clone_into(&mut entrant.name);
    }
    let list = by_name(&played.history, 1);
    assert_eq!(list.len(), played.history.rounds[0].everybody().count());
    let names: Vec<&str> = list.iter().map(|at| played.history.entrants[at.entrant.index()].name.as_str()).collect();
    assert_eq!(names[..2], ["Ada", "ada"]);
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert!(lower.is_sorted());
    assert!(by_name(&played.history, 0).is_empty());
    assert!(by_name(&played.history, 99).is_empty());
}
