//! The measures of Triforce Building, counted when a round is resolved.

use super::board::Board;
use super::lattice::{CELLS_MAX, SIDE_MAX};
use super::notation::Submission;
use super::round;
use super::setup::SEATS;
use crate::measure::{Tally, texts};
use crate::{Heat, Marks, Measure};

/// The counts of a game.
#[derive(Default)]
pub(crate) struct Counts {
    rounds: i64,
    steps: i64,
    stays: i64,
    /// By seat.
    garnets_spent: [i64; SEATS],
    garnets_won: i64,
    /// By seat: the round in which it became powered.
    powered_in: [Option<u8>; SEATS],
    powered_rounds: i64,
    seats_removed: i64,
    /// The sum of the priorities of all seats that left the board.
    priorities: i64,
    fresh_removals: i64,
    crowd_most: i64,
    visits_at: Marks<CELLS_MAX>,
    powered_at: Marks<CELLS_MAX>,
    removals_at: Marks<CELLS_MAX>,
}

pub(super) const MEASURES: &[Measure<Board>] = &[
    Measure::counted("rounds", "Rounds resolved.", |of| of.rounds),
    Measure::counted("steps", "Steps walked, by all seats.", |of| of.steps),
    Measure::counted("stays", "Submissions without a step.", |of| of.stays),
    Measure::counted("garnetsSpent", "Garnets spent for priority.", |of| of.garnets_spent.iter().sum()),
    Measure::sometimes("garnetsSpentWinners", "Garnets that the winners spent; none without winners.", |game| {
        let spent = winners(game).map(|index| game.counts.garnets_spent[index]).sum();
        (!game.winners.is_empty()).then_some(spent)
    }),
    Measure::counted("garnetsWon", "Garnets gained by leaving in a triforce.", |of| of.garnets_won),
    Measure::always("garnetsEnd", "Garnets that all seats have at the end.", |game| {
        game.position.garnets[..game.position.players()].iter().map(|garnets| i64::from(*garnets)).sum()
    }),
    Measure::sometimes("firstPowered", "The first round in which a seat was powered; none if nobody was.", |game| {
        game.counts.powered_in.iter().flatten().min().copied().map(i64::from)
    }),
    Measure::sometimes(
        "firstWinnerPowered",
        "The first round in which one of the winners was powered; none if none of them was.",
        |game| winners_powered(game).first().copied(),
    ),
    Measure::sometimes(
        "winnersPowered",
        "The round by which half of the winners or more were powered; none if fewer were.",
        |game| winners_powered(game).get(game.winners.len().div_ceil(2).checked_sub(1)?).copied(),
    ),
    Measure::always("poweredSeats", "Seats that were powered in the game.", |game| {
        i64::from(game.position.powered.len())
    }),
    Measure::counted(
        "poweredRounds",
        "Rounds that seats on the board were powered, the one in which they became so included, added up.",
        |of| of.powered_rounds,
    ),
    Measure::always("triforces", "Triforces made.", |game| i64::from(game.position.triforces_made())),
    Measure::sometimes("firstTriforce", "The round of the first triforce; none without one.", |game| {
        game.position.triforces().next().map(|made| i64::from(made.round))
    }),
    Measure::counted("seatsRemoved", "Seats that left the board in triforces.", |of| of.seats_removed),
    Measure::sometimes(
        "priorityAtRemoval",
        "The mean priority of seats as they left in triforces, in percent of the highest; none without.",
        |game| {
            let highest = i64::from(game.position.setup.players) * game.counts.seats_removed;
            (highest > 0).then(|| (100 * game.counts.priorities + highest / 2) / highest)
        },
    ),
    Measure::counted("freshRemovals", "Seats that left in the round in which they became powered.", |of| {
        of.fresh_removals
    }),
    Measure::counted("crowdMost", "The most seats on one cell after the moves of a round.", |of| of.crowd_most),
];

pub(super) const HEAT: &[Heat<Counts>] = &[
    Heat::new("visits", "Seats that stood on the cell after the moves of a round.", |counts| &counts.visits_at),
    Heat::new("powered", "Seats that became powered on the cell.", |counts| &counts.powered_at),
    Heat::new("removals", "Seats that left the board from the cell, in a triforce.", |counts| &counts.removals_at),
];

/// The cells of the largest board, in order of their numbers.
pub(super) const CELLS: [&str; CELLS_MAX] = texts(&NAMES);

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

/// Writes a number below 100, and returns the position after it.
const fn write(name: &mut [u8; 5], mut at: usize, number: u8) -> usize {
    if number >= 10 {
        name[at] = b'0' + number / 10;
        at += 1;
    }
    name[at] = b'0' + number % 10;
    at + 1
}

/// Counts a round that was resolved by these submissions.
pub(super) fn count(before: &Board, submitted: &[Option<Submission>; SEATS], after: &Board, counts: &mut Counts) {
    counts.rounds += 1;
    let mut crowd = [0; CELLS_MAX];
    for (index, from) in before.on_board() {
        let submission = submitted[index].expect("a round is resolved when all have submitted");
        let steps = submission.steps().count();
        counts.steps += steps as i64;
        counts.stays += i64::from(steps == 0);
        counts.garnets_spent[index] += i64::from(submission.spends);
        let cell = before.end(from, submission).expect("it was judged").index();
        counts.visits_at.add(cell);
        crowd[cell] += 1;
        counts.crowd_most = counts.crowd_most.max(crowd[cell]);
        counts.powered_rounds += i64::from(after.powered.contains(index));
        let is_fresh = after.powered.contains(index) && !before.powered.contains(index);
        if is_fresh {
            counts.powered_at.add(cell);
            counts.powered_in[index] = Some(before.round);
        }
        if after.cells[index].is_none() {
            counts.removals_at.add(cell);
            counts.seats_removed += 1;
            counts.fresh_removals += i64::from(is_fresh);
            let gained = after.garnets[index] + u8::from(submission.spends) - before.garnets[index];
            counts.garnets_won += i64::from(gained);
            counts.priorities += i64::from(round::unshifted(after, index));
        }
    }
}

/// The indices of the winners.
fn winners<'a>(game: &Tally<'a, Board>) -> impl Iterator<Item = usize> + use<'a> {
    game.winners.iter().map(|seat| usize::from(*seat) - 1)
}

/// The rounds in which winners became powered, ascending.
fn winners_powered(game: &Tally<'_, Board>) -> Vec<i64> {
    let mut rounds: Vec<i64> = winners(game).filter_map(|index| game.counts.powered_in[index].map(i64::from)).collect();
    rounds.sort_unstable();
    rounds
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::TriforceBuilding;
    use super::super::tests::seven;
    use crate::Game;
    use crate::counted::CountedGame;

    #[test]
    fn two_triforces_end_a_game_of_seven() {
        let board = seven(2, ["2.1", "3.1", "3.3", "4.5", "3.5", "4.7", "1.1"], &[1, 2, 3]);
        let mut game = CountedGame::<TriforceBuilding>::new(board);
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
        let mut game = CountedGame::<TriforceBuilding>::new(board);
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
        let mut game = CountedGame::<TriforceBuilding>::new(board);
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
            let mut game = CountedGame::<TriforceBuilding>::new(start);
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
