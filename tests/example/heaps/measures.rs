//! The measures of Heaps.

use plybook_rules::{Actor, Chance, Heat, Label, Luck, Marks, Measure, Spread};

use super::notation::Action;
use super::position::Board;

/// The counts of a game.
#[derive(Default)]
pub struct Counts {
    rounds: i64,
    takes: i64,
    clashes: i64,
    stones: i64,
    largest_take: i64,
    visits_at: Marks<5>,
    stones_at: Marks<5>,
    /// By seat.
    rolls: [Luck; 4],
}

pub const MEASURES: &[Measure<Board>] = &[
    Measure::always("rounds", "Rounds played to their end.", |game| game.counts.rounds),
    Measure::always("takes", "How often a seat took stones.", |game| game.counts.takes),
    Measure::always("clashes", "Seats that reached for a heap together with another.", |game| game.counts.clashes),
    Measure::always("stones", "Stones taken by all seats.", |game| game.counts.stones),
    Measure::of_winner(
        "stonesWinner",
        "Stones taken by the winner, or by the team that won; none without a winner.",
        |game, winner| i64::from(game.position.stones(winner)),
    ),
    Measure::of_winner(
        "scoreWinner",
        "The score of the winner, or of the team that won; none without a winner.",
        |game, winner| i64::from(game.position.score(winner)),
    ),
    Measure::always("largestTake", "The most stones taken at once.", |game| game.counts.largest_take),
    Measure::always("heapsEmpty", "Heaps without stones at the end.", |game| {
        let heaps = 0..game.position.setup.heaps.len();
        heaps.filter(|heap| game.position.left(*heap) == 0).count() as i64
    }),
];

pub const HEAT: &[Heat<Counts>] = &[
    Heat::new("visits", "Seats that reached for the heap.", |counts| &counts.visits_at),
    Heat::new("stones", "Stones taken from the heap.", |counts| &counts.stones_at),
];

pub const LUCK: &[Chance<Counts>] = &[Chance {
    label: Label { name: "rolls", description: "What the die showed to seats that reached alone." },
    // Up to four seats share a roll.
    spread: Spread { most: 6, variance: 4 * 2_916_667 },
    seats: |counts| &counts.rolls,
}];

/// The mean of the die, in millionths.
const EXPECTED: i64 = 3_500_000;

pub fn count(before: &Board, actor: Actor, action: Action, after: &Board, counts: &mut Counts) {
    counts.rounds += i64::from(after.round - before.round);
    match (action, actor) {
        (Action::Reach(heap), Actor::Seat(seat)) => {
            counts.visits_at.add(heap);
            let mut reached = before.clone();
            reached.reached[usize::from(seat) - 1] = Some(heap);
            if !reached.reached.contains(&None) {
                counts.clashes += (reached.reached.len() - reached.alone().count()) as i64;
            }
        }
        (Action::Roll(shown), _) => {
            for (seat, heap) in before.alone() {
                let stones = after.taken[seat][heap] - before.taken[seat][heap];
                counts.takes += 1;
                counts.stones += i64::from(stones);
                counts.largest_take = counts.largest_take.max(i64::from(stones));
                counts.rolls[seat].add(EXPECTED, i64::from(shown));
                (0..stones).for_each(|_| counts.stones_at.add(heap));
            }
        }
        _ => {}
    }
}
