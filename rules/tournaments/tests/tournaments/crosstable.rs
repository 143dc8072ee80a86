//! The crosstable agrees with the history.

use plybook_tournaments::crosstable::Crosstable;
use plybook_tournaments::{Format, Pods, RoundRobin};

use crate::common::numbers::Numbers;
use crate::common::played::{Played, Trouble};
use crate::common::tournaments;

fn played(seed: u64) -> Played {
    let mut numbers = Numbers(seed);
    let format = if seed.is_multiple_of(2) {
        Format::RoundRobin(RoundRobin { cycles: 2 })
    } else {
        Format::Pods(Pods { rounds: 5, size: 4, smallest: None, largest: None, step: None })
    };
    let entrants = numbers.from(6, 15);
    let mut played = Played::new(format, 2..=4, entrants, numbers);
    let trouble = Trouble { absence: 4, withdrawal: 3, late_entry: 5 };
    while played.numbers.percent(95) && played.play(trouble).is_ok() {}
    played
}

#[test]
fn a_crosstable_is_the_same_from_both_sides() {
    for seed in 0..tournaments() {
        let played = played(seed);
        let standings = played.format.standings(&played.history, &played.rules, usize::MAX).unwrap();
        let table = Crosstable::new(&played.history, &played.rules, &standings);
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
