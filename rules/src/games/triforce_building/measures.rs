//! What is measured of a game of Triforce Building: round by round, when all have submitted.

use super::board::Board;
use super::lattice::{CELLS_MAX, SIDE_MAX};
use super::notation::Submission;
use super::round;
use super::setup::SEATS;
use crate::tally::{index, names};
use crate::{Measure, Tally};

pub(super) const MEASURES: &[Measure] = &[
    Measure { name: "rounds", description: "Rounds resolved." },
    Measure { name: "steps", description: "Steps walked, by all seats." },
    Measure { name: "stays", description: "Submissions without a step." },
    Measure { name: "garnetsSpent", description: "Garnets spent for priority." },
    Measure { name: "garnetsSpentWinners", description: "Garnets that the winners spent; none without winners." },
    Measure { name: "garnetsWon", description: "Garnets gained by leaving in a triforce." },
    Measure { name: "garnetsEnd", description: "Garnets that all seats have at the end." },
    Measure {
        name: "firstPowered",
        description: "The first round in which a seat was powered; none where nobody was.",
    },
    Measure {
        name: "firstWinnerPowered",
        description: "The first round in which one of the winners was powered; none where none of them was.",
    },
    Measure {
        name: "winnersPowered",
        description: "The round by which half of the winners or more were powered; none where fewer were.",
    },
    Measure { name: "poweredSeats", description: "Seats that were powered in the game." },
    Measure {
        name: "poweredRounds",
        description: "Rounds that seats on the board were powered, the one in which they became so included, added up.",
    },
    Measure { name: "triforces", description: "Triforces made." },
    Measure { name: "firstTriforce", description: "The round of the first triforce; none without one." },
    Measure { name: "seatsRemoved", description: "Seats that left the board in triforces." },
    Measure {
        name: "priorityAtRemoval",
        description: "The mean priority of seats as they left in triforces, in percent of the highest; none without.",
    },
    Measure { name: "freshRemovals", description: "Seats that left in the round in which they became powered." },
    Measure { name: "crowdMost", description: "The most seats on one cell after the moves of a round." },
];

pub(super) const HEAT: &[Measure] = &[
    Measure { name: "visits", description: "Seats that stood on the cell after the moves of a round." },
    Measure { name: "powered", description: "Seats that became powered on the cell." },
    Measure { name: "removals", description: "Seats that left the board from the cell, in a triforce." },
];

/// Those of the largest board, in the order of their numbers.
pub(super) const CELLS: [&str; CELLS_MAX] = names(&NAMES);

const NAMES: [[u8; 5]; CELLS_MAX] = {
    let mut names = [[0; 5]; CELLS_MAX];
    let (mut cell, mut row) = (0, 1);
    while row <= SIDE_MAX {
        let mut number = 1;
        while number < 2 * row {
            let mut length = write(&mut names[cell], 0, row);
            names[cell][length] = b'.';
            length += 1;
            write(&mut names[cell], length, number);
            cell += 1;
            number += 1;
        }
        row += 1;
    }
    names
};

/// Writes a number below 100 and gives where it ends.
const fn write(name: &mut [u8; 5], mut at: usize, number: u8) -> usize {
    if number >= 10 {
        name[at] = b'0' + number / 10;
        at += 1;
    }
    name[at] = b'0' + number % 10;
    at + 1
}

const ROUNDS: usize = index(MEASURES, "rounds");
const STEPS: usize = index(MEASURES, "steps");
const STAYS: usize = index(MEASURES, "stays");
const GARNETS_SPENT: usize = index(MEASURES, "garnetsSpent");
const GARNETS_SPENT_WINNERS: usize = index(MEASURES, "garnetsSpentWinners");
const GARNETS_WON: usize = index(MEASURES, "garnetsWon");
const GARNETS_END: usize = index(MEASURES, "garnetsEnd");
const FIRST_POWERED: usize = index(MEASURES, "firstPowered");
const FIRST_WINNER_POWERED: usize = index(MEASURES, "firstWinnerPowered");
const WINNERS_POWERED: usize = index(MEASURES, "winnersPowered");
const POWERED_SEATS: usize = index(MEASURES, "poweredSeats");
const POWERED_ROUNDS: usize = index(MEASURES, "poweredRounds");
const TRIFORCES: usize = index(MEASURES, "triforces");
const FIRST_TRIFORCE: usize = index(MEASURES, "firstTriforce");
const SEATS_REMOVED: usize = index(MEASURES, "seatsRemoved");
const PRIORITY_AT_REMOVAL: usize = index(MEASURES, "priorityAtRemoval");
const FRESH_REMOVALS: usize = index(MEASURES, "freshRemovals");
const CROWD_MOST: usize = index(MEASURES, "crowdMost");

const HEAT_VISITS: usize = index(HEAT, "visits");
const HEAT_POWERED: usize = index(HEAT, "powered");
const HEAT_REMOVALS: usize = index(HEAT, "removals");

/// Kept in mind by seat: the round in which it became powered.
const POWERED_IN: usize = 0;
/// Kept in mind by seat: the garnets it has spent.
const SPENT_BY: usize = SEATS;
/// Kept in mind: the priorities of all that left, added up.
const PRIORITIES: usize = 2 * SEATS;

/// Counts a round that these submissions have resolved.
pub(super) fn count(before: &Board, submitted: &[Option<Submission>; SEATS], after: &Board, tally: &mut Tally) {
    tally.add(ROUNDS, 1);
    let mut crowd = [0; CELLS_MAX];
    for (index, from) in before.on_board() {
        let submission = submitted[index].expect("a round is resolved when all have submitted");
        let steps = submission.steps().count();
        tally.add(STEPS, steps as i64);
        tally.add(STAYS, i64::from(steps == 0));
        if submission.spends {
            tally.add(GARNETS_SPENT, 1);
            *tally.note_mut(SPENT_BY + index) += 1;
        }
        let cell = before.end(from, submission).expect("it was judged").index();
        tally.mark(HEAT_VISITS, cell);
        crowd[cell] += 1;
        tally.raise(CROWD_MOST, crowd[cell]);
        tally.add(POWERED_ROUNDS, i64::from(after.powered.contains(index)));
        let is_fresh = after.powered.contains(index) && !before.powered.contains(index);
        if is_fresh {
            tally.mark(HEAT_POWERED, cell);
            *tally.note_mut(POWERED_IN + index) = i64::from(before.round);
        }
        if after.cells[index].is_none() {
            tally.mark(HEAT_REMOVALS, cell);
            tally.add(SEATS_REMOVED, 1);
            tally.add(FRESH_REMOVALS, i64::from(is_fresh));
            let gained = after.garnets[index] + u8::from(submission.spends) - before.garnets[index];
            tally.add(GARNETS_WON, i64::from(gained));
            *tally.note_mut(PRIORITIES) += i64::from(round::unshifted(after, index));
        }
    }
}

pub(super) fn standing(board: &Board, winners: &[u8], tally: &mut Tally) {
    let garnets = board.garnets[..board.players()].iter().map(|garnets| i64::from(*garnets));
    tally.set(GARNETS_END, Some(garnets.sum()));
    tally.set(POWERED_SEATS, Some(i64::from(board.powered.len())));
    tally.set(TRIFORCES, Some(i64::from(board.triforces_made())));
    tally.set(FIRST_TRIFORCE, board.triforces().next().map(|made| i64::from(made.round)));
    let powered_in = |index: usize| Some(tally.note(POWERED_IN + index)).filter(|round| *round > 0);
    let first = (0..board.players()).filter_map(powered_in).min();
    let won = || winners.iter().map(|seat| usize::from(*seat) - 1);
    let mut rounds: Vec<i64> = won().filter_map(powered_in).collect();
    rounds.sort_unstable();
    let half = winners.len().div_ceil(2).checked_sub(1).and_then(|last| rounds.get(last).copied());
    let spent = won().map(|index| tally.note(SPENT_BY + index)).sum();
    let removed = tally.value(SEATS_REMOVED);
    let highest = i64::from(board.setup.players) * removed;
    let percent = (removed > 0).then(|| (100 * tally.note(PRIORITIES) + highest / 2) / highest);
    tally.set(FIRST_POWERED, first);
    tally.set(FIRST_WINNER_POWERED, rounds.first().copied());
    tally.set(WINNERS_POWERED, half);
    tally.set(GARNETS_SPENT_WINNERS, Some(spent).filter(|_| !winners.is_empty()));
    tally.set(PRIORITY_AT_REMOVAL, percent);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::TriforceBuilding;
    use super::super::tests::seven;
    use crate::Game;
    use crate::counted::Counted;

    #[test]
    fn two_triforces_end_a_game_of_seven() {
        let board = seven(2, ["2.1", "3.1", "3.3", "4.5", "3.5", "4.7", "1.1"], &[1, 2, 3]);
        let mut game = Counted::new("triforce-building", board);
        game.play("1:- 2:- 3:- 4:- 5:- 6:-");
        let nothing = "garnetsEnd 14, firstPowered none, firstWinnerPowered none, winnersPowered none, \
                       poweredSeats 3, firstTriforce none, priorityAtRemoval none";
        assert_eq!(game.values(&[1]), nothing, "a round counts when it is resolved");
        game.play("7:-");
        // Priorities 7 + 6 + 5 + 4 + 3 + 2 of six times 7; three garnets each, and one each.
        assert_eq!(
            game.values(&[1, 2, 3]),
            "rounds 1, stays 7, garnetsWon 12, garnetsEnd 26, firstPowered none, firstWinnerPowered none, \
             winnersPowered none, poweredSeats 3, poweredRounds 3, triforces 2, firstTriforce 2, seatsRemoved 6, \
             priorityAtRemoval 64, crowdMost 1"
        );
        assert_eq!(game.heat("visits"), "1.1 1, 2.1 1, 3.1 1, 3.3 1, 3.5 1, 4.5 1, 4.7 1");
        assert_eq!(game.heat("removals"), "2.1 1, 3.1 1, 3.3 1, 3.5 1, 4.5 1, 4.7 1");
        assert_eq!(game.heat("powered"), "");
    }

    #[test]
    fn a_garnet_and_a_shift_change_priorities_around_a_removal() {
        let board = seven(3, ["4.4", "4.6", "4.7", "2.1", "3.1", "3.3", "1.1"], &[4, 5, 6]);
        let mut game = Counted::new("triforce-building", board);
        game.play("1:R 2:- 3:- 4:-! 5:- 6:- 7:-!");
        // Seat 7 goes to the top, then seat 4: seats 4, 5, 6 leave with 7, 2, 1, which is 10 of 21.
        let played = |spent: &str, powered: &str| {
            format!(
                "rounds 1, steps 1, stays 6, garnetsSpent 2, {spent}garnetsWon 9, garnetsEnd 21, firstPowered 3, \
                 {powered}, poweredSeats 6, poweredRounds 6, triforces 1, firstTriforce 3, seatsRemoved 3, \
                 priorityAtRemoval 48, crowdMost 1"
            )
        };
        assert_eq!(game.values(&[1, 2, 5]), played("", "firstWinnerPowered 3, winnersPowered 3"));
        assert_eq!(
            game.values(&[1, 4, 7]),
            played("garnetsSpentWinners 2, ", "firstWinnerPowered 3, winnersPowered none")
        );
        assert_eq!(
            game.values(&[]),
            played("garnetsSpentWinners none, ", "firstWinnerPowered none, winnersPowered none")
        );
        assert_eq!(game.heat("powered"), "4.5 1, 4.6 1, 4.7 1");
    }

    #[test]
    fn seats_that_leave_as_they_become_powered() {
        let board = seven(2, ["2.1", "3.1", "3.3", "3.2", "4.7", "4.7", "1.1"], &[]);
        let mut game = Counted::new("triforce-building", board);
        game.play("1:- 2:- 3:- 4:- 5:- 6:- 7:-");
        assert_eq!(
            game.values(&[1]),
            "rounds 1, stays 7, garnetsWon 30, garnetsEnd 44, firstPowered 2, firstWinnerPowered 2, winnersPowered 2, \
             poweredSeats 4, poweredRounds 4, triforces 1, firstTriforce 2, seatsRemoved 3, priorityAtRemoval 86, \
             freshRemovals 3, crowdMost 2"
        );
        assert_eq!(game.heat("powered"), "2.1 1, 3.1 1, 3.2 1, 3.3 1");
    }

    #[test]
    fn seats_and_garnets_add_up() {
        let mut triforces = 0;
        for seed in 0..8 {
            let players = [13, 10, 7][seed as usize % 3];
            let setup = TriforceBuilding::complete(&json!({"players": players}), &mut |n| n - 1).expect("a setup");
            let start = TriforceBuilding::start(&setup).expect("a complete setup");
            let mut game = Counted::new("triforce-building", start);
            game.play_at_random(seed, 140);
            game.values(&[]);
            triforces += game.value("triforces");
            assert_eq!(game.value("garnetsEnd"), players + game.value("garnetsWon") - game.value("garnetsSpent"));
            assert_eq!(game.value("seatsRemoved"), players - game.position.on_board().count() as i64);
            assert_eq!(game.value("seatsRemoved"), 3 * game.value("triforces"));
            assert_eq!(game.heat_sum("removals"), game.value("seatsRemoved"));
            assert_eq!(game.heat_sum("powered"), game.value("poweredSeats"));
        }
        assert!(triforces > 0, "there is something to add up");
    }
}
