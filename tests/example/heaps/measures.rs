//! What is measured of a game of Heaps.

use plybook_rules::{Actor, Measure, Tally};

use super::notation::Action;
use super::position::Table;

pub const MEASURES: &[Measure] = &[
    Measure { name: "rounds", description: "Rounds played to their end." },
    Measure { name: "takes", description: "Times that a seat took stones." },
    Measure { name: "clashes", description: "Seats that reached for a heap together with another." },
    Measure { name: "stones", description: "Stones taken by all seats." },
    Measure { name: "stonesWinner", description: "Stones taken by the winner; none without a winner." },
    Measure { name: "scoreWinner", description: "The winner's score; none without a winner." },
    Measure { name: "largestTake", description: "The most stones taken at once." },
    Measure { name: "heapsEmpty", description: "Heaps without stones at the end." },
];

pub const HEAT: &[Measure] = &[
    Measure { name: "visits", description: "Seats that reached for the heap." },
    Measure { name: "stones", description: "Stones taken from the heap." },
];

pub const LUCK: &[Measure] =
    &[Measure { name: "rolls", description: "What the die showed to seats that reached alone." }];

// Where each stands in its list.
const ROUNDS: usize = 0;
const TAKES: usize = 1;
const CLASHES: usize = 2;
const STONES: usize = 3;
const STONES_WINNER: usize = 4;
const SCORE_WINNER: usize = 5;
const LARGEST_TAKE: usize = 6;
const HEAPS_EMPTY: usize = 7;
const HEAT_VISITS: usize = 0;
const HEAT_STONES: usize = 1;
const ROLLS: usize = 0;

/// What the die shows on average, in millionths.
const EXPECTED: i64 = 3_500_000;

pub fn count(before: &Table, actor: Actor, action: Action, after: &Table, tally: &mut Tally) {
    tally.add(ROUNDS, i64::from(after.round - before.round));
    match (action, actor) {
        (Action::Reach(heap), Actor::Seat(seat)) => {
            tally.mark(HEAT_VISITS, heap);
            let mut reached = before.clone();
            reached.reached[usize::from(seat) - 1] = Some(heap);
            if !reached.reached.contains(&None) {
                tally.add(CLASHES, (reached.reached.len() - reached.alone().count()) as i64);
            }
        }
        (Action::Roll(shown), _) => {
            for (seat, heap) in before.alone() {
                let stones = after.taken[seat][heap] - before.taken[seat][heap];
                tally.add(TAKES, 1);
                tally.add(STONES, i64::from(stones));
                tally.raise(LARGEST_TAKE, i64::from(stones));
                tally.chance(ROLLS, seat as u8 + 1, EXPECTED, i64::from(shown));
                (0..stones).for_each(|_| tally.mark(HEAT_STONES, heap));
            }
        }
        _ => {}
    }
}

pub fn standing(table: &Table, winners: &[u8], tally: &mut Tally) {
    let winner = if let [seat] = winners { Some(usize::from(*seat) - 1) } else { None };
    tally.set(STONES_WINNER, winner.map(|seat| i64::from(table.stones(seat))));
    tally.set(SCORE_WINNER, winner.map(|seat| i64::from(table.score(seat))));
    let heaps = 0..table.setup.heaps.len();
    tally.set(HEAPS_EMPTY, Some(heaps.filter(|heap| table.left(*heap) == 0).count() as i64));
}
